//! The tokens of chat templates that leak into tool names, and what each may be followed by.

/// Bytes between the bars of a token; the longest known one has 29.
const TOKEN_INSIDE_MAX: usize = 64;

/// Bytes of a call id; vendors use 9 to 40.
const ID_MAX: usize = 64;

/// What may stand behind a token, apart from white space and further tokens.
#[derive(Clone, Copy, Debug, Eq, PartialEq)]
enum After {
    /// Nothing else: plain text there is content.
    Tokens,
    /// Words of [`HEADER_WORDS`].
    Header,
    /// One call id.
    Id,
    /// The arguments object.
    Payload,
}

/// Tokens by spelling; any other `<|…|>` or `<｜…｜>` counts as [`After::Tokens`].
const TOKENS: &[(&str, After)] = &[
    // Harmony
    ("<|channel|>", After::Header),
    ("<|constrain|>", After::Header),
    ("<|start|>", After::Header),
    ("<|message|>", After::Payload),
    // Qwen and Llama turns
    ("<|im_start|>", After::Header),
    ("<|start_header_id|>", After::Header),
    // Kimi
    ("<|tool_call_argument_begin|>", After::Payload),
    // DeepSeek
    ("<｜tool▁sep｜>", After::Payload),
    // Mistral
    ("[CALL_ID]", After::Id),
    ("[ARGS]", After::Payload),
    ("[TOOL_CALLS]", After::Tokens),
    ("[/TOOL_CALLS]", After::Tokens),
    // Hunyuan
    ("<tool_sep>", After::Payload),
    // GLM
    ("</arg_key>", After::Tokens),
    ("</arg_value>", After::Tokens),
    // Qwen, MiniMax, Hermes and bare XML
    ("<tool_call>", After::Tokens),
    ("</tool_call>", After::Tokens),
    ("</tool_calls>", After::Tokens),
    ("</tool_name>", After::Tokens),
    ("</tool>", After::Tokens),
    ("</function>", After::Tokens),
    ("</parameter>", After::Tokens),
    ("</invoke>", After::Tokens),
    ("</s>", After::Tokens),
];

/// Harmony's channels, roles and content types.
const HEADER_WORDS: &[&str] = &["commentary", "analysis", "final", "assistant", "json", "code"];

/// What the text behind a name consists of.
#[derive(Clone, Copy, Debug, Eq, PartialEq)]
pub(super) enum Residue<'t> {
    /// Tokens and header words only; `announced` if one of them announces arguments.
    Tokens { announced: bool },
    /// Tokens, the last of which announces arguments, then this text, which opens an object.
    Payload(&'t str),
    /// Tokens, the last of which is not whole.
    CutOff,
}

/// Reads `text`, which must begin with a token; `None` if it does not, or if it holds plain text.
pub(super) fn residue(text: &str) -> Option<Residue<'_>> {
    let mut rest = text;
    let mut announced = false;
    while !rest.is_empty() {
        let Some((after, behind)) = token(rest) else {
            return is_cut_token(rest).then_some(Residue::CutOff);
        };
        rest = behind.trim_start();
        match after {
            After::Tokens => {}
            After::Header => rest = skip_header(rest)?,
            After::Id => rest = skip_id(rest)?,
            After::Payload if rest.starts_with('{') => return Some(Residue::Payload(rest)),
            After::Payload => announced = true,
        }
    }
    (!text.is_empty()).then_some(Residue::Tokens { announced })
}

/// Whether `tail` may stand behind a complete call: nothing, or tokens that end it.
pub(super) fn ends_call(tail: &str) -> bool {
    let tail = tail.trim();
    // A closing tag of a GLM value would mean that the value had not ended where it seemed to.
    let ends_value = tail.contains("</arg_value>") || tail.contains("</arg_key>");
    let ends = matches!(residue(tail), Some(Residue::Tokens { announced: false }));
    tail.is_empty() || (ends && !ends_value)
}

/// The token at the front, and the text behind it.
fn token(text: &str) -> Option<(After, &str)> {
    let listed =
        TOKENS.iter().find_map(|(token, after)| Some((*after, text.strip_prefix(*token)?)));
    listed.or_else(|| {
        let (inside, bars) = between_bars(text)?;
        Some((After::Tokens, bars.strip_prefix(['|', '｜'])?.strip_prefix('>')?))
            .filter(|_| !inside.is_empty())
    })
}

/// Splits what follows `<|` or `<｜` behind the characters a token's inside may have.
fn between_bars(text: &str) -> Option<(&str, &str)> {
    let opened = text.strip_prefix('<')?.strip_prefix(['|', '｜'])?;
    let at = opened
        .find(|inside: char| !(inside.is_alphanumeric() || matches!(inside, '_' | '-' | '▁')));
    let (inside, bars) = opened.split_at_checked(at.unwrap_or(opened.len()))?;
    (inside.len() <= TOKEN_INSIDE_MAX).then_some((inside, bars))
}

/// Whether `text` is the beginning of a token and nothing else.
fn is_cut_token(text: &str) -> bool {
    let is_cut_listed = TOKENS.iter().any(|(token, _)| token.starts_with(text));
    is_cut_listed || between_bars(text).is_some_and(|(_, bars)| matches!(bars, "" | "|" | "｜"))
}

/// Skips header words; `None` at any other word.
fn skip_header(mut text: &str) -> Option<&str> {
    loop {
        let end = text.find(|letter: char| !letter.is_alphanumeric()).unwrap_or(text.len());
        let (word, behind) = text.split_at_checked(end)?;
        match word {
            "" => return Some(text),
            _ if HEADER_WORDS.contains(&word) => text = behind.trim_start(),
            _ => return None,
        }
    }
}

/// Skips one call id; `None` if it is too long to be one.
fn skip_id(text: &str) -> Option<&str> {
    let is_inside = |letter: char| letter.is_ascii_alphanumeric() || matches!(letter, '_' | '-');
    let rest = text.trim_start_matches(is_inside);
    (text.len() - rest.len() <= ID_MAX).then(|| rest.trim_start())
}
