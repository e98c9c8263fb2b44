//! A small client that keeps its connection, and many of them that ask at their times.

use std::net::SocketAddr;
use std::sync::Arc;
use std::time::{Duration, Instant};

use anyhow::Context as _;
use serde_json::Value;
use tokio::io::{AsyncReadExt as _, AsyncWriteExt as _};
use tokio::net::TcpStream;
use tokio::sync::mpsc;

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

/// Answers a second to calls that are made again and again, each on a connection of its own.
pub async fn repeated(
    address: SocketAddr,
    token: &str,
    path: &str,
    bodies: &[String],
    lasts: Duration,
) -> anyhow::Result<f64> {
    let mut calling = tokio::task::JoinSet::new();
    for body in bodies {
        let request = request("POST", path, &bearer(token), body);
        let mut client = Client::connect(address).await?;
        calling.spawn(async move {
            client.exchange(&request).await?;
            let (started, mut count) = (Instant::now(), 0_u32);
            while started.elapsed() < lasts {
                client.exchange(&request).await?;
                count += 1;
            }
            anyhow::Ok(f64::from(count) / started.elapsed().as_secs_f64())
        });
    }
    let mut rate = 0.0;
    while let Some(called) = calling.join_next().await {
        rate += called.context("calling broke off")??;
    }
    Ok(rate)
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
    let requests: Vec<Arc<[u8]>> =
        bodies.iter().map(|body| request("POST", "/api/v1/check", &bearer(token), body).into()).collect();
    anyhow::ensure!(!requests.is_empty(), "there are no questions");
    let mut asking = tokio::task::JoinSet::new();
    let mut connections = Vec::new();
    for _ in 0..load.connections {
        let mut client = Client::connect(address).await?;
        let (connection, mut due) = mpsc::unbounded_channel::<Due>();
        connections.push(connection);
        asking.spawn(async move {
            let mut times = Vec::new();
            while let Some((at, request)) = due.recv().await {
                client.exchange(&request).await?;
                times.push(at.elapsed().as_secs_f64());
            }
            anyhow::Ok(times)
        });
    }
    let clock = std::thread::spawn(move || ask_in_time(&requests, &connections, load));
    let mut all = Vec::new();
    while let Some(times) = asking.join_next().await {
        all.extend(times.context("asking broke off")??);
    }
    clock.join().map_err(|_| anyhow::anyhow!("the clock broke off"))?;
    all.sort_by(f64::total_cmp);
    Ok(Latencies(all))
}

/// A question, and when it has to be asked.
type Due = (Instant, Arc<[u8]>);

/// Hands each question over when it is time. Timers of the runtime are as fine as a millisecond, and to look at the clock
/// until it is time would take the processor from whom is measured: a thread that sleeps is called within some
/// hundredths of one.
fn ask_in_time(requests: &[Arc<[u8]>], connections: &[mpsc::UnboundedSender<Due>], load: Load) {
    let started = Instant::now() + Duration::from_millis(10);
    let turns = requests.iter().cycle().zip(connections.iter().cycle());
    for (place, (request, connection)) in turns.enumerate() {
        let after = Duration::from_secs_f64(place as f64 / load.rate);
        if after >= load.lasts {
            return;
        }
        let left = (started + after).saturating_duration_since(Instant::now());
        if !left.is_zero() {
            std::thread::sleep(left);
        }
        if connection.send((started + after, request.clone())).is_err() {
            return;
        }
    }
}
