//! Divides the engine's wasm in two: what every device needs, and what only a graphics card does, which the worker
//! fetches when it opens one.
//!
//! Which functions are a card's is told by the names of crates: those of the crates below, and whatever only they
//! call. What stays behind reaches them through the function table, at places that the second module fills when it is
//! instantiated; a call before that is a trap. Memory, table and globals are the first module's.

use crate::run::Outcome;
use std::collections::{BTreeMap, BTreeSet};
use walrus::ir::{CallIndirect, Const, Instr, InstrSeq, InstrSeqId, Value, Visitor, dfs_in_order};
use walrus::{
    ConstExpr, DataKind, ElementItems, ElementKind, ExportItem, Function, FunctionId, FunctionKind, GlobalKind,
};
use walrus::{ImportedFunction, LocalFunction, Module, ModuleConfig, TableId, passes};

/// The namespace under which the second module imports from the first.
const FIRST: &str = "first";
/// Crates, or how their names begin, that are of use with a graphics card alone: burn's backend for it, its kernels,
/// the compiler of their shaders with what that is made of, and the browser's interface.
const GRAPHICS: [&str; 14] = [
    "burn_cubecl",
    "burn_wgpu",
    "combine",
    "cubecl_core",
    "cubecl_ir",
    "cubecl_opt",
    "cubecl_runtime",
    "cubecl_server",
    "cubecl_std",
    "cubecl_wgpu",
    "cubek",
    "pliron",
    "rustc_apfloat",
    "wgpu",
];

/// The two modules of the engine.
pub struct Divided {
    /// Module that every device needs.
    pub first: Vec<u8>,
    /// Module that a graphics card needs beside the first.
    pub graphics: Vec<u8>,
}

/// Divides a module that has the names of its functions; the two have them too.
///
/// # Errors
/// It is not as rustc and wasm-bindgen make them, or has no function of a card's crates.
pub fn divide(module: &[u8]) -> Outcome<Divided> {
    let parse = || {
        let mut config = ModuleConfig::new();
        config.generate_producers_section(false);
        config.parse(module).map_err(|error| format!("the engine's wasm cannot be read: {error}"))
    };
    let whole = parse()?;
    refuse_what_is_not_divided(&whole)?;
    let division = Division::of(&whole)?;
    if division.first.len() == whole.funcs.iter().count() {
        return Err(
            "no function of the engine is one of a graphics card's crates: are they named otherwise now?".into()
        );
    }
    Ok(Divided { first: division.first(whole)?, graphics: division.graphics(parse()?)? })
}

/// Refuses constructs that rustc has not emitted so far and the division would get wrong.
fn refuse_what_is_not_divided(module: &Module) -> Outcome<()> {
    let is_active = |kind: &DataKind| matches!(kind, DataKind::Active { .. });
    let told = [
        (module.data.iter().all(|data| is_active(&data.kind)), "passive data"),
        (module.tags.iter().next().is_none(), "tags of exceptions"),
    ];
    match told.into_iter().find(|(is_fine, _)| !is_fine) {
        Some((_, what)) => Err(format!("the engine has {what}, with which it cannot be divided")),
        None => Ok(()),
    }
}

/// Destination of every function, by its index in the module, which is the same each time it is read.
struct Division {
    /// Functions that stay.
    first: BTreeSet<usize>,
    /// Functions of the first module that the card's functions call.
    shared: BTreeSet<usize>,
    /// The places in the table of the card's functions that others call.
    places: BTreeMap<usize, u64>,
    /// Functions that get a new entry at the table's end, in the order of their entries.
    new_places: Vec<usize>,
}

impl Division {
    fn of(module: &Module) -> Outcome<Self> {
        let calls: BTreeMap<usize, Vec<FunctionId>> =
            module.funcs.iter_local().map(|(id, function)| (id.index(), called_by(function))).collect();
        let first = staying(module, &calls);
        let callees = |stays: bool| -> BTreeSet<usize> {
            let callers = calls.iter().filter(|(caller, _)| first.contains(caller) == stays);
            callers.flat_map(|(_, called)| called).map(|id| id.index()).collect()
        };
        let shared = callees(false).intersection(&first).copied().collect();
        let (table, segments) = segments(module)?;
        let mut places: BTreeMap<usize, u64> = BTreeMap::new();
        for (start, functions) in &segments {
            places.extend((*start..).zip(functions).map(|(place, id)| (id.index(), place)));
        }
        let has_none = |id: &usize| !first.contains(id) && !places.contains_key(id);
        let new_places: Vec<usize> = callees(true).into_iter().filter(has_none).collect();
        places.extend(new_places.iter().copied().zip(module.tables.get(table).initial..));
        Ok(Self { first, shared, places, new_places })
    }

