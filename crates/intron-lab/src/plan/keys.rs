//! The keys of a plan and what each of them holds. Whatever is wrong with them is said at once, not one after the other.

use toml::{Table, Value};

/// What a key holds.
#[derive(Debug, Clone, Copy)]
pub(super) enum Shape {
    Text,
    Texts,
    Whole,
    Wholes,
    Number,
    Table(&'static [Key]),
    /// Any keys, each with one value.
    Settings,
}

#[derive(Debug)]
pub(super) struct Key {
    name: &'static str,
    shape: Shape,
    is_needed: bool,
    example: &'static str,
}

const fn needed(name: &'static str, shape: Shape, example: &'static str) -> Key {
    Key { name, shape, is_needed: true, example }
}

const fn free(name: &'static str, shape: Shape, example: &'static str) -> Key {
    Key { name, shape, is_needed: false, example }
}

static BUDGET: [Key; 2] =
    [free("evaluations", Shape::Number, "1e6"), free("generations", Shape::Number, "20")];

static SIMILARITY: [Key; 1] = [needed("generations", Shape::Wholes, "[0, 5, 10]")];

static KEYS: [Key; 14] = [
    needed("name", Shape::Text, "\"mine\""),
    free("title", Shape::Text, "\"What this is about\""),
    needed("data", Shape::Texts, "[\"airfoil\", \"mine.csv\"]"),
    needed("heights", Shape::Wholes, "[5, 7]"),
    needed("linear_scaling", Shape::Texts, "[\"on\", \"off\"]"),
    needed("operators", Shape::Texts, "[\"small\", \"+,-,*\"]"),
    needed("linkage", Shape::Texts, "[\"node\", \"mi-masked\"]"),
    needed("repeats", Shape::Whole, "30"),
    needed("folds", Shape::Whole, "5"),
    needed("test_fraction", Shape::Number, "0.25"),
    free("seed", Shape::Whole, "0"),
    needed("budget", Shape::Table(&BUDGET), "{ evaluations = 1e6 }"),
    free("settings", Shape::Settings, "{ population = 1024 }"),
    free("similarity", Shape::Table(&SIMILARITY), "{ generations = [0, 5, 10] }"),
];

/// What the key with this path holds, such as `budget.evaluations`.
pub(super) fn shape_of(path: &str) -> Option<Shape> {
    let find = |keys: &'static [Key], name: &str| keys.iter().find(|key| key.name == name);
    match path.split_once('.') {
        None => find(&KEYS, path).map(|key| key.shape),
        Some((outer, inner)) => match find(&KEYS, outer)?.shape {
            Shape::Table(keys) => find(keys, inner).map(|key| key.shape),
            _ => None,
        },
    }
}

/// All that is wrong with the keys of a plan; none if every needed key is there, and holds what it should. Whole numbers may be
/// written as 1e3, and settings with dots as tables: both are put in order.
pub(super) fn problems(table: &mut Table) -> Vec<String> {
    let mut found = Vec::new();
    look_into(table, &KEYS, "", &mut found);
    found
}

fn look_into(table: &mut Table, keys: &'static [Key], before: &str, found: &mut Vec<String>) {
    for Key { name, is_needed, example, .. } in keys {
        if *is_needed && !table.contains_key(*name) {
            found.push(format!(
                "`{before}{name}` is missing; it is written like {name} = {example}"
            ));
        }
    }
    let mut n_unknown = 0;
    for (name, value) in table.iter_mut() {
        let path = format!("{before}{name}");
        let Some(key) = keys.iter().find(|key| key.name == name) else {
            found.push(format!("`{path}` is no key of a plan"));
            n_unknown += 1;
            continue;
        };
        match (key.shape, &mut *value) {
            (Shape::Table(keys), Value::Table(inner)) => {
                look_into(inner, keys, &format!("{path}."), found);
            }
            (Shape::Settings, Value::Table(inner)) => *inner = flattened(inner),
            _ => found.extend(wrong_shape(value, key, &path)),
        }
    }
    if n_unknown > 0 {
        let names: Vec<String> = keys.iter().map(|key| format!("{before}{}", key.name)).collect();
        found.push(format!("keys are: {}", names.join(" ")));
    }
}

fn wrong_shape(value: &mut Value, key: &Key, path: &str) -> Option<String> {
    let (is_right, what) = match (key.shape, &mut *value) {
        (Shape::Text, value) => (value.is_str(), "text"),
        (Shape::Number, value) => (value.is_integer() || value.is_float(), "a number"),
        (Shape::Whole, value) => (is_whole(value), "a whole number of zero or more"),
        (Shape::Texts, Value::Array(items)) => (items.iter().all(Value::is_str), "a list of texts"),
        (Shape::Wholes, Value::Array(items)) => {
            (items.iter_mut().all(is_whole), "a list of whole numbers of zero or more")
        }
        (Shape::Texts, _) => (false, "a list of texts"),
        (Shape::Wholes, _) => (false, "a list of whole numbers of zero or more"),
        (Shape::Table(_) | Shape::Settings, _) => (false, "a table"),
    };
    let given = value.to_string();
    (!is_right).then(|| format!("`{path}` is {what}, such as {}, not {given}", key.example))
}

/// Whether a value is a whole number; one that is written like 1e3 becomes one.
fn is_whole(value: &mut Value) -> bool {
    // Above 2^53 a floating-point number need not be the whole number that was meant.
    if let Value::Float(number) = *value
        && number.fract() == 0.0
        && (0.0..=9e15).contains(&number)
    {
        *value = Value::Integer(number as i64);
    }
    value.as_integer().is_some_and(|number| number >= 0)
}

/// Keys with dots in one table: TOML reads `ims.start = 64` as a table in a table.
fn flattened(table: &Table) -> Table {
    let mut flat = Table::new();
    for (name, value) in table {
        match value {
            Value::Table(inner) => {
                let inner = flattened(inner).into_iter();
                flat.extend(inner.map(|(last, value)| (format!("{name}.{last}"), value)));
            }
            _ => {
                flat.insert(name.clone(), value.clone());
            }
        }
    }
    flat
}
