//! Records of statements that build on each other, in the form that the judge and the golden runner take.

use guardbee_model::HiveVersion;
use serde::Serialize;

use super::warehouse::Warehouse;
use super::{Generator, style};

/// Statements that run one after the other, on the tables of [`super::INIT`].
#[derive(Debug, Clone, Serialize)]
pub struct Record {
    pub file: String,
    pub suite: &'static str,
    pub recorded_by: &'static str,
    pub datasets: [&'static str; 4],
    pub statements: Vec<String>,
}

/// How many statements a record holds.
pub const RECORD_LENGTH: usize = 24;

impl Generator {
    /// The next record; the name tells the seed, so that it can be made again.
    pub fn record(&mut self, file: String) -> Record {
        self.warehouse = Warehouse::given();
        self.macros.clear();
        self.names = 0;
        let mut statements: Vec<String> = (0..3).map(|_| self.create_table()).collect();
        while statements.len() < RECORD_LENGTH {
            self.ctes.clear();
            if let Some(sql) = self.statement() {
                let sql = if self.random.percent(10) { style::restyle(&sql, &mut self.random) } else { sql };
                statements.push(sql);
            }
        }
        Record {
            file,
            suite: "generated",
            recorded_by: if self.version >= HiveVersion::V4_0 { "hive4" } else { "hive3" },
            datasets: ["src", "src1", "srcpart", "alltypesorc"],
            statements,
        }
    }

    /// Nothing where the tables do not allow what was drawn.
    fn statement(&mut self) -> Option<String> {
        let weights = STATEMENTS.map(|(weight, _)| weight);
        let (_, write) = STATEMENTS[self.random.weighted(&weights)];
        write(self)
    }
}

type Write = fn(&mut Generator) -> Option<String>;

/// What a record consists of, and how often.
const STATEMENTS: [(usize, Write); 17] = [
    (13, |generator| Some(generator.create_table())),
    (9, |generator| Some(generator.create_table_as())),
    (9, |generator| Some(generator.create_view())),
    (27, Generator::insert_select),
    (3, Generator::insert_values),
    (16, |generator| Some(generator.free_query(3).sql)),
    (2, |generator| Some(format!("explain {}", generator.free_query(1).sql))),
    (8, Generator::multi_insert),
    (4, |generator| Some(generator.insert_directory())),
    (4, Generator::update_or_delete),
    (2, Generator::merge),
    (3, |generator| Some(generator.special_query())),
    (4, Generator::manage_table),
    (1, Generator::create_materialized_view),
    (1, |generator| Some(generator.database())),
    (2, Generator::alter_view),
    (1, Generator::drop_something),
];
