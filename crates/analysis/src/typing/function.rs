//! Types of what functions give.

use std::sync::Arc;

use guardbee_hiveql::tree::Expression;
use guardbee_model::Name;

use super::common::common;
use crate::types::Type;

/// The arguments of a call as far as they matter: their types, and themselves where a value does.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Arguments<'a, 't> {
    pub expressions: &'a [Expression<'t>],
    pub types: &'a [Type],
}

impl Arguments<'_, '_> {
    fn of(&self, place: usize) -> Type {
        self.types.get(place).cloned().unwrap_or(Type::Unknown)
    }

    fn common_from(&self, place: usize) -> Type {
        let mut types = self.types.iter().skip(place);
        let first = types.next().cloned().unwrap_or(Type::Unknown);
        types.fold(first, |all, one| common(&all, one))
    }

    /// The text of a string literal.
    fn text(&self, place: usize) -> Option<String> {
        match self.expressions.get(place)? {
            Expression::Literal(literal) if literal.raw.starts_with(['\'', '"']) => {
                Some(guardbee_hiveql::literal::unescape_string(literal.raw).into_owned())
            }
            _ => None,
        }
    }

    fn number(&self, place: usize) -> Option<usize> {
        match self.expressions.get(place)? {
            Expression::Literal(literal) => literal.raw.parse().ok(),
            _ => None,
        }
    }
}

/// The type of a call of a built-in function (its name in lower case).
pub(crate) fn result(name: &str, arguments: Arguments<'_, '_>) -> Type {
    text_function(name)
        .or_else(|| number_function(name))
        .or_else(|| time_function(name))
        .or_else(|| aggregate(name, arguments))
        .or_else(|| conversion(name))
        .or_else(|| collection(name, arguments))
        .or_else(|| choice(name, arguments))
        .map_or(Type::Unknown, Type::if_of_use)
}

fn text_function(name: &str) -> Option<Type> {
    Some(match name {
        "base64" | "bin" | "buildversion" | "chr" | "concat" | "concat_ws" | "conv"
        | "current_authorizer" | "current_catalog" | "current_database" | "current_schema"
        | "current_user" | "date_format" | "decode" | "elt" | "format_number" | "from_unixtime"
        | "get_json_object" | "hex" | "initcap" | "lcase" | "logged_in_user" | "lower" | "lpad" | "ltrim"
        | "mask_hash" | "md5" | "mid" | "monthname" | "next_day" | "parse_url" | "printf" | "quote"
        | "regexp_extract" | "regexp_replace" | "repeat" | "replace" | "reverse" | "rpad" | "rtrim"
        | "sha" | "sha1" | "sha2" | "soundex" | "space" | "substr" | "substring" | "substring_index"
        | "string" | "translate" | "trim" | "typeof" | "ucase" | "udftostring" | "upper" | "uuid"
        | "version" | "xpath_string" | "java_method" | "reflect" | "array_join" => Type::String,
        "aes_encrypt" | "aes_decrypt" | "binary" | "encode" | "unbase64" | "unhex" => Type::Binary,
        "and"
        | "or"
        | "not"
        | "!"
        | "between"
        | "in"
        | "like"
        | "likeany"
        | "likeall"
        | "rlike"
        | "regexp"
        | "isnull"
        | "isnotnull"
        | "istrue"
        | "isfalse"
        | "isnottrue"
        | "isnotfalse"
        | "array_contains"
        | "boolean"
        | "udftoboolean"
        | "in_file"
        | "in_bloom_filter"
        | "xpath_boolean"
        | "is_not_distinct_from"
        | "assert_true"
        | "enforce_constraint" => Type::Boolean,
        _ => return None,
    })
}

