//! The lines behind PostgreSQL's `COPY ... FROM stdin;`.

use std::io::{self, Read};

use super::Cell;
use super::scanner::Scanner;
use super::value::{Fault, Kept, number};

/// How the values of a line end.
#[derive(PartialEq, Eq)]
enum End {
    Field,
    Line,
}

/// Is the line that ends the data next? Goes behind it then.
pub(super) fn is_last_line<R: Read>(scanner: &mut Scanner<R>) -> io::Result<bool> {
    let ahead = scanner.ahead(3)?;
    let is_last = ahead.starts_with(b"\\.") && matches!(ahead.get(2), None | Some(b'\n' | b'\r'));
    if is_last {
        scanner.skip_line()?;
    }
    Ok(is_last)
}

/// Reads a line of values. `on_cell` gets each with its number.
pub(super) fn read_line<R: Read>(
    scanner: &mut Scanner<R>,
    mut on_cell: impl FnMut(usize, Cell),
) -> Result<usize, Fault> {
    let mut count = 0;
    loop {
        let (cell, end) = read_field(scanner)?;
        on_cell(count, cell);
        count += 1;
        if end == End::Line {
            return Ok(count);
        }
    }
}

fn read_field<R: Read>(scanner: &mut Scanner<R>) -> Result<(Cell, End), Fault> {
    let is_null = {
        let ahead = scanner.ahead(3)?;
        ahead.starts_with(b"\\N") && matches!(ahead.get(2), None | Some(b'\t' | b'\n' | b'\r'))
    };
    let mut kept = Kept::default();
    loop {
        let is_special = |byte| matches!(byte, b'\t' | b'\n' | b'\r' | b'\\');
        let found = scanner.pass_until(is_special, |passed| kept.push(passed))?;
        // A line that the end of the dump cuts off is none.
        let found = found.ok_or(Fault::End)?;
        scanner.next()?;
        let end = match found {
            b'\\' => {
                escape(scanner, &mut kept)?;
                continue;
            }
            b'\r' if scanner.peek()? != Some(b'\n') => {
                kept.push(b"\r");
                continue;
            }
            b'\r' => {
                scanner.next()?;
                End::Line
            }
            b'\n' => End::Line,
            _ => End::Field,
        };
        return Ok((if is_null { Cell::Null } else { kept.cell() }, end));
    }
}

fn escape<R: Read>(scanner: &mut Scanner<R>, kept: &mut Kept) -> Result<(), Fault> {
    let byte = scanner.next()?.ok_or(Fault::End)?;
    match byte {
        b'b' => kept.push(b"\x08"),
        b'f' => kept.push(b"\x0c"),
        b'n' => kept.push(b"\n"),
        b'r' => kept.push(b"\r"),
        b't' => kept.push(b"\t"),
        b'v' => kept.push(b"\x0b"),
        b'0'..=b'7' => kept.push(&[number(scanner, byte, 8, 2)?]),
        b'x' if scanner.peek()?.is_some_and(|next| next.is_ascii_hexdigit()) => {
            let first = scanner.next()?.ok_or(Fault::End)?;
            kept.push(&[number(scanner, first, 16, 1)?]);
        }
        _ => kept.push(&[byte]),
    }
    Ok(())
}
