import java.util.Arrays;

/** A doubly linked list, a balanced tree, a heap and a graph search, all of the program. */
public class LinkedStructures {
    static class Deque {
        private static class Link {
            int value;
            Link previous;
            Link next;
        }

        private Link first;
        private Link last;
        int size;

        void push(int value) {
            Link link = new Link();
            link.value = value;
            link.next = first;
            if (first == null) {
                last = link;
            } else {
                first.previous = link;
            }
            first = link;
            size++;
        }

        int pollLast() {
            int value = last.value;
            last = last.previous;
            if (last == null) {
                first = null;
            } else {
                last.next = null;
            }
            size--;
            return value;
        }
    }

    static class Avl {
        int key;
        int height = 1;
        Avl left;
        Avl right;

        Avl(int key) {
            this.key = key;
        }

        static int height(Avl node) {
            return node == null ? 0 : node.height;
        }

        void update() {
            height = 1 + Math.max(height(left), height(right));
        }

        static Avl insert(Avl node, int key) {
            if (node == null) {
                return new Avl(key);
            }
            if (key < node.key) {
                node.left = insert(node.left, key);
            } else if (key > node.key) {
                node.right = insert(node.right, key);
            }
            node.update();
            int balance = height(node.left) - height(node.right);
            if (balance > 1) {
                if (key > node.left.key) {
                    node.left = node.left.rotateLeft();
                }
                return node.rotateRight();
            }
            if (balance < -1) {
                if (key < node.right.key) {
                    node.right = node.right.rotateRight();
                }
                return node.rotateLeft();
            }
            return node;
        }

        Avl rotateRight() {
            Avl top = left;
            left = top.right;
            top.right = this;
            update();
            top.update();
            return top;
        }

        Avl rotateLeft() {
            Avl top = right;
            right = top.left;
            top.left = this;
            update();
            top.update();
            return top;
        }

        long checksum(long so_far) {
            long sum = left == null ? so_far : left.checksum(so_far);
            sum = sum * 31 + key;
            return right == null ? sum : right.checksum(sum);
        }
    }

    static int[] distances(int[][] edges, int nodes, int start) {
        int[] distance = new int[nodes];
        Arrays.fill(distance, Integer.MAX_VALUE);
        distance[start] = 0;
        Deque queue = new Deque();
        queue.push(start);
        while (queue.size > 0) {
            int node = queue.pollLast();
            for (int[] edge : edges) {
                if (edge[0] == node && distance[node] + edge[2] < distance[edge[1]]) {
                    distance[edge[1]] = distance[node] + edge[2];
                    queue.push(edge[1]);
                }
            }
        }
        return distance;
    }

    public static void main(String[] args) {
        Avl root = null;
        for (int i = 0; i < 500; i++) {
            root = Avl.insert(root, (i * 7919) % 1009);
        }
        System.out.println(root.height + " " + root.key + " " + root.checksum(1));
        int[][] edges = {{0, 1, 4}, {0, 2, 1}, {2, 1, 2}, {1, 3, 5}, {2, 3, 8}, {3, 0, 1}};
        System.out.println(Arrays.toString(distances(edges, 5, 0)));
        Deque deque = new Deque();
        for (int i = 0; i < 10; i++) {
            deque.push(i * i);
        }
        int total = 0;
        while (deque.size > 3) {
            total = total * 2 + deque.pollLast();
        }
        System.out.println(total + " " + deque.first.value + " " + deque.last.value);
        try {
            for (int i = 0; i < 5; i++) {
                total += deque.pollLast();
            }
        } catch (NullPointerException e) {
            System.out.println("empty after " + total);
        }
    }
}
