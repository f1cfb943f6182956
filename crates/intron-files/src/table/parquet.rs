//! Reads a table from a Parquet file: flat columns of numbers, booleans, decimals and text.

use bytes::Bytes;
use parquet::basic::{Compression, ConvertedType, LogicalType, Type};
use parquet::column::reader::{ColumnReader, ColumnReaderImpl};
use parquet::data_type::DataType;
use parquet::file::metadata::{KeyValue, ParquetMetaData};
use parquet::file::reader::{FileReader, SerializedFileReader};
use parquet::schema::types::ColumnDescriptor;

use super::columns::{Cell, Columns, Need, Reading};
use super::guard::guarded;
use super::header;
use super::parquet_claims::Claims;
use super::reading::{MAXIMUM_CELLS, RawTable, TableError};
use super::shown::shown;

/// How many values are read at once.
const BATCH: usize = 4096;

type File = SerializedFileReader<Bytes>;

/// Reads the columns that are needed.
pub(super) fn read_parquet(
    source: &str,
    bytes: &[u8],
    reading: &Reading,
    need: impl Fn(usize, &[String]) -> Need,
) -> Result<RawTable, TableError> {
    guarded(|| read(source, bytes, reading, need))
        .unwrap_or_else(|| Err(damaged(source, "its parts contradict each other")))
}

fn damaged(source: &str, reason: impl ToString) -> TableError {
    let reason = shown(&reason.to_string());
    TableError::new(format!("{source}: cannot be read as Parquet ({reason}); is it whole?"))
}

fn read(
    source: &str,
    bytes: &[u8],
    reading: &Reading,
    need: impl Fn(usize, &[String]) -> Need,
) -> Result<RawTable, TableError> {
    let refuse = |what: String| TableError::new(format!("{source}{what}"));
    let unread = |what| TableError::new(format!("{source}: cannot be read as Parquet ({what})"));
    let claims = Claims::of(bytes).map_err(unread)?;
    let file = File::new(Bytes::copy_from_slice(bytes)).map_err(|error| damaged(source, error))?;
    let schema = file.metadata().file_metadata().schema_descr();
    let (index, columns) = columns_and_index(file.metadata());
    let (leaves, names): (Vec<usize>, Vec<String>) = columns.into_iter().unzip();
    if names.is_empty() {
        return Err(refuse(" has no columns".to_owned()));
    }
    if let Some(flaw) = header::flaw(&names) {
        return Err(refuse(format!(", column {}: {}", flaw.column + 1, flaw.what)));
    }
    let needs: Vec<Need> = (0..names.len()).map(|column| need(column, &names)).collect();
    let n_needed = needs.iter().filter(|need| **need != Need::Skip).count();
    let n_rows = row_count(file.metadata(), n_needed).map_err(refuse)?;
    let mut columns = Columns::new(reading, needs, 0);
    for (column, name) in names.iter().enumerate() {
        if !columns.is_needed(column) {
            continue;
        }
        let at =
            |what: String| refuse(format!(", column {} (`{}`): {what}", column + 1, shown(name)));
        let kind = Kind::of(&schema.column(leaves[column])).map_err(at)?;
        for group in file.metadata().row_groups() {
            refuse_compression(group.column(leaves[column]).compression()).map_err(at)?;
        }
        claims.check_column(bytes, leaves[column]).map_err(|what| damaged(source, what))?;
        let mut row = 0;
        for group in 0..file.num_row_groups() {
            let group = file.get_row_group(group).map_err(|error| damaged(source, error))?;
            let n_values = usize::try_from(group.metadata().num_rows()).unwrap_or(0);
            let reader =
                group.get_column_reader(leaves[column]).map_err(|error| damaged(source, error))?;
            kind.read(reader, n_values, |cell| {
                row += 1;
                columns.push(column, name, cell).map_err(|what| Stop::Cell(row, what))
            })
            .map_err(|stop| match stop {
                Stop::File(reason) => damaged(source, reason),
                Stop::Cell(row, what) => refuse(format!(
                    ", row {row}, column {} (`{}`): {what}",
                    column + 1,
                    shown(name)
                )),
            })?;
        }
        if row != n_rows {
            return Err(damaged(source, format!("{row} of {n_rows} values in `{name}`")));
        }
    }
    let (source, columns) = (source.to_owned(), columns.finish());
    let notes = index.iter().filter_map(describe_index).collect();
    Ok(RawTable { source, names, columns, has_header: true, n_rows, notes })
}

/// A leaf of the schema by its place, and its name.
type Leaf = (usize, String);

/// What an index of pandas without a name is called.
const NAMELESS_INDEX: &str = "__index_level_";

/// The columns that are an index of pandas, and those of the table. A nested column has several leaves; each goes by its path.
fn columns_and_index(metadata: &ParquetMetaData) -> (Vec<Leaf>, Vec<Leaf>) {
    let of_pandas = pandas_index(metadata);
    let leaves = metadata.file_metadata().schema_descr().columns().iter();
    let all = leaves.map(|leaf| leaf.path().string()).enumerate();
    all.partition(|(_, name)| name.starts_with(NAMELESS_INDEX) || of_pandas.contains(name))
}

