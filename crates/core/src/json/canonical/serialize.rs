//! The serde side of the canonical text: a serializer that writes into the buffer.

use serde::ser::{self, Error as _, Serialize};

use super::{Error, Result, Writer};

/// A list or an object that is being written.
pub(super) struct Compound<'a, 'w> {
    writer: &'a mut Writer<'w>,
    /// The start of its content in the text, and of its members in the list of members.
    start: usize,
    members: usize,
    close: &'static [u8],
}

impl<'a, 'w> Compound<'a, 'w> {
    fn open(writer: &'a mut Writer<'w>, open: u8, close: &'static [u8]) -> Self {
        writer.text.push(open);
        let (start, members) = (writer.text.len(), writer.members.len());
        Self { writer, start, members, close }
    }

    fn item<T: Serialize + ?Sized>(&mut self, item: &T) -> Result<()> {
        if self.writer.text.len() > self.start {
            self.writer.text.push(b',');
        }
        item.serialize(&mut *self.writer)
    }

    fn begin_member(&mut self) {
        self.writer.begin_member(self.writer.members.len() == self.members);
    }

    fn member<T: Serialize + ?Sized>(&mut self, name: &str, value: &T) -> Result<()> {
        self.begin_member();
        self.writer.string(name);
        self.writer.end_name();
        value.serialize(&mut *self.writer)
    }

    fn end_list(self) {
        self.writer.text.extend_from_slice(self.close);
    }

    fn end_object(self) {
        if self.writer.members.len() > self.members {
            self.writer.end_member();
            self.writer.sort(self.start, self.members);
            self.writer.members.truncate(self.members);
        }
        self.end_list();
    }
}

macro_rules! whole_numbers {
    ($($method:ident $type:ty),*) => {
        $(fn $method(self, value: $type) -> Result<()> {
            self.whole(i128::from(value))
        })*
    };
}

impl<'a, 'w> ser::Serializer for &'a mut Writer<'w> {
    type Ok = ();
    type Error = Error;
    type SerializeSeq = Compound<'a, 'w>;
    type SerializeTuple = Compound<'a, 'w>;
    type SerializeTupleStruct = Compound<'a, 'w>;
    type SerializeTupleVariant = Compound<'a, 'w>;
    type SerializeMap = Compound<'a, 'w>;
    type SerializeStruct = Compound<'a, 'w>;
    type SerializeStructVariant = Compound<'a, 'w>;

    whole_numbers!(serialize_i8 i8, serialize_i16 i16, serialize_i32 i32, serialize_i64 i64);
    whole_numbers!(serialize_u8 u8, serialize_u16 u16, serialize_u32 u32, serialize_u64 u64);

    fn serialize_bool(self, value: bool) -> Result<()> {
        self.text.extend_from_slice(if value { b"true" } else { b"false" });
        Ok(())
    }

    fn serialize_f32(self, value: f32) -> Result<()> {
        self.double(value.into())
    }

    fn serialize_f64(self, value: f64) -> Result<()> {
        self.double(value)
    }

    fn serialize_char(self, value: char) -> Result<()> {
        self.serialize_str(value.encode_utf8(&mut [0; 4]))
    }

    fn serialize_str(self, value: &str) -> Result<()> {
        self.string(value);
        Ok(())
    }

    fn serialize_bytes(self, value: &[u8]) -> Result<()> {
        value.serialize(self)
    }

    fn serialize_none(self) -> Result<()> {
        self.serialize_unit()
    }

    fn serialize_some<T: Serialize + ?Sized>(self, value: &T) -> Result<()> {
        value.serialize(self)
    }

    fn serialize_unit(self) -> Result<()> {
        self.text.extend_from_slice(b"null");
        Ok(())
    }

    fn serialize_unit_struct(self, _: &'static str) -> Result<()> {
        self.serialize_unit()
    }

    fn serialize_unit_variant(self, _: &'static str, _: u32, variant: &'static str) -> Result<()> {
        self.serialize_str(variant)
    }

    fn serialize_newtype_struct<T: Serialize + ?Sized>(self, _: &'static str, value: &T) -> Result<()> {
        value.serialize(self)
    }

    fn serialize_newtype_variant<T: Serialize + ?Sized>(
        self,
        _: &'static str,
        _: u32,
        variant: &'static str,
        value: &T,
    ) -> Result<()> {
        let mut object = Compound::open(self, b'{', b"}");
        object.member(variant, value)?;
        object.end_object();
        Ok(())
    }

    fn serialize_seq(self, _: Option<usize>) -> Result<Compound<'a, 'w>> {
        Ok(Compound::open(self, b'[', b"]"))
    }

    fn serialize_tuple(self, _: usize) -> Result<Compound<'a, 'w>> {
        self.serialize_seq(None)
    }

    fn serialize_tuple_struct(self, _: &'static str, _: usize) -> Result<Compound<'a, 'w>> {
        self.serialize_seq(None)
    }

    fn serialize_tuple_variant(
        self,
        _: &'static str,
        _: u32,
        variant: &'static str,
        _: usize,
    ) -> Result<Compound<'a, 'w>> {
        self.text.push(b'{');
        self.string(variant);
        self.text.push(b':');
        Ok(Compound::open(self, b'[', b"]}"))
    }

    fn serialize_map(self, _: Option<usize>) -> Result<Compound<'a, 'w>> {
        Ok(Compound::open(self, b'{', b"}"))
    }

    fn serialize_struct(self, _: &'static str, _: usize) -> Result<Compound<'a, 'w>> {
        self.serialize_map(None)
    }

    fn serialize_struct_variant(
        self,
        _: &'static str,
        _: u32,
        variant: &'static str,
        _: usize,
    ) -> Result<Compound<'a, 'w>> {
        self.text.push(b'{');
        self.string(variant);
        self.text.push(b':');
        Ok(Compound::open(self, b'{', b"}}"))
    }
}

impl ser::SerializeMap for Compound<'_, '_> {
    type Ok = ();
    type Error = Error;

    fn serialize_key<T: Serialize + ?Sized>(&mut self, name: &T) -> Result<()> {
        self.begin_member();
        let start = self.writer.text.len();
        name.serialize(&mut *self.writer)?;
        if self.writer.text.get(start) != Some(&b'"') {
            return Err(Error::custom("a member's name must be a string"));
        }
        self.writer.end_name();
        Ok(())
    }

    fn serialize_value<T: Serialize + ?Sized>(&mut self, value: &T) -> Result<()> {
        value.serialize(&mut *self.writer)
    }

    fn end(self) -> Result<()> {
        self.end_object();
        Ok(())
    }
}

macro_rules! lists {
    ($($kind:ident $method:ident),*) => {
        $(impl ser::$kind for Compound<'_, '_> {
            type Ok = ();
            type Error = Error;

            fn $method<T: Serialize + ?Sized>(&mut self, item: &T) -> Result<()> {
                self.item(item)
            }

            fn end(self) -> Result<()> {
                self.end_list();
                Ok(())
            }
        })*
    };
}

lists!(SerializeSeq serialize_element, SerializeTuple serialize_element);
lists!(SerializeTupleStruct serialize_field, SerializeTupleVariant serialize_field);

macro_rules! objects {
    ($($kind:ident),*) => {
        $(impl ser::$kind for Compound<'_, '_> {
            type Ok = ();
            type Error = Error;

            fn serialize_field<T: Serialize + ?Sized>(&mut self, name: &'static str, value: &T) -> Result<()> {
                self.member(name, value)
            }

            fn end(self) -> Result<()> {
                self.end_object();
                Ok(())
            }
        })*
    };
}

objects!(SerializeStruct, SerializeStructVariant);
