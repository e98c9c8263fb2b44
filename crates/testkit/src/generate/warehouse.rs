//! What exists while a record of statements is made up: tables and views with their columns and types.

use super::Random;

#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Type {
    Boolean,
    TinyInt,
    SmallInt,
    Int,
    BigInt,
    Float,
    Double,
    Decimal,
    String,
    Varchar,
    Char,
    Date,
    Timestamp,
    Array(Box<Type>),
    Map(Box<Type>, Box<Type>),
    Struct(Vec<(String, Type)>),
}

/// What an expression yields: types that Hive converts into each other without being asked.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Kind {
    Boolean,
    Whole,
    Real,
    Text,
    Date,
    Time,
}

impl Kind {
    pub const ALL: [Self; 6] = [Self::Boolean, Self::Whole, Self::Real, Self::Text, Self::Date, Self::Time];

    /// The rule of the expression grammar.
    pub const fn rule(self) -> &'static str {
        match self {
            Self::Boolean => "boolean",
            Self::Whole => "whole",
            Self::Real => "real",
            Self::Text => "text",
            Self::Date => "date",
            Self::Time => "time",
        }
    }

    /// The type of a column that holds such an expression.
    pub const fn column_type(self) -> Type {
        match self {
            Self::Boolean => Type::Boolean,
            Self::Whole => Type::BigInt,
            Self::Real => Type::Double,
            Self::Text => Type::String,
            Self::Date => Type::Date,
            Self::Time => Type::Timestamp,
        }
    }
}

impl Type {
    pub const fn kind(&self) -> Option<Kind> {
        match self {
            Self::Boolean => Some(Kind::Boolean),
            Self::TinyInt | Self::SmallInt | Self::Int | Self::BigInt => Some(Kind::Whole),
            Self::Float | Self::Double | Self::Decimal => Some(Kind::Real),
            Self::String | Self::Varchar | Self::Char => Some(Kind::Text),
            Self::Date => Some(Kind::Date),
            Self::Timestamp => Some(Kind::Time),
            Self::Array(_) | Self::Map(..) | Self::Struct(_) => None,
        }
    }

    pub fn sql(&self) -> String {
        match self {
            Self::Boolean => "boolean".into(),
            Self::TinyInt => "tinyint".into(),
            Self::SmallInt => "smallint".into(),
            Self::Int => "int".into(),
            Self::BigInt => "bigint".into(),
            Self::Float => "float".into(),
            Self::Double => "double".into(),
            Self::Decimal => "decimal(10,2)".into(),
            Self::String => "string".into(),
            Self::Varchar => "varchar(20)".into(),
            Self::Char => "char(10)".into(),
            Self::Date => "date".into(),
            Self::Timestamp => "timestamp".into(),
            Self::Array(element) => format!("array<{}>", element.sql()),
            Self::Map(key, value) => format!("map<{},{}>", key.sql(), value.sql()),
            Self::Struct(fields) => {
                let fields: Vec<String> =
                    fields.iter().map(|(name, field)| format!("{name}:{}", field.sql())).collect();
                format!("struct<{}>", fields.join(","))
            }
        }
    }

    /// A type for a column; one in five holds other types.
    pub fn any(random: &mut Random) -> Self {
        if random.percent(80) { Self::primitive(random) } else { Self::nested(random) }
    }

    pub fn primitive(random: &mut Random) -> Self {
        const OFTEN: [Type; 17] = [
            Type::String,
            Type::String,
            Type::String,
            Type::Int,
            Type::Int,
            Type::BigInt,
            Type::BigInt,
            Type::Double,
            Type::Decimal,
            Type::Boolean,
            Type::Date,
            Type::Timestamp,
            Type::Varchar,
            Type::Char,
            Type::SmallInt,
            Type::TinyInt,
            Type::Float,
        ];
        random.pick(&OFTEN).clone()
    }

    fn nested(random: &mut Random) -> Self {
        match random.below(8) {
            0 | 1 => Self::Array(Box::new(Self::String)),
            2 => Self::Array(Box::new(Self::Int)),
            3 | 4 => Self::Map(Box::new(Self::String), Box::new(Self::Int)),
            5 => Self::pair(),
            6 => Self::Array(Box::new(Self::pair())),
            _ => Self::Struct(vec![
                ("x".into(), Self::Date),
                ("y".into(), Self::Array(Box::new(Self::String))),
                ("z".into(), Self::pair()),
            ]),
        }
    }

