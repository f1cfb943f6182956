//! What is read, what is refused, and with which words.

use super::reading::{Table, TableError, read_columns};
use super::text::MAXIMUM_COLUMNS;

/// All columns.
fn read_table(source: &str, bytes: &[u8]) -> Result<Table, TableError> {
    read_columns(source, bytes, |_, _| true)
}

/// The names and then the rows, or the message.
fn outcome(bytes: &[u8]) -> String {
    match read_table("t.csv", bytes) {
        Ok(table) => {
            let header = if table.has_header { table.names.join(" ") } else { "none".to_owned() };
            let rows = (0..table.columns[0].len()).map(|row| {
                let cells: Vec<String> =
                    table.columns.iter().map(|column| column[row].to_string()).collect();
                cells.join(" ")
            });
            format!("{header}: {}", rows.collect::<Vec<_>>().join("; "))
        }
        Err(error) => error.to_string(),
    }
}

/// Each case is the text and what must come out of it, or how the message must begin.
fn check(cases: &[(&str, &str)]) {
    for (text, expected) in cases {
        let found = outcome(text.as_bytes());
        let matches = if expected.starts_with("t.csv") {
            found.starts_with(expected)
        } else {
            found == *expected
        };
        assert!(matches, "{text:?}\n   found {found}\nexpected {expected}");
    }
}

fn check_bytes(bytes: &[u8], expected: &str) {
    assert_eq!(outcome(bytes), expected);
}

#[test]
fn tables_are_read() {
    check(&[
        ("a,b\n1,2\n3,4\n", "a b: 1 2; 3 4"),
        ("a,b\r\n1,2\r\n3,4", "a b: 1 2; 3 4"),
        ("a,b\r1,2\r\r3,4\r", "a b: 1 2; 3 4"),
        ("\u{FEFF}a,b\n1,2", "a b: 1 2"),
        ("\n \t\n\u{A0}\na,b\n\n1,2\n  \n\n", "a b: 1 2"),
        ("1,2\n3,4", "none: 1 2; 3 4"),
        (" +1.5 , -.5e1\n5.,1E2", "none: 1.5 -5; 5 100"),
        ("\"a,b\",\"c \"\"d\"\"\"\n\"1\", \" 2 \" \n", "a,b c \"d\": 1 2"),
        ("a\n1\n2", "a: 1; 2"),
        ("my column\n1\n2", "my column: 1; 2"),
        ("7", "none: 7"),
        ("1e-400,1\n0,1", "none: 0 1; 0 1"),
        ("größe,β\n1,2", "größe β: 1 2"),
        ("5\" pipe,b\n1,2", "5\" pipe b: 1 2"),
    ]);
}

#[test]
fn separators_are_found_out() {
    check(&[
        ("a\tb\n1\t2", "a b: 1 2"),
        ("a;b\n1;2", "a b: 1 2"),
        ("a|b\n1|2", "a b: 1 2"),
        ("a b\n1 2", "a b: 1 2"),
        ("  a   b  \n1 \t  2 \t\n", "a b: 1 2"),
        ("first name,b\n1,2", "first name b: 1 2"),
        ("\"a;b\",c\n1,2", "a;b c: 1 2"),
        ("a,b;c\n1;2\n", "a,b c: 1 2"),
        ("\"a b\" c\n\"1\" \"2\"", "a b c: 1 2"),
        ("a, b\n1, 2\n1, 2,3", "t.csv, line 3: 3 fields where 2 are expected (separator: comma)"),
        ("a b\n1 2\n1 2 3", "t.csv, line 3: 3 fields where 2 are expected (separator: spaces)"),
        ("1,5;2,5\n3,5;4,5", "t.csv, line 1, column 1: `1,5` has a decimal comma"),
    ]);
}

