//! Reads a table from a sheet of a spreadsheet: .xlsx, .xls or .ods.

use std::io::{Cursor, Read};

use calamine::{CellErrorType, Data, DataRef, Ods, Reader, Xlsx};
use zip::ZipArchive;

use super::columns::{Cell, Columns, Need, Reading};
use super::guard::guarded;
use super::header;
use super::reading::{MAXIMUM_CELLS, RawTable, TableError};
use super::shown::shown;

/// Most bytes of a spreadsheet when it is unpacked: a small file can unpack to any size.
const MAXIMUM_UNPACKED: u64 = 1 << 30;

/// Cells that hold something, with row and column from 0, in this order.
type Cells = Vec<((u32, u32), Data)>;

struct Sheet {
    name: String,
    /// The names of all sheets.
    all: Vec<String>,
    cells: Cells,
}

/// Reads the sheet that is asked for, or the first one.
pub(super) fn read_sheet(
    source: &str,
    bytes: &[u8],
    reading: &Reading,
    need: impl Fn(usize, &[String]) -> Need,
) -> Result<RawTable, TableError> {
    let refuse = |what: String| TableError::new(format!("{source}: {what}"));
    let Sheet { name, all, cells } = guarded(|| open(bytes, reading.sheet))
        .unwrap_or_else(|| Err(damaged("")))
        .map_err(refuse)?;
    let source = format!("{source}, sheet `{}`", shown(&name));
    let mut notes = Vec::new();
    if all.len() > 1 && reading.sheet.is_none() {
        let others: Vec<String> =
            all.iter().filter(|other| **other != name).map(|n| shown(n)).collect();
        notes.push(format!("{source} is read; --sheet chooses another one: {}", others.join(", ")));
    }
    Ok(RawTable { notes, ..to_table(&source, &cells, reading, need)? })
}

fn damaged(reason: &str) -> String {
    let reason = if reason.is_empty() { String::new() } else { format!(" ({})", shown(reason)) };
    format!("cannot be read as a spreadsheet{reason}; is it whole? Save it again, or as CSV")
}

fn open(bytes: &[u8], asked: Option<&str>) -> Result<Sheet, String> {
    let cursor = Cursor::new(bytes);
    if !bytes.starts_with(b"PK") {
        // The reader of these files asks for as much memory as a damaged one claims to need, and that ends the program.
        return Err("is an old .xls file, which is not read; save it as .xlsx or CSV".to_owned());
    }
    match unpacked(bytes)? {
        Archive::OpenDocument => {
            let mut workbook: Ods<_> =
                Ods::new(cursor).map_err(|error| damaged(&error.to_string()))?;
            let (name, all) = choose(workbook.sheet_names(), asked)?;
            let range =
                workbook.worksheet_range(&name).map_err(|error| damaged(&error.to_string()))?;
            Ok(Sheet { cells: used(&range), name, all })
        }
        Archive::Excel => {
            let mut workbook: Xlsx<_> =
                Xlsx::new(cursor).map_err(|error| damaged(&error.to_string()))?;
            let (name, all) = choose(workbook.sheet_names(), asked)?;
            let cells =
                streamed(&mut workbook, &name).map_err(|error| damaged(&error.to_string()))?;
            Ok(Sheet { cells, name, all })
        }
    }
}

/// The kinds of zip archives that are spreadsheets.
enum Archive {
    Excel,
    OpenDocument,
}

