//! What a call's arguments cost, beside parsing alone, validation alone, and both.

use std::hint::black_box;
use std::time::Duration;

use benches::{Call, calls};
use criterion::{Criterion, Throughput};

/// Times one call and what it is compared with; the call's `says` is the promise guarded.
fn call(criterion: &mut Criterion, call: &Call) {
    call.check();
    let mut group = criterion.benchmark_group(format!("arguments/{}", call.name));
    group.throughput(Throughput::Bytes(call.bytes() as u64));
    group.bench_function("engine", |bench| bench.iter(|| black_box(call).engine()));
    group.bench_function("parse", |bench| bench.iter(|| black_box(call).parse()));
    group.bench_function("validate", |bench| bench.iter(|| black_box(call).validate()));
    group.bench_function("parse, validate", |bench| {
        bench.iter(|| black_box(call).parse_and_validate());
    });
    group.finish();
}

fn main() {
    let mut criterion = Criterion::default()
        .sample_size(30)
        .warm_up_time(Duration::from_millis(200))
        .measurement_time(Duration::from_millis(800))
        .configure_from_args();
    for ready in &calls() {
        call(&mut criterion, ready);
    }
    criterion.final_summary();
}
