//! Parquet files made here: what is read, what is refused, and that no damage ends the program.

use std::sync::Arc;

use parquet::basic::Compression;
use parquet::column::writer::ColumnWriter;
use parquet::data_type::{ByteArray, FixedLenByteArray};
use parquet::file::metadata::KeyValue;
use parquet::file::properties::{WriterProperties, WriterPropertiesBuilder, WriterVersion};
use parquet::file::writer::SerializedFileWriter;
use parquet::schema::parser::parse_message_type;

use super::columns::{Column, Need, Reading};
use super::reading::read_table;

const READING: Reading = Reading { keeps_missing: true, most_words: 50, ..Reading::STRICT };

/// Everything that can be a feature, twice: in two row groups of three rows. Level 0 is a missing value.
fn file(schema: &str, compression: Compression, version: WriterVersion) -> Vec<u8> {
    let properties = WriterProperties::builder();
    file_with(schema, properties.set_compression(compression).set_writer_version(version))
}

fn file_with(schema: &str, properties: WriterPropertiesBuilder) -> Vec<u8> {
    let schema = Arc::new(parse_message_type(schema).unwrap());
    let properties = properties.build();
    let mut bytes = Vec::new();
    let mut writer = SerializedFileWriter::new(&mut bytes, schema, Arc::new(properties)).unwrap();
    let levels = Some(&[1, 0, 1][..]);
    for _ in 0..2 {
        let mut group = writer.next_row_group().unwrap();
        while let Some(mut column) = group.next_column().unwrap() {
            match column.untyped() {
                ColumnWriter::BoolColumnWriter(writer) => {
                    writer.write_batch(&[true, false], levels, None)
                }
                ColumnWriter::Int32ColumnWriter(writer) => {
                    writer.write_batch(&[-7, 12_345], levels, None)
                }
                ColumnWriter::Int64ColumnWriter(writer) => {
                    writer.write_batch(&[-1, 5, 9], None, None)
                }
                ColumnWriter::Int96ColumnWriter(writer) => {
                    writer.write_batch(&[Default::default(); 2], levels, None)
                }
                ColumnWriter::FloatColumnWriter(writer) => {
                    writer.write_batch(&[0.5, f32::NAN], levels, None)
                }
                ColumnWriter::DoubleColumnWriter(writer) => {
                    writer.write_batch(&[0.1, -2e300], levels, None)
                }
                ColumnWriter::ByteArrayColumnWriter(writer) => {
                    writer.write_batch(&["red", "blue"].map(ByteArray::from), levels, None)
                }
                ColumnWriter::FixedLenByteArrayColumnWriter(writer) => {
                    let value = |bytes: [u8; 2]| FixedLenByteArray::from(bytes.to_vec());
                    writer.write_batch(&[value([0xFF, 0x38]), value([0x01, 0x00])], levels, None)
                }
            }
            .unwrap();
            column.close().unwrap();
        }
        group.close().unwrap();
    }
    writer.close().unwrap();
    bytes
}

const EVERYTHING: &str = "message m { optional boolean is; optional int32 i; required int64 l; optional float f;
    optional double d; optional binary word (utf8); optional int32 money (decimal(9, 2));
    optional fixed_len_byte_array(2) cents (decimal(4, 1)); required int64 u (integer(64, false)); }";

/// One column of this type.
fn one(kind: &str) -> Vec<u8> {
    let end = if kind.ends_with('}') { "" } else { ";" };
    let schema = format!("message m {{ {kind}{end} }}");
    file(&schema, Compression::SNAPPY, WriterVersion::PARQUET_1_0)
}

