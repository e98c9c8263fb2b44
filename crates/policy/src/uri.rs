//! Addresses of files and directories, normalised so that two that mean the same place compare as such.

use std::cmp::Ordering;
use std::fmt;
use std::hash::{Hash, Hasher};
use std::sync::Arc;

use crate::glob;

/// A normalised address: scheme and authority in lower case, no empty or `.` components, no slash at the
/// end. `%` is an ordinary character: nothing is decoded (`spec/policy-decisions.md`, "URI comparison").
///
/// HDFS is at port 8020 where none is named: `hdfs://nn` and `hdfs://nn:8020` are the same place, each printed
/// as it was written. What leads there by another door (`webhdfs:`, `har:`) is the place in HDFS itself.
#[derive(Debug, Clone)]
pub struct Uri {
    /// Without the default port.
    key: Arc<str>,
    port: Port,
}

/// How the port stands in an address.
#[derive(Debug, Clone, Copy)]
enum Port {
    AsInKey,
    /// The default port is written out.
    Default,
}

const HDFS: &str = "hdfs://";
const HDFS_PORT: &str = ":8020";

/// Why an address stands for no place.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum UriError {
    Empty,
    /// `dir/file`: relative to nothing that the policy knows.
    Relative,
    /// `..` in a grant, or above the root.
    ParentComponent,
    /// `{a/b,c}`: braces that reach over a slash.
    OpenBrace,
    /// A control character.
    ControlCharacter,
    /// A scheme or authority that none can be.
    Malformed,
}

impl UriError {
    #[must_use]
    pub const fn message(self) -> &'static str {
        match self {
            Self::Empty => "the address is empty",
            Self::Relative => "the address is relative; give it from the root on",
            Self::ParentComponent => "the address has a `..` component",
            Self::OpenBrace => "the address has braces that reach over a slash",
            Self::ControlCharacter => "the address has a control character",
            Self::Malformed => "the address has a malformed scheme or authority",
        }
    }
}

impl fmt::Display for UriError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.message())
    }
}

impl std::error::Error for UriError {}

impl Uri {
    /// An address that a statement asks for: `..` goes one component up.
    ///
    /// # Errors
    /// [`UriError`] where it stands for no place.
    pub fn requested(text: &str, default_file_system: &str) -> Result<Self, UriError> {
        normalise(text, default_file_system, Parents::Resolve)
    }

    /// An address that a right is given on: `..` is refused.
    ///
    /// # Errors
    /// [`UriError`] where it stands for no place, or for none that can be seen at once.
    pub fn granted(text: &str, default_file_system: &str) -> Result<Self, UriError> {
        normalise(text, default_file_system, Parents::Refuse)
    }

    /// An address that is known to be normalised, as a store keeps it.
    #[must_use]
    pub fn from_normalised(text: &str) -> Self {
        let authority = text.get(..root_length(text)).filter(|root| root.starts_with(HDFS));
        match authority.and_then(|root| root.strip_suffix(HDFS_PORT)) {
            Some(host) if host.len() > HDFS.len() => {
                let path = text.get(host.len() + HDFS_PORT.len()..).unwrap_or_default();
                Self { key: Arc::from(format!("{host}{path}")), port: Port::Default }
            }
            _ => Self { key: Arc::from(text), port: Port::AsInKey },
        }
    }

    /// The address without the default port: the same text for the same place.
    #[must_use]
    pub fn key(&self) -> &str {
        &self.key
    }

    /// The address with the port even where that is the default: as `key` the same text for the same place.
    #[must_use]
    pub fn with_port(&self) -> String {
        let (root, path) = self.key.split_at(root_length(&self.key));
        let lacks_port = |host: &str| host.ends_with(']') || !host.is_empty() && !host.contains(':');
        if root.strip_prefix(HDFS).is_some_and(lacks_port) {
            format!("{root}{HDFS_PORT}{path}")
        } else {
            self.key.to_string()
        }
    }

