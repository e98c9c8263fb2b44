//! Client commands: what Hive's command line, beeline or the server run without the compiler (SET,
//! ADD JAR, `dfs`, `!shell` ...).
//!
//! The first word decides, as in Hive. What a command does to a session or a catalog is not known
//! here.

mod arguments;
mod set;
mod word;

use std::borrow::Cow;

use guardbee_model::HiveVersion;

use crate::blank::skip_blank;

pub use crate::tree::ResourceKind;
pub use arguments::Arguments;
pub use set::{SetCommand, VariableName};
pub(crate) use word::CommandWord;

/// A client command, with its arguments as they are written: variables are not replaced yet.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum ClientCommand<'t> {
    Set(SetCommand<'t>),
    Reset(ResetCommand<'t>),
    /// `ADD JAR path...`.
    Add(ResourceCommand<'t>),
    /// `LIST JARS [path...]`.
    List(ResourceCommand<'t>),
    /// `DELETE JAR path...`. DELETE FROM is a statement.
    Delete(ResourceCommand<'t>),
    /// `dfs -rm -r path`: Hadoop's file system shell.
    Dfs(Arguments<'t>),
    /// `!command`, run by the operating system. Beeline spells it `!sh command`.
    Shell(&'t str),
    /// `!connect url` and the like, which beeline runs itself.
    Beeline(BeelineCommand<'t>),
    /// `SOURCE file`: the statements of another file. `!run file` in beeline.
    Source(&'t str),
    Compile(CompileCommand<'t>),
    /// `RELOAD [FUNCTIONS]`: functions and jars are read again.
    Reload,
    /// `LLAP CLUSTER -info`.
    LlapCluster(Arguments<'t>),
    /// `LLAP CACHE -purge`.
    LlapCache(Arguments<'t>),
    /// `CRYPTO CREATE_ZONE ...`: encryption zones. Hive has it for its tests only.
    Crypto(Arguments<'t>),
    /// `ERASURE enablePolicy ...`: erasure coding. Hive has it for its tests only.
    Erasure(Arguments<'t>),
    /// `SHOW PROCESSLIST`.
    ProcessList,
    /// `QUIT` or `EXIT`: nothing after it runs.
    Quit,
    Help,
}

/// What RESET takes back.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum ResetCommand<'t> {
    /// `RESET`: everything that the session has set.
    All,
    /// `RESET key...`.
    Keys(Arguments<'t>),
    /// `RESET -d key...`: back to the defaults that Hive was built with. The arguments hold the `-d`.
    KeysToDefault(Arguments<'t>),
}

/// `ADD`, `LIST` or `DELETE` of resources.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct ResourceCommand<'t> {
    /// `None` where the kind is missing or unknown; Hive refuses the command then.
    pub kind: Option<ResourceKind>,
    pub paths: Arguments<'t>,
}

/// A command of beeline's own.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct BeelineCommand<'t> {
    /// Without the `!`, as it is written.
    pub name: &'t str,
    pub arguments: &'t str,
}

/// ``COMPILE `code` AS GROOVY NAMED file``. Parts that are missing are empty; Hive refuses the command
/// then.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct CompileCommand<'t> {
    pub code: Cow<'t, str>,
    pub language: &'t str,
    pub file: &'t str,
}

impl<'t> ClientCommand<'t> {
    /// The command that `text` is; `None` for a statement. `text` is one piece of a script, without
    /// the semicolon. Comments before the command are skipped.
    #[must_use]
    pub fn parse(text: &'t str) -> Option<Self> {
        let text = text.get(skip_blank(text.as_bytes(), 0)..)?;
        let word = CommandWord::detect(text)?;
        let rest = word.rest(text);
        Some(match word {
            CommandWord::Set => Self::Set(SetCommand::parse(rest)),
            CommandWord::Reset => Self::Reset(ResetCommand::parse(Arguments::with_comments(rest))),
            CommandWord::Add => Self::Add(ResourceCommand::parse(rest)),
            CommandWord::List => Self::List(ResourceCommand::parse(rest)),
            CommandWord::Delete => Self::Delete(ResourceCommand::parse(rest)),
            CommandWord::Dfs => Self::Dfs(Arguments::new(rest)),
            CommandWord::Exclamation => Self::after_exclamation(rest),
            CommandWord::Source => Self::Source(rest),
            CommandWord::Compile => Self::Compile(CompileCommand::parse(rest)),
            CommandWord::Reload => Self::Reload,
            CommandWord::LlapCluster => Self::LlapCluster(Arguments::new(rest)),
            CommandWord::LlapCache => Self::LlapCache(Arguments::new(rest)),
            CommandWord::Crypto => Self::Crypto(Arguments::new(rest)),
            CommandWord::Erasure => Self::Erasure(Arguments::new(rest)),
            CommandWord::ProcessList => Self::ProcessList,
            CommandWord::Quit => Self::Quit,
            CommandWord::Help => Self::Help,
        })
    }

    /// What the client calls the command, as Hive's operation types do.
    #[must_use]
    pub const fn name(&self) -> &'static str {
        match self {
            Self::Set(_) => "SET",
            Self::Reset(_) => "RESET",
            Self::Add(_) => "ADD",
            Self::List(_) => "LIST",
            Self::Delete(_) => "DELETE",
            Self::Dfs(_) => "DFS",
            Self::Shell(_) => "SHELL",
            Self::Beeline(_) => "BEELINE",
            Self::Source(_) => "SOURCE",
            Self::Compile(_) => "COMPILE",
            Self::Reload => "RELOAD",
            Self::LlapCluster(_) => "LLAP_CLUSTER_INFO",
            Self::LlapCache(_) => "LLAP_CACHE_PURGE",
            Self::Crypto(_) => "CRYPTO",
            Self::Erasure(_) => "ERASURE",
            Self::ProcessList => "PROCESSLIST",
            Self::Quit => "QUIT",
            Self::Help => "HELP",
        }
    }

    /// The first version that knows the command.
    #[must_use]
    pub const fn since(&self) -> HiveVersion {
        match self {
            Self::LlapCluster(_) | Self::LlapCache(_) => HiveVersion::V3_1,
            Self::Erasure(_) => HiveVersion::V4_0,
            Self::ProcessList => HiveVersion::V4_2,
            _ => HiveVersion::V2_3,
        }
    }

    fn after_exclamation(text: &'t str) -> Self {
        let (name, arguments) = arguments::split_word(text);
        match BEELINE_COMMANDS.iter().find(|known| known.eq_ignore_ascii_case(name)) {
            Some(&"quit" | &"exit") => Self::Quit,
            Some(&"help") => Self::Help,
            Some(&"run") => Self::Source(arguments),
            Some(&"sh") => Self::Shell(arguments),
            Some(_) => Self::Beeline(BeelineCommand { name, arguments }),
            None => Self::Shell(text),
        }
    }
}

impl<'t> ResetCommand<'t> {
    fn parse(arguments: Arguments<'t>) -> Self {
        if arguments.words().any(|word| word == "-d") {
            Self::KeysToDefault(arguments)
        } else if arguments.words().next().is_some() {
            Self::Keys(arguments)
        } else {
            Self::All
        }
    }

    /// The names of the settings.
    pub fn keys(self) -> impl Iterator<Item = &'t str> {
        let arguments = match self {
            Self::All => None,
            Self::Keys(arguments) | Self::KeysToDefault(arguments) => Some(arguments),
        };
        arguments.into_iter().flat_map(Arguments::words).filter(|word| *word != "-d")
    }
}

impl<'t> ResourceCommand<'t> {
    fn parse(text: &'t str) -> Self {
        let (word, rest) = arguments::split_word(text);
        Self { kind: ResourceKind::parse(word), paths: Arguments::with_comments(rest) }
    }
}

impl ResourceKind {
    /// Singular and plural mean the same.
    fn parse(word: &str) -> Option<Self> {
        let singular = word.strip_suffix(['s', 'S']).unwrap_or(word);
        [("FILE", Self::File), ("JAR", Self::Jar), ("ARCHIVE", Self::Archive)]
            .into_iter()
            .find_map(|(name, kind)| name.eq_ignore_ascii_case(singular).then_some(kind))
    }
}

impl<'t> CompileCommand<'t> {
    fn parse(text: &'t str) -> Self {
        let body = text.split_once('`').map_or("", |(_, body)| body);
        let end = compiled_code_end(body.as_bytes(), 0).unwrap_or(body.len());
        let code = body.get(..end).unwrap_or_default();
        let mut words = body.get(end + 1..).unwrap_or_default().split_ascii_whitespace().skip(1);
        let language = words.next().unwrap_or_default();
        let file = words.nth(1).unwrap_or_default();
        Self { code: without_backslashes(code), language, file }
    }
}

/// Where the code of COMPILE that starts at `start` ends: at a backtick without a backslash.
pub(crate) fn compiled_code_end(bytes: &[u8], start: usize) -> Option<usize> {
    let mut position = start;
    loop {
        position += memchr::memchr2(b'`', b'\\', bytes.get(position..)?)?;
        if bytes.get(position) == Some(&b'`') {
            return Some(position);
        }
        position += 2;
    }
}

/// A backslash in compiled code makes the next character stand for itself.
fn without_backslashes(code: &str) -> Cow<'_, str> {
    if !code.contains('\\') {
        return Cow::Borrowed(code);
    }
    let mut plain = String::with_capacity(code.len());
    let mut letters = code.chars();
    while let Some(letter) = letters.next() {
        plain.extend(if letter == '\\' { letters.next() } else { Some(letter) });
    }
    Cow::Owned(plain)
}

/// The commands that beeline takes after a `!`; anything else goes to the shell.
const BEELINE_COMMANDS: [&str; 48] = [
    "addlocaldriverjar",
    "addlocaldrivername",
    "all",
    "autocommit",
    "batch",
    "brief",
    "call",
    "close",
    "closeall",
    "columns",
    "commit",
    "connect",
    "dbinfo",
    "delimiter",
    "describe",
    "dropall",
    "exit",
    "exportedkeys",
    "go",
    "help",
    "history",
    "importedkeys",
    "indexes",
    "isolation",
    "list",
    "manual",
    "metadata",
    "nativesql",
    "nickname",
    "nullemptystring",
    "outputformat",
    "primarykeys",
    "procedures",
    "properties",
    "quit",
    "reconnect",
    "record",
    "rehash",
    "rollback",
    "run",
    "save",
    "scan",
    "script",
    "set",
    "sh",
    "sql",
    "tables",
    "verbose",
];

/// Whether beeline runs what stands after a `!` itself, with all of its line.
pub(crate) fn is_beeline_command(name: &str) -> bool {
    BEELINE_COMMANDS.iter().any(|known| known.eq_ignore_ascii_case(name))
}

#[cfg(test)]
mod tests;