fn number_function(name: &str) -> Option<Type> {
    Some(match name {
        "ascii" | "bucket_number" | "char_length" | "character_length" | "crc32x" | "datediff" | "field"
        | "find_in_set" | "hash" | "murmur_hash" | "instr" | "int" | "length" | "levenshtein" | "locate"
        | "octet_length" | "position" | "size" | "udftointeger" | "width_bucket" | "year" | "quarter"
        | "month" | "day" | "dayofmonth" | "dayofweek" | "weekofyear" | "hour" | "minute" | "second"
        | "xpath_int" | "row_number" | "rank" | "dense_rank" | "ntile" => Type::Int,
        "bigint"
        | "udftolong"
        | "crc32"
        | "factorial"
        | "unix_timestamp"
        | "to_unix_timestamp"
        | "to_epoch_milli"
        | "xpath_long"
        | "grouping"
        | "surrogate_key"
        | "count"
        | "regr_count"
        | "approx_distinct"
        | "ndv_compute_bit_vector" => Type::BigInt,
        "smallint" | "udftoshort" | "xpath_short" => Type::SmallInt,
        "tinyint" | "udftobyte" => Type::TinyInt,
        "float" | "udftofloat" | "xpath_float" => Type::Float,
        "acos" | "asin" | "atan" | "cbrt" | "cos" | "cosh" | "degrees" | "double" | "e" | "exp" | "ln"
        | "log" | "log10" | "log2" | "months_between" | "pi" | "pow" | "power" | "radians" | "rand"
        | "sin" | "sinh" | "sqrt" | "tan" | "tanh" | "udftodouble" | "xpath_double" | "xpath_number"
        | "corr" | "covar_pop" | "covar_samp" | "cume_dist" | "percent_rank" | "percentile_cont"
        | "percentile_disc" | "regr_intercept" | "regr_r2" | "regr_slope" | "regr_avgx" | "regr_avgy"
        | "regr_sxx" | "regr_sxy" | "regr_syy" | "std" | "stddev" | "stddev_pop" | "stddev_samp"
        | "var_pop" | "var_samp" | "variance" => Type::Double,
        _ => return None,
    })
}

fn time_function(name: &str) -> Option<Type> {
    Some(match name {
        "add_months" => Type::String,
        "current_date" | "date" | "date_add" | "date_sub" | "last_day" | "to_date" => Type::Date,
        "current_timestamp" | "from_utc_timestamp" | "timestamp" | "to_utc_timestamp" | "floor_day"
        | "floor_hour" | "floor_minute" | "floor_month" | "floor_quarter" | "floor_second" | "floor_week"
        | "floor_year" => Type::Timestamp,
        "timestamp with local time zone" => Type::TimestampLocalTimeZone,
        "interval_year_month" => Type::IntervalYearMonth,
        "interval_day_time" => Type::IntervalDayTime,
        _ => return None,
    })
}

fn aggregate(name: &str, arguments: Arguments<'_, '_>) -> Option<Type> {
    Some(match name {
        "sum" | "$sum0" => match arguments.of(0) {
            Type::TinyInt | Type::SmallInt | Type::Int | Type::BigInt => Type::BigInt,
            Type::Decimal { precision, scale } => {
                Type::Decimal { precision: precision.saturating_add(10).min(38), scale }
            }
            Type::Unknown => Type::Unknown,
            _ => Type::Double,
        },
        "avg" => match arguments.of(0) {
            Type::Decimal { precision, scale } => Type::Decimal {
                precision: precision.saturating_add(4).min(38),
                scale: scale.saturating_add(4).min(38),
            },
            Type::Unknown => Type::Unknown,
            _ => Type::Double,
        },
        "max" | "min" | "first_value" | "last_value" | "lag" | "lead" => arguments.of(0),
        "collect_list" | "collect_set" => Type::Array(Arc::new(arguments.of(0))),
        "percentile" | "percentile_approx" => match arguments.of(1) {
            Type::Array(_) => Type::Array(Arc::new(Type::Double)),
            _ => Type::Double,
        },
        "histogram_numeric" => array_of_struct(&[("x", Type::Double), ("y", Type::Double)]),
        "ngrams" | "context_ngrams" => {
            array_of_struct(&[("ngram", Type::Array(Arc::new(Type::String))), ("estfrequency", Type::Double)])
        }
        _ => return None,
    })
}

fn conversion(name: &str) -> Option<Type> {
    Some(match name {
        "sentences" => Type::Array(Arc::new(Type::Array(Arc::new(Type::String)))),
        "split" | "xpath" | "current_groups" => Type::Array(Arc::new(Type::String)),
        "str_to_map" => Type::Map(Arc::new((Type::String, Type::String))),
        _ => return None,
    })
}

