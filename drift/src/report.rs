//! What a check found, for people, for an issue and for programs.

use std::fmt::Write as _;

use corpus::{Claim, Release};
use serde_json::{Value, json};

use crate::check::{Checked, Verdict};

/// The sentences for each claim that does not hold, one paragraph a claim and release.
pub fn findings(checked: &[Checked], claims: &[Claim]) -> Vec<String> {
    let of = |it: &Checked| {
        let release = it.release;
        let drifted = it.drifted().filter_map(|(name, verdict)| {
            let claim = claims.iter().find(|claim| claim.name == *name)?;
            Some(finding(release, claim, verdict))
        });
        drifted.collect::<Vec<_>>()
    };
    checked.iter().flat_map(of).collect()
}

fn finding(release: Release, claim: &Claim, verdict: &Verdict) -> String {
    let mut text = format!("`{}` does not hold on pi {release}: {}\n", claim.name, claim.says);
    let row = claim.row(release);
    if let Some((since, now)) = row.and_then(|row| Some((row.since, row.now.as_ref()?))) {
        let _ = writeln!(text, "  since  {since}: {now}");
    }
    match verdict {
        Verdict::Drifted(misses) => {
            for miss in misses {
                let _ = writeln!(text, "  seen   {miss}");
            }
        }
        Verdict::Failed(error) => {
            let _ = writeln!(text, "  seen   {}", error.lines().next().unwrap_or_default());
        }
        Verdict::Holds | Verdict::Unspoken | Verdict::Unreached => {}
    }
    let _ = writeln!(text, "  leans  {}", claim.leans.join("; "));
    let _ = write!(text, "  replay pi-drift run {} --pi {release}", claim.script);
    text
}

/// One word for a table.
pub fn word(verdict: &Verdict) -> &'static str {
    match verdict {
        Verdict::Holds => "holds",
        Verdict::Unspoken => "–",
        Verdict::Drifted(_) => "DRIFTED",
        Verdict::Failed(_) => "FAILED",
        Verdict::Unreached => "not run",
    }
}

/// What came of one release, in a sentence.
pub fn summary(checked: &Checked) -> String {
    let (release, held, drifted) = (checked.release, checked.held(), checked.drifted().count());
    let (all, left) = (checked.spoken(), checked.unreached());
    if left == 0 {
        return format!("pi {release}: {held} claims hold, {drifted} drifted");
    }
    let names: Vec<&str> = checked.drifted().map(|(name, _)| name.as_str()).collect();
    let names = if names.is_empty() { String::new() } else { format!(" ({})", names.join(", ")) };
    format!(
        "pi {release}: stopped; {held} of {all} claims hold so far, {drifted} drifted{names}, \
         {left} not run"
    )
}

/// Rows of the table claim × release.
pub fn rows(checked: &[Checked], claims: &[Claim]) -> Vec<Vec<String>> {
    let row = |(index, claim): (usize, &Claim)| {
        let words = checked.iter().map(|it| word(&it.verdicts[index].1).to_owned());
        std::iter::once(claim.name.clone()).chain(words).collect()
    };
    claims.iter().enumerate().map(row).collect()
}

/// A page for an issue.
pub fn markdown(checked: &[Checked], claims: &[Claim]) -> String {
    let mut text = String::from("# What pi does, beside what is recorded\n\n");
    let heads: Vec<String> = checked.iter().map(|it| it.release.to_string()).collect();
    let _ = writeln!(text, "| claim | {} |", heads.join(" | "));
    let _ = writeln!(text, "|---|{}", "---|".repeat(checked.len()));
    for row in rows(checked, claims) {
        let _ = writeln!(text, "| {} |", row.join(" | "));
    }
    let findings = findings(checked, claims);
    let is_whole = checked.iter().all(|it| it.unreached() == 0);
    if is_whole && findings.is_empty() {
        text.push_str("\nEverything is as recorded.\n");
    }
    if !is_whole {
        let summaries: Vec<String> = checked.iter().map(summary).collect();
        let _ = writeln!(text, "\n{}", summaries.join("  \n"));
    }
    for finding in findings {
        let _ = write!(text, "\n```text\n{finding}\n```\n");
    }
    text
}

/// The same for programs.
pub fn to_json(checked: &[Checked], claims: &[Claim]) -> Value {
    let release = |it: &Checked| {
        let rows = it.verdicts.iter().zip(claims).map(|((name, verdict), claim)| {
            let mut row = json!({"claim": name, "verdict": word(verdict).to_lowercase()});
            if verdict == &Verdict::Unspoken {
                row["verdict"] = json!("unspoken");
            }
            if verdict == &Verdict::Unreached {
                row["verdict"] = json!("not_run");
            }
            if let Verdict::Drifted(misses) = verdict {
                let miss = |it: &corpus::Miss| json!({"view": it.view, "wanted": it.wanted, "got": it.got});
                row["misses"] = misses.iter().map(miss).collect();
            }
            if let Verdict::Failed(error) = verdict {
                row["error"] = json!(error);
            }
            if matches!(verdict, Verdict::Drifted(_) | Verdict::Failed(_)) {
                row["leans"] = json!(claim.leans);
                row["script"] = json!(claim.script);
            }
            row
        });
        json!({"pi": it.release.to_string(), "claims": rows.collect::<Vec<_>>()})
    };
    let stopped = checked.iter().any(|it| it.unreached() > 0);
    json!({"stopped": stopped, "releases": checked.iter().map(release).collect::<Vec<_>>()})
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_finding_says_what_had_changed_by_then() {
        let claims = corpus::claims().expect("claims");
        let claim = claims.iter().find(|claim| claim.seen.len() > 1).expect("a change");
        let found = |release| finding(release, claim, &Verdict::Failed("it broke".to_owned()));
        let (first, last) = (&claim.seen[0], &claim.seen[claim.seen.len() - 1]);
        let now = last.now.as_deref().expect("what changed");
        assert!(found(last.since).contains(&format!("\n  since  {}: {now}\n", last.since)));
        assert!(!found(first.since).contains("  since  "));
        assert!(found(first.since).contains(&claim.leans[0]));
    }
}
