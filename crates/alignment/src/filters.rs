//! What is not compared.

/// Values that differ from run to run by themselves.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Volatile {
    /// Clocks.
    Time,
    /// Hash codes, and `@1b2c3d` in texts.
    Hash,
    Random,
    /// Numbers of processes and threads.
    Id,
}

impl Volatile {
    pub const ALL: [Volatile; 4] = [Volatile::Time, Volatile::Hash, Volatile::Random, Volatile::Id];

    /// Methods whose results are of the kind.
    fn methods(self) -> &'static [&'static str] {
        match self {
            Volatile::Time => &[
                "java.lang.System.currentTimeMillis",
                "java.lang.System.nanoTime",
                "java.time.Clock.*",
                "java.time.*.now",
                "java.time.Instant.to*",
                "java.util.Date.getTime",
                "java.util.Calendar.getTimeInMillis",
            ],
            Volatile::Hash => &["*.hashCode", "java.lang.System.identityHashCode", "java.util.Objects.hash"],
            Volatile::Random => &[
                "java.lang.Math.random",
                "java.util.Random.next*",
                "java.util.SplittableRandom.next*",
                "java.util.concurrent.ThreadLocalRandom.next*",
                "java.security.SecureRandom.*",
                "java.util.UUID.*",
            ],
            Volatile::Id => &["java.lang.ProcessHandle.pid", "java.lang.Thread.getId", "java.lang.Thread.threadId"],
        }
    }
}

/// What the user wants left out. Names are `Class.member`, with as much of the class name as one likes; `*` stands for
/// anything.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Filters {
    /// What is written to these fields is not compared.
    pub fields: Vec<String>,
    /// What these methods do and return is not compared.
    pub methods: Vec<String>,
    /// Results of these kinds are not compared, nor is what they were copied to.
    pub volatile: Vec<Volatile>,
    /// Only where control goes is compared.
    pub control_only: bool,
}

impl Filters {
    pub(crate) fn ignores_field(&self, class: &str, name: &str) -> bool {
        self.fields.iter().any(|pattern| is_meant(pattern, class, name))
    }

    pub(crate) fn ignores_method(&self, class: &str, name: &str) -> bool {
        self.methods.iter().any(|pattern| is_meant(pattern, class, name))
    }

    /// Whether the result of a method differs by itself, or is not to be compared.
    pub(crate) fn ignores_result(&self, class: &str, name: &str) -> bool {
        let full = format!("{}.{name}", class.replace('/', "."));
        let is_volatile = |kind: &Volatile| kind.methods().iter().any(|pattern| matches(pattern, &full));
        self.volatile.iter().any(is_volatile) || self.ignores_method(class, name)
    }

    pub(crate) fn ignores_hashes(&self) -> bool {
        self.volatile.contains(&Volatile::Hash)
    }
}

/// Whether `pattern` means a member of a class, whose internal name is given.
fn is_meant(pattern: &str, class: &str, member: &str) -> bool {
    let full = format!("{}.{member}", class.replace('/', "."));
    let starts = full.match_indices(['.', '$']).map(|(at, _)| at + 1);
    let has_class = pattern.contains('.');
    [0].into_iter().chain(starts).any(|start| {
        let name = &full[start..];
        // The member alone means no class's, unless that is what was asked.
        (has_class || !name.contains('.')) && (!has_class || name.contains('.')) && matches(pattern, name)
    })
}

/// `*` is any text.
fn matches(pattern: &str, text: &str) -> bool {
    match pattern.split_once('*') {
        None => pattern == text,
        Some((before, after)) => text
            .strip_prefix(before)
            .is_some_and(|rest| (0..=rest.len()).any(|at| rest.is_char_boundary(at) && matches(after, &rest[at..]))),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_are_meant_by_their_ends() {
        for (pattern, is) in [
            ("Cart.total", true),
            ("shop.Cart.total", true),
            ("com.acme.shop.Cart.total", true),
            ("total", true),
            ("Cart.*", true),
            ("com.acme.*", true),
            ("art.total", false),
            ("Cart.tot", false),
            ("Cart", false),
            ("acme.total", false),
        ] {
            assert_eq!(is_meant(pattern, "com/acme/shop/Cart", "total"), is, "{pattern}");
        }
        assert!(is_meant("Line.price", "shop/Cart$Line", "price"));
    }

    #[test]
    fn volatile_results() {
        let filters = Filters { volatile: Volatile::ALL.to_vec(), ..Filters::default() };
        assert!(filters.ignores_result("java/lang/System", "nanoTime"));
        assert!(filters.ignores_result("java/time/LocalDate", "now"));
        assert!(filters.ignores_result("Main", "hashCode"));
        assert!(!filters.ignores_result("java/lang/System", "getProperty"));
        assert!(!Filters::default().ignores_result("java/lang/System", "nanoTime"));
    }
}
