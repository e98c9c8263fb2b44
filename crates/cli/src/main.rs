//! The `guardbee` command: wires files, terminal and libraries together. No rule of HiveQL, policy or
//! lineage lives here.

fn main() {}
