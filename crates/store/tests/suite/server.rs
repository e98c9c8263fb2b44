//! A real PostgreSQL server for the tests: started once for a test binary, stopped and removed with it.

use std::io::Write;
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::sync::atomic::{AtomicU32, Ordering};
use std::sync::{Mutex, OnceLock};
use std::time::{Duration, Instant};

use tempfile::TempDir;

/// The superuser and the password of the servers that tests start.
pub const USER: &str = "guardbee";
pub const PASSWORD: &str = "ge:heim";
/// The password as a URL writes it.
const PASSWORD_IN_URL: &str = "ge%3Aheim";

pub struct Server {
    folder: PathBuf,
    port: u16,
    binaries: PathBuf,
    process: Mutex<Option<Child>>,
}

/// Ends the server when this process ends, however it does: its input is then at its end.
const SUPERVISE: &str = "\
    trap '' INT TERM; cat >/dev/null; \
    [ -s \"$1/data/postmaster.pid\" ] && kill -QUIT \"$(head -n 1 \"$1/data/postmaster.pid\")\"; \
    sleep 0.2; rm -rf \"$1\"";

impl Server {
    /// A server of this test binary's own; none where PostgreSQL is not installed. `GUARDBEE_TEST_POSTGRES=required`
    /// makes that a failure.
    pub fn shared() -> Option<&'static Self> {
        static SERVER: OnceLock<Option<(Server, Child)>> = OnceLock::new();
        let started = SERVER.get_or_init(|| {
            let started = Self::own();
            if started.is_none() {
                let wanted = std::env::var("GUARDBEE_TEST_POSTGRES").unwrap_or_default();
                assert_ne!(wanted, "required", "PostgreSQL is missing (Debian: apt-get install postgresql)");
                eprintln!("left out: PostgreSQL is missing (Debian: apt-get install postgresql)");
            }
            started
        });
        started.as_ref().map(|(server, _)| server)
    }

    /// A server for one test, which may stop it; it ends with what watches it.
    pub fn own() -> Option<(Self, Child)> {
        binaries().map(Self::start_new)
    }

    fn start_new(binaries: PathBuf) -> (Self, Child) {
        let folder = TempDir::with_prefix("guardbee-postgres-").expect("a folder").keep();
        let server = Self { port: free_port(), folder, binaries, process: Mutex::default() };
        let supervisor = Command::new("sh")
            .args(["-c", SUPERVISE, "supervise"])
            .arg(&server.folder)
            .stdin(Stdio::piped())
            .spawn()
            .expect("sh");
        if is_root() {
            run(Command::new("chown").arg("postgres").arg(&server.folder));
        }
        let password = server.folder.join("password");
        std::fs::File::create(&password)
            .and_then(|mut file| file.write_all(PASSWORD.as_bytes()))
            .expect("a file");
        run(server
            .command("initdb")
            .args(["--username", USER, "--auth=scram-sha-256", "--encoding=UTF8", "--no-locale", "--no-sync"])
            .arg("--pwfile")
            .arg(&password)
            .arg("-D")
            .arg(server.folder.join("data")));
        server.start();
        (server, supervisor)
    }

    pub fn start(&self) {
        let data = self.folder.join("data");
        let log =
            std::fs::File::options().create(true).append(true).open(self.folder.join("log")).expect("a file");
        let process = self
            .command("postgres")
            .arg("-D")
            .arg(&data)
            .args(["-p", &self.port.to_string(), "-c", "listen_addresses=127.0.0.1", "-k"])
            .arg(&self.folder)
            .stdout(Stdio::null())
            .stderr(log)
            .stdin(Stdio::null())
            .spawn()
            .expect("postgres");
        *self.process.lock().expect("no panic") = Some(process);
        let deadline = Instant::now() + Duration::from_secs(60);
        while !self.is_ready() {
            assert!(Instant::now() < deadline, "the server did not come up:\n{}", self.log());
            std::thread::sleep(Duration::from_millis(50));
        }
    }

    /// Stops it as a power cut would: nothing is written down any more.
    pub fn stop_at_once(&self) {
        run(self.command("pg_ctl").args(["stop", "-m", "immediate", "-D"]).arg(self.folder.join("data")));
        if let Some(mut process) = self.process.lock().expect("no panic").take() {
            process.wait().expect("it has ended");
        }
    }

    /// Sends a signal to the server and all that it has started: `STOP` and `CONT` pause it and let it go on.
    pub fn signal(&self, name: &str) {
        let file = std::fs::read_to_string(self.folder.join("data/postmaster.pid")).expect("it runs");
        let parent = file.lines().next().expect("its id").to_owned();
        let signal = |ids: &[&str]| {
            // Some may end by themselves meanwhile.
            let _ = Command::new("kill").arg(format!("-{name}")).args(ids).output();
        };
        // The parent first: what it starts after its children are counted would be left out.
        signal(&[&parent]);
        std::thread::sleep(Duration::from_millis(50));
        let children = Command::new("ps").args(["-o", "pid=", "--ppid", &parent]).output().expect("ps");
        let children = String::from_utf8_lossy(&children.stdout).into_owned();
        signal(&children.split_whitespace().collect::<Vec<_>>());
    }

    fn is_ready(&self) -> bool {
        Command::new(self.binaries.join("pg_isready"))
            .args(["-q", "-h", "127.0.0.1", "-p", &self.port.to_string(), "-d", "postgres"])
            .status()
            .is_ok_and(|status| status.success())
    }

    fn log(&self) -> String {
        std::fs::read_to_string(self.folder.join("log")).unwrap_or_default()
    }

    /// A new, empty database; its address.
    pub fn new_database(&self) -> String {
        static COUNT: AtomicU32 = AtomicU32::new(0);
        let name = format!("policy_{}", COUNT.fetch_add(1, Ordering::Relaxed));
        self.sql("postgres", &format!("CREATE DATABASE {name}"));
        self.url(&name)
    }

    pub fn url(&self, database: &str) -> String {
        format!("postgres://{USER}:{PASSWORD_IN_URL}@127.0.0.1:{}/{database}", self.port)
    }

    pub fn port(&self) -> u16 {
        self.port
    }

    /// Runs SQL as the superuser.
    pub fn sql(&self, database: &str, sql: &str) {
        run(Command::new(self.binaries.join("psql"))
            .args(["-q", "-v", "ON_ERROR_STOP=1", "-h", "127.0.0.1", "-U", USER])
            .args(["-p", &self.port.to_string(), "-d", database, "-c", sql])
            .env("PGPASSWORD", PASSWORD));
    }

    /// PostgreSQL refuses to run as root.
    fn command(&self, program: &str) -> Command {
        let program = self.binaries.join(program);
        let mut command = if is_root() {
            let mut command = Command::new("setpriv");
            command.args(["--reuid=postgres", "--regid=postgres", "--clear-groups", "--"]).arg(program);
            command
        } else {
            Command::new(program)
        };
        command.current_dir(&self.folder);
        command
    }
}

