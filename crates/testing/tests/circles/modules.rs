//! The modules of a crate, read from its sources, and the resolution of paths to files.

use std::collections::{BTreeMap, BTreeSet};

use crate::tokens::{Token, tokens};

/// One name that a `use` declaration imports.
struct Import {
    /// Imported name; `None` for a glob (`*`).
    name: Option<String>,
    path: Vec<String>,
    /// `true` for `pub use`, which alone ties no file to another.
    public: bool,
}

/// A module: a file, or a block in braces.
struct Module {
    file: String,
    parent: Option<usize>,
    /// Folder with the files of its child modules.
    folder: String,
    children: BTreeMap<String, usize>,
    /// Names of its own items.
    items: BTreeSet<String>,
    imports: Vec<Import>,
    /// Paths in its code.
    paths: Vec<Vec<String>>,
}

impl Module {
    /// Returns `true` if an import brings in this name.
    fn imports_name(&self, name: &str) -> bool {
        self.imports.iter().any(|import| import.name.as_deref() == Some(name))
    }

    /// Returns `true` if the module may offer this name to others.
    fn offers(&self, name: &str) -> bool {
        let hands_on = |import: &Import| import.public && import.name.as_deref().is_none_or(|own| own == name);
        self.children.contains_key(name) || self.items.contains(name) || self.imports.iter().any(hands_on)
    }
}

/// Target of a path.
#[derive(Clone, Copy)]
enum End {
    Module(usize),
    /// An item of this module.
    Item(usize),
}

/// All modules under one `lib.rs` or `main.rs`.
pub struct Modules<'s> {
    sources: &'s BTreeMap<String, String>,
    modules: Vec<Module>,
}

/// Names that a file takes from another, by the pair of files.
pub type Edges = BTreeMap<(String, String), BTreeSet<String>>;

/// Keywords before the name of an item.
const ITEMS: [&str; 9] = ["struct", "enum", "union", "trait", "type", "const", "static", "fn", "macro_rules"];

impl<'s> Modules<'s> {
    /// Reads the modules under `root`, a path among the sources, without test modules.
    ///
    /// # Panics
    /// A module has no file.
    pub fn read(sources: &'s BTreeMap<String, String>, root: &str) -> Self {
        let folder = root.rsplit_once('/').map_or("", |(folder, _)| folder).to_owned();
        let mut modules = Self { sources, modules: Vec::new() };
        modules.add_file(root, None, folder);
        modules
    }

    /// Returns all names that files take from each other, resolved through re-exports.
    pub fn edges(&self) -> Edges {
        let mut edges = Edges::new();
        for (number, module) in self.modules.iter().enumerate() {
            let imported = module.imports.iter().filter(|import| !import.public).map(|import| &import.path);
            for path in module.paths.iter().chain(imported) {
                let Some((End::Item(end), length)) = self.end(number, path, &mut Vec::new()) else { continue };
                if self.modules[end].file != module.file {
                    let files = (module.file.clone(), self.modules[end].file.clone());
                    edges.entry(files).or_default().insert(path[length - 1].clone());
                }
            }
        }
        edges
    }

    fn add_file(&mut self, file: &str, parent: Option<usize>, folder: String) -> usize {
        let source = self.sources.get(file).unwrap_or_else(|| panic!("there is no {file}"));
        let number = self.add(file, parent, folder);
        Scan { modules: self, module: number }.items(&tokens(source));
        number
    }

    fn add(&mut self, file: &str, parent: Option<usize>, folder: String) -> usize {
        self.modules.push(Module {
            file: file.to_owned(),
            parent,
            folder,
            children: BTreeMap::new(),
            items: BTreeSet::new(),
            imports: Vec::new(),
            paths: Vec::new(),
        });
        self.modules.len() - 1
    }

    /// Resolves a path in a module: returns its target and the number of segments that lead there. Segments after an
    /// item are its variants or functions. `None` if the path leaves the crate.
    fn end(&self, module: usize, path: &[String], seen: &mut Vec<(usize, String, bool)>) -> Option<(End, usize)> {
        let mut found = match path.first()?.as_str() {
            "crate" => End::Module(0),
            "self" => End::Module(module),
            "super" => End::Module(self.modules[module].parent?),
            head => self.lookup(module, head, path.len() > 1, seen)?,
        };
        for (place, segment) in path.iter().enumerate().skip(1) {
            let End::Module(inside) = found else { return Some((found, place)) };
            found = match segment.as_str() {
                "super" => End::Module(self.modules[inside].parent?),
                "self" => found,
                name => match self.lookup(inside, name, place + 1 < path.len(), seen) {
                    Some(end) => end,
                    // Re-exported from another crate, or already being resolved.
                    None if self.modules[inside].imports_name(name) || seen.iter().any(|one| one.1 == name) => {
                        return None;
                    }
                    None => End::Item(inside),
                },
            };
        }
        Some((found, path.len()))
    }

