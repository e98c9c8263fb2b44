//! A small client that keeps its connection, and many of them that ask at their times.

use std::net::SocketAddr;
use std::time::{Duration, Instant};

use anyhow::Context as _;
use serde_json::Value;
use tokio::io::{AsyncReadExt as _, AsyncWriteExt as _};
use tokio::net::TcpStream;

use crate::served::Answered;

/// A connection.
pub struct Client {
    stream: TcpStream,
    read: Vec<u8>,
}

impl Client {
    pub async fn connect(address: SocketAddr) -> anyhow::Result<Self> {
        let stream = TcpStream::connect(address).await?;
        stream.set_nodelay(true)?;
        Ok(Self { stream, read: Vec::new() })
    }

    pub async fn get(&mut self, path: &str, headers: &str) -> anyhow::Result<Answered> {
        self.ask(&request("GET", path, headers, "")).await
    }

    pub async fn post(&mut self, path: &str, headers: &str, body: &Value) -> anyhow::Result<Answered> {
        self.ask(&request("POST", path, headers, &body.to_string())).await
    }

    pub async fn put(&mut self, path: &str, headers: &str, body: &Value) -> anyhow::Result<Answered> {
        self.ask(&request("PUT", path, headers, &body.to_string())).await
    }

    async fn ask(&mut self, request: &[u8]) -> anyhow::Result<Answered> {
        let (head, body) = self.exchange(request).await?;
        let cookie =
            header(&head, "set-cookie").and_then(|cookie| cookie.split(';').next()).map(str::to_owned);
        let body = if body.is_empty() { Value::Null } else { serde_json::from_slice(&body)? };
        Ok(Answered { body, cookie })
    }

    /// Head and body of an answer, which has to be one of success.
    async fn exchange(&mut self, request: &[u8]) -> anyhow::Result<(String, Vec<u8>)> {
        self.stream.write_all(request).await?;
        let end = loop {
            if let Some(end) = self.read.windows(4).position(|window| window == b"\r\n\r\n") {
                break end;
            }
            self.more().await?;
        };
        let head = String::from_utf8_lossy(&self.read[..end]).into_owned();
        let length: usize = header(&head, "content-length").map_or(Ok(0), |length| length.trim().parse())?;
        while self.read.len() < end + 4 + length {
            self.more().await?;
        }
        let body = self.read[end + 4..end + 4 + length].to_vec();
        self.read.drain(..end + 4 + length);
        anyhow::ensure!(head.starts_with("HTTP/1.1 2"), "{head}\n{}", String::from_utf8_lossy(&body));
        Ok((head, body))
    }

    async fn more(&mut self) -> anyhow::Result<()> {
        let mut buffer = [0; 16 << 10];
        let count = self.stream.read(&mut buffer).await?;
        anyhow::ensure!(count > 0, "the server closed the connection");
        self.read.extend_from_slice(&buffer[..count]);
        Ok(())
    }
}

fn header<'h>(head: &'h str, name: &str) -> Option<&'h str> {
    let mut headers = head.lines().filter_map(|line| line.split_once(": "));
    headers.find(|(known, _)| known.eq_ignore_ascii_case(name)).map(|(_, value)| value)
}

fn request(method: &str, path: &str, headers: &str, body: &str) -> Vec<u8> {
    let length = body.len();
    format!(
        "{method} {path} HTTP/1.1\r\nhost: bench\r\ncontent-type: application/json\r\n{headers}content-length: {length}\r\n\r\n{body}"
    )
    .into_bytes()
}

fn bearer(token: &str) -> String {
    format!("authorization: Bearer {token}\r\n")
}

/// Answers a second to one call that is made again and again.
pub async fn repeated(
    address: SocketAddr,
    token: &str,
    path: &str,
    body: &str,
    lasts: Duration,
) -> anyhow::Result<f64> {
    let request = request("POST", path, &bearer(token), body);
    let mut client = Client::connect(address).await?;
    client.exchange(&request).await?;
    let (started, mut count) = (Instant::now(), 0_u32);
    while started.elapsed() < lasts {
        client.exchange(&request).await?;
        count += 1;
    }
    Ok(f64::from(count) / started.elapsed().as_secs_f64())
}

/// How much is asked.
#[derive(Debug, Clone, Copy)]
pub struct Load {
    /// Questions a second, over all connections.
    pub rate: f64,
    pub connections: usize,
    pub lasts: Duration,
}

/// Times to the answer, in seconds, sorted.
pub struct Latencies(Vec<f64>);

impl Latencies {
    pub fn at(&self, share: f64) -> f64 {
        let place = (self.0.len() as f64 * share) as usize;
        self.0.get(place.min(self.0.len().saturating_sub(1))).copied().unwrap_or(f64::NAN)
    }
}

/// Asks at fixed times. A question that has to wait for the one before on its connection counts from its own time.
pub async fn open_loop(
    address: SocketAddr,
    token: &str,
    bodies: &[String],
    load: Load,
) -> anyhow::Result<Latencies> {
    let gap = Duration::from_secs_f64(load.connections as f64 / load.rate);
    let started = Instant::now() + Duration::from_millis(100);
    let mut asking = tokio::task::JoinSet::new();
    for connection in 0..load.connections {
        let own: Vec<Vec<u8>> = bodies
            .iter()
            .skip(connection)
            .step_by(load.connections)
            .map(|body| request("POST", "/api/v1/check", &bearer(token), body))
            .collect();
        anyhow::ensure!(!own.is_empty(), "there are fewer questions than connections");
        let first = started + gap.mul_f64(connection as f64 / load.connections as f64);
        asking.spawn(async move {
            let mut client = Client::connect(address).await?;
            let mut times = Vec::new();
            for (place, request) in own.iter().cycle().enumerate() {
                let at = first + gap.saturating_mul(u32::try_from(place).unwrap_or(u32::MAX));
                if at.duration_since(first) >= load.lasts {
                    break;
                }
                // Timers are as fine as a millisecond: those nearer are waited for by others' turns.
                while Instant::now() < at {
                    match at.duration_since(Instant::now()) > Duration::from_millis(2) {
                        true => tokio::time::sleep_until((at - Duration::from_millis(1)).into()).await,
                        false => tokio::task::yield_now().await,
                    }
                }
                client.exchange(request).await?;
                times.push(at.elapsed().as_secs_f64());
            }
            anyhow::Ok(times)
        });
    }
    let mut all = Vec::new();
    while let Some(times) = asking.join_next().await {
        all.extend(times.context("asking broke off")??);
    }
    all.sort_by(f64::total_cmp);
    Ok(Latencies(all))
}
