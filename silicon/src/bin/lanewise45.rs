//! Prints the project's own library: `lanewise45 > silicon/liberty/lanewise45.lib`.

fn main() {
    print!("{}", lanewise_silicon::liberty::logical_effort::text());
}
