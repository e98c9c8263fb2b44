//! Which paths a `dfs` command reads and writes.

use std::sync::Arc;

use guardbee_hiveql::command::Arguments;

use crate::effects::{Access, DatasetKind, Effects, Object, Read, Write, WriteAction};

/// What an option of the file system shell does with its paths.
enum Usage {
    ReadsAll,
    WritesAll(WriteAction),
    /// Reads all but the last and writes that one.
    Copies,
    /// As [`Usage::Copies`], and the sources are gone.
    Moves,
    /// The sources are files of the client's machine.
    Uploads,
    /// The target is a file of the client's machine.
    Downloads,
    /// The first argument is a mode, an owner or a number.
    AltersBehindFirst,
    Nothing,
}

/// Adds the paths of `dfs -option path...` to the effects.
pub(super) fn file_system_objects(arguments: Arguments<'_>, effects: &mut Effects) {
    let mut words = arguments.quoted_words();
    let option = words.next().unwrap_or_default();
    let paths: Vec<&str> = words.filter(|word| !word.starts_with('-')).collect();
    let (last, sources) = match paths.split_last() {
        Some((last, sources)) => (Some(*last), sources),
        None => (None, paths.as_slice()),
    };
    match usage(option) {
        Usage::ReadsAll => paths.iter().for_each(|path| read(path, effects)),
        Usage::WritesAll(action) => paths.iter().for_each(|path| write(path, action, effects)),
        Usage::Copies => {
            sources.iter().for_each(|path| read(path, effects));
            last.iter().for_each(|path| write(path, WriteAction::Create, effects));
        }
        Usage::Moves => {
            sources.iter().for_each(|path| write(path, WriteAction::Drop, effects));
            last.iter().for_each(|path| write(path, WriteAction::Create, effects));
        }
        Usage::Uploads => last.iter().for_each(|path| write(path, WriteAction::Create, effects)),
        Usage::Downloads => sources.iter().for_each(|path| read(path, effects)),
        Usage::AltersBehindFirst => {
            paths.iter().skip(1).for_each(|path| write(path, WriteAction::Alter, effects));
        }
        Usage::Nothing => {}
    }
}

fn usage(option: &str) -> Usage {
    match option.trim_start_matches('-') {
        "cat" | "checksum" | "count" | "df" | "du" | "dus" | "find" | "getfacl" | "getfattr" | "head"
        | "ls" | "lsr" | "stat" | "tail" | "test" | "text" => Usage::ReadsAll,
        "rm" | "rmr" | "rmdir" => Usage::WritesAll(WriteAction::Drop),
        "mkdir" | "touch" | "touchz" => Usage::WritesAll(WriteAction::Create),
        "truncate" => Usage::AltersBehindFirst,
        "cp" => Usage::Copies,
        "mv" => Usage::Moves,
        "put" | "copyFromLocal" | "moveFromLocal" | "appendToFile" => Usage::Uploads,
        "get" | "copyToLocal" | "getmerge" => Usage::Downloads,
        "chgrp" | "chmod" | "chown" | "setfacl" | "setfattr" | "setrep" => Usage::AltersBehindFirst,
        _ => Usage::Nothing,
    }
}

fn read(path: &str, effects: &mut Effects) {
    effects.reads.push(Read {
        object: Object::Path(Arc::from(path)),
        kind: DatasetKind::Other,
        access: Access::Direct,
        columns: Vec::new(),
        partitions: Vec::new(),
    });
}

fn write(path: &str, action: WriteAction, effects: &mut Effects) {
    effects.writes.push(Write {
        object: Object::Path(Arc::from(path)),
        kind: DatasetKind::Other,
        action,
        partitions: Vec::new(),
        columns: Vec::new(),
    });
}
