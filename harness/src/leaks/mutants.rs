//! Planted bugs: the treatment of leaks altered through its one seam.
//!
//! Two gates have no bug of their own, as others close with them: a block that is not whole makes its message
//! unclean, and arguments that are not given are not accepted. They are taken out together with these.

use std::ops::Range;
use std::sync::atomic::{AtomicU32, Ordering};

use engine::Tool;
use engine::grammar::tables::GrammarTables;
use engine::grammar::{
    Block, BlockState, Cursor, FAMILIES, Field, Typed, protect, remove, type_fields,
};
use engine::tables::Tables;
use serde_json::Value;

/// What is altered.
#[derive(Clone, Copy, Debug)]
pub struct Plant {
    /// Alters the grammar.
    pub grammar: fn(&mut GrammarTables),
    /// Alters the tools.
    pub tools: fn(&mut Tables),
}

/// A planted bug of this area.
pub type Mutant = crate::area::Mutant<Plant>;

const fn mutant(name: &'static str, says: &'static str, grammar: fn(&mut GrammarTables)) -> Mutant {
    Mutant { name, says, plant: Plant { grammar, tools: |_| {} } }
}

/// Every planted bug.
pub const MUTANTS: &[Mutant] = &[
    Mutant {
        name: "accept-anything",
        says: "tools accept whatever arguments a leak brings",
        plant: Plant { grammar: |_| {}, tools: |tables| tables.accepts = |_, _| true },
    },
    mutant("admit-any-model", "model gates admit every model", |tables| {
        tables.admits = |_, _| true;
    }),
    mutant("backtick-fences-only", "code between tildes is prose", |tables| {
        tables.protect = without_tildes;
    }),
    mutant("calls-in-prose", "a call in a line of prose is a leak", |tables| {
        let mut family = FAMILIES[0];
        (family.openers, family.scan) = (&["bash("], scan_prose);
        tables.families.push(family);
    }),
    mutant("forget-a-family", "one family is not looked for", |tables| {
        tables.families.retain(|it| it.id != "glm");
    }),
    mutant("ignore-lone-closers", "a closer without a block is prose", |tables| {
        tables.dangling = false;
    }),
    mutant("inline-code-is-prose", "only code on lines of its own is code", |tables| {
        tables.protect = without_inline;
    }),
    mutant("mentions-are-leaks", "a sentence around a call means nothing", |tables| {
        tables.mentions = |_, _, ranges| vec![false; ranges.len()];
    }),
    mutant("no-markdown", "nothing is code", |tables| tables.protect = |_| Vec::new()),
    mutant(
        "one-call-found-twice",
        "a block does not own its end, and repeated calls run",
        |tables| {
            replace(tables, scan_short);
            open(tables, &["not-repeated", "message-clean"]);
        },
    ),
    mutant("panic-at-an-accent", "an accent behind an opener is a reason to panic", |tables| {
        replace(tables, scan_afraid);
    }),
    mutant("promote-after-any-stop", "the stop reason does not matter", |tables| {
        open(tables, &["stop-normal"]);
    }),
    mutant("promote-any-model", "the model does not matter", |tables| {
        open(tables, &["model-admitted"]);
    }),
    mutant("promote-beside-native-calls", "native calls do not matter", |tables| {
        open(tables, &["no-native-call"]);
    }),
    mutant("promote-for-any-role", "the role does not matter", |tables| {
        open(tables, &["role-assistant"]);
    }),
    mutant("promote-from-code", "what may be code runs", |tables| open(tables, &["outside-code"])),
    mutant("promote-inactive-tools", "any registered tool may be called", |tables| {
        open(tables, &["tool-active"]);
    }),
    mutant("promote-mentions", "an announcement does not matter", |tables| {
        open(tables, &["not-mentioned"]);
    }),
    mutant("promote-undeclared-fields", "unknown fields do not matter", |tables| {
        open(tables, &["fields-declared"]);
    }),
    mutant("promote-with-text-behind", "what follows a call does not matter", |tables| {
        open(tables, &["nothing-behind"]);
    }),
    mutant(
        "read-the-rest-again-and-again",
        "an opener costs the rest of the text many times",
        |tables| {
            replace(tables, scan_slowly);
        },
    ),
    mutant("reasons-with-values", "a reason quotes the text", |tables| {
        replace(tables, scan_telling);
    }),
    mutant("recover-in-any-mode", "the mode does not matter", |tables| {
        open(tables, &["mode-recovers"]);
    }),
    mutant("repeat-calls", "the same call runs again", |tables| open(tables, &["not-repeated"])),
    mutant("run-damaged-blocks", "damage does not matter", |tables| {
        open(tables, &["block-whole", "message-clean"]);
    }),
    mutant("run-in-unclean-messages", "damage elsewhere does not matter", |tables| {
        open(tables, &["message-clean"]);
    }),
    mutant("run-refused-calls", "a refused call does not hold its block back", |tables| {
        open(tables, &["arguments-accepted", "arguments-given"]);
    }),
    mutant("seam-eats-neighbours", "a character on each side goes with a leak", |tables| {
        tables.remove = remove_more;
    }),
    mutant("seam-tidies-up", "white space is tidied everywhere", |tables| {
        tables.remove = |text, ranges| remove(text, ranges).replace("  ", " ");
    }),
    mutant("second-parse-skipped", "a fence inside a value counts", |tables| {
        tables.second_parse = false;
    }),
    mutant("skip-the-fixpoint", "sides may be joined into a marker", |tables| {
        tables.fixpoint = false;
    }),
    mutant("strip-unknown-tools", "blocks of unknown tools go", |tables| {
        tables.keeps_unknown = false;
    }),
    mutant("trim-values", "white space around values goes", |tables| {
        tables.type_fields = |fields, tool| altered(fields, tool, |text| text.trim().to_owned());
    }),
    mutant("type-by-looks", "what looks like JSON is JSON", |tables| {
        tables.type_fields = type_by_looks;
    }),
    mutant("unstable-seam", "every other message loses a character", |tables| {
        tables.remove = remove_unstably;
    }),
    mutant("values-in-capitals", "values are shouted", |tables| {
        tables.type_fields = |fields, tool| altered(fields, tool, str::to_uppercase);
    }),
];

