//! Jobs: every kind of step, buffer and expectation, and the mistakes people make.

use std::path::Path;

use lanewise_sim::job::{Job, JobError, LoadOptions, Outcome, RunOptions};

use super::harness::HEADER;

/// `add1` adds a scalar to n elements; `drain` counts a flag down; `tile` reverses a block through `__local` memory.
fn ptx() -> String {
    format!(
        "{HEADER}.global .texref look;
         .visible .entry add1(.param .u64 a, .param .u32 n, .param .u32 k) {{
           .reg .b32 %r<6>; .reg .b64 %rd1; .reg .pred %p1;
           mov.u32 %r1, %ctaid.x; mov.u32 %r2, %ntid.x; mov.u32 %r3, %tid.x; mad.lo.u32 %r1, %r1, %r2, %r3;
           ld.param.u32 %r4, [n]; setp.ge.u32 %p1, %r1, %r4; @%p1 ret;
           ld.param.u64 %rd1, [a]; mad.wide.u32 %rd1, %r1, 4, %rd1; ld.param.u32 %r5, [k];
           ld.global.u32 %r1, [%rd1]; add.u32 %r1, %r1, %r5; st.global.u32 [%rd1], %r1; ret; }}
         .visible .entry drain(.param .u64 flag) {{
           .reg .b32 %r1; .reg .b64 %rd1; .reg .pred %p1;
           ld.param.u64 %rd1, [flag]; ld.global.u32 %r1, [%rd1]; setp.eq.u32 %p1, %r1, 0; @%p1 ret;
           sub.u32 %r1, %r1, 1; st.global.u32 [%rd1], %r1; ret; }}
         .visible .entry tile(.param .u64 a, .param .u64 .ptr .shared .align 4 s) {{
           .reg .b32 %r<4>; .reg .b64 %rd<5>;
           ld.param.u64 %rd1, [a]; ld.param.u64 %rd2, [s]; mov.u32 %r1, %tid.x;
           mad.wide.u32 %rd3, %r1, 4, %rd1; mad.wide.u32 %rd4, %r1, 4, %rd2;
           ld.global.u32 %r2, [%rd3]; st.shared.u32 [%rd4], %r2; bar.sync 0;
           mov.u32 %r3, %ntid.x; sub.u32 %r3, %r3, 1; sub.u32 %r3, %r3, %r1;
           mad.wide.u32 %rd4, %r3, 4, %rd2; ld.shared.u32 %r2, [%rd4]; st.global.u32 [%rd3], %r2; ret; }}
         .visible .entry texel(.param .u64 a, .param .u64 t) {{
           .reg .f32 %f<8>; .reg .b64 %rd<3>; ld.param.u64 %rd1, [a]; ld.param.u64 %rd2, [t];
           tex.1d.v4.f32.s32 {{%f0, %f1, %f2, %f3}}, [look, {{1}}];
           tex.1d.v4.f32.s32 {{%f4, %f5, %f6, %f7}}, [%rd2, {{2}}];
           add.f32 %f0, %f0, %f4; st.global.f32 [%rd1], %f0; ret; }}"
    )
}

fn load(job: &str) -> Result<Job, JobError> {
    Job::from_text(
        &format!("ptx = \"t.ptx\"\n{job}"),
        &ptx(),
        Path::new("."),
        &LoadOptions::default(),
    )
}

#[track_caller]
fn run(job: &str) -> Outcome {
    let job = load(job).unwrap_or_else(|e| panic!("{e}"));
    job.run(&RunOptions::default()).unwrap_or_else(|e| panic!("{e}"))
}

#[track_caller]
fn u32s(outcome: &Outcome, name: &str) -> Vec<u32> {
    let bytes = outcome.buffer(name).unwrap();
    bytes.chunks_exact(4).map(|c| u32::from_le_bytes(c.try_into().unwrap())).collect()
}

