//! What somebody searches for, word by word, and how it fits a text.

use guardbee_engine::Problem;

use super::near;
use crate::ground::Unanswered;

/// More than anybody types; it bounds what a search costs.
const MOST_LETTERS: usize = 256;
const MOST_TERMS: usize = 8;
/// From so many letters on one mistake is forgiven, and two.
const ONE_MISTAKE_FROM: usize = 4;
const TWO_MISTAKES_FROM: usize = 8;

/// How a word was found, the best first.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum How {
    /// It is all of a name.
    Exact,
    /// A name begins with it.
    Prefix,
    /// A word in a name or text begins with it.
    Word,
    /// A word nearly is it.
    Typo,
}

/// What of a dataset it was found in, the best first.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum Field {
    Name,
    Column,
    Tag,
    Owner,
    Comment,
}

impl How {
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::Exact => "exact",
            Self::Prefix => "prefix",
            Self::Word => "word",
            Self::Typo => "typo",
        }
    }
}

impl Field {
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::Name => "name",
            Self::Column => "column",
            Self::Tag => "tag",
            Self::Owner => "owner",
            Self::Comment => "comment",
        }
    }
}

/// How well something fits: the smaller the better.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub struct Rank(pub u8);

impl Rank {
    /// Of what does not fit.
    pub const NONE: Self = Self(u8::MAX);
    /// All others are below.
    pub const COUNT: usize = 4 * Self::FIELDS as usize;
    const FIELDS: u8 = 8;

    pub const fn of(how: How, field: Field) -> Self {
        Self::of_field(how, field as u8)
    }

    /// The same for the number of a field.
    pub const fn of_field(how: How, field: u8) -> Self {
        Self(how as u8 * Self::FIELDS + field)
    }

    /// The same where it is not the whole that fits.
    pub fn of_a_part(self) -> Self {
        let word = How::Word as u8 * Self::FIELDS;
        Self(if self.0 >= word { self.0 } else { word + self.0 % Self::FIELDS })
    }
}

/// One word of a search.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Term {
    pub text: String,
    pub letters: Vec<char>,
    /// Where it is made of several words, such as `order_items`, each of them; else nothing.
    pub parts: Vec<Self>,
}

impl Term {
    /// The words of a search, at least one.
    ///
    /// # Errors
    /// [`Unanswered::WrongUse`] where there is none, or too much.
    pub fn all(query: &str) -> Result<Vec<Self>, Unanswered> {
        let wrong = |code, message: String| Unanswered::WrongUse(Problem::new(code, message));
        if query.chars().count() > MOST_LETTERS {
            let message = format!("a search has {MOST_LETTERS} letters at most");
            return Err(wrong("too-long", message));
        }
        let terms: Vec<Self> = query.split_whitespace().map(Self::of).collect();
        match terms.len() {
            0 => Err(wrong("nothing-asked", "nothing is searched for".to_owned())),
            1..=MOST_TERMS => Ok(terms),
            _ => Err(wrong("too-long", format!("a search has {MOST_TERMS} words at most"))),
        }
    }

    fn of(text: &str) -> Self {
        let whole = Self::single(&text.to_lowercase());
        let parts: Vec<Self> = words(&whole.text).map(Self::single).collect();
        let is_composed = parts.len() > 1;
        Self { parts: if is_composed { parts } else { Vec::new() }, ..whole }
    }

    fn single(text: &str) -> Self {
        Self { text: text.to_owned(), letters: text.chars().collect(), parts: Vec::new() }
    }

    /// How many mistakes are forgiven. Numbers are meant as they are.
    pub fn mistakes(&self) -> u8 {
        let letters = self.letters.len();
        if letters < ONE_MISTAKE_FROM || self.letters.iter().all(char::is_ascii_digit) {
            0
        } else if letters < TWO_MISTAKES_FROM {
            1
        } else {
            2
        }
    }

    /// How it fits a name.
    pub fn in_name(&self, name: &str) -> Option<How> {
        let name = name.to_lowercase();
        if name == self.text {
            Some(How::Exact)
        } else if name.starts_with(&self.text) {
            Some(How::Prefix)
        } else {
            self.in_words(std::iter::once(name.as_str()).chain(words(&name)))
        }
    }

    /// How it fits a text.
    pub fn in_text(&self, text: &str) -> Option<How> {
        self.in_words(words(&text.to_lowercase()))
    }

    fn in_words<'w>(&self, words: impl Iterator<Item = &'w str> + Clone) -> Option<How> {
        let single = words.clone().filter_map(|word| self.in_word(word)).min();
        if self.parts.is_empty() || single == Some(How::Word) {
            return single;
        }
        let parts = self.parts.iter().map(|part| words.clone().filter_map(|word| part.in_word(word)).min());
        let all: Option<Vec<How>> = parts.collect();
        single.into_iter().chain(all.and_then(|all| all.into_iter().max())).min()
    }

    fn in_word(&self, word: &str) -> Option<How> {
        if word.starts_with(&self.text) {
            return Some(How::Word);
        }
        (self.mistakes() > 0 && near::is_near(word, &self.letters, self.mistakes())).then_some(How::Typo)
    }
}

/// The words of a text or name.
pub fn words(text: &str) -> impl Iterator<Item = &str> + Clone {
    text.split(|letter: char| !letter.is_alphanumeric()).filter(|word| !word.is_empty())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn how(term: &str, name: &str) -> Option<How> {
        Term::all(term).expect("it is a search")[0].in_name(name)
    }

    #[test]
    fn names_fit_as_a_whole_by_their_beginning_by_a_word_or_nearly() {
        for (term, name, expected) in [
            ("orders", "orders", Some(How::Exact)),
            ("ORDERS", "orders", Some(How::Exact)),
            ("ord", "orders", Some(How::Prefix)),
            ("order_it", "order_items", Some(How::Prefix)),
            ("items", "order_items", Some(How::Word)),
            ("it", "order_items", Some(How::Word)),
            ("tems", "order_items", Some(How::Typo)),
            ("itmes", "order_items", Some(How::Typo)),
            ("order_itmes", "order_items", Some(How::Typo)),
            ("items_order", "order_items", Some(How::Word)),
            ("odr", "orders", None),
            ("ordes", "orders", Some(How::Typo)),
            ("odrres", "orders", None),
            ("custmoers", "customers", Some(How::Typo)),
            ("csutmoers", "customers", Some(How::Typo)),
            ("csutmoesr", "customers", None),
            ("2024", "2025", None),
            ("grösse", "GRÖSSE", Some(How::Exact)),
            ("größt", "gröst", Some(How::Typo)),
        ] {
            assert_eq!(how(term, name), expected, "`{term}` in `{name}`");
        }
    }

    #[test]
    fn a_search_is_bounded() {
        assert!(Term::all(" ").is_err());
        assert!(Term::all(&"a ".repeat(9)).is_err());
        assert!(Term::all(&"a".repeat(257)).is_err());
        assert_eq!(Term::all("a b").expect("two words").len(), 2);
    }

    #[test]
    fn how_counts_before_where() {
        assert!(Rank::of(How::Exact, Field::Comment) < Rank::of(How::Prefix, Field::Name));
        assert_eq!(Rank::of(How::Exact, Field::Tag).of_a_part(), Rank::of(How::Word, Field::Tag));
        assert_eq!(Rank::of(How::Typo, Field::Tag).of_a_part(), Rank::of(How::Typo, Field::Tag));
        assert!((Rank::of(How::Typo, Field::Comment).0 as usize) < Rank::COUNT);
    }
}
