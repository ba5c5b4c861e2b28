//! Draws a leak case: what stands in the message, and what surrounds it.

use engine::grammar::{CALLS_MAX, FAMILIES, Family, Mode, Printed, UnknownTools};
use engine::{Policy, StopReason};

use super::damage::DAMAGES;
use super::place::{OPEN, Place, SHOWN};
use super::values::{self, are_calm, are_plain};
use super::{Block, Call, Case, Intent, Setting};
use crate::generate::Bias;
use crate::leaks::tools;
use crate::source::{Choose, Source};
use crate::swarm::ChooseRow;

/// How far the cases of a batch stray; chances are counted in sixteenths.
#[derive(Clone, Debug)]
pub struct Strays {
    values: Bias,
    wild: u32,
    damaged: u32,
    shown: u32,
    strange: u32,
    closed: u32,
}

impl Strays {
    /// Draws a bias: every kind of oddity is switched off in some batches.
    pub fn draw(source: &mut dyn Source) -> Self {
        let mut strays = Self {
            values: Bias { custom_tools: 0, ..Bias::swarm(source) },
            wild: 5,
            damaged: 6,
            shown: 4,
            strange: 8,
            closed: 5,
        };
        for knob in [
            &mut strays.wild,
            &mut strays.damaged,
            &mut strays.shown,
            &mut strays.strange,
            &mut strays.closed,
        ] {
            if source.chance(1, 4) {
                *knob = 0;
            }
        }
        strays
    }
}

/// Texts without any block: outside code they are prose, whatever they look like.
const PROSE: &[&str] = &[
    "Done.",
    "I read the file and found nothing of interest.\n\nNext I will run the tests.  ",
    "A list:\n\n- one\n- two `code`\n\n1. first\n2. second",
    "You could run\nbash(command=\"rm -rf /\")\nbut do not.",
    "An object such as {\"name\": \"read\", \"arguments\": {\"path\": \"a.md\"}} says so.",
    "Use ``` to fence.",
    "a < b > c [1] [2](http://x) | y",
    "| a | b |\n|---|---|\n| 1 | 2 |",
    "<div>\n<b>HTML</b>\n</div>",
    "```rust\nfn main() {}\n```",
    "~~~\ntext\n~~~\n",
    "    indented first line\n",
    "Heading\n-------\n\ntext\r\nwith\r\nCRLF\r\n",
    "naïve 日本語 👩‍👩‍👧 \u{202e}rtl",
    "> quoted\n> more",
    "\n \n",
    "",
];

/// A text being put together.
struct Part {
    index: usize,
    text: String,
    closed: bool,
}

impl Part {
    /// Puts a chunk behind what is there, and returns where it begins.
    fn push(&mut self, source: &mut dyn Source, chunk: &str) -> usize {
        if !self.text.is_empty() {
            self.text.push_str(source.pick::<&str>(&["\n\n", "\n\n\n", "\r\n\r\n", "\n\n \n"]));
        }
        let start = self.text.len();
        self.text.push_str(chunk);
        start
    }
}

