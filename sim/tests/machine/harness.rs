//! Runs shipped jobs and small kernels on machines, and looks at when each instruction issued.

use lanewise_sim::exec::{GlobalMemory, Launch};
use lanewise_sim::job::{Engine, Job, LoadOptions, Order, Outcome, RunOptions, Stop};
use lanewise_sim::machine::config::MachineConfig;
use lanewise_sim::machine::sm::hooks::{Hooks, Issue, Silent};
use lanewise_sim::machine::uncore::hooks::SliceHooks;
use lanewise_sim::machine::{KernelTiming, Limits, Machine};
use lanewise_sim::ptx::Module;
use std::path::Path;
use std::sync::Arc;

/// Every shipped kernel.
pub const KERNELS: [&str; 33] = [
    "backprop",
    "bfs",
    "bitonic",
    "blackscholes",
    "chase",
    "convolution",
    "gaussian",
    "histogram",
    "hotspot",
    "kmeans",
    "lavamd",
    "lbm",
    "lud",
    "mandelbrot",
    "matmul",
    "mriq",
    "mummer",
    "nw",
    "pathfinder",
    "poisson",
    "raytrace",
    "reduce",
    "rotate",
    "scan",
    "spmv",
    "srad",
    "stencil3d",
    "streamcluster",
    "tpacf",
    "track",
    "transpose",
    "vecadd",
    "xtea",
];

/// The GTX480 with some values changed.
pub fn machine(set: &[&str]) -> Arc<MachineConfig> {
    let set: Vec<String> = set.iter().map(ToString::to_string).collect();
    Arc::new(MachineConfig::read("gtx480", &set).unwrap_or_else(|e| panic!("{e}")))
}

/// The folder of a shipped kernel.
pub fn folder(name: &str) -> std::path::PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../kernels").join(name)
}

/// A shipped job at a size.
pub fn job(name: &str, size: &str) -> Job {
    let options = LoadOptions { size: Some(size.into()), seed: None };
    Job::load(&folder(name).join(format!("{name}.toml")), &options)
        .unwrap_or_else(|e| panic!("{e}"))
}

/// Runs a job on a machine whose SMs and slices nobody watches.
pub fn run(job: &Job, config: &Arc<MachineConfig>, threads: usize) -> Outcome {
    run_hooked(job, config, threads, |_| Silent).0
}

/// Runs a job on a machine; returns the machine too, for what its hooks have seen.
pub fn run_hooked<H: Hooks>(
    job: &Job,
    config: &Arc<MachineConfig>,
    threads: usize,
    hooks: impl Fn(usize) -> H + Send + 'static,
) -> (Outcome, Machine<H, Silent>) {
    let mut machine = Machine::new(config, Limits::default(), threads, hooks, |_| Silent).unwrap();
    let outcome = job.run_on(&mut machine, &RunOptions::default());
    (outcome.unwrap_or_else(|e| panic!("{e}")), machine)
}

/// Remembers every instruction that issued.
#[derive(Clone, Default)]
pub struct Log {
    pub issues: Vec<Issue>,
}

impl Hooks for Log {
    fn issued(&mut self, issue: &Issue) {
        self.issues.push(*issue);
    }
}

/// A small kernel: a body that runs `%n` times between a setup and an end, on one buffer.
///
/// `%base` is the buffer's address, `%id` the thread's number, `%r`, `%rd`, `%f`, `%fd` and `%q` 32- and
/// 64-bit words, floats, doubles and predicates to use freely. Every instruction stands on a line of its own.
#[derive(Clone)]
pub struct Bench {
    setup: String,
    body: String,
    module_text: String,
    grid: u32,
    block: u32,
    registers: Option<u32>,
    buffer: Vec<u8>,
    set: Vec<String>,
}

impl Bench {
    /// One warp runs this body.
    pub fn new(body: &str) -> Self {
        Bench {
            setup: String::new(),
            body: one_a_line(body),
            module_text: String::new(),
            grid: 1,
            block: 32,
            registers: None,
            buffer: vec![0; 4096],
            set: vec!["gpu.sms=1".into()],
        }
    }

    pub fn setup(mut self, setup: &str) -> Self {
        self.setup = one_a_line(setup);
        self
    }

    /// Declarations outside the kernel.
    pub fn module(mut self, text: &str) -> Self {
        self.module_text = text.into();
        self
    }

    pub fn block(mut self, threads: u32) -> Self {
        self.block = threads;
        self
    }

    pub fn grid(mut self, blocks: u32) -> Self {
        self.grid = blocks;
        self
    }

    pub fn registers(mut self, registers: u32) -> Self {
        self.registers = Some(registers);
        self
    }

    pub fn buffer(mut self, bytes: Vec<u8>) -> Self {
        self.buffer = bytes;
        self
    }

    /// Changes a value of the machine.
    pub fn set(mut self, item: &str) -> Self {
        self.set.push(item.into());
        self
    }