    /// Is `other` this place or one beneath it? A prefix counts at the end of a component only: `/data`
    /// does not cover `/data2`.
    #[must_use]
    pub fn covers(&self, other: &Self) -> bool {
        other.key.strip_prefix(&*self.key).is_some_and(|rest| rest.is_empty() || rest.starts_with('/'))
    }

    /// Can whoever is at this address come to a place? If the place is beneath it, since directories are read
    /// with all that is in them; if it is beneath the place; and if the address is a pattern that may stand for
    /// either.
    #[must_use]
    pub fn may_reach(&self, place: &Self) -> bool {
        if self.key.get(..root_length(&self.key)) != place.key.get(..root_length(&place.key)) {
            return false;
        }
        let pairs = components(&self.key).zip(components(&place.key));
        pairs
            .into_iter()
            .all(|(asked, name)| asked == name || glob::is_pattern(asked) && glob::may_match(asked, name))
    }

    /// The deepest place above everything that the address may stand for: itself, unless it has patterns.
    pub(crate) fn literal_part(&self) -> Self {
        let mut length = root_length(&self.key);
        for component in components(&self.key) {
            if glob::is_pattern(component) {
                return Self { key: Arc::from(self.key.get(..length).unwrap_or_default()), port: self.port };
            }
            length += 1 + component.len();
        }
        self.clone()
    }

    /// A place directly beneath this one.
    pub(crate) fn child(&self, name: &str) -> Self {
        Self { key: Arc::from(format!("{}/{name}", self.key)), port: self.port }
    }

    /// This place and those above it by their keys, up to the root of its file system.
    pub fn and_ancestors(&self) -> impl Iterator<Item = &str> {
        let root = root_length(&self.key);
        let mut next = Some(&*self.key);
        std::iter::from_fn(move || {
            let here = next?;
            next = here.rfind('/').filter(|&slash| slash >= root).and_then(|slash| here.get(..slash));
            Some(here)
        })
    }
}

impl fmt::Display for Uri {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.port {
            Port::AsInKey => f.write_str(&self.key),
            Port::Default => {
                let (root, path) = self.key.split_at(root_length(&self.key));
                write!(f, "{root}{HDFS_PORT}{path}")
            }
        }
    }
}

impl PartialEq for Uri {
    fn eq(&self, other: &Self) -> bool {
        self.key == other.key
    }
}

impl Eq for Uri {}

impl Hash for Uri {
    fn hash<H: Hasher>(&self, state: &mut H) {
        self.key.hash(state);
    }
}

impl PartialOrd for Uri {
    fn partial_cmp(&self, other: &Self) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}

impl Ord for Uri {
    fn cmp(&self, other: &Self) -> Ordering {
        self.key.cmp(&other.key)
    }
}

/// Scheme and authority, in lower case, of the file system that an address leads to in the end.
struct FileSystem {
    scheme: String,
    authority: String,
}

/// The scheme of archives, which lie in another file system.
const PACKED: &str = "har";

/// HDFS by other doors, at ports of their own.
const DOORS_OF_HDFS: [&str; 4] = ["webhdfs", "swebhdfs", "hftp", "hsftp"];

impl FileSystem {
    fn new(scheme: &str, authority: &str) -> Self {
        Self { scheme: scheme.to_lowercase(), authority: authority.to_lowercase() }.unpacked()
    }

    /// `har://hdfs-nn:8020/a.har` is what is packed in `hdfs://nn:8020/a.har`.
    fn unpacked(self) -> Self {
        match self.authority.split_once('-') {
            Some((scheme, authority)) if self.scheme == PACKED => {
                Self { scheme: scheme.to_owned(), authority: authority.to_owned() }
            }
            _ => self,
        }
    }

