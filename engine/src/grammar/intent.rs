//! Tells whether the words before a leak are the writer's own, about to act: only then may its calls run.
//!
//! A finished sentence is narration. What is unfinished, or ends in a colon, announces what stands below it:
//! there the words must say that the writer acts, and acts now. Whatever says neither is not believed.

/// What ends a sentence.
const ENDS: [char; 8] = ['.', '!', '?', '。', '！', '？', '…', '।'];

/// What stands between clauses.
const BREAKS: &[&str] =
    &[", ", "; ", " – ", " — ", " - ", "，", "、", " so ", " and ", " but ", ": "];

/// Words before an announcement that add nothing to it.
const FILLERS: &[&str] = &[
    "ok",
    "okay",
    "sure",
    "great",
    "good",
    "alright",
    "right",
    "perfect",
    "so",
    "but",
    "well",
    "hmm",
    "wait",
    "actually",
    "yes",
    "please",
    "thanks",
    "understood",
    "because",
    "since",
];

/// Words that say that the next step follows; a bare noun is enough behind them.
const STEPS: &[&str] = &[
    "now",
    "next",
    "then",
    "first",
    "second",
    "third",
    "finally",
    "also",
    "again",
    "and",
    "last",
    "lastly",
    "another",
    "jetzt",
    "nun",
    "zuerst",
    "zunächst",
    "dann",
    "als nächstes",
    "maintenant",
    "d'abord",
    "ensuite",
    "puis",
    "ahora",
    "primero",
    "luego",
    "agora",
    "primeiro",
    "ora",
    "adesso",
    "теперь",
    "сейчас",
    "сначала",
    "затем",
];

/// How the writer says in the first person that it acts.
const INTENTS: &[&str] = &[
    "i'll",
    "i will",
    "i'm going to",
    "i am going to",
    "i'm about to",
    "i am about to",
    "i need",
    "i should",
    "i want",
    "i must",
    "i have to",
    "i can ",
    "i haven't",
    "i still",
    "i'd like to",
    "i would like to",
    "i first",
    "i now",
    "we'll",
    "we will",
    "we need",
    "we should",
    "we can ",
    "we have to",
    "let me",
    "let's",
    "let us",
    "lemme",
    "going to",
    "gonna",
    "need to",
    "have to",
    "time to",
    "trying",
    "will ",
    "it would be best to",
    "it's best to",
    "the next step",
    "next step",
    "one more",
    "same for",
    "the user wants",
    "the user asked",
    "the user needs",
    "the user would like",
    "you asked",
    "you wanted",
    "you want",
    "as requested",
    "as asked",
    // German, French.
    "lass mich",
    "lassen sie mich",
    "lass uns",
    "schauen wir",
    "sehen wir",
    "ich muss",
    "wir müssen",
    "je vais",
    "je dois",
    "je lis",
    "je regarde",
    "je vérifie",
    "je cherche",
    "j'ouvre",
    "je lance",
    "j'exécute",
    "j'examine",
    "je commence",
    "je consulte",
    "je modifie",
    "je corrige",
    "je crée",
    "j'écris",
    "je liste",
    "j'affiche",
    "je relance",
    "voyons",
    "laissez-moi",
    "laisse-moi",
    "regardons",
    "vérifions",
    "commençons",
    "on va",
    // Spanish, Portuguese, Italian.
    "voy a",
    "vamos a",
    "vamos",
    "déjame",
    "dejame",
    "permíteme",
    "veamos",
    "necesito",
    "reviso",
    "leo ",
    "busco",
    "compruebo",
    "ejecuto",
    "abro",
    "miro",
    "empiezo",
    "vou ",
    "deixe-me",
    "deixa-me",
    "preciso",
    "fammi",
    "lasciami",
    "vediamo",
    "leggo",
    "controllo",
    "devo",
    "cerco",
    "apro",
    // Chinese.
    "现在",
    "首先",
    "继续",
    // Russian.
    "давай",
    "я прочитаю",
    "прочитаю",
    "читаю",
    "проверяю",
    "проверю",
    "проверим",
    "посмотрю",
    "посмотрим",
    "смотрю",
    "открываю",
    "открою",
    "запускаю",
    "запущу",
    "найду",
    "ищу",
    "мне нужно",
    "нужно",
    "исправляю",
    "исправлю",
    "создам",
    "создаю",
    "начну",
    "я посмотрю",
    "я проверю",
    "я запущу",
    "я открою",
    "я создам",
    "я исправлю",
];