fn collection(name: &str, arguments: Arguments<'_, '_>) -> Option<Type> {
    Some(match name {
        "array" => Type::Array(Arc::new(arguments.common_from(0))),
        "map" => {
            let every_other = |start: usize| {
                let mut types = arguments.types.iter().skip(start).step_by(2);
                let first = types.next().cloned().unwrap_or(Type::Unknown);
                types.fold(first, |all, one| common(&all, one))
            };
            Type::Map(Arc::new((every_other(0), every_other(1))))
        }
        "struct" => Type::Struct(
            arguments
                .types
                .iter()
                .enumerate()
                .map(|(place, data_type)| (Name::fold(&format!("col{}", place + 1)), data_type.clone()))
                .collect(),
        ),
        "named_struct" => {
            let fields: Option<Arc<[(Name, Type)]>> = (0..arguments.types.len() / 2)
                .map(|field| Some((Name::fold(&arguments.text(field * 2)?), arguments.of(field * 2 + 1))))
                .collect();
            fields.map_or(Type::Unknown, Type::Struct)
        }
        "map_keys" => match arguments.of(0) {
            Type::Map(entry) => Type::Array(Arc::new(entry.0.clone())),
            _ => Type::Unknown,
        },
        "map_values" => match arguments.of(0) {
            Type::Map(entry) => Type::Array(Arc::new(entry.1.clone())),
            _ => Type::Unknown,
        },
        "array_distinct" | "array_except" | "array_intersect" | "array_remove" | "array_slice"
        | "array_union" | "sort_array" | "sort_array_by" => arguments.of(0),
        "array_max" | "array_min" => match arguments.of(0) {
            Type::Array(element) => Type::clone(&element),
            _ => Type::Unknown,
        },
        _ => return None,
    })
}

fn choice(name: &str, arguments: Arguments<'_, '_>) -> Option<Type> {
    Some(match name {
        "if" => common(&arguments.of(1), &arguments.of(2)),
        "coalesce" | "greatest" | "least" | "nvl" => arguments.common_from(0),
        "nullif" | "abs" | "negative" | "positive" | "bround" | "round" | "mod" | "pmod" | "trunc" => {
            match arguments.of(0) {
                Type::String | Type::Char(_) | Type::Varchar(_) if name == "trunc" => Type::String,
                Type::String | Type::Char(_) | Type::Varchar(_) if name != "nullif" => Type::Double,
                Type::Date | Type::Timestamp if name == "trunc" => Type::String,
                Type::Decimal { .. } if name != "nullif" && name != "abs" => Type::Unknown,
                other => other,
            }
        }
        "ceil" | "ceiling" | "floor" => match arguments.of(0) {
            Type::Decimal { .. } | Type::Unknown => Type::Unknown,
            _ => Type::BigInt,
        },
        "sign" => match arguments.of(0) {
            Type::Decimal { .. } => Type::Int,
            Type::Unknown => Type::Unknown,
            _ => Type::Double,
        },
        "mask" | "mask_first_n" | "mask_last_n" | "mask_show_first_n" | "mask_show_last_n" => arguments.of(0),
        "shiftleft" | "shiftright" | "shiftrightunsigned" => match arguments.of(0) {
            Type::BigInt => Type::BigInt,
            _ => Type::Int,
        },
        _ => return None,
    })
}

/// The columns of a built-in table function by name and type, as they come out without an alias.
pub(crate) fn table_columns(name: &str, arguments: Arguments<'_, '_>) -> Option<Vec<(Name, Type)>> {
    let column = |name: &'static str, data_type: Type| (Name::from_static(name), data_type);
    let numbered = |count: usize, data_type: Type| {
        (0..count).map(|place| (Name::fold(&format!("c{place}")), data_type.clone())).collect()
    };
    Some(match name {
        "explode" => match arguments.of(0) {
            Type::Map(entry) => vec![column("key", entry.0.clone()), column("value", entry.1.clone())],
            Type::Array(element) => vec![column("col", Type::clone(&element))],
            Type::Unknown => return None,
            _ => vec![column("col", Type::Unknown)],
        },
        "posexplode" => match arguments.of(0) {
            Type::Array(element) => vec![column("pos", Type::Int), column("val", Type::clone(&element))],
            _ => vec![column("pos", Type::Int), column("val", Type::Unknown)],
        },
        "inline" => match arguments.of(0) {
            Type::Array(element) => match &*element {
                Type::Struct(fields) => fields.to_vec(),
                _ => return None,
            },
            _ => return None,
        },
        "json_tuple" | "parse_url_tuple" => numbered(arguments.types.len().saturating_sub(1), Type::String),
        "stack" => {
            let rows = arguments.number(0).filter(|rows| *rows > 0)?;
            let values = arguments.types.len().saturating_sub(1);
            let width = values.div_ceil(rows);
            (0..width).map(|place| (Name::fold(&format!("col{place}")), arguments.of(place + 1))).collect()
        }
        _ => return None,
    })
}

fn array_of_struct(fields: &[(&'static str, Type)]) -> Type {
    let fields = fields.iter().map(|(name, data_type)| (Name::from_static(name), data_type.clone()));
    Type::Array(Arc::new(Type::Struct(fields.collect())))
}
