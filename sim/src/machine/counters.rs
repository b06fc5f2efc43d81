//! Counters that only grow, and the difference between two readings of them.

/// Declares a struct of counters that can be added, subtracted and written to a record.
macro_rules! counters {
    (
        $(#[$meta:meta])*
        pub struct $name:ident { $($(#[$doc:meta])* $field:ident,)* }
    ) => {
        $(#[$meta])*
        #[derive(Clone, Copy, Debug, Default, PartialEq, Eq, serde::Serialize, serde::Deserialize)]
        pub struct $name { $($(#[$doc])* pub $field: u64,)* }

        impl $name {
            /// Names of the counters, as in records.
            pub const NAMES: &'static [&'static str] = &[$(stringify!($field)),*];

            /// Their values, in the order of the names.
            pub fn values(&self) -> Vec<u64> {
                vec![$(self.$field),*]
            }

            /// What `of` makes of each counter here and there.
            pub(crate) fn each(self, there: Self, of: impl Fn(u64, u64) -> u64) -> Self {
                $name { $($field: of(self.$field, there.$field),)* }
            }
        }

        impl std::ops::Sub for $name {
            type Output = Self;
            fn sub(self, before: Self) -> Self {
                self.each(before, |now, before| now - before)
            }
        }

        impl std::ops::AddAssign for $name {
            fn add_assign(&mut self, more: Self) {
                *self = self.each(more, |here, there| here + there);
            }
        }
    };
}
pub(crate) use counters;

#[cfg(test)]
mod tests {
    counters! {
        /// Two counters.
        pub struct Two {
            /// One.
            a,
            /// The other.
            b,
        }
    }

    #[test]
    fn a_difference_is_what_happened_in_between() {
        let mut sum = Two { a: 5, b: 9 } - Two { a: 2, b: 9 };
        sum += Two { a: 1, b: 1 };
        assert_eq!(sum, Two { a: 4, b: 1 });
        assert_eq!((Two::NAMES, sum.values()), (&["a", "b"][..], vec![4, 1]));
    }
}
