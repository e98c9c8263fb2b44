//! Runs every policy test file of `tests/policies`.

use std::fs;
use std::path::{Path, PathBuf};

use guardbee_engine::policy_test::{PolicyTest, run};

/// Statements nest deep enough in unoptimised builds to need it.
const STACK_SIZE: usize = 8 << 20;

fn files(folder: &Path) -> Vec<PathBuf> {
    let mut files = Vec::new();
    for entry in fs::read_dir(folder).expect("a folder of policy tests") {
        let path = entry.expect("a readable folder").path();
        if path.is_dir() {
            files.extend(self::files(&path));
        } else if path.extension().is_some_and(|extension| extension == "yaml") {
            files.push(path);
        }
    }
    files.sort();
    files
}

/// The steps of a file that do not come out as it says.
async fn failures(path: &Path) -> (usize, Vec<String>) {
    let name = path.file_name().unwrap_or_default().to_string_lossy().into_owned();
    let text = fs::read_to_string(path).expect("a readable file");
    let test = match PolicyTest::parse(&text) {
        Ok(test) => test,
        Err(error) => return (0, vec![format!("{name}: {error}")]),
    };
    let report = run(&test).await;
    let mut failures: Vec<String> = report.setup.iter().map(|problem| format!("{name}: {problem}")).collect();
    for (place, (step, report)) in test.steps.iter().zip(&report.steps).enumerate() {
        if !report.passed() {
            failures.push(format!(
                "{name}, step {}: {}: {}\n    {}\n    because: {}",
                place + 1,
                step.user,
                step.sql.trim(),
                report.differences.join("; "),
                report.reason
            ));
        }
    }
    (report.passed(), failures)
}

#[test]
fn every_policy_test_file_passes() {
    let check = || {
        let runtime = tokio::runtime::Builder::new_current_thread().build().expect("a runtime");
        let filter = std::env::var("POLICY_FILE").unwrap_or_default();
        let files = files(&Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/policies"));
        let mut passed = 0;
        let mut failed = Vec::new();
        for file in files.iter().filter(|file| file.to_string_lossy().contains(&filter)) {
            let (steps, mut failures) = runtime.block_on(failures(file));
            passed += steps;
            failed.append(&mut failures);
        }
        assert!(failed.is_empty(), "{passed} steps passed, these did not:\n{}", failed.join("\n"));
        assert!(passed > 0, "no step was run");
    };
    let thread = std::thread::Builder::new().stack_size(STACK_SIZE).spawn(check).expect("a thread");
    if let Err(panic) = thread.join() {
        std::panic::resume_unwind(panic);
    }
}
