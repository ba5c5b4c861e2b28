//! Logs as they lie on a disk: read, counted, rotated, whatever stands in them.

use engine::telemetry::{By, Look, Record, Rotation};

use super::bytes::Bytes;
use super::raw::{Raw, require, verdicts};
use super::shop::Shop;
use super::{Target, hold};
use crate::area::{Spent, Trial, Wanted};
use crate::session::Session;
use crate::session::case::log::{NEWER, NOISE, OLDER};
use crate::session::run::journal::{read, stats};
use crate::source::{Choose, Source};

pub(super) const TARGET: Target = Target {
    name: "log",
    says: "Bytes: six that say how the log is read and rotated, then the log.",
    area: "session",
    run,
    seeds,
};

/// Attacks with one input.
///
/// # Panics
///
/// If a promise is broken.
pub fn fuzz(data: &[u8]) {
    hold("log", "session", run(data, Wanted::default()));
}

static SHOP: Shop<Session> = Shop::new();

/// Bytes before the log.
const HEAD: usize = 6;

fn run(data: &[u8], _: Wanted<'_>) -> Option<Trial> {
    let (head, log) = data.split_at(data.len().min(HEAD));
    let mut source = Bytes::new(head);
    let chunk = source.range(1, 512) as usize;
    let kept = source.below(4096) as usize;
    let rotation = Rotation { bytes_max: kept + source.below(4096) as usize, bytes_kept: kept };
    Some(Trial {
        case: Box::new(Raw(log.to_vec())),
        verdicts: verdicts("chunks_of_a_log_do_not_matter", held(log, chunk, rotation)),
        seen: None,
        miss: None,
        spent: Spent::default(),
        shown: vec![("read", format!("{:?}", read(SHOP.open(), log, log.len().max(1))))],
    })
}

fn held(log: &[u8], chunk: usize, rotation: Rotation) -> Result<(), (&'static str, String)> {
    let shop = SHOP.open();
    let (records, skipped) = read(shop, log, log.len().max(1));
    let pieces = read(shop, log, chunk);
    require(pieces == (records.clone(), skipped), "chunks_of_a_log_do_not_matter", || {
        format!("in pieces of {chunk} bytes: {pieces:?}")
    })?;
    let lines = log
        .split(|byte| *byte == b'\n')
        .filter(|line| line.iter().any(|byte| *byte != 0 && !byte.is_ascii_whitespace()));
    let counted = skipped.total() > 0 || !records.is_empty();
    require(counted || lines.count() == 0, "skipped_lines_are_told", || {
        "nothing is read of a log, and nothing skipped".to_owned()
    })?;
    for record in &records {
        let line = record.to_line();
        let is_one = line.find('\n') == Some(line.len() - 1);
        let back = read(shop, line.as_bytes(), line.len());
        let same = is_one && back.0 == [record.clone()] && back.1.total() == 0;
        require(same, "record_lines_read_back", || format!("{line:?} reads back as {back:?}"))?;
    }
    counts(&records)?;
    rotated(log, rotation)
}

/// Parts count up to the whole, and every page can be printed.
fn counts(records: &[Record]) -> Result<(), (&'static str, String)> {
    let shop = SHOP.open();
    let (head, tail) = records.split_at(records.len() / 2);
    let [whole, head, tail] = [records, head, tail].map(|part| stats(shop, part));
    let faults = (whole.all().faults(), head.all().faults() + tail.all().faults());
    require(faults.0 == faults.1, "stats_add_up", || format!("{faults:?} faults"))?;
    require(whole.records() == head.records() + tail.records(), "stats_add_up", || {
        format!("{} records", whole.records())
    })?;
    let sections: Vec<By> = By::ALL.iter().map(|row| row.0).collect();
    let page = whole.text(&sections, 80, &Look::PLAIN);
    let odd = page.chars().find(|c| c.is_control() && *c != '\n');
    require(odd.is_none(), "a_session_tells_no_value", || format!("a page holds {odd:?}"))?;
    let json = whole.to_json(&[]).to_string();
    require(json.starts_with('{'), "stats_add_up", || json.clone())
}

fn rotated(log: &[u8], rotation: Rotation) -> Result<(), (&'static str, String)> {
    const ROTATES: &str = "rotation_drops_oldest_lines_only";
    let Some(start) = SHOP.open().recorder().rotate(log, rotation) else { return Ok(()) };
    let begins = start.checked_sub(1).and_then(|before| log.get(before)) == Some(&b'\n');
    require(begins && start < log.len(), ROTATES, || format!("kept from byte {start}"))?;
    let rest = &log[start..];
    let last = !rest[..rest.len() - 1].contains(&b'\n');
    require(rest.len() <= rotation.bytes_kept || last, ROTATES, || {
        format!("{} bytes are kept, {rotation:?}", rest.len())
    })
}

fn seeds() -> Vec<Vec<u8>> {
    let lines = [
        r#"{"v":1,"time":5,"channel":"tool","outcome":"repaired","tool":"read","model":"zai/glm-4.6","profile":"adaptive","stages":["schema"],"rules":["schema.drop-null"],"fingerprint":"00000000000000ab"}"#,
        r#"{"v":1,"time":1760000000000,"channel":"grammar","outcome":"stripped","family":"dsml","reason":"unknown-tool","tool":"unknown"}"#,
        r#"{"v":1,"time":7,"channel":"advisor","outcome":"overflow","count":3}"#,
    ];
    let noise = NOISE.iter().map(|bytes| bytes.to_vec());
    let older = OLDER.iter().chain([&NEWER]).map(|line| line.as_bytes().to_vec());
    let own = lines.iter().map(|line| format!("{line}\n").into_bytes());
    let single: Vec<Vec<u8>> = own.chain(noise).chain(older).collect();
    let all = single.concat();
    let torn = [&single[0][..40], &all].concat();
    single.into_iter().chain([all, torn]).map(|log| [&[1; HEAD][..], &log].concat()).collect()
}
