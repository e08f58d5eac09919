//! Reads the package that a source file declares, without parsing more than it must.

/// Whether the text declares `package` (`com/acme`; empty is the unnamed package). Text that is in no language
/// with such a declaration counts as being of any package.
pub(super) fn declares(text: &[u8], file: &str, package: &str) -> bool {
    let has_declaration = [".java", ".kt", ".scala", ".groovy"].iter().any(|extension| file.ends_with(extension));
    if !has_declaration {
        return true;
    }
    declared(&String::from_utf8_lossy(text)) == package.replace('/', ".")
}

/// The declared package, with dots; empty when there is none.
fn declared(text: &str) -> String {
    let mut rest = text.trim_start_matches('\u{feff}');
    let mut package = String::new();
    loop {
        rest = skip_blank(rest);
        if let Some(after) = annotation(rest) {
            rest = after;
        } else if let Some(after) = rest.strip_prefix("package").filter(|after| after.starts_with(char::is_whitespace))
        {
            // Scala may split the package over several declarations.
            let name: String = after.trim_start().chars().take_while(|&c| is_name(c)).collect();
            if name.is_empty() || name == "object" {
                return package;
            }
            let after = after.trim_start();
            rest = after.get(name.len()..).unwrap_or("").trim_start_matches([' ', '\t']);
            rest = rest.strip_prefix(';').unwrap_or(rest);
            if !package.is_empty() {
                package.push('.');
            }
            package.push_str(&name.replace('`', ""));
        } else {
            return package;
        }
    }
}

fn is_name(c: char) -> bool {
    c.is_alphanumeric() || matches!(c, '_' | '$' | '.' | '`')
}

/// Skips white space and comments.
fn skip_blank(mut text: &str) -> &str {
    loop {
        text = text.trim_start();
        if let Some(comment) = text.strip_prefix("//").or_else(|| text.strip_prefix("#!")) {
            text = comment.find('\n').and_then(|end| comment.get(end..)).unwrap_or("");
        } else if let Some(comment) = text.strip_prefix("/*") {
            text = comment.find("*/").and_then(|end| comment.get(end + 2..)).unwrap_or("");
        } else {
            return text;
        }
    }
}

/// What stands behind an annotation, such as `@file:JvmName("Foo")`.
fn annotation(text: &str) -> Option<&str> {
    let after = text.strip_prefix('@')?.trim_start_matches(|c| is_name(c) || c == ':');
    if !after.starts_with('(') {
        return Some(after);
    }
    let mut depth = 0;
    for (at, c) in after.char_indices() {
        match c {
            '(' => depth += 1,
            ')' => depth -= 1,
            _ => {}
        }
        if depth == 0 {
            return after.get(at + 1..);
        }
    }
    None
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn package_declarations() {
        for (text, package) in [
            ("package a.b;\nclass X {}", "a.b"),
            ("/* package x; */ // package y;\n package a . b;", "a"),
            ("class X {}", ""),
            ("", ""),
            ("import a.package_;", ""),
            ("\u{feff}package a;", "a"),
            ("@file:JvmName(\"Foo()\")\npackage a.`in`\n", "a.in"),
            ("@Deprecated package a;", "a"),
            ("package a\npackage b\nclass X", "a.b"),
            ("packages = 1", ""),
            ("/* unfinished package a;", ""),
            ("@A((", ""),
        ] {
            assert_eq!(declared(text), package, "{text:?}");
        }
    }

    #[test]
    fn other_languages_have_no_package() {
        assert!(declares(b"(ns a)", "core.clj", "a"));
        assert!(!declares(b"package b;", "X.java", "a"));
    }
}
