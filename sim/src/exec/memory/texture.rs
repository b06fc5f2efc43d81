//! Texture fetches: nearest and linear, clamp and wrap, integers and floats, as views of global memory.

use super::{BadAddress, BadReason, GlobalMemory};
use crate::exec::regs::Lanes;
use crate::ptx::ir::{Tex, TexSource};
use crate::ptx::{Space, Type};

/// Handle of texture 0; texture n is this plus n.
pub const TEXTURE_HANDLE: u64 = 0x7e78_0000_0000_0000;
/// Handle of the sampler of texture 0.
pub const SAMPLER_HANDLE: u64 = 0x7e5a_0000_0000_0000;

/// Type of a texel's channel in memory.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[allow(missing_docs)]
pub enum ChannelType {
    U8,
    S8,
    U16,
    S16,
    U32,
    S32,
    F32,
}

impl ChannelType {
    /// Bytes of a channel.
    pub fn bytes(self) -> u64 {
        match self {
            ChannelType::U8 | ChannelType::S8 => 1,
            ChannelType::U16 | ChannelType::S16 => 2,
            _ => 4,
        }
    }
}

/// What happens between texels.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Filter {
    /// The texel the coordinate falls in.
    Nearest,
    /// Interpolation with 8-bit weights, as the hardware has.
    Linear,
}

/// What happens outside.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Addressing {
    /// The border texel.
    Clamp,
    /// The texture repeats.
    Wrap,
}

/// A view of global memory as texels.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Texture {
    /// Address of the first texel; rows follow each other without padding.
    pub address: u64,
    /// Texels in x.
    pub width: u32,
    /// Texels in y; 1 for one dimension.
    pub height: u32,
    /// Type of a channel.
    pub channel: ChannelType,
    /// 1, 2 or 4; missing channels read as 0, 0 and 1.
    pub channels: u32,
    /// Between texels.
    pub filter: Filter,
    /// Outside.
    pub addressing: Addressing,
    /// Coordinates are in [0, 1) rather than texels.
    pub normalized: bool,
    /// 8- and 16-bit integers read as floats in [0, 1] or [-1, 1].
    pub read_as_float: bool,
}

/// A texel or a mix of some, before it is given the type of the destination.
#[derive(Clone, Copy)]
enum Texel {
    Float([f32; 4]),
    Int([u32; 4]),
}

impl Texture {
    fn texel_address(&self, x: u32, y: u32) -> u64 {
        let texel = self.channel.bytes() * u64::from(self.channels);
        self.address + (u64::from(y) * u64::from(self.width) + u64::from(x)) * texel
    }

    fn read(&self, memory: &GlobalMemory, x: u32, y: u32) -> Option<Texel> {
        let size = self.channel.bytes();
        let bytes = memory.slice(self.texel_address(x, y), size * u64::from(self.channels))?;
        let mut raw = [0u32; 4];
        for (raw, bytes) in raw.iter_mut().zip(bytes.chunks_exact(size as usize)) {
            let mut word = [0; 4];
            word[..bytes.len()].copy_from_slice(bytes);
            let word = u32::from_le_bytes(word);
            *raw = match self.channel {
                ChannelType::S8 => word as i8 as u32,
                ChannelType::S16 => word as i16 as u32,
                _ => word,
            };
        }
        let unit = |raw: u32| match self.channel {
            ChannelType::U8 => raw as f32 / 255.0,
            ChannelType::U16 => raw as f32 / 65535.0,
            ChannelType::S8 => (raw as i32 as f32 / 127.0).max(-1.0),
            ChannelType::S16 => (raw as i32 as f32 / 32767.0).max(-1.0),
            _ => f32::from_bits(raw),
        };
        let float = self.channel == ChannelType::F32 || self.read_as_float;
        let missing = |n: usize| n >= self.channels as usize;
        Some(match float {
            true => Texel::Float(std::array::from_fn(|n| match (missing(n), n) {
                (true, 3) => 1.0,
                (true, _) => 0.0,
                _ => unit(raw[n]),
            })),
            false => Texel::Int(std::array::from_fn(|n| match (missing(n), n) {
                (true, 3) => 1,
                (true, _) => 0,
                _ => raw[n],
            })),
        })
    }

    /// The texel index a position falls on.
    fn index(position: i64, size: u32, addressing: Addressing) -> u32 {
        let size = size.max(1);
        match addressing {
            Addressing::Clamp => position.clamp(0, i64::from(size) - 1) as u32,
            Addressing::Wrap => position.rem_euclid(i64::from(size)) as u32,
        }
    }

    /// A coordinate in texels; wrapping keeps only the fraction of a normalised one.
    fn scale(coordinate: f32, size: u32, sampler: &Texture) -> f32 {
        if !sampler.normalized {
            return coordinate;
        }
        match sampler.addressing {
            Addressing::Clamp => coordinate * size as f32,
            Addressing::Wrap => (coordinate - coordinate.floor()) * size as f32,
        }
    }

