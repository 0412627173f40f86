//! Starts a browser's driver and speaks WebDriver with it: JSON over HTTP on the loopback.

use crate::kind::Kind;
use serde_json::{Value, json};
use std::cell::Cell;
use std::io::{BufRead, BufReader, Write};
use std::net::{Ipv4Addr, TcpStream};
use std::process::{Child, Command, Stdio};
use std::time::Duration;

/// Key under which WebDriver passes elements.
pub const ELEMENT: &str = "element-6066-11e4-a52e-4f735466cecf";

/// Maximum time for one command, such as opening a page or a script that waits.
const ONE_COMMAND: Duration = Duration::from_secs(180);

/// Number of attempts to start a driver.
const TRIES: usize = 3;

/// A running driver, killed on drop.
pub struct Driver {
    process: Child,
    port: u16,
    commands: Cell<u64>,
}

/// Failure of a command.
#[derive(Debug)]
pub struct DriverError {
    /// WebDriver's error code (`no such element`), or `connection`.
    pub kind: String,
    /// Description of the failure.
    pub message: String,
}

impl std::fmt::Display for DriverError {
    fn fmt(&self, formatter: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(formatter, "{}: {}", self.kind, self.message)
    }
}

impl DriverError {
    fn connection(message: impl std::fmt::Display) -> Self {
        Self { kind: "connection".into(), message: message.to_string() }
    }
}

impl From<std::io::Error> for DriverError {
    fn from(error: std::io::Error) -> Self {
        Self::connection(error)
    }
}

impl Driver {
    /// Starts a browser's driver on a free port. A driver that ends before it reports the port is started again. This
    /// happened once in some thousand starts while other drivers ran: another program may take the port between the
    /// driver's choice and its listening.
    pub fn start(kind: Kind) -> Result<Self, DriverError> {
        let mut outcome = Self::start_once(kind);
        for _ in 1..TRIES {
            if outcome.is_ok() {
                break;
            }
            outcome = Self::start_once(kind);
        }
        outcome
    }

    fn start_once(kind: Kind) -> Result<Self, DriverError> {
        let program = kind.program();
        let name = program.path.display();
        let mut command = Command::new(&program.path);
        command.args(program.arguments).stdout(Stdio::piped()).stderr(Stdio::null());
        let mut process = command.spawn().map_err(|error| {
            DriverError::connection(format!("{name} cannot be started ({error}): {}", program.way_out))
        })?;
        let output = process.stdout.take().ok_or_else(|| DriverError::connection("the driver has no output"))?;
        let mut lines = BufReader::new(output).lines();
        let port = lines.by_ref().map_while(Result::ok).find_map(|line| announced_port(&line));
        // Further output is read and dropped, so that its pipe never fills.
        std::thread::spawn(move || lines.for_each(drop));
        match port {
            Some(port) => Ok(Self { process, port, commands: Cell::new(0) }),
            None => {
                let _ = process.kill();
                Err(DriverError::connection(format!("{name} ended without naming its port")))
            }
        }
    }

    /// Returns the driver's process number; the browser's processes descend from it.
    pub fn process(&self) -> u32 {
        self.process.id()
    }

    /// Sends a command with a body.
    pub fn post(&self, path: &str, body: &Value) -> Result<Value, DriverError> {
        self.send("POST", path, &body.to_string())
    }

    /// Sends a command without a body.
    pub fn get(&self, path: &str) -> Result<Value, DriverError> {
        self.send("GET", path, "")
    }

    /// Sends a DELETE command, which ends what `path` names.
    pub fn delete(&self, path: &str) -> Result<Value, DriverError> {
        self.send("DELETE", path, "")
    }

    /// Returns the number of commands sent.
    pub fn commands(&self) -> u64 {
        self.commands.get()
    }

    fn send(&self, method: &str, path: &str, body: &str) -> Result<Value, DriverError> {
        self.commands.set(self.commands.get() + 1);
        let mut stream = TcpStream::connect((Ipv4Addr::LOCALHOST, self.port))?;
        stream.set_read_timeout(Some(ONE_COMMAND))?;
        write!(
            stream,
            "{method} {path} HTTP/1.1\r\nHost: 127.0.0.1:{}\r\nContent-Type: application/json; charset=utf-8\r\n\
             Content-Length: {}\r\nConnection: close\r\n\r\n{body}",
            self.port,
            body.len()
        )?;
        let reply = body_of(&mut BufReader::new(stream))?;
        let mut reply: Value = serde_json::from_slice(&reply).map_err(DriverError::connection)?;
        let value = reply.get_mut("value").map_or(Value::Null, Value::take);
        match value.get("error").and_then(Value::as_str) {
            None => Ok(value),
            Some(kind) => {
                let message = value.get("message").and_then(Value::as_str).unwrap_or_default();
                Err(DriverError {
                    kind: kind.to_owned(),
                    message: message.lines().next().unwrap_or_default().to_owned(),
                })
            }
        }
    }
}

impl Drop for Driver {
    fn drop(&mut self) {
        let _ = self.process.kill();
        let _ = self.process.wait();
    }
}

/// Returns the port in `ChromeDriver was started successfully on port 12345.`, or in geckodriver's `Listening on
/// 127.0.0.1:12345`.
fn announced_port(line: &str) -> Option<u16> {
    let (_, port) = line.rsplit_once("on port ").or_else(|| line.rsplit_once("Listening on 127.0.0.1:"))?;
    port.trim().trim_end_matches('.').parse().ok().filter(|port| *port != 0)
}

fn body_of(reader: &mut impl BufRead) -> Result<Vec<u8>, DriverError> {
    let mut length = 0;
    let mut line = String::new();
    loop {
        line.clear();
        if reader.read_line(&mut line)? == 0 {
            return Err(DriverError::connection("the driver closed the connection before it answered"));
        }
        let header = line.trim_end();
        if header.is_empty() {
            break;
        }
        if let Some((name, value)) = header.split_once(':')
            && name.eq_ignore_ascii_case("content-length")
        {
            length = value.trim().parse().map_err(DriverError::connection)?;
        }
    }
    let mut body = vec![0; length];
    reader.read_exact(&mut body)?;
    Ok(body)
}

/// Returns a reference to an element, as WebDriver passes it to scripts.
pub fn element_value(id: &str) -> Value {
    json!({ ELEMENT: id })
}
