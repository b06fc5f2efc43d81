//! The instructions random programs are made of: opcode, class of the result, classes of the sources.

/// A register file: 16, 32 or 64 bits, or predicates.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Class {
    Half,
    Word,
    Long,
    Pred,
}

/// One form of one opcode.
#[derive(Debug, Clone)]
pub struct Template {
    pub opcode: String,
    pub result: Class,
    pub sources: Vec<Class>,
}

use Class::{Half, Long, Pred, Word};

fn width(ty: &str) -> Class {
    match &ty[1..] {
        "16" => Half,
        "32" => Word,
        _ => Long,
    }
}

/// Every form.
pub fn catalogue() -> Vec<Template> {
    let mut all = Vec::new();
    let mut add = |opcode: String, result: Class, sources: &[Class]| {
        all.push(Template { opcode, result, sources: sources.to_vec() });
    };
    for ty in ["u16", "s16", "u32", "s32", "u64", "s64"] {
        let w = width(ty);
        for op in ["add", "sub", "mul.lo", "mul.hi", "div", "rem", "min", "max"] {
            add(format!("{op}.{ty}"), w, &[w, w]);
        }
        for op in ["mad.lo", "mad.hi", "sad"] {
            add(format!("{op}.{ty}"), w, &[w, w, w]);
        }
        add(format!("shr.{ty}"), w, &[w, Word]);
        for relation in ["eq", "ne", "lt", "le", "gt", "ge"] {
            add(format!("setp.{relation}.{ty}"), Pred, &[w, w]);
            add(format!("setp.{relation}.xor.{ty}"), Pred, &[w, w, Pred]);
            add(format!("set.{relation}.u32.{ty}"), Word, &[w, w]);
        }
    }
    for ty in ["s16", "s32", "s64"] {
        let w = width(ty);
        add(format!("neg.{ty}"), w, &[w]);
        add(format!("abs.{ty}"), w, &[w]);
    }
    for ty in ["b16", "b32", "b64"] {
        let w = width(ty);
        for op in ["and", "or", "xor"] {
            add(format!("{op}.{ty}"), w, &[w, w]);
        }
        add(format!("not.{ty}"), w, &[w]);
        add(format!("cnot.{ty}"), w, &[w]);
        add(format!("shl.{ty}"), w, &[w, Word]);
        add(format!("selp.{ty}"), w, &[w, w, Pred]);
        add(format!("slct.{ty}.s32"), w, &[w, w, Word]);
        add(format!("mov.{ty}"), w, &[w]);
    }
    for (ty, result) in [("u16", Word), ("s16", Word), ("u32", Long), ("s32", Long)] {
        add(format!("mul.wide.{ty}"), result, &[width(ty); 2]);
        add(format!("mad.wide.{ty}"), result, &[width(ty), width(ty), result]);
    }
    for ty in ["u32", "s32", "u64", "s64"] {
        let w = width(ty);
        for op in ["add.cc", "addc", "addc.cc", "sub.cc", "subc", "subc.cc"] {
            add(format!("{op}.{ty}"), w, &[w, w]);
        }
        for op in ["mad.lo.cc", "madc.lo", "madc.hi.cc", "mad.hi.cc"] {
            add(format!("{op}.{ty}"), w, &[w, w, w]);
        }
        add(format!("bfe.{ty}"), w, &[w, Word, Word]);
        add(format!("bfind.{ty}"), Word, &[w]);
        add(format!("bfind.shiftamt.{ty}"), Word, &[w]);
    }
    for ty in ["b32", "b64"] {
        let w = width(ty);
        add(format!("popc.{ty}"), Word, &[w]);
        add(format!("clz.{ty}"), Word, &[w]);
        add(format!("brev.{ty}"), w, &[w]);
        add(format!("bfi.{ty}"), w, &[w, w, Word, Word]);
    }
    add("add.sat.s32".into(), Word, &[Word; 2]);
    add("sub.sat.s32".into(), Word, &[Word; 2]);
    add("mad.hi.sat.s32".into(), Word, &[Word; 3]);
    add("prmt.b32".into(), Word, &[Word; 3]);
    add("lop3.b32".into(), Word, &[Word; 3]);
    for op in ["shf.l.wrap", "shf.r.wrap", "shf.l.clamp", "shf.r.clamp"] {
        add(format!("{op}.b32"), Word, &[Word; 3]);
    }
    for op in ["and", "or", "xor"] {
        add(format!("{op}.pred"), Pred, &[Pred; 2]);
    }
    add("not.pred".into(), Pred, &[Pred]);
    add("mov.pred".into(), Pred, &[Pred]);
    floats(&mut add);
    conversions(&mut add);
    all
}