fn outcome(bytes: &[u8], need: Need) -> String {
    match read_table("t.parquet", bytes, &READING, |_, _| need) {
        Err(error) => error.to_string(),
        Ok(table) => {
            let column = |(name, column): (&String, &Column)| match column {
                Column::Numbers(numbers) => format!("{name}: {:?}", &numbers[3..]),
                Column::Words(words) => format!("{name}: {:?} {:?}", words.word(4), words.word(5)),
                Column::Skipped => format!("{name} skipped"),
            };
            let columns: Vec<String> = table.names.iter().zip(&table.columns).map(column).collect();
            columns.join("; ")
        }
    }
}

#[test]
fn values_of_every_kind_are_read_from_every_compression() {
    let expected = "is: [1.0, NaN, 0.0]; i: [-7.0, NaN, 12345.0]; l: [-1.0, 5.0, 9.0]; f: [0.5, NaN, NaN]; \
        d: [0.1, NaN, -2e300]; word: None Some(\"blue\"); money: [-0.07, NaN, 123.45]; \
        cents: [-20.0, NaN, 25.6]; u: [1.8446744073709552e19, 5.0, 9.0]";
    for compression in [
        Compression::UNCOMPRESSED,
        Compression::SNAPPY,
        Compression::GZIP(Default::default()),
        Compression::LZ4,
        Compression::LZ4_RAW,
        #[cfg(feature = "zstd")]
        Compression::ZSTD(Default::default()),
    ] {
        for version in [WriterVersion::PARQUET_1_0, WriterVersion::PARQUET_2_0] {
            assert_eq!(outcome(&file(EVERYTHING, compression, version), Need::Either), expected);
        }
    }
    assert_eq!(outcome(&one("optional boolean b"), Need::Words), "b: None Some(\"false\")");
    assert_eq!(
        outcome(&one("optional fixed_len_byte_array(2) h (float16)"), Need::Numbers),
        "h: [0.62451171875, NaN, 5.960464477539063e-8]"
    );
}

#[test]
fn columns_that_are_no_numbers_are_refused() {
    for kind in [
        "optional int32 c (date)",
        "required int64 c (timestamp(millis, true))",
        "optional int96 c",
    ] {
        let message = outcome(&one(kind), Need::Either);
        assert!(
            message.starts_with("t.parquet, column 1 (`c`): holds dates or times"),
            "{message}"
        );
        assert_eq!(outcome(&one(kind), Need::Skip), "c skipped", "what is not needed may be there");
    }
    let message = outcome(&one("optional binary c (utf8)"), Need::Numbers);
    assert!(
        message.starts_with("t.parquet, row 1, column 1 (`c`): `red` is not a number"),
        "{message}"
    );
    let message = outcome(&one("optional fixed_len_byte_array(2) c"), Need::Numbers);
    assert!(message.contains("holds bytes"), "{message}");
    let message = outcome(&one("required group g { optional int32 c; }"), Need::Numbers);
    assert!(message.contains("column 1 (`g.c`): holds lists or records"), "{message}");
    let strict = read_table("t", &one("optional double d"), &Reading::STRICT, |_, _| Need::Numbers);
    let message = strict.unwrap_err().to_string();
    assert_eq!(
        message,
        "t, row 2, column 1 (`d`): missing value (empty cell); drop the row or fill it in"
    );
}

#[test]
fn an_index_of_pandas_is_no_column() {
    let schema = "message m { optional int32 a; required int64 __index_level_0__; }";
    let bytes = file(schema, Compression::SNAPPY, WriterVersion::PARQUET_1_0);
    assert_eq!(outcome(&bytes, Need::Numbers), "a: [-7.0, NaN, 12345.0]");
}

