//! Loads and stores: addresses of all lanes first, then one pass per element.

use super::pending::Pending;
use super::{BadAddress, BadReason, Memories, Refusal, Region};
use crate::exec::mask::LaneMask;
use crate::exec::regs::{Lanes, Word};
use crate::exec::simd::wide;
use crate::ptx::ir::{Address, Class, Load, Reg, Store};
use crate::ptx::Type;

wide! {
    /// The address of every lane; 32-bit bases wrap at 32 bits.
    pub fn addresses(l: &Lanes, address: &Address, out: &mut [u64; 32]) {
        match address.base {
            None => out.fill(address.offset as u64),
            Some(base) if base.class() == Class::Long => {
                let base = l.row::<u64>(base);
                for i in 0..32 {
                    out[i] = base[i].wrapping_add(address.offset as u64);
                }
            }
            Some(base) => {
                let base = l.row::<u32>(base);
                for i in 0..32 {
                    out[i] = u64::from(base[i].wrapping_add(address.offset as u32));
                }
            }
        }
    }
}

/// A little-endian element in memory.
trait Element: Copy {
    const BYTES: usize;
    fn read(bytes: &[u8]) -> Self;
}

macro_rules! element {
    ($($ty:ty),*) => {$(
        impl Element for $ty {
            const BYTES: usize = size_of::<$ty>();
            #[inline(always)]
            fn read(bytes: &[u8]) -> $ty {
                let mut raw = [0; size_of::<$ty>()];
                raw.copy_from_slice(bytes);
                <$ty>::from_le_bytes(raw)
            }
        }
    )*};
}
element!(u8, i8, u16, i16, u32, i32, u64);

/// Where each lane's bytes are.
struct Place<'a> {
    bytes: &'a [u8],
    offsets: [usize; 32],
}

#[inline(always)]
pub(super) fn offsets(region: Region, addresses: &[u64; 32]) -> [usize; 32] {
    let mut out = [0; 32];
    for i in 0..32 {
        let offset = addresses[i].wrapping_sub(region.start) as usize;
        out[i] = offset.wrapping_add(region.base).wrapping_add(i * region.lane_stride);
    }
    out
}

/// One element of every lane, widened to a register.
#[inline(always)]
fn gather<E: Element, W: Word>(
    place: &Place,
    lanes: LaneMask,
    skip: usize,
    widen: impl Fn(E) -> W,
) -> [W; 32] {
    let mut out = [W::default(); 32];
    if lanes == LaneMask::ALL {
        let first = place.offsets[0];
        let (mut stepped, mut same) = (true, true);
        for i in 0..32 {
            stepped &= place.offsets[i] == first.wrapping_add(i * E::BYTES);
            same &= place.offsets[i] == first;
        }
        if same {
            let at = first + skip;
            return [widen(E::read(&place.bytes[at..at + E::BYTES])); 32];
        }
        if stepped && skip == 0 {
            let all = &place.bytes[first..first + 32 * E::BYTES];
            for (out, bytes) in out.iter_mut().zip(all.chunks_exact(E::BYTES)) {
                *out = widen(E::read(bytes));
            }
            return out;
        }
        for i in 0..32 {
            let at = place.offsets[i] + skip;
            out[i] = widen(E::read(&place.bytes[at..at + E::BYTES]));
        }
        return out;
    }
    for lane in lanes.lanes() {
        let at = place.offsets[lane] + skip;
        out[lane] = widen(E::read(&place.bytes[at..at + E::BYTES]));
    }
    out
}

/// The most bytes a lane loads at once.
const MOST_BYTES: usize = 32;

/// Copies what the lanes load, with what is pending put over it.
fn patched<'a>(
    place: Place,
    pending: &Pending,
    lanes: LaneMask,
    bytes: usize,
    copy: &'a mut [u8; 32 * MOST_BYTES],
) -> Place<'a> {
    let mut offsets = [0; 32];
    for lane in lanes.lanes() {
        let (from, to) = (place.offsets[lane], lane * MOST_BYTES);
        let own = &mut copy[to..to + bytes];
        own.copy_from_slice(&place.bytes[from..from + bytes]);
        pending.patch(from, own);
        offsets[lane] = to;
    }
    Place { bytes: copy, offsets }
}

wide! {
    /// Executes a load in the lanes of `l`.
    pub fn load(
        l: &mut Lanes,
        load: &Load,
        memories: &Memories,
        addresses: &[u64; 32],
    ) -> Result<(), Refusal> {
        let element = load.ty.bytes();
        let bytes = element * u32::from(load.count);
        let (space, mut left) = (load.address.space, l.mask);
        while let Some((region, inside)) =
            memories.next_region(space, addresses, bytes, &mut left)?
        {
            let mut place =
                Place { bytes: memories.bytes(region), offsets: offsets(region, addresses) };
            l.mask = inside;
            let mut copy;
            if let Some(pending) = memories.pending(region) {
                if pending.is_busy(&place.offsets, inside, bytes as usize) {
                    return Err(Refusal::Busy);
                }
                if pending.touches(&place.offsets, inside, bytes as usize) {
                    copy = [0; 32 * MOST_BYTES];
                    place = patched(place, pending, inside, bytes as usize, &mut copy);
                }
            }
            for n in 0..usize::from(load.count) {
                load_element(l, load.ty, load.d[n], &place, n * element as usize);
            }
        }
        Ok(())
    }
}

