//! The reader of dumps: what comes out of statements in each database's SQL, and what it says about broken ones.

#[path = "support/case.rs"]
mod case;

use std::fmt::Write;
use std::io::{self, Read};
use std::sync::Arc;

use guardbee_exchange::Report;
use guardbee_exchange::dump::{Cell, DumpSummary, Flavour, WantedTable, read_rows};

const TABLES: [WantedTable; 2] = [
    WantedTable { name: "T", columns: &["ID", "NAME"], orders: &[&["ID", "NAME"], &["ID", "NOTE", "NAME"]] },
    WantedTable { name: "U", columns: &["A", "B", "C"], orders: &[&["A", "B", "C"]] },
];

fn read(input: impl Read, flavour: Option<Flavour>) -> (String, DumpSummary, Report) {
    let mut text = String::new();
    let mut report = Report::default();
    let summary = read_rows(input, flavour, &TABLES, &Arc::from("dump.sql"), &mut report, |row| {
        let cells: Vec<String> = row
            .cells
            .iter()
            .map(|cell| match cell {
                Cell::Absent => "absent".to_owned(),
                Cell::Null => "NULL".to_owned(),
                Cell::Text(text) => format!("{text:?}"),
                Cell::Unusable(why) => format!("<{}>", why.message()),
            })
            .collect();
        writeln!(text, "{} in line {}: {}", TABLES[row.table].name, row.line, cells.join(", ")).unwrap();
    })
    .unwrap();
    (text, summary, report)
}

#[test]
fn statements_are_read_as_their_database_reads_them() {
    let cases = case::cases(env!("CARGO_MANIFEST_DIR"), "dump");
    case::check(&cases, |case| {
        let flavour = case.option("flavour").map(|name| Flavour::parse(name).unwrap());
        let (rows, summary, report) = read(case.part("dump").as_bytes(), flavour);
        format!("{rows}{} {:?}\n{report}", summary.flavour.as_str(), summary.rows)
    });
}

/// Hands out its bytes one at a time, so that every look ahead meets the end of what was read.
struct Dripping<'t>(&'t [u8]);

impl Read for Dripping<'_> {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        let (Some((first, rest)), Some(place)) = (self.0.split_first(), buffer.first_mut()) else {
            return Ok(0);
        };
        *place = *first;
        self.0 = rest;
        Ok(1)
    }
}

#[test]
fn how_the_bytes_arrive_does_not_matter() {
    for case in case::cases(env!("CARGO_MANIFEST_DIR"), "dump") {
        let text = case.part("dump").as_bytes();
        let flavour = case.option("flavour").map(|name| Flavour::parse(name).unwrap());
        assert_eq!(read(text, flavour), read(Dripping(text), flavour), "{}", case.path.display());
    }
}

/// A dump that ends anywhere, or has any bytes in it, is no reason to fall over.
#[test]
fn broken_dumps_are_read_to_their_end() {
    let mut state = 0x9e37_79b9_7f4a_7c15_u64;
    let mut random = move |below: usize| {
        state ^= state << 13;
        state ^= state >> 7;
        state ^= state << 17;
        usize::try_from(state % below as u64).unwrap()
    };
    for case in case::cases(env!("CARGO_MANIFEST_DIR"), "dump") {
        let text = case.part("dump").as_bytes();
        for end in 0..text.len() {
            read(&text[..end], None);
        }
        for _ in 0..40 {
            let mut text = text.to_vec();
            for _ in 0..=random(3) {
                let at = random(text.len());
                match random(3) {
                    0 => text[at] = [b'\'', b'\\', b'(', b')', b';', 0, 0xff, b'$', b'\n'][random(9)],
                    1 => drop(text.remove(at)),
                    _ => text.insert(at, [b'\'', b'"', b'`', b',', b'*', b'/', b'-', b'\t'][random(8)]),
                }
            }
            for flavour in Flavour::ALL {
                read(&*text, Some(flavour));
            }
        }
    }
}

#[test]
fn bytes_that_are_no_text_are_told_where_they_stand() {
    let dump = b"INSERT INTO T VALUES\n(1,'a\xff'),\n(2,'\xc3\xa4'),\n(3,'b\0');\n";
    let (rows, _, report) = read(&dump[..], Some(Flavour::MySql));
    assert_eq!(
        rows,
        "T in line 2: \"1\", <is not UTF-8>\nT in line 3: \"2\", \"ä\"\nT in line 4: \"3\", <has a NUL character>\n"
    );
    assert!(report.is_empty());
}

/// A line of many megabytes is passed without being kept.
struct LongLine {
    head: &'static [u8],
    length: usize,
    tail: &'static [u8],
}

impl Read for LongLine {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        let source = if self.head.is_empty() && self.length == 0 { &mut self.tail } else { &mut self.head };
        if !source.is_empty() {
            return source.read(buffer);
        }
        let count = buffer.len().min(self.length);
        buffer[..count].fill(b'x');
        self.length -= count;
        Ok(count)
    }
}

#[test]
fn long_values_are_dropped_as_they_come() {
    let dump =
        || LongLine { head: b"INSERT INTO T VALUES (1,'", length: 100 << 20, tail: b"','n'),(2,'','m');" };
    let (rows, ..) = read(dump(), Some(Flavour::MySql));
    assert_eq!(rows, "T in line 1: \"1\", \"n\"\nT in line 1: \"2\", \"m\"\n");
    let wanted = LongLine { head: b"INSERT INTO T VALUES (1,'", length: 1 << 20, tail: b"');" };
    assert_eq!(read(wanted, Some(Flavour::Derby)).0, "T in line 1: \"1\", <is longer than 64 KiB>\n");
    let name = LongLine { head: b"INSERT INTO ", length: 1 << 20, tail: b" VALUES (1);" };
    assert!(read(name, None).2.is_empty());
    // Nothing that repeats is collected without bound.
    let columns = "a,".repeat(100_000);
    for statement in ["CREATE TABLE T (", "INSERT INTO T ("] {
        let report = read(format!("{statement}{columns}b);").as_bytes(), None).2.to_string();
        assert!(report.contains("a table of less than 4096 columns is expected here"), "{report}");
    }
    let copied = LongLine { head: b"COPY T (ID, NAME) FROM stdin;\n1\t", length: 1 << 20, tail: b"\n\\.\n" };
    assert_eq!(read(copied, None).0, "T in line 2: \"1\", <is longer than 64 KiB>\n");
    let endless = LongLine { head: b"INSERT INTO T VALUES (1,'", length: 1 << 20, tail: b"" };
    let (rows, _, report) = read(endless, None);
    assert!(rows.is_empty());
    assert!(report.to_string().contains("the dump ends within the statement that begins in line 1"));
}