/// Unpacks an archive for its size, without keeping it, and says what it is.
fn unpacked(bytes: &[u8]) -> Result<Archive, String> {
    let mut archive =
        ZipArchive::new(Cursor::new(bytes)).map_err(|error| damaged(&error.to_string()))?;
    let is_in = |archive: &ZipArchive<_>, name: &str| archive.index_for_name(name).is_some();
    let kind = if is_in(&archive, "content.xml") {
        Archive::OpenDocument
    } else if is_in(&archive, "xl/workbook.bin") {
        return Err("is an .xlsb file, which is not read; save it as .xlsx or CSV".to_owned());
    } else if is_in(&archive, "[Content_Types].xml") {
        Archive::Excel
    } else {
        return Err("is an archive, but no spreadsheet; unpack it first".to_owned());
    };
    let mut n_bytes = 0;
    for index in 0..archive.len() {
        let file = archive.by_index(index).map_err(|error| damaged(&error.to_string()))?;
        let name = file.name().map_err(|error| damaged(&error.to_string()))?.into_owned();
        let is_read = [".xml", ".rels", ".vml"].iter().any(|end| name.ends_with(end));
        if !is_read {
            continue;
        }
        let is_content = matches!(kind, Archive::OpenDocument) && name == "content.xml";
        let mut limited = file.take(MAXIMUM_UNPACKED + 1 - n_bytes);
        n_bytes += if is_content {
            let mut content = Vec::new();
            limited.read_to_end(&mut content).map_err(|error| damaged(&error.to_string()))?;
            refuse_open_table(&content)?;
            content.len() as u64
        } else {
            std::io::copy(&mut limited, &mut std::io::sink())
                .map_err(|error| damaged(&error.to_string()))?
        };
        if n_bytes > MAXIMUM_UNPACKED {
            return Err(
                "unpacks to more than 1 GiB, too much for a spreadsheet; save it as CSV".to_owned()
            );
        }
    }
    Ok(kind)
}

/// The reader would wait for the end of a table for ever.
fn refuse_open_table(content: &[u8]) -> Result<(), String> {
    let is_at = |place: &usize, mark: &[u8]| content[*place..].starts_with(mark);
    let last = |mark: &[u8]| (0..content.len()).rev().find(|place| is_at(place, mark));
    let (open, closed) = (last(b"<table:table"), last(b"</table:table>"));
    if open.is_some() && closed < open {
        return Err(damaged("a table has no end"));
    }
    Ok(())
}

fn choose(all: Vec<String>, asked: Option<&str>) -> Result<(String, Vec<String>), String> {
    let name = match asked {
        None => all.first().ok_or("has no sheets")?.clone(),
        Some(asked) => all.iter().find(|name| *name == asked).cloned().ok_or_else(|| {
            let names: Vec<String> = all.iter().map(|name| shown(name)).collect();
            format!("--sheet: there is no sheet `{}`; sheets: {}", shown(asked), names.join(", "))
        })?,
    };
    Ok((name, all))
}

fn used(range: &calamine::Range<Data>) -> Cells {
    let (first_row, first_column) = range.start().unwrap_or_default();
    let place = |row: usize, column: usize| (first_row + row as u32, first_column + column as u32);
    range.used_cells().map(|(row, column, data)| (place(row, column), data.clone())).collect()
}

/// Cell by cell: a sheet of two cells far apart must not become a table of billions.
fn streamed(workbook: &mut Xlsx<Cursor<&[u8]>>, name: &str) -> Result<Cells, calamine::XlsxError> {
    let mut cells = Cells::new();
    let mut reader = workbook.worksheet_cells_reader(name)?;
    while let Some(cell) = reader.next_cell()? {
        if *cell.get_value() != DataRef::Empty {
            cells.push((cell.get_position(), Data::from(cell.get_value().clone())));
        }
    }
    // Usually they are in order; where a place comes twice, the first stays.
    cells.sort_by_key(|(place, _)| *place);
    cells.dedup_by_key(|(place, _)| *place);
    Ok(cells)
}