/// An index that has a name may have been meant as a column.
fn describe_index((_, name): &Leaf) -> Option<String> {
    let name = (!name.starts_with(NAMELESS_INDEX)).then(|| shown(name))?;
    Some(format!(
        "`{name}` is the index of a data frame of pandas, and left out; reset_index() makes it a column"
    ))
}

/// The columns that pandas wrote as the index of its data frame: it stores them behind the others, where a target would stand.
fn pandas_index(metadata: &ParquetMetaData) -> Vec<String> {
    let pairs = metadata.file_metadata().key_value_metadata();
    let is_pandas = |pair: &&KeyValue| pair.key == "pandas";
    let about = pairs.and_then(|pairs| pairs.iter().find(is_pandas)?.value.as_deref());
    let about: Option<serde_json::Value> = about.and_then(|text| serde_json::from_str(text).ok());
    let names = about.as_ref().and_then(|about| about["index_columns"].as_array());
    names.into_iter().flatten().filter_map(|name| name.as_str().map(str::to_owned)).collect()
}

/// The number of rows that the file claims; a few bytes can claim, and even hold, any number of them.
fn row_count(metadata: &ParquetMetaData, n_needed: usize) -> Result<usize, String> {
    let mut n_rows: usize = 0;
    for group in metadata.row_groups() {
        let n =
            usize::try_from(group.num_rows()).map_err(|_| ": claims a negative number of rows")?;
        n_rows = n_rows.saturating_add(n);
    }
    if n_rows == 0 {
        return Err(" has no rows".to_owned());
    }
    if n_rows.saturating_mul(n_needed) > MAXIMUM_CELLS {
        return Err(format!(
            " has {n_rows} rows, more than can be read with {n_needed} columns; take a sample, or fewer columns with \
             --features"
        ));
    }
    Ok(n_rows)
}

fn refuse_compression(compression: Compression) -> Result<(), String> {
    match compression {
        Compression::ZSTD(_) if !cfg!(feature = "zstd") => Err(
            "is compressed with Zstandard, which this build does not read; write the file with compression=\"snappy\", \
             or install Intron with --features zstd"
                .to_owned(),
        ),
        Compression::BROTLI(_) | Compression::LZO => Err(
            "is compressed with Brotli or LZO, which is not read; write the file with compression=\"snappy\""
                .to_owned(),
        ),
        _ => Ok(()),
    }
}

/// Why reading ends early.
enum Stop {
    File(String),
    Cell(usize, String),
}

/// What the values of a column are.
#[derive(Debug, Clone, Copy, PartialEq)]
enum Kind {
    Number,
    /// Without a sign.
    Unsigned,
    /// A whole number of units of 10 to the power of minus this.
    Decimal(i32),
    Half,
    Text,
}

impl Kind {
    fn of(leaf: &ColumnDescriptor) -> Result<Kind, String> {
        if leaf.max_rep_level() > 0 || leaf.path().parts().len() > 1 || leaf.max_def_level() > 1 {
            return Err("holds lists or records; leave the column out with --features".to_owned());
        }
        let dates = "holds dates or times, not numbers; write them as numbers, such as days since a start, or leave the \
                     column out with --features";
        match leaf.logical_type_ref() {
            Some(LogicalType::Date | LogicalType::Time { .. } | LogicalType::Timestamp { .. }) => {
                return Err(dates.to_owned());
            }
            Some(LogicalType::Integer(integer)) if !integer.is_signed => return Ok(Kind::Unsigned),
            Some(LogicalType::Float16) => return Ok(Kind::Half),
            _ => {}
        }
        match (leaf.physical_type(), leaf.converted_type()) {
            (_, ConvertedType::DECIMAL) => Ok(Kind::Decimal(leaf.type_scale())),
            (
                _,
                ConvertedType::DATE
                | ConvertedType::TIME_MILLIS
                | ConvertedType::TIME_MICROS
                | ConvertedType::TIMESTAMP_MILLIS
                | ConvertedType::TIMESTAMP_MICROS
                | ConvertedType::INTERVAL,
            )
            | (Type::INT96, _) => Err(dates.to_owned()),
            (
                _,
                ConvertedType::UINT_8
                | ConvertedType::UINT_16
                | ConvertedType::UINT_32
                | ConvertedType::UINT_64,
            ) => Ok(Kind::Unsigned),
            (Type::BYTE_ARRAY, _) => Ok(Kind::Text),
            (Type::FIXED_LEN_BYTE_ARRAY, _) => {
                Err("holds bytes, neither numbers nor text; leave the column out with --features"
                    .to_owned())
            }
            _ => Ok(Kind::Number),
        }
    }

