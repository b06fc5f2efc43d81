//! Packed images read by the field table: where a field lies, which bits mean something, how they print.

use std::fmt::Write;

use lanewise_sim::units::{Field, Io};

/// The fields of a packed image and their places.
#[derive(Clone, Debug)]
pub struct Layout {
    fields: Vec<Field>,
    /// First word of each field.
    at: Vec<usize>,
    /// Index of the field that qualifies each field.
    qualifier: Vec<Option<usize>>,
    /// Ones where the image has bits at all.
    full: Vec<u32>,
}

impl Layout {
    /// The layout of a block's `In` or `Out`.
    ///
    /// # Panics
    /// If a field is `valid_by` something that is not a field of the same struct, or whose bits fit
    /// neither one bit for all, nor a bit an element, nor (for a single element) a bit a bit.
    pub fn of<T: Io>() -> Self {
        let fields = T::fields();
        let mut at = Vec::new();
        let mut words = 0;
        for field in &fields {
            at.push(words);
            words += field.words();
        }
        let qualifier = fields.iter().map(|field| qualifier_of(field, &fields)).collect();
        let mut full = vec![0; words];
        for (field, at) in fields.iter().zip(&at) {
            for bit in 0..field.bits() {
                full[at + bit / 32] |= 1 << (bit % 32);
            }
        }
        Self { fields, at, qualifier, full }
    }

    /// The field table.
    pub fn fields(&self) -> &[Field] {
        &self.fields
    }

    /// Words of the image.
    pub fn words(&self) -> usize {
        self.full.len()
    }

    /// The words of one field.
    pub fn field<'a>(&self, index: usize, image: &'a [u32]) -> &'a [u32] {
        &image[self.at[index]..][..self.fields[index].words()]
    }

    /// The words of one field, to write.
    pub fn field_mut<'a>(&self, index: usize, image: &'a mut [u32]) -> &'a mut [u32] {
        &mut image[self.at[index]..][..self.fields[index].words()]
    }

    /// One element of a field.
    pub fn element(&self, index: usize, element: usize, image: &[u32]) -> u64 {
        let width = self.fields[index].width;
        bits_at(self.field(index, image), element * width, width)
    }

    /// Ones where the image's bits mean something: all but data whose qualifier is low.
    pub fn meaning(&self, image: &[u32]) -> Vec<u32> {
        let mut mask = self.full.clone();
        for (index, qualifier) in self.qualifier.iter().enumerate() {
            let Some(qualifier) = *qualifier else { continue };
            let field = &self.fields[index];
            let covers = self.fields[qualifier].bits();
            if by_columns(field, &self.fields[qualifier]) {
                for bit in 0..field.bits() {
                    if bits_at(self.field(qualifier, image), bit % covers, 1) == 0 {
                        self.field_mut(index, &mut mask)[bit / 32] &= !(1 << (bit % 32));
                    }
                }
                continue;
            }
            let step = field.bits() / covers;
            for bit in 0..covers {
                if bits_at(self.field(qualifier, image), bit, 1) == 0 {
                    let mask = self.field_mut(index, &mut mask);
                    (bit * step..(bit + 1) * step)
                        .for_each(|at| mask[at / 32] &= !(1 << (at % 32)));
                }
            }
        }
        mask
    }

    /// The fields in which two images differ where `left` means something.
    pub fn differences(&self, left: &[u32], right: &[u32]) -> Vec<usize> {
        if left == right {
            return Vec::new();
        }
        let meaning = self.meaning(left);
        (0..self.fields.len())
            .filter(|&index| {
                let mask = self.field(index, &meaning);
                let (left, right) = (self.field(index, left), self.field(index, right));
                (0..mask.len()).any(|word| (left[word] ^ right[word]) & mask[word] != 0)
            })
            .collect()
    }

    /// One field's value for people: hexadecimal, the elements of an array in brackets from 0 up.
    pub fn show(&self, index: usize, image: &[u32]) -> String {
        let field = &self.fields[index];
        let digits = field.width.div_ceil(4);
        let mut text = String::new();
        for element in 0..field.count {
            let separator = if element == 0 { "" } else { " " };
            // Writing to a string cannot fail.
            let _ = write!(text, "{separator}{:0digits$x}", self.element(index, element, image));
        }
        if field.count == 1 {
            format!("0x{text}")
        } else {
            format!("[{text}]")
        }
    }

    /// Every field's name and value for people.
    pub fn show_all(&self, image: &[u32]) -> Vec<(&'static str, String)> {
        let names = self.fields.iter().map(|field| field.name);
        names.enumerate().map(|(index, name)| (name, self.show(index, image))).collect()
    }
}

