//! Rows as JSON objects, one per line.

use super::row::{Fault, LeftOut, TableRow};
use serde_json::Value;
use std::collections::BTreeMap;

/// Returns the keys of all objects in the order of their first use, the rows, and the lines that are not such an
/// object.
pub(super) fn rows(text: &str) -> (Vec<String>, Vec<TableRow>, Vec<Fault>) {
    let mut columns = Vec::new();
    let mut numbers: BTreeMap<String, usize> = BTreeMap::new();
    let (mut rows, mut faults) = (Vec::new(), Vec::new());
    for (number, line) in text.split('\n').enumerate().filter(|(_, line)| !line.trim().is_empty()) {
        let number = number + 1;
        match cells(line, &mut columns, &mut numbers) {
            Ok(cells) => rows.push(TableRow { line: number, cells }),
            Err(reason) => faults.push(Fault { line: number, reason }),
        }
    }
    rows.iter_mut().for_each(|row| row.cells.resize(columns.len(), String::new()));
    (columns, rows, faults)
}

fn cells(line: &str, columns: &mut Vec<String>, numbers: &mut BTreeMap<String, usize>) -> Result<Vec<String>, LeftOut> {
    let object = match serde_json::from_str(line) {
        Ok(Value::Object(object)) => object,
        Ok(_) => return Err(LeftOut::NoObject),
        Err(error) => return Err(LeftOut::NoJson(error.to_string())),
    };
    let mut cells = vec![String::new(); columns.len()];
    for (name, value) in object {
        let cell = match value {
            Value::String(text) => text,
            Value::Null => String::new(),
            other => other.to_string(),
        };
        let column = *numbers.entry(name).or_insert_with_key(|name| {
            columns.push(name.clone());
            columns.len() - 1
        });
        cells.resize(cells.len().max(column + 1), String::new());
        cells[column] = cell;
    }
    Ok(cells)
}