    fn sample(
        &self,
        memory: &GlobalMemory,
        sampler: &Texture,
        position: [f32; 2],
        dimensions: u8,
    ) -> Option<Texel> {
        let [x, y] = [
            Texture::scale(position[0], self.width, sampler),
            Texture::scale(position[1], self.height, sampler),
        ];
        let at = |x: i64, y: i64| {
            let x = Texture::index(x, self.width, sampler.addressing);
            let y = Texture::index(y, self.height, sampler.addressing);
            self.read(memory, x, if dimensions == 1 { 0 } else { y })
        };
        if sampler.filter == Filter::Nearest {
            return at(x.floor() as i64, y.floor() as i64);
        }
        let (x, y) = (x - 0.5, y - 0.5);
        let weight = |v: f32| ((v - v.floor()) * 256.0 + 0.5).floor() / 256.0;
        let (column, row) = (x.floor() as i64, y.floor() as i64);
        let below = mix(at(column, row)?, at(column + 1, row)?, weight(x));
        if dimensions == 1 {
            return Some(below);
        }
        let above = mix(at(column, row + 1)?, at(column + 1, row + 1)?, weight(x));
        Some(mix(below, above, weight(y)))
    }
}

fn mix(a: Texel, b: Texel, weight: f32) -> Texel {
    match (a, b) {
        (Texel::Float(a), Texel::Float(b)) => {
            Texel::Float(std::array::from_fn(|n| (1.0 - weight) * a[n] + weight * b[n]))
        }
        // Integers are not filtered; jobs refuse the combination.
        _ => a,
    }
}

/// Textures and samplers as one launch sees them.
#[derive(Clone, Copy)]
pub struct Bindings<'a> {
    /// All textures; handles count from here.
    pub textures: &'a [Texture],
    /// Texture of each module-level reference.
    pub references: &'a [Option<u32>],
}

impl<'a> Bindings<'a> {
    fn get(&self, l: &Lanes, source: TexSource, base: u64, lane: usize) -> Option<&'a Texture> {
        let at = match source {
            TexSource::Reference(at) => u64::from((*self.references.get(at as usize)?)?),
            TexSource::Handle(reg) => l.get::<u64>(reg, lane).checked_sub(base)?,
        };
        self.textures.get(usize::try_from(at).ok()?)
    }
}

/// Executes a fetch in the lanes of `l`; `addresses` receives the texel nearest to each coordinate.
pub fn fetch(
    l: &mut Lanes,
    tex: &Tex,
    bindings: Bindings,
    memory: &GlobalMemory,
    addresses: &mut [u64; 32],
) -> Result<u32, BadAddress> {
    let mut out = [[0u32; 32]; 4];
    let mut texel_bytes = 4;
    for lane in l.mask.lanes() {
        let bad =
            |address, reason| BadAddress { lane, address, space: Space::Global, bytes: 4, reason };
        let texture = bindings.get(l, tex.texture, TEXTURE_HANDLE, lane);
        let texture = texture.ok_or(bad(0, BadReason::NotATexture))?;
        let sampler = match tex.sampler {
            Some(source) => bindings
                .get(l, source, SAMPLER_HANDLE, lane)
                .ok_or(bad(0, BadReason::NotATexture))?,
            None => texture,
        };
        let [x, y] = tex.coordinates;
        let (integer, position) = match tex.coordinate_ty {
            Type::F32 => (None, [l.get::<f32>(x, lane), l.get::<f32>(y, lane)]),
            _ => (Some([l.get::<i32>(x, lane), l.get::<i32>(y, lane)]), [0.0; 2]),
        };
        let nearest = match integer {
            Some(texel) => texel.map(i64::from),
            None => [
                Texture::scale(position[0], texture.width, sampler).floor() as i64,
                Texture::scale(position[1], texture.height, sampler).floor() as i64,
            ],
        };
        let column = Texture::index(nearest[0], texture.width, sampler.addressing);
        let row = match tex.dimensions {
            1 => 0,
            _ => Texture::index(nearest[1], texture.height, sampler.addressing),
        };
        addresses[lane] = texture.texel_address(column, row);
        texel_bytes = (texture.channel.bytes() * u64::from(texture.channels)) as u32;
        let texel = match integer {
            // Integer coordinates name a texel: no filter, no scaling.
            Some(_) => texture.read(memory, column, row),
            None => texture.sample(memory, sampler, position, tex.dimensions),
        };
        let texel = texel.ok_or(bad(addresses[lane], BadReason::OutOfRange))?;
        for n in 0..4 {
            out[n][lane] = match texel {
                Texel::Float(v) => v[n].to_bits(),
                Texel::Int(v) => v[n],
            };
        }
    }
    for n in 0..4 {
        l.write(tex.d[n], &out[n]);
    }
    Ok(texel_bytes)
}
