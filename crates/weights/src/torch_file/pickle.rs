//! A reader of pickles that runs nothing. It knows the instructions that `torch.save` writes for a table of tensors,
//! and the names `collections.OrderedDict`, `torch._utils._rebuild_tensor_v2` and `torch.…Storage`.
//!
//! A pickle is a program for a machine with a stack and a memo; Python's `pickletools.py` documents its instructions.
//! Its instruction `REDUCE` calls any function that the file names, which is how a pickle takes over a computer. Here
//! it only creates plain values for the three names above.

use crate::error::WeightsError;
use crate::safetensors::Dtype;
use std::collections::HashMap;

/// Maximum number of values: a model of a thousand tensors has about twenty thousand.
const MAX_VALUES: usize = 1_000_000;

/// Index of a value in [`Pickle::values`]. Values refer to each other by index, since a list may grow after it was put
/// elsewhere.
pub(super) type Place = usize;

/// Value of a pickle.
#[derive(Clone, Debug, PartialEq)]
pub(super) enum Value {
    Nothing,
    Truth,
    Whole(i64),
    Fraction,
    Text(String),
    Tuple(Vec<Place>),
    List(Vec<Place>),
    Table(Vec<(Place, Place)>),
    Name(Name),
    Storage(Storage),
    Tensor(Tensor),
}

/// Name that a pickle may use.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Name {
    OrderedDict,
    RebuildTensor,
    Storage(Kind),
}

/// Type of a storage's numbers: PyTorch's name, and our type if there is one.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Kind {
    pub name: &'static str,
    pub dtype: Option<Dtype>,
}

const KINDS: [Kind; 12] = [
    Kind { name: "FloatStorage", dtype: Some(Dtype::F32) },
    Kind { name: "HalfStorage", dtype: Some(Dtype::F16) },
    Kind { name: "BFloat16Storage", dtype: Some(Dtype::Bf16) },
    Kind { name: "IntStorage", dtype: Some(Dtype::I32) },
    Kind { name: "DoubleStorage", dtype: None },
    Kind { name: "LongStorage", dtype: None },
    Kind { name: "ShortStorage", dtype: None },
    Kind { name: "CharStorage", dtype: None },
    Kind { name: "ByteStorage", dtype: None },
    Kind { name: "BoolStorage", dtype: None },
    Kind { name: "ComplexFloatStorage", dtype: None },
    Kind { name: "ComplexDoubleStorage", dtype: None },
];

/// Numbers in an entry of the archive.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Storage {
    pub kind: Kind,
    /// Key of the storage; the numbers lie in the entry `data/KEY`.
    pub key: String,
}

/// View of a storage; offset and strides count numbers.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Tensor {
    pub storage: Storage,
    pub offset: i64,
    pub shape: Vec<i64>,
    pub strides: Vec<i64>,
}

/// Values of a pickle.
#[derive(Debug)]
pub(super) struct Pickle {
    values: Vec<Value>,
    top: Place,
}

impl Pickle {
    /// Returns the value of the whole pickle.
    pub fn top(&self) -> &Value {
        self.value(self.top)
    }

    /// Returns a value by its index.
    pub fn value(&self, place: Place) -> &Value {
        self.values.get(place).unwrap_or(&Value::Nothing)
    }
}

/// Reads a pickle.
///
/// # Errors
/// [`WeightsError::Torch`] names what is unknown, or says that the pickle is malformed.
pub(super) fn read(bytes: &[u8]) -> Result<Pickle, WeightsError> {
    let mut machine =
        Machine { rest: bytes, values: Vec::new(), stack: Vec::new(), marks: Vec::new(), memo: HashMap::new() };
    loop {
        let [instruction] = machine.take()?;
        if instruction == b'.' {
            let top = machine.pop()?;
            return Ok(Pickle { values: machine.values, top });
        }
        machine.step(instruction)?;
        if machine.values.len() > MAX_VALUES {
            return Err(WeightsError::torch(format!("its data.pkl has more than {MAX_VALUES} values")));
        }
    }
}

struct Machine<'a> {
    rest: &'a [u8],
    values: Vec<Value>,
    stack: Vec<Place>,
    /// Heights of the stack at its marks.
    marks: Vec<usize>,
    memo: HashMap<u32, Place>,
}

impl<'a> Machine<'a> {
    fn step(&mut self, instruction: u8) -> Result<(), WeightsError> {
        match instruction {
            // The version, and the frames of versions 4 and 5, change nothing.
            0x80 => self.take::<1>().map(drop),
            0x95 => self.take::<8>().map(drop),
            b'(' => {
                self.marks.push(self.stack.len());
                Ok(())
            }
            b'N' | 0x88 | 0x89 | b'K' | b'M' | b'J' | 0x8a | b'G' | b'X' | 0x8c => self.plain(instruction),
            b')' => self.push(Value::Tuple(Vec::new())),
            0x85..=0x87 => {
                let items = self.pop_many(usize::from(instruction - 0x84))?;
                self.push(Value::Tuple(items))
            }
            b't' => {
                let items = self.pop_marked()?;
                self.push(Value::Tuple(items))
            }
            b']' => self.push(Value::List(Vec::new())),
            b'}' => self.push(Value::Table(Vec::new())),
            b'a' | b'e' | b's' | b'u' => self.fill(instruction),
            b'q' | b'r' | 0x94 | b'h' | b'j' => self.remember(instruction),
            b'c' | 0x93 => self.name(instruction),
            b'Q' => self.storage(),
            b'R' => self.call(),
            b'b' => self.build(),
            other => Err(WeightsError::torch(format!(
                "its data.pkl has the instruction {other:#04x}, which a table of tensors does not need; pickles can \
                 run code, and this one was not run"
            ))),
        }
    }