/// Draws a case; the same choices give the same case.
pub fn draw(source: &mut dyn Source, strays: &Strays) -> Case {
    let mut case = Case {
        texts: Vec::new(),
        blocks: Vec::new(),
        mentions: Vec::new(),
        intent: Intent::All,
        setting: Setting::default(),
    };
    let sole = source.chance(1, 3);
    let parts = if sole { 1 } else { [1, 1, 1, 1, 1, 2, 3][source.index(7)] };
    if sole {
        let mut part = Part { index: 0, text: String::new(), closed: false };
        let bare: Vec<&'static Family> =
            FAMILIES.iter().filter(|family| family.whole_message).collect();
        let mut row = row(source);
        if source.chance(1, 3) {
            row.0 = *source.pick_row(&bare, |family: &&Family| family.id);
            row.1 = source.pick(row.0.spellings).id;
        }
        put((source, strays), row, &OPEN[..ENDING], &mut case, &mut part);
        case.texts.push(part.text);
    }
    for index in case.texts.len()..parts {
        let mut part = Part { index, text: String::new(), closed: false };
        for _ in 0..[1, 1, 1, 2, 3][source.index(5)] {
            if !part.closed {
                chunk(source, strays, &mut case, &mut part);
            }
        }
        if !part.closed && strays.damaged > 0 && source.chance(2, 3) {
            stray(source, true, &mut case, &mut part);
        }
        case.texts.push(part.text);
    }
    surround(source, strays, &mut case);
    let open: Vec<&Block> = case.blocks.iter().filter(|block| !block.shown).collect();
    let whole = case.texts.iter().all(|text| text.trim().is_empty() || open.len() == 1);
    let bare = open.iter().any(|block| block.family().is_some_and(|family| family.whole_message));
    let crowd = case.texts.iter().filter(|text| !text.trim().is_empty()).count() > 1;
    let fills =
        open.first().is_some_and(|block| case.texts[block.part].trim().len() == block.range.len());
    // A family may take what another prints behind its block for the end of its own, and a spelling
    // without an end goes on to the end of the text.
    let first = open.first().map(|block| block.family.clone());
    let mixed = case.blocks.iter().any(|block| {
        let fills = block.shown || case.texts[block.part].trim().len() == block.range.len();
        Some(&block.family) != first.as_ref() || block.spelling != "canonical" && !fills
    });
    if case.intent == Intent::All
        && (mixed || !open.iter().all(|block| block.calm) || (bare && !(whole && fills && !crowd)))
    {
        case.intent = Intent::Some;
    }
    case
}

/// What a text is put together of, with how often. Blocks and damage have names of their own.
const CHUNKS: &[(&str, u32)] = &[
    ("", 26),
    ("prose", 6),
    ("marker-in-code", 2),
    ("block-again", 2),
    ("", 2),
    ("opened-fence", 1),
];

/// Everything that goes into a text, by name: damage, families, places and the rest.
pub fn features() -> Vec<&'static str> {
    let damage = DAMAGES.iter().map(|row| row.id).chain(OTHER_DAMAGE.iter().copied());
    let families = FAMILIES.iter().map(|family| family.id);
    let places = OPEN.iter().chain(SHOWN).map(|place| place.id);
    let chunks = CHUNKS.iter().map(|row| row.0).filter(|id| !id.is_empty());
    damage.chain(families).chain(places).chain(chunks).collect()
}

fn chunk(source: &mut dyn Source, strays: &Strays, case: &mut Case, part: &mut Part) {
    let kind = source.weigh_rows(CHUNKS);
    if !CHUNKS[kind].0.is_empty() {
        source.carry(CHUNKS[kind].0);
    }
    match kind {
        0 => block(source, strays, case, part),
        1 => {
            let prose = *source.pick(PROSE);
            part.push(source, prose);
        }
        2 => {
            let mention = format!("The opener `{}` is optional.", values::marker(source));
            let start = part.push(source, &mention);
            case.mentions.push((part.index, start..start + mention.len()));
        }
        3 if source.chance(1, 12) => (0..=CALLS_MAX).for_each(|_| again(source, case, part)),
        3 => again(source, case, part),
        5 => opened_fence(source, case, part),
        _ if source.chance(strays.damaged, 16) => {
            let lone = source.chance(2, 3);
            stray(source, lone, case, part);
        }
        _ => {}
    }
}

/// Damage that stands beside blocks, not in them: a marker in prose, and a closer without a block.
pub const OTHER_DAMAGE: &[&str] = &["mention", "lone-closer"];

/// A marker outside code, alone or in a sentence.
fn stray(source: &mut dyn Source, lone: bool, case: &mut Case, part: &mut Part) {
    let closers: Vec<&'static str> =
        FAMILIES.iter().flat_map(|family| family.closers).copied().collect();
    let openers: Vec<&'static str> =
        FAMILIES.iter().flat_map(|family| family.openers).copied().collect();
    let closer = *source.pick(&closers);
    let lone = lone && !openers.iter().any(|opener| closer.starts_with(opener));
    let damage = OTHER_DAMAGE[usize::from(lone)];
    // A lone closer stays on: it has little to stand in for, and a promise of its own.
    if !lone && !source.allows(damage) {
        return;
    }
    let chunk = if lone {
        closer.to_owned()
    } else {
        format!("The marker {} says so.", values::marker(source))
    };
    let start = part.push(source, &chunk);
    case.blocks.push(Block {
        part: part.index,
        range: start..start + chunk.len(),
        family: String::new(),
        spelling: String::new(),
        calls: Vec::new(),
        shown: false,
        damage: damage.to_owned(),
        calm: false,
    });
    case.intent = case.intent.max_doubt(Intent::Some);
}

