use super::*;

/// The table as it was asked of the real parsers.
const TABLE: &str = include_str!("../keywords.tsv");

/// Names in the table that are written otherwise. `DOW` is Hive's own name of `DAYOFWEEK`; that has a
/// row, too, of a token that was never read and went away with Hive 4.1.
const WRITTEN: [(&str, &str); 11] = [
    ("CHERRY_PICK", "CHERRY-PICK"),
    ("COMPACT_ID", "COMPACTIONID"),
    ("DATACONNECTOR", "CONNECTOR"),
    ("DATACONNECTORS", "CONNECTORS"),
    ("DOW", "DAYOFWEEK"),
    ("ELEM_TYPE", "$ELEM$"),
    ("FAST_FORWARD", "FAST-FORWARD"),
    ("KEY_TYPE", "$KEY$"),
    ("ORPHAN_FILES", "ORPHAN-FILES"),
    ("UTCTIMESTAMP", "UTC_TMESTAMP"),
    ("VALUE_TYPE", "$VALUE$"),
];

const PLACES: [(&str, Place); 26] = [
    ("table", Place::Table),
    ("database", Place::Database),
    ("column", Place::Column),
    ("qualified_table", Place::QualifiedTable),
    ("from_table", Place::FromTable),
    ("select_column", Place::SelectColumn),
    ("qualified_column", Place::QualifiedColumn),
    ("as_alias", Place::AsAlias),
    ("bare_alias", Place::BareAlias),
    ("table_as_alias", Place::TableAsAlias),
    ("table_alias", Place::TableAlias),
    ("subquery_alias", Place::SubqueryAlias),
    ("function", Place::Function),
    ("cte", Place::Cte),
    ("partition_column", Place::PartitionColumn),
    ("struct_field", Place::StructField),
    ("where_column", Place::WhereColumn),
    ("group_by_column", Place::GroupByColumn),
    ("order_by_column", Place::OrderByColumn),
    ("set_column", Place::SetColumn),
    ("insert_column", Place::InsertColumn),
    ("type_field", Place::TypeField),
    ("lateral_alias", Place::LateralAlias),
    ("role", Place::Role),
    ("user", Place::User),
    ("window", Place::Window),
];

fn rows() -> impl Iterator<Item = (&'static str, Vec<&'static str>)> {
    TABLE.lines().filter(|line| !line.starts_with('#')).skip(1).map(|line| {
        let mut fields = line.split('\t');
        let name = fields.next().unwrap();
        (name, fields.collect())
    })
}

fn keyword_of(name: &str) -> Keyword {
    let written = WRITTEN.iter().find(|(token, _)| *token == name).map_or(name, |(_, written)| written);
    Keyword::lookup(written).unwrap_or_else(|| panic!("`{name}` is no keyword"))
}

#[test]
fn every_row_says_what_the_keyword_may_name() {
    let mut count = 0;
    for (name, cells) in rows() {
        let keyword = keyword_of(name);
        assert_eq!(cells.len(), HiveVersion::ALL.len(), "{name}");
        for (version, cell) in HiveVersion::ALL.into_iter().zip(cells) {
            let only: Vec<&str> = cell.strip_prefix("only ").unwrap_or_default().split(' ').collect();
            for (place_name, place) in PLACES {
                let expected = matches!(cell, "all" | "-") || only.contains(&place_name);
                assert_eq!(keyword.may_name(version, place), expected, "{name} {version} {place_name}");
            }
            if name != "DAYOFWEEK" {
                assert_eq!(keyword.is_known_in(version), cell != "-", "{name} {version}");
            }
        }
        count += 1;
    }
    assert_eq!(count, 394);
}

#[test]
fn the_table_names_the_places() {
    let places = TABLE.lines().find_map(|line| line.strip_prefix("# Places tried: ")).unwrap();
    let names: Vec<&str> = places.split('.').next().unwrap().split(", ").collect();
    assert_eq!(names, PLACES.map(|(name, _)| name));
}

#[test]
fn words_outside_the_table_are_never_reserved_but_for_the_operator() {
    let named: Vec<Keyword> = rows().map(|(name, _)| keyword_of(name)).collect();
    let others: Vec<Keyword> = Keyword::all().filter(|keyword| !named.contains(keyword)).collect();
    assert!(others.contains(&Keyword::Deny));
    for keyword in others {
        let reserved = keyword == Keyword::Div;
        for version in HiveVersion::ALL {
            assert_eq!(keyword.may_name(version, Place::Column), !reserved, "{}", keyword.as_str());
        }
    }
}

#[test]
fn every_spelling_is_found_in_any_case() {
    for keyword in Keyword::all() {
        let spelling = keyword.as_str();
        let mixed: String = spelling
            .chars()
            .enumerate()
            .map(|(index, letter)| if index % 2 == 0 { letter.to_ascii_lowercase() } else { letter })
            .collect();
        for text in [spelling, &spelling.to_lowercase(), &mixed] {
            assert_eq!(Keyword::lookup(text), Some(keyword), "{text}");
        }
        for text in [format!("{spelling}x"), format!("x{spelling}"), spelling[1..].to_owned()] {
            assert_ne!(Keyword::lookup(&text), Some(keyword), "{text}");
        }
    }
    for word in ["", "a", "customer", "a_very_long_name_of_a_column", "é", "\u{0}\u{0}"] {
        assert_eq!(Keyword::lookup(word), None, "{word}");
    }
}

#[test]
fn second_spellings_come_with_their_version() {
    use HiveVersion::{V2_3, V3_1, V4_0};
    for (word, keyword, since) in [
        ("years", Keyword::Year, V2_3),
        ("integer", Keyword::Int, V2_3),
        ("numeric", Keyword::Decimal, V3_1),
        ("dec", Keyword::Decimal, V3_1),
        ("enabled", Keyword::Enable, V4_0),
        ("disabled", Keyword::Disable, V4_0),
    ] {
        assert_eq!(Keyword::lookup(word), Some(keyword), "{word}");
        for version in HiveVersion::ALL {
            let expected = (version >= since).then_some(keyword);
            assert_eq!(Keyword::lookup_in(version, word), expected, "{word} {version}");
        }
    }
    assert_eq!(Keyword::lookup_in(V2_3, "decimal"), Some(Keyword::Decimal));
}
