//! Many rows packed into one text: cells with a character between them that no text holds, and so the rows.

use guardbee_engine::store::StoreError;

use crate::rows::{Kind, Value};
use crate::session::MOST_COLUMNS;

/// So many ids make a block.
pub const IDS: u32 = 256;

/// Stands for a cell that holds nothing.
pub const NOTHING: char = '\u{1d}';
pub const ROW_END: char = '\u{1e}';
pub const CELL_END: char = '\u{1f}';

/// Can no text hold: NUL, which PostgreSQL cannot keep and SQLite's own tools take for the end, and the three
/// above.
pub fn is_reserved(character: char) -> bool {
    matches!(character, '\0' | NOTHING | ROW_END | CELL_END)
}

/// Hands over the rows of a block.
pub fn each_row(
    text: &str,
    kinds: &[Kind],
    mut each: impl FnMut(&[Value<'_>]) -> Result<(), StoreError>,
) -> Result<(), StoreError> {
    let damaged = || StoreError::Damaged("a row of entries cannot be read".into());
    for row in text.split(ROW_END) {
        let mut cells = [Value::Null(Kind::Integer); MOST_COLUMNS];
        let mut texts = row.split(CELL_END);
        for (cell, kind) in cells.iter_mut().zip(kinds) {
            *cell = value(texts.next().ok_or_else(damaged)?, *kind).ok_or_else(damaged)?;
        }
        if texts.next().is_some() {
            return Err(damaged());
        }
        each(cells.get(..kinds.len()).unwrap_or_default())?;
    }
    Ok(())
}

fn value(text: &str, kind: Kind) -> Option<Value<'_>> {
    if text.starts_with(NOTHING) {
        return Some(Value::Null(kind));
    }
    match kind {
        Kind::Integer => text.parse().ok().map(Value::Integer),
        Kind::Text => Some(Value::Text(text)),
        Kind::Bytes => None,
    }
}
