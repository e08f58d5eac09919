//! Lines of classes that are not in the recording, known by their source only.

use crate::names::UnknownName;
use crate::session::Session;
use crate::source_types::{TypeBody, type_around};

/// What lines without code begin with.
const NO_CODE: &[&str] = &["//", "*", "/*", "@", "import ", "package ", "break", "continue"];

impl Session {
    /// Whether a line that no recorded class has may be of a class that was not loaded: its source has a statement
    /// there, in a type that is not recorded, or no file of a name like that is known.
    pub fn may_be_unloaded(&self, asked: &str, unknown: &UnknownName) -> bool {
        let Some((path, number)) = asked.rsplit_once(':') else { return false };
        let file = path.rsplit('/').next().unwrap_or(path);
        let Ok(line) = number.parse::<u32>() else { return false };
        let classes = self.classes_of(file);
        let Some(class) = classes.first() else { return unknown.nearest.is_empty() && file.contains('.') };
        let source = self.sources().and_then(|sources| sources.lines(&class.replace('/', "."), file));
        let source = source.unwrap_or_default();
        let text = (line as usize).checked_sub(1).and_then(|at| source.get(at)).map_or("", |text| text.trim());
        if !text.contains(';') || NO_CODE.iter().any(|start| text.starts_with(start)) {
            return false;
        }
        match type_around(source.iter().map(|line| &**line), line) {
            Some(TypeBody { name: Some(name), .. }) => !classes.iter().any(|class| declared_name(class) == name),
            // The first line has code of whoever makes the object.
            Some(TypeBody { name: None, lines }) => {
                !self.has_code(file, |line| line > *lines.start() && lines.contains(&line))
            }
            None => false,
        }
    }

    /// The recorded classes of a file, by their internal names.
    fn classes_of(&self, file: &str) -> Vec<&str> {
        let is_there =
            |index| self.program().summary(index).is_some_and(|summary| summary.source_file.as_deref() == Some(file));
        let definitions = self.program().definitions().filter(|(index, _)| is_there(*index));
        definitions.map(|(_, definition)| definition.name.as_str()).collect()
    }

    fn has_code(&self, file: &str, is_line: impl Fn(u32) -> bool) -> bool {
        let methods = self.program().methods().filter(|&method| self.source_file(method) == Some(file));
        let mut codes = methods.filter_map(|method| self.program().code(method).ok());
        codes.any(|code| code.lines.iter().any(|&line| is_line(line.into())))
    }
}

/// The name that a class has where it is declared: `Line` of `shop/Cart$Line`, and of `shop/Cart$1Line` in a method.
fn declared_name(internal: &str) -> &str {
    let last = internal.rsplit(['/', '$']).next().unwrap_or(internal);
    last.trim_start_matches(|c: char| c.is_ascii_digit())
}

#[cfg(test)]
mod tests {
    use super::declared_name;

    #[test]
    fn declared_names() {
        for (internal, expected) in
            [("shop/Cart", "Cart"), ("shop/Cart$Line", "Line"), ("Cart$1Line", "Line"), ("Cart$1", "")]
        {
            assert_eq!(declared_name(internal), expected, "{internal}");
        }
    }
}