    /// Without what makes no difference to HDFS: which door one takes, who one says to be, how the port is
    /// written. A door's port says nothing of that of HDFS: the default file system's host has the default file
    /// system's, others the usual one.
    fn seen_from(self, default_file_system: &str) -> Self {
        let is_door = DOORS_OF_HDFS.contains(&self.scheme.as_str());
        if !is_door && self.scheme != "hdfs" {
            return self;
        }
        let (host, port) = host_and_port(&self.authority);
        let default = default_file_system.to_lowercase();
        let default = default.strip_prefix(HDFS).and_then(|rest| rest.split('/').next()).unwrap_or_default();
        let authority = match port {
            _ if is_door && !host.is_empty() && host_and_port(default).0 == host => default.to_owned(),
            Some(port) if !is_door => format!("{host}:{port}"),
            _ => host.to_owned(),
        };
        Self { scheme: "hdfs".to_owned(), authority }
    }
}

impl fmt::Display for FileSystem {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}://{}", self.scheme, self.authority)
    }
}

/// The host and, if there is one, the port without zeros before it.
fn host_and_port(authority: &str) -> (&str, Option<&str>) {
    let place = authority.rsplit_once('@').map_or(authority, |(_, place)| place);
    let (host, port) = match place.rsplit_once(':') {
        Some((host, port)) if port.bytes().all(|digit| digit.is_ascii_digit()) && !host.ends_with(':') => {
            (host, Some(port.trim_start_matches('0')).filter(|port| !port.is_empty()))
        }
        _ => (place, None),
    };
    (host.strip_suffix('.').unwrap_or(host), port)
}

#[derive(Clone, Copy)]
enum Parents {
    Resolve,
    Refuse,
}

/// The root of a file system is its scheme and authority alone (`hdfs://nn:8020`, `file://`), so that the
/// rule for prefixes holds for it as for every other place.
fn root_length(address: &str) -> usize {
    let authority = address.find("://").map_or(0, |colon| colon + 3);
    address.get(authority..).and_then(|rest| rest.find('/')).map_or(address.len(), |slash| authority + slash)
}

/// The parts of the path of a normalised address.
fn components(address: &str) -> impl Iterator<Item = &str> {
    address.get(root_length(address)..).unwrap_or_default().split('/').skip(1)
}

fn normalise(text: &str, default_file_system: &str, parents: Parents) -> Result<Uri, UriError> {
    let text = text.trim();
    if text.is_empty() {
        return Err(UriError::Empty);
    }
    if text.chars().any(char::is_control) {
        return Err(UriError::ControlCharacter);
    }
    let (scheme, authority, path) = split(text, default_file_system)?;
    let mut components: Vec<&str> = Vec::new();
    for component in path.split('/') {
        match (component, parents) {
            ("" | ".", _) => {}
            ("..", Parents::Refuse) => return Err(UriError::ParentComponent),
            ("..", Parents::Resolve) => {
                components.pop().ok_or(UriError::ParentComponent)?;
            }
            _ if is_escaped_parent(component) => return Err(UriError::ParentComponent),
            _ if has_open_brace(component) => return Err(UriError::OpenBrace),
            _ => components.push(component),
        }
    }
    let mut address = FileSystem::new(scheme, authority).seen_from(default_file_system).to_string();
    for component in components {
        address.push('/');
        address.push_str(component);
    }
    Ok(Uri::from_normalised(&address))
}

/// Hadoop takes paths for patterns. It writes out braces that reach over a slash, and `/in/{a/b,.}./x` is then
/// `/in/../x` as well.
fn has_open_brace(component: &str) -> bool {
    component.matches('{').count() != component.matches('}').count()
}

/// Hadoop drops `\` from a component only after it has looked for `..`.
fn is_escaped_parent(component: &str) -> bool {
    component.contains('\\') && component.replace('\\', "") == ".."
}

