//! The bytes of a dump, one after the other, with the line they stand in. Only a buffer of them is in memory.

use std::io::{self, Read};

/// How many bytes are read at a time. Nothing looks further ahead than this.
const BUFFER_BYTES: usize = 1 << 16;

pub(super) struct Scanner<R> {
    input: R,
    buffer: Vec<u8>,
    at: usize,
    is_at_end: bool,
    line: u64,
}

impl<R: Read> Scanner<R> {
    pub(super) fn new(input: R) -> Self {
        Self { input, buffer: Vec::with_capacity(BUFFER_BYTES), at: 0, is_at_end: false, line: 1 }
    }

    /// The line of the next byte, from 1 on.
    pub(super) const fn line(&self) -> u64 {
        self.line
    }

    /// What is in the buffer from here on: at least `wanted` bytes, or all there are.
    pub(super) fn ahead(&mut self, wanted: usize) -> io::Result<&[u8]> {
        while self.buffer.len() - self.at < wanted && !self.is_at_end {
            self.refill()?;
        }
        Ok(self.buffer.get(self.at..).unwrap_or_default())
    }

    fn refill(&mut self) -> io::Result<()> {
        self.buffer.drain(..self.at);
        self.at = 0;
        let kept = self.buffer.len();
        self.buffer.resize(kept.saturating_add(BUFFER_BYTES), 0);
        let read = loop {
            match self.input.read(self.buffer.get_mut(kept..).unwrap_or_default()) {
                Err(error) if error.kind() == io::ErrorKind::Interrupted => {}
                other => break other,
            }
        };
        self.buffer.truncate(kept.saturating_add(*read.as_ref().unwrap_or(&0)));
        self.is_at_end = read? == 0;
        Ok(())
    }

    pub(super) fn peek(&mut self) -> io::Result<Option<u8>> {
        if let Some(&byte) = self.buffer.get(self.at) {
            return Ok(Some(byte));
        }
        Ok(self.ahead(1)?.first().copied())
    }

    pub(super) fn next(&mut self) -> io::Result<Option<u8>> {
        let byte = self.peek()?;
        if let Some(byte) = byte {
            self.at += 1;
            self.line += u64::from(byte == b'\n');
        }
        Ok(byte)
    }

    /// Goes on by bytes that were seen [`ahead`](Self::ahead).
    pub(super) fn advance(&mut self, count: usize) {
        let passed = self.buffer.get(self.at..).and_then(|rest| rest.get(..count)).unwrap_or_default();
        let lines = memchr::memchr_iter(b'\n', passed).count();
        self.at += passed.len();
        self.line += lines as u64;
    }

    pub(super) fn starts_with(&mut self, text: &[u8]) -> io::Result<bool> {
        Ok(self.ahead(text.len())?.starts_with(text))
    }

    /// Goes on to the next byte that is wanted, or the end, and hands over what is passed.
    pub(super) fn pass_until(
        &mut self,
        is_wanted: impl Fn(u8) -> bool,
        mut passed: impl FnMut(&[u8]),
    ) -> io::Result<Option<u8>> {
        loop {
            let ahead = self.ahead(1)?;
            if ahead.is_empty() {
                return Ok(None);
            }
            let count = ahead.iter().position(|&byte| is_wanted(byte)).unwrap_or(ahead.len());
            let found = ahead.get(count).copied();
            passed(ahead.get(..count).unwrap_or_default());
            self.advance(count);
            if found.is_some() {
                return Ok(found);
            }
        }
    }

    pub(super) fn skip_until(&mut self, is_wanted: impl Fn(u8) -> bool) -> io::Result<Option<u8>> {
        self.pass_until(is_wanted, |_| {})
    }

    /// Goes behind the end of the line.
    pub(super) fn skip_line(&mut self) -> io::Result<()> {
        self.skip_until(|byte| byte == b'\n')?;
        self.next()?;
        Ok(())
    }
}
