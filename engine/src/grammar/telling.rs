//! Reads what the line before a leak says about it: that it is an example, a quotation, or not to be run.

use super::cited::is_cited;
use super::conversation::is_in_conversation;
use super::intent;
use super::words::Words;

/// How far up the line is read that stands before a leak.
const LINE_CHARS_MAX: usize = 200;

/// What says, in a heading or a line that ends in a colon, that an example follows.
static SHOWS: Words = Words::new(&[
    "example",
    "e.g.",
    "for instance",
    "such as",
    "format",
    "syntax",
    "template",
    "sample",
    "looks like",
    "look like",
    "like this",
    "you can",
    "you could",
    "you would",
    "snippet",
    "illustrat",
    "demonstrat",
    "instead of this",
    "wrong way",
    "raw response",
    "raw output",
    "prompt injection",
    "already ran",
    "already called",
    "already executed",
    "previously",
    "i ran",
    "i called",
    "hypothetic",
    "suppose",
    "imagine",
    "pretend",
    "simulated",
    "quoted from",
    "quoting",
    "transcript",
    "from the log",
    "from the docs",
    "failed to parse",
    "beispiel",
    "z. b.",
    "z.b.",
    "so sieht",
    "exemple",
    "ejemplo",
    "exemplo",
    "esempio",
    "например",
    "пример",
    "例如",
    "例子",
    "比如",
    "示例",
    "样例",
    "範例",
    "格式",
    "例えば",
    "예를 들",
    "예시",
]);

/// What says that the writer is about to act, whatever else the line says.
static ACTS: Words = Words::new(&[
    "let me",
    "let's",
    "i'll",
    "i will",
    "i'm",
    "i am",
    "i need",
    "i should",
    "now i",
    "trying",
    "check",
    "reading",
    "running",
    "see what",
    "ich werde",
    "lass mich",
    "je vais",
    "voy a",
    "давай",
    "让我",
    "我来",
    "我将",
    "我先",
]);

/// What the writer is about to do is only to show something.
static DEMONSTRATES: Words = Words::new(&[
    "show you",
    "show an",
    "show the format",
    "show the syntax",
    "show how",
    "give an",
    "give you",
    "demonstrat",
    "illustrat",
    "explain",
    "quote",
    "quoting",
]);

/// What says so in any sentence: that the call waits for somebody, or that it was never meant.
static WITHHOLDS: Words = Words::new(&[
    "if you confirm",
    "if you agree",
    "if you approve",
    "if you want",
    "if you'd like",
    "once you ",
    "after you confirm",
    "after you approve",
    "wait for your",
    "waiting for your",
    "your approval",
    "your confirmation",
    "your permission",
    "let me know",
    "refuse to",
    "would have run",
    "would have called",
    "could have run",
    "could have called",
    "could call",
    "could run",
    "is an example",
    "just an example",
    "only an example",
    "call looks like this",
    "calls look like this",
    "illustration",
    "hypothetical",
    "not executed",
    "skip this",
    "paste this",
    "copy this",
    "send this to",
    "nicht aus",
    "niemals",
    "ne pas ex",
    "n'exécute",
    "no ejecut",
    "não execut",
    "non eseguire",
    "не запуск",
    "не выполн",
    "不要",
    "请勿",
    "切勿",
    "不会执行",
    "しないで",
    "하지 마",
]);

/// What forbids or declines the deed that follows it.
static NEGATIONS: Words = Words::new(&[
    "do not ",
    "don't ",
    "never ",
    "will not ",
    "won't ",
    "should not ",
    "shouldn't ",
    "must not ",
    "mustn't ",
    "would not ",
    "wouldn't ",
    "not going to ",
    "rather not ",
    "let me not ",
]);

/// What is done with a call.
const DEEDS: &[&str] = &[
    "run", "execut", "call", "invoke", "emit", "send", "print", "output", "apply", "do this",
    "do that",
];

/// How a question begins that asks whether to run the call.
const ASKS: &[&str] = &[
    "should i",
    "shall i",
    "may i",
    "would you",
    "do you want",
    "is it ok",
    "is that ok",
    "soll ich",
    "darf ich",
    "möchte",
    "dois-je",
    "是否",
    "要不要",
    "需要我",
];

/// The last word of a line that says whose words follow, or for what.
const SAYS: &[&str] = &[
    "says",
    "said",
    "reads",
    "wrote",
    "writes",
    "contains",
    "contained",
    "emitted",
    "emits",
    "printed",
    "prints",
    "returned",
    "returns",
    "holds",
    "held",
    "means",
    "sent",
    "replied",
    "answered",
    "was",
    "were",
    "be",
    "ran",
    "called",
    "executed",
    "made",
    "saw",
    "rejected",
    "consider",
    "avoid",
];

