//! A name for a model, made of known words only.

use super::ident::OTHER;

/// The words that begin a model's name.
const FAMILIES: &[&str] = &[
    "apertus",
    "arcee",
    "aya",
    "chatglm",
    "claude",
    "codegemma",
    "codellama",
    "codestral",
    "cogito",
    "command",
    "deepseek",
    "devstral",
    "doubao",
    "ernie",
    "exaone",
    "falcon",
    "gemini",
    "gemma",
    "glm",
    "gpt",
    "granite",
    "grok",
    "hermes",
    "hunyuan",
    "internlm",
    "jamba",
    "kimi",
    "lfm",
    "ling",
    "llama",
    "magistral",
    "mimo",
    "minimax",
    "ministral",
    "mistral",
    "mixtral",
    "nemotron",
    "nova",
    "o",
    "olmo",
    "palmyra",
    "phi",
    "pixtral",
    "qwen",
    "qwq",
    "ring",
    "seed",
    "smollm",
    "solar",
    "sonar",
    "starcoder",
    "step",
    "yi",
];

/// The words that may follow.
const WORDS: &[&str] = &[
    "a",
    "air",
    "awq",
    "b",
    "base",
    "beta",
    "chat",
    "code",
    "coder",
    "codex",
    "distill",
    "exp",
    "experimental",
    "fast",
    "flash",
    "fp",
    "free",
    "gguf",
    "gptq",
    "haiku",
    "highspeed",
    "instruct",
    "int",
    "it",
    "k",
    "large",
    "latest",
    "lite",
    "long",
    "m",
    "maverick",
    "max",
    "medium",
    "mini",
    "nano",
    "next",
    "omni",
    "opus",
    "oss",
    "plus",
    "preview",
    "pro",
    "q",
    "r",
    "reasoner",
    "reasoning",
    "scout",
    "small",
    "sonnet",
    "speciale",
    "text",
    "thinking",
    "turbo",
    "ultra",
    "v",
    "vision",
    "vl",
    "xl",
];

/// The most parts of a name.
const PARTS_MAX: usize = 6;

/// The most parts that are digits alone.
const NUMBERS_MAX: usize = 2;

/// The most bytes of an id that are looked at.
const ID_MAX: usize = 256;

/// How records name a model: known words and short numbers of the last segment of its id, from the
/// first family word on; `other` if there is none.
///
/// An id as the user configured it may be a file path, a deployment or project name, or a resource
/// name with an account number in it. A vocabulary lets nothing of that through, and it puts the
/// same model of several providers under one name. Dates and tags behind the name are lost.
///
/// # Examples
///
/// ```
/// use engine::telemetry::model_name;
///
/// assert_eq!(model_name("moonshotai/Kimi-K2-Thinking"), "kimi-k2-thinking");
/// assert_eq!(model_name("us.anthropic.claude-sonnet-4-5-20250929-v1:0"), "claude-sonnet-4-5");
/// assert_eq!(model_name("/home/me/models/secret-7b.gguf"), "other");
/// ```
pub fn model_name(id: &str) -> String {
    let last = id.rsplit(['/', '\\']).next().unwrap_or_default();
    let last = last.get(..ID_MAX).unwrap_or(last);
    let mut name = Name::default();
    for word in last.split(|c: char| !c.is_ascii_alphanumeric() && c != '.') {
        let word = word.to_ascii_lowercase();
        // `4.6` is one part; `us.anthropic.claude` is three.
        let whole = name.begun().then(|| part(&word, WORDS)).flatten().or(part(&word, FAMILIES));
        let goes_on = match whole {
            Some(kind) => name.add(&word, kind),
            None => word.split('.').all(|piece| match piece {
                "" => true,
                piece if !name.begun() => {
                    part(piece, FAMILIES).is_none_or(|kind| name.add(piece, kind))
                }
                piece => part(piece, WORDS).is_some_and(|kind| name.add(piece, kind)),
            }),
        };
        if !goes_on {
            break;
        }
    }
    if name.parts.is_empty() { OTHER.to_owned() } else { name.parts.join("-") }
}