    /// The module without the card's functions.
    fn first(&self, mut module: Module) -> Outcome<Vec<u8>> {
        let (table, _) = segments(&module)?;
        let mut targets: BTreeMap<FunctionId, Target> = BTreeMap::new();
        for function in module.funcs.iter().filter(|function| !self.first.contains(&function.id().index())) {
            if let Some(place) = self.places.get(&function.id().index()) {
                targets.insert(function.id(), (as_constant(*place)?, function.ty()));
            }
        }
        for (_, function) in module.funcs.iter_local_mut().filter(|(id, _)| self.first.contains(&id.index())) {
            call_through(function, &targets, table);
        }
        self.fill_table(&mut module, true)?;
        for id in module.funcs.iter().map(Function::id).filter(|id| self.shared.contains(&id.index())) {
            module.exports.add(&name("f", id.index()), id);
        }
        for id in module.memories.iter().map(|memory| memory.id()) {
            module.exports.add(&name("m", id.index()), id);
        }
        for id in module.tables.iter().map(|table| table.id()) {
            module.exports.add(&name("t", id.index()), id);
        }
        for id in module.globals.iter().map(|global| global.id()) {
            module.exports.add(&name("g", id.index()), id);
        }
        passes::gc::run(&mut module);
        Ok(module.emit_wasm())
    }

    /// The card's functions, which import what they need of the others.
    fn graphics(&self, mut module: Module) -> Outcome<Vec<u8>> {
        self.fill_table(&mut module, false)?;
        self.import_functions(&mut module);
        import_state(&mut module);
        module.start = None;
        for export in module.exports.iter().map(|export| export.id()).collect::<Vec<_>>() {
            module.exports.delete(export);
        }
        passes::gc::run(&mut module);
        Ok(module.emit_wasm())
    }

    fn import_functions(&self, module: &mut Module) {
        let staying: Vec<FunctionId> =
            module.funcs.iter().map(Function::id).filter(|id| self.first.contains(&id.index())).collect();
        for id in staying {
            let name = name("f", id.index());
            let ty = module.funcs.get(id).ty();
            match &module.funcs.get(id).kind {
                FunctionKind::Import(own) => {
                    let import = module.imports.get_mut(own.import);
                    (import.module, import.name) = (FIRST.to_owned(), name);
                }
                _ => {
                    let import = module.imports.add(FIRST, &name, id);
                    module.funcs.get_mut(id).kind = FunctionKind::Import(ImportedFunction { import, ty });
                }
            }
        }
    }

    /// Makes the function table as long as it has to be, and its segments anew, with the functions that stay or with
    /// those that go.
    fn fill_table(&self, module: &mut Module, stays: bool) -> Outcome<()> {
        let (table, segments) = segments(module)?;
        for id in module.elements.iter().map(|segment| segment.id()).collect::<Vec<_>>() {
            module.elements.delete(id);
            module.tables.get_mut(table).elem_segments.remove(&id);
        }
        let mut functions: BTreeMap<u64, FunctionId> = BTreeMap::new();
        for (start, segment) in segments {
            functions.extend((start..).zip(segment));
        }
        let ids: BTreeMap<usize, FunctionId> =
            module.funcs.iter().map(|function| (function.id().index(), function.id())).collect();
        functions.extend(self.new_places.iter().map(|index| (self.places[index], ids[index])));
        functions.retain(|_, id| self.first.contains(&id.index()) == stays);
        let entries = module.tables.get_mut(table);
        let size = entries.initial + self.new_places.len() as u64;
        (entries.initial, entries.maximum) = (size, entries.maximum.map(|_| size));
        for (start, segment) in runs(functions) {
            let kind = ElementKind::Active { table, offset: ConstExpr::Value(as_constant(start)?) };
            let id = module.elements.add(kind, ElementItems::Functions(segment));
            module.tables.get_mut(table).elem_segments.insert(id);
        }
        Ok(())
    }
}

/// Memories, tables and globals become the first module's; what they hold at the beginning is there already.
fn import_state(module: &mut Module) {
    for id in module.data.iter().map(|data| data.id()).collect::<Vec<_>>() {
        module.data.delete(id);
    }
    for id in module.memories.iter().map(|memory| memory.id()).collect::<Vec<_>>() {
        let import = module.imports.add(FIRST, &name("m", id.index()), id);
        let memory = module.memories.get_mut(id);
        memory.data_segments.clear();
        memory.import = Some(import);
    }
    for id in module.tables.iter().map(|table| table.id()).collect::<Vec<_>>() {
        let import = module.imports.add(FIRST, &name("t", id.index()), id);
        module.tables.get_mut(id).import = Some(import);
    }
    for id in module.globals.iter().map(|global| global.id()).collect::<Vec<_>>() {
        let import = module.imports.add(FIRST, &name("g", id.index()), id);
        module.globals.get_mut(id).kind = GlobalKind::Import(import);
    }
}