/// Families whose values stand between markers as they are, line ends included.
pub const RAW: &[&str] = &["dsml", "glm", "invoke"];

/// A block with a value that opens a fence and leaves it open, and below it a closer without a block.
fn opened_fence(source: &mut dyn Source, case: &mut Case, part: &mut Part) {
    let id = *source.pick(RAW);
    let Some(family) = FAMILIES.iter().find(|family| family.id == id) else { return };
    let arguments = serde_json::json!({"path": "a.md", "content": "Code:\n```\nlet x = 1;\n"});
    let Some(arguments) = arguments.as_object().cloned() else { return };
    let printed = [Printed { name: "write", arguments: &arguments }];
    let Some(text) = (family.render)(&printed, "canonical") else { return };
    let start = part.push(source, &text);
    case.blocks.push(Block {
        part: part.index,
        range: start..start + text.len(),
        family: id.to_owned(),
        spelling: "canonical".to_owned(),
        calls: Vec::from([Call { name: "write".to_owned(), arguments }]),
        shown: false,
        damage: String::new(),
        calm: false,
    });
    stray(source, true, case, part);
}

/// The last sound block of the text once more, below it.
fn again(source: &mut dyn Source, case: &mut Case, part: &mut Part) {
    let last = case
        .blocks
        .iter()
        .rev()
        .find(|block| block.part == part.index && !block.shown && block.is_sound());
    let Some(block) = last.cloned() else { return };
    let text = part.text[block.range.clone()].to_owned();
    let start = part.push(source, &text);
    case.blocks.push(Block { range: start..start + text.len(), calm: false, ..block });
}

impl Intent {
    /// The more doubtful of the two.
    fn max_doubt(self, other: Self) -> Self {
        let doubt =
            |intent| [Self::All, Self::Some, Self::Unknown].iter().position(|it| *it == intent);
        if doubt(self) >= doubt(other) { self } else { other }
    }
}

/// A family with one of its spellings.
type Row = (&'static Family, &'static str);

/// Each spelling of each family that is on is as likely as any other.
fn row(source: &mut dyn Source) -> Row {
    let rows =
        FAMILIES.iter().flat_map(|family| family.spellings.iter().map(move |row| (family, row.id)));
    let rows: Vec<Row> = rows.collect();
    *source.pick_row(&rows, |(family, _)| family.id)
}

/// Calls that the family can print, in this spelling or another.
fn printed(
    source: &mut dyn Source,
    strays: &Strays,
    (family, spelling): Row,
    plain: bool,
) -> (&'static str, Vec<Call>, String) {
    let wild = !plain && source.chance(strays.wild, 16);
    let strange = source.chance(strays.strange, 16);
    let bias = if plain {
        Bias { custom_tools: 0, hostile_words: 0, ..Bias::well_formed() }
    } else {
        strays.values
    };
    let calls = values::calls(source, &bias, wild, strange);
    let single = calls[..1].to_vec();
    let tries =
        [(spelling, &calls), (spelling, &single), ("canonical", &calls), ("canonical", &single)];
    for (spelling, calls) in tries {
        let printed: Vec<Printed<'_>> = calls
            .iter()
            .map(|call| Printed { name: &call.name, arguments: &call.arguments })
            .collect();
        if let Some(text) = (family.render)(&printed, spelling) {
            return (spelling, calls.clone(), text);
        }
    }
    (spelling, Vec::new(), String::new())
}

fn block(source: &mut dyn Source, strays: &Strays, case: &mut Case, part: &mut Part) {
    let row = row(source);
    put((source, strays), row, OPEN, case, part);
}

/// How many of the first places put nothing behind a block: only there it may run.
const ENDING: usize = 2;

