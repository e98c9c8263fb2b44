//! What an expression can name: the columns of the sources of a query.

use super::Random;
use super::grammar::Names;
use super::warehouse::{Column, Kind, Type};

/// One entry of a FROM clause.
#[derive(Debug, Clone)]
pub struct Source {
    pub alias: String,
    pub columns: Vec<Column>,
}

#[derive(Debug, Clone, Default)]
pub struct Scope {
    pub sources: Vec<Source>,
    /// Joined by USING: a star shows those columns once, and Hive finds no column without its qualifier.
    pub qualified_only: bool,
    /// What the expression being made up has named so far: one that compares a column with itself, or chooses
    /// between a column and itself, is folded away by Hive and tells nothing.
    named: Vec<String>,
}

/// A column as an expression names it.
#[derive(Debug, Clone)]
pub struct Reference {
    pub sql: String,
    pub ty: Type,
    /// The same however it is written.
    id: String,
}

impl Scope {
    pub fn of(source: Source) -> Self {
        Self { sources: vec![source], ..Self::default() }
    }

    /// Columns, qualified or bare, as chance has it.
    pub fn references(&self, random: &mut Random) -> Vec<Reference> {
        let mut found = Vec::new();
        for source in &self.sources {
            for column in &source.columns {
                let bare = !self.qualified_only && self.is_unique(&column.name) && random.percent(25);
                let id = format!("{}.{}", source.alias, column.name);
                let sql = if bare { column.name.clone() } else { id.clone() };
                found.push(Reference { sql, ty: column.ty.clone(), id });
            }
        }
        found
    }

    /// Whether a star yields columns that have different names.
    pub fn star_is_clear(&self) -> bool {
        let mut names = self.sources.iter().flat_map(|source| &source.columns).map(|column| &column.name);
        !self.qualified_only && !self.sources.is_empty() && names.all(|name| self.is_unique(name))
    }

    /// The scope without the columns that one of the texts names.
    pub fn without(&self, texts: &[String]) -> Self {
        let mut rest = self.clone();
        for source in &mut rest.sources {
            let alias = source.alias.clone();
            source.columns.retain(|column| {
                let qualified = format!("{alias}.{}", column.name);
                !texts.iter().any(|text| *text == column.name || *text == qualified)
            });
        }
        rest
    }

    /// A column of a kind, or something in it that has the kind; what has to be converted if there is none.
    pub fn column(&self, kind: Option<Kind>, random: &mut Random) -> String {
        self.pick(kind, random).0
    }

    /// The same, of those that the expression has not named yet as long as there are some.
    fn another_column(&mut self, kind: Option<Kind>, random: &mut Random) -> String {
        let (sql, id) = self.pick(kind, random);
        self.named.push(id);
        sql
    }

    fn pick(&self, kind: Option<Kind>, random: &mut Random) -> (String, String) {
        let references = self.references(random);
        let mut parts = Vec::new();
        for reference in &references {
            collect_parts(&reference.sql, &reference.id, &reference.ty, &mut parts);
        }
        if parts.iter().any(|part| !self.named.contains(&part.id)) {
            parts.retain(|part| !self.named.contains(&part.id));
        }
        let fitting: Vec<&Part> =
            parts.iter().filter(|part| kind.is_none_or(|kind| part.kind == kind)).collect();
        // Whole columns more often than parts of nested ones.
        let whole: Vec<&Part> = fitting.iter().copied().filter(|part| !part.sql.ends_with(']')).collect();
        let preferred = if !whole.is_empty() && random.percent(70) { whole } else { fitting };
        if !preferred.is_empty() {
            let part = random.pick(&preferred);
            return (part.sql.clone(), part.id.clone());
        }
        let kind = kind.unwrap_or(Kind::Text);
        if parts.is_empty() {
            return (literal(kind).into(), String::new());
        }
        let part = random.pick(&parts);
        (converted(part, kind), part.id.clone())
    }

    fn is_unique(&self, name: &str) -> bool {
        let columns = self.sources.iter().flat_map(|source| &source.columns);
        columns.filter(|column| column.name.eq_ignore_ascii_case(name)).count() == 1
    }
}

/// A primitive value within a column, or the column itself.
struct Part {
    sql: String,
    kind: Kind,
    id: String,
}

