//! A planted difference is reported once, in full, in the right cycle, with a waveform that reads back.

use super::*;

lanewise_sim::io! {
    /// Input of a toy accumulator.
    pub struct In {
        /// what to add
        step: u8, 8;
    }
}

lanewise_sim::io! {
    /// Outputs of a toy accumulator.
    pub struct Out {
        /// the sum is even
        even: bool, 1;
        /// the sum, told only when it is even
        sum: u16, 16, valid_by even;
    }
}

/// Adds up its input; `wrong_at` makes it say a wrong sum when it reaches that value.
#[derive(Default)]
struct Adder {
    sum: u16,
    step: u8,
    wrong_at: Option<u16>,
}

impl Unit for Adder {
    type In = In;
    type Out = Out;
    fn eval(&mut self, inputs: &In) -> Out {
        self.step = inputs.step;
        let wrong = self.wrong_at == Some(self.sum);
        Out { even: self.sum % 2 == 0, sum: self.sum ^ u16::from(wrong) }
    }
    fn tick(&mut self) {
        self.sum = self.sum.wrapping_add(self.step.into());
    }
    fn reset(&mut self) {
        self.sum = 0;
    }
}

fn pair(wrong_at: u16, alarm: &Alarm) -> Lockstep<In, Out> {
    Lockstep::new("adder", "sm0/adder", alarm)
        .with("model", Box::<Adder>::default())
        .with("other", Box::new(Adder { wrong_at: Some(wrong_at), ..Adder::default() }))
}

fn run(lockstep: &mut Lockstep<In, Out>, cycles: usize) {
    for _ in 0..cycles {
        lockstep.eval(&In { step: 1 });
        lockstep.tick();
    }
}

#[test]
fn a_difference_names_block_instance_cycle_inputs_and_both_sides() {
    let alarm = Alarm::default();
    let mut lockstep = pair(6, &alarm);
    run(&mut lockstep, 3);
    // Takes no cycle of the machine.
    lockstep.reset();
    run(&mut lockstep, 6);
    assert_eq!(alarm.raised(), None);
    run(&mut lockstep, 1);
    let mismatch = alarm.raised().expect("the planted bug is seen");
    assert_eq!((mismatch.cycle, &mismatch.differing[..]), (9, &["sum"][..]));
    let text = mismatch.to_string();
    assert!(text.contains("adder (sm0/adder) differs in cycle 9: sum"), "{text}");
    assert!(text.contains("input  step = 0x01"), "{text}");
    assert!(text.contains("output sum = 0x0006 in model  <--"), "{text}");
    assert!(text.contains("output sum = 0x0007 in other  <--"), "{text}");
    assert!(text.contains("output even = 0x1 in other\n"), "{text}");
}

#[test]
fn data_that_means_nothing_is_not_compared() {
    let alarm = Alarm::default();
    run(&mut pair(7, &alarm), 50);
    assert_eq!(alarm.raised(), None);
}

/// What a waveform shows of a run that goes wrong at `wrong_at`: cycles by when they start, and both sums.
struct Shown {
    cycles: Vec<u64>,
    model: Vec<u64>,
    other: Vec<u64>,
}

fn shown(wrong_at: u16) -> Shown {
    let directory = tempfile::tempdir().expect("a temporary directory");
    let alarm = Alarm::default();
    let mut lockstep = pair(wrong_at, &alarm).waves_to(directory.path());
    run(&mut lockstep, 2000);
    lockstep.reset();
    let mismatch = alarm.raised().expect("the planted bug is seen");
    assert_eq!(mismatch.cycle, u64::from(wrong_at));
    let path = mismatch.waveform.clone().expect("asked for").expect("written");
    let file = std::fs::read(path).expect("a file");
    let mut parser = vcd::Parser::new(&file[..]);
    let header = parser.parse_header().expect("a VCD header");
    let sum = |side| header.find_var(&["adder", side, "sum"]).expect("a variable").code;
    let (model, other) = (sum("model"), sum("other"));
    let mut shown = Shown { cycles: vec![], model: vec![], other: vec![] };
    let mut now = 0;
    for command in parser {
        match command.expect("a VCD command") {
            vcd::Command::Timestamp(time) => now = time,
            vcd::Command::ChangeVector(id, value) => {
                let bit = |sum, bit| sum * 2 + u64::from(bit == vcd::Value::V1);
                let value = value.iter().fold(0, bit);
                if id == model {
                    shown.cycles.push(now / 10);
                    shown.model.push(value);
                } else if id == other {
                    shown.other.push(value);
                }
            }
            _ => {}
        }
    }
    shown
}

