//! WebDriver BiDi, which Firefox speaks: JSON over a WebSocket on the loopback. It offers what Chromium's DevTools
//! protocol does: scripts before a page's own, the size of the view, reloading, the console.

use crate::driver::DriverError;
use serde_json::{Value, json};
use std::io::{BufRead, BufReader, Read, Write};
use std::net::TcpStream;
use std::time::Duration;

/// Maximum time for one answer; none of these commands waits for a page.
const ONE_COMMAND: Duration = Duration::from_secs(60);

/// Maximum length of a message.
const LONGEST: u64 = 64 << 20;

/// Mask of the frames sent. Clients must mask, against proxies, of which there are none here. Firefox refuses a mask of
/// zeros.
const MASK: [u8; 4] = [1, 2, 3, 4];

/// An open connection to a session.
pub struct Bidi {
    stream: BufReader<TcpStream>,
    last: u64,
    told: Vec<Value>,
}

impl Bidi {
    /// Connects to the address that a new session reported (`ws://127.0.0.1:1234/session/…`).
    pub fn connect(address: &str) -> Result<Self, DriverError> {
        let rest = address.strip_prefix("ws://").ok_or_else(|| failure(format!("{address} is no WebSocket")))?;
        let (host, path) = rest.split_once('/').unwrap_or((rest, ""));
        let stream = TcpStream::connect(host)?;
        stream.set_read_timeout(Some(ONE_COMMAND))?;
        let mut stream = BufReader::new(stream);
        write!(
            stream.get_mut(),
            "GET /{path} HTTP/1.1\r\nHost: {host}\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n\
             Sec-WebSocket-Version: 13\r\nSec-WebSocket-Key: dHVwcHVtIGFuZCBnZWNrbw==\r\n\r\n"
        )?;
        let mut head = String::new();
        while !head.ends_with("\r\n\r\n") {
            if stream.read_line(&mut head)? == 0 {
                return Err(failure(format!("the browser closed the connection: {head}")));
            }
        }
        if !head.starts_with("HTTP/1.1 101") {
            return Err(failure(format!("the browser opens no WebSocket: {head}")));
        }
        Ok(Self { stream, last: 0, told: Vec::new() })
    }

    /// Sends a command and waits for its answer.
    pub fn ask(&mut self, command: &str, parameters: &Value) -> Result<Value, DriverError> {
        self.last += 1;
        let number = self.last;
        self.send(0x1, json!({ "id": number, "method": command, "params": parameters }).to_string().as_bytes())?;
        loop {
            let mut message = self.message()?;
            if message.get("type") == Some(&json!("event")) {
                self.told.push(message);
            } else if message.get("id") == Some(&json!(number)) {
                let text = |name: &str| message.get(name).and_then(Value::as_str).unwrap_or_default().to_owned();
                if message.get("type") == Some(&json!("error")) {
                    return Err(DriverError { kind: text("error"), message: text("message") });
                }
                return Ok(message.get_mut("result").map_or(Value::Null, Value::take));
            }
        }
    }

    /// Returns the events since the last call.
    pub fn told(&mut self) -> Vec<Value> {
        std::mem::take(&mut self.told)
    }

    fn send(&mut self, kind: u8, content: &[u8]) -> Result<(), DriverError> {
        let mut frame = vec![0x80 | kind];
        match content.len() {
            length @ 0..126 => frame.push(0x80 | length as u8),
            length @ 126..0x1_0000 => {
                frame.push(0x80 | 126);
                frame.extend((length as u16).to_be_bytes());
            }
            length => {
                frame.push(0x80 | 127);
                frame.extend((length as u64).to_be_bytes());
            }
        }
        frame.extend(MASK);
        frame.extend(content.iter().zip(MASK.iter().cycle()).map(|(byte, mask)| byte ^ mask));
        Ok(self.stream.get_mut().write_all(&frame)?)
    }

    /// Returns the next message, assembled from its frames.
    fn message(&mut self) -> Result<Value, DriverError> {
        let mut whole = Vec::new();
        loop {
            let [first, second] = self.bytes::<2>()?;
            let length = match second & 0x7f {
                126 => u64::from(u16::from_be_bytes(self.bytes()?)),
                127 => u64::from_be_bytes(self.bytes()?),
                short => u64::from(short),
            };
            if length > LONGEST {
                return Err(failure(format!("a message of {length} bytes")));
            }
            let mut part = vec![0; length as usize];
            self.stream.read_exact(&mut part)?;
            match first & 0x0f {
                0x8 => return Err(failure("the browser closed the connection")),
                0x9 => self.send(0xa, &part)?,
                0x0 | 0x1 => whole.extend(part),
                _ => {}
            }
            if first & 0x80 != 0 && !whole.is_empty() {
                return serde_json::from_slice(&whole).map_err(failure);
            }
        }
    }

    fn bytes<const N: usize>(&mut self) -> Result<[u8; N], DriverError> {
        let mut bytes = [0; N];
        self.stream.read_exact(&mut bytes)?;
        Ok(bytes)
    }
}

fn failure(message: impl std::fmt::Display) -> DriverError {
    DriverError { kind: "connection".into(), message: message.to_string() }
}
