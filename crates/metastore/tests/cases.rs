//! Runs the cases in `tests/data`: dumps with the policies that must come out of them, and policies with the scripts
//! that must be made of them.
//!
//! The dumps in `tests/data/dumps` hold what Hive 2.3.9 and 3.1.3 wrote on Derby when they ran some statements, as
//! `mysqldump`, `pg_dump` and a query of Derby give it back.

#[path = "../../exchange/tests/support/case.rs"]
mod case;
#[path = "../../exchange/tests/support/policy_text.rs"]
mod policy_text;

use std::collections::BTreeMap;
use std::path::Path;

use case::Case;
use guardbee_exchange::{Imported, ReportLine};
use guardbee_metastore::{
    Authorizer, Dump, DumpError, ExistingRows, ExportSettings, Flavour, ImportSettings, Target,
    export_script, read_dump,
};

fn import(dump: &Dump) -> Imported {
    dump.import(&ImportSettings::default())
}

fn read(case: &Case, part: &str) -> Result<Dump, DumpError> {
    let flavour = case.option("flavour").map(|name| Flavour::parse(name).unwrap());
    read_dump(case.part(part).as_bytes(), flavour, "dump.sql")
}

#[test]
fn rows_are_read_as_hive_means_them() {
    case::check(&case::cases(env!("CARGO_MANIFEST_DIR"), "import"), |case| match read(case, "dump") {
        Ok(dump) => {
            let imported = import(&dump);
            format!("{}{}", policy_text::render(&imported.changes), imported.report)
        }
        Err(DumpError::Wrong(report)) => format!("refused\n{report}"),
        Err(DumpError::Input(error)) => panic!("{error}"),
    });
}

#[test]
fn scripts_are_written_as_each_database_takes_them() {
    case::check(&case::cases(env!("CARGO_MANIFEST_DIR"), "export"), |case| {
        let settings = ExportSettings {
            flavour: Flavour::parse(case.option("for").unwrap_or("mysql")).unwrap(),
            authorizer: match case.option("authorizer") {
                Some("absent") => Authorizer::Absent,
                Some("sql-standard") => Authorizer::SqlStandard,
                _ => Authorizer::Legacy,
            },
            existing: match case.option("existing") {
                Some("replace") => ExistingRows::Replace,
                _ => ExistingRows::Keep,
            },
        };
        let dump = case.parts.contains_key("dump").then(|| read(case, "dump").unwrap());
        let target = dump.as_ref().map_or(Target::Unknown, Target::Dump);
        let exported = export_script(policy_text::changes(case.part("policy")), target, &settings);
        format!("{}\n{}", exported.text, exported.report)
    });
}

/// The dumps of one metastore, by the name before the first dot.
fn dumps() -> BTreeMap<String, Vec<(String, Dump)>> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/data/dumps");
    let mut dumps: BTreeMap<String, Vec<(String, Dump)>> = BTreeMap::new();
    for entry in std::fs::read_dir(folder).unwrap() {
        let path = entry.unwrap().path();
        let name = path.file_name().unwrap().to_str().unwrap().to_owned();
        if let Some((metastore, _)) = name.strip_suffix(".sql").and_then(|stem| stem.split_once('.')) {
            let dump = read_dump(std::fs::File::open(&path).unwrap(), None, &name)
                .unwrap_or_else(|error| panic!("{name}: {error}"));
            dumps.entry(metastore.to_owned()).or_default().push((name, dump));
        }
    }
    dumps
}

/// Places differ between dumps; what is said about the rows does not.
fn render(imported: &Imported) -> String {
    let lines: Vec<String> = imported
        .report
        .lines()
        .iter()
        .map(|line| ReportLine { place: None, ..line.clone() }.to_string() + "\n")
        .collect();
    policy_text::render(&imported.changes) + &lines.concat()
}

#[test]
fn real_dumps_of_one_metastore_make_one_policy() {
    let dumps = dumps();
    assert_eq!(dumps.len(), 3);
    for (metastore, dumps) in dumps {
        let path = Path::new(env!("CARGO_MANIFEST_DIR")).join(format!("tests/data/dumps/{metastore}.policy"));
        if std::env::var_os("BLESS").is_some() {
            std::fs::write(&path, render(&import(&dumps[0].1))).unwrap();
        }
        let expected = std::fs::read_to_string(&path).unwrap();
        for (name, dump) in dumps {
            assert_eq!(expected, render(&import(&dump)), "{name}");
        }
    }
}

/// A metastore needs nothing to be what it is.
#[test]
fn a_policy_that_is_there_already_makes_an_empty_script() {
    for (metastore, dumps) in dumps() {
        for (name, dump) in dumps {
            let authorizer = match &*metastore {
                "hive23-legacy" => Authorizer::Absent,
                "hive31-legacy" => Authorizer::Legacy,
                _ => Authorizer::SqlStandard,
            };
            for flavour in Flavour::ALL {
                let settings = ExportSettings { flavour, authorizer, existing: ExistingRows::Keep };
                let exported = export_script(import(&dump).changes, Target::Dump(&dump), &settings);
                assert!(exported.text.contains("nothing is to be done"), "{name}\n{}", exported.text);
                assert!(exported.report.is_empty(), "{name}\n{}", exported.report);
            }
        }
    }
}

/// A dump that ends early is refused, wherever that is.
#[test]
fn truncated_dumps_are_refused() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/data/dumps");
    for name in ["hive31-legacy.mysqldump.sql", "hive31-legacy.pg-dump.sql"] {
        let text = std::fs::read(folder.join(name)).unwrap();
        let complete = text.len() - 100;
        for end in (100..complete).step_by(37) {
            let result = read_dump(&text[..end], None, name);
            assert!(matches!(result, Err(DumpError::Wrong(_))), "{name} cut at {end}");
        }
    }
}
