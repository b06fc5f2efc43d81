//! `product_tree`: words and significands.

use lanewise_sim::units::product_tree::{In, Out, ProductTree};

use super::passages::passage;
use crate::contract::Binding;
use crate::stimulus::Source;

/// The block and how to try it.
pub fn binding() -> Binding<In, Out> {
    Binding::of::<ProductTree>("product_tree", stimulus)
}

fn stimulus() -> Source<In> {
    Box::new(|g| passage(g).tree)
}
