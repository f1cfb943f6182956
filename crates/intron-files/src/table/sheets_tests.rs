//! Spreadsheets made by hand: what is read, what is refused, and that no damage ends the program.

use std::io::{Cursor, Write};

use zip::write::SimpleFileOptions;

use super::columns::{Column, Need, Reading};
use super::reading::{RawTable, TableError, read_table};

const READING: Reading = Reading { keeps_missing: true, most_words: 50, ..Reading::STRICT };

fn archive(files: &[(&str, &str)]) -> Vec<u8> {
    let mut archive = zip::ZipWriter::new(Cursor::new(Vec::new()));
    for (name, content) in files {
        archive.start_file(*name, SimpleFileOptions::default()).unwrap();
        archive.write_all(content.as_bytes()).unwrap();
    }
    archive.finish().unwrap().into_inner()
}

/// A workbook with the sheets `Data` and `Notes`; style 1 is a date.
fn xlsx(rows: &str) -> Vec<u8> {
    const MAIN: &str = "http://schemas.openxmlformats.org/spreadsheetml/2006/main";
    const RELATIONS: &str = "http://schemas.openxmlformats.org/officeDocument/2006/relationships";
    const PACKAGE: &str = "http://schemas.openxmlformats.org/package/2006";
    let relation = |id: &str, kind: &str, target: &str| {
        format!("<Relationship Id=\"{id}\" Type=\"{RELATIONS}/{kind}\" Target=\"{target}\"/>")
    };
    let relations = |list: &[String]| {
        format!(
            "<Relationships xmlns=\"{PACKAGE}/relationships\">{}</Relationships>",
            list.concat()
        )
    };
    let sheet = |rows: &str| {
        format!("<worksheet xmlns=\"{MAIN}\"><sheetData>{rows}</sheetData></worksheet>")
    };
    archive(&[
        ("[Content_Types].xml", &format!("<Types xmlns=\"{PACKAGE}/content-types\"/>")),
        ("_rels/.rels", &relations(&[relation("r1", "officeDocument", "xl/workbook.xml")])),
        (
            "xl/workbook.xml",
            &format!(
                "<workbook xmlns=\"{MAIN}\" xmlns:r=\"{RELATIONS}\"><sheets>\
                 <sheet name=\"Data\" sheetId=\"1\" r:id=\"r1\"/>\
                 <sheet name=\"Notes\" sheetId=\"2\" r:id=\"r2\"/></sheets></workbook>"
            ),
        ),
        (
            "xl/_rels/workbook.xml.rels",
            &relations(&[
                relation("r1", "worksheet", "worksheets/sheet1.xml"),
                relation("r2", "worksheet", "worksheets/sheet2.xml"),
                relation("r3", "styles", "styles.xml"),
            ]),
        ),
        (
            "xl/styles.xml",
            &format!(
                "<styleSheet xmlns=\"{MAIN}\"><cellXfs count=\"2\"><xf numFmtId=\"0\"/><xf numFmtId=\"14\"/></cellXfs></styleSheet>"
            ),
        ),
        ("xl/worksheets/sheet1.xml", &sheet(rows)),
        ("xl/worksheets/sheet2.xml", &sheet(&format!("{}{}", row(1, &["t:k"]), row(2, &["7"])))),
    ])
}

/// A row of cells: `t:` text, `b:` boolean, `e:` error, `d:` date, nothing for no cell, otherwise a number.
fn row(number: usize, cells: &[&str]) -> String {
    let cell = |(column, cell): (usize, &&str)| {
        let place = format!("{}{number}", char::from(b'A' + column as u8));
        match cell.split_at_checked(2) {
            _ if cell.is_empty() => String::new(),
            Some(("t:", text)) => {
                format!("<c r=\"{place}\" t=\"inlineStr\"><is><t>{text}</t></is></c>")
            }
            Some(("b:", value)) => format!("<c r=\"{place}\" t=\"b\"><v>{value}</v></c>"),
            Some(("e:", value)) => format!("<c r=\"{place}\" t=\"e\"><v>{value}</v></c>"),
            Some(("d:", value)) => format!("<c r=\"{place}\" s=\"1\"><v>{value}</v></c>"),
            _ => format!("<c r=\"{place}\"><v>{cell}</v></c>"),
        }
    };
    let cells: String = cells.iter().enumerate().map(cell).collect();
    format!("<row r=\"{number}\">{cells}</row>")
}

