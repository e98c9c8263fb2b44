use super::*;
use crate::variables::VariableNamespace;

fn parse(text: &str) -> ClientCommand<'_> {
    ClientCommand::parse(text).unwrap_or_else(|| panic!("`{text}` is no command"))
}

/// What Hive's own table of commands says about these.
#[test]
fn the_first_word_makes_a_command() {
    for (text, name) in [
        ("set", "SET"),
        ("set x=1", "SET"),
        ("set\u{B}x=1", "SET"),
        ("set role=admin", "SET"),
        ("set tag=x", "SET"),
        ("set tag = x", "SET"),
        ("set tag", "SET"),
        ("SET AUTOCOMMIT=true", "SET"),
        ("reset", "RESET"),
        ("delete jar x", "DELETE"),
        ("delete t where a=1", "DELETE"),
        ("reload", "RELOAD"),
        ("reload functions", "RELOAD"),
        ("llap cluster -info", "LLAP_CLUSTER_INFO"),
        ("LLAP CACHE -purge", "LLAP_CACHE_PURGE"),
        ("show processlist", "PROCESSLIST"),
        ("list jars", "LIST"),
        ("compile `x`", "COMPILE"),
        ("dfs -ls", "DFS"),
        ("!ls", "SHELL"),
        ("quit", "QUIT"),
        ("EXIT", "QUIT"),
        ("help", "HELP"),
        ("source x.sql", "SOURCE"),
        ("add", "ADD"),
        ("-- comment\n /* another */ set x=1", "SET"),
    ] {
        assert_eq!(parse(text).name(), name, "{text}");
    }
    for text in [
        "",
        "select 1",
        "SET ROLE admin",
        "set role = x",
        "SET TAG pii ON TABLE t",
        "set tag pii = 'email' on column t.c",
        "set tag `p i` on t",
        "set autocommit true",
        "DELETE\nFROM t",
        "delete -- comment\n from t",
        "delete /* all */ from t",
        "list from x",
        "add role x",
        "settings x",
        "set(x)",
        "set\u{A0}x=1",
        "llap foo",
        "llap",
        "show tables",
        "quit now",
        "explain select 1",
        "-- set x=1",
        "/* set x=1",
        "!= 1",
    ] {
        assert_eq!(ClientCommand::parse(text), None, "{text}");
    }
}

#[test]
fn set_reads_names_and_values() {
    use VariableNamespace::{HiveConf, HiveVar};
    for (text, namespace, key, value) in [
        ("set x=1", None, "x", "1"),
        ("SET  hive.exec.mode = nonstrict ", None, "hive.exec.mode", "nonstrict"),
        ("set hivevar:x=a=b", Some(HiveVar), "x", "a=b"),
        ("set hiveconf:x=", Some(HiveConf), "x", ""),
        ("set x=1 -- why", None, "x", "1"),
        ("set x='a--b' -- why", None, "x", "'a--b'"),
        ("set x=a\\;b", None, "x", "a;b"),
        ("set x=\n1 -- one\n2", None, "x", "1 \n2"),
        ("set x==", None, "x", "="),
        ("set x=${hiveconf:y}", None, "x", "${hiveconf:y}"),
    ] {
        let ClientCommand::Set(SetCommand::Assign { variable, value: read }) = parse(text) else {
            panic!("`{text}` assigns nothing");
        };
        assert_eq!((variable.namespace, variable.key, read.as_ref()), (namespace, key, value), "{text}");
    }
    let show = |namespace, key| SetCommand::Show(VariableName { namespace, key });
    for (text, expected) in [
        ("set", SetCommand::ShowChanged),
        ("set -- all", SetCommand::ShowChanged),
        ("set -v", SetCommand::ShowAll),
        ("set hivevar:x", show(Some(HiveVar), "x")),
        ("set role_name", show(None, "role_name")),
        ("set time zone Europe/Rome", SetCommand::TimeZone("Europe/Rome")),
        ("SET TIME  ZONE  utc", SetCommand::TimeZone("utc")),
    ] {
        assert_eq!(parse(text), ClientCommand::Set(expected), "{text}");
    }
}

