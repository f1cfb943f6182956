//! Thrift's compact protocol, in which Parquet writes what it says about itself: any value, without knowing its meaning.
//! Nothing is taken for granted: a count that the bytes cannot hold is refused before memory is asked for.

/// Records in records, no deeper than any sound file has them.
const MOST_DEPTH: usize = 24;

/// A value. Text and fractions are skipped.
#[derive(Debug, PartialEq)]
pub(super) enum Value {
    Whole(i64),
    Other,
    List(Vec<Value>),
    /// Fields by their numbers.
    Record(Vec<(i64, Value)>),
}

impl Value {
    /// The field of a record; none if there is none, or if this is no record.
    pub(super) fn field(&self, number: i64) -> Option<&Value> {
        let Value::Record(fields) = self else { return None };
        fields.iter().find(|(other, _)| *other == number).map(|(_, value)| value)
    }

    pub(super) fn whole(&self, number: i64) -> Option<i64> {
        match self.field(number)? {
            Value::Whole(value) => Some(*value),
            _ => None,
        }
    }

    /// A number of bytes or of things.
    pub(super) fn count(&self, number: i64) -> Option<usize> {
        usize::try_from(self.whole(number)?).ok()
    }

    pub(super) fn list(&self, number: i64) -> &[Value] {
        match self.field(number) {
            Some(Value::List(values)) => values,
            _ => &[],
        }
    }
}

/// Reads a record from the start of some bytes, and says how many it took; none if it is not sound.
pub(super) fn read_record(bytes: &[u8]) -> Option<(Value, usize)> {
    let mut reader = Reader { bytes, place: 0 };
    let record = reader.record(0)?;
    Some((record, reader.place))
}

struct Reader<'a> {
    bytes: &'a [u8],
    place: usize,
}

impl Reader<'_> {
    fn byte(&mut self) -> Option<u8> {
        let byte = *self.bytes.get(self.place)?;
        self.place += 1;
        Some(byte)
    }

    fn skip(&mut self, n: u64) -> Option<()> {
        let left = self.bytes.len() - self.place;
        self.place += usize::try_from(n).ok().filter(|&n| n <= left)?;
        Some(())
    }

    /// Seven bits in each byte, the lowest first.
    fn unsigned(&mut self) -> Option<u64> {
        let mut value = 0;
        for shift in (0..70).step_by(7) {
            let byte = self.byte()?;
            value |= u64::from(byte & 0x7F).checked_shl(shift).unwrap_or(0);
            if byte & 0x80 == 0 {
                return Some(value);
            }
        }
        None
    }

    /// The sign is the lowest bit.
    fn signed(&mut self) -> Option<i64> {
        let value = self.unsigned()?;
        Some((value >> 1) as i64 ^ -((value & 1) as i64))
    }

    fn record(&mut self, depth: usize) -> Option<Value> {
        let (mut fields, mut number): (Vec<(i64, Value)>, i64) = (Vec::new(), 0);
        loop {
            let head = self.byte()?;
            if head == 0 {
                return (depth <= MOST_DEPTH).then_some(Value::Record(fields));
            }
            number = match head >> 4 {
                0 => self.signed()?,
                step => number.checked_add(i64::from(step))?,
            };
            // In a record the kind of a yes or no is its value.
            let value = match head & 0x0F {
                1 | 2 => Value::Other,
                kind => self.value(kind, depth)?,
            };
            fields.push((number, value));
        }
    }

    fn value(&mut self, kind: u8, depth: usize) -> Option<Value> {
        if depth > MOST_DEPTH {
            return None;
        }
        match kind {
            1..=3 => self.skip(1).map(|()| Value::Other),
            4..=6 => self.signed().map(Value::Whole),
            7 => self.skip(8).map(|()| Value::Other),
            8 => {
                let n = self.unsigned()?;
                self.skip(n).map(|()| Value::Other)
            }
            9 | 10 => {
                let head = self.byte()?;
                let n = if head >> 4 == 15 { self.unsigned()? } else { u64::from(head >> 4) };
                // Every value takes at least a byte.
                let n = usize::try_from(n).ok().filter(|&n| n <= self.bytes.len() - self.place)?;
                let mut values = Vec::new();
                for _ in 0..n {
                    values.push(self.value(head & 0x0F, depth + 1)?);
                }
                Some(Value::List(values))
            }
            12 => self.record(depth + 1),
            // Maps are not in Parquet's own records.
            _ => None,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn records_are_read_and_false_claims_refused() {
        // 1: 150, 2: [3, -3], 16: "ab", 17: true
        let bytes = [0x15, 0xAC, 0x02, 0x19, 0x25, 6, 5, 0x08, 32, 2, b'a', b'b', 0x11, 0x00, 99];
        let (record, n) = read_record(&bytes).unwrap();
        assert_eq!((record.whole(1), n), (Some(150), 14));
        assert_eq!(record.list(2), [Value::Whole(3), Value::Whole(-3)]);
        assert_eq!(record.field(16), Some(&Value::Other));
        for length in 0..14 {
            assert_eq!(read_record(&bytes[..length]), None);
        }
        // Lists of 2²⁸ numbers and of 2²⁸ records, a text of 2⁶³ bytes, and records without end.
        assert_eq!(read_record(&[0x19, 0xF5, 0x80, 0x80, 0x80, 0x80, 1, 0, 0]), None);
        assert_eq!(read_record(&[0x19, 0xFC, 0x80, 0x80, 0x80, 0x80, 1, 0, 0]), None);
        assert_eq!(read_record(&[&[0x18][..], &[0xFF; 9], &[1, 0]].concat()), None);
        assert_eq!(read_record(&[0x1C; 100_000]), None);
        assert_eq!(read_record(&[0x19; 100_000]), None);
    }
}
