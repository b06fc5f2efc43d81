//! The field table: one description of a block's inputs and outputs that drives every back end.
//!
//! [`io!`](crate::io) declares a struct and its table together. From the table come the packing for the
//! stepped RTL, the shim of the verilated block, stimulus, recording and waveforms, so that no back end
//! needs an adapter written by hand.

/// Which way a field travels, seen from the block.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Direction {
    /// Driven by the block's surroundings.
    In,
    /// Driven by the block.
    Out,
}

/// One row of the field table.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Field {
    /// The name in Rust; the Verilog port is this name with `_i` or `_o`.
    pub name: &'static str,
    /// Bits of one element.
    pub width: usize,
    /// Elements; element 0 is in the low bits of the port.
    pub count: usize,
    /// For an output: the inputs it depends on within the cycle.
    pub from: &'static [&'static str],
    /// For data: the one-bit field that says when it means something. A field of the same struct; bit i of
    /// a multi-bit qualifier covers element i, and an array of the same element width covers bit by bit,
    /// repeated over the elements.
    pub valid_by: Option<&'static str>,
}

impl Field {
    /// Bits of the whole port.
    pub fn bits(&self) -> usize {
        self.width * self.count
    }

    /// 32-bit words the field takes in a packed image; fields start on a word boundary.
    pub fn words(&self) -> usize {
        self.bits().div_ceil(32)
    }
}

/// The inputs or the outputs of a block: plain data that packs to words and back.
///
/// Implemented by [`io!`](crate::io) only.
pub trait Io: Clone + PartialEq + std::fmt::Debug + Default + Send + 'static {
    /// Words of the packed image.
    const WORDS: usize;

    /// The field table, in port order.
    fn fields() -> Vec<Field>;

    /// Writes the packed image; `words` has [`Io::WORDS`] words.
    fn pack(&self, words: &mut [u32]);

    /// Reads a packed image; bits beyond a field's width are ignored.
    fn unpack(words: &[u32]) -> Self;
}

/// A Rust type that can be a field: an unsigned integer, a bool, or an array of either.
pub trait FieldValue: Clone + PartialEq + std::fmt::Debug {
    /// Elements in the field.
    const COUNT: usize;

    /// All bits low.
    const ZERO: Self;

    /// Writes the elements, `width` bits each, from bit 0 of `words` on. Bits beyond `width` are cut off.
    fn put(&self, width: usize, words: &mut [u32]);

    /// Reads the elements back.
    fn get(width: usize, words: &[u32]) -> Self;
}

/// A single element of at most 64 bits.
trait Element: Copy + PartialEq + std::fmt::Debug {
    const ZERO: Self;
    fn to_u64(self) -> u64;
    fn from_u64(value: u64) -> Self;
}

const fn low_bits(width: usize) -> u64 {
    if width >= 64 {
        u64::MAX
    } else {
        (1 << width) - 1
    }
}

#[inline]
fn put_bits(value: u64, at: usize, width: usize, words: &mut [u32]) {
    let value = value & low_bits(width);
    let (word, shift) = (at / 32, at % 32);
    if shift == 0 && width <= 32 {
        // The common case: nothing of this field lies to the left of its word's start.
        words[word] =
            if width == 32 { 0 } else { words[word] & !(low_bits(width) as u32) } | value as u32;
        return;
    }
    let mut wide = (value as u128) << shift;
    let mut mask = (low_bits(width) as u128) << shift;
    let mut index = word;
    while mask != 0 {
        words[index] = (words[index] & !(mask as u32)) | wide as u32;
        wide >>= 32;
        mask >>= 32;
        index += 1;
    }
}

#[inline]
fn get_bits(at: usize, width: usize, words: &[u32]) -> u64 {
    let (word, shift) = (at / 32, at % 32);
    if shift + width <= 32 {
        return (words[word] >> shift) as u64 & low_bits(width);
    }
    let mut wide = 0u128;
    for index in (word..=(at + width - 1) / 32).rev() {
        wide = wide << 32 | words[index] as u128;
    }
    (wide >> shift) as u64 & low_bits(width)
}

macro_rules! element {
    ($($int:ty),+) => {$(
        impl Element for $int {
            const ZERO: Self = 0;
            #[inline]
            fn to_u64(self) -> u64 {
                self as u64
            }
            #[inline]
            fn from_u64(value: u64) -> Self {
                value as $int
            }
        }
        scalar!($int);
    )+};
}

macro_rules! scalar {
    ($ty:ty) => {
        impl FieldValue for $ty {
            const COUNT: usize = 1;
            const ZERO: Self = <$ty as Element>::ZERO;
            #[inline]
            fn put(&self, width: usize, words: &mut [u32]) {
                put_bits(self.to_u64(), 0, width, words);
            }
            #[inline]
            fn get(width: usize, words: &[u32]) -> Self {
                <$ty>::from_u64(get_bits(0, width, words))
            }
        }
    };
}

element!(u8, u16, u32, u64);

impl Element for bool {
    const ZERO: Self = false;
    #[inline]
    fn to_u64(self) -> u64 {
        self as u64
    }
    #[inline]
    fn from_u64(value: u64) -> Self {
        value & 1 != 0
    }
}
scalar!(bool);