    fn text(&self) -> String {
        format!(
            ".version 6.3\n.target sm_70\n.address_size 64\n{}\n\
             .visible .entry k(.param .u64 p, .param .u32 count)\n{{\n\
             .reg .b32 %r<40>, %n, %id; .reg .b64 %rd<10>, %base; .reg .pred %q<4>, %more;\n\
             .reg .f32 %f<10>; .reg .f64 %fd<10>;\n\
             ld.param.u64 %base, [p];\nld.param.u32 %n, [count];\nmov.u32 %id, %tid.x;\n{}\n\
             LOOP:\n{}\nadd.s32 %n, %n, -1;\nsetp.ne.s32 %more, %n, 0;\n@%more bra LOOP;\nret;\n}}\n",
            self.module_text, self.setup, self.body
        )
    }

    /// Runs it with so many iterations.
    pub fn run(&self, iterations: u32) -> Ran {
        self.try_run(iterations).unwrap_or_else(|stop| panic!("{stop:?}"))
    }

    /// Runs it unless the machine refuses.
    pub fn try_run(&self, iterations: u32) -> Result<Ran, Stop> {
        let limits = Limits::default();
        let mut machine =
            Machine::new(&self.machine(), limits, 1, |_| Log::default(), |_| Silent).unwrap();
        self.run_on(&mut machine, iterations)?;
        let gpu = machine.gpu().expect("it has run");
        Ok(Ran {
            timing: machine.record().kernels[0].clone(),
            issues: gpu.sms[0].hooks.issues.clone(),
            body_line: self.body_line(),
        })
    }

    /// The line of the body's first instruction.
    pub fn body_line(&self) -> u32 {
        self.text().lines().position(|l| l == "LOOP:").expect("the label") as u32 + 2
    }

    /// The machine it asks for.
    pub fn machine(&self) -> Arc<MachineConfig> {
        machine(&self.set.iter().map(String::as_str).collect::<Vec<_>>())
    }

    /// Runs it on a machine of the caller's; returns what it was compiled to.
    pub fn run_on<H: Hooks, S: SliceHooks>(
        &self,
        machine: &mut Machine<H, S>,
        iterations: u32,
    ) -> Result<Arc<Module>, Stop> {
        let text = self.text();
        let module = Module::load("bench.ptx", &text).unwrap_or_else(|e| panic!("{e}"));
        let module = Arc::new(module);
        let mut memory = GlobalMemory::new(&module.image.global);
        let address = memory.allocate("buffer", self.buffer.len() as u64);
        memory
            .slice_mut(address, self.buffer.len() as u64)
            .expect("it was allocated")
            .copy_from_slice(&relocated(&self.buffer, address));
        let mut launch = Launch::new(&module, "k", [self.grid, 1, 1], [self.block, 1, 1]).unwrap();
        launch.set_param(0, &address.to_le_bytes()).unwrap();
        launch.set_param(1, &iterations.to_le_bytes()).unwrap();
        let order = Order { registers: self.registers, timed: true, max_instructions: 50_000_000 };
        machine.launch(launch, &mut memory, &order)?;
        Ok(module)
    }

    /// Cycles that one more iteration takes once the caches are warm; it must be a whole number.
    #[track_caller]
    pub fn cycles_per_iteration(&self) -> u64 {
        let (few, many) = (20, 120);
        let cycles = self.run(many).timing.cycles - self.run(few).timing.cycles;
        assert_eq!(cycles % u64::from(many - few), 0, "iterations do not all take the same time");
        cycles / u64::from(many - few)
    }
}

/// A list of pointers in a buffer: the buffer holds offsets, the kernel wants addresses.
fn relocated(buffer: &[u8], address: u64) -> Vec<u8> {
    let mut bytes = buffer.to_vec();
    for word in bytes.chunks_exact_mut(8) {
        let value = u64::from_le_bytes(word.try_into().expect("eight bytes"));
        if value & OFFSET != 0 {
            word.copy_from_slice(&(address + (value & !OFFSET)).to_le_bytes());
        }
    }
    bytes
}

/// Marks a 64-bit word of a buffer as an offset into it.
const OFFSET: u64 = 1 << 63;

/// A ring of `count` pointers, each `stride` bytes behind the one before.
pub fn ring(count: usize, stride: usize) -> Vec<u8> {
    let mut bytes = vec![0; count * stride];
    for n in 0..count {
        let next = ((n + 1) % count * stride) as u64 | OFFSET;
        bytes[n * stride..n * stride + 8].copy_from_slice(&next.to_le_bytes());
    }
    bytes
}

fn one_a_line(code: &str) -> String {
    let lines = code.lines().map(str::trim).filter(|line| !line.is_empty());
    lines.collect::<Vec<_>>().join("\n")
}

/// A bench that has run.
pub struct Ran {
    pub timing: KernelTiming,
    pub issues: Vec<Issue>,
    body_line: u32,
}

impl Ran {
    /// The issues of the `k`-th instruction of the body by a warp, one an iteration.
    pub fn issues_of(&self, warp: usize, k: u32) -> impl DoubleEndedIterator<Item = &Issue> {
        let line = self.body_line + k;
        self.issues.iter().filter(move |i| i.line == line && i.candidate.warp == warp)
    }

    /// When warp 0 issued the `k`-th instruction of the body in the last iteration.
    pub fn last(&self, k: u32) -> u64 {
        self.issues_of(0, k).next_back().expect("the instruction has issued").cycle
    }
}
