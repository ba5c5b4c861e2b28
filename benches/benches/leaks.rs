//! What looking for leaked calls costs, per byte of text, with and without leaks in it.

use std::hint::black_box;
use std::time::Duration;

use benches::leaks::{Text, texts};
use criterion::{Criterion, Throughput};

/// Times one text; its `says` is the promise guarded.
fn text(criterion: &mut Criterion, text: &Text) {
    text.check();
    let mut group = criterion.benchmark_group(format!("leaks/{}", text.name));
    group.throughput(Throughput::Bytes(text.bytes() as u64));
    group.bench_function("scan", |bench| bench.iter(|| black_box(text).scan()));
    group.bench_function("treat", |bench| bench.iter(|| black_box(text).treat()));
    group.finish();
}

fn main() {
    let mut criterion = Criterion::default()
        .sample_size(20)
        .warm_up_time(Duration::from_millis(200))
        .measurement_time(Duration::from_millis(800))
        .configure_from_args();
    for ready in &texts() {
        text(&mut criterion, ready);
    }
    criterion.final_summary();
}