impl<E: Element, const N: usize> FieldValue for [E; N] {
    const COUNT: usize = N;
    const ZERO: Self = [E::ZERO; N];
    #[inline]
    fn put(&self, width: usize, words: &mut [u32]) {
        if width == 32 {
            // Whole words, as the lanes' operands are: a plain copy.
            let elements = words.iter_mut().zip(self);
            elements.for_each(|(word, element)| *word = element.to_u64() as u32);
            return;
        }
        for (index, element) in self.iter().enumerate() {
            put_bits(element.to_u64(), index * width, width, words);
        }
    }
    #[inline]
    fn get(width: usize, words: &[u32]) -> Self {
        let mut elements = Self::ZERO;
        if width == 32 {
            let words = elements.iter_mut().zip(words);
            words.for_each(|(element, word)| *element = E::from_u64(u64::from(*word)));
            return elements;
        }
        for (index, element) in elements.iter_mut().enumerate() {
            *element = E::from_u64(get_bits(index * width, width, words));
        }
        elements
    }
}

/// Declares a block's `In` or `Out` struct with its field table.
///
/// Each field is `name: type, width` and may go on with `valid_by qualifier` (data that means nothing
/// while the qualifier is low) and `from [a, b]` (the inputs an output depends on in the same cycle;
/// an output without `from` comes straight from registers). An array's width is that of one element.
///
/// ```
/// lanewise_sim::io! {
///     /// Inputs of a pipeline register.
///     pub struct In {
///         /// There is an operand.
///         valid: bool, 1;
///         /// The operand of each lane.
///         data: [u32; 4], 32, valid_by valid;
///     }
/// }
/// # use lanewise_sim::units::Io;
/// assert_eq!(In::WORDS, 5);
/// assert_eq!(In::fields()[1].bits(), 128);
/// ```
#[macro_export]
macro_rules! io {
    (
        $(#[$meta:meta])*
        pub struct $name:ident $(<$(const $generic:ident: usize),+>)? {
            $(
                $(#[$field_meta:meta])*
                $field:ident: $ty:ty, $width:expr $(, valid_by $valid:ident)? $(, from [$($from:ident),* $(,)?])?;
            )+
        }
    ) => {
        $(#[$meta])*
        #[derive(Clone, Debug, PartialEq)]
        pub struct $name $(<$(const $generic: usize),+>)? {
            $($(#[$field_meta])* pub $field: $ty,)+
        }

        impl $(<$(const $generic: usize),+>)? Default for $name $(<$($generic),+>)? {
            #[inline]
            fn default() -> Self {
                Self { $($field: <$ty as $crate::units::FieldValue>::ZERO),+ }
            }
        }

        impl $(<$(const $generic: usize),+>)? $crate::units::Io for $name $(<$($generic),+>)? {
            const WORDS: usize =
                0 $(+ (<$ty as $crate::units::FieldValue>::COUNT * ($width)).div_ceil(32))+;

            fn fields() -> Vec<$crate::units::Field> {
                vec![$($crate::units::Field {
                    name: stringify!($field),
                    width: $width,
                    count: <$ty as $crate::units::FieldValue>::COUNT,
                    from: &[$($(stringify!($from)),*)?],
                    valid_by: None $(.or(Some(stringify!($valid))))?,
                }),+]
            }

            #[inline]
            fn pack(&self, words: &mut [u32]) {
                let rest = words;
                $(
                    let take = (<$ty as $crate::units::FieldValue>::COUNT * ($width)).div_ceil(32);
                    let (mine, rest) = rest.split_at_mut(take);
                    $crate::units::FieldValue::put(&self.$field, $width, mine);
                )+
                let _ = rest;
            }

            #[inline]
            fn unpack(words: &[u32]) -> Self {
                let rest = words;
                $(
                    let take = (<$ty as $crate::units::FieldValue>::COUNT * ($width)).div_ceil(32);
                    let (mine, rest) = rest.split_at(take);
                    let $field = <$ty as $crate::units::FieldValue>::get($width, mine);
                )+
                let _ = rest;
                Self { $($field),+ }
            }
        }
    };
}

#[cfg(test)]
mod tests {
    use super::Io;

    io! {
        /// Every shape of field.
        pub struct Shapes {
            /// one bit
            flag: bool, 1;
            /// narrow
            small: u8, 3, valid_by flag;
            /// wider than a word
            long: u64, 40, from [flag, small];
            /// elements that straddle words
            odd: [u16; 7], 11;
            /// whole words
            lanes: [u32; 3], 32;
        }
    }

    #[test]
    fn packing_round_trips_and_cuts_at_the_width() {
        let value = Shapes {
            flag: true,
            small: 0xff,
            long: u64::MAX,
            odd: [0x7ff, 0, 0x555, 0x2aa, 1, 0x400, 0x7fe],
            lanes: [1, u32::MAX, 0x8000_0001],
        };
        let mut words = vec![0; Shapes::WORDS];
        assert_eq!(words.len(), 1 + 1 + 2 + 3 + 3);
        value.pack(&mut words);
        assert_eq!(words[1], 7);
        let back = Shapes::unpack(&words);
        assert_eq!(back, Shapes { small: 7, long: (1 << 40) - 1, ..value });
    }

    #[test]
    fn packing_clears_what_was_there() {
        let mut words = vec![u32::MAX; Shapes::WORDS];
        Shapes::default().pack(&mut words);
        assert_eq!(Shapes::unpack(&words), Shapes::default());
    }
}