/// Whether a field repeats the layout of its qualifier: then bit by bit, over and over. So it is with a
/// table that is stored by columns, one bit a row.
fn by_columns(field: &Field, qualifier: &Field) -> bool {
    qualifier.count > 1 && qualifier.width == field.width && field.count % qualifier.count == 0
}

fn qualifier_of(field: &Field, fields: &[Field]) -> Option<usize> {
    let name = field.valid_by?;
    let Some(index) = fields.iter().position(|other| other.name == name) else {
        panic!("field {} is valid_by {name}, which is no field of the same struct", field.name);
    };
    let covers = fields[index].bits();
    let fits = covers == 1
        || covers == field.count
        || (field.count == 1 && covers == field.width)
        || by_columns(field, &fields[index]);
    assert!(fits, "field {}: {covers} bits of {name} cannot cover it", field.name);
    Some(index)
}

/// `width` bits, at most 64, from bit `at` on.
pub fn bits_at(words: &[u32], at: usize, width: usize) -> u64 {
    (0..width).step_by(32).fold(0, |value, low| {
        let (word, shift) = ((at + low) / 32, (at + low) % 32);
        let next = words.get(word + 1).copied().unwrap_or(0);
        let chunk = ((u64::from(next) << 32 | u64::from(words[word])) >> shift) & 0xffff_ffff;
        let kept = chunk & (u64::MAX >> (64 - (width - low).min(32)));
        value | kept << low
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    lanewise_sim::io! {
        /// Qualified in each way a field can be.
        pub struct Shapes {
            /// covers `word` and `all`
            valid: bool, 1;
            /// covers `lanes` and `flags`
            mask: u8, 4;
            /// one element
            word: u64, 40, valid_by valid;
            /// all elements at once
            all: [u16; 3], 11, valid_by valid;
            /// element by element
            lanes: [u32; 4], 12, valid_by mask;
            /// bit by bit
            flags: u8, 4, valid_by mask;
        }
    }

    fn image(shapes: &Shapes) -> Vec<u32> {
        let mut words = vec![0; Shapes::WORDS];
        shapes.pack(&mut words);
        words
    }

    #[test]
    fn data_counts_only_while_its_qualifier_is_high() {
        let layout = Layout::of::<Shapes>();
        let quiet = Shapes { mask: 0b0010, ..Shapes::default() };
        let noisy = Shapes {
            word: u64::MAX,
            all: [5, 6, 7],
            lanes: [1, 0, 1, 1],
            flags: 0b1101,
            ..quiet.clone()
        };
        assert!(layout.differences(&image(&quiet), &image(&noisy)).is_empty());
        let wrong = Shapes { lanes: [0, 1, 0, 0], flags: 0b0010, ..quiet.clone() };
        assert_eq!(layout.differences(&image(&quiet), &image(&wrong)), [4, 5]);
        let valid = Shapes { valid: true, ..quiet };
        let wrong = Shapes { word: 1 << 39, all: [0, 0, 1], ..valid.clone() };
        assert_eq!(layout.differences(&image(&valid), &image(&wrong)), [2, 3]);
    }

    #[test]
    fn elements_are_found_across_words() {
        let layout = Layout::of::<Shapes>();
        let words =
            image(&Shapes { word: 0xab_cdef_0123, all: [1, 2, 0x7ff], ..Shapes::default() });
        assert_eq!(layout.element(2, 0, &words), 0xab_cdef_0123);
        assert_eq!(layout.element(3, 2, &words), 0x7ff);
        assert_eq!(layout.show(3, &words), "[001 002 7ff]");
    }
}
