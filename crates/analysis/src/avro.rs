//! Columns that an Avro schema tells: tables whose `avro.schema.literal` Hive's Avro SerDe reads.

use std::sync::Arc;

use guardbee_model::Name;

use crate::catalog::Column;
use crate::json::Json;
use crate::types::Type;

/// The property that holds a schema.
pub(crate) const SCHEMA_LITERAL: &str = "avro.schema.literal";

/// The columns of a schema; `None` where it is no record that can be read.
pub(crate) fn schema_columns(schema: &str) -> Option<Arc<[Column]>> {
    let schema = Json::parse(schema)?;
    fields(&schema, &mut Vec::new()).map(Arc::from)
}

/// Types that the schema has given a name to, for those that go by it later on.
type Named = Vec<(String, Type)>;

fn fields(record: &Json, named: &mut Named) -> Option<Vec<Column>> {
    let fields = record.get("fields")?.as_array()?;
    fields
        .iter()
        .map(|field| {
            let name = Name::fold(field.get("name")?.as_str()?);
            let data_type = field.get("type").map_or(Type::Unknown, |schema| type_of(schema, named));
            let comment = field.get("doc").and_then(Json::as_str).map(Arc::from);
            Some(Column { name, data_type, comment })
        })
        .collect()
}

/// Depth is bounded by that of the JSON.
fn type_of(schema: &Json, named: &mut Named) -> Type {
    match schema {
        Json::String(name) => simple(name, named),
        Json::Array(members) => union(members, named),
        Json::Object(_) => complex(schema, named),
        Json::Null | Json::Bool(_) | Json::Number(_) => Type::Unknown,
    }
}

fn simple(name: &str, named: &Named) -> Type {
    match name {
        "null" => Type::Void,
        "boolean" => Type::Boolean,
        "int" => Type::Int,
        "long" => Type::BigInt,
        "float" => Type::Float,
        "double" => Type::Double,
        "bytes" | "fixed" => Type::Binary,
        "string" | "enum" => Type::String,
        _ => {
            let known = named.iter().rev().find(|(known, _)| known == name);
            known.map_or(Type::Unknown, |(_, data_type)| data_type.clone())
        }
    }
}

/// A union with null is how a schema says that a column may be null.
fn union(members: &[Json], named: &mut Named) -> Type {
    let members: Vec<&Json> = members.iter().filter(|member| member.as_str() != Some("null")).collect();
    match members.as_slice() {
        [] => Type::Void,
        [only] => type_of(only, named),
        several => Type::Union(several.iter().map(|member| type_of(member, named)).collect()),
    }
}

fn complex(schema: &Json, named: &mut Named) -> Type {
    let data_type = match schema.get("type") {
        Some(Json::String(word)) => match word.as_str() {
            "record" => structure(schema, named),
            "array" => Type::Array(Arc::new(
                schema.get("items").map_or(Type::Unknown, |items| type_of(items, named)),
            )),
            "map" => {
                let value = schema.get("values").map_or(Type::Unknown, |values| type_of(values, named));
                Type::Map(Arc::new((Type::String, value)))
            }
            word => logical(schema).unwrap_or_else(|| simple(word, named)),
        },
        Some(inner) => type_of(inner, named),
        None => Type::Unknown,
    };
    if let Some(name) = schema.get("name").and_then(Json::as_str) {
        named.push((name.to_owned(), data_type.clone()));
    }
    data_type
}

fn structure(schema: &Json, named: &mut Named) -> Type {
    let fields = fields(schema, named).unwrap_or_default();
    Type::Struct(fields.into_iter().map(|field| (field.name, field.data_type)).collect())
}

fn logical(schema: &Json) -> Option<Type> {
    let number = |key: &str| schema.get(key).and_then(Json::as_number);
    Some(match schema.get("logicalType")?.as_str()? {
        "decimal" => Type::Decimal {
            precision: schema.get("precision").and_then(Json::as_number).unwrap_or(10),
            scale: schema.get("scale").and_then(Json::as_number).unwrap_or(0),
        },
        "date" => Type::Date,
        "timestamp-millis" | "timestamp-micros" => Type::Timestamp,
        "char" => Type::Char(number("maxLength")?),
        "varchar" => Type::Varchar(number("maxLength")?),
        _ => return None,
    })
}

#[cfg(test)]
mod tests {
    use super::schema_columns;

    fn described(schema: &str) -> String {
        let columns = schema_columns(schema).expect("a schema");
        let columns: Vec<String> =
            columns.iter().map(|column| format!("{} {}", column.name, column.data_type)).collect();
        columns.join(", ")
    }

    #[test]
    fn types_become_those_of_hive() {
        let schema = r#"{"type":"record","name":"r","fields":[
            {"name":"A","type":"int"}, {"name":"b","type":["null","string"],"doc":"x"},
            {"name":"c","type":{"type":"array","items":"long"}}, {"name":"d","type":{"type":"map","values":"double"}},
            {"name":"e","type":{"type":"record","name":"p","fields":[{"name":"f","type":"bytes"}]}},
            {"name":"g","type":"p"}, {"name":"h","type":["int","string"]},
            {"name":"i","type":{"type":"bytes","logicalType":"decimal","precision":5,"scale":2}},
            {"name":"j","type":{"type":"enum","name":"s","symbols":["X"]}},
            {"name":"k","type":{"type":"int","logicalType":"date"}}]}"#;
        assert_eq!(
            described(schema),
            "a int, b string, c array<bigint>, d map<string,double>, e struct<f:binary>, g struct<f:binary>, \
             h uniontype<int,string>, i decimal(5,2), j string, k date"
        );
    }

    #[test]
    fn what_is_no_record_is_none() {
        for schema in ["", "{}", "[]", r#"{"type":"record"}"#, r#"{"fields":[{"type":"int"}]}"#] {
            assert!(schema_columns(schema).is_none(), "{schema}");
        }
    }
}
