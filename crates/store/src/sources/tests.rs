use super::*;
use std::io::Write;
use tempfile::TempDir;

fn folder_with(files: &[(&str, &str)]) -> TempDir {
    let folder = tempfile::tempdir().expect("a folder");
    for (name, text) in files {
        let path = folder.path().join(name);
        fs::create_dir_all(path.parent().expect("a parent")).expect("folders");
        fs::write(path, text).expect("a file");
    }
    folder
}

fn wanted(package: &str, file: &str) -> Wanted {
    Wanted { package: package.into(), file: file.into(), last_line: 0, classes: None }
}

fn found(folder: &TempDir, one: &Wanted) -> Option<String> {
    let mut found = walk::find(&[folder.path().to_owned()], std::slice::from_ref(one));
    found.remove(one).map(|text| String::from_utf8(text).expect("text"))
}

#[test]
fn the_package_decides_among_files_of_one_name() {
    let folder = folder_with(&[
        ("a/src/main/java/com/acme/Foo.java", "package com.acme; // right"),
        ("a/src/main/java/com/other/Foo.java", "package com.other;"),
        ("b/com/acme/Foo.java", "package wrong;"),
        ("target/com/acme/Foo.java", "package com.acme; // generated"),
        ("Foo.java", "class Foo {}"),
    ]);
    assert_eq!(found(&folder, &wanted("com/acme", "Foo.java")).as_deref(), Some("package com.acme; // right"));
    assert_eq!(found(&folder, &wanted("", "Foo.java")).as_deref(), Some("class Foo {}"));
    assert_eq!(found(&folder, &wanted("net", "Foo.java")), None);
}

#[test]
fn kotlin_files_may_stand_anywhere() {
    let folder = folder_with(&[("src/main/kotlin/Foo.kt", "package com.acme\n")]);
    assert!(found(&folder, &wanted("com/acme", "Foo.kt")).is_some());
}

#[test]
fn equally_good_files_that_differ_are_left_out() {
    let one = wanted("p", "Foo.java");
    let folder = folder_with(&[("a/p/Foo.java", "package p; //1"), ("b/p/Foo.java", "package p; //2")]);
    assert_eq!(found(&folder, &one), None);
    fs::write(folder.path().join("b/p/Foo.java"), "package p; //1").expect("a file");
    assert!(found(&folder, &one).is_some());
}

#[test]
fn sources_jars_and_src_zip() {
    let folder = tempfile::tempdir().expect("a folder");
    let jar = folder.path().join("foo-1.0.jar");
    assert_eq!(jars::sources_jar(&jar), None);
    let sources = folder.path().join("foo-1.0-sources.jar");
    let mut zip = zip::ZipWriter::new(fs::File::create(&sources).expect("a file"));
    for name in ["com/acme/Foo.java", "java.base/java/util/List.java"] {
        zip.start_file(name, zip::write::SimpleFileOptions::default()).expect("an entry");
        let package = if name.starts_with("com") { "com.acme" } else { "java.util" };
        write!(zip, "package {package};").expect("written");
    }
    zip.finish().expect("a jar");
    let jar = jars::sources_jar(&jar).expect("the jar beside it");
    let names = [wanted("com/acme", "Foo.java"), wanted("java/util", "List.java"), wanted("x", "Y.java")];
    let found: Vec<Wanted> = jars::find(&jar, &names).into_keys().collect();
    assert_eq!(found, names[..2]);
}

#[test]
fn a_damaged_jar_gives_nothing() {
    let folder = folder_with(&[("a-sources.jar", "PK\u{3}\u{4}nonsense")]);
    assert!(jars::find(&folder.path().join("a-sources.jar"), &[wanted("a", "B.java")]).is_empty());
}

#[test]
fn a_file_that_is_too_short_for_the_class_is_not_its_source() {
    let folder = folder_with(&[("Foo.java", "class Foo {}"), ("a/Foo.java", "\n\nclass Foo {}")]);
    let one = Wanted { last_line: 3, ..wanted("", "Foo.java") };
    assert_eq!(found(&folder, &one).as_deref(), Some("\n\nclass Foo {}"));
    assert_eq!(found(&folder, &Wanted { last_line: 4, ..one }), None);
}

#[test]
fn the_file_nearest_to_the_class_comes_first() {
    let folder = folder_with(&[("old/Foo.java", "// old"), ("new/java/Foo.java", "// new")]);
    let classes = Some(folder.path().join("new/classes"));
    assert_eq!(found(&folder, &Wanted { classes, ..wanted("", "Foo.java") }).as_deref(), Some("// new"));
    assert_eq!(found(&folder, &wanted("", "Foo.java")).as_deref(), Some("// old"));
}
