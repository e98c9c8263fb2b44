//! Patterns for column names, as `` `(ds|hr)?+.+` ``: the part of Java's regular expressions that such
//! names use.
//!
//! Matching goes back where it must, with a bound on the steps, so that no pattern takes long.

/// A pattern that a whole name must fit, without regard to case.
#[derive(Debug)]
pub(super) struct Pattern {
    alternatives: Vec<Vec<Piece>>,
}

#[derive(Debug)]
struct Piece {
    atom: Atom,
    least: usize,
    most: usize,
    greed: Greed,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Greed {
    Greedy,
    Lazy,
    /// Takes all it can and gives nothing back.
    Possessive,
}

#[derive(Debug)]
enum Atom {
    Any,
    Letter(char),
    Class {
        negated: bool,
        ranges: Vec<(char, char)>,
    },
    Group(Vec<Vec<Piece>>),
    /// `(?!...)` and `(?=...)`: looks ahead and takes nothing.
    Ahead {
        negated: bool,
        alternatives: Vec<Vec<Piece>>,
    },
    Start,
    End,
}

const DEEPEST: usize = 50;
const MOST_STEPS: usize = 20_000;

impl Pattern {
    /// Reads a pattern; nothing where the text is none that is known.
    pub(super) fn new(text: &str) -> Option<Self> {
        let folded: Vec<char> = text.chars().collect();
        let mut reader = Reader { text: &folded, place: 0 };
        let alternatives = reader.alternatives(0)?;
        (reader.place == folded.len()).then_some(Self { alternatives })
    }

    pub(super) fn matches(&self, name: &str) -> bool {
        let name: Vec<char> = name.chars().flat_map(char::to_lowercase).collect();
        let mut matcher = Matcher { name: &name, steps: MOST_STEPS };
        matcher.any(&self.alternatives, 0, &mut |_, end| end == name.len())
    }
}

struct Reader<'t> {
    text: &'t [char],
    place: usize,
}

impl Reader<'_> {
    fn peek(&self) -> Option<char> {
        self.text.get(self.place).copied()
    }

    fn eat(&mut self, wanted: char) -> bool {
        let is_there = self.peek() == Some(wanted);
        self.place += usize::from(is_there);
        is_there
    }

    fn next(&mut self) -> Option<char> {
        let next = self.peek()?;
        self.place += 1;
        Some(next)
    }

    fn alternatives(&mut self, depth: usize) -> Option<Vec<Vec<Piece>>> {
        if depth > DEEPEST {
            return None;
        }
        let mut alternatives = vec![self.sequence(depth)?];
        while self.eat('|') {
            alternatives.push(self.sequence(depth)?);
        }
        Some(alternatives)
    }

    fn sequence(&mut self, depth: usize) -> Option<Vec<Piece>> {
        let mut pieces = Vec::new();
        while let Some(next) = self.peek() {
            if next == '|' || next == ')' {
                break;
            }
            let atom = self.atom(depth)?;
            let (least, most) = self.repetition()?;
            let greed = match self.peek() {
                Some('?') if (least, most) != (1, 1) => Greed::Lazy,
                Some('+') if (least, most) != (1, 1) => Greed::Possessive,
                _ => Greed::Greedy,
            };
            self.place += usize::from(greed != Greed::Greedy);
            pieces.push(Piece { atom, least, most, greed });
        }
        Some(pieces)
    }

    fn atom(&mut self, depth: usize) -> Option<Atom> {
        Some(match self.next()? {
            '.' => Atom::Any,
            '^' => Atom::Start,
            '$' => Atom::End,
            '(' => {
                let atom = self.group(depth)?;
                if !self.eat(')') {
                    return None;
                }
                atom
            }
            '[' => self.class()?,
            '\\' => escaped(self.next()?),
            '*' | '+' | '?' => return None,
            letter => Atom::Letter(lower(letter)),
        })
    }

    fn group(&mut self, depth: usize) -> Option<Atom> {
        if !self.eat('?') {
            return Some(Atom::Group(self.alternatives(depth + 1)?));
        }
        match self.next()? {
            ':' => Some(Atom::Group(self.alternatives(depth + 1)?)),
            sign @ ('!' | '=') => {
                Some(Atom::Ahead { negated: sign == '!', alternatives: self.alternatives(depth + 1)? })
            }
            _ => None,
        }
    }

    fn class(&mut self) -> Option<Atom> {
        let negated = self.eat('^');
        let mut ranges = Vec::new();
        loop {
            let low = match self.next()? {
                ']' if !ranges.is_empty() => return Some(Atom::Class { negated, ranges }),
                '\\' => match escaped(self.next()?) {
                    Atom::Class { ranges: inner, .. } => {
                        ranges.extend(inner);
                        continue;
                    }
                    Atom::Letter(letter) => letter,
                    _ => return None,
                },
                letter => lower(letter),
            };
            let is_range = self.peek() == Some('-') && self.text.get(self.place + 1) != Some(&']');
            let high = if is_range {
                self.place += 1;
                lower(self.next()?)
            } else {
                low
            };
            ranges.push((low, high));
        }
    }

    fn repetition(&mut self) -> Option<(usize, usize)> {
        Some(match self.peek() {
            Some('*') => self.taken((0, usize::MAX)),
            Some('+') => self.taken((1, usize::MAX)),
            Some('?') => self.taken((0, 1)),
            Some('{') => {
                self.place += 1;
                let least = self.count()?;
                let most = if !self.eat(',') {
                    least
                } else if self.peek() == Some('}') {
                    usize::MAX
                } else {
                    self.count()?
                };
                if !self.eat('}') {
                    return None;
                }
                (least, most)
            }
            _ => (1, 1),
        })
    }

    fn taken<T>(&mut self, value: T) -> T {
        self.place += 1;
        value
    }

    fn count(&mut self) -> Option<usize> {
        let start = self.place;
        while self.peek().is_some_and(|digit| digit.is_ascii_digit()) {
            self.place += 1;
        }
        self.text.get(start..self.place)?.iter().collect::<String>().parse().ok()
    }
}

