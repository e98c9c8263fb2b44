//! Throughput by wrk, where it is there.

use std::fmt::Write as _;
use std::fs;
use std::net::SocketAddr;
use std::path::Path;
use std::process::{Command, Stdio};
use std::time::Duration;

use anyhow::Context as _;

/// Answers a second to some questions, asked in turn; none where there is no wrk.
pub fn rate(
    address: SocketAddr,
    token: &str,
    bodies: &[String],
    connections: usize,
    lasts: Duration,
    folder: &Path,
) -> anyhow::Result<Option<f64>> {
    if Command::new("wrk").arg("-v").stdout(Stdio::null()).stderr(Stdio::null()).status().is_err() {
        return Ok(None);
    }
    let script = folder.join("questions.lua");
    fs::write(&script, script_of(token, bodies))?;
    let run = Command::new("wrk")
        .args(["-t1", "-c", &connections.to_string(), "-d", &format!("{}s", lasts.as_secs()), "-s"])
        .arg(&script)
        .arg(format!("http://{address}"))
        .output()?;
    let text = String::from_utf8_lossy(&run.stdout);
    anyhow::ensure!(run.status.success() && !text.contains("Non-2xx"), "wrk failed:\n{text}");
    let rate = text.lines().find_map(|line| line.strip_prefix("Requests/sec:"));
    Ok(Some(rate.context("wrk tells no rate")?.trim().parse()?))
}

fn script_of(token: &str, bodies: &[String]) -> String {
    let mut script = "local bodies = {}\n".to_owned();
    for body in bodies {
        let _ = writeln!(script, "bodies[#bodies + 1] = [==[{body}]==]");
    }
    let _ = writeln!(
        script,
        "local headers = {{ [\"Content-Type\"] = \"application/json\", [\"Authorization\"] = \"Bearer {token}\" }}
local requests, place = {{}}, 0
init = function()
  for i, body in ipairs(bodies) do requests[i] = wrk.format(\"POST\", \"/api/v1/check\", headers, body) end
end
request = function()
  place = place % #requests + 1
  return requests[place]
end"
    );
    script
}