/// The same in scripts without spaces, anywhere in the clause or at its end.
const INTENTS_WITHIN: &[&str] = &[
    "让我",
    "我来",
    "我将",
    "我先",
    "我会",
    "我需要",
    "我要",
    "我去",
    "我再",
    "我现在",
    "现在我",
    "接下来",
    "下面我",
    "我们来",
    "我们先",
    "先看",
    "看看",
    "看一下",
    "正在",
    "讓我",
    "我來",
    "我將",
    "我會",
];
const INTENTS_AT_END: &[&str] = &[
    "します",
    "みます",
    "読みます",
    "見ます",
    "開きます",
    "調べます",
    "始めます",
    "しましょう",
    "ましょう",
    "겠습니다",
    "할게요",
    "볼게요",
    "보겠습니다",
    "합니다",
    "확인하겠습니다",
];

/// What takes an intent back: it is another's, another time's, or none.
const TAKEN_BACK: &[&str] = &[
    " you to",
    "i'll never",
    "i will never",
    "i will not",
    "i'll not",
    "let me not",
    "let's not",
    "i must not",
    "i should not",
    "i can not",
    " avoid",
    " refuse",
    " decline",
    " skip",
    " warn",
    " pretend",
    "not run",
    "i'll ask",
    "i will ask",
    " ask you",
    " propose",
    " suggest",
    " recommend",
    " would ",
    " could ",
    " might ",
    "was told",
    "were told",
];

/// What a writer does, as the first word of an announcement: `Read the config:`.
const DEEDS: &[&str] = &[
    "read", "check", "look", "list", "find", "search", "open", "inspect", "view", "fix", "update",
    "edit", "create", "write", "add", "apply", "run", "test", "build", "verify", "grep", "examine",
    "start", "try", "get", "fetch", "retry", "confirm", "review", "explore", "locate", "compare",
    "install", "compile", "rename", "replace", "load", "query", "scan",
];

/// The same, being done.
const DOING: &[&str] = &[
    "reading",
    "checking",
    "looking",
    "listing",
    "finding",
    "searching",
    "opening",
    "inspecting",
    "viewing",
    "fixing",
    "updating",
    "editing",
    "creating",
    "writing",
    "adding",
    "applying",
    "running",
    "testing",
    "building",
    "verifying",
    "grepping",
    "examining",
    "starting",
    "trying",
    "getting",
    "fetching",
    "retrying",
    "confirming",
    "reviewing",
    "exploring",
    "locating",
    "comparing",
    "installing",
    "compiling",
    "renaming",
    "replacing",
    "using",
    "making",
    "loading",
    "querying",
    "setting",
    "scanning",
    "calling",
    "moving",
    "cleaning",
    "removing",
    "deleting",
    "investigating",
    "proceeding",
    "continuing",
    "going",
    "taking",
    "pulling",
    "putting",
    "executing",
    "beginning",
    "invoking",
    "requesting",
    "asking",
    "sending",
    "digging",
    "tracing",
    "rerunning",
    "re-running",
];

/// What was just found out or done, without an end of the sentence.
const FOUND: &[&str] =
    &["found", "created", "updated", "fixed", "added", "i found", "i've found", "i see"];

/// What only names a text that somebody wrote; behind such words stands a quotation.
const UTTERANCES: &[&str] = &[
    "call",
    "calls",
    "command",
    "commands",
    "line",
    "lines",
    "text",
    "string",
    "message",
    "messages",
    "instruction",
    "instructions",
    "prompt",
    "snippet",
    "log",
    "logs",
    "output",
    "note",
    "comment",
    "response",
    "reply",
    "request",
    "payload",
    "block",
    "injection",
    "excerpt",
    "quote",
    "entry",
    "transcript",
    "version",
    "attempt",
    "failure",
    "this",
    "these",
    "those",
    "following",
    "you",
];

