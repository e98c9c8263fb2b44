//! Values as few bytes, and back. What is read back may be anything: it is a value or nothing, never more memory than
//! its bytes are worth.

use std::cell::OnceCell;
use std::sync::Arc;

use guardbee_model::Name;
use rustc_hash::FxHashMap;
use smol_str::SmolStr;

/// Writes one value after the other.
pub struct Encoder<'t> {
    bytes: Vec<u8>,
    /// Texts that have been written, and the how manieth each was.
    texts: FxHashMap<&'t str, u64>,
}

impl<'t> Encoder<'t> {
    /// `known` are texts that the decoder has from elsewhere: to repeat one of them costs no more than its number.
    pub fn new(known: &[&'t str]) -> Self {
        let mut encoder = Self { bytes: Vec::with_capacity(512), texts: FxHashMap::default() };
        known.iter().for_each(|text| {
            encoder.remember(text);
        });
        encoder
    }

    pub fn finish(self) -> Vec<u8> {
        self.bytes
    }

    pub fn as_bytes(&self) -> &[u8] {
        &self.bytes
    }

    /// Starts anew, with the memory that it has.
    pub fn clear(&mut self) {
        self.bytes.clear();
        self.texts.clear();
    }

    /// Bytes whose number is known to whoever reads them.
    pub fn raw(&mut self, bytes: &[u8]) {
        self.bytes.extend_from_slice(bytes);
    }

    pub fn byte(&mut self, byte: u8) {
        self.bytes.push(byte);
    }

    /// Seven bits a byte, the low ones first.
    pub fn number(&mut self, mut number: u64) {
        while number >= 0x80 {
            self.bytes.push(number.to_le_bytes()[0] | 0x80);
            number >>= 7;
        }
        self.bytes.push(number.to_le_bytes()[0]);
    }

    /// Small numbers of either sign in few bytes.
    pub fn signed(&mut self, number: i64) {
        self.number(((number << 1) ^ (number >> 63)).cast_unsigned());
    }

    pub fn optional_number(&mut self, number: Option<u64>) {
        match number {
            Some(number) => {
                self.byte(1);
                self.number(number);
            }
            None => self.byte(0),
        }
    }

    pub fn count(&mut self, count: usize) {
        self.number(count as u64);
    }

    /// A text that is not likely to come again.
    pub fn literal(&mut self, text: &str) {
        self.bytes(text.as_bytes());
    }

    pub fn bytes(&mut self, bytes: &[u8]) {
        self.count(bytes.len());
        self.bytes.extend_from_slice(bytes);
    }

    /// A text that may come again.
    pub fn text(&mut self, text: &'t str) {
        self.text_above(0, text);
    }

    pub fn optional_text(&mut self, text: Option<&'t str>) {
        match text {
            Some(text) => self.text_above(1, text),
            None => self.byte(0),
        }
    }

    /// `base`: a text that is new; above it: one that came before, by its number from 1.
    fn text_above(&mut self, base: u64, text: &'t str) {
        match self.texts.get(text) {
            Some(place) => self.number(base + 1 + place),
            None => {
                self.number(base);
                self.literal(text);
                self.remember(text);
            }
        }
    }

    fn remember(&mut self, text: &'t str) {
        let place = self.texts.len() as u64;
        self.texts.entry(text).or_insert(place);
    }
}

/// Reads what a [`Encoder`] wrote, in the same order. `None`: that is not what was written.
pub struct Decoder<'b> {
    rest: &'b [u8],
    texts: Vec<Text<'b>>,
}

/// A text and the forms it has been asked for in, each made once: a text that comes a thousand times is kept once.
struct Text<'b> {
    text: &'b str,
    small: OnceCell<SmolStr>,
    shared: OnceCell<Arc<str>>,
    name: OnceCell<Name>,
}

impl<'b> Text<'b> {
    const fn new(text: &'b str) -> Self {
        Self { text, small: OnceCell::new(), shared: OnceCell::new(), name: OnceCell::new() }
    }

    fn small(&self) -> SmolStr {
        self.small.get_or_init(|| SmolStr::new(self.text)).clone()
    }

    fn shared(&self) -> Arc<str> {
        self.shared.get_or_init(|| self.text.into()).clone()
    }

    fn name(&self) -> Name {
        self.name.get_or_init(|| Name::fold(self.text)).clone()
    }
}