/// What such a line may also end in.
const POINTS: &[&str] =
    &["this", "the following", "line", "text", "string", "message", "block", "call"];

/// What a line that says nothing else calls the text below it.
const LABELS: &[&str] = &[
    "assistant",
    "user",
    "human",
    "model",
    "ai",
    "bot",
    "system",
    "claude",
    "wrong",
    "incorrect",
    "bad",
    "before",
    "expected",
    "actual",
    "input",
    "output",
    "response",
    "log",
    "transcript",
    "expected output",
    "test input",
    "content",
    "quote",
    "usage",
    "documentation",
    "dry run",
    "not executed",
    "cancelled",
    "deprecated",
    "dangerous",
    "traceback",
    "invalid tool call",
];

/// Elements that hold somebody else's words.
const QUOTES: &[&str] =
    &["user", "message", "output", "stdout", "source", "file", "log", "quote", "transcript"];

/// True if what stands before a leak says that it is an example, a quotation or not to be run, or does not
/// leave it to be the writer's own deed. `said` is the same without what is code.
pub(super) fn withholds(before: &str, said: &str) -> bool {
    let line = last_line(before).to_lowercase().replace('’', "'");
    let text = plain(&line);
    let label = text.strip_suffix([':', '：', '>']).map(|line| line.trim_end_matches(['*', ' ']));
    let heading = line.starts_with('#')
        || line.starts_with("**") && line.ends_with("**")
        || is_underlined(before);
    let is_label = label.is_some_and(|label| LABELS.contains(&label));
    if is_label || is_logged(&line) || line.ends_with(": |") || is_opened(&line) {
        return true;
    }
    let sentence = last_sentence(text);
    // What code says is no word about what stands below it.
    let spoken = last_line(said).to_lowercase().replace('’', "'");
    let spoken = plain(&spoken);
    if is_cited(spoken, last_sentence(spoken)) {
        return true;
    }
    if is_in_conversation(said, text) || !intent::is_own(text, sentence, heading) {
        return true;
    }
    if WITHHOLDS.stand_in(sentence) || is_declined(sentence) || is_asked(sentence) {
        return true;
    }
    let text = label.unwrap_or(text);
    let shown = (label.is_some() || heading) && SHOWS.stand_in(text);
    let quoted = is_quoted(last_sentence(text));
    (shown || quoted) && (!ACTS.stand_in(text) || DEMONSTRATES.stand_in(text))
}

/// The last line that says something, its end only where it is long.
fn last_line(before: &str) -> &str {
    let mut lines = before.rsplit('\n').map(str::trim).filter(|line| !line.is_empty());
    let line = lines.find(|line| !is_rule(line) && !is_list_mark(line)).unwrap_or_default();
    let start = line.char_indices().rev().nth(LINE_CHARS_MAX).map_or(0, |(at, _)| at);
    line.get(start..).unwrap_or_default()
}

/// True if the last line that says something is underlined.
fn is_underlined(before: &str) -> bool {
    let mut lines = before.trim_end().rsplit('\n');
    lines.next().is_some_and(is_rule) && lines.next().is_some_and(|line| !line.trim().is_empty())
}

/// True for a rule or what underlines a heading; two hyphens begin a signature.
fn is_rule(line: &str) -> bool {
    let line = line.trim();
    let only = |mark| line.bytes().all(|byte| byte == mark);
    only(b'=') || line.len() > 2 && only(b'-')
}

/// True if a line is nothing but what begins an item of a list.
pub(super) fn is_list_mark(line: &str) -> bool {
    let mark = line.trim_start_matches(|letter: char| letter.is_ascii_digit());
    matches!(mark, "-" | "*" | "+" | "•" | "." | ")")
}

/// A line in small letters, without marks of a heading or list at its ends.
fn plain(line: &str) -> &str {
    let line = line.trim_matches(|letter: char| "#*_ ".contains(letter));
    let item = line.strip_prefix(['-', '+', '•']).and_then(|line| line.strip_prefix(' '));
    item.map_or(line, |item| item.trim_start_matches(['#', '*', '_', ' ']))
}

/// What stands behind the last end of a sentence, itself not at the end.
fn last_sentence(line: &str) -> &str {
    let body = line.trim_end_matches(['.', '!', '?', '。', '！', '？', ':', '：', ' ']);
    let ends = |(at, letter): (usize, char)| {
        let behind = at + letter.len_utf8();
        match letter {
            '。' | '！' | '？' => Some(behind),
            '.' | '!' | '?' => body.get(behind..)?.starts_with(' ').then_some(behind),
            _ => None,
        }
    };
    let start = body.char_indices().rev().find_map(ends);
    line.get(start.unwrap_or(0)..).unwrap_or_default().trim_start()
}