/// Scheme, authority and path; what is absent is the default file system's.
fn split<'t>(text: &'t str, default_file_system: &'t str) -> Result<(&'t str, &'t str, &'t str), UriError> {
    let (default_scheme, default_authority) =
        default_file_system.split_once("://").unwrap_or((default_file_system, ""));
    let default_authority = default_authority.split('/').next().unwrap_or("");
    if let Some(rest) = text.strip_prefix("//") {
        // No scheme: `//host/path`, or a path with a doubled slash. Hadoop reads the latter.
        return Ok((default_scheme, default_authority, rest));
    }
    if text.starts_with('/') {
        return Ok((default_scheme, default_authority, text));
    }
    let (scheme, rest) = text.split_once(':').ok_or(UriError::Relative)?;
    if scheme.contains('/') {
        return Err(UriError::Relative);
    }
    let is_scheme = scheme.starts_with(|c: char| c.is_ascii_alphabetic())
        && scheme.chars().all(|c| c.is_ascii_alphanumeric() || matches!(c, '+' | '-' | '.'));
    if !is_scheme {
        return Err(UriError::Malformed);
    }
    let Some(rest) = rest.strip_prefix("//") else {
        return if rest.starts_with('/') {
            let same = scheme.eq_ignore_ascii_case(default_scheme);
            Ok((scheme, if same { default_authority } else { "" }, rest))
        } else {
            Err(UriError::Relative)
        };
    };
    let (authority, path) = rest.find('/').map_or((rest, ""), |slash| rest.split_at(slash));
    if authority.contains(char::is_whitespace) {
        return Err(UriError::Malformed);
    }
    if authority.is_empty() && scheme.eq_ignore_ascii_case(PACKED) {
        return Ok((default_scheme, default_authority, path));
    }
    let same = authority.is_empty() && scheme.eq_ignore_ascii_case(default_scheme);
    Ok((scheme, if same { default_authority } else { authority }, path))
}

#[cfg(test)]
mod tests {
    use super::*;

    const DEFAULT: &str = "hdfs://nn:8020";

    fn requested(text: &str) -> String {
        Uri::requested(text, DEFAULT).map_or_else(|error| error.to_string(), |uri| uri.to_string())
    }

    #[test]
    fn absent_parts_are_the_default_file_systems() {
        assert_eq!(requested("/tmp/a"), "hdfs://nn:8020/tmp/a");
        assert_eq!(requested("hdfs:///tmp/a/"), "hdfs://nn:8020/tmp/a");
        assert_eq!(requested("hdfs:/tmp/a"), "hdfs://nn:8020/tmp/a");
        assert_eq!(requested("file:/tmp/a"), "file:///tmp/a");
        assert_eq!(requested("HDFS://NN:8020//tmp/./A"), "hdfs://nn:8020/tmp/A");
        assert_eq!(requested("//tmp//a"), "hdfs://nn:8020/tmp/a");
    }

    #[test]
    fn parents_are_resolved_in_requests_and_refused_in_grants() {
        assert_eq!(requested("/a/b/../c"), "hdfs://nn:8020/a/c");
        assert_eq!(Uri::requested("/a/../../c", DEFAULT), Err(UriError::ParentComponent));
        assert_eq!(Uri::granted("/a/../c", DEFAULT), Err(UriError::ParentComponent));
        assert_eq!(requested("/a/%2e%2e/c"), "hdfs://nn:8020/a/%2e%2e/c");
    }

    #[test]
    fn what_hadoop_makes_a_parent_of_is_refused() {
        for path in ["/in/\\.\\./secret", "/in/.\\./secret"] {
            assert_eq!(Uri::requested(path, DEFAULT), Err(UriError::ParentComponent), "{path}");
        }
        for path in ["/in/{a/b,..}/secret", "/in/{a/b,.}./secret", "/in/{../secret,a}"] {
            assert_eq!(Uri::requested(path, DEFAULT), Err(UriError::OpenBrace), "{path}");
        }
        assert_eq!(requested("/in/{a,b}/*.csv"), "hdfs://nn:8020/in/{a,b}/*.csv");
    }