#[test]
fn reset_reads_keys() {
    let keys = |text| match parse(text) {
        ClientCommand::Reset(reset) => {
            (matches!(reset, ResetCommand::KeysToDefault(_)), reset.keys().collect())
        }
        other => panic!("{other:?}"),
    };
    let none: Vec<&str> = Vec::new();
    assert_eq!(keys("reset"), (false, none));
    assert_eq!(keys("reset a.b\n c -- why"), (false, vec!["a.b", "c"]));
    assert_eq!(keys("reset -d a.b c"), (true, vec!["a.b", "c"]));
}

#[test]
fn resources_have_a_kind_and_paths() {
    for (text, kind, paths) in [
        ("add jar /a.jar", Some(ResourceKind::Jar), vec!["/a.jar"]),
        ("ADD JARS /a.jar  /b.jar", Some(ResourceKind::Jar), vec!["/a.jar", "/b.jar"]),
        ("add file x -- why\n y", Some(ResourceKind::File), vec!["x", "y"]),
        ("add file x\n-- why\n\n--\ny", Some(ResourceKind::File), vec!["x", "y"]),
        ("add archives x.zip", Some(ResourceKind::Archive), vec!["x.zip"]),
        (
            "add jar ivy://g:a:1.0?transitive=false",
            Some(ResourceKind::Jar),
            vec!["ivy://g:a:1.0?transitive=false"],
        ),
        ("list files", Some(ResourceKind::File), vec![]),
        ("delete jar", Some(ResourceKind::Jar), vec![]),
        ("delete t where a = 1", None, vec!["where", "a", "=", "1"]),
        ("add", None, vec![]),
    ] {
        let (ClientCommand::Add(command) | ClientCommand::List(command) | ClientCommand::Delete(command)) =
            parse(text)
        else {
            panic!("`{text}`");
        };
        assert_eq!((command.kind, command.paths.words().collect()), (kind, paths), "{text}");
    }
}

#[test]
fn options_with_two_dashes_are_no_comments() {
    let ClientCommand::Crypto(arguments) = parse("CRYPTO CREATE_KEY --keyName k --bitLength 128") else {
        panic!();
    };
    assert_eq!(arguments.words().collect::<Vec<_>>(), ["CREATE_KEY", "--keyName", "k", "--bitLength", "128"]);
    let ClientCommand::Dfs(arguments) = parse("dfs -rm -r 'a b' \"c\" d") else { panic!() };
    assert_eq!(arguments.quoted_words().collect::<Vec<_>>(), ["-rm", "-r", "a b", "c", "d"]);
    assert_eq!(arguments.as_str(), "-rm -r 'a b' \"c\" d");
}

#[test]
fn exclamation_marks_lead_to_the_shell_or_to_beeline() {
    for (text, expected) in [
        ("!cp a b", ClientCommand::Shell("cp a b")),
        ("! ls", ClientCommand::Shell("ls")),
        ("!sh rm -rf x", ClientCommand::Shell("rm -rf x")),
        ("!run other.sql", ClientCommand::Source("other.sql")),
        ("!quit", ClientCommand::Quit),
        ("!HELP", ClientCommand::Help),
        (
            "!connect jdbc:hive2://h:1/d;principal=p me",
            ClientCommand::Beeline(BeelineCommand {
                name: "connect",
                arguments: "jdbc:hive2://h:1/d;principal=p me",
            }),
        ),
    ] {
        assert_eq!(parse(text), expected, "{text}");
    }
}

#[test]
fn compiled_code_is_taken_out_of_its_backticks() {
    let text = "compile `class A { String s = '\\`' \\; }` AS GROOVY NAMED A.groovy";
    let ClientCommand::Compile(command) = parse(text) else { panic!() };
    assert_eq!(command.code, "class A { String s = '`' ; }");
    assert_eq!((command.language, command.file), ("GROOVY", "A.groovy"));
    for text in ["compile", "compile `", "compile `a` as", "compile a"] {
        parse(text);
    }
}
