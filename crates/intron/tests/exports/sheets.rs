//! LibreOffice Calc: a sheet with all rows, every exported formula filled down, and what is computed saved as CSV.

use std::fs;

use intron::Format;

use crate::cases::{NAMES, Undefined, Verdict, cases, compare, rows};
use crate::programs::{Folder, version};

const HEAD: &str = r#"<?xml version="1.0" encoding="UTF-8"?>
<office:document xmlns:office="urn:oasis:names:tc:opendocument:xmlns:office:1.0" xmlns:table="urn:oasis:names:tc:opendocument:xmlns:table:1.0" xmlns:text="urn:oasis:names:tc:opendocument:xmlns:text:1.0" xmlns:msoxl="http://schemas.microsoft.com/office/excel/formula" office:version="1.2" office:mimetype="application/vnd.oasis.opendocument.spreadsheet"><office:body><office:spreadsheet><table:table table:name="data">
"#;
const TAIL: &str = "</table:table></office:spreadsheet></office:body></office:document>\n";

/// Plain CSV with all digits, not as displayed.
const CSV: &str = "csv:Text - txt - csv (StarCalc):44,34,76,1,,0,false,false";

pub(crate) fn libreoffice() -> Verdict {
    let Some(version) = version("soffice", "--version") else {
        return Verdict::Skipped("`soffice` is not installed".to_owned());
    };
    let folder = Folder::new();
    folder.write("sheet.fods", &sheet());
    let profile = format!("-env:UserInstallation=file://{}/profile", folder.path().display());
    let arguments = [&profile, "--headless", "--convert-to", CSV, "sheet.fods"];
    if let Err(problem) = folder.run("soffice", &arguments) {
        return Verdict::Failed(problem);
    }
    let Ok(table) = fs::read_to_string(folder.path().join("sheet.csv")) else {
        return Verdict::Failed("LibreOffice has written no CSV".to_owned());
    };
    let number = |cell: &str| cell.parse().unwrap_or(f64::NAN);
    let cells: Vec<Vec<f64>> =
        table.lines().skip(1).map(|line| line.split(',').map(number).collect()).collect();
    let formula = |k: usize| cells.iter().map(move |row| row.get(NAMES.len() + k).copied());
    let found: Option<Vec<f64>> = (0..cases().len()).flat_map(formula).collect();
    match found {
        Some(found) => compare(version, &found, Undefined::Missing),
        None => Verdict::Failed(format!("cells are missing: {table}")),
    }
}

/// The sheet: a row of titles, then for each row its values and all formulas.
fn sheet() -> String {
    let formulas: Vec<String> = cases().iter().map(|case| case.export(Format::Excel)).collect();
    let mut text = HEAD.to_owned() + "<table:table-row>";
    for k in 0..NAMES.len() + formulas.len() {
        text += &format!(
            "<table:table-cell office:value-type=\"string\"><text:p>title{k}</text:p></table:table-cell>"
        );
    }
    text += "</table:table-row>\n";
    for (place, row) in rows().iter().enumerate() {
        text += "<table:table-row>";
        for value in row {
            text += &format!(
                "<table:table-cell office:value-type=\"float\" office:value=\"{value:?}\"/>"
            );
        }
        for formula in &formulas {
            let formula = formula.lines().next().expect("the formula comes first");
            let moved = moved(formula, place + 2).replace('<', "&lt;");
            text += &format!("<table:table-cell table:formula=\"msoxl:{moved}\"/>");
        }
        text += "</table:table-row>\n";
    }
    text + TAIL
}

/// The formula filled down to another row: every cell of row 2 becomes one of that row.
fn moved(formula: &str, row: usize) -> String {
    let mut text = String::new();
    let mut word = String::new();
    for character in formula.chars().chain([' ']) {
        if character.is_ascii_alphanumeric() || character == '.' {
            word.push(character);
            continue;
        }
        let letters = word.strip_suffix('2').unwrap_or_default();
        let is_cell = !letters.is_empty() && letters.bytes().all(|byte| byte.is_ascii_uppercase());
        text += &if is_cell { format!("{letters}{row}") } else { word.clone() };
        text.push(character);
        word.clear();
    }
    text
}