/// Whole lines that say nothing.
const NODS: &[&str] = &[
    "done",
    "got it",
    "of course",
    "certainly",
    "found it",
    "absolutely",
    "fertig",
    "klar",
    "gut",
    "d'accord",
    "bien",
    "vale",
    "claro",
    "hecho",
    "certo",
    "pronto",
    "готово",
    "хорошо",
    "好的",
    "好",
    "はい",
    "了解",
    "了解しました",
    "承知しました",
    "네",
    "알겠습니다",
];

/// Words that no announcement ends in.
const LINKS: &[&str] = &[
    "for", "with", "of", "the", "a", "an", "to", "and", "or", "in", "on", "at", "by", "from",
    "that", "as", "was", "were", "is", "are", "be", "like", "about", "because", "if", "when",
    "than", "der", "die", "das", "und", "für", "mit", "von", "le", "la", "les", "de", "et", "pour",
    "el", "y", "para", "con", "и", "для", "с", "на",
];

/// What puts a deed off, at the front of a clause.
const LATER: &[&str] = &[
    "later",
    "tomorrow",
    "tonight",
    "next week",
    "next time",
    "next month",
    "next session",
    "someday",
    "eventually",
    "in the future",
    "afterwards",
    "todo",
    "to do",
    "to-do",
    "morgen",
    "später",
    "nächste woche",
    "demain",
    "plus tard",
    "la semaine prochaine",
    "mañana",
    "más tarde",
    "amanhã",
    "mais tarde",
    "domani",
    "più tardi",
    "завтра",
    "позже",
    "потом",
    "明天",
    "稍后",
    "以后",
    "回头",
    "改天",
    "下次",
    "明日",
    "後で",
    "あとで",
    "次回",
    "내일",
    "나중에",
];

/// What puts it off at the end; a day may be what is asked about there.
const LATER_AT_END: &[&str] = &[
    "later",
    "eventually",
    "afterwards",
    "someday",
    "next time",
    "later on",
    "another time",
    "später",
    "plus tard",
    "más tarde",
    "mais tarde",
    "più tardi",
    "позже",
    "потом",
    "do this tomorrow",
    "do that tomorrow",
    "run this tomorrow",
    "do it tomorrow",
    "run it tomorrow",
    "run tomorrow",
];

/// Whose words a sentence tells.
const TELLS: &[&str] = &[
    "says",
    "said",
    "told",
    "tells",
    "asks",
    "asked",
    "wants",
    "wanted",
    "instructs",
    "instructed",
    "orders",
    "ordered",
    "claims",
    "recommends",
    "recommended",
    "suggests",
    "suggested",
    "demands",
    "advises",
    "advised",
    "sagt",
    "verlangt",
    "empfiehlt",
    "fordert",
    "dit",
    "demande",
    "recommande",
    "indique",
    "dice",
    "pide",
    "recomienda",
    "indica",
    "diz",
    "pede",
    "говорит",
    "пишет",
    "просит",
    "велит",
    "требует",
    "советует",
];

/// What somebody told to do with a call.
const TOLD_TO: &[&str] = &[
    "to run",
    "to execute",
    "to call",
    "to invoke",
    "me to",
    "should run",
    "run this",
    "running this",
    "this call",
    "this command",
    "the following",
    "ausführ",
    "aufzuruf",
    "exécut",
    "lancer",
    "appeler",
    "ejecut",
    "llamar",
    "execut",
    "выполнить",
    "запустить",
    "вызвать",
];

/// Whose wish is the writer's task.
const OWN: &[&str] = &[
    "the user",
    "user ",
    "you ",
    "i ",
    "i'",
    "we ",
    "let ",
    "as you",
    "der benutzer",
    "der nutzer",
    "du ",
    "sie ",
    "l'utilisateur",
    "vous ",
    "tu ",
    "el usuario",
    "o usuário",
    "пользователь",
    "вы ",
    "ich ",
    "je ",
    "j'",
];

/// Whose words a Chinese or Japanese sentence tells, and what to do.
const TELLS_WITHIN: &[&str] =
    &["说", "說", "要求", "建议", "告诉", "叫我", "写着", "と書", "と言", "とあり"];