fn ods(rows: &str) -> Vec<u8> {
    archive(&[
        ("mimetype", "application/vnd.oasis.opendocument.spreadsheet"),
        ("META-INF/manifest.xml", "<manifest:manifest/>"),
        (
            "content.xml",
            &format!(
                "<office:document-content><office:body><office:spreadsheet><table:table table:name=\"Data\">{rows}\
                 </table:table></office:spreadsheet></office:body></office:document-content>"
            ),
        ),
    ])
}

fn ods_row(cells: &[&str]) -> String {
    let cell = |cell: &&str| match cell.strip_prefix("t:") {
        Some(text) => format!(
            "<table:table-cell office:value-type=\"string\"><text:p>{text}</text:p></table:table-cell>"
        ),
        None if cell.is_empty() => "<table:table-cell/>".to_owned(),
        None => format!("<table:table-cell office:value-type=\"float\" office:value=\"{cell}\"/>"),
    };
    let cells: String = cells.iter().map(cell).collect();
    format!("<table:table-row>{cells}</table:table-row>")
}

fn read(bytes: &[u8], reading: &Reading) -> Result<RawTable, TableError> {
    read_table("t.xlsx", bytes, reading, |_, _| Need::Either)
}

/// The columns as text, or the message.
fn outcome(bytes: &[u8], reading: &Reading) -> String {
    match read(bytes, reading) {
        Err(error) => error.to_string(),
        Ok(table) => {
            let column = |(name, column): (&String, &Column)| match column {
                Column::Numbers(numbers) => format!("{name}: {numbers:?}"),
                Column::Words(words) => {
                    let words: Vec<&str> =
                        (0..table.n_rows).map(|row| words.word(row).unwrap_or("-")).collect();
                    format!("{name}: {}", words.join(" "))
                }
                Column::Skipped => format!("{name} skipped"),
            };
            let columns: Vec<String> = table.names.iter().zip(&table.columns).map(column).collect();
            columns.join("; ")
        }
    }
}

fn whole() -> Vec<u8> {
    xlsx(
        &[
            row(1, &["t:a", "t:word", "t:is", "t:y"]),
            row(2, &["1.5", "t:red", "b:1", "1"]),
            row(4, &["", "t:blue", "b:0", "t: 2.5 "]),
            row(5, &["e:#N/A", "", "b:1", "-3e2"]),
        ]
        .concat(),
    )
}

#[test]
fn cells_of_every_kind_are_read() {
    let expected =
        "a: [1.5, NaN, NaN]; word: red blue -; is: [1.0, 0.0, 1.0]; y: [1.0, 2.5, -300.0]";
    assert_eq!(outcome(&whole(), &READING), expected);
    let table = read(&whole(), &READING).unwrap();
    assert_eq!((table.source.as_str(), table.has_header), ("t.xlsx, sheet `Data`", true));
    assert!(table.notes[0].contains("Notes"), "{:?}", table.notes);
    let open =
        ods(&[ods_row(&["t:a", "t:word"]), ods_row(&["1.5", "t:red"]), ods_row(&["", "t:blue"])]
            .concat());
    assert_eq!(outcome(&open, &READING), "a: [1.5, NaN]; word: red blue");
    let bare = xlsx(&[row(3, &["1", "2"]), row(4, &["3", "4"])].concat());
    assert_eq!(outcome(&bare, &READING), "x0: [1.0, 3.0]; x1: [2.0, 4.0]");
}

#[test]
fn old_spreadsheets_are_refused() {
    let old = [0xD0, 0xCF, 0x11, 0xE0, 0xA1, 0xB1, 0x1A, 0xE1, 0, 0, 0, 0];
    assert!(outcome(&old, &READING).contains("save it as .xlsx or CSV"));
}

#[test]
fn a_sheet_goes_by_its_name() {
    let sheet = |sheet| outcome(&whole(), &Reading { sheet: Some(sheet), ..READING });
    assert_eq!(sheet("Notes"), "k: [7.0]");
    let expected = "t.xlsx: --sheet: there is no sheet `Other`; sheets: Data, Notes";
    assert_eq!(sheet("Other"), expected);
    let text = read_table("t.csv", b"a\n1", &Reading { sheet: Some("A"), ..READING }, |_, _| {
        Need::Numbers
    });
    assert!(text.unwrap_err().to_string().contains("has no sheets"));
}