fn floats(add: &mut impl FnMut(String, Class, &[Class])) {
    for round in ["rn", "rz", "rm", "rp"] {
        for tail in ["f32", "ftz.f32", "sat.f32", "ftz.sat.f32"] {
            for op in ["add", "sub", "mul"] {
                add(format!("{op}.{round}.{tail}"), Word, &[Word; 2]);
            }
            add(format!("fma.{round}.{tail}"), Word, &[Word; 3]);
        }
        for tail in ["f32", "ftz.f32"] {
            add(format!("div.{round}.{tail}"), Word, &[Word; 2]);
            add(format!("sqrt.{round}.{tail}"), Word, &[Word]);
            add(format!("rcp.{round}.{tail}"), Word, &[Word]);
        }
    }
    for op in ["add.rn", "sub.rn", "mul.rn", "div.rn", "min", "max", "copysign"] {
        add(format!("{op}.f64"), Long, &[Long; 2]);
    }
    add("fma.rn.f64".into(), Long, &[Long; 3]);
    add("sqrt.rn.f64".into(), Long, &[Long]);
    for op in ["min", "max", "min.ftz", "max.ftz", "min.NaN", "copysign"] {
        add(format!("{op}.f32"), Word, &[Word; 2]);
    }
    for (ty, w) in [("f32", Word), ("ftz.f32", Word), ("f64", Long)] {
        add(format!("neg.{ty}"), w, &[w]);
        add(format!("abs.{ty}"), w, &[w]);
    }
    add("slct.b32.f32".into(), Word, &[Word; 3]);
    for test in ["finite", "infinite", "number", "notanumber", "normal", "subnormal"] {
        add(format!("testp.{test}.f32"), Pred, &[Word]);
    }
    for relation in
        ["eq", "ne", "lt", "le", "gt", "ge", "equ", "neu", "ltu", "leu", "gtu", "geu", "num", "nan"]
    {
        add(format!("setp.{relation}.f32"), Pred, &[Word; 2]);
        add(format!("setp.{relation}.f64"), Pred, &[Long; 2]);
    }
}

fn conversions(add: &mut impl FnMut(String, Class, &[Class])) {
    let ints = ["u16", "s16", "u32", "s32", "u64", "s64"];
    for to in ints {
        for from in ints {
            for sat in ["", "sat."] {
                add(format!("cvt.{sat}{to}.{from}"), width(to), &[width(from)]);
            }
        }
        for round in ["rni", "rzi", "rmi", "rpi"] {
            add(format!("cvt.{round}.{to}.f32"), width(to), &[Word]);
            add(format!("cvt.{round}.{to}.f64"), width(to), &[Long]);
        }
        for round in ["rn", "rz", "rm", "rp"] {
            add(format!("cvt.{round}.f32.{to}"), Word, &[width(to)]);
        }
        add(format!("cvt.rn.f64.{to}"), Long, &[width(to)]);
    }
    for round in ["rn", "rz", "rm", "rp"] {
        add(format!("cvt.{round}.f32.f64"), Word, &[Long]);
    }
    add("cvt.f64.f32".into(), Long, &[Word]);
    add("cvt.sat.f32.f32".into(), Word, &[Word]);
    for round in ["rni", "rzi", "rmi", "rpi"] {
        add(format!("cvt.{round}.f32.f32"), Word, &[Word]);
    }
}