/// Takes gates out.
fn open(tables: &mut GrammarTables, gates: &[&str]) {
    tables.gates.retain(|gate| !gates.contains(&gate.id));
}

/// Replaces how the first family reads a block.
fn replace(tables: &mut GrammarTables, scan: fn(Cursor<'_, '_>) -> Option<Block>) {
    if let Some(family) = tables.families.first_mut() {
        family.scan = scan;
    }
}

fn without_tildes(text: &str) -> Vec<Range<usize>> {
    let mut ranges = protect(text);
    ranges.retain(|range| !text[range.clone()].trim_start().starts_with("~~~"));
    ranges
}

fn without_inline(text: &str) -> Vec<Range<usize>> {
    let mut ranges = protect(text);
    ranges.retain(|range| text[range.clone()].contains('\n'));
    ranges
}

fn scan_prose(mut cursor: Cursor<'_, '_>) -> Option<Block> {
    cursor.eat("bash(");
    cursor.take_until(")")?;
    cursor.eat(")");
    Some(Block::broken(
        cursor.at(),
        BlockState::Damaged("a call in prose"),
        vec!["bash".to_owned()],
    ))
}

/// The block ends behind its opening tag, so that what follows is found once more.
fn scan_short(mut cursor: Cursor<'_, '_>) -> Option<Block> {
    let block = (FAMILIES[0].scan)(cursor)?;
    let tagged = cursor.eat("<tool_call>");
    let end = if tagged { cursor.at() } else { block.end };
    Some(Block { end, ..block })
}

fn scan_afraid(cursor: Cursor<'_, '_>) -> Option<Block> {
    assert!(!cursor.rest().contains('é'), "an accent");
    (FAMILIES[0].scan)(cursor)
}

fn scan_slowly(cursor: Cursor<'_, '_>) -> Option<Block> {
    for _ in 0..2_000 {
        let mut ahead = cursor;
        ahead.take_while(|_| true);
    }
    (FAMILIES[0].scan)(cursor)
}

fn scan_telling(cursor: Cursor<'_, '_>) -> Option<Block> {
    let block = (FAMILIES[0].scan)(cursor)?;
    let text = cursor.rest().get(..block.end - cursor.at())?;
    // What a static text may hold is bounded by the campaign that hunts for this.
    let state = BlockState::Damaged(Box::leak(text.to_owned().into_boxed_str()));
    Some(Block { state, ..block })
}

fn remove_more(text: &str, ranges: &[Range<usize>]) -> String {
    let wider = |range: &Range<usize>| {
        let before = text[..range.start].chars().next_back().map_or(0, char::len_utf8);
        range.start - before..range.end
    };
    let mut wide: Vec<Range<usize>> = ranges.iter().map(wider).collect();
    for at in 1..wide.len() {
        wide[at].start = wide[at].start.max(wide[at - 1].end);
    }
    remove(text, &wide)
}

fn remove_unstably(text: &str, ranges: &[Range<usize>]) -> String {
    static TURN: AtomicU32 = AtomicU32::new(0);
    let mut left = remove(text, ranges);
    if TURN.fetch_add(1, Ordering::Relaxed).is_multiple_of(2) {
        left.pop();
    }
    left
}

/// Types the fields with their texts altered.
fn altered(fields: &[Field], tool: &Tool, alter: fn(&str) -> String) -> Typed {
    let fields: Vec<Field> =
        fields.iter().map(|field| Field { text: alter(&field.text), ..field.clone() }).collect();
    type_fields(&fields, tool)
}

fn type_by_looks(fields: &[Field], tool: &Tool) -> Typed {
    let mut typed = type_fields(fields, tool);
    for value in typed.arguments.values_mut() {
        let read: Option<Value> = value.as_str().and_then(|text| serde_json::from_str(text).ok());
        if let Some(read) = read {
            *value = match read {
                Value::Number(number) => {
                    number.as_f64().map_or(Value::Null, |it| it.to_string().into())
                }
                other => other,
            };
        }
    }
    typed
}
