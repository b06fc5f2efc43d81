//! The verilated back end: exported Verilog built with Verilator on demand, cached and loaded.
//!
//! The first build on a machine compiles Verilator's runtime (some seconds); after that a block takes
//! well under a second, and nothing at all when its text is known to the cache.

mod build;
mod ports;
mod shim;
mod source;
mod tools;

use std::collections::HashMap;
use std::ffi::{c_int, c_void};
use std::marker::PhantomData;
use std::path::{Path, PathBuf};
use std::ptr::NonNull;
use std::sync::{Arc, Mutex, PoisonError};

use lanewise_sim::units::{Io, Unit};
use libloading::Library;

pub use ports::{ports, VerilogPort};
pub use source::Source;
pub use tools::{Toolchain, VerilatedError};

/// What the registers hold when a unit is made.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Start {
    /// The documented reset state.
    Reset,
    /// Whatever this seed gives, as silicon would after power-up.
    Random(u32),
}

/// The functions of a loaded shared object.
struct Functions {
    new: unsafe extern "C" fn(c_int, c_int) -> *mut c_void,
    free: unsafe extern "C" fn(*mut c_void),
    eval: unsafe extern "C" fn(*mut c_void, *const u32, *mut u32),
    tick: unsafe extern "C" fn(*mut c_void),
    reset: unsafe extern "C" fn(*mut c_void),
    repeat: unsafe extern "C" fn(*mut c_void, *const u32, u64),
    _library: Library,
}

impl Functions {
    fn load(path: &Path) -> Result<Self, VerilatedError> {
        let failed = |source| VerilatedError::Load { path: path.into(), source };
        // SAFETY: the object was built by `build` from `shim.rs`, so its six functions have these
        // types; its initialisers are those of Verilator's runtime. `_library` keeps it loaded.
        unsafe {
            let library = Library::new(path).map_err(failed)?;
            Ok(Self {
                new: *library.get(b"lanewise_new").map_err(failed)?,
                free: *library.get(b"lanewise_free").map_err(failed)?,
                eval: *library.get(b"lanewise_eval").map_err(failed)?,
                tick: *library.get(b"lanewise_tick").map_err(failed)?,
                reset: *library.get(b"lanewise_reset").map_err(failed)?,
                repeat: *library.get(b"lanewise_repeat").map_err(failed)?,
                _library: library,
            })
        }
    }

    /// Loads an object once a process: many instances share it.
    fn shared(path: PathBuf) -> Result<Arc<Self>, VerilatedError> {
        static LOADED: Mutex<Option<HashMap<PathBuf, Arc<Functions>>>> = Mutex::new(None);
        let mut loaded = LOADED.lock().unwrap_or_else(PoisonError::into_inner);
        let loaded = loaded.get_or_insert_default();
        if let Some(functions) = loaded.get(&path) {
            return Ok(functions.clone());
        }
        let functions = Arc::new(Self::load(&path)?);
        loaded.insert(path, functions.clone());
        Ok(functions)
    }
}

/// A block built with Verilator, from which any number of units can be made.
#[derive(Clone)]
pub struct Verilated<I, O> {
    functions: Arc<Functions>,
    io: PhantomData<fn(I) -> O>,
}

impl<I: Io, O: Io> Verilated<I, O> {
    /// Builds the first module, or finds it in the cache; the others are what it instantiates.
    pub fn build(modules: &[Source]) -> Result<Self, VerilatedError> {
        Self::build_with(&Toolchain::from_env(), modules)
    }

    /// [`build`](Self::build) with chosen programs and cache.
    pub fn build_with(tools: &Toolchain, modules: &[Source]) -> Result<Self, VerilatedError> {
        let path = build::shared_object::<I, O>(tools, modules)?;
        Ok(Self { functions: Functions::shared(path)?, io: PhantomData })
    }

    /// Builds from Verilog files, one module a file and named after it; the first is the top.
    pub fn build_files(files: &[PathBuf]) -> Result<Self, VerilatedError> {
        let modules = files.iter().map(|path| Source::read(path)).collect::<Result<Vec<_>, _>>()?;
        Self::build(&modules)
    }

    /// A new instance of the block.
    pub fn unit(&self, start: Start) -> VerilatedUnit<I, O> {
        let (random, seed) = match start {
            Start::Reset => (0, 0),
            // Verilator takes 0 for "choose a seed yourself".
            Start::Random(seed) => (1, (seed & 0x3fff_ffff) as c_int + 1),
        };
        // SAFETY: the function takes any two integers.
        let instance = unsafe { (self.functions.new)(random, seed) };
        let instance = NonNull::new(instance).expect("C++ `new` throws rather than return null");
        let mut unit = VerilatedUnit {
            instance,
            functions: self.functions.clone(),
            inputs: vec![0; I::WORDS],
            outputs: vec![0; O::WORDS],
            io: PhantomData,
        };
        if start == Start::Reset {
            unit.reset();
        }
        unit
    }
}

/// One instance of a verilated block.
pub struct VerilatedUnit<I, O> {
    instance: NonNull<c_void>,
    functions: Arc<Functions>,
    inputs: Vec<u32>,
    outputs: Vec<u32>,
    io: PhantomData<fn(I) -> O>,
}

// SAFETY: an instance has its own VerilatedContext and model and no thread of its own; it is only
// reached through `&mut self`.
unsafe impl<I, O> Send for VerilatedUnit<I, O> {}

impl<I: Io, O: Io> Unit for VerilatedUnit<I, O> {
    type In = I;
    type Out = O;

    fn eval(&mut self, inputs: &I) -> O {
        inputs.pack(&mut self.inputs);
        // SAFETY: the shim reads I::WORDS and writes O::WORDS words, which is what the vectors hold.
        unsafe {
            (self.functions.eval)(
                self.instance.as_ptr(),
                self.inputs.as_ptr(),
                self.outputs.as_mut_ptr(),
            );
        }
        O::unpack(&self.outputs)
    }

    fn tick(&mut self) {
        // SAFETY: `instance` is live until drop.
        unsafe { (self.functions.tick)(self.instance.as_ptr()) }
    }

    fn reset(&mut self) {
        // SAFETY: `instance` is live until drop.
        unsafe { (self.functions.reset)(self.instance.as_ptr()) }
    }

    fn repeat(&mut self, inputs: &I, cycles: u64) {
        inputs.pack(&mut self.inputs);
        // SAFETY: the shim reads I::WORDS words, which is what the vector holds.
        unsafe {
            (self.functions.repeat)(self.instance.as_ptr(), self.inputs.as_ptr(), cycles);
        }
    }
}

impl<I, O> Drop for VerilatedUnit<I, O> {
    fn drop(&mut self) {
        // SAFETY: made by `new`, freed once.
        unsafe { (self.functions.free)(self.instance.as_ptr()) }
    }
}