/// Puts a block of the family at one of the places, or into code.
fn put(
    (source, strays): (&mut dyn Source, &Strays),
    (family, spelling): Row,
    open: &[Place],
    case: &mut Case,
    part: &mut Part,
) {
    let damaged = source.chance(strays.damaged, 16);
    let shown = !damaged && source.chance(strays.shown, 16);
    let (spelling, calls, mut text) = printed(source, strays, (family, spelling), damaged);
    if text.is_empty() {
        return;
    }
    let mut damage = "";
    if damaged {
        let row = source.pick_row(DAMAGES, |row| row.id);
        if let Some(changed) = (row.apply)(source, &text, family).filter(|changed| *changed != text)
        {
            (text, damage) = (changed, row.id);
            part.closed |= row.last;
            let certain = row.strict && are_plain(&calls);
            case.intent =
                case.intent.max_doubt(if certain { Intent::Some } else { Intent::Unknown });
        }
    }
    let ends = source.chance(2, 3);
    let places = match (shown, ends) {
        (true, _) => SHOWN,
        (false, true) => open.get(..ENDING).unwrap_or(open),
        (false, false) => open,
    };
    let place = source.pick_row(places, |place| place.id);
    let ends_text = part.closed;
    let (spot, chunk) = match (place.put)(source, &text).filter(|_| !ends_text) {
        Some(chunk) => (place, chunk),
        None if shown => return,
        None => (&OPEN[0], (OPEN[0].put)(source, &text).expect("a block can stand alone")),
    };
    part.closed |= spot.last;
    source.carry(family.id);
    source.carry(spot.id);
    let start = part.push(source, &chunk.text);
    if (family.whole_message || !spot.alone && !family.gate.is_empty()) && !are_calm(&calls) {
        // Beside other text this is prose, and what its values hold may be blocks.
        case.intent = case.intent.max_doubt(Intent::Unknown);
    }
    let framed = family.openers.iter().any(|opener| text.starts_with(opener))
        && family.closers.iter().any(|closer| text.trim_end().ends_with(closer));
    let alone = spot.alone
        || framed && spelling == "canonical" && family.gate.is_empty() && !family.whole_message;
    let calm = damage.is_empty() && alone && spot.id != "in-marker" && are_calm(&calls);
    case.blocks.push(Block {
        part: part.index,
        range: start + chunk.start..start + chunk.end,
        family: family.id.to_owned(),
        spelling: spelling.to_owned(),
        calls,
        shown,
        damage: damage.to_owned(),
        calm,
    });
}

/// Models that no gate names.
const UNGATED: &[&str] = &["claude-sonnet-4-5", "gpt-5.2", "chatglm-lite", "mystery"];

/// Draws the circumstances: open ones, with one or several closed in some cases.
fn surround(source: &mut dyn Source, strays: &Strays, case: &mut Case) {
    let gates: Vec<&'static str> = case
        .blocks
        .iter()
        .filter_map(Block::family)
        .flat_map(|family| family.gate)
        .copied()
        .collect();
    let setting = &mut case.setting;
    if !gates.is_empty() {
        setting.model = Some(format!("vendor/{}-7b", source.pick(&gates)));
    } else if source.chance(1, 4) {
        setting.model = Some((*source.pick(UNGATED)).to_owned());
    }
    if source.chance(1, 8) {
        setting.unknown = UnknownTools::Strip;
    }
    if source.chance(1, 8) {
        (setting.mode, setting.policy) = (None, Policy::Recover);
    }
    if !source.chance(strays.closed, 16) {
        return;
    }
    for _ in 0..[1, 1, 2, 4][source.index(4)] {
        close(source, setting);
    }
}

/// Closes one gate.
fn close(source: &mut dyn Source, setting: &mut Setting) {
    match source.weighted(&[5, 2, 3, 3, 4, 2]) {
        0 => {
            let modes = [Some(Mode::Strip), Some(Mode::Observe), Some(Mode::Off), None];
            setting.mode = *source.pick(&modes);
            setting.policy = *source.pick(&[Policy::Adaptive, Policy::Conservative]);
        }
        1 => setting.assistant = false,
        2 => {
            setting.stop_reason =
                *source.pick(&[StopReason::Length, StopReason::ToolUse, StopReason::Other]);
        }
        3 => setting.native_calls = source.range(1, 2) as usize,
        4 => {
            let names = tools::subjects().iter().map(|subject| subject.name.clone());
            setting.active = Some(names.filter(|_| source.chance(1, 3)).collect());
            setting.allows = source.chance(1, 2);
        }
        _ => setting.model = Some((*source.pick(UNGATED)).to_owned()),
    }
}