const TOLD_WITHIN: &[&str] = &["运行", "执行", "调用", "運行", "執行", "実行", "呼び出"];
const OWN_WITHIN: &[&str] = &["用户", "您", "你", "ユーザー"];

/// True if a line before a leak leaves it to be the writer's own deed. It is in small letters, without
/// marks of a heading or list at its ends; `sentence` is its last one.
pub(super) fn is_own(line: &str, sentence: &str, heading: bool) -> bool {
    let body = line.trim_end_matches([')', ']', '"', '\'', '”', '»', '」', '`', '*', '_', ' ']);
    let Some(last) = body.chars().nth(1).and_then(|_| body.chars().next_back()) else {
        // A letter says nothing.
        return true;
    };
    if is_file_name(line) || is_put_off(sentence) || is_told(sentence) || is_condition(sentence) {
        return false;
    }
    let announces = matches!(last, ':' | '：');
    let open =
        announces || last.is_alphanumeric() || matches!(last, ',' | ';' | '-' | '–' | '—' | '，');
    if ENDS.contains(&last) || !open || (heading && !announces) {
        return true;
    }
    let words = bare(sentence);
    NODS.contains(&words) || (!ends_in(words, LINKS) && acts(words, announces))
}

/// True if a line is nothing but the name of a file.
fn is_file_name(line: &str) -> bool {
    let name = line.trim_matches(|mark: char| ":：`'\"()[]-•> ".contains(mark));
    let ending =
        name.rsplit_once('.').filter(|(stem, _)| !stem.is_empty()).map(|(_, ending)| ending);
    let named = ending.is_some_and(|ending| {
        (1..=5).contains(&ending.len()) && ending.bytes().all(|byte| byte.is_ascii_alphanumeric())
    });
    !name.contains(char::is_whitespace) && name.is_ascii() && (named || name.contains('/'))
}

/// True if a sentence says that the deed is for another time.
fn is_put_off(sentence: &str) -> bool {
    let words = bare(sentence);
    let soon = has_word(words, "now") || has_word(words, "first");
    let starts = LATER.iter().any(|later| {
        let follows = |rest: &str| {
            !rest.starts_with(['\'', '.', '的', '-', 'の']) && is_boundary(later, rest)
        };
        words.strip_prefix(later).is_some_and(follows)
    });
    !soon && (starts || LATER_AT_END.iter().any(|later| ends_in(words, &[*later])))
        || words.contains("稍后")
}

/// True if a sentence tells what somebody else wants to be run.
fn is_told(sentence: &str) -> bool {
    let own = OWN.iter().any(|own| sentence.starts_with(own)) || any_in(sentence, OWN_WITHIN);
    let tells = TELLS.iter().any(|tells| has_word(sentence, tells));
    !own && (tells && any_in(sentence, TOLD_TO)
        || any_in(sentence, TELLS_WITHIN) && any_in(sentence, TOLD_WITHIN))
}

/// True if a sentence says when the call would be run.
fn is_condition(sentence: &str) -> bool {
    let starts =
        ["if ", "should ", "unless ", "in case ", "falls ", "wenn ", "si ", "se ", "если ", "如果"];
    let deeds = [
        "run",
        "call",
        "execut",
        "this:",
        "ausf",
        "exécut",
        "lance",
        "ejecut",
        "запу",
        "выполн",
        "运行",
        "执行",
    ];
    starts.iter().any(|start| sentence.starts_with(start)) && any_in(sentence, &deeds)
}

/// True if a clause says that the writer acts.
fn acts(words: &str, announces: bool) -> bool {
    let mut clauses = vec![words];
    for at in BREAKS {
        clauses = clauses.into_iter().flat_map(|clause| clause.split(at)).collect();
    }
    let taken_back = any_in(words, TAKEN_BACK);
    let deed =
        ends_in(words, &["run", "execute", "call", "use", "type", "enter", "paste", "invoke"]);
    let first_person = clauses.iter().any(|clause| is_intent(strip(clause).0));
    (first_person && !taken_back)
        || (!taken_back && !deed && clauses.iter().any(|clause| is_step(clause, announces)))
}