/// A name as it grows.
#[derive(Default)]
struct Name {
    parts: Vec<String>,
    numbers: usize,
}

impl Name {
    fn begun(&self) -> bool {
        !self.parts.is_empty()
    }

    /// Adds a part; false if there is no room for it.
    fn add(&mut self, part: &str, kind: Kind) -> bool {
        self.numbers += usize::from(kind == Kind::Number);
        if self.parts.len() == PARTS_MAX || self.numbers > NUMBERS_MAX {
            return false;
        }
        self.parts.push(part.to_owned());
        true
    }
}

#[derive(Clone, Copy, Eq, PartialEq)]
enum Kind {
    Word,
    Number,
}

/// What a part is: a known word with or without a short number behind it, or (after a family) a
/// short number alone, such as `4.6`, `70b` or `8x7b`.
fn part(text: &str, words: &[&str]) -> Option<Kind> {
    let letters = text.bytes().take_while(u8::is_ascii_alphabetic).count();
    let (word, number) = text.split_at_checked(letters)?;
    match (word, number) {
        ("" | "o", "") => None,
        ("", number) => (words == WORDS && is_short_number(number)).then_some(Kind::Number),
        (word, "") => words.contains(&word).then_some(Kind::Word),
        (word, number) => (words.contains(&word) && is_short_number(number)).then_some(Kind::Word),
    }
}

/// Digits, at most three, perhaps with a fraction of two, an `x` and two more, and a letter.
fn is_short_number(text: &str) -> bool {
    let digits = |text: &str, most: usize| {
        (1..=most).contains(&text.len()) && text.bytes().all(|byte| byte.is_ascii_digit())
    };
    let text = text.strip_suffix(|c: char| matches!(c, 'b' | 'm' | 'o' | 'k')).unwrap_or(text);
    match text.split_once(['.', 'x', 'p']) {
        Some((whole, rest)) => digits(whole, 3) && digits(rest, 2),
        None => digits(text, 3),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn known_words_pass_and_nothing_else() {
        for (id, name) in [
            ("glm-4.6", "glm-4.6"),
            ("zai-org/GLM-4.6-CANARY", "glm-4.6"),
            ("gpt-4o-mini", "gpt-4o-mini"),
            ("o3-mini", "o3-mini"),
            ("qwen/qwen3-235b-a22b-instruct-2507", "qwen3-235b-a22b-instruct"),
            ("Qwen2.5-Coder-32B-Instruct-AWQ", "qwen2.5-coder-32b-instruct-awq"),
            ("accounts/fireworks/models/kimi-k2p5", "kimi-k2p5"),
            ("deepseek-chat-v3-0324:free", "deepseek-chat-v3"),
            ("mixtral:8x7b", "mixtral-8x7b"),
            ("llama3.1:70b", "llama3.1-70b"),
            ("gemini-2.5-flash", "gemini-2.5-flash"),
            ("grok-code-fast-1", "grok-code-fast-1"),
            ("C:\\models\\mistral-7b-secret.gguf", "mistral-7b"),
            ("arn:aws:bedrock:us-east-1:123456789012:inference-profile/us.x", "other"),
            ("us.anthropic.claude-sonnet-4-5-20250929-v1:0", "claude-sonnet-4-5"),
            ("7b-mistral-instruct", "mistral-instruct"),
            ("acme7-glm-4.6-acme7", "glm-4.6"),
            ("glm-4.acme", "glm-4"),
            ("glm-acme.4", "glm"),
            ("glm-123-456-789", "glm-123-456"),
            ("glm-1234", "glm"),
            ("CANARY", "other"),
            ("o", "other"),
            ("", "other"),
            ("ключ", "other"),
        ] {
            assert_eq!(model_name(id), name, "{id}");
        }
    }

    #[test]
    fn the_words_are_sorted_and_stand_once() {
        for words in [FAMILIES, WORDS] {
            assert!(words.is_sorted(), "{words:?}");
            assert!(words.windows(2).all(|pair| pair[0] != pair[1]));
        }
    }
}