    fn pair() -> Self {
        Self::Struct(vec![("a".into(), Self::Int), ("b".into(), Self::String)])
    }
}

#[derive(Debug, Clone)]
pub struct Column {
    /// As it has to be written: in backquotes where it needs them.
    pub name: String,
    pub ty: Type,
}

impl Column {
    pub fn new(name: impl Into<String>, ty: Type) -> Self {
        Self { name: name.into(), ty }
    }
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Form {
    Table,
    /// Gone with the session: no view may read it.
    Temporary,
    /// Takes UPDATE, DELETE and MERGE.
    Transactional,
    View,
    MaterializedView,
}

#[derive(Debug, Clone)]
pub struct Relation {
    /// Empty for a common table expression.
    pub database: String,
    pub name: String,
    pub form: Form,
    pub columns: Vec<Column>,
    pub partitions: Vec<Column>,
    /// Exists before the record and must stay as it is.
    pub given: bool,
}

impl Relation {
    /// All columns, as a star names them.
    pub fn all_columns(&self) -> impl Iterator<Item = &Column> {
        self.columns.iter().chain(&self.partitions)
    }

    pub fn holds_nested_types(&self) -> bool {
        self.columns.iter().any(|column| column.ty.kind().is_none())
    }

    pub const fn takes_rows(&self) -> bool {
        matches!(self.form, Form::Table | Form::Temporary | Form::Transactional) && !self.given
    }
}

/// Everything that statements can name.
#[derive(Debug, Clone)]
pub struct Warehouse {
    pub databases: Vec<String>,
    /// The current one.
    pub database: String,
    pub relations: Vec<Relation>,
}

impl Warehouse {
    /// The tables of `data/init.sql`.
    pub fn given() -> Self {
        let text = |name: &str| Column::new(name, Type::String);
        let given = |name: &str, columns: Vec<Column>, partitions: Vec<Column>| Relation {
            database: "default".into(),
            name: name.into(),
            form: Form::Table,
            columns,
            partitions,
            given: true,
        };
        let all_types = [
            ("ctinyint", Type::TinyInt),
            ("csmallint", Type::SmallInt),
            ("cint", Type::Int),
            ("cbigint", Type::BigInt),
            ("cfloat", Type::Float),
            ("cdouble", Type::Double),
            ("cstring1", Type::String),
            ("cstring2", Type::String),
            ("ctimestamp1", Type::Timestamp),
            ("ctimestamp2", Type::Timestamp),
            ("cboolean1", Type::Boolean),
            ("cboolean2", Type::Boolean),
        ];
        Self {
            databases: vec!["default".into()],
            database: "default".into(),
            relations: vec![
                given("src", vec![text("key"), text("value")], vec![]),
                given("src1", vec![text("key"), text("value")], vec![]),
                given("srcpart", vec![text("key"), text("value")], vec![text("ds"), text("hr")]),
                given("alltypesorc", all_types.map(|(name, ty)| Column::new(name, ty)).to_vec(), vec![]),
            ],
        }
    }

    /// One of the relations that fit.
    pub fn any(&self, random: &mut Random, fits: impl Fn(&Relation) -> bool) -> Option<Relation> {
        let fitting: Vec<&Relation> = self.relations.iter().filter(|relation| fits(relation)).collect();
        (!fitting.is_empty()).then(|| (*random.pick(&fitting)).clone())
    }

    /// The name that leads to a relation from the current database; qualified also where it need not be, as chance has it.
    pub fn path(&self, relation: &Relation, random: &mut Random) -> String {
        let here = relation.database.is_empty() || (relation.database == self.database && random.percent(88));
        if here { relation.name.clone() } else { format!("{}.{}", relation.database, relation.name) }
    }

    /// A new relation in the current database.
    pub fn add(&mut self, name: &str, form: Form, columns: Vec<Column>, partitions: Vec<Column>) {
        let (database, name) = (self.database.clone(), name.to_owned());
        self.relations.push(Relation { database, name, form, columns, partitions, given: false });
    }

    pub fn drop(&mut self, name: &str) {
        self.relations.retain(|relation| relation.name != name);
    }
}
