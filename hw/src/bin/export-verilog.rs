//! Exports the catalogue as Verilog.

fn main() {
    let library = lanewise_hw::catalogue::Library::new();
    for entry in lanewise_hw::catalogue::entries() {
        match library.module(&entry) {
            Ok(module) => {
                std::fs::write(format!("verilog_out/{}.v", module.name), module.text).unwrap()
            }
            Err(error) => eprintln!("{error}"),
        }
    }
}