/// Functions reached from outside or through the table without passing a function of the card's crates.
fn staying(module: &Module, calls: &BTreeMap<usize, Vec<FunctionId>>) -> BTreeSet<usize> {
    let exported = module.exports.iter().filter_map(|export| match export.item {
        ExportItem::Function(id) => Some(id),
        _ => None,
    });
    // JavaScript hands all that it gives to the first module, which passes it on.
    let imported =
        module.funcs.iter().filter(|function| matches!(function.kind, FunctionKind::Import(_))).map(Function::id);
    let mut open: Vec<FunctionId> = exported.chain(module.start).chain(imported).collect();
    let mut staying: BTreeSet<usize> = open.iter().map(|id| id.index()).collect();
    let tabled = module.elements.iter().flat_map(|segment| match &segment.items {
        ElementItems::Functions(functions) => functions.as_slice(),
        ElementItems::Expressions(..) => &[],
    });
    let mut next: Vec<FunctionId> = tabled.copied().collect();
    loop {
        for id in next.drain(..) {
            let of_card = module.funcs.get(id).name.as_deref().is_some_and(is_graphics);
            if !of_card && staying.insert(id.index()) {
                open.push(id);
            }
        }
        let Some(id) = open.pop() else { return staying };
        next.extend(calls.get(&id.index()).into_iter().flatten());
    }
}

/// Returns `true` if a function of this name is one of the card's crates, or of a trait of theirs: `crate::…`,
/// `<crate::… as …>::…`, `<… as crate::…>::…`.
fn is_graphics(name: &str) -> bool {
    let own = name.trim_start_matches(['<', '&', '(', '[']);
    let own = own.strip_prefix("mut ").or(own.strip_prefix("dyn ")).unwrap_or(own);
    let of_trait = name.starts_with('<').then(|| name.split_once(" as ")).flatten().map(|(_, of_trait)| of_trait);
    [Some(own), of_trait].into_iter().flatten().any(|path| {
        GRAPHICS
            .iter()
            .any(|owner| path.strip_prefix(owner).is_some_and(|rest| rest.starts_with("::") || rest.starts_with('_')))
    })
}

/// The function table, and its segments: where each begins, and its functions.
type Segments = Vec<(u64, Vec<FunctionId>)>;

fn segments(module: &Module) -> Outcome<(TableId, Segments)> {
    let mut found: Option<TableId> = None;
    let mut segments = Vec::new();
    for segment in module.elements.iter() {
        let (
            ElementKind::Active { table, offset: ConstExpr::Value(Value::I32(start)) },
            ElementItems::Functions(functions),
        ) = (&segment.kind, &segment.items)
        else {
            return Err("a segment of the engine's function table has no fixed place, or no plain functions".to_owned());
        };
        if found.replace(*table).is_some_and(|other| other != *table) {
            return Err("the engine has two function tables".to_owned());
        }
        segments.push((u64::from(start.cast_unsigned()), functions.clone()));
    }
    let table = found.ok_or("the engine has no function table")?;
    Ok((table, segments))
}

/// Functions side by side, and where each run of them begins.
fn runs(functions: BTreeMap<u64, FunctionId>) -> Segments {
    let mut runs: Segments = Vec::new();
    for (place, id) in functions {
        match runs.last_mut() {
            Some((start, run)) if *start + run.len() as u64 == place => run.push(id),
            _ => runs.push((place, vec![id])),
        }
    }
    runs
}

fn name(kind: &str, index: usize) -> String {
    format!("{kind}{index}")
}

fn called_by(function: &LocalFunction) -> Vec<FunctionId> {
    struct Called(BTreeSet<FunctionId>);
    impl Visitor<'_> for Called {
        fn visit_function_id(&mut self, id: &FunctionId) {
            self.0.insert(*id);
        }
    }
    let mut called = Called(BTreeSet::new());
    dfs_in_order(&mut called, function, function.entry_block());
    called.0.into_iter().collect()
}

/// A place in the table, and the type of the function there.
type Target = (Value, walrus::TypeId);

fn as_constant(place: u64) -> Outcome<Value> {
    i32::try_from(place).map(Value::I32).map_err(|_| "the engine's function table is too long".to_owned())
}