    /// Pushes a number, text, truth value or `None`.
    fn plain(&mut self, instruction: u8) -> Result<(), WeightsError> {
        let value = match instruction {
            b'N' => Value::Nothing,
            b'K' => Value::Whole(u8::from_le_bytes(self.take()?).into()),
            b'M' => Value::Whole(u16::from_le_bytes(self.take()?).into()),
            b'J' => Value::Whole(i32::from_le_bytes(self.take()?).into()),
            0x8a => {
                let [length] = self.take()?;
                Value::Whole(whole(self.bytes(length.into())?)?)
            }
            b'G' => {
                self.take::<8>()?;
                Value::Fraction
            }
            b'X' => {
                let length = u32::from_le_bytes(self.take()?);
                Value::Text(self.text(length as usize)?)
            }
            0x8c => {
                let [length] = self.take()?;
                Value::Text(self.text(length.into())?)
            }
            _ => Value::Truth,
        };
        self.push(value)
    }

    /// Adds values to the list or table below them.
    fn fill(&mut self, instruction: u8) -> Result<(), WeightsError> {
        let items = match instruction {
            b'a' => self.pop_many(1)?,
            b's' => self.pop_many(2)?,
            _ => self.pop_marked()?,
        };
        let into = *self.stack.last().ok_or_else(malformed)?;
        match self.values.get_mut(into) {
            Some(Value::List(list)) if matches!(instruction, b'a' | b'e') => list.extend(items),
            Some(Value::Table(table)) if matches!(instruction, b's' | b'u') && items.len() % 2 == 0 => {
                table.extend(items.chunks_exact(2).map(|pair| (pair[0], pair[1])));
            }
            _ => return Err(malformed()),
        }
        Ok(())
    }

    /// Stores the last value in the memo, or pushes a value from it.
    fn remember(&mut self, instruction: u8) -> Result<(), WeightsError> {
        let number = match instruction {
            b'q' | b'h' => u8::from_le_bytes(self.take()?).into(),
            b'r' | b'j' => u32::from_le_bytes(self.take()?),
            _ => u32::try_from(self.memo.len()).map_err(|_| malformed())?,
        };
        if matches!(instruction, b'h' | b'j') {
            self.stack.push(*self.memo.get(&number).ok_or_else(malformed)?);
        } else {
            self.memo.insert(number, *self.stack.last().ok_or_else(malformed)?);
        }
        Ok(())
    }

    /// Pushes a name of a module, which must be one of the known ones.
    fn name(&mut self, instruction: u8) -> Result<(), WeightsError> {
        let (module, name) = if instruction == b'c' {
            (self.line()?, self.line()?)
        } else {
            let [module, name] = self.pop_many(2)?[..] else { return Err(malformed()) };
            (self.text_at(module)?, self.text_at(name)?)
        };
        let kind = || KINDS.into_iter().find(|kind| module == "torch" && kind.name == name).map(Name::Storage);
        let known = match (module.as_str(), name.as_str()) {
            ("collections", "OrderedDict") => Some(Name::OrderedDict),
            ("torch._utils", "_rebuild_tensor_v2") => Some(Name::RebuildTensor),
            _ => kind(),
        };
        let Some(known) = known else {
            return Err(WeightsError::torch(format!(
                "its data.pkl asks for {module}.{name}, which a table of tensors does not need; pickles can run code, \
                 and this one was not run"
            )));
        };
        self.push(Value::Name(known))
    }

    /// Turns `('storage', kind, key, device, numbers)` into a storage.
    fn storage(&mut self) -> Result<(), WeightsError> {
        let place = self.pop()?;
        let Some(Value::Tuple(parts)) = self.values.get(place) else { return Err(malformed()) };
        let [tag, kind, key, _, _] = parts[..] else { return Err(malformed()) };
        let (tag, key) = (self.text_at(tag)?, self.text_at(key)?);
        let Some(Value::Name(Name::Storage(kind))) = self.values.get(kind).filter(|_| tag == "storage") else {
            return Err(WeightsError::torch(format!(
                "its data.pkl refers to {tag:?} outside itself instead of to a storage"
            )));
        };
        self.push(Value::Storage(Storage { kind: *kind, key }))
    }

