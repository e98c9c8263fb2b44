//! Reading the little JSON that table properties hold, such as the schema of an Avro table.

/// How deep arrays and objects may nest.
const MAXIMUM_DEPTH: u32 = 64;

/// A JSON value. Numbers are kept as they are written.
#[derive(Debug, Clone, PartialEq)]
pub(crate) enum Json {
    Null,
    Bool(bool),
    Number(String),
    String(String),
    Array(Vec<Json>),
    Object(Vec<(String, Json)>),
}

impl Json {
    /// The value that all of `text` is; `None` where it is none.
    pub(crate) fn parse(text: &str) -> Option<Self> {
        let mut reader = Reader { rest: text };
        let value = reader.value(0)?;
        reader.skip_blank();
        reader.rest.is_empty().then_some(value)
    }

    /// The value of a key of an object.
    pub(crate) fn get(&self, key: &str) -> Option<&Self> {
        match self {
            Self::Object(members) => members.iter().find(|(name, _)| name == key).map(|(_, value)| value),
            _ => None,
        }
    }

    pub(crate) fn as_str(&self) -> Option<&str> {
        match self {
            Self::String(text) => Some(text),
            _ => None,
        }
    }

    /// A number; some schemas quote them.
    pub(crate) fn as_number<T: std::str::FromStr>(&self) -> Option<T> {
        match self {
            Self::Number(text) | Self::String(text) => text.parse().ok(),
            _ => None,
        }
    }

    pub(crate) fn as_array(&self) -> Option<&[Self]> {
        match self {
            Self::Array(items) => Some(items),
            _ => None,
        }
    }
}

struct Reader<'t> {
    rest: &'t str,
}

impl Reader<'_> {
    fn skip_blank(&mut self) {
        self.rest = self.rest.trim_start_matches([' ', '\t', '\n', '\r']);
    }

    fn takes(&mut self, text: &str) -> Option<()> {
        self.rest = self.rest.strip_prefix(text)?;
        Some(())
    }

    fn value(&mut self, depth: u32) -> Option<Json> {
        if depth > MAXIMUM_DEPTH {
            return None;
        }
        self.skip_blank();
        match self.rest.chars().next()? {
            '{' => self.object(depth),
            '[' => self.array(depth),
            '"' => self.string().map(Json::String),
            't' => self.takes("true").map(|()| Json::Bool(true)),
            'f' => self.takes("false").map(|()| Json::Bool(false)),
            'n' => self.takes("null").map(|()| Json::Null),
            _ => self.number(),
        }
    }

    fn object(&mut self, depth: u32) -> Option<Json> {
        self.takes("{")?;
        let mut members = Vec::new();
        loop {
            self.skip_blank();
            if self.takes("}").is_some() {
                return Some(Json::Object(members));
            }
            if !members.is_empty() {
                self.takes(",")?;
                self.skip_blank();
            }
            let key = self.string()?;
            self.skip_blank();
            self.takes(":")?;
            members.push((key, self.value(depth + 1)?));
        }
    }

    fn array(&mut self, depth: u32) -> Option<Json> {
        self.takes("[")?;
        let mut items = Vec::new();
        loop {
            self.skip_blank();
            if self.takes("]").is_some() {
                return Some(Json::Array(items));
            }
            if !items.is_empty() {
                self.takes(",")?;
            }
            items.push(self.value(depth + 1)?);
        }
    }

    fn string(&mut self) -> Option<String> {
        self.takes("\"")?;
        let mut text = String::new();
        loop {
            let end = self.rest.find(['"', '\\'])?;
            let (plain, rest) = self.rest.split_at_checked(end)?;
            text.push_str(plain);
            self.rest = rest;
            if self.takes("\"").is_some() {
                return Some(text);
            }
            self.takes("\\")?;
            text.push(self.escaped()?);
        }
    }

    /// What stands behind a backslash. Half of a surrogate pair becomes a replacement character.
    fn escaped(&mut self) -> Option<char> {
        let letter = self.rest.chars().next()?;
        self.rest = self.rest.get(letter.len_utf8()..)?;
        Some(match letter {
            'n' => '\n',
            't' => '\t',
            'r' => '\r',
            'b' => '\u{8}',
            'f' => '\u{c}',
            'u' => {
                let code = u32::from_str_radix(self.rest.get(..4)?, 16).ok()?;
                self.rest = self.rest.get(4..)?;
                char::from_u32(code).unwrap_or(char::REPLACEMENT_CHARACTER)
            }
            other => other,
        })
    }

    fn number(&mut self) -> Option<Json> {
        let is_part = |letter: char| letter.is_ascii_digit() || "+-.eE".contains(letter);
        let end = self.rest.find(|letter| !is_part(letter)).unwrap_or(self.rest.len());
        let (number, rest) = self.rest.split_at_checked(end)?;
        self.rest = rest;
        number.parse::<f64>().is_ok().then(|| Json::Number(number.to_owned()))
    }
}

#[cfg(test)]
mod tests {
    use super::Json;

    #[test]
    fn values_are_read() {
        let text = r#" { "a" : [1, -2.5e3, true, null, "x\n\u0041"], "b": {} } "#;
        let value = Json::parse(text).expect("a value");
        let items = value.get("a").and_then(Json::as_array).expect("an array");
        assert_eq!(items.len(), 5);
        assert_eq!(items[1].as_number::<f64>(), Some(-2500.0));
        assert_eq!(items[4].as_str(), Some("x\nA"));
        assert_eq!(value.get("b"), Some(&Json::Object(Vec::new())));
    }

    #[test]
    fn what_is_none_is_refused() {
        for text in ["", "{", "[1,]", "{\"a\":}", "\"x", "tru", "1 2", "[1 2]", &"[".repeat(10_000)] {
            assert_eq!(Json::parse(text), None, "{text}");
        }
    }
}