    #[test]
    fn a_prefix_ends_at_a_component() {
        let data = Uri::granted("/data", DEFAULT).unwrap();
        assert!(data.covers(&Uri::requested("/data/x=1", DEFAULT).unwrap()));
        assert!(data.covers(&data));
        assert!(!data.covers(&Uri::requested("/data2", DEFAULT).unwrap()));
        let root = Uri::granted("/", DEFAULT).unwrap();
        assert!(root.covers(&data));
        assert!(!root.covers(&Uri::requested("hdfs://other:8020/data", DEFAULT).unwrap()));
    }

    #[test]
    fn ancestors_end_at_the_root() {
        let uri = Uri::requested("/a/b", DEFAULT).unwrap();
        let places: Vec<&str> = uri.and_ancestors().collect();
        assert_eq!(places, ["hdfs://nn/a/b", "hdfs://nn/a", "hdfs://nn"]);
    }

    #[test]
    fn the_default_port_of_hdfs_makes_no_difference() {
        let [with, without] =
            ["hdfs://NN:8020/a", "hdfs://nn/a"].map(|text| Uri::granted(text, DEFAULT).unwrap());
        assert_eq!(with, without);
        assert_eq!([with.to_string(), without.to_string()], ["hdfs://nn:8020/a", "hdfs://nn/a"]);
        for other in ["hdfs://nn:8021/a", "abfs://nn:8020/a", "hdfs://nn:18020/a", "hdfs://:8020/a"] {
            let other = Uri::granted(other, "file://").unwrap();
            assert!(other != with, "{other}");
            assert_eq!(Uri::from_normalised(&other.to_string()).to_string(), other.to_string());
        }
    }

    #[test]
    fn hdfs_by_another_door_is_hdfs() {
        for text in [
            "webhdfs://nn:9870/a",
            "SWEBHDFS://NN:9871/a",
            "webhdfs://nn/a",
            "hftp://nn:50070/a",
            "hdfs://ana@nn:8020/a",
            "hdfs://nn:08020/a",
            "hdfs://nn./a",
            "hdfs://nn:/a",
            "har://hdfs-nn:8020/a",
            "har:///a",
        ] {
            let uri = Uri::requested(text, DEFAULT).unwrap();
            assert_eq!(uri.key(), "hdfs://nn/a", "{text}");
            assert_eq!(Uri::from_normalised(&uri.to_string()), uri, "{text}");
        }
        let elsewhere = |text| Uri::requested(text, "hdfs://nn:9000").unwrap().to_string();
        assert_eq!(elsewhere("webhdfs://nn:9870/a"), "hdfs://nn:9000/a");
        assert_eq!(elsewhere("webhdfs://other:9870/a"), "hdfs://other/a");
        assert_eq!(elsewhere("webhdfs://[::1]:9870/a"), "hdfs://[::1]/a");
        assert_eq!(elsewhere("hdfs://other:9000/a"), "hdfs://other:9000/a");
        assert_eq!(elsewhere("s3a://key@bucket/a"), "s3a://key@bucket/a");
    }

    #[test]
    fn an_address_reaches_what_is_in_it_and_what_its_patterns_may_stand_for() {
        let secret = Uri::granted("/in/secret/part", DEFAULT).unwrap();
        let reaches = |text: &str| Uri::requested(text, DEFAULT).unwrap().may_reach(&secret);
        for text in
            ["/", "/in", "/in/secret/part/x", "hdfs://nn/in", "/in/*", "/*/{a,secret}", "/in/s*/p*/q", "/i?"]
        {
            assert!(reaches(text), "{text}");
        }
        for text in ["/inn", "/in/secret/part2", "hdfs://nn:9000/in", "/in/*.csv", "/*/{a,b}", "/*/secret/x"]
        {
            assert!(!reaches(text), "{text}");
        }
    }
}