#[inline(always)]
fn load_element(l: &mut Lanes, ty: Type, d: Reg, place: &Place, skip: usize) {
    let lanes = l.mask;
    if d.class() == Class::Long {
        let row: [u64; 32] = match ty {
            Type::S8 => gather(place, lanes, skip, |e: i8| e as u64),
            Type::U8 | Type::B8 => gather(place, lanes, skip, |e: u8| u64::from(e)),
            Type::S16 => gather(place, lanes, skip, |e: i16| e as u64),
            Type::U16 | Type::B16 | Type::F16 => gather(place, lanes, skip, |e: u16| u64::from(e)),
            Type::S32 => gather(place, lanes, skip, |e: i32| e as u64),
            Type::U32 | Type::B32 | Type::F32 => gather(place, lanes, skip, |e: u32| u64::from(e)),
            _ => gather(place, lanes, skip, |e: u64| e),
        };
        return l.write(d, &row);
    }
    let row: [u32; 32] = match ty {
        Type::S8 => gather(place, lanes, skip, |e: i8| e as u32),
        Type::U8 | Type::B8 => gather(place, lanes, skip, |e: u8| u32::from(e)),
        Type::S16 => gather(place, lanes, skip, |e: i16| e as u32),
        Type::U16 | Type::B16 | Type::F16 => gather(place, lanes, skip, |e: u16| u32::from(e)),
        _ => gather(place, lanes, skip, |e: u32| e),
    };
    l.write(d, &row);
}

wide! {
    /// Executes a store in the lanes of `l`; where lanes collide the highest wins.
    pub fn store(
        l: &Lanes,
        store: &Store,
        memories: &mut Memories,
        addresses: &[u64; 32],
    ) -> Result<(), Refusal> {
        let element = store.ty.bytes() as usize;
        let bytes = store.ty.bytes() * u32::from(store.count);
        let (space, mut left) = (store.address.space, l.mask);
        while let Some((region, inside)) =
            memories.next_region(space, addresses, bytes, &mut left)?
        {
            let offsets = offsets(region, addresses);
            if let Some(pending) = memories.pending_mut(region) {
                if pending.is_busy(&offsets, inside, bytes as usize) {
                    return Err(Refusal::Busy);
                }
                keep(l, store, pending, &offsets, inside);
                continue;
            }
            let Some(memory) = memories.bytes_mut(region) else {
                let lane = inside.lowest().unwrap_or(0);
                let bad = BadAddress::new(space, addresses, lane, bytes, BadReason::ReadOnly);
                return Err(bad.into());
            };
            for n in 0..usize::from(store.count) {
                let (source, skip) = (store.a[n], n * element);
                if source.class() == Class::Long {
                    let row = l.row::<u64>(source);
                    scatter(memory, &offsets, inside, skip, element, |i| row[i].to_le_bytes());
                } else {
                    let row = l.row::<u32>(source);
                    scatter(memory, &offsets, inside, skip, element, |i| row[i].to_le_bytes());
                }
            }
        }
        Ok(())
    }
}

/// Keeps a store until the machine applies it.
#[inline(always)]
fn keep(l: &Lanes, store: &Store, pending: &mut Pending, offsets: &[usize; 32], lanes: LaneMask) {
    let element = store.ty.bytes() as usize;
    for n in 0..usize::from(store.count) {
        let source = store.a[n];
        for lane in lanes.lanes() {
            let value = match source.class() {
                Class::Long => l.row::<u64>(source)[lane],
                _ => u64::from(l.row::<u32>(source)[lane]),
            };
            pending.write(offsets[lane] + n * element, &value.to_le_bytes()[..element]);
        }
    }
}

#[inline(always)]
fn scatter<const N: usize>(
    memory: &mut [u8],
    offsets: &[usize; 32],
    lanes: LaneMask,
    skip: usize,
    element: usize,
    value: impl Fn(usize) -> [u8; N],
) {
    // A constant length lets each store be one instruction.
    if element == N {
        for lane in lanes.lanes() {
            let at = offsets[lane] + skip;
            memory[at..at + N].copy_from_slice(&value(lane));
        }
        return;
    }
    for lane in lanes.lanes() {
        let at = offsets[lane] + skip;
        memory[at..at + element].copy_from_slice(&value(lane)[..element]);
    }
}
