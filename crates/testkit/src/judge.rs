//! The real Hive, asked over pipes: its parsers and its compilers, as `oracle/` starts them.

use std::io::{BufRead, BufReader, Write};
use std::path::{Path, PathBuf};
use std::process::{Child, ChildStdin, Command, Stdio};
use std::sync::mpsc::{Receiver, channel};

use anyhow::{Context, Result, bail};
use guardbee_model::HiveVersion;
use serde::{Deserialize, Serialize};

use crate::golden::GoldenRecord;

/// The folder with the scripts that start the judges.
#[must_use]
pub fn oracle_folder() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../../oracle")
}

/// Hive's parser of one version.
pub struct ParserJudge(Judge);

#[derive(Deserialize)]
struct Verdict {
    ok: bool,
}

impl ParserJudge {
    /// # Errors
    /// Where the script cannot be started.
    pub fn start(version: HiveVersion) -> Result<Self> {
        let mut command = script("parse.sh");
        command.arg(judged_version(version));
        Judge::start(command).map(Self)
    }

    /// Whether Hive's parser takes the statements, in their order.
    ///
    /// # Errors
    /// Where the judge ends before it has answered.
    pub fn accepts<S: AsRef<str>>(&mut self, statements: &[S]) -> Result<Vec<bool>> {
        let questions = statements.iter().map(|sql| serde_json::to_string(sql.as_ref()));
        let answers = self.0.ask(&questions.collect::<Result<Vec<_>, _>>()?)?;
        answers.iter().map(|answer| Ok(serde_json::from_str::<Verdict>(answer)?.ok)).collect()
    }
}

/// Hive's compiler of one version, with the tables of an init script.
pub struct CompilerJudge(Judge);

impl CompilerJudge {
    /// Only 2.3, 3.1 and 4.0 have one.
    ///
    /// # Errors
    /// Where the script cannot be started.
    pub fn start(version: HiveVersion, init: &Path) -> Result<Self> {
        let mut command = script("run.sh");
        command.arg(judged_version(version)).arg(init);
        Judge::start(command).map(Self)
    }

    /// What Hive makes of the statements of a record.
    ///
    /// # Errors
    /// Where the judge ends before it has answered, or answers something else.
    pub fn compile(&mut self, record: &impl Serialize) -> Result<GoldenRecord> {
        let answers = self.0.ask(&[serde_json::to_string(record)?])?;
        let answer = answers.first().context("no answer")?;
        serde_json::from_str(answer).with_context(|| format!("cannot read the answer `{answer}`"))
    }
}

fn script(name: &str) -> Command {
    let mut command = Command::new("bash");
    command.arg(oracle_folder().join(name));
    command
}

/// As the scripts name the versions.
fn judged_version(version: HiveVersion) -> &'static str {
    match version {
        HiveVersion::V2_3 => "2",
        HiveVersion::V3_1 => "3",
        HiveVersion::V4_0 => "4",
        HiveVersion::V4_1 => "4.1",
        HiveVersion::V4_2 => "4.2",
    }
}

/// A process that answers each line on its standard input by one on its standard output.
struct Judge {
    process: Child,
    questions: Option<ChildStdin>,
    answers: Receiver<String>,
    script: String,
}

impl Judge {
    fn start(mut command: Command) -> Result<Self> {
        let script = format!("{command:?}");
        command.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::null());
        let mut process = command.spawn().with_context(|| format!("cannot start `{script}`"))?;
        let questions = process.stdin.take();
        let output = process.stdout.take().context("the judge has no output")?;
        let (sender, answers) = channel();
        // Read beside the writing: a full pipe on either side would stop both.
        std::thread::spawn(move || {
            let mut lines = BufReader::new(output).lines();
            while let Some(Ok(line)) = lines.next() {
                if sender.send(line).is_err() {
                    break;
                }
            }
        });
        Ok(Self { process, questions, answers, script })
    }

    fn ask(&mut self, questions: &[String]) -> Result<Vec<String>> {
        let input = self.questions.as_mut().context("the judge has been told to end")?;
        for question in questions {
            if writeln!(input, "{question}").is_err() {
                bail!("the judge has ended; run `{}` by hand to see why", self.script);
            }
        }
        input.flush()?;
        let mut answers = Vec::with_capacity(questions.len());
        for _ in questions {
            let Ok(answer) = self.answers.recv() else {
                bail!("the judge has ended; run `{}` by hand to see why", self.script);
            };
            answers.push(answer);
        }
        Ok(answers)
    }
}

impl Drop for Judge {
    /// Lets the process end by itself, so that it removes its temporary files.
    fn drop(&mut self) {
        drop(self.questions.take());
        let _ = self.process.wait();
    }
}
