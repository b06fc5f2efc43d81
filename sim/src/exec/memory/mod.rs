//! Memory as a kernel sees it: global allocations with guard gaps, per-block shared, per-thread local,
//! read-only constants and parameters, and textures.

mod access;
mod atomic;
mod global;
mod pending;
mod texture;
mod view;

pub(super) use access::{addresses, load, store};
pub(super) use atomic::{atomic, deliver};
pub(super) use texture::{fetch, Bindings};

pub use global::{Allocation, Changes, GlobalMemory};
pub use pending::{AtomicResult, Pending};
pub use texture::{Addressing, ChannelType, Filter, Texture, SAMPLER_HANDLE, TEXTURE_HANDLE};
pub use view::GlobalView;

use super::mask::LaneMask;
use crate::ptx::layout::{space_of, window};
use crate::ptx::Space;

/// What a memory instruction did.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum AccessKind {
    /// It read.
    Load,
    /// It wrote.
    Store,
    /// It read and wrote.
    Atomic,
    /// It read texels.
    Texture,
}

/// The addresses of the last memory instruction, for whoever times it.
#[derive(Debug, Clone)]
pub struct Access {
    /// What it did.
    pub kind: AccessKind,
    /// The space of its lanes; generic addresses are reported as the space of the lowest lane.
    pub space: Space,
    /// Bytes each lane touched.
    pub bytes: u32,
    /// Lanes that took part.
    pub lanes: LaneMask,
    /// Address of each of those lanes as the instruction computed it; stale in the others.
    pub addresses: [u64; 32],
}

impl Default for Access {
    fn default() -> Self {
        Access {
            kind: AccessKind::Load,
            space: Space::Global,
            bytes: 0,
            lanes: LaneMask::NONE,
            addresses: [0; 32],
        }
    }
}

/// Why an address cannot be used.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct BadAddress {
    pub lane: usize,
    pub address: u64,
    pub space: Space,
    pub bytes: u32,
    pub reason: BadReason,
}

impl BadAddress {
    /// The address of a lane; a generic one is reported in its own space.
    fn new(
        space: Space,
        addresses: &[u64; 32],
        lane: usize,
        bytes: u32,
        reason: BadReason,
    ) -> BadAddress {
        let address = addresses[lane];
        let space = if space == Space::Generic { space_of(address) } else { space };
        BadAddress { lane, address, space, bytes, reason }
    }
}

/// What is wrong with it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum BadReason {
    OutOfRange,
    Misaligned,
    ReadOnly,
    /// A handle that is not one of a bound texture.
    NotATexture,
}

/// Why a memory instruction was not done.
pub(super) enum Refusal {
    /// It never can be.
    Bad(BadAddress),
    /// Its bytes wait for an atomic; it can be tried again once that is done.
    Busy,
}

impl From<BadAddress> for Refusal {
    fn from(bad: BadAddress) -> Self {
        Refusal::Bad(bad)
    }
}

/// Every memory one warp can reach.
pub(super) struct Memories<'a, 'g> {
    pub global: &'a mut GlobalView<'g>,
    pub shared: &'a mut [u8],
    /// Local memory of 32 lanes, one after the other.
    pub local: &'a mut [u8],
    pub constant: &'a [u8],
    pub params: &'a [u8],
}

/// Contiguous bytes that hold a range of addresses.
#[derive(Clone, Copy)]
pub(super) struct Region {
    /// Which memory.
    space: Space,
    /// First valid address, as instructions name it.
    start: u64,
    /// How many bytes from there.
    len: u64,
    /// Index of the first byte in that memory.
    base: usize,
    /// How far apart the bytes of neighbouring lanes are; zero unless local.
    lane_stride: usize,
}

impl Memories<'_, '_> {
    /// The region an address falls in.
    fn region(&self, space: Space, address: u64) -> Option<Region> {
        if space == Space::Generic {
            let own = space_of(address);
            let region = self.region(own, address.wrapping_sub(window(own)))?;
            return Some(Region { start: region.start + window(own), ..region });
        }
        let whole =
            |len: usize| Region { space, start: 0, len: len as u64, base: 0, lane_stride: 0 };
        Some(match space {
            Space::Shared => whole(self.shared.len()),
            Space::Const => whole(self.constant.len()),
            Space::Param => whole(self.params.len()),
            Space::Local => {
                let lane_stride = self.local.len() / 32;
                Region { lane_stride, ..whole(lane_stride) }
            }
            _ => {
                let (start, len, base) = self.global.memory().find(address)?;
                Region { space: Space::Global, start, len, base, lane_stride: 0 }
            }
        })
    }

    #[inline(always)]
    fn bytes(&self, region: Region) -> &[u8] {
        match region.space {
            Space::Shared => self.shared,
            Space::Local => self.local,
            Space::Const => self.constant,
            Space::Param => self.params,
            _ => self.global.memory().bytes(),
        }
    }

    fn bytes_mut(&mut self, region: Region) -> Option<&mut [u8]> {
        match region.space {
            Space::Shared => Some(self.shared),
            Space::Local => Some(self.local),
            Space::Const | Space::Param => None,
            _ => self.global.whole_mut().map(GlobalMemory::bytes_mut),
        }
    }

    /// What is pending on a region, if writes to it are kept.
    #[inline(always)]
    fn pending(&self, region: Region) -> Option<&Pending> {
        match (region.space, &*self.global) {
            (Space::Global, GlobalView::Shared { pending, .. }) if !pending.is_empty() => {
                Some(pending)
            }
            _ => None,
        }
    }

    #[inline(always)]
    fn pending_mut(&mut self, region: Region) -> Option<&mut Pending> {
        match (region.space, &mut *self.global) {
            (Space::Global, GlobalView::Shared { pending, .. }) => Some(pending),
            _ => None,
        }
    }

    /// The next region and the lanes of `left` that fall in it, lowest lane first; takes them out of `left`.
    ///
    /// A loop over this is how every access reaches memory: nearly always one turn, since the lanes of a warp
    /// rarely touch two allocations or spaces at once.
    #[inline(always)]
    fn next_region(
        &self,
        space: Space,
        addresses: &[u64; 32],
        bytes: u32,
        left: &mut LaneMask,
    ) -> Result<Option<(Region, LaneMask)>, BadAddress> {
        let Some(first) = left.lowest() else {
            return Ok(None);
        };
        let bad = |lane: usize, reason| BadAddress::new(space, addresses, lane, bytes, reason);
        let Some(region) = self.region(space, addresses[first]) else {
            return Err(bad(first, BadReason::OutOfRange));
        };
        let Some(room) = region.len.checked_sub(u64::from(bytes)) else {
            return Err(bad(first, BadReason::OutOfRange));
        };
        let (mut inside, mut misaligned) = (0u32, 0u32);
        for i in 0..32 {
            inside |= u32::from(addresses[i].wrapping_sub(region.start) <= room) << i;
            misaligned |= u32::from(addresses[i] & u64::from(bytes - 1) != 0) << i;
        }
        let inside = LaneMask(inside & left.0);
        if !inside.has(first) {
            return Err(bad(first, BadReason::OutOfRange));
        }
        if let Some(lane) = LaneMask(misaligned & inside.0).lowest() {
            return Err(bad(lane, BadReason::Misaligned));
        }
        left.0 &= !inside.0;
        Ok(Some((region, inside)))
    }
}