    fn is_inside(&self, module: usize, other: usize) -> bool {
        module == other || self.modules[module].parent.is_some_and(|parent| self.is_inside(parent, other))
    }

    /// Resolves one name in a module. If `more` segments follow, a module takes precedence over an item of the same
    /// name.
    fn lookup(&self, module: usize, name: &str, more: bool, seen: &mut Vec<(usize, String, bool)>) -> Option<End> {
        let key = (module, name.to_owned(), more);
        if seen.contains(&key) {
            return None;
        }
        seen.push(key);
        let inside = &self.modules[module];
        let mut ends: Vec<End> = inside.children.get(name).map(|&child| End::Module(child)).into_iter().collect();
        if inside.items.contains(name) {
            ends.push(End::Item(module));
        }
        for import in &inside.imports {
            if import.name.as_deref() == Some(name) {
                ends.extend(self.end(module, &import.path, seen).map(|(end, _)| end));
            }
        }
        if ends.is_empty() {
            for import in inside.imports.iter().filter(|import| import.name.is_none()) {
                if let Some((End::Module(all), _)) = self.end(module, &import.path, seen)
                    && (self.modules[all].offers(name) || self.is_inside(module, all))
                {
                    ends.extend(self.lookup(all, name, more, seen));
                }
            }
        }
        seen.pop();
        let wanted = ends.iter().find(|end| matches!(end, End::Module(_)) == more);
        wanted.or(ends.first()).copied()
    }
}

/// Reads the items of one module.
struct Scan<'m, 's> {
    modules: &'m mut Modules<'s>,
    module: usize,
}

impl Scan<'_, '_> {
    fn items(&mut self, tokens: &[Token]) {
        let (mut at, mut depth) = (0, 0_usize);
        let mut file = None;
        while at < tokens.len() {
            at = match &tokens[at] {
                Token::Sign('#') => {
                    let end = attribute_end(tokens, at);
                    let words: Vec<&str> = tokens[at..end].iter().filter_map(Token::word).collect();
                    if words.first() == Some(&"cfg") && words.contains(&"test") && !words.contains(&"not") {
                        item_end(tokens, end)
                    } else {
                        if words == ["path"] {
                            file = tokens[at..end].iter().find_map(|token| match token {
                                Token::Text(text) => Some(text.clone()),
                                _ => None,
                            });
                        }
                        end
                    }
                }
                Token::Word(word) if word == "mod" && tokens.get(at + 1).is_some_and(|next| next.word().is_some()) => {
                    self.child(tokens, at, file.take())
                }
                Token::Word(word) if word == "use" && tokens.get(at + 1) != Some(&Token::Sign('<')) => {
                    self.import(tokens, at)
                }
                Token::Word(word) => {
                    if ITEMS.contains(&word.as_str()) && (depth == 0 || word == "static") {
                        self.name_item(tokens, at);
                    }
                    self.path(tokens, at)
                }
                Token::Sign('{') => {
                    depth += 1;
                    at + 1
                }
                Token::Sign('}') => {
                    depth = depth.saturating_sub(1);
                    at + 1
                }
                _ => at + 1,
            };
        }
    }

    fn here(&mut self) -> &mut Module {
        &mut self.modules.modules[self.module]
    }

    /// Reads `mod name;` or `mod name { … }`; returns the index after it.
    fn child(&mut self, tokens: &[Token], at: usize, file: Option<String>) -> usize {
        let name = tokens[at + 1].word().unwrap_or_default().to_owned();
        let (parent, folder) = (self.module, self.here().folder.clone());
        let inner = format!("{folder}/{name}");
        let (child, end) = if tokens.get(at + 2) == Some(&Token::Sign('{')) {
            let end = closing(tokens, at + 2);
            let own = self.here().file.clone();
            let child = self.modules.add(&own, Some(parent), inner);
            Scan { modules: self.modules, module: child }.items(&tokens[at + 3..end]);
            (child, end + 1)
        } else {
            let path = match file {
                Some(file) => {
                    let own = self.here().file.clone();
                    format!("{}/{file}", own.rsplit_once('/').map_or("", |(folder, _)| folder))
                }
                None if self.modules.sources.contains_key(&format!("{inner}.rs")) => format!("{inner}.rs"),
                None => format!("{inner}/mod.rs"),
            };
            (self.modules.add_file(&path, Some(parent), inner), at + 3)
        };
        self.here().children.insert(name, child);
        end
    }

