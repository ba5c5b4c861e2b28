//! The broken promises: what, where, how to see it again, and the file to paste.

use maud::{Markup, html};

use super::Facts;
use super::text::visible;
use crate::campaign::Finding;

/// Characters of an input, or of a reason, that are shown.
const SHOWN_MAX: usize = 2_000;

/// Every failure, the first one open.
pub(super) fn all(facts: Facts<'_>) -> Markup {
    html! {
        @for (at, finding) in facts.report.findings.iter().enumerate() { (failure(facts, finding, at == 0)) }
    }
}

fn failure(facts: Facts<'_>, finding: &Finding, open: bool) -> Markup {
    let (seed, number) = (finding.origin.seed, finding.origin.number);
    let planted = facts.planted();
    let size = if finding.shrunk { "made small" } else { "as it was met" };
    html! {
        details.failure open[open] {
            summary { code { (super::breakable(finding.invariant)) } span.says { (finding.area) } }
            dl {
                dt { "Promise" } dd { (finding.promise) }
                dt { "Broken" } dd.foreign { (visible(&finding.says, SHOWN_MAX)) }
                dt { "Input, " (size) } dd { pre { (visible(&finding.input, SHOWN_MAX)) } }
                dt { "Again" }
                dd {
                    pre.command { "pi-repair replay --seed " (format!("{seed:#x}")) " --case " (number) (planted) }
                    pre.command { "pi-repair shrink --seed " (format!("{seed:#x}")) " --case " (number) (planted) }
                }
                dt { "Regression file" }
                dd {
                    p { "For " code { "corpus/data/regressions/" (finding.area) "/NAME-THE-CAUSE.toml" } ":" }
                    pre { (visible(&finding.regression, 4 * SHOWN_MAX)) }
                }
            }
        }
    }
}