#[test]
fn flawed_shapes_are_refused() {
    check(&[
        ("", "t.csv is empty"),
        ("\u{FEFF}", "t.csv is empty"),
        (" \r\n\n\t\r", "t.csv is empty"),
        ("a,b\n", "t.csv has a header but no rows"),
        (
            "a\tb\n1\t2\n\n1\n",
            "t.csv, line 4: 1 field where 2 are expected (separator: tab); mend the row",
        ),
        (
            "a,b\n1,2,\n",
            "t.csv, line 2: 3 fields where 2 are expected (separator: comma); remove the separator at",
        ),
        ("a,b\n1\n2", "t.csv, line 2: 1 field where 2 are expected (separator: comma)"),
        ("a,b\n\n1,\"2\n3,4\n", "t.csv, line 3, column 2: the quote opened here is never closed"),
        ("a;\"b", "t.csv, line 1, column 2: the quote opened here is never closed"),
        ("a,b\n\"1\"2,3", "t.csv, line 2, column 1: there is text after the closing quote"),
        (
            "\"a\nb\nc\",d\n1,x",
            "t.csv, line 1, column 1: the name `a\\nb\\nc` holds a control character",
        ),
        ("a,b\n\"\n1\r\n\r\",x", "t.csv, line 5, column 2 (`b`): `x` is not a number"),
    ]);
}

#[test]
fn flawed_headers_are_refused() {
    check(&[
        (
            "a,b,a\n1,2,3",
            "t.csv, line 1, column 3: the name `a` is also that of column 1; rename one",
        ),
        (
            ",a,b\n0,1,2",
            "t.csv, line 1, column 1: the header has no name here; name the column or remove it (an index of pandas: index=False when writing)",
        ),
        ("a,\" \",c\n0,1,2", "t.csv, line 1, column 2: the header has no name here"),
        (
            "\na,b,\n1,2,",
            "t.csv, line 2, column 3: the header has no name here; name the column, or, if every line",
        ),
        (
            "a\u{1B}[1m,b\n1,2",
            "t.csv, line 1, column 1: the name `a\\u{1b}[1m` holds a control character",
        ),
        ("a,b\na,b\n1,2", "t.csv, line 2, column 1 (`a`): `a` is not a number"),
    ]);
}

#[test]
fn flawed_numbers_are_refused() {
    for word in ["NA", "N/A", "n/a", "null", "NULL", "None", "nan", "NaN", "-nan", "?", "-"] {
        let missing = format!(
            "t.csv, line 2, column 2 (`b`): missing value (`{word}`); drop the row or fill it in"
        );
        check_bytes(format!("a,b\n1,{word}").as_bytes(), &missing);
        check_bytes(
            format!("1,{word}\n1,2").as_bytes(),
            &missing.replace("line 2", "line 1").replace(" (`b`)", ""),
        );
    }
    check(&[
        (
            "a,b\n,1",
            "t.csv, line 2, column 1 (`a`): missing value (empty cell); drop the row or fill it in",
        ),
        (
            "1,2,\n3,4,",
            "t.csv, line 1, column 3: missing value (empty cell); drop the row or fill it in; if every line",
        ),
        ("1,inf\n3,4", "t.csv, line 1, column 2: `inf` is not finite"),
        ("1,2\n-Infinity,4", "t.csv, line 2, column 1: `-Infinity` is not finite"),
        ("1,1e400\n3,4", "t.csv, line 1, column 2: `1e400` is too large for a 64-bit number"),
        (
            "a;b\n1;1,5",
            "t.csv, line 2, column 2 (`b`): `1,5` has a decimal comma; write numbers with a decimal point",
        ),
        (
            "a\tb\n1\t-1.234,56e3",
            "t.csv, line 2, column 2 (`b`): `-1.234,56e3` has a decimal comma",
        ),
        ("a,b\n1,\",5\"", "t.csv, line 2, column 2 (`b`): `,5` has a decimal comma"),
        (
            "a,b\n1,\"1,000\"",
            "t.csv, line 2, column 2 (`b`): `1,000` has a decimal comma or a thousands",
        ),
        ("a;b\n1;0,125", "t.csv, line 2, column 2 (`b`): `0,125` has a decimal comma; write"),
        (
            "a;b\n1;1,250",
            "t.csv, line 2, column 2 (`b`): `1,250` has a decimal comma or a thousands",
        ),
        (
            "a;b\n1;1,000,000",
            "t.csv, line 2, column 2 (`b`): `1,000,000` has a thousands separator",
        ),
        (
            "a,b\n1,-1_000_000.5",
            "t.csv, line 2, column 2 (`b`): `-1_000_000.5` has a thousands separator",
        ),
        ("a,b\n1,1 000", "t.csv, line 2, column 2 (`b`): `1 000` has a thousands separator"),
        ("a,b\n1,1_00", "t.csv, line 2, column 2 (`b`): `1_00` is not a number"),
        (
            "a,age\n1,abc",
            "t.csv, line 2, column 2 (`age`): `abc` is not a number; mend the cell, or remove the row or the column",
        ),
        (
            "a,b\n1,x\u{7}\u{1B}y",
            "t.csv, line 2, column 2 (`b`): `x\\u{7}\\u{1b}y` is not a number",
        ),
    ]);
    let long = format!("a,b\n1,{}", "é".repeat(90));
    let shown = "é".repeat(40);
    check(&[(&long, &format!("t.csv, line 2, column 2 (`b`): `{shown}…` is not a number"))]);
}