/// True if a clause says in the first person that its writer acts.
fn is_intent(clause: &str) -> bool {
    let present = |clause: &str| {
        let verb = clause.split(' ').next().unwrap_or_default();
        verb.ends_with('e')
            && !matches!(
                verb,
                "würde" | "könnte" | "sollte" | "hatte" | "wollte" | "wurde" | "habe"
            )
    };
    let doing = |clause: &str| DOING.contains(&clause.split(' ').next().unwrap_or_default());
    INTENTS.iter().any(|intent| starts_with(clause, intent))
        || any_in(clause, INTENTS_WITHIN)
        || INTENTS_AT_END.iter().any(|end| clause.ends_with(end))
        || clause.strip_prefix("ich ").is_some_and(present)
        || ["i'm ", "i am "].iter().any(|start| clause.strip_prefix(start).is_some_and(doing))
}

/// True if a clause names the next step without saying whose it is.
fn is_step(clause: &str, announces: bool) -> bool {
    let (rest, step) = strip(clause);
    let first = rest.split(' ').next().unwrap_or_default();
    let behind = rest.get(first.len()..).unwrap_or_default().trim_start();
    let quotes = UTTERANCES.iter().any(|noun| has_word(rest, noun))
        || TELLS.iter().any(|tells| has_word(rest, tells));
    let failed = ["failed", "fails", "was", "were", "broke", "breaks"];
    if DOING.contains(&first) {
        return !failed.iter().any(|word| has_word(behind, word));
    }
    if DEEDS.contains(&first) {
        let points = ["this", "that", "these", "it", "the following"];
        return !behind.is_empty() && !points.iter().any(|point| starts_with(behind, point));
    }
    let shows = ["here's ", "here is ", "here are ", "this is "];
    let given = shows.iter().any(|start| rest.starts_with(start));
    let found = !announces && FOUND.iter().any(|start| starts_with(rest, start));
    let numbered = starts_with(rest, "step") && rest.contains(char::is_numeric);
    !quotes && (step || given || found || numbered)
}

/// What is left behind fillers and words of order, and whether there was one of order.
fn strip(clause: &str) -> (&str, bool) {
    let (mut rest, mut step) = (clause.trim(), false);
    loop {
        let numbered = rest
            .trim_start_matches(|letter: char| letter.is_numeric() || "-.)•+*# ".contains(letter));
        let next = |words: &&&str| starts_with(numbered, words);
        let (word, order) = match (STEPS.iter().find(next), FILLERS.iter().find(next)) {
            (Some(word), _) => (word.len(), true),
            (None, Some(word)) => (word.len(), false),
            (None, None) => return (numbered, step),
        };
        step |= order;
        rest =
            numbered.get(word..).unwrap_or_default().trim_start_matches([' ', ',', '!', '.', ':']);
    }
}

/// A sentence without the marks at its ends.
fn bare(sentence: &str) -> &str {
    sentence
        .trim_matches(|mark: char| ENDS.contains(&mark) || ":：,，;-–—•*_`'\"()[] ".contains(mark))
}

fn any_in(text: &str, parts: &[&str]) -> bool {
    parts.iter().any(|part| text.contains(part))
}

fn starts_with(text: &str, words: &str) -> bool {
    text.strip_prefix(words).is_some_and(|rest| is_boundary(words, rest))
}

/// True if a word may end between these; scripts without spaces have no such places.
fn is_boundary(before: &str, after: &str) -> bool {
    let latin = |letter: char| letter.is_alphabetic() && letter < '\u{2000}';
    let glued =
        before.chars().next_back().is_some_and(latin) && after.chars().next().is_some_and(latin);
    !glued
}

fn ends_in(text: &str, words: &[&str]) -> bool {
    words.iter().any(|word| text.strip_suffix(word).is_some_and(|head| is_boundary(head, word)))
}

fn has_word(text: &str, word: &str) -> bool {
    text.match_indices(word).any(|(at, _)| {
        let (head, tail) =
            (text.get(..at).unwrap_or_default(), text.get(at + word.len()..).unwrap_or_default());
        is_boundary(head, word) && is_boundary(word, tail)
    })
}
