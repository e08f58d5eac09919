//! The command line with which a program is recorded.

use std::fs;
use std::os::unix::fs::PermissionsExt;

use whydunit_testkit::{Jdk, Program, compile, record, target_dir};

#[test]
fn record_passes_store_options_and_the_java_command() {
    let jdk = Jdk::all().pop().expect("no JDK found: set JAVA_HOME");
    let dir = target_dir().join("testprograms-record-command");
    fs::create_dir_all(&dir).unwrap();
    let stand_in = dir.join("whydunit");
    fs::write(&stand_in, "#!/bin/sh\nprintf '%s\\n' \"$@\"\nexit 7\n").unwrap();
    fs::set_permissions(&stand_in, fs::Permissions::from_mode(0o755)).unwrap();

    let program = Program::named("ScannerInput").unwrap().unwrap();
    let classes = compile(&program, &jdk).unwrap().classes;
    let output = record(&program, &jdk, &["--include", "p"], &stand_in, &dir).unwrap();
    let expected = format!(
        "--store\n{}\nrecord\n--check\n--include\np\n--\n{}\n-cp\n{}\nScannerInput\nfirst\nsecond one\n-7\n",
        dir.display(),
        jdk.java().display(),
        classes.display(),
    );
    assert_eq!((output.stdout, output.code), (expected, Some(7)));

    let program = Program::named("NamedModules").unwrap().unwrap();
    let classes = compile(&program, &jdk).unwrap().classes;
    let output = record(&program, &jdk, &[], &stand_in, &dir).unwrap();
    let end = format!("--module-path\n{}\n-m\nwhydunit.test.app/app.Main\n", classes.display());
    assert!(output.stdout.ends_with(&end), "{}", output.stdout);
}