#[test]
fn other_encodings_are_refused() {
    check_bytes(
        b"\xFF\xFEa\0",
        "t.csv, line 1: not UTF-8 text but UTF-16; save the file as CSV UTF-8",
    );
    check_bytes(
        b"\xFE\xFF\0a",
        "t.csv, line 1: not UTF-8 text but UTF-16; save the file as CSV UTF-8",
    );
    check_bytes(b"a,b\r\n1,\xE9\n", "t.csv, line 2: not UTF-8 text; save the file as CSV UTF-8");
    check_bytes(
        b"a\r1\n\0",
        "t.csv, line 3: a NUL byte (is this a binary file?); a table must be UTF-8 text",
    );
}

#[test]
fn columns_not_needed_may_hold_anything() {
    let text = b"name,a,b\nx,1,\ny,2,NA";
    let table = read_columns("t.csv", text, |index, names| names[index] == "a").unwrap();
    assert_eq!(table.columns, [vec![], vec![1.0, 2.0], vec![]]);
    assert_eq!(table.names, ["name", "a", "b"]);
}

#[test]
fn wide_tables_are_read_up_to_a_limit() {
    let wide = |columns: usize| vec!["1"; columns].join(",").into_bytes();
    let table = read_table("t.csv", &wide(100_000)).unwrap();
    assert_eq!((table.columns.len(), table.names[99_999].as_str()), (100_000, "x99999"));
    check_bytes(
        &wide(MAXIMUM_COLUMNS + 1),
        "t.csv has 1000001 columns; at most 1000000 can be read",
    );
}

#[test]
fn any_bytes_give_a_whole_table_or_a_message() {
    let mut alphabet: Vec<&[u8]> = b"0123,,,\n\n\n\t;| \"\"\r.-+eEaN_?".chunks(1).collect();
    alphabet.extend(["é".as_bytes(), b"\n1,2", b"\0", b"\xFF"]);
    let mut state = 0x9E37_79B9_7F4A_7C15_u64;
    let mut random = |limit: usize| {
        state ^= state << 13;
        state ^= state >> 7;
        state ^= state << 17;
        (state % limit as u64) as usize
    };
    let mut tables = 0;
    for _ in 0..20_000 {
        // From digits and commas alone, which often make a table, to bytes that are never text.
        let letters = [10, 16, alphabet.len() - 2, alphabet.len()][random(4)];
        let bytes: Vec<u8> =
            (0..random(24)).flat_map(|_| alphabet[random(letters)]).copied().collect();
        if let Ok(Table { names, columns, .. }) = read_table("t.csv", &bytes) {
            tables += 1;
            assert!(!columns.is_empty() && names.len() == columns.len(), "{bytes:?}");
            assert!(
                columns.iter().all(|column| !column.is_empty() && column.len() == columns[0].len()),
                "{bytes:?}"
            );
            assert!(columns.iter().flatten().all(|number| number.is_finite()), "{bytes:?}");
        }
    }
    assert!(tables > 500, "only {tables} strings were tables");
}