fn is_root() -> bool {
    let id = Command::new("id").arg("-u").output().expect("id");
    id.stdout.starts_with(b"0\n")
}

fn free_port() -> u16 {
    let listener = std::net::TcpListener::bind("127.0.0.1:0").expect("a port");
    listener.local_addr().expect("an address").port()
}

/// Debian keeps them beside the path, one folder a version; the newest is taken.
fn binaries() -> Option<PathBuf> {
    let has_server = |folder: &Path| folder.join("initdb").is_file() && folder.join("postgres").is_file();
    let mut versions: Vec<PathBuf> = std::fs::read_dir("/usr/lib/postgresql")
        .into_iter()
        .flatten()
        .filter_map(|entry| Some(entry.ok()?.path().join("bin")))
        .filter(|folder| has_server(folder))
        .collect();
    versions.sort();
    let path = std::env::var_os("PATH").unwrap_or_default();
    versions.pop().or_else(|| std::env::split_paths(&path).find(|folder| has_server(folder)))
}

fn run(command: &mut Command) {
    let output = command.output().unwrap_or_else(|error| panic!("{command:?}: {error}"));
    assert!(
        output.status.success(),
        "{command:?}:\n{}{}",
        String::from_utf8_lossy(&output.stdout),
        String::from_utf8_lossy(&output.stderr)
    );
}
