import java.util.ArrayList;
import java.util.List;

/** Kernel: a binary search tree of its own and a list of the JDK. */
public class TreeAndList {
    static final class Node {
        final int key;
        Node left, right;

        Node(int key) {
            this.key = key;
        }
    }

    private Node root;
    private final List<Integer> order = new ArrayList<>();

    void insert(int key) {
        if (root == null) {
            root = new Node(key);
            return;
        }
        Node at = root;
        while (true) {
            if (key < at.key) {
                if (at.left == null) {
                    at.left = new Node(key);
                    return;
                }
                at = at.left;
            } else if (key > at.key) {
                if (at.right == null) {
                    at.right = new Node(key);
                    return;
                }
                at = at.right;
            } else {
                return;
            }
        }
    }

    void walk(Node node) {
        if (node != null) {
            walk(node.left);
            order.add(node.key);
            walk(node.right);
        }
    }

    public static void main(String[] args) {
        int rounds = Integer.parseInt(args[0]);
        long total = 0;
        for (int round = 0; round < rounds; round++) {
            TreeAndList tree = new TreeAndList();
            int key = 12345 + round;
            for (int i = 0; i < 50_000; i++) {
                key = key * 1103515245 + 12345;
                tree.insert(key >>> 8);
            }
            tree.walk(tree.root);
            for (int value : tree.order) {
                total += value;
            }
        }
        System.out.println(total);
    }
}