    fn read(
        self,
        reader: ColumnReader,
        n_values: usize,
        mut push: impl FnMut(&Cell) -> Result<(), Stop>,
    ) -> Result<(), Stop> {
        match reader {
            ColumnReader::BoolColumnReader(reader) => each(reader, n_values, |value| {
                push(&value.map_or(Cell::Empty, |b| Cell::Boolean(*b)))
            }),
            ColumnReader::Int32ColumnReader(reader) => each(reader, n_values, |value| {
                push(&self.cell(value.map(|v| (i128::from(*v), i128::from(*v as u32)))))
            }),
            ColumnReader::Int64ColumnReader(reader) => each(reader, n_values, |value| {
                push(&self.cell(value.map(|v| (i128::from(*v), i128::from(*v as u64)))))
            }),
            ColumnReader::FloatColumnReader(reader) => each(reader, n_values, |value| {
                push(&value.map_or(Cell::Empty, |v| Cell::Number(f64::from(*v))))
            }),
            ColumnReader::DoubleColumnReader(reader) => each(reader, n_values, |value| {
                push(&value.map_or(Cell::Empty, |v| Cell::Number(*v)))
            }),
            ColumnReader::ByteArrayColumnReader(reader) => {
                each(reader, n_values, |value| self.push_bytes(value.map(|v| v.data()), &mut push))
            }
            ColumnReader::FixedLenByteArrayColumnReader(reader) => {
                each(reader, n_values, |value| self.push_bytes(value.map(|v| v.data()), &mut push))
            }
            ColumnReader::Int96ColumnReader(_) => Err(Stop::File("dates".to_owned())),
        }
    }

    /// A whole number, with a sign and without.
    fn cell(self, value: Option<(i128, i128)>) -> Cell<'static> {
        match (self, value) {
            (_, None) => Cell::Empty,
            (Kind::Unsigned, Some((_, value))) => Cell::Number(value as f64),
            (Kind::Decimal(scale), Some((value, _))) => Cell::Number(decimal(value, scale)),
            (_, Some((value, _))) => Cell::Number(value as f64),
        }
    }

    fn push_bytes(
        self,
        bytes: Option<&[u8]>,
        push: &mut impl FnMut(&Cell) -> Result<(), Stop>,
    ) -> Result<(), Stop> {
        let Some(bytes) = bytes else { return push(&Cell::Empty) };
        match self {
            Kind::Decimal(scale) if bytes.len() <= 16 => {
                let is_negative = bytes.first().is_some_and(|byte| byte & 0x80 != 0);
                let start = if is_negative { -1 } else { 0 };
                let value =
                    bytes.iter().fold(start, |value: i128, byte| value << 8 | i128::from(*byte));
                push(&Cell::Number(decimal(value, scale)))
            }
            Kind::Decimal(_) => push(&Cell::Fault("a decimal of more than 38 digits")),
            Kind::Half => match bytes {
                &[low, high] => push(&Cell::Number(half(u16::from_le_bytes([low, high])))),
                _ => push(&Cell::Fault("half a number of another size")),
            },
            _ => match str::from_utf8(bytes) {
                Ok(text) => push(&Cell::Text(text)),
                Err(_) => push(&Cell::Fault("bytes, not text")),
            },
        }
    }
}

/// The number that is nearest to a decimal: as if it were read from text.
fn decimal(value: i128, scale: i32) -> f64 {
    format!("{value}e{}", -i64::from(scale)).parse().unwrap_or(f64::NAN)
}

/// A number of 16 bits.
fn half(bits: u16) -> f64 {
    let (exponent, fraction) = (i32::from(bits >> 10 & 0x1F), f64::from(bits & 0x3FF));
    let size = match exponent {
        0 => fraction * 2_f64.powi(-24),
        0x1F if fraction == 0.0 => f64::INFINITY,
        0x1F => f64::NAN,
        _ => (1.0 + fraction / 1024.0) * 2_f64.powi(exponent - 15),
    };
    if bits & 0x8000 == 0 { size } else { -size }
}

/// Hands on the values of a column chunk one by one; none where the value is missing.
fn each<T: DataType>(
    mut reader: ColumnReaderImpl<T>,
    n_values: usize,
    mut push: impl FnMut(Option<&T::T>) -> Result<(), Stop>,
) -> Result<(), Stop> {
    let (mut values, mut levels): (Vec<T::T>, Vec<i16>) = (Vec::new(), Vec::new());
    let mut n_done = 0;
    while n_done < n_values {
        values.clear();
        levels.clear();
        let batch = BATCH.min(n_values - n_done);
        let (n_records, _, _) = reader
            .read_records(batch, Some(&mut levels), None, &mut values)
            .map_err(|error| Stop::File(error.to_string()))?;
        if n_records == 0 {
            return Ok(());
        }
        let mut present = values.iter();
        for record in 0..n_records {
            // A column without missing values has no levels.
            let is_present = levels.get(record).is_none_or(|level| *level > 0);
            let value = if is_present { present.next() } else { None };
            if is_present && value.is_none() {
                return Err(Stop::File("values are missing".to_owned()));
            }
            push(value)?;
        }
        n_done += n_records;
    }
    Ok(())
}
