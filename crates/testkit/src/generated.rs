//! Test programs that are too long to be kept as files.

use std::fmt::Write;

/// Name and source of each generated program.
pub(crate) fn programs() -> Vec<(&'static str, String)> {
    vec![("TooLarge", too_large()), ("ManyConstants", many_constants()), ("ManyLocals", many_locals())]
}

/// A method close to the limit of 64 kB, which has no room for log points, called from and calling small ones.
fn too_large() -> String {
    let mut body = String::new();
    for i in 0..3800 {
        // 16 bytes of code each. The factors are odd, so that the result depends on where it started.
        let _ = writeln!(body, "        value = value * {} + cells[{}];", 1001 + 2 * i, i % 5);
    }
    format!(
        "/** A method too large to be rewritten, between methods that are not. */
public class TooLarge {{
    static int value;
    static int[] cells = {{1, 2, 3, 4, 5}};

    static int small(int x) {{
        return x + value;
    }}

    static int huge(int start) {{
        value = small(start);
{body}        return small(value);
    }}

    public static void main(String[] args) {{
        System.out.println(huge(1));
        System.out.println(huge(2));
        cells = null;
        try {{
            huge(3);
        }} catch (NullPointerException e) {{
            System.out.println(\"null cells \" + value);
        }}
        System.out.println(small(1));
    }}
}}
"
    )
}

/// More than 256 constants of each kind, so that `ldc_w` is used, and the pool has thousands of entries.
fn many_constants() -> String {
    let mut methods = String::new();
    let mut calls = String::new();
    for group in 0..40 {
        let _ = writeln!(methods, "    static long group{group}(long seed) {{\n        long hash = seed;");
        for i in 0..40 {
            let n = group * 40 + i;
            let _ = writeln!(methods, "        hash = hash * 31 + \"text number {n}\".length() + {};", 100_000 + n * 7);
            let _ =
                writeln!(methods, "        hash ^= {}L + (long) {}.5 + (int) {}.25f;", 10_000_000_000_u64 + n, n, n);
        }
        let _ = writeln!(methods, "        return hash;\n    }}\n");
        let _ = writeln!(calls, "        hash = group{group}(hash);");
    }
    format!(
        "/** A class with a constant pool of several thousand entries. */
public class ManyConstants {{
{methods}    public static void main(String[] args) {{
        long hash = 17;
{calls}        System.out.println(hash);
    }}
}}
"
    )
}

/// Locals beyond 255 need `wide` forms; jumps beyond 32 kB need `goto_w` or its replacement by the compiler.
fn many_locals() -> String {
    let mut declarations = String::new();
    let mut updates = String::new();
    let mut sum = String::from("0");
    for i in 0..300 {
        let kind = ["int", "long", "double", "float"][i % 4];
        let _ = writeln!(declarations, "        {kind} v{i} = ({kind}) (seed + {i});");
        let _ = writeln!(updates, "            v{i} += {};", if i % 4 == 0 { 1 + i * 3 } else { i });
        let _ = write!(sum, " + (long) v{i}");
    }
    format!(
        "/** A method with 300 locals of every width, changed in a loop. */
public class ManyLocals {{
    static long many(int seed) {{
{declarations}        String name = \"n\" + seed;
        for (int i = 0; i < 5; i++) {{
{updates}            name += i;
        }}
        return name.length() + {sum};
    }}

    public static void main(String[] args) {{
        System.out.println(many(1) + \" \" + many(-50));
    }}
}}
"
    )
}