/// Calls these functions through the table.
fn call_through(function: &mut LocalFunction, targets: &BTreeMap<FunctionId, Target>, table: TableId) {
    struct Sequences(Vec<InstrSeqId>);
    impl<'instr> Visitor<'instr> for Sequences {
        fn start_instr_seq(&mut self, sequence: &'instr InstrSeq) {
            self.0.push(sequence.id());
        }
    }
    let mut sequences = Sequences(Vec::new());
    dfs_in_order(&mut sequences, function, function.entry_block());
    for id in sequences.0 {
        let instructions = &mut function.block_mut(id).instrs;
        let calls_one =
            |instruction: &Instr| matches!(instruction, Instr::Call(call) if targets.contains_key(&call.func));
        if !instructions.iter().any(|(instruction, _)| calls_one(instruction)) {
            continue;
        }
        for (instruction, place) in std::mem::take(instructions) {
            let target = match &instruction {
                Instr::Call(call) => targets.get(&call.func),
                _ => None,
            };
            match target {
                Some(&(value, ty)) => {
                    instructions.push((Const { value }.into(), place));
                    instructions.push((CallIndirect { ty, table }.into(), place));
                }
                None => instructions.push((instruction, place)),
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use walrus::{FunctionBuilder, RefType, ValType};

    /// An engine of three functions: one that everything begins with, one of a card's crates, and one that both call.
    fn engine() -> Vec<u8> {
        let mut module = Module::default();
        let add = |module: &mut Module, name: &str, calls: &[FunctionId]| {
            let mut function = FunctionBuilder::new(&mut module.types, &[], &[ValType::I32]);
            function.name(name.to_owned());
            let mut body = function.func_body();
            for callee in calls {
                body.call(*callee).drop();
            }
            body.i32_const(0);
            function.finish(Vec::new(), &mut module.funcs)
        };
        let both = add(&mut module, "alloc::vec::grow", &[]);
        let card = add(&mut module, "cubecl_core::launch", &[both]);
        let start = add(&mut module, "tuppum_engine::start", &[both, card]);
        module.exports.add("start", start);
        let table = module.tables.add_local(false, 2, Some(2), RefType::FUNCREF);
        let kind = ElementKind::Active { table, offset: ConstExpr::Value(Value::I32(1)) };
        let segment = module.elements.add(kind, ElementItems::Functions(vec![start]));
        module.tables.get_mut(table).elem_segments.insert(segment);
        module.emit_wasm()
    }

    fn read(wasm: &[u8]) -> Module {
        ModuleConfig::new().parse(wasm).unwrap()
    }

    fn own(module: &Module) -> Vec<String> {
        let mut names: Vec<String> =
            module.funcs.iter_local().filter_map(|(id, _)| module.funcs.get(id).name.clone()).collect();
        names.sort();
        names
    }

    fn both() -> (Module, Module) {
        let divided = divide(&engine()).unwrap();
        (read(&divided.first), read(&divided.graphics))
    }

    #[test]
    fn a_card_s_functions_go_and_are_called_through_the_table() {
        let (first, graphics) = both();
        assert_eq!(own(&first), ["alloc::vec::grow", "tuppum_engine::start"]);
        assert_eq!(own(&graphics), ["cubecl_core::launch"]);
        for module in [&first, &graphics] {
            assert!(module.tables.iter().all(|table| (table.initial, table.maximum) == (3, Some(3))), "a place more");
        }
        let filled =
            |module: &Module| segments(module).unwrap().1.into_iter().map(|(start, _)| start).collect::<Vec<_>>();
        assert_eq!([filled(&first), filled(&graphics)], [[1], [2]]);
    }

    #[test]
    fn what_the_second_imports_the_first_exports() {
        let (first, graphics) = both();
        let exported: Vec<&str> = first.exports.iter().map(|export| export.name.as_str()).collect();
        let imported: Vec<&walrus::Import> = graphics.imports.iter().collect();
        // The function that both call, and the table.
        assert_eq!(imported.len(), 2);
        assert!(imported.iter().all(|import| import.module == FIRST && exported.contains(&import.name.as_str())));
        assert_eq!((graphics.exports.iter().count(), exported.contains(&"start")), (0, true));
    }

    #[test]
    fn an_engine_without_names_is_refused() {
        let mut config = ModuleConfig::new();
        let nameless = config.generate_name_section(false).parse(&engine()).unwrap().emit_wasm();
        assert!(divide(&nameless).is_err_and(|told| told.contains("are they named otherwise")));
    }

    #[test]
    fn functions_of_a_card_are_told_by_crate_and_by_trait() {
        for name in [
            "cubecl_core::a::b::h01",
            "<cubek_tile::A as core::fmt::Debug>::fmt",
            "wgpu_types::x",
            "<T as pliron::P>::p",
        ] {
            assert!(is_graphics(name), "{name}");
        }
        for name in
            ["core::ptr::drop_in_place<wgpu::Buffer>", "cubecl_common::bytes::x", "burn_flex::ops::add", "combined::x"]
        {
            assert!(!is_graphics(name), "{name}");
        }
    }
}
