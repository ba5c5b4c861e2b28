//! The texts that the benches of leaks pass over, each with the promise it guards.

use engine::grammar::{Grammar, GrammarConfig, Message, Mode, treat};
use engine::{Context, Registry, Tool, builtin};

/// One text, ready to be timed.
#[derive(Debug)]
#[expect(clippy::struct_field_names, reason = "the text of a bench text")]
pub struct Text {
    /// What the text is, for tables.
    pub name: &'static str,
    /// The promise that its cost guards.
    pub says: &'static str,
    text: String,
    /// How many leaks stand in it.
    leaks: usize,
    grammar: Grammar,
    registry: Registry,
}

impl Text {
    fn of(name: &'static str, says: &'static str, (text, leaks): (String, usize)) -> Self {
        let config = GrammarConfig { mode: Some(Mode::Strip), ..GrammarConfig::default() };
        let tools = builtin::TOOLS.iter().filter_map(|name| Tool::builtin(name, None));
        Self {
            name,
            says,
            text,
            leaks,
            grammar: Grammar::new(config).expect("is ready"),
            registry: Registry::new(tools).expect("names differ"),
        }
    }

    /// How many bytes the text has.
    pub fn bytes(&self) -> usize {
        self.text.len()
    }

    /// Looks for leaks; gives how many there are. Nothing is parsed or removed.
    pub fn scan(&self) -> usize {
        let scanner = self.grammar.scanner();
        if scanner.sees(&self.text) {
            scanner.scan(&self.text, self.registry.names(), &[]).leaks.len()
        } else {
            0
        }
    }

    /// The whole treatment, markdown and removal included; gives how many leaks there are.
    pub fn treat(&self) -> usize {
        let texts = [self.text.as_str()];
        let message = Message { assistant: true, texts: &texts, ..Message::default() };
        treat(&message, &self.grammar, &self.registry, &Context::default()).leaks.len()
    }

    /// # Panics
    ///
    /// If another number of leaks is found than stand in the text.
    pub fn check(&self) {
        assert_eq!(self.treat(), self.leaks, "{}", self.name);
    }
}

/// Every text, in the order of tables.
pub fn texts() -> Vec<Text> {
    let prose = "Prose without a marker is passed over at 1 GB/s or more.";
    let rich = "Text with a leak in each paragraph is scanned at 50 MB/s or more.";
    let only =
        "Nothing but leaks costs by the leak, not by the byte: about 6,000 instructions each.";
    vec![
        Text::of("prose", prose, (repeated(PROSE), 0)),
        Text::of("prose with markdown and code", prose, (repeated(MARKDOWN), 0)),
        Text::of("source with angle brackets", prose, (repeated(SOURCE), 0)),
        Text::of("small leaks", only, leaks(SMALL)),
        Text::of("leaks in prose", rich, leaks(&format!("{PROSE}{LARGE}"))),
        Text::of("unclosed openers", "Openers without closers cost linear work.", unclosed()),
    ]
}

/// How long the texts are, about.
const BYTES: usize = 1 << 20;

const PROSE: &str = "The parser reads the file once and keeps what it needs; everything else is left where it \
    stands. Errors name the line, so that a reader (or a tool) finds it, and nothing is retried.\n\n";

const MARKDOWN: &str = "## Steps\n\n1. Read `src/main.rs`, see [the notes](notes.md).\n2. Run it:\n\n```sh\ncargo test \
    --workspace 2>&1 | tail -20\n```\n\n| a | b |\n|---|---|\n| 1 | <br> |\n\n> It worked.\n\n";

const SOURCE: &str = "impl<T: Into<Vec<u8>>> From<T> for Buffer<T> {\n    fn from(list: T) -> Self { Self([list; 1][0].into()) }\n}\n\
    <div class=\"a\"><p>text</p></div>\n";

const SMALL: &str = "<tool_call>{\"name\": \"ls\", \"arguments\": {}}</tool_call>\n";

const LARGE: &str = "<tool_call>\n{\"name\": \"write\", \"arguments\": {\"path\": \"/w/a.md\", \"content\": \"# Notes\\n\\n- one\\n- two \
    <b>bold</b>\\n\\nMore text that goes on for a while, as files do.\\n\"}}\n</tool_call>\n\n";

fn repeated(piece: &str) -> String {
    piece.repeat(BYTES / piece.len())
}

fn leaks(piece: &str) -> (String, usize) {
    (repeated(piece), BYTES / piece.len())
}

/// A run of openers, and the last one, which the text ends at.
fn unclosed() -> (String, usize) {
    (repeated("<tool_call>"), 2)
}