    /// Creates a table or a tensor from a name and its arguments.
    fn call(&mut self) -> Result<(), WeightsError> {
        let [name, arguments] = self.pop_many(2)?[..] else { return Err(malformed()) };
        let (Some(Value::Name(name)), Some(Value::Tuple(arguments))) =
            (self.values.get(name), self.values.get(arguments))
        else {
            return Err(WeightsError::torch("its data.pkl calls a value that is no name; it was not run"));
        };
        let value = match (name, &arguments[..]) {
            (Name::OrderedDict, []) => Value::Table(Vec::new()),
            // The remaining arguments say whether it learns, its hooks and its metadata.
            (Name::RebuildTensor, [storage, offset, shape, strides, ..]) => {
                let Some(Value::Storage(storage)) = self.values.get(*storage) else { return Err(malformed()) };
                let [offset] = self.wholes(&[*offset])?[..] else { return Err(malformed()) };
                let (shape, strides) = (self.tuple_of_wholes(*shape)?, self.tuple_of_wholes(*strides)?);
                Value::Tensor(Tensor { storage: storage.clone(), offset, shape, strides })
            }
            _ => return Err(malformed()),
        };
        self.push(value)
    }

    /// Ignores attributes of a table (`_metadata`), which say nothing about the tensors.
    fn build(&mut self) -> Result<(), WeightsError> {
        let [object, _] = self.pop_many(2)?[..] else { return Err(malformed()) };
        if !matches!(self.values.get(object), Some(Value::Table(_))) {
            return Err(WeightsError::torch(
                "its data.pkl sets attributes of something that is no table; it was not run",
            ));
        }
        self.stack.push(object);
        Ok(())
    }

    fn push(&mut self, value: Value) -> Result<(), WeightsError> {
        self.stack.push(self.values.len());
        self.values.push(value);
        Ok(())
    }

    /// Pops the last value, if it lies above the last mark.
    fn pop(&mut self) -> Result<Place, WeightsError> {
        let floor = self.marks.last().copied().unwrap_or(0);
        if self.stack.len() > floor { self.stack.pop().ok_or_else(malformed) } else { Err(malformed()) }
    }

    fn pop_many(&mut self, count: usize) -> Result<Vec<Place>, WeightsError> {
        let mut items = (0..count).map(|_| self.pop()).collect::<Result<Vec<_>, _>>()?;
        items.reverse();
        Ok(items)
    }

    /// Pops all values above the last mark, and the mark.
    fn pop_marked(&mut self) -> Result<Vec<Place>, WeightsError> {
        let mark = self.marks.pop().filter(|mark| *mark <= self.stack.len()).ok_or_else(malformed)?;
        Ok(self.stack.split_off(mark))
    }

    fn take<const N: usize>(&mut self) -> Result<[u8; N], WeightsError> {
        let (taken, rest) = self.rest.split_first_chunk::<N>().ok_or_else(broken_off)?;
        self.rest = rest;
        Ok(*taken)
    }

    fn bytes(&mut self, length: usize) -> Result<&'a [u8], WeightsError> {
        let (taken, rest) = self.rest.split_at_checked(length).ok_or_else(broken_off)?;
        self.rest = rest;
        Ok(taken)
    }

    fn text(&mut self, length: usize) -> Result<String, WeightsError> {
        let bytes = self.bytes(length)?;
        std::str::from_utf8(bytes)
            .map(String::from)
            .map_err(|_| WeightsError::torch("a name in its data.pkl is not UTF-8"))
    }

    fn line(&mut self) -> Result<String, WeightsError> {
        let end = self.rest.iter().position(|byte| *byte == b'\n').ok_or_else(broken_off)?;
        let line = self.text(end)?;
        self.take::<1>()?;
        Ok(line)
    }

    fn text_at(&self, place: Place) -> Result<String, WeightsError> {
        match self.values.get(place) {
            Some(Value::Text(text)) => Ok(text.clone()),
            _ => Err(malformed()),
        }
    }

    fn tuple_of_wholes(&self, place: Place) -> Result<Vec<i64>, WeightsError> {
        match self.values.get(place) {
            Some(Value::Tuple(items)) => self.wholes(items),
            _ => Err(malformed()),
        }
    }

    fn wholes(&self, places: &[Place]) -> Result<Vec<i64>, WeightsError> {
        let whole = |place: &Place| match self.values.get(*place) {
            Some(Value::Whole(number)) => Ok(*number),
            _ => Err(malformed()),
        };
        places.iter().map(whole).collect()
    }
}

/// Reads a number in two's complement of up to 8 bytes.
fn whole(bytes: &[u8]) -> Result<i64, WeightsError> {
    let sign = if bytes.last().is_some_and(|last| *last >= 0x80) { 0xff } else { 0 };
    let mut eight = [sign; 8];
    eight
        .get_mut(..bytes.len())
        .ok_or_else(|| WeightsError::torch("a number in its data.pkl has more than 64 bits"))?
        .copy_from_slice(bytes);
    Ok(i64::from_le_bytes(eight))
}

fn malformed() -> WeightsError {
    WeightsError::torch("its data.pkl is malformed")
}

fn broken_off() -> WeightsError {
    WeightsError::torch("its data.pkl breaks off")
}
