//! What changed in pi when, as one table: the only place where the loop asks for a release.

use corpus::Release;

/// A way of pi that is not the same on all releases.
#[derive(Clone, Copy, Debug, Eq, PartialEq)]
pub enum Way {
    /// Extensions hear of a compaction that failed.
    TellsFailedCompaction,
    /// A truncated answer shorter than the model allows counts as an overflow.
    RecoversLength,
    /// A context over the threshold is compacted between two turns of a run.
    CompactsBetweenTurns,
    /// A summary is asked for again after a transient error.
    RetriesSummaries,
    /// A summary that was cut off, or that calls a tool, is a failure.
    WantsWholeSummaries,
    /// Without any reported usage the size of the context is estimated from its text.
    EstimatesWithoutUsage,
    /// A batch aborted while it is prepared is answered without being executed.
    DropsPreparedOnAbort,
    /// Who blocks a call may end the run with it.
    BlockMayTerminate,
    /// The session hears the run that a manual compaction aborts.
    HearsAbortedRun,
    /// An abort also stops a compaction.
    AbortStopsCompaction,
    /// A prompt during a manual compaction is refused.
    RefusesPromptWhileCompacting,
    /// A request whose run was aborted before never reaches the provider.
    RefusesAbortedRequests,
    /// Such a request for a summary is thrown, and no answer.
    ThrowsRefusedSummary,
    /// Such a request ends as aborted, no longer as an error.
    RefusedIsAborted,
    /// An answer counts as that of the model its server names, where the dialect names one first.
    BelievesServedModel,
    /// An answer counts as that of the model asked again, whatever its server names.
    KeepsAskedModel,
    /// The prompt is a message of the session, and declares the tools.
    SystemMessages,
    /// A failed attempt is kept in the session and edited out of the context.
    EditsContext,
    /// A compaction holds on to its own signal, whatever ends beside it.
    HoldsCompactionSignal,
    /// An abort ends the whole run, not only the request under way.
    AbortEndsRun,
    /// Extensions are asked before the agent settles.
    AsksBeforeSettling,
    /// Tools may call tools.
    NestedCalls,
    /// `write` does not say how many bytes it wrote.
    WritesWithoutSize,
    /// JSON without `error` counts as the error of an HTTP status, too.
    ReadsWholeBody,
    /// A tool may return a result that is an error.
    ResultSaysError,
    /// Argument text that is no JSON object fails its call.
    ArgumentsError,
    /// The settled event says whether the run was aborted.
    SettledSaysAborted,
    /// The run counts as active while it is being prepared.
    ActiveWhilePreparing,
    /// Every call of an aborted batch is answered, and none is prepared any more.
    AnswersEveryCall,
}

/// One change.
#[derive(Debug)]
pub struct Change {
    /// What is so from then on.
    pub way: Way,
    /// The first release it was seen on, or that its notes name.
    pub since: Release,
    /// The same for people.
    pub says: &'static str,
}

const fn change(way: Way, since: Release, says: &'static str) -> Change {
    Change { way, since, says }
}

const V085: Release = Release::new(0, 85, 0);
const V087: Release = Release::new(0, 87, 0);

/// All changes, oldest first.
pub const CHANGES: &[Change] = &[
    change(Way::RecoversLength, V085, "a truncated answer compacts under the reason `overflow`"),
    change(Way::TellsFailedCompaction, V085, "`session_compact_failed`"),
    change(Way::CompactsBetweenTurns, V085, "the threshold is looked at between turns too"),
    change(Way::RetriesSummaries, V085, "summaries are retried like answers"),
    change(Way::WantsWholeSummaries, V085, "a truncated summary is refused"),
    change(Way::EstimatesWithoutUsage, V085, "text is measured where usage is missing"),
    change(Way::DropsPreparedOnAbort, V085, "an aborted batch does not execute any more"),
    change(Way::BlockMayTerminate, V085, "`terminate` beside `block`"),
    change(Way::HearsAbortedRun, V085, "a manual compaction no longer goes deaf first"),
    change(Way::AbortStopsCompaction, V085, "abort reaches compactions"),
    change(Way::RefusesPromptWhileCompacting, V085, "no prompt during a manual compaction"),
    change(Way::RefusesAbortedRequests, V085, "no request for a run that was aborted"),
    change(Way::BelievesServedModel, V085, "the server's name for the model is the answer's"),
    change(Way::WritesWithoutSize, V085, "`write` names no size"),
    change(Way::KeepsAskedModel, V087, "the server's name for the model stands apart"),
    change(Way::SystemMessages, V087, "system messages in the session and in requests"),
    change(Way::EditsContext, V087, "`context_edit` entries in place of dropped messages"),
    change(Way::HoldsCompactionSignal, V087, "of two compactions at once the second may go on"),
    change(Way::AbortEndsRun, V087, "an abort ends retries and compactions of the run as well"),
    change(Way::AsksBeforeSettling, V087, "`agent_before_settle`"),
    change(Way::NestedCalls, Release::new(0, 99, 0), "`ctx.executeTool`, `parentToolCallId`"),
    change(Way::ResultSaysError, Release::new(0, 99, 0), "`isError` in a tool's own result"),
    change(Way::ReadsWholeBody, Release::new(1, 0, 3), "an HTTP error's body is read whole"),
    change(Way::ThrowsRefusedSummary, Release::new(1, 0, 3), "a summary refused so is thrown"),
    change(Way::ArgumentsError, Release::new(1, 3, 0), "`argumentsError` instead of a salvage"),
    change(Way::SettledSaysAborted, Release::new(1, 3, 0), "`agent_settled.aborted`"),
    change(Way::ActiveWhilePreparing, Release::new(1, 3, 0), "a run begins with its preparation"),
    change(Way::RefusedIsAborted, Release::new(1, 6, 0), "a request refused so is no error"),
    change(Way::AnswersEveryCall, Release::new(1, 6, 0), "no call without a result after an abort"),
];

/// Releases that stand for their generation: between two of them nothing the loop shows changed.
pub const GENERATIONS: &[Release] = &[
    Release::new(0, 80, 6),
    Release::new(0, 85, 1),
    Release::new(0, 87, 1),
    Release::new(1, 0, 3),
    Release::new(1, 3, 0),
    Release::new(1, 6, 0),
];

/// How one release behaves.
#[derive(Clone, Copy, Debug)]
pub struct Profile {
    release: Release,
}

impl Profile {
    /// The profile of a release.
    pub fn of(release: Release) -> Self {
        Self { release }
    }

    /// The release.
    pub fn release(self) -> Release {
        self.release
    }

    /// Whether this release has the way.
    pub fn has(self, way: Way) -> bool {
        CHANGES.iter().any(|change| change.way == way && change.since <= self.release)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn changes_stand_in_the_order_of_releases_and_once() {
        assert!(CHANGES.is_sorted_by(|one, next| one.since <= next.since));
        for change in CHANGES {
            assert_eq!(CHANGES.iter().filter(|other| other.way == change.way).count(), 1);
            assert!(!change.says.is_empty());
        }
    }

    #[test]
    fn a_way_begins_with_its_release() {
        let has = |release| Profile::of(release).has(Way::ArgumentsError);
        assert!(!has(Release::new(1, 2, 9)));
        assert!(has(Release::new(1, 3, 0)));
    }
}
