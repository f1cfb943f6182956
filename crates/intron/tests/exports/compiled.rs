//! C and Rust: every formula in a unit of its own, one program that calls them all.

use std::env;

use intron::Format;

use crate::cases::{Undefined, Verdict, cases, compare};
use crate::programs::{Folder, numbers, version};

/// The calls of all formulas on all rows; `call` makes one of a number and the values.
fn calls(call: impl Fn(usize, &str) -> String) -> String {
    let mut text = String::new();
    for (number, case) in cases().iter().enumerate() {
        let features = case.features();
        for (row, _) in &case.points {
            let values: Vec<String> = features.iter().map(|&k| format!("{:?}", row[k])).collect();
            text += &call(number, &values.join(", "));
        }
    }
    text
}

pub(crate) fn c() -> Verdict {
    let compiler =
        ["cc", "gcc", "clang"].into_iter().find(|one| version(one, "--version").is_some());
    let Some(compiler) = compiler else {
        return Verdict::Skipped("no C compiler is installed".to_owned());
    };
    let folder = Folder::new();
    let mut files = vec!["main.c".to_owned()];
    let mut main = "#include <stdio.h>\n".to_owned();
    for (number, case) in cases().iter().enumerate() {
        let name = format!("f{number}.c");
        let renamed = format!("#define predict predict_{number}\n{}", case.export(Format::C));
        folder.write(&name, &renamed);
        files.push(name);
        let parameters = vec!["double"; case.features().len()].join(", ");
        let parameters = if parameters.is_empty() { "void" } else { &parameters };
        main += &format!("double predict_{number}({parameters});\n");
    }
    let body =
        calls(|number, values| format!("printf(\"%.17g\\n\", predict_{number}({values}));\n"));
    folder.write("main.c", &format!("{main}int main(void) {{\n{body}return 0;\n}}\n"));
    let flags = ["-std=c99", "-pedantic", "-Wall", "-Wextra", "-Werror", "-O1", "-o", "all"];
    let files: Vec<&str> = files.iter().map(String::as_str).collect();
    let result = folder
        .run(compiler, &[&flags[..], &files, &["-lm"]].concat())
        .and_then(|_| folder.run(&folder.path().join("all").to_string_lossy(), &[]));
    match result {
        Ok(printed) => {
            let version = version(compiler, "--version").unwrap_or_default();
            compare(version, &numbers(&printed), Undefined::SameAsLibrary)
        }
        Err(problem) => Verdict::Failed(problem),
    }
}

pub(crate) fn rust() -> Verdict {
    let compiler = env::var("RUSTC").unwrap_or_else(|_| "rustc".to_owned());
    let Some(version) = version(&compiler, "--version") else {
        return Verdict::Skipped("rustc is not installed".to_owned());
    };
    let folder = Folder::new();
    let mut program = String::new();
    for (number, case) in cases().iter().enumerate() {
        program += &format!("mod f{number} {{\n{}}}\n", case.export(Format::Rust));
    }
    let body =
        calls(|number, values| format!("println!(\"{{:?}}\", f{number}::predict({values}));\n"));
    folder.write("all.rs", &format!("{program}fn main() {{\n{body}}}\n"));
    let result = folder
        .run(&compiler, &["--edition", "2021", "-D", "warnings", "all.rs"])
        .and_then(|_| folder.run(&folder.path().join("all").to_string_lossy(), &[]));
    match result {
        Ok(printed) => compare(version, &numbers(&printed), Undefined::SameAsLibrary),
        Err(problem) => Verdict::Failed(problem),
    }
}