    /// Reads a `use` declaration; returns the index after it.
    fn import(&mut self, tokens: &[Token], at: usize) -> usize {
        let public = match at.checked_sub(1).map(|before| &tokens[before]) {
            Some(Token::Word(word)) => word == "pub",
            // `pub(crate) use`: before `use`, round brackets occur only there.
            Some(Token::Sign(')')) => true,
            _ => false,
        };
        let end = tokens[at..].iter().position(|token| *token == Token::Sign(';')).map_or(tokens.len(), |to| at + to);
        let mut imports = Vec::new();
        import_tree(&tokens[at + 1..end], &[], &mut |path, name| imports.push(Import { name, path, public }));
        self.here().imports.extend(imports);
        end
    }

    fn name_item(&mut self, tokens: &[Token], at: usize) {
        let after = tokens[at + 1..].iter().find(|token| **token != Token::Sign('!')).and_then(Token::word);
        if let Some(name) = after {
            let name = name.to_owned();
            self.here().items.insert(name);
        }
    }

    /// Reads a path in code; returns the index after it. A single lower-case name counts only if it is called, since a
    /// variable is not.
    fn path(&mut self, tokens: &[Token], at: usize) -> usize {
        let mut path = vec![tokens[at].word().unwrap_or_default().to_owned()];
        let mut end = at + 1;
        while let (Some(Token::Path), Some(Token::Word(word))) = (tokens.get(end), tokens.get(end + 1)) {
            path.push(word.clone());
            end += 2;
        }
        let member = at > 0
            && (matches!(tokens[at - 1], Token::Path | Token::Sign('.')) || tokens[at - 1] == Token::Word("fn".into()));
        let called = tokens.get(end) == Some(&Token::Sign('('));
        let large = path[0].starts_with(char::is_uppercase);
        if !member && (path.len() > 1 || large || called) {
            self.here().paths.push(path);
        }
        end
    }
}

/// Calls `take` with every path of a tree of imports, and the name that it gets.
fn import_tree(tokens: &[Token], before: &[String], take: &mut impl FnMut(Vec<String>, Option<String>)) {
    let mut path = before.to_vec();
    let mut at = 0;
    while at < tokens.len() {
        match &tokens[at] {
            Token::Word(word) if word == "as" => {
                let name = tokens.get(at + 1).and_then(Token::word).map(str::to_owned);
                return take(path, name);
            }
            Token::Word(word) if word == "self" && !path.is_empty() => {}
            Token::Word(word) => path.push(word.clone()),
            Token::Sign('*') => return take(path, None),
            Token::Sign('{') => {
                for part in parts(&tokens[at + 1..closing(tokens, at)]) {
                    import_tree(part, &path, take);
                }
                return;
            }
            _ => {}
        }
        at += 1;
    }
    let name = path.last().cloned();
    if name.is_some() {
        take(path, name);
    }
}

/// Splits tokens at commas that are not in brackets.
fn parts(tokens: &[Token]) -> Vec<&[Token]> {
    let mut depth = 0_i32;
    let parts = tokens.split(|token| {
        depth += i32::from(*token == Token::Sign('{')) - i32::from(*token == Token::Sign('}'));
        depth == 0 && *token == Token::Sign(',')
    });
    parts.filter(|part| !part.is_empty()).collect()
}

/// Returns the index of the bracket that closes the one at `open`.
fn closing(tokens: &[Token], open: usize) -> usize {
    let mut depth = 0_i32;
    for (at, token) in tokens.iter().enumerate().skip(open) {
        depth += level(token);
        if depth == 0 {
            return at;
        }
    }
    tokens.len()
}

fn level(token: &Token) -> i32 {
    match token {
        Token::Sign('(' | '[' | '{') => 1,
        Token::Sign(')' | ']' | '}') => -1,
        _ => 0,
    }
}

fn attribute_end(tokens: &[Token], at: usize) -> usize {
    let open = at + 1 + usize::from(tokens.get(at + 1) == Some(&Token::Sign('!')));
    if tokens.get(open) == Some(&Token::Sign('[')) { closing(tokens, open) + 1 } else { at + 1 }
}

/// Returns the index after the item, statement or field that starts at `start`.
fn item_end(tokens: &[Token], start: usize) -> usize {
    let field = !tokens.get(start + 1).is_some_and(|next| next.word().is_some() || *next == Token::Sign('{'));
    let (mut depth, mut at) = (0_i32, start);
    while at < tokens.len() {
        let token = &tokens[at];
        if *token == Token::Sign('#') && depth == 0 {
            at = attribute_end(tokens, at);
            continue;
        }
        depth += level(token);
        let ended = match token {
            Token::Sign(';') => depth == 0,
            Token::Sign(',') => depth == 0 && field,
            Token::Sign('}') => depth <= 0,
            _ => depth < 0,
        };
        if ended {
            return if depth < 0 { at } else { at + 1 };
        }
        at += 1;
    }
    tokens.len()
}