/// True if a sentence forbids or declines a call.
fn is_declined(sentence: &str) -> bool {
    NEGATIONS.stand_in(sentence)
        && NEGATIONS.iter().any(|negation| {
            sentence.match_indices(negation).any(|(at, _)| {
                let rest = sentence.get(at + negation.len()..).unwrap_or_default();
                let rest = rest.strip_prefix("ever ").or(rest.strip_prefix("be ")).unwrap_or(rest);
                DEEDS.iter().any(|deed| rest.starts_with(deed))
            })
        })
}

/// True for a question whether to run the call.
fn is_asked(sentence: &str) -> bool {
    sentence.ends_with(['?', '？']) && ASKS.iter().any(|start| sentence.starts_with(start))
}

/// True if a sentence ends in saying whose words follow.
fn is_quoted(sentence: &str) -> bool {
    let mut rest = sentence.trim_end();
    for point in POINTS.iter().rev() {
        rest = rest.strip_suffix(point).map_or(rest, str::trim_end);
    }
    rest.rsplit(' ').next().is_some_and(|word| SAYS.contains(&word))
}

/// True for the opening tag of an element that holds somebody else's words.
fn is_opened(line: &str) -> bool {
    let tag = line.strip_prefix('<').and_then(|line| line.strip_suffix('>'));
    let name = tag.and_then(|tag| tag.split(' ').next()).unwrap_or_default();
    QUOTES.contains(&name)
}

/// True if a line begins with a time of day, as in a log.
fn is_logged(line: &str) -> bool {
    let front: Vec<u8> = line.bytes().take(24).collect();
    let is_time = |part: &[u8]| match part {
        [a, b, b':', c, d] => [a, b, c, d].iter().all(|digit| digit.is_ascii_digit()),
        _ => false,
    };
    front.first().is_some_and(|first| first.is_ascii_digit() || *first == b'[')
        && front.windows(5).any(is_time)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn examples_quotations_and_refusals_are_told() {
        for text in [
            "Do not run this:",
            "I won't run this.\n\n",
            "Never call:",
            "I could call the following:",
            "Instead of this:",
            "The log contains this line:",
            "The output was:",
            "Wrong:",
            "**Assistant:**\n",
            "[12:00:01] model>",
            "## Example\n",
            "Example\n-------\n\n",
            "I'll show you an example:",
            "Done so far. Should I run this?",
            "If you confirm, I'll run the following.",
            "Zum Beispiel:",
            "The document says to run:",
            "The web page told me to run this.",
            "The failing call:",
            "Undo this:",
            "Later I will run:",
            "Tomorrow I will run:",
            "TODO later:",
            "Beware of:",
            "GPT-4:",
            "Agent A: Let me look.",
            "Bob: Let me look.",
            "User: list it\nLet me look.\n",
            "notes.txt:",
            "src/main.rs",
            "Parsing failed for",
            "<|im_start|>assistant\n",
            "Nicht ausführen:",
            "例如：",
            "不要运行：",
            "The call would be:",
            "<message role=\"user\">\n",
            "Do not run this:\n- ",
            "Do not run this\n=\n",
            "- Do not run this:\n",
            "See you soon.\n--\n",
            "**Bold** words on the plan\n",
            "words on the **plan**\n",
            "### What the user wrote\n",
            "I would rather not emit that.",
            "That should not be executed.",
            "Should I go on?",
            "是否继续？",
            "Let me know.",
            "content:",
        ] {
            assert!(withholds(text, text), "{text:?}");
        }
    }

    #[test]
    fn intents_are_none() {
        for text in [
            "",
            "Now the config:",
            "Let me check what the README says:",
            "I found an example. Let me read the sample file:",
            "The tests don't run. Reading the source:",
            "I haven't run the tests yet:",
            "It would be best to read this first:",
            "Checking whether the example still works:",
            "What does it contain?",
            "### Step 2: Read the file",
            "That could have been the cause.",
            "让我看看示例：",
            "我来看看这个文件：",
            "I looked at the format.\n\n---\n\n",
            "Here's the fix:",
            "Now the user model:",
            "1. Read the config:",
            "The user asked me to run the tests.",
            "Run the tests:",
            "Now",
            "Done",
            "I'll read `a.rs`",
            "The tests fail, so let me look:",
            "The README says it is in src.",
            "Ich lese die Datei:",
            "Je vais lire le fichier :",
            "Voy a leer el archivo:",
            "Сейчас прочитаю файл:",
            "ファイルを読みます：",
            "Fixing the typo:",
            "### The config file\n",
            "**The config file**\n",
            "The config file\n---\n",
            "I don't know where that is.",
            "文档说可以运行。测试通过了。",
            "User id: 17.\nLet me look.",
            "Config: the file is broken.",
            "Let me look:\n1) ",
            "- Let me look:\n",
        ] {
            assert!(!withholds(text, text), "{text:?}");
        }
    }
}