fn to_table(
    source: &str,
    cells: &Cells,
    reading: &Reading,
    need: impl Fn(usize, &[String]) -> Need,
) -> Result<RawTable, TableError> {
    let refuse = |what: &str| Err(TableError::new(format!("{source} {what}")));
    let rows: Vec<&[((u32, u32), Data)]> = cells.chunk_by(|a, b| a.0.0 == b.0.0).collect();
    let Some(first) = rows.first() else {
        return refuse("is empty; it needs rows of numbers");
    };
    let columns = cells.iter().map(|((_, column), _)| *column);
    let (left, right) =
        columns.fold((u32::MAX, 0), |(a, b), column| (a.min(column), b.max(column)));
    let n_columns = (right - left + 1) as usize;
    if rows.len().saturating_mul(n_columns) > MAXIMUM_CELLS {
        return refuse("has more cells than can be read; save the columns that you need as CSV");
    }
    let row_of = |row: &[((u32, u32), Data)]| -> Vec<usize> {
        let mut places = vec![usize::MAX; n_columns];
        row.iter().enumerate().for_each(|(k, ((_, c), _))| places[(c - left) as usize] = k);
        places
    };
    let name =
        |k: &usize| first.get(*k).map_or(String::new(), |(_, data)| with_cell(data, name_of));
    let names: Vec<String> = row_of(first).iter().map(name).collect();
    let has_header = names.iter().any(|name| header::is_name(name));
    let names = match header::flaw(&names).filter(|_| has_header) {
        Some(flaw) => {
            let place = cell_name(first[0].0.0, left + flaw.column as u32);
            return Err(TableError::new(format!("{source}, cell {place}: {}", flaw.what)));
        }
        None if has_header => names,
        None => (0..n_columns).map(|index| format!("x{index}")).collect(),
    };
    let rows = &rows[usize::from(has_header)..];
    if rows.is_empty() {
        return refuse("has a header but no rows");
    }
    let needs = (0..n_columns).map(|column| need(column, &names)).collect();
    let mut columns = Columns::new(reading, needs, rows.len());
    for row in rows {
        for (column, k) in row_of(row).into_iter().enumerate() {
            if !columns.is_needed(column) {
                continue;
            }
            let data = row.get(k).map_or(&Data::Empty, |(_, data)| data);
            with_cell(data, |cell| columns.push(column, &names[column], cell)).map_err(|what| {
                let place = cell_name(row[0].0.0, left + column as u32);
                let name = if has_header {
                    format!(" (`{}`)", shown(&names[column]))
                } else {
                    String::new()
                };
                TableError::new(format!("{source}, cell {place}{name}: {what}"))
            })?;
        }
    }
    let (source, n_rows) = (source.to_owned(), rows.len());
    Ok(RawTable { source, names, columns: columns.finish(), has_header, n_rows, notes: vec![] })
}

/// A cell of a spreadsheet as one of a table.
fn with_cell<T>(data: &Data, use_it: impl FnOnce(&Cell) -> T) -> T {
    match data {
        Data::Empty | Data::Error(CellErrorType::NA) => use_it(&Cell::Empty),
        Data::Int(number) => use_it(&Cell::Number(*number as f64)),
        Data::Float(number) => use_it(&Cell::Number(*number)),
        Data::Bool(is_true) => use_it(&Cell::Boolean(*is_true)),
        Data::String(text) => use_it(&Cell::Text(text)),
        Data::DateTime(date) => use_it(&Cell::Date(&day_and_time(date))),
        Data::DateTimeIso(text) | Data::DurationIso(text) => use_it(&Cell::Date(text)),
        Data::Error(error) => use_it(&Cell::Fault(&format!("the cell has the error {error}"))),
    }
}

fn day_and_time(date: &calamine::ExcelDateTime) -> String {
    let (year, month, day, hour, minute, second, _) = date.to_ymd_hms_milli();
    match date.is_duration() {
        true => format!("{} days", date.as_f64()),
        false if (hour, minute, second) == (0, 0, 0) => format!("{year}-{month:02}-{day:02}"),
        false => format!("{year}-{month:02}-{day:02} {hour:02}:{minute:02}:{second:02}"),
    }
}

/// A cell of the first row as the name of its column.
fn name_of(cell: &Cell) -> String {
    match cell {
        Cell::Empty => String::new(),
        Cell::Number(number) => number.to_string(),
        Cell::Boolean(is_true) => is_true.to_string(),
        Cell::Text(text) | Cell::Date(text) | Cell::Fault(text) => text.trim().to_owned(),
    }
}

/// As spreadsheets call it: B3.
fn cell_name(row: u32, column: u32) -> String {
    let mut letters = Vec::new();
    let mut rest = u64::from(column) + 1;
    while rest > 0 {
        letters.push(char::from(b'A' + ((rest - 1) % 26) as u8));
        rest = (rest - 1) / 26;
    }
    let letters: String = letters.iter().rev().collect();
    format!("{letters}{}", u64::from(row) + 1)
}
