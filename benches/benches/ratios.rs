//! Prints what each call costs as a ratio to parsing alone, to validation alone, and to both.

use std::hint::black_box;
use std::time::{Duration, Instant};

use benches::{Call, Given, calls};

/// Rounds in which all parties take turns; the best one of each counts.
const ROUNDS: u32 = 60;

/// How long one turn lasts, about.
const TURN: Duration = Duration::from_micros(500);

#[expect(clippy::print_stdout, reason = "the table is what this bench is for")]
fn main() {
    println!("| call | bytes | given as | outcome | engine | ÷ parse | ÷ validate | ÷ both |");
    println!("|---|---|---|---|---|---|---|---|");
    for call in &calls() {
        call.check();
        let [engine, parse, validate, both] = best(call);
        let given = if call.given() == Given::Value { "value" } else { "text" };
        println!(
            "| {} | {} | {given} | {} | {engine:.0} ns | {:.2} | {:.2} | {:.2} |",
            call.name,
            call.bytes(),
            call.outcome,
            engine / parse,
            engine / validate,
            engine / both,
        );
    }
}

/// The best time of each party in nanoseconds: engine, parsing, validation, both.
fn best(call: &Call) -> [f64; 4] {
    let parties: [&dyn Fn(); 4] = [
        &|| {
            black_box(black_box(call).engine());
        },
        &|| {
            black_box(black_box(call).parse());
        },
        &|| {
            black_box(black_box(call).validate());
        },
        &|| {
            black_box(black_box(call).parse_and_validate());
        },
    ];
    let repeats = parties.map(repeats);
    let mut best = [f64::INFINITY; 4];
    for _ in 0..ROUNDS {
        for ((party, repeats), best) in parties.iter().zip(repeats).zip(&mut best) {
            *best = best.min(turn(party, repeats));
        }
    }
    best
}

/// How often a party runs in one turn.
fn repeats(party: &dyn Fn()) -> u32 {
    let mut repeats = 1;
    while repeats < 1 << 20 {
        let start = Instant::now();
        (0..repeats).for_each(|_| party());
        if start.elapsed() >= TURN {
            break;
        }
        repeats *= 2;
    }
    repeats
}

fn turn(party: &dyn Fn(), repeats: u32) -> f64 {
    let start = Instant::now();
    (0..repeats).for_each(|_| party());
    start.elapsed().as_secs_f64() * 1e9 / f64::from(repeats)
}
