//! The C++ between packed words and a verilated module's ports, written from the field table.

use std::fmt::Write;

use lanewise_sim::units::{Field, Io};

/// The C++ source that exports one verilated class as six plain functions.
///
/// It is compiled as one unit with everything Verilator wrote (`sources`), which is what makes a build
/// take a fraction of a second.
pub(super) fn source<I: Io, O: Io>(sources: &[String]) -> String {
    let mut text = String::from("// Packed words <-> ports, written from the field table.\n");
    for file in sources {
        // Writing to a string cannot fail.
        let _ = writeln!(text, "#include \"{file}\"");
    }
    text.push_str(COMMON);
    text.push_str("static void drive(Vunit& top, const uint32_t* w) {\n");
    let mut at = 0;
    for field in I::fields() {
        copy_in(&mut text, &field, at);
        at += field.words();
    }
    text.push_str("}\nstatic void sample(const Vunit& top, uint32_t* w) {\n");
    at = 0;
    for field in O::fields() {
        copy_out(&mut text, &field, at);
        at += field.words();
    }
    text.push_str("}\n");
    text.push_str(EXPORTS);
    text
}

fn copy_in(text: &mut String, field: &Field, at: usize) {
    let (name, bits) = (field.name, field.bits());
    let top_mask = mask(bits);
    let _ = match bits {
        0..=32 => writeln!(text, "  top.{name}_i = w[{at}] & {top_mask};"),
        33..=64 => writeln!(
            text,
            "  top.{name}_i = (uint64_t)w[{at}] | ((uint64_t)(w[{}] & {top_mask}) << 32);",
            at + 1
        ),
        _ => {
            let last = field.words() - 1;
            writeln!(
                text,
                "  for (int i = 0; i < {last}; ++i) top.{name}_i[i] = w[{at} + i];\n  \
                 top.{name}_i[{last}] = w[{}] & {top_mask};",
                at + last
            )
        }
    };
}

fn copy_out(text: &mut String, field: &Field, at: usize) {
    let (name, bits, words) = (field.name, field.bits(), field.words());
    let _ = match bits {
        0..=32 => writeln!(text, "  w[{at}] = top.{name}_o;"),
        33..=64 => writeln!(
            text,
            "  w[{at}] = (uint32_t)top.{name}_o; w[{}] = (uint32_t)(top.{name}_o >> 32);",
            at + 1
        ),
        _ => writeln!(text, "  for (int i = 0; i < {words}; ++i) w[{at} + i] = top.{name}_o[i];"),
    };
}

/// The mask of a port's last word: Verilator relies on unused input bits being zero.
fn mask(bits: usize) -> String {
    let used = match bits % 32 {
        0 => u32::MAX,
        rest => (1 << rest) - 1,
    };
    format!("{used:#x}u")
}

const COMMON: &str = r#"
#include <memory>
#include <utility>
// A combinational module has neither clk_i nor rst_i; the second overload takes its place.
template <class T> static auto clock(T& top, int level, int) -> decltype((void)top.clk_i) {
  top.clk_i = level;
}
template <class T> static void clock(T&, int, long) {}
template <class T> static auto reset(T& top, int level, int) -> decltype((void)top.rst_i) {
  top.rst_i = level;
}
template <class T> static void reset(T&, int, long) {}
template <class T> static constexpr auto clocked(int) -> decltype((void)std::declval<T&>().clk_i, true) {
  return true;
}
template <class T> static constexpr bool clocked(long) { return false; }

struct Instance {
  std::unique_ptr<VerilatedContext> context;
  std::unique_ptr<Vunit> top;
  bool high = false;  // the clock is high in the module: its fall is joined with the next eval
};
"#;

const EXPORTS: &str = r#"
#define EXPORT extern "C" __attribute__((visibility("default")))
static void edge(Instance* it) {
  if (!clocked<Vunit>(0)) return;
  if (it->high) { clock(*it->top, 0, 0); it->top->eval(); }
  clock(*it->top, 1, 0);
  it->top->eval();
  it->high = true;
}
EXPORT void* lanewise_new(int random, int seed) {
  Instance* it = new Instance;
  it->context.reset(new VerilatedContext);
  Verilated::threadContextp(it->context.get());
  it->context->randReset(random ? 2 : 0);
  if (random) it->context->randSeed(seed);
  it->top.reset(new Vunit(it->context.get()));
  reset(*it->top, 0, 0);
  clock(*it->top, 0, 0);
  it->top->eval();
  return it;
}
EXPORT void lanewise_free(void* p) { delete static_cast<Instance*>(p); }
EXPORT void lanewise_eval(void* p, const uint32_t* in, uint32_t* out) {
  Instance* it = static_cast<Instance*>(p);
  drive(*it->top, in);
  clock(*it->top, 0, 0);
  it->high = false;
  it->top->eval();
  sample(*it->top, out);
}
EXPORT void lanewise_tick(void* p) { edge(static_cast<Instance*>(p)); }
EXPORT void lanewise_repeat(void* p, const uint32_t* in, uint64_t cycles) {
  Instance* it = static_cast<Instance*>(p);
  if (!clocked<Vunit>(0)) return;
  drive(*it->top, in);
  // New inputs are settled while the clock is low, as in lanewise_eval; then it only goes up and down.
  clock(*it->top, 0, 0);
  it->top->eval();
  it->high = false;
  for (; cycles > 0; --cycles) edge(it);
}
EXPORT void lanewise_reset(void* p) {
  Instance* it = static_cast<Instance*>(p);
  reset(*it->top, 1, 0);
  edge(it);
  reset(*it->top, 0, 0);
}
"#;
