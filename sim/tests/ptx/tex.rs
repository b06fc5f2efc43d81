//! Texture fetches: dimensions, filters, addressing, types, references and handles.

use std::sync::Arc;

use lanewise_sim::exec::{
    run, Addressing, ChannelType, Filter, GlobalMemory, Launch, Texture, SAMPLER_HANDLE,
    TEXTURE_HANDLE,
};

use super::harness::{load, HEADER};

fn texture(width: u32, height: u32, channel: ChannelType, channels: u32) -> Texture {
    Texture {
        address: 0,
        width,
        height,
        channel,
        channels,
        filter: Filter::Nearest,
        addressing: Addressing::Clamp,
        normalized: false,
        read_as_float: false,
    }
}

/// Fetches once with constant coordinates; returns the four channels.
fn fetch(tex: &str, coordinates: &str, mut view: Texture, texels: &[u8]) -> [u32; 4] {
    let text = format!(
        "{HEADER}.global .texref image;
         .visible .entry k(.param .u64 p, .param .u64 t, .param .u64 s) {{
           .reg .b32 %r<4>; .reg .b64 %rd<4>;
           ld.param.u64 %rd1, [p]; ld.param.u64 %rd2, [t]; ld.param.u64 %rd3, [s];
           {tex} {{%r0, %r1, %r2, %r3}}, {coordinates};
           st.global.v4.u32 [%rd1], {{%r0, %r1, %r2, %r3}}; ret; }}"
    );
    let module = load(&text);
    let mut memory = GlobalMemory::new(&[]);
    let out = memory.allocate("out", 16);
    view.address = memory.allocate("texels", texels.len() as u64);
    memory.slice_mut(view.address, texels.len() as u64).unwrap().copy_from_slice(texels);
    let mut launch = Launch::new(&Arc::clone(&module), "k", [1, 1, 1], [1, 1, 1]).unwrap();
    launch.set_param(0, &out.to_le_bytes()).unwrap();
    launch.set_param(1, &TEXTURE_HANDLE.to_le_bytes()).unwrap();
    launch.set_param(2, &SAMPLER_HANDLE.to_le_bytes()).unwrap();
    launch.textures.push(view);
    launch.references[0] = Some(0);
    run(&launch, &mut memory, 100).unwrap_or_else(|e| panic!("{e}"));
    let bytes = memory.slice(out, 16).unwrap();
    std::array::from_fn(|n| u32::from_le_bytes(bytes[4 * n..4 * n + 4].try_into().unwrap()))
}

fn floats(values: &[f32]) -> Vec<u8> {
    values.iter().flat_map(|v| v.to_le_bytes()).collect()
}

fn bits(values: [f32; 4]) -> [u32; 4] {
    values.map(f32::to_bits)
}

#[test]
fn integer_coordinates_name_texels_and_clamp() {
    let data = floats(&[1.0, 2.0, 3.0, 4.0, 5.0, 6.0]);
    let one = texture(6, 1, ChannelType::F32, 1);
    let at = |x: i32| fetch("tex.1d.v4.f32.s32", &format!("[image, {{{x}}}]"), one.clone(), &data);
    assert_eq!(at(2), bits([3.0, 0.0, 0.0, 1.0]));
    assert_eq!((at(-5)[0], at(99)[0]), (1f32.to_bits(), 6f32.to_bits()));
    let two = texture(3, 2, ChannelType::F32, 1);
    let got = fetch("tex.2d.v4.f32.s32", "[%rd2, {1, 1}]", two, &data);
    assert_eq!(got[0], 5f32.to_bits());
}

#[test]
fn float_coordinates_nearest_and_linear() {
    let data = floats(&[0.0, 10.0, 20.0, 30.0]);
    let mut view = texture(4, 1, ChannelType::F32, 1);
    let at = |view: &Texture, x: &str| {
        f32::from_bits(
            fetch("tex.1d.v4.f32.f32", &format!("[image, {{{x}}}]"), view.clone(), &data)[0],
        )
    };
    assert_eq!((at(&view, "1.9"), at(&view, "-3.0"), at(&view, "8.0")), (10.0, 0.0, 30.0));
    view.filter = Filter::Linear;
    assert_eq!((at(&view, "1.0"), at(&view, "1.5"), at(&view, "2.25")), (5.0, 10.0, 17.5));
    assert_eq!((at(&view, "0.0"), at(&view, "4.0")), (0.0, 30.0));
    let mut square = texture(2, 2, ChannelType::F32, 1);
    square.filter = Filter::Linear;
    let got = fetch("tex.2d.v4.f32.f32", "[%rd2, %rd3, {1.0, 1.0}]", square, &data);
    assert_eq!(f32::from_bits(got[0]), 15.0);
}

#[test]
fn normalised_coordinates_wrap() {
    let data = floats(&[0.0, 10.0, 20.0, 30.0]);
    let mut view = texture(4, 1, ChannelType::F32, 1);
    (view.normalized, view.addressing) = (true, Addressing::Wrap);
    let at = |view: &Texture, x: &str| {
        f32::from_bits(
            fetch("tex.1d.v4.f32.f32", &format!("[image, {{{x}}}]"), view.clone(), &data)[0],
        )
    };
    assert_eq!((at(&view, "0.3"), at(&view, "1.3"), at(&view, "-0.25")), (10.0, 10.0, 30.0));
    view.filter = Filter::Linear;
    assert_eq!(at(&view, "0.0"), 15.0, "the first texel mixes with the last");
    view.addressing = Addressing::Clamp;
    assert_eq!(at(&view, "1.5"), 30.0);
}

#[test]
fn integer_texels_channels_and_reading_as_float() {
    let bytes = [1u8, 0xff, 3, 4, 5, 6, 7, 0x80];
    let got = fetch("tex.1d.v4.u32.s32", "[image, {1}]", texture(2, 1, ChannelType::U8, 4), &bytes);
    assert_eq!(got, [5, 6, 7, 0x80]);
    let got = fetch("tex.1d.v4.s32.s32", "[image, {0}]", texture(4, 1, ChannelType::S8, 2), &bytes);
    assert_eq!(got, [1, u32::MAX, 0, 1]);
    let got =
        fetch("tex.1d.v4.s32.s32", "[image, {3}]", texture(4, 1, ChannelType::S16, 1), &bytes);
    assert_eq!(got[0], 0xffff_8007);
    let mut view = texture(8, 1, ChannelType::U8, 1);
    view.read_as_float = true;
    let got = fetch("tex.1d.v4.f32.s32", "[image, {1}]", view, &bytes);
    assert_eq!(f32::from_bits(got[0]), 1.0);
    let got =
        fetch("tex.1d.v4.u32.s32", "[image, {1}]", texture(2, 1, ChannelType::U32, 1), &bytes);
    assert_eq!(got, [0x8007_0605, 0, 0, 1]);
}