#[test]
fn steps_of_every_kind() {
    let outcome = run(r#"
        [let]
        n = 40
        [buffers.a]
        type = "u32"
        len = "n"
        ramp = { start = 0, step = 3, modulo = 7 }
        [buffers.b]
        type = "u32"
        len = "n"
        fill = 5
        [buffers.flag]
        type = "u32"
        values = [3]
        [[steps]]
        repeat = 3
        index = "i"
          [[steps.steps]]
          kernel = "add1"
          grid = "ceil_div(n, 32)"
          block = [32]
          args = [{ buffer = "a" }, { u32 = "n - 1" }, { u32 = "i * 10" }]
          [[steps.steps]]
          swap = ["a", "b"]
        [[steps]]
        until_zero = "flag"
        max_iterations = 3
          [[steps.steps]]
          kernel = "drain"
          grid = 1
          block = 1
          args = [{ buffer = "flag" }]
          [[steps.steps]]
          kernel = "add1"
          grid = 1
          block = 1
          args = [{ buffer = "a", offset = "n - 1" }, { u32 = 1 }, { u32 = 1000 }]
        [[steps]]
        set = { buffer = "b", index = 2, value = "n" }
    "#);
    let ramp = |i: u32| i * 3 % 7;
    // Swapped three times: `b` is the ramp, with additions 0 and 20; `a` got 10.
    let (a, b) = (u32s(&outcome, "a"), u32s(&outcome, "b"));
    assert_eq!((a[0], a[38], a[39]), (15, 15, 3005));
    assert_eq!((b[1], b[2], b[39]), (ramp(1) + 20, 40, ramp(39)));
    assert_eq!(u32s(&outcome, "flag"), [0]);
    let record = &outcome.record.kernels;
    assert_eq!((record[0].kernel.as_str(), record[0].launches, record[1].launches), ("add1", 6, 3));
}

#[test]
fn local_bytes_give_shared_memory() {
    let outcome = run(r#"
        [buffers.a]
        type = "u32"
        len = 64
        ramp = { start = 0, step = 1 }
        [[steps]]
        kernel = "tile"
        grid = 1
        block = 64
        args = [{ buffer = "a" }, { local_bytes = "4 * 64" }]
    "#);
    assert_eq!(u32s(&outcome, "a"), (0..64).rev().collect::<Vec<_>>());
}

#[test]
fn textures_are_bound_by_name_and_by_argument() {
    let outcome = run(r#"
        [buffers.a]
        type = "f32"
        len = 4
        ramp = { start = 1.5, step = 1.0 }
        [buffers.out]
        type = "f32"
        len = 1
        [textures.other]
        buffer = "a"
        width = 4
        [textures.bound]
        symbol = "look"
        buffer = "a"
        width = 4
        [[steps]]
        kernel = "texel"
        grid = 1
        block = 1
        args = [{ buffer = "out" }, { texture = "other" }]
    "#);
    assert_eq!(outcome.buffer("out").unwrap(), 6f32.to_le_bytes());
}

#[test]
fn expectations_report_the_first_difference() {
    let job = |extra: &str| {
        format!(
            "[buffers.a]\ntype = \"u32\"\nvalues = [1, 2, 3, 4]\n[buffers.b]\ntype = \"u32\"\n\
             values = [1, 5, 3, 9]\n[[steps]]\nrepeat = 0\nsteps = []\n[[expect]]\nbuffer = \"a\"\n\
             equals = \"b\"\n{extra}"
        )
    };
    let outcome = run(&job(""));
    assert!(!outcome.passed() && !outcome.record.passed);
    assert_eq!(
        outcome.failures[0].to_string(),
        "`a` differs from `b`: element 1 is 2, expected 5; 2 of 4 elements differ"
    );
    assert!(run(&job("len = 1")).passed());
    assert!(run(&job("abs = 5")).passed());
    assert_eq!(run(&job("rel = 0.6")).failures.len(), 0);
    assert_eq!(run(&job("type = \"u8\"")).failures[0].compared, 16);
}

#[test]
fn random_buffers_depend_on_seed_and_name_only() {
    let text = "seed = 3\nsteps = []\n[buffers.x]\ntype = \"f32\"\nlen = 1000\nrandom = { min = -1.0, max = 1.0 }\n\
                [buffers.y]\ntype = \"s8\"\nlen = 1000\nrandom = { min = -3, max = 3 }\n";
    let job = load(text).unwrap();
    let again =
        load(&text.replace("[buffers.y]", "[buffers.extra]\ntype = \"u8\"\nlen = 3\n[buffers.y]"))
            .unwrap();
    assert_eq!(job.buffer("y"), again.buffer("y"));
    let bytes = &job.buffer("y").unwrap().bytes;
    assert!(bytes.iter().all(|&b| (-3..=3).contains(&(b as i8))) && bytes.contains(&3));
    let other = load(&text.replace("seed = 3", "seed = 4")).unwrap();
    assert_ne!(job.buffer("x"), other.buffer("x"));
    let floats = job
        .buffer("x")
        .unwrap()
        .bytes
        .chunks_exact(4)
        .map(|c| f32::from_le_bytes(c.try_into().unwrap()));
    let (low, high) = floats.fold((1f32, -1f32), |(l, h), x| (l.min(x), h.max(x)));
    assert!((-1.0..-0.9).contains(&low) && (0.9..1.0).contains(&high));
}

#[test]
fn mistakes_are_explained() {
    let a = "[buffers.a]\ntype = \"u32\"\nlen = 4\n";
    let launch = |args: &str| {
        format!("{a}[[steps]]\nkernel = \"drain\"\ngrid = 1\nblock = 1\nargs = [{args}]\n")
    };
    let cases = [
        (format!("stepz = []\n{a}"), "did you mean `steps`?"),
        (format!("steps = []\n{a}filll = 3\n"), "did you mean `fill`?"),
        (format!("steps = []\n{a}fill = 3\nramp = {{ start = 1, step = 1 }}\n"), "choose one"),
        ("steps = []\n[buffers.a]\ntype = \"u8\"\nlen = 2\nfill = 256\n".into(), "256 does not fit u8"),
        ("steps = []\n[buffers.a]\ntype = \"u8\"\nlen = \"m\"\n".into(), "`m` is not a variable"),
        ("steps = []\n[buffers.a]\ntype = \"u8\"\nlen = -1\n".into(), "-1 elements"),
        ("steps = []\n[buffers.a]\ntype = \"f64\"\nlen = \"1 << 40\"\n".into(), "1 GiB"),
        ("steps = []\n[buffers.a]\ntype = \"u8\"\nfile = \"no-such-file\"\n".into(), "buffers.a.file"),
        (launch("{ buffer = \"b\" }"), "there is no buffer `b`; did you mean `a`?"),
        (launch(""), "`drain` has 1 parameters, `args` has 0"),
        (launch("{ u32 = 1 }"), "has 8 bytes, the argument 4"),
        (launch("{ u32 = 1, u64 = 2 }"), "an argument is one thing, this has 2"),
        (launch("{ u64 = \"q\" }"), "`q` is not a variable"),
        (launch("{ texture = \"x\" }"), "there is no texture `x`"),
        (format!("{a}[[steps]]\nkernel = \"drian\"\ngrid = 1\nblock = 1\n"), "did you mean `drain`?"),
        (format!("{a}[[steps]]\nkernel = \"drain\"\nblock = 1\n"), "`grid` is missing"),
        (format!("{a}[[steps]]\nswap = [\"a\", \"a\"]\nset = {{ buffer = \"a\", value = 1 }}\n"), "two steps"),
        (format!("{a}[[steps]]\nset = {{ buffer = \"a\", value = 1 }}\ngrid = 1\n"), "`grid` does not belong"),
        (format!("{a}[[steps]]\ngrid = 1\n"), "a step needs one of"),
        (format!("{a}[[steps]]\nuntil_zero = \"a\"\nmax_iterations = 2\nsteps = [{{ set = {{ buffer = \"a\", value = 1 }} }}]\n"), "still not zero after 2 iterations"),
        (format!("{a}[[steps]]\nset = {{ buffer = \"a\", index = 4, value = 1 }}\n"), "outside the 4 elements"),
        (format!("steps = []\n{a}[[expect]]\nbuffer = \"a\"\n"), "either `equals` or `file`"),
        (format!("steps = []\n{a}[[outputs]]\nbuffer = \"a\"\nfile = \"../x\"\n"), "plain file name"),
        (format!("steps = []\n{a}[textures.t]\nbuffer = \"a\"\nwidth = 5\n"), "20 bytes of texels, but the buffer has 16"),
        (format!("steps = []\n{a}[textures.t]\nbuffer = \"a\"\nwidth = 4\nfilter = \"linear\"\n"), "cannot be interpolated"),
        ("steps = []\n[sizes.a]\nn = 1\n[sizes.b]\nm = 1\n".into(), "defines other variables"),
        ("steps = []\ndefault_size = \"big\"\n[sizes.bin]\nn = 1\n".into(), "no size `big`; did you mean `bin`?"),
        ("steps = [".into(), "job:2"),
    ];
    for (job, reason) in cases {
        let error = match load(&job) {
            Ok(job) => job.run(&RunOptions::default()).expect_err(reason),
            Err(error) => error,
        };
        assert!(error.to_string().contains(reason), "{job}\n{error}\nmissing: {reason}");
    }
}

#[test]
fn sizes_choose_variables() {
    let text = "ptx = \"t.ptx\"\nsteps = []\n[sizes.default]\nn = 4\n[sizes.tiny]\nn = 1\n[let]\nm = \"n * 3\"\n\
                k = \"m + 1\"\n[buffers.a]\ntype = \"u8\"\nlen = \"k\"\n";
    let size = |name: &str| LoadOptions { size: Some(name.into()), seed: None };
    let job = Job::from_text(text, &ptx(), Path::new("."), &size("tiny")).unwrap();
    assert_eq!((job.variable("k"), job.buffers()[0].len(), job.size()), (Some(4), 4, Some("tiny")));
    let job = Job::from_text(text, &ptx(), Path::new("."), &LoadOptions::default()).unwrap();
    assert_eq!(job.variable("k"), Some(13));
}

#[test]
fn a_runaway_job_is_stopped_and_budgets_span_launches() {
    let text = "[buffers.a]\ntype = \"u32\"\nlen = 1\n[[steps]]\nrepeat = 100\nsteps = [{ kernel = \"drain\", \
                grid = 1, block = 1, args = [{ buffer = \"a\" }] }]\n";
    let error = load(text).unwrap().run(&RunOptions { max_instructions: 50 }).unwrap_err();
    assert!(matches!(error, JobError::Fault(_)), "{error}");
    assert!(error.to_string().contains("instruction limit reached"), "{error}");
}

#[test]
fn records_and_outputs_are_written() {
    let directory = tempfile::tempdir().unwrap();
    let text = "seed = 9\n[buffers.a]\ntype = \"u32\"\nvalues = [7]\n[[steps]]\nkernel = \"drain\"\ngrid = 1\n\
                block = 1\nargs = [{ buffer = \"a\" }]\n[[outputs]]\nbuffer = \"a\"\nfile = \"a.bin\"\n";
    let job = load(text).unwrap();
    let outcome = job.run(&RunOptions::default()).unwrap();
    let out = directory.path().join("made");
    job.write(&outcome, &out).unwrap();
    assert_eq!(std::fs::read(out.join("a.bin")).unwrap(), [6, 0, 0, 0]);
    let record: serde_json::Value =
        serde_json::from_slice(&std::fs::read(out.join("record.json")).unwrap()).unwrap();
    assert_eq!(record["seed"], 9);
    assert_eq!(record["kernels"][0]["warp_instructions"], 7);
    assert_eq!(std::fs::read_dir(&out).unwrap().count(), 2, "no temporary file is left");
}

#[test]
fn the_examples_of_the_documentation_parse() {
    let text = include_str!("../../../docs/jobs.md");
    let examples: Vec<&str> =
        text.split("```toml\n").skip(1).filter_map(|t| t.split("```").next()).collect();
    let whole: Vec<_> = examples.iter().filter(|t| t.starts_with("ptx")).collect();
    assert_eq!(whole.len(), 3);
    for job in whole {
        // The schema and all names but those of the kernels are checked before the kernels are looked up.
        let error =
            Job::from_text(job, &ptx(), Path::new("."), &LoadOptions::default()).unwrap_err();
        assert!(error.to_string().contains("has no kernel"), "{error}");
    }
}