fn escaped(letter: char) -> Atom {
    let class = |negated: bool, ranges: &[(char, char)]| Atom::Class { negated, ranges: ranges.to_vec() };
    const WORD: &[(char, char)] = &[('a', 'z'), ('0', '9'), ('_', '_')];
    match letter {
        'd' => class(false, &[('0', '9')]),
        'D' => class(true, &[('0', '9')]),
        'w' => class(false, WORD),
        'W' => class(true, WORD),
        's' => class(false, &[(' ', ' '), ('\t', '\r')]),
        'S' => class(true, &[(' ', ' '), ('\t', '\r')]),
        other => Atom::Letter(lower(other)),
    }
}

fn lower(letter: char) -> char {
    letter.to_lowercase().next().unwrap_or(letter)
}

struct Matcher<'n> {
    name: &'n [char],
    steps: usize,
}

/// What has to fit behind a match that ends at a place.
type Rest<'r, 'n> = &'r mut dyn FnMut(&mut Matcher<'n>, usize) -> bool;

impl<'n> Matcher<'n> {
    fn any(&mut self, alternatives: &[Vec<Piece>], place: usize, rest: Rest<'_, 'n>) -> bool {
        alternatives.iter().any(|pieces| self.sequence(pieces, place, rest))
    }

    fn sequence(&mut self, pieces: &[Piece], place: usize, rest: Rest<'_, 'n>) -> bool {
        let Some((piece, others)) = pieces.split_first() else { return rest(self, place) };
        self.repeated(piece, 0, place, &mut |matcher, end| matcher.sequence(others, end, rest))
    }

    /// The piece once more, or what stands behind it.
    fn repeated(&mut self, piece: &Piece, count: usize, place: usize, rest: Rest<'_, 'n>) -> bool {
        let Some(steps) = self.steps.checked_sub(1) else { return false };
        self.steps = steps;
        let may_end = count >= piece.least;
        let may_go_on = count < piece.most && count <= self.name.len();
        match piece.greed {
            Greed::Possessive => {
                let mut end = None;
                if may_go_on {
                    self.once(&piece.atom, place, &mut |_, next| {
                        end = Some(next);
                        true
                    });
                }
                match end {
                    Some(next) if next > place => self.repeated(piece, count + 1, next, rest),
                    _ => may_end && rest(self, place),
                }
            }
            Greed::Lazy => {
                (may_end && rest(self, place)) || (may_go_on && self.more(piece, count, place, rest))
            }
            Greed::Greedy => {
                (may_go_on && self.more(piece, count, place, rest)) || (may_end && rest(self, place))
            }
        }
    }

    fn more(&mut self, piece: &Piece, count: usize, place: usize, rest: Rest<'_, 'n>) -> bool {
        self.once(&piece.atom, place, &mut |matcher, next| {
            (next > place || count < piece.least) && matcher.repeated(piece, count + 1, next, rest)
        })
    }

    fn once(&mut self, atom: &Atom, place: usize, rest: Rest<'_, 'n>) -> bool {
        let letter = self.name.get(place).copied();
        match atom {
            Atom::Any => letter.is_some() && rest(self, place + 1),
            Atom::Letter(wanted) => letter == Some(*wanted) && rest(self, place + 1),
            Atom::Class { negated, ranges } => {
                let fits = |letter: char| ranges.iter().any(|(low, high)| (*low..=*high).contains(&letter));
                letter.is_some_and(|letter| fits(letter) != *negated) && rest(self, place + 1)
            }
            Atom::Group(alternatives) => self.any(alternatives, place, rest),
            Atom::Ahead { negated, alternatives } => {
                self.any(alternatives, place, &mut |_, _| true) != *negated && rest(self, place)
            }
            Atom::Start => place == 0 && rest(self, place),
            Atom::End => place == self.name.len() && rest(self, place),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::Pattern;

    #[test]
    fn fits_as_javas_do() {
        for (pattern, name, fits) in [
            ("(ds|hr)?+.+", "ds", false),
            ("(ds|hr)?+.+", "hr", false),
            ("(ds|hr)?+.+", "key", true),
            ("(ds|hr)?+.+", "dsx", true),
            ("key|value", "value", true),
            ("k.*", "KEY", true),
            ("..", "ds", true),
            ("..", "key", false),
            ("[a-c]+[0-9]{2}", "ab12", true),
            ("[^a]+", "bab", false),
            (r"\w+_\d", "x_y_3", true),
            ("(?!ds).*", "ds1", false),
            (".*?y", "key", true),
            ("(a*)*b", "aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaac", false),
        ] {
            assert_eq!(Pattern::new(pattern).is_some_and(|p| p.matches(name)), fits, "{pattern} on {name}");
        }
        for bad in ["(a", "a)", "*", "[a", "a{x}"] {
            assert!(Pattern::new(bad).is_none(), "{bad}");
        }
    }
}
