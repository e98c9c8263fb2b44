//! Collects what Criterion measured into one file: `{name: {value, unit, peer, ratio}}`.

use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};

use anyhow::{Context, bail};
use serde_json::{Map, Value, json};

/// A measurement of ours, and the one it is held against in the same run.
const PEERS: &[(&str, &str)] = &[("parser/common", "parser/common-sqlparser")];

fn main() -> anyhow::Result<()> {
    let target = PathBuf::from(std::env::args().nth(1).unwrap_or_else(|| "target".to_owned()));
    let measured = collect(&target.join("criterion"))?;
    if measured.is_empty() {
        bail!("nothing was measured: run `cargo bench -p guardbee-bench` first");
    }
    let mut report = Map::new();
    for (name, (value, unit)) in &measured {
        let peer = PEERS.iter().find(|(ours, _)| ours == name).and_then(|(_, peer)| measured.get(*peer));
        let ratio = peer.map(|(theirs, _)| value / theirs);
        println!(
            "{name:36} {value:>16.1} {unit:14} {}",
            ratio.map(|ratio| format!("{ratio:.1} times the peer")).unwrap_or_default()
        );
        let entry =
            json!({ "value": value, "unit": unit, "peer": peer.map(|(theirs, _)| theirs), "ratio": ratio });
        report.insert(name.clone(), entry);
    }
    // What is measured by benchmarks of their own.
    for name in ["bench-policy.json", "bench-lineage.json", "bench-service.json", "bench-search.json"] {
        if let Ok(figures) = fs::read_to_string(target.join(name)) {
            let figures: Map<String, Value> = serde_json::from_str(&figures).context(name)?;
            report.extend(figures);
        }
    }
    let file = target.join("bench.json");
    fs::write(&file, serde_json::to_string_pretty(&report)? + "\n")
        .with_context(|| format!("cannot write {}", file.display()))
}

/// Every measurement under Criterion's folder, as a rate where it has a size and else as time.
fn collect(folder: &Path) -> anyhow::Result<BTreeMap<String, (f64, &'static str)>> {
    let mut measured = BTreeMap::new();
    let mut folders = vec![folder.to_owned()];
    while let Some(folder) = folders.pop() {
        for entry in fs::read_dir(&folder).into_iter().flatten() {
            let path = entry?.path();
            if path.ends_with("new") {
                let (name, value) = read(&path)?;
                measured.insert(name, value);
            } else if path.is_dir() {
                folders.push(path);
            }
        }
    }
    Ok(measured)
}

fn read(folder: &Path) -> anyhow::Result<(String, (f64, &'static str))> {
    let json = |file: &str| -> anyhow::Result<Value> {
        let path = folder.join(file);
        Ok(serde_json::from_str(&fs::read_to_string(&path).with_context(|| path.display().to_string())?)?)
    };
    let benchmark = json("benchmark.json")?;
    let name = benchmark["full_id"].as_str().unwrap_or("?").to_owned();
    let nanoseconds = json("estimates.json")?["median"]["point_estimate"].as_f64().unwrap_or(f64::NAN);
    let throughput = &benchmark["throughput"];
    let value = if let Some(bytes) = throughput["Bytes"].as_f64() {
        (bytes * 1e3 / nanoseconds, "MB/s")
    } else if let Some(elements) = throughput["Elements"].as_f64() {
        (elements * 1e9 / nanoseconds, "statements/s")
    } else {
        (nanoseconds / 1e3, "us")
    };
    Ok((name, value))
}
