//! Runs a few lines of PTX on rows of operands.

use std::sync::Arc;

use lanewise_sim::exec::{run, Fault, GlobalMemory, Launch};
use lanewise_sim::ptx::Module;

pub const HEADER: &str = ".version 6.3\n.target sm_70\n.address_size 64\n";

/// Wraps a body into a module with one kernel `k` of these parameters.
pub fn kernel(params: &str, body: &str) -> String {
    format!("{HEADER}.visible .entry k({params})\n{{\n{body}\n}}\n")
}

pub fn load(text: &str) -> Arc<Module> {
    Arc::new(Module::load("t.ptx", text).unwrap_or_else(|e| panic!("{e}")))
}

/// Runs `k` with one buffer as its only argument and returns what the buffer holds at the end.
pub fn run_on(
    module: &Arc<Module>,
    grid: u32,
    block: u32,
    buffer: &[u8],
) -> Result<Vec<u8>, Box<Fault>> {
    let mut memory = GlobalMemory::new(&module.image.global);
    let address = memory.allocate("buffer", buffer.len() as u64);
    memory.slice_mut(address, buffer.len() as u64).unwrap().copy_from_slice(buffer);
    let mut launch = Launch::new(module, "k", [grid, 1, 1], [block, 1, 1]).unwrap();
    launch.set_param(0, &address.to_le_bytes()).unwrap();
    run(&launch, &mut memory, 1_000_000)?;
    Ok(memory.slice(address, buffer.len() as u64).unwrap().to_vec())
}

/// Runs a body that finds `%tid.x` in `%t`, `buffer` in `%base` and `&buffer[tid]` (u32) in `%at`, in 32-bit words.
pub fn words(body: &str, threads: u32, buffer: &[u32]) -> Vec<u32> {
    let text = kernel(
        ".param .u64 p",
        &format!(
            ".reg .b32 %t; .reg .b64 %base, %at; .reg .b32 %r<20>; .reg .b64 %rd<20>;
             .reg .pred %p<10>; .reg .f32 %f<20>; .reg .b16 %h<8>;
             mov.u32 %t, %tid.x;
             ld.param.u64 %base, [p];
             mad.wide.u32 %at, %t, 4, %base;
             {body}"
        ),
    );
    let bytes: Vec<u8> = buffer.iter().flat_map(|w| w.to_le_bytes()).collect();
    let out = run_on(&load(&text), 1, threads, &bytes).unwrap_or_else(|e| panic!("{e}"));
    out.chunks_exact(4).map(|c| u32::from_le_bytes(c.try_into().unwrap())).collect()
}

/// Runs `code` once per row: `%a`, `%b`, `%c`, `%e` have the types of `sources` and hold the row's operands; the
/// result is `%d` of type `result`. A type is `b16`, `b32`, `b64` or `pred`.
pub fn eval(code: &str, result: &str, sources: &[&str], rows: &[Vec<u64>]) -> Vec<u64> {
    let width = |ty: &str| if ty == "b64" { 8 } else { 4 };
    let slots = sources.len() + 1;
    let mut body = String::from(
        ".reg .b32 %t, %x; .reg .b64 %base, %y, %w; .reg .pred %unused;
         mov.u32 %t, %tid.x; ld.param.u64 %base, [p];\n",
    );
    body += &format!("mad.wide.u32 %base, %t, {}, %base;\n.reg .{result} %d;\n", slots * 8);
    for (n, (ty, name)) in sources.iter().zip(["%a", "%b", "%c", "%e"]).enumerate() {
        body += &format!(".reg .{ty} {name};\n");
        body += &match *ty {
            "pred" => format!("ld.global.u32 %x, [%base+{}]; setp.ne.u32 {name}, %x, 0;\n", n * 8),
            ty => format!("ld.global.{ty} {name}, [%base+{}];\n", n * 8),
        };
    }
    let out = 8 * sources.len();
    body += code;
    body += &match result {
        "pred" => format!("\nselp.u32 %x, 1, 0, %d; st.global.u32 [%base+{out}], %x;"),
        ty => format!("\nst.global.{ty} [%base+{out}], %d;"),
    };
    let mut buffer = Vec::new();
    for row in rows {
        assert_eq!(row.len(), sources.len(), "operands of a row");
        row.iter().for_each(|v| buffer.extend_from_slice(&v.to_le_bytes()));
        buffer.extend_from_slice(&[0; 8]);
    }
    let module = load(&kernel(".param .u64 p", &(body + "\nret;")));
    let done = run_on(&module, 1, rows.len() as u32, &buffer).unwrap_or_else(|e| panic!("{e}"));
    done.chunks_exact(slots * 8)
        .map(|row| {
            let mut raw = [0; 8];
            raw[..width(result)].copy_from_slice(&row[out..out + width(result)]);
            u64::from_le_bytes(raw)
        })
        .collect()
}

/// Checks `opcode %d, %a, ...` on rows whose last value is the expected result.
#[track_caller]
pub fn check(opcode: &str, result: &str, sources: &[&str], rows: &[&[u64]]) {
    let names = ["%a", "%b", "%c", "%e"][..sources.len()].join(", ");
    check_code(&format!("{opcode} %d, {names};"), result, sources, rows);
}

/// Like [`check`], with the instructions written out.
#[track_caller]
pub fn check_code(code: &str, result: &str, sources: &[&str], rows: &[&[u64]]) {
    let inputs: Vec<Vec<u64>> = rows.iter().map(|r| r[..sources.len()].to_vec()).collect();
    let got = eval(code, result, sources, &inputs);
    for (row, got) in rows.iter().zip(got) {
        let want = row[sources.len()];
        let operands = &row[..sources.len()];
        assert_eq!(got, want, "{code} on {operands:x?}: got {got:#x}, want {want:#x}");
    }
}

/// The bits of a single.
pub fn s(value: f32) -> u64 {
    value.to_bits().into()
}

/// The bits of a double.
pub fn d(value: f64) -> u64 {
    value.to_bits()
}
