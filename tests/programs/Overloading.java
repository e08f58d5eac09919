/** Overloads, overrides with wide parameters, super calls, fields that hide others, and abstract dispatch. */
public class Overloading {
    static class A {
        String name = "A";
        static String kind = "kindA";

        long f(int a, long b, double c, float d, byte e) {
            return (long) (a + b + c + d + e);
        }

        String who() {
            return name + this.describe();
        }

        String describe() {
            return "a";
        }

        static String statics() {
            return "sA";
        }

        String over(Object o) {
            return "object";
        }

        String over(String s) {
            return "string";
        }

        String over(Integer i) {
            return "integer";
        }

        String over(double d) {
            return "double";
        }
    }

    static class B extends A {
        String name = "B";
        static String kind = "kindB";

        @Override
        long f(int a, long b, double c, float d, byte e) {
            return super.f(a * 2, b * 2, c * 2, d * 2, e) + 1;
        }

        @Override
        String describe() {
            return "b" + super.describe() + super.name + name + ((A) this).name;
        }

        static String statics() {
            return "sB";
        }
    }

    static class C extends B {
        @Override
        String who() {
            return "C:" + super.who();
        }

        @Override
        String over(String s) {
            return super.over(s) + "!" + super.over((Object) s);
        }
    }

    static int evaluated;

    static int next(int x) {
        evaluated = evaluated * 10 + x;
        return x;
    }

    static int order(int a, int b, int c) {
        return a * 100 + b * 10 + c;
    }

    public static void main(String[] args) {
        for (A a : new A[] {new A(), new B(), new C()}) {
            System.out.println(a.f(1, 1L << 40, 0.5, 0.25f, (byte) -1) + " " + a.who() + " " + a.name + " " + a.over("s")
                    + a.over(5) + a.over(5f) + a.over((Object) "s") + a.over('c'));
        }
        System.out.println(A.kind + B.kind + C.kind + A.statics() + C.statics());
        int[] array = new int[5];
        int i = 0;
        array[i++] = i + order(next(1), next(2), next(3)) + (i = 3);
        array[i] += i++ * 2 + i;
        i = i++ + ++i;
        System.out.println(array[0] + " " + array[3] + " " + i + " " + evaluated);
        boolean lazy = next(4) == 5 && next(6) == 6 || next(7) == 7 ^ next(8) == 9;
        System.out.println(lazy + " " + evaluated + " " + (next(9) > 8 ? next(1) : next(2)));
        long l = i > 100 ? 1 : 2L;
        label:
        for (int x = 0; x < 5; x++) {
            for (int y = 0; y < 5; y++) {
                if (y == 3) {
                    continue label;
                }
                if (x == 3) {
                    break label;
                }
                l += x * y;
            }
        }
        do {
            l -= 3;
        } while (l > 0);
        System.out.println(l);
        assert l > 0 : "assertions are off";
    }
}
