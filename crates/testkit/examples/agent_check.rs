use whydunit_testkit::*;
fn main() {
    let filter: Vec<String> = std::env::args().skip(1).collect();
    let agent = std::env::var("AGENT").unwrap();
    let (mut ok, mut bad) = (0, 0);
    for jdk in Jdk::all() {
        for program in Program::all().unwrap() {
            if !program.runs_on(&jdk)
                || (!filter.is_empty() && !filter.iter().any(|f| program.name.contains(f.as_str())))
            {
                continue;
            }
            let plain = run_plain(&program, &jdk, &[]);
            let rec = run_plain(&program, &jdk, &[agent.as_str(), "-Xverify:all"]);
            match (plain, rec) {
                (Ok(p), Ok(r)) if p.stdout == r.stdout && p.code == r.code => ok += 1,
                (Ok(p), Ok(r)) => {
                    bad += 1;
                    println!("== {} on {:?}: code {:?} {:?}", program.name, jdk.version, p.code, r.code);
                    let d = p.stdout.lines().zip(r.stdout.lines()).find(|(a, b)| a != b);
                    println!("first diff {:?}; stderr {}", d, r.stderr.chars().take(900).collect::<String>());
                }
                (p, r) => {
                    bad += 1;
                    println!(
                        "== {} error {:?} {:?}",
                        program.name,
                        p.err().map(|e| e.to_string()),
                        r.err().map(|e| e.to_string().chars().take(1500).collect::<String>())
                    );
                }
            }
        }
    }
    println!("{ok} ok, {bad} bad");
}