#[test]
fn the_waveform_of_an_early_difference_holds_all_cycles_up_to_it() {
    let shown = shown(200);
    let all: Vec<u64> = (0..=200).collect();
    assert_eq!((&shown.cycles, &shown.model), (&all, &all));
    assert_eq!(shown.other[199..], [199, 201]);
}

#[test]
fn the_waveform_of_a_late_difference_holds_the_last_256_cycles() {
    let shown = shown(1000);
    let last: Vec<u64> = (745..=1000).collect();
    assert_eq!(last.len(), HISTORY);
    assert_eq!((&shown.cycles, &shown.model), (&last, &last));
    assert_eq!((&shown.other[..255], shown.other[255]), (&last[..255], 1001));
}

#[test]
fn the_first_difference_is_kept_in_whatever_order_they_are_found() {
    let names = ["sm1/adder", "sm0/adder", "sm2/adder"];
    // Both of SM 0 and SM 1 differ in cycle 40, SM 2 later.
    for order in [[0, 1, 2], [1, 0, 2], [2, 1, 0], [2, 0, 1]] {
        let directory = tempfile::tempdir().expect("a temporary directory");
        let alarm = Alarm::default();
        for at in order {
            let wrong_at = if at == 2 { 60 } else { 40 };
            let mut lockstep = Lockstep::new("adder", names[at], &alarm)
                .with("model", Box::<Adder>::default())
                .with("other", Box::new(Adder { wrong_at: Some(wrong_at), ..Adder::default() }))
                .waves_to(directory.path());
            run(&mut lockstep, 100);
        }
        let mismatch = alarm.raised().expect("the planted bugs are seen");
        assert_eq!((mismatch.cycle, mismatch.instance.as_str()), (40, "sm0/adder"));
        let files = std::fs::read_dir(directory.path()).expect("a directory");
        let files: Vec<_> = files.map(|file| file.expect("an entry").path()).collect();
        assert_eq!(files, [mismatch.waveform.expect("asked for").expect("written")]);
    }
}

#[test]
fn a_reset_is_seen_in_the_waveform_between_two_cycles() {
    let directory = tempfile::tempdir().expect("a temporary directory");
    let alarm = Alarm::default();
    let mut lockstep = pair(6, &alarm).waves_to(directory.path());
    run(&mut lockstep, 3);
    lockstep.reset();
    run(&mut lockstep, 7);
    let mismatch = alarm.raised().expect("the planted bug is seen");
    let path = mismatch.waveform.expect("asked for").expect("written");
    let file = std::fs::read(path).expect("a file");
    let mut parser = vcd::Parser::new(&file[..]);
    let header = parser.parse_header().expect("a VCD header");
    let code = |name| header.find_var(&["adder", name]).expect("a variable").code;
    let (clock, reset) = (code("clk_i"), code("rst_i"));
    let (mut time, mut held, mut edges) = (0, false, vec![]);
    for command in parser {
        match command.expect("a VCD command") {
            vcd::Command::Timestamp(now) => {
                assert!(now >= time, "time goes forward");
                time = now;
            }
            vcd::Command::ChangeScalar(id, value) if id == reset => held = value == vcd::Value::V1,
            vcd::Command::ChangeScalar(id, vcd::Value::V1) if id == clock => {
                edges.push((time, held));
            }
            _ => {}
        }
    }
    assert_eq!(edges[2..5], [(25, false), (28, true), (35, false)]);
    assert_eq!((edges.len(), edges.last()), (11, Some(&(95, false))));
}
