//! Tells whether a conversation is written down before a leak: turns of others hold calls of others.

use super::words::Words;

/// How far up a conversation is looked for.
const TURNS_BYTES_MAX: usize = 2_000;

/// What begins a turn where a conversation is written down.
static TURNS: Words = Words::new(&[
    "<|im_start|>",
    "<|im_system|>",
    "<|im_user|>",
    "<|im_assistant|>",
    "<|start_header_id|>",
    "<|header_start|>",
    "<|start_of_role|>",
    "<|start_of_turn",
    "<start_of_turn>",
    "<|turn>",
    "<|start|>",
    "<|user|>",
    "<|assistant|>",
    "<|system|>",
    "<|human|>",
    "<｜user｜>",
    "<｜assistant｜>",
    "[inst]",
    "[/inst]",
]);

/// Who speaks, as the first word before a colon.
const SPEAKERS: &[&str] = &[
    "assistant",
    "model",
    "ai",
    "bot",
    "system",
    "claude",
    "chatgpt",
    "gpt",
    "gemini",
    "llama",
    "qwen",
    "deepseek",
    "mistral",
    "agent",
    "narrator",
    "developer",
    "speaker",
    "attacker",
    "customer",
    "assistent",
    "asistente",
    "assistente",
    "ассистент",
    "助手",
    "アシスタント",
];

/// Who speaks to the assistant; wherever such a line stands, a conversation is written down.
const ASKERS: &[&str] = &[
    "user",
    "human",
    "nutzer",
    "benutzer",
    "utilisateur",
    "usuario",
    "usuário",
    "utente",
    "пользователь",
    "用户",
    "ユーザー",
    "사용자",
];

/// Words before a colon that are no name of a speaker, although the writer's own words follow.
const REMARKS: &[&str] = &[
    "note",
    "plan",
    "update",
    "next",
    "now",
    "first",
    "then",
    "finally",
    "thought",
    "action",
    "step",
    "ok",
    "okay",
    "summary",
    "status",
    "task",
    "goal",
    "result",
    "conclusion",
    "reasoning",
    "analysis",
    "answer",
    "decision",
    "fix",
    "issue",
    "problem",
    "also",
    "so",
    "done",
    "progress",
    "idea",
    "hm",
];

/// True if a turn of a conversation is written down before a leak, whose last line is `line`.
pub(super) fn is_in_conversation(before: &str, line: &str) -> bool {
    let far = before.len().saturating_sub(TURNS_BYTES_MAX);
    let start = (far..before.len()).find(|at| before.is_char_boundary(*at)).unwrap_or(far);
    let near = before.get(start..).unwrap_or_default().to_lowercase();
    TURNS.stand_in(&near)
        || speaks(line, SPEAKERS)
        || is_name_speaking(line)
        || near
            .lines()
            .any(|line| speaks(line.trim_matches(|mark| "#*_>- ".contains(mark)), ASKERS))
}

/// True if a line begins with one of these speakers, maybe numbered, and a colon.
fn speaks(line: &str, speakers: &[&str]) -> bool {
    let Some((front, _)) = line.split_once([':', '：']) else { return false };
    speakers.iter().any(|speaker| {
        let number = front
            .strip_prefix(speaker)
            .map(|rest| rest.trim_matches(|mark| "*_ -#".contains(mark)));
        number.is_some_and(|number| {
            number.chars().count() < 2
                || number.chars().next().is_some_and(|first| first.is_ascii_digit())
        })
    })
}

/// True if a line begins with one word and a colon, as a name, and goes on in the first person.
fn is_name_speaking(line: &str) -> bool {
    let Some((name, words)) = line.split_once(": ") else { return false };
    let own = ["i ", "i'", "let me", "let's"].iter().any(|start| words.starts_with(start));
    own && name.chars().all(char::is_alphabetic) && !REMARKS.contains(&name)
}
