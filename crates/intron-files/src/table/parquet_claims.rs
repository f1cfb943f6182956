//! What a Parquet file claims about its size, before anything is made of it: the reader takes such claims on trust, and a
//! few damaged bytes make it ask for hundreds of gigabytes.

use super::thrift::{Value, read_record};

/// The four bytes at both ends of a file.
const MAGIC: usize = 4;
/// How many bytes a compression can make of one: none, Zstandard, and the others.
fn most_of_a_byte(compression: Option<i64>) -> usize {
    match compression {
        Some(0) => 1,
        Some(6) => 40_000,
        _ => 1100,
    }
}

/// Plain, dictionary, runs, bits, split streams. The other encodings have claims of their own.
const ENCODINGS: [i64; 6] = [0, 2, 3, 4, 8, 9];

/// What the end of a file claims about all the rest. What is wrong goes into the message about a damaged file.
pub(super) struct Claims(Value);

impl Claims {
    /// Reads them, and checks those that the reader looks at first.
    pub(super) fn of(bytes: &[u8]) -> Result<Claims, String> {
        let footer = footer(bytes).ok_or("its end is damaged")?;
        let schema = footer.list(2);
        // Each element of the schema says how many of the next ones belong to it.
        if schema.iter().any(|element| element.count(5).unwrap_or(0) > schema.len()) {
            return Err("its schema is damaged".to_owned());
        }
        Ok(Claims(footer))
    }

    /// Checks all pages of one column.
    pub(super) fn check_column(&self, bytes: &[u8], leaf: usize) -> Result<(), String> {
        for group in self.0.list(4) {
            let n_rows = group.count(3).ok_or("it lacks a number of rows")?;
            let chunk = group.list(1).get(leaf).and_then(|chunk| chunk.field(3));
            check_chunk(bytes, chunk.ok_or("it lacks a column")?, n_rows)?;
        }
        Ok(())
    }
}

/// What the end of the file says about all the rest.
fn footer(bytes: &[u8]) -> Option<Value> {
    let end = bytes.len().checked_sub(2 * MAGIC)?;
    let length = u32::from_le_bytes(bytes[end..end + 4].try_into().ok()?) as usize;
    let start = end.checked_sub(length).filter(|&start| start >= MAGIC)?;
    read_record(&bytes[start..end]).map(|(footer, _)| footer)
}

fn check_chunk(bytes: &[u8], chunk: &Value, n_rows: usize) -> Result<(), String> {
    let wrong = || "a column is not where it should be".to_owned();
    let first_data = chunk.count(9).ok_or_else(wrong)?;
    let start =
        chunk.count(11).filter(|&place| place > 0).map_or(first_data, |d| d.min(first_data));
    let length = chunk.count(7).ok_or_else(wrong)?;
    let pages =
        start.checked_add(length).and_then(|end| bytes.get(start..end)).ok_or_else(wrong)?;
    let most_of_a_byte = most_of_a_byte(chunk.whole(4));
    let (mut place, mut n_values) = (0, 0_usize);
    while n_values < n_rows && place < pages.len() {
        let (page, n) = read_record(&pages[place..]).ok_or("the head of a page is damaged")?;
        place += n;
        let packed = page.count(3).filter(|&n| n <= pages.len() - place);
        let packed = packed.ok_or("a page is larger than its column")?;
        place += packed;
        n_values = n_values.saturating_add(check_page(
            &page,
            packed,
            packed.saturating_mul(most_of_a_byte),
        )?);
        if n_values > n_rows {
            return Err("a page has more values than there are rows".to_owned());
        }
    }
    Ok(())
}

/// Says how many rows a page has.
fn check_page(page: &Value, packed: usize, most: usize) -> Result<usize, String> {
    let size = page.count(2).filter(|&size| size <= most);
    let size = size.ok_or("a page claims to be larger than it can be")?;
    let known = |head: &Value, number: i64| match head.whole(number) {
        Some(encoding) if ENCODINGS.contains(&encoding) => Ok(()),
        _ => Err("it has an encoding that is not read; write it with PLAIN or a dictionary"),
    };
    if let Some(dictionary) = page.field(7) {
        known(dictionary, 2)?;
        let is_possible = dictionary.count(1).is_some_and(|n| n <= size);
        return is_possible.then_some(0).ok_or_else(|| "a dictionary is too large".to_owned());
    }
    let (head, encoding) = match (page.field(5), page.field(8)) {
        (Some(head), _) => (head, 2),
        (None, Some(head)) => (head, 4),
        (None, None) => return Ok(0),
    };
    known(head, encoding)?;
    let levels = head.count(5).unwrap_or(0).saturating_add(head.count(6).unwrap_or(0));
    if encoding == 4 && levels > size.min(packed) {
        return Err("a page claims more levels than it has".to_owned());
    }
    head.count(1).ok_or_else(|| "a page lacks its number of values".to_owned())
}