impl<'b> Decoder<'b> {
    pub fn new(bytes: &'b [u8], known: &[&'b str]) -> Self {
        let mut decoder = Self { rest: bytes, texts: Vec::with_capacity(32) };
        for text in known {
            if !decoder.texts.iter().any(|known| known.text == *text) {
                decoder.texts.push(Text::new(text));
            }
        }
        decoder
    }

    /// Nothing may be left.
    pub fn end(&self) -> Option<()> {
        self.rest.is_empty().then_some(())
    }

    pub fn byte(&mut self) -> Option<u8> {
        let (byte, rest) = self.rest.split_first()?;
        self.rest = rest;
        Some(*byte)
    }

    pub fn number(&mut self) -> Option<u64> {
        let mut number = 0_u64;
        for shift in (0..64).step_by(7) {
            let byte = self.byte()?;
            let bits = u64::from(byte & 0x7f);
            // The tenth byte has room for one bit.
            if shift == 63 && bits > 1 {
                return None;
            }
            number |= bits << shift;
            if byte < 0x80 {
                return Some(number);
            }
        }
        None
    }

    pub fn signed(&mut self) -> Option<i64> {
        let number = self.number()?;
        Some((number >> 1).cast_signed() ^ -(number & 1).cast_signed())
    }

    pub fn optional_number(&mut self) -> Option<Option<u64>> {
        match self.byte()? {
            0 => Some(None),
            1 => self.number().map(Some),
            _ => None,
        }
    }

    /// How many things of at least one byte each follow; no more than there are bytes.
    pub fn count(&mut self) -> Option<usize> {
        let count = usize::try_from(self.number()?).ok()?;
        (count <= self.rest.len()).then_some(count)
    }

    /// Room for so many things, but for no more than the bytes that are there are worth.
    pub fn room<T>(&self, count: usize) -> Vec<T> {
        Vec::with_capacity(count.min(self.rest.len() / size_of::<T>().max(1) + 8))
    }

    pub fn list<T>(&mut self, mut read: impl FnMut(&mut Self) -> Option<T>) -> Option<Vec<T>> {
        let count = self.count()?;
        let mut list = self.room(count);
        for _ in 0..count {
            list.push(read(self)?);
        }
        Some(list)
    }

    pub fn literal(&mut self) -> Option<&'b str> {
        std::str::from_utf8(self.bytes()?).ok()
    }

    pub fn bytes(&mut self) -> Option<&'b [u8]> {
        let count = self.count()?;
        let (bytes, rest) = self.rest.split_at_checked(count)?;
        self.rest = rest;
        Some(bytes)
    }

    /// All that is left.
    pub const fn rest(&self) -> &'b [u8] {
        self.rest
    }

    /// A text of that many bytes.
    pub fn text_of(&mut self, bytes: u64) -> Option<&'b str> {
        let (text, rest) = self.rest.split_at_checked(usize::try_from(bytes).ok()?)?;
        self.rest = rest;
        std::str::from_utf8(text).ok()
    }

    fn text_at(&mut self, place: u64) -> Option<&Text<'b>> {
        let Some(before) = place.checked_sub(1) else {
            let text = self.literal()?;
            self.texts.push(Text::new(text));
            return self.texts.last();
        };
        self.texts.get(usize::try_from(before).ok()?)
    }

    fn text(&mut self) -> Option<&Text<'b>> {
        let place = self.number()?;
        self.text_at(place)
    }

    fn optional_text(&mut self) -> Option<Option<&Text<'b>>> {
        match self.number()?.checked_sub(1) {
            Some(place) => self.text_at(place).map(Some),
            None => Some(None),
        }
    }

    pub fn small(&mut self) -> Option<SmolStr> {
        self.text().map(Text::small)
    }

    pub fn shared(&mut self) -> Option<Arc<str>> {
        self.text().map(Text::shared)
    }

    pub fn name(&mut self) -> Option<Name> {
        self.text().map(Text::name)
    }

    pub fn optional_small(&mut self) -> Option<Option<SmolStr>> {
        Some(self.optional_text()?.map(Text::small))
    }

    pub fn optional_shared(&mut self) -> Option<Option<Arc<str>>> {
        Some(self.optional_text()?.map(Text::shared))
    }
}

/// A byte for each value of an enumeration, both ways.
macro_rules! codes {
    ($write:ident, $read:ident: $type:ty { $($code:literal => $variant:ident),* $(,)? }) => {
        const fn $write(value: $type) -> u8 {
            match value { $(<$type>::$variant => $code),* }
        }

        const fn $read(code: u8) -> Option<$type> {
            match code { $($code => Some(<$type>::$variant),)* _ => None }
        }
    };
}

pub(crate) use codes;

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_come_back() {
        let numbers = [0, 1, 127, 128, 300, 1 << 35, u64::MAX - 1, u64::MAX];
        let signed = [0, -1, 1, -64, 64, i64::MIN, i64::MAX];
        let mut encoder = Encoder::new(&[]);
        numbers.iter().for_each(|number| encoder.number(*number));
        signed.iter().for_each(|number| encoder.signed(*number));
        let bytes = encoder.finish();
        let mut decoder = Decoder::new(&bytes, &[]);
        assert_eq!(numbers.map(|_| decoder.number().unwrap()), numbers);
        assert_eq!(signed.map(|_| decoder.signed().unwrap()), signed);
        assert_eq!(decoder.end(), Some(()));
    }

    #[test]
    fn a_text_that_comes_again_costs_a_byte() {
        let mut encoder = Encoder::new(&["ana", "ana", "select"]);
        let texts = ["sales", "ana", "sales", "", "select", "", "größe"];
        texts.iter().for_each(|text| encoder.text(text));
        encoder.optional_text(None);
        encoder.optional_text(Some("größe"));
        encoder.optional_text(Some("new"));
        let bytes = encoder.finish();
        assert_eq!(bytes.len(), 7 + 1 + 1 + 2 + 1 + 1 + 9 + 1 + 1 + 5);
        let mut decoder = Decoder::new(&bytes, &["ana", "ana", "select"]);
        assert_eq!(texts.map(|_| decoder.small().unwrap()), texts);
        assert_eq!(decoder.optional_small(), Some(None));
        assert_eq!(decoder.optional_shared(), Some(Some("größe".into())));
        assert_eq!(decoder.optional_small(), Some(Some("new".into())));
        assert_eq!(decoder.end(), Some(()));
    }

    #[test]
    fn what_was_not_written_is_nothing() {
        let nothing: &[&[u8]] =
            &[&[], &[0xff; 11], &[0x80, 0x80], &[9, 9], &[0, 200, 1], &[0, 2, 0xff, 0xfe]];
        for bytes in nothing {
            assert_eq!(Decoder::new(bytes, &[]).small(), None, "{bytes:?}");
        }
        assert_eq!(Decoder::new(&[0xff, 0xff, 0xff, 0xff, 0x0f], &[]).list(|decoder| decoder.byte()), None);
    }
}
