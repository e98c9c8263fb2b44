//! The OpenAPI document, made of the table of endpoints.

use std::collections::BTreeMap;

use schemars::generate::{SchemaGenerator, SchemaSettings};
use schemars::{JsonSchema, Schema};
use serde_json::{Map, Value, json};

use crate::endpoint::{Access, Endpoint, Input, Output, SchemaOf};
use crate::problem::Written;

/// The document of some endpoints.
#[must_use]
pub fn document(endpoints: &[Endpoint]) -> Value {
    let mut schemas = Schemas::new();
    let mut paths: BTreeMap<&str, Map<String, Value>> = BTreeMap::new();
    for endpoint in endpoints {
        let operation = operation(endpoint, &mut schemas);
        let method = endpoint.method.as_str().to_ascii_lowercase();
        paths.entry(endpoint.path).or_default().insert(method, operation);
    }
    let problem = schemas.output(|generator| generator.subschema_for::<Written<'static>>());
    json!({
        "openapi": "3.1.0",
        "info": {
            "title": "Guardbee",
            "version": env!("CARGO_PKG_VERSION"),
            "license": { "name": "Apache-2.0", "identifier": "Apache-2.0" },
            "description": "Who may run a statement, and where every column came from.",
        },
        "paths": paths,
        "components": {
            "schemas": schemas.take(),
            "responses": {
                "Problem": {
                    "description": "Why the call failed (RFC 9457)",
                    "content": { "application/problem+json": { "schema": problem } },
                },
            },
            "securitySchemes": {
                "token": { "type": "http", "scheme": "bearer" },
                "session": { "type": "apiKey", "in": "cookie", "name": crate::identity::SESSION_COOKIE },
            },
        },
    })
}

/// Schemas of what comes in and of what goes out; where a type is used both ways, its two schemas have two names.
struct Schemas {
    input: SchemaGenerator,
    output: SchemaGenerator,
}

const PLACE: &str = "/components/schemas";

impl Schemas {
    fn new() -> Self {
        let settings =
            || SchemaSettings::draft2020_12().with(|settings| settings.definitions_path = PLACE.into());
        Self { input: settings().into_generator(), output: settings().for_serialize().into_generator() }
    }

    fn input(&mut self, schema: SchemaOf) -> Value {
        schema(&mut self.input).to_value()
    }

    fn output(&mut self, schema: SchemaOf) -> Value {
        schema(&mut self.output).to_value()
    }

    fn take(mut self) -> BTreeMap<String, Value> {
        let mut all: BTreeMap<String, Value> = self.output.take_definitions(true).into_iter().collect();
        all.extend(self.input.take_definitions(true));
        all
    }
}

fn operation(endpoint: &Endpoint, schemas: &mut Schemas) -> Value {
    let mut operation = json!({
        "operationId": operation_id(endpoint),
        "summary": endpoint.summary,
        "tags": [tag(endpoint)],
        "x-permissions": permissions(endpoint.access),
        "responses": responses(endpoint, schemas),
    });
    let Some(fields) = operation.as_object_mut() else { return operation };
    if endpoint.access != Access::Anyone {
        fields.insert("security".to_owned(), json!([{ "token": [] }, { "session": [] }]));
    }
    match endpoint.input {
        Input::Nothing => {}
        Input::Query(schema) => {
            fields.insert("parameters".to_owned(), Value::Array(parameters(endpoint.path, schema)));
        }
        Input::Json(schema) => {
            fields.insert("requestBody".to_owned(), body("application/json", schemas.input(schema)));
        }
        Input::Lines(schema) => {
            fields.insert("requestBody".to_owned(), body("application/x-ndjson", schemas.input(schema)));
        }
    }
    operation
}

fn body(media_type: &str, schema: Value) -> Value {
    json!({ "required": true, "content": { media_type: { "schema": schema } } })
}

/// Each field of the question is a parameter.
fn parameters(path: &str, schema: SchemaOf) -> Vec<Value> {
    let settings = SchemaSettings::draft2020_12().with(|settings| settings.inline_subschemas = true);
    let mut generator = settings.into_generator();
    let question: Schema = schema(&mut generator);
    let question = question.to_value();
    let required: Vec<&str> = question
        .get("required")
        .and_then(Value::as_array)
        .into_iter()
        .flatten()
        .filter_map(Value::as_str)
        .collect();
    let fields = question.get("properties").and_then(Value::as_object).into_iter().flatten();
    fields
        .map(|(name, schema)| {
            let is_part = path.contains(&format!("{{{name}}}"));
            let mut schema = schema.clone();
            let description = schema.as_object_mut().and_then(|schema| schema.remove("description"));
            let mut parameter = json!({
                "name": name,
                "in": if is_part { "path" } else { "query" },
                "required": is_part || required.contains(&name.as_str()),
                "schema": without_null(schema),
            });
            if let (Some(parameter), Some(description)) = (parameter.as_object_mut(), description) {
                parameter.insert("description".to_owned(), description);
            }
            parameter
        })
        .collect()
}

/// In a query what is absent is absent, and never null.
fn without_null(mut schema: Value) -> Value {
    if let Some(fields) = schema.as_object_mut() {
        if let Some(Value::Array(types)) = fields.get_mut("type") {
            types.retain(|one| one != "null");
            if let [only] = types.as_slice() {
                let only = only.clone();
                fields.insert("type".to_owned(), only);
            }
        }
        if fields.get("default") == Some(&Value::Null) {
            fields.remove("default");
        }
        if let Some(Value::Array(choices)) = fields.get_mut("anyOf") {
            choices.retain(|choice| choice.get("type").is_none_or(|one| one != "null"));
            if let [only] = choices.as_slice() {
                return only.clone();
            }
        }
        if let Some(Value::Array(values)) = fields.get_mut("enum") {
            values.retain(|value| !value.is_null());
        }
    }
    schema
}

fn responses(endpoint: &Endpoint, schemas: &mut Schemas) -> Value {
    let content = match endpoint.output {
        Output::Nothing => json!({ "description": "done" }),
        Output::Json(schema) => json!({
            "description": "the answer",
            "content": { "application/json": { "schema": schemas.output(schema) } },
        }),
        Output::Lines(schema) => json!({
            "description": "an answer a line",
            "content": { "application/x-ndjson": { "schema": schemas.output(schema) } },
        }),
        Output::Text(media_types) => {
            let content: Map<String, Value> = media_types
                .iter()
                .map(|media_type| ((*media_type).to_owned(), json!({ "schema": { "type": "string" } })))
                .collect();
            json!({ "description": "the answer", "content": content })
        }
    };
    let problem = json!({ "$ref": "#/components/responses/Problem" });
    let mut responses = json!({ "default": problem });
    if let Some(fields) = responses.as_object_mut() {
        fields.insert(endpoint.status.as_u16().to_string(), content);
    }
    responses
}

fn permissions(access: Access) -> Value {
    match access {
        Access::Anyone => json!("anyone"),
        Access::SignedIn => json!("signed in"),
        Access::Account => json!("any"),
        Access::Any(permissions) => {
            let names = permissions.iter().map(|permission| permission.as_str()).chain(["admin"]);
            Value::Array(names.map(Value::from).collect())
        }
    }
}

/// `get-policy-versions`.
fn operation_id(endpoint: &Endpoint) -> String {
    let path = endpoint.path.trim_start_matches("/api/v1");
    let words: Vec<&str> = path
        .split(['/', '.'])
        .map(|word| word.trim_matches(['{', '}']))
        .filter(|word| !word.is_empty())
        .collect();
    format!("{}-{}", endpoint.method.as_str().to_ascii_lowercase(), words.join("-"))
}

/// What it is listed under: the first word of its path.
fn tag(endpoint: &Endpoint) -> &'static str {
    let path = endpoint.path.trim_start_matches("/api/v1/").trim_start_matches('/');
    path.split(['/', '.']).next().unwrap_or(path)
}

/// The schema of a type that takes no part in any question, for those that take nothing.
#[derive(Debug, Clone, Copy, PartialEq, Eq, serde::Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct NoQuestion {}
