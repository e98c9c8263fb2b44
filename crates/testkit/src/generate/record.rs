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
        match self.random.weighted(&[13, 9, 9, 27, 3, 16, 2, 8, 4, 4, 2, 2, 3, 1, 1, 2, 1]) {
            0 => Some(self.create_table()),
            1 => Some(self.create_table_as()),
            2 => Some(self.create_view()),
            3 => self.insert_select(),
            4 => self.insert_values(),
            5 => Some(self.free_query(3).sql),
            6 => Some(format!("explain {}", self.free_query(1).sql)),
            7 => self.multi_insert(),
            8 => Some(self.insert_directory()),
            9 => self.update_or_delete(),
            10 => self.merge(),
            11 => Some(self.special_query()),
            12 => self.alter_table(),
            13 => self.create_materialized_view(),
            14 => Some(self.database()),
            15 => self.alter_view(),
            _ => self.drop_something(),
        }
    }
}
