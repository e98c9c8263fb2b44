//! A client that sends one call over one connection, and takes the answer apart.

use std::io::{Read, Write};
use std::net::{SocketAddr, TcpStream};
use std::time::Duration;

use serde_json::Value;

/// No answer of a test takes longer.
const PATIENCE: Duration = Duration::from_secs(60);

/// A call before it is sent.
#[derive(Clone)]
pub struct Ask {
    address: SocketAddr,
    method: String,
    path: String,
    headers: Vec<(String, String)>,
    body: Option<Vec<u8>>,
}

/// What was answered.
#[derive(Debug)]
pub struct Answer {
    pub status: u16,
    pub headers: Vec<(String, String)>,
    pub body: Vec<u8>,
}

impl Ask {
    pub fn new(address: SocketAddr, method: &str, path: &str) -> Self {
        Self { address, method: method.to_owned(), path: path.to_owned(), headers: Vec::new(), body: None }
    }

    pub fn header(mut self, name: &str, value: &str) -> Self {
        self.headers.push((name.to_owned(), value.to_owned()));
        self
    }

    pub fn bearer(self, token: &str) -> Self {
        self.header("Authorization", &format!("Bearer {token}"))
    }

    pub fn json(self, body: &Value) -> Self {
        self.body("application/json", body.to_string())
    }

    pub fn body(mut self, media_type: &str, body: impl Into<Vec<u8>>) -> Self {
        self.body = Some(body.into());
        self.header("Content-Type", media_type)
    }

    pub fn send(self) -> Answer {
        let stream = connect(self.address);
        self.send_over(stream)
    }

    pub fn send_over(self, stream: impl Read + Write) -> Answer {
        self.try_send_over(stream).expect("there is an answer")
    }

    /// None where the other side goes away before it has answered.
    pub fn try_send_over(self, mut stream: impl Read + Write) -> Option<Answer> {
        let Self { address, method, path, headers, body } = self;
        let mut head = format!("{method} {path} HTTP/1.1\r\nHost: {address}\r\nConnection: close\r\n");
        for (name, value) in headers {
            head += &format!("{name}: {value}\r\n");
        }
        if let Some(body) = &body {
            head += &format!("Content-Length: {}\r\n", body.len());
        }
        let mut bytes = (head + "\r\n").into_bytes();
        bytes.extend(body.unwrap_or_default());
        stream.write_all(&bytes).ok()?;
        stream.flush().ok()?;
        answer_of(&mut stream)
    }
}

impl Answer {
    pub fn header(&self, name: &str) -> Option<&str> {
        let found = self.headers.iter().find(|(known, _)| known.eq_ignore_ascii_case(name));
        found.map(|(_, value)| value.as_str())
    }

    pub fn text(&self) -> String {
        String::from_utf8_lossy(&self.body).into_owned()
    }

    pub fn json(&self) -> Value {
        serde_json::from_slice(&self.body).unwrap_or(Value::Null)
    }

    /// The code of a problem.
    pub fn code(&self) -> String {
        self.json()["code"].as_str().unwrap_or_default().to_owned()
    }
}

pub fn connect(address: SocketAddr) -> TcpStream {
    let stream = TcpStream::connect(address).expect("the server listens");
    stream.set_read_timeout(Some(PATIENCE)).expect("it can be set");
    stream
}

/// Reads until the other side ends; none where nothing came.
pub fn answer_of(stream: &mut impl Read) -> Option<Answer> {
    let mut bytes = Vec::new();
    // A connection that is cut off has said what it has to say.
    let _ = stream.read_to_end(&mut bytes);
    parse(&bytes)
}

pub fn parse(bytes: &[u8]) -> Option<Answer> {
    let end = bytes.windows(4).position(|window| window == b"\r\n\r\n")?;
    let head = String::from_utf8_lossy(&bytes[..end]).into_owned();
    let mut lines = head.split("\r\n");
    let status = lines.next()?.split(' ').nth(1)?.parse().ok()?;
    let header =
        |line: &str| line.split_once(':').map(|(name, value)| (name.to_owned(), value.trim().to_owned()));
    let mut answer =
        Answer { status, headers: lines.filter_map(header).collect(), body: bytes[end + 4..].to_vec() };
    if answer.header("Transfer-Encoding").is_some() {
        answer.body = unchunked(&answer.body);
    }
    Some(answer)
}

fn unchunked(mut bytes: &[u8]) -> Vec<u8> {
    let mut body = Vec::new();
    while let Some(end) = bytes.windows(2).position(|window| window == b"\r\n") {
        let length = std::str::from_utf8(&bytes[..end]).ok();
        let length = length.and_then(|length| usize::from_str_radix(length, 16).ok()).unwrap_or(0);
        let Some(chunk) = bytes.get(end + 2..end + 2 + length).filter(|chunk| !chunk.is_empty()) else {
            break;
        };
        body.extend_from_slice(chunk);
        bytes = bytes.get(end + 2 + length + 2..).unwrap_or_default();
    }
    body
}