#[test]
fn claims_of_many_rows_are_refused() {
    let empty = "message m { required int64 a; }";
    let schema = Arc::new(parse_message_type(empty).unwrap());
    let mut bytes = Vec::new();
    SerializedFileWriter::new(&mut bytes, schema.clone(), Arc::default()).unwrap().close().unwrap();
    assert_eq!(outcome(&bytes, Need::Numbers), "t.parquet has no rows");
    // Two distinct values in few bytes, many times over.
    let mut bytes = Vec::new();
    let mut writer = SerializedFileWriter::new(&mut bytes, schema, Arc::default()).unwrap();
    for _ in 0..3 {
        let mut group = writer.next_row_group().unwrap();
        let mut column = group.next_column().unwrap().unwrap();
        let ColumnWriter::Int64ColumnWriter(values) = column.untyped() else { panic!() };
        values.write_batch(&vec![5; 1 << 20], None, None).unwrap();
        column.close().unwrap();
        group.close().unwrap();
    }
    writer.close().unwrap();
    assert!(bytes.len() < 1 << 16);
    let need = |column: usize, _: &[String]| if column == 0 { Need::Numbers } else { Need::Skip };
    assert_eq!(read_table("t", &bytes, &READING, need).unwrap().n_rows, 3 << 20);
}

/// How often a file is damaged by chance, which may be raised.
fn n_damages() -> usize {
    std::env::var("INTRON_DAMAGES").ok().and_then(|n| n.parse().ok()).unwrap_or(3000)
}

#[test]
fn claims_that_the_bytes_cannot_hold_are_refused() {
    let whole = one("required int64 a");
    // The last eight bytes are the length of the end and four letters.
    let end = whole.len() - 8;
    let length = u32::from_le_bytes(whole[end..end + 4].try_into().unwrap()) as usize;
    let mut damaged = whole.clone();
    // The schema: a list of more records than there are bytes.
    let list = end - length + 2;
    assert_eq!(damaged[list] >> 4, 1, "the second field comes next");
    damaged.splice(list + 1..list + 2, [0xFC, 0xFF, 0xFF, 0xFF, 0xFF, 0x07]);
    let n = damaged.len() - 8;
    damaged[n..n + 4].copy_from_slice(&(length as u32 + 5).to_le_bytes());
    let message = outcome(&damaged, Need::Numbers);
    assert!(message.contains("(its end is damaged)"), "{message}");
}

#[test]
fn the_index_of_a_data_frame_is_no_column() {
    let schema = "message m { required int64 b; required int64 y; required int64 a; \
                  required int64 __index_level_1__; }";
    let about = |index: &str| {
        let about = format!(r#"{{"index_columns": {index}, "columns": []}}"#);
        let pair = KeyValue::new("pandas".to_owned(), about);
        file_with(schema, WriterProperties::builder().set_key_value_metadata(Some(vec![pair])))
    };
    let read = |bytes: &[u8]| read_table("t", bytes, &READING, |_, _| Need::Numbers).unwrap();
    let table = read(&about(r#"["a", "__index_level_1__"]"#));
    assert_eq!(table.names, ["b", "y"]);
    assert_eq!(table.notes.len(), 1, "{:?}", table.notes);
    assert!(table.notes[0].starts_with("`a` is the index of a data frame"), "{:?}", table.notes);
    // A range that is no column, and what is not of pandas' form.
    for index in [r#"[{"kind": "range", "start": 0}]"#, "7", "not JSON"] {
        let table = read(&about(index));
        assert_eq!((table.names.len(), table.notes.len()), (3, 0), "{index}");
    }
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
    #[cfg(feature = "zstd")]
    let other = Compression::ZSTD(Default::default());
    #[cfg(not(feature = "zstd"))]
    let other = Compression::SNAPPY;
    for (compression, version) in
        [(Compression::SNAPPY, WriterVersion::PARQUET_1_0), (other, WriterVersion::PARQUET_2_0)]
    {
        let whole = file(EVERYTHING, compression, version);
        for length in 0..whole.len() {
            let message = outcome(&whole[..length], Need::Either);
            assert!(message.starts_with('t') || length < 4, "{length}: {message}");
        }
        for _ in 0..n_damages() {
            let mut damaged = whole.clone();
            for _ in 0..=random(4) {
                let place = random(damaged.len());
                damaged[place] = random(256) as u8;
            }
            let _ = outcome(&damaged, Need::Either);
        }
    }
}