#[test]
fn cells_that_are_no_numbers_are_refused_by_their_place() {
    let with = |cells: &[&str]| {
        let rows = [row(3, &["", "t:a", "t:y"]), row(4, &["", "1", "2"]), row(7, cells)];
        outcome(&xlsx(&rows.concat()), &Reading { keeps_missing: false, ..READING })
    };
    let place = |cell: &str, name: &str| format!("t.xlsx, sheet `Data`, cell {cell} (`{name}`): ");
    let date = with(&["", "d:43831", "5"]);
    assert!(date.starts_with(&(place("B7", "a") + "`2020-01-01` is a date")), "{date}");
    let error = with(&["", "1", "e:#DIV/0!"]);
    assert!(error.starts_with(&(place("C7", "y") + "the cell has the error #DIV/0!")), "{error}");
    let missing = with(&["", "1"]);
    assert!(missing.starts_with(&(place("C7", "y") + "missing value (empty cell)")), "{missing}");
    let rows = [row(1, &["t:a", "t:a"]), row(2, &["1", "2"])].concat();
    let names = outcome(&xlsx(&rows), &READING);
    assert!(names.starts_with("t.xlsx, sheet `Data`, cell B1: the name `a`"), "{names}");
    assert!(outcome(&xlsx(""), &READING).contains("is empty"));
    assert!(outcome(&xlsx(&row(1, &["t:a", "t:b"])), &READING).contains("no rows"));
}

#[test]
fn archives_that_are_no_tables_are_refused() {
    let zipped = archive(&[("data.csv", "a,b\n1,2\n")]);
    assert!(outcome(&zipped, &READING).contains("is an archive, but no spreadsheet"));
    let binary = archive(&[("[Content_Types].xml", ""), ("xl/workbook.bin", "")]);
    assert!(outcome(&binary, &READING).contains(".xlsb"));
    let endless = ods("<table:table-row><table:table-cell/>").to_vec();
    assert!(!outcome(&endless, &READING).is_empty());
    let compound = [b"\xD0\xCF\x11\xE0\xA1\xB1\x1A\xE1".as_slice(), &[0; 600]].concat();
    assert!(outcome(&compound, &READING).contains("is an old .xls file"));
}

#[test]
fn huge_sheets_are_refused_before_they_fill_the_memory() {
    let far =
        format!("{}<row r=\"1048576\"><c r=\"XFD1048576\"><v>1</v></c></row>", row(1, &["t:a"]));
    assert!(outcome(&xlsx(&far), &READING).contains("the header has no name here"));
    let tall: String = (0..20_000)
        .map(|k| format!("<row r=\"{}\"><c r=\"A{}\"><v>1</v></c></row>", k + 2, k + 2))
        .collect();
    let wide = format!("<row r=\"1\"><c r=\"XFD1\"><v>1</v></c></row>{tall}");
    assert!(outcome(&xlsx(&wide), &READING).contains("more cells than can be read"));
    let repeated = ods(
        "<table:table-row table:number-rows-repeated=\"1000000\"><table:table-cell \
         table:number-columns-repeated=\"1000000\" office:value-type=\"float\" office:value=\"1\"/></table:table-row>",
    );
    assert!(outcome(&repeated, &READING).contains("t.xlsx"));
}

#[test]
fn no_damage_ends_the_program() {
    let mut state = 0x9E37_79B9_7F4A_7C15_u64;
    let mut random = |limit: usize| {
        state ^= state << 13;
        state ^= state >> 7;
        state ^= state << 17;
        (state % limit as u64) as usize
    };
    let open =
        ods(&[ods_row(&["t:a", "t:b"]), ods_row(&["1", "2"]), ods_row(&["3", "t:x"])].concat());
    for whole in [whole(), open] {
        for length in (0..whole.len()).step_by(7) {
            let _ = read(&whole[..length], &READING);
        }
        for _ in 0..1500 {
            let mut damaged = whole.clone();
            for _ in 0..=random(4) {
                let place = random(damaged.len());
                damaged[place] = random(256) as u8;
            }
            let _ = read(&damaged, &READING);
        }
    }
}