fn collect_parts(sql: &str, id: &str, ty: &Type, into: &mut Vec<Part>) {
    let mut collect = |step: &str, ty: &Type| {
        collect_parts(&format!("{sql}{step}"), &format!("{id}{step}"), ty, into);
    };
    match ty {
        Type::Array(element) => collect("[0]", element),
        Type::Map(_, value) => collect("['k']", value),
        Type::Struct(fields) => fields.iter().for_each(|(name, field)| collect(&format!(".{name}"), field)),
        primitive => {
            let part = |kind| Part { sql: sql.to_owned(), kind, id: id.to_owned() };
            into.extend(primitive.kind().map(part));
        }
    }
}

fn converted(part: &Part, kind: Kind) -> String {
    let sql = &part.sql;
    let from_number = matches!(part.kind, Kind::Whole | Kind::Real | Kind::Boolean);
    let ty = match kind {
        // Hive 4 sees through a cast by way of a string, and takes no number for a time.
        Kind::Date if from_number => return format!("cast(concat('2024-01-0', {sql}) as date)"),
        Kind::Time if from_number => return format!("cast(concat('2024-01-0', {sql}) as timestamp)"),
        Kind::Whole | Kind::Real if matches!(part.kind, Kind::Date | Kind::Time) => {
            return format!("cast(substr(cast({sql} as string), 1, 4) as int)");
        }
        Kind::Text => return format!("cast({sql} as string)"),
        Kind::Boolean => "boolean",
        Kind::Whole => "int",
        Kind::Real => "double",
        Kind::Date => "date",
        Kind::Time => "timestamp",
    };
    format!("cast(cast({sql} as string) as {ty})")
}

const fn literal(kind: Kind) -> &'static str {
    match kind {
        Kind::Boolean => "true",
        Kind::Whole => "7",
        Kind::Real => "1.5",
        Kind::Text => "'a'",
        Kind::Date => "date '2024-01-31'",
        Kind::Time => "timestamp '2024-01-31 10:00:00'",
    }
}

impl Names for Scope {
    fn name(&mut self, name: &str, random: &mut Random) -> String {
        let kind = match name {
            "text_column" => Some(Kind::Text),
            "whole_column" => Some(Kind::Whole),
            "real_column" => Some(Kind::Real),
            "boolean_column" => Some(Kind::Boolean),
            "date_column" => Some(Kind::Date),
            "time_column" => Some(Kind::Time),
            "number" => return random.between(1, 999).to_string(),
            "word" => return random.text(&["a", "b", "x", "2008-04-08", "11", "val_1"]).to_owned(),
            _ => None,
        };
        self.another_column(kind, random)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_columns_with_unique_names_stand_bare() {
        let source =
            |alias: &str| Source { alias: alias.into(), columns: vec![Column::new("key", Type::String)] };
        let two = Scope { sources: vec![source("a"), source("b")], ..Scope::default() };
        let mut random = Random::new(5);
        for _ in 0..50 {
            assert!(["a.key", "b.key"].contains(&two.column(Some(Kind::Text), &mut random).as_str()));
        }
        assert!(!two.star_is_clear());
        assert!(Scope::of(source("a")).star_is_clear());
    }

    #[test]
    fn an_expression_names_no_column_twice_while_there_are_others() {
        let columns = ["a", "b", "c"].map(|name| Column::new(name, Type::String)).to_vec();
        let mut random = Random::new(7);
        for _ in 0..50 {
            let mut scope = Scope::of(Source { alias: "t".into(), columns: columns.clone() });
            let mut named = [(); 3].map(|()| scope.name("text_column", &mut random).replace("t.", ""));
            named.sort();
            assert_eq!(named, ["a", "b", "c"]);
            assert!(!scope.name("text_column", &mut random).is_empty());
        }
    }

    #[test]
    fn parts_of_nested_columns_have_kinds_too() {
        let pair = Type::Struct(vec![("a".into(), Type::Int), ("b".into(), Type::String)]);
        let mut found = Vec::new();
        collect_parts("t.c", "t.c", &Type::Array(Box::new(pair)), &mut found);
        let found: Vec<(&str, Kind)> = found.iter().map(|part| (part.sql.as_str(), part.kind)).collect();
        assert_eq!(found, [("t.c[0].a", Kind::Whole), ("t.c[0].b", Kind::Text)]);
    }
}
