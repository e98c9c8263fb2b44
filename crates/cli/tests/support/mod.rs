//! Running the command, and checking JSON against the schemas in `docs/schema`.

#![allow(dead_code, reason = "each test file uses its own part")]

use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Output};

use serde_json::Value;

/// The root of the repository.
pub fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../..")
}

/// The command, started in the root of the repository.
pub fn guardbee(arguments: &[&str]) -> Command {
    let mut command = Command::new(env!("CARGO_BIN_EXE_guardbee"));
    command.args(arguments).current_dir(root()).env("COLUMNS", "100").env("NO_COLOR", "1");
    command
}

pub fn run(arguments: &[&str]) -> Output {
    guardbee(arguments).output().expect("the command can be started")
}

pub fn stdout(output: &Output) -> String {
    String::from_utf8(output.stdout.clone()).expect("output is UTF-8")
}

pub fn stderr(output: &Output) -> String {
    String::from_utf8(output.stderr.clone()).expect("messages are UTF-8")
}

/// A folder of its own for a test, gone with the value.
pub struct Folder(PathBuf);

impl Folder {
    pub fn new(name: &str) -> Self {
        let path = Path::new(env!("CARGO_TARGET_TMPDIR")).join(format!("{name}-{}", std::process::id()));
        fs::create_dir_all(&path).expect("a folder can be made");
        Self(path)
    }

    /// Writes a file, and says where it is.
    pub fn file(&self, name: &str, content: &[u8]) -> String {
        let path = self.0.join(name);
        fs::write(&path, content).expect("a file can be written");
        path.display().to_string()
    }

    pub fn path(&self) -> String {
        self.0.display().to_string()
    }
}

impl Drop for Folder {
    fn drop(&mut self) {
        let _ = fs::remove_dir_all(&self.0);
    }
}

/// A documented schema.
pub fn schema(name: &str) -> Value {
    let text = fs::read_to_string(root().join("docs/schema").join(name)).expect("the schema is checked in");
    serde_json::from_str(&text).expect("a schema is JSON")
}

/// What keeps a value from being as its schema says, for the part of JSON Schema that ours use. A keyword
/// that is not known here is a fault, too: nothing must pass unchecked.
pub fn faults(schema: &Value, value: &Value) -> Vec<String> {
    let mut faults = Vec::new();
    check(schema, schema, value, "", &mut faults);
    faults
}

fn check(whole: &Value, schema: &Value, value: &Value, place: &str, faults: &mut Vec<String>) {
    let Some(keywords) = schema.as_object() else { return };
    for (keyword, rule) in keywords {
        match keyword.as_str() {
            "$ref" => {
                let target = rule.as_str().and_then(|path| whole.pointer(path.trim_start_matches('#')));
                check(whole, target.expect("a reference leads somewhere"), value, place, faults);
            }
            "type" => {
                let types: Vec<&Value> =
                    rule.as_array().map_or_else(|| vec![rule], |types| types.iter().collect());
                if !types.iter().any(|name| is_of_type(value, name.as_str().unwrap_or(""))) {
                    faults.push(format!("{place}: {value} is no {rule}"));
                }
            }
            "enum" => {
                if !rule.as_array().is_some_and(|known| known.contains(value)) {
                    faults.push(format!("{place}: {value} is none of {rule}"));
                }
            }
            "minimum" => {
                if value.as_f64().is_some_and(|number| Some(number) < rule.as_f64()) {
                    faults.push(format!("{place}: {value} is less than {rule}"));
                }
            }
            "required" => {
                let names = rule.as_array().into_iter().flatten().filter_map(Value::as_str);
                faults.extend(
                    names
                        .filter(|name| value.get(name).is_none())
                        .map(|name| format!("{place}: no `{name}`")),
                );
            }
            "properties" => check_properties(whole, schema, value, place, faults),
            "additionalProperties" => check_others(whole, schema, value, place, faults),
            "items" => {
                for (index, item) in value.as_array().into_iter().flatten().enumerate() {
                    check(whole, rule, item, &format!("{place}/{index}"), faults);
                }
            }
            "anyOf" => {
                let fits = |rule: &Value| {
                    let mut faults = Vec::new();
                    check(whole, rule, value, place, &mut faults);
                    faults.is_empty()
                };
                if !rule.as_array().is_some_and(|rules| rules.iter().any(fits)) {
                    faults.push(format!("{place}: {value} fits none of {rule}"));
                }
            }
            "oneOf" => {
                let fits = |rule: &&Value| {
                    let mut faults = Vec::new();
                    check(whole, rule, value, place, &mut faults);
                    faults.is_empty()
                };
                if rule.as_array().map(|rules| rules.iter().filter(fits).count()) != Some(1) {
                    faults.push(format!("{place}: {value} does not fit one of {rule}"));
                }
            }
            "const" => {
                if value != rule {
                    faults.push(format!("{place}: {value} is not {rule}"));
                }
            }
            "$schema" | "$defs" | "title" | "description" | "format" | "default" => {}
            other => faults.push(format!("{place}: the check does not know `{other}`")),
        }
    }
}

/// What has a name in the schema is as it says; what has none is a field that nobody documented.
fn check_properties(whole: &Value, schema: &Value, value: &Value, place: &str, faults: &mut Vec<String>) {
    let known = schema.get("properties").and_then(Value::as_object).expect("properties are an object");
    for (name, field) in value.as_object().into_iter().flatten() {
        match known.get(name) {
            Some(rule) => check(whole, rule, field, &format!("{place}/{name}"), faults),
            None => faults.push(format!("{place}: nobody documented `{name}`")),
        }
    }
}

fn check_others(whole: &Value, schema: &Value, value: &Value, place: &str, faults: &mut Vec<String>) {
    let known = schema.get("properties").and_then(Value::as_object);
    let rule = schema.get("additionalProperties").expect("the keyword is there");
    for (name, field) in value.as_object().into_iter().flatten() {
        if known.is_none_or(|known| !known.contains_key(name)) {
            match rule {
                Value::Bool(true) => {}
                Value::Bool(false) => faults.push(format!("{place}: `{name}` is not allowed")),
                rule => check(whole, rule, field, &format!("{place}/{name}"), faults),
            }
        }
    }
}

fn is_of_type(value: &Value, name: &str) -> bool {
    match name {
        "object" => value.is_object(),
        "array" => value.is_array(),
        "string" => value.is_string(),
        "integer" => value.is_i64() || value.is_u64(),
        "number" => value.is_number(),
        "boolean" => value.is_boolean(),
        "null" => value.is_null(),
        _ => false,
    }
}
