//! One kernel launch: which kernel, how many threads, which arguments.

use std::fmt;
use std::sync::Arc;

use super::memory::Texture;
use crate::ptx::ir::Kernel;
use crate::ptx::layout::WINDOW_BYTES;
use crate::ptx::Module;

/// The most threads a block may have.
const MOST_THREADS: u64 = 1024;

/// A kernel with its arguments, checked and ready to run.
#[derive(Debug, Clone)]
pub struct Launch {
    module: Arc<Module>,
    kernel: usize,
    /// Blocks in x, y and z.
    pub grid: [u32; 3],
    /// Threads of a block in x, y and z.
    pub block: [u32; 3],
    /// The bytes of all parameters.
    pub params: Vec<u8>,
    /// Dynamic shared memory of a block, in bytes.
    pub dynamic_shared: u32,
    /// Textures by handle.
    pub textures: Vec<Texture>,
    /// Texture of each module-level reference.
    pub references: Vec<Option<u32>>,
}

/// Why a launch cannot be made.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct LaunchError(pub String);

impl fmt::Display for LaunchError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

impl std::error::Error for LaunchError {}

impl Launch {
    /// A launch of the named kernel; parameters are zero until set.
    pub fn new(
        module: &Arc<Module>,
        kernel: &str,
        grid: [u32; 3],
        block: [u32; 3],
    ) -> Result<Launch, LaunchError> {
        let Some(at) = module.kernels.iter().position(|k| k.name == kernel) else {
            let names: Vec<_> = module.kernels.iter().map(|k| k.name.as_str()).collect();
            let file = module.source.name();
            let known = names.join(", ");
            return Err(LaunchError(format!("{file} has no kernel `{kernel}`; it has: {known}")));
        };
        let found = &module.kernels[at];
        let threads: u64 = block.iter().map(|&n| u64::from(n)).product();
        let most = found.max_threads.unwrap_or(MOST_THREADS).min(MOST_THREADS);
        if threads == 0 || block.iter().any(|&n| u64::from(n) > MOST_THREADS) || threads > most {
            let message = format!("`{kernel}`: a block of {block:?} threads; 1 to {most} can run");
            return Err(LaunchError(message));
        }
        if grid.contains(&0) {
            return Err(LaunchError(format!("`{kernel}`: a grid of {grid:?} blocks is empty")));
        }
        Ok(Launch {
            module: Arc::clone(module),
            kernel: at,
            grid,
            block,
            params: vec![0; found.param_bytes as usize],
            dynamic_shared: 0,
            textures: Vec::new(),
            references: vec![None; module.image.references.len()],
        })
    }

    /// Sets parameter `n` to these bytes, which must have its size.
    pub fn set_param(&mut self, n: usize, bytes: &[u8]) -> Result<(), LaunchError> {
        let kernel = self.kernel();
        let Some(param) = kernel.params.get(n) else {
            let (name, have) = (&kernel.name, kernel.params.len());
            return Err(LaunchError(format!("`{name}` has {have} parameters, not {}", n + 1)));
        };
        if param.bytes as usize != bytes.len() {
            return Err(LaunchError(format!(
                "parameter {} (`{}`) of `{}` has {} bytes, the argument {}",
                n + 1,
                param.name,
                kernel.name,
                param.bytes,
                bytes.len()
            )));
        }
        let start = param.offset as usize;
        self.params[start..start + bytes.len()].copy_from_slice(bytes);
        Ok(())
    }

    /// Adds dynamic shared memory.
    pub fn set_dynamic_shared(&mut self, bytes: u32) -> Result<(), LaunchError> {
        self.dynamic_shared = bytes;
        if u64::from(self.kernel().dynamic_shared_base) + u64::from(bytes) > WINDOW_BYTES {
            let name = &self.kernel().name;
            return Err(LaunchError(format!(
                "`{name}`: {bytes} bytes of shared memory are too many"
            )));
        }
        Ok(())
    }

    /// The kernel.
    pub fn kernel(&self) -> &Kernel {
        &self.module.kernels[self.kernel]
    }

    /// The module it comes from.
    pub fn module(&self) -> &Module {
        &self.module
    }

    /// Threads of a block.
    pub fn threads(&self) -> u32 {
        self.block.iter().product()
    }

    /// Warps of a block.
    pub fn warps(&self) -> u32 {
        self.threads().div_ceil(32)
    }

    /// Blocks of the grid.
    pub fn blocks(&self) -> u64 {
        self.grid.iter().map(|&n| u64::from(n)).product()
    }

    /// Coordinates of a block by its number, x fastest.
    pub fn block_index(&self, number: u64) -> [u32; 3] {
        let [x, y, _] = self.grid.map(u64::from);
        [(number % x) as u32, (number / x % y) as u32, (number / x / y) as u32]
    }

    /// Coordinates of a thread in its block by its number, x fastest.
    pub fn thread_index(&self, number: u32) -> [u32; 3] {
        let [x, y, _] = self.block;
        [number % x, number / x % y, number / x / y]
    }

    /// Shared memory of a block, in bytes.
    pub fn shared_bytes(&self) -> u32 {
        let kernel = self.kernel();
        match self.dynamic_shared {
            0 => kernel.shared_bytes,
            dynamic => kernel.dynamic_shared_base + dynamic,
        }
    }
}
