//! A second opinion on lineage: slow, obvious, and written from the specification alone.
//!
//! Nothing here shares code with what the lineage crate answers by: only its plain data types are used. All runs
//! are put in order and lived through one by one ([`World`]); a question then scans all edges there ever were.
//! [`random`] draws histories small enough that everything in them collides.
//!
//! # What holds
//!
//! **Order.** Runs are ordered by the moment they ended at, then by key. A run sent again is nothing. Within a run all
//! that is read is looked up first, then come the changes in order, then all that is written is looked up. A moment
//! stands after all runs that ended at it.
//!
//! **Datasets.** To mention a name with nothing open under it opens a dataset: from the beginning of time where
//! the name never stood for any, else from where the last one under that name ended. Whatever a run names mentions
//! it: inputs, the views on the way to them, sources, influences, whole inputs, targets, and each side of a change but
//! the new name of a rename and what `Create` and `Ensure` make. So to drop what nobody heard of opens and closes it.
//! - `Create` closes what is open under the name, and opens another. `Ensure` opens one only where none is.
//! - A database that closes, by `Drop` or because it is created again, closes all tables in it that are open,
//!   temporary ones too.
//! - `Rename` closes what is open under the new name, then moves. A rename to the same name changes nothing.
//! - Whatever opens under a name has as predecessor what the name stood for last, if it ended by being closed, not
//!   by being renamed.
//!
//! **Columns** live in their dataset by the same rules: a mention opens one, `RenameColumn` and `DropColumn` move and
//! close. Columns that `Create` and `Ensure` list are mentioned by that; those not listed stay.
//!
//! **Versions.** Each target makes a version of its dataset, and each `MovePartition` one of both sides, in the order
//! in which changes and targets stand in the run.
//!
//! **Removal.** `Overwrite`, `Define` and `Truncate` remove the edges that older runs made into the dataset: all
//! without a partition; where all values of the partition are known, those of which the partition has the same
//! known value for each of its columns; none where one of its values comes from the data. `DropPartition`, and
//! `MovePartition` at the side it moves from, remove as `Truncate` does. A run never removes its own edges.
//!
//! **Current** at a moment is an edge of a run until then into a dataset that is not closed and that no run until then
//! removed; or else one that went on before: a run that read the dataset after it was written and not after it was
//! removed or closed made an edge that is current. A view carries nothing on, and its definitions are not carried on.
//! Nor does `Locate` carry anything on; but a run that reads what lies over a path, later than it was said to lie there,
//! reads the path. Nothing removes what `Locate` says.
//! An edge into a column that is closed is current only if such a run came no later than the closing. What became of
//! its source does not matter. A version of which nothing is there is not current, whatever was made of it; and what
//! is closed depends on nothing.
//!
//! **Edges** go from the column that is read to the column that is written; the influences of a target as a whole go
//! to the whole dataset, and a whole input goes from the whole dataset to the whole dataset, which is a direct edge.
//! What is known of a whole dataset holds for each of its columns and the other way round: from a column or from
//! the whole, a walk takes the edges of both ([`trace::touch`]). Datasets are joined where any of their columns are;
//! a view on the way is joined to the target as the dataset behind it is.
//!
//! **Walks** go up or down from the start, breadth first; both ways are two walks. A dataset to stop at is reached and not
//! left. Temporary tables that are collapsed cost no step: the steps around them become one, which is direct where
//! all of them are.

pub mod answer;
pub mod compare;
pub mod count;
pub mod others;
pub mod pairing;
pub mod question;
pub mod random;
pub mod reduce;
mod text;
pub mod trace;
mod world;

pub use text::{dataset_text, run_text};
pub use world::{Column, Current, Dataset, Edge, Life, Mention, Node, Place, Segment, Side, World, Write};

#[cfg(test)]
mod tests;
