//! `MiniMax` M3: XML in which each tag stands behind the token `]<]minimax[>[`.

use serde_json::{Map, Value};

use crate::grammar::tags::take_some;
use crate::grammar::{
    Arguments, Block, BlockState, Cursor, Example, Family, Field, FieldKind, LeakedCall, Page,
    Printed, Spelling,
};

const MARK: &str = "]<]minimax[>[";
const OPENER: &str = "]<]minimax[>[<tool_call>";

/// Elements in elements, the call's own ones included.
const DEPTH_MAX: usize = 32;

pub(super) const FAMILY: Family = Family {
    id: "minimax-m3",
    says: "A field is an element with the key as its tag. An element with elements in it is an \
           object, or a list if they are all called `item`; any other one is text, and all of it is data. \
           White space between tags is syntax.",
    models: &["MiniMax M3"],
    gate: &[],
    whole_message: false,
    openers: &[MARK],
    closers: &[],
    stray_words: &[],
    spellings: &[
        Spelling { id: "canonical", says: "calls in one `tool_call` element", proof: "" },
        Spelling {
            id: "bare",
            says: "the `tool_call` element is missing, or its opening tag",
            proof: "The token stands before each tag and nowhere else, and the calls' own tags are \
                    whole; the wrapper carries nothing.",
        },
    ],
    scan,
    render,
    examples: &[
        Example {
            text: "]<]minimax[>[<tool_call>\n]<]minimax[>[<invoke name=\"write\">\n]<]minimax[>[<path>/x]<]minimax[>[</path>\n]<]minimax[>[<content>a</content>\n]<]minimax[>[</content>\n]<]minimax[>[</invoke>\n]<]minimax[>[</tool_call>",
            spelling: "canonical",
            calls: r#"[{"name": "write", "arguments": {"path": "/x", "content": "a</content>\n"}}]"#,
        },
        Example {
            text: "]<]minimax[>[<invoke name=\"order\">\n]<]minimax[>[<to>\n]<]minimax[>[<zip>018956]<]minimax[>[</zip>\n]<]minimax[>[</to>\n]<]minimax[>[<ids>]<]minimax[>[<item>1]<]minimax[>[</item>]<]minimax[>[</ids>\n]<]minimax[>[</invoke>",
            spelling: "bare",
            calls: r#"[{"name": "order", "arguments": {"to": {"zip": "018956"}, "ids": [1]}}]"#,
        },
        Example {
            text: "]<]minimax[>[<invoke name=\"sh\">ls]<]minimax[>[</command>]<]minimax[>[</invoke>",
            spelling: "",
            calls: "damaged",
        },
        Example {
            text: "]<]minimax[>[<invoke name=\"read\">]<]minimax[>[<path><path>/x]<]minimax[>[</path>]<]minimax[>[</invoke>",
            spelling: "",
            calls: "damaged",
        },
        Example {
            text: "]<]minimax[>[<tool_call>\n]<]minimax[>[<invoke name=\"sh\">",
            spelling: "",
            calls: "cut off",
        },
    ],
};

/// A tag: whether it closes, its word, and its name if it has one.
struct Tag<'t> {
    closes: bool,
    word: &'t str,
    name: Option<&'t str>,
}

/// An element that is open.
struct Open<'t> {
    word: &'t str,
    name: Option<&'t str>,
    children: Vec<(&'t str, Value)>,
}

fn scan(cursor: Cursor<'_, '_>) -> Option<Block> {
    let mut reader = Reader { cursor, open: vec![], calls: vec![], named: vec![] };
    let state = match reader.run() {
        Ok(spelling) => return Some(Block::whole(reader.cursor.at(), spelling, reader.calls)),
        Err(state) => state,
    };
    let mut cursor = reader.cursor;
    if state == BlockState::CutOff {
        cursor.go(cursor.at() + cursor.rest().len());
    } else {
        // Every token belongs to the block; it ends behind the last one's tag before a new call.
        while let Some(next) = cursor.find(MARK)
            && cursor.find(OPENER).is_none_or(|opener| next < opener)
            && !cursor.has_code_to(next)
        {
            cursor.go(next);
            read_tag(&mut cursor);
        }
    }
    Some(Block::broken(cursor.at(), state, reader.named))
}

/// Reads the token and the tag behind it; steps over the token alone if no tag follows.
fn read_tag<'t>(cursor: &mut Cursor<'_, 't>) -> Option<Tag<'t>> {
    cursor.eat(MARK);
    let mut tag = *cursor;
    if !tag.eat("<") {
        return None;
    }
    let closes = tag.eat("/");
    let in_word = |letter: char| letter.is_alphanumeric() || "_-.:".contains(letter);
    let word = take_some(&mut tag, in_word);
    let name = if !closes && word == "invoke" && tag.eat(" name=\"") {
        let name = take_some(&mut tag, |c| !"\"<>\n".contains(c));
        Some(name).filter(|name| tag.eat("\"") && !name.is_empty())
    } else {
        None
    };
    if word.is_empty() || !tag.eat(">") {
        return None;
    }
    *cursor = tag;
    Some(Tag { closes, word, name })
}

struct Reader<'p, 't> {
    cursor: Cursor<'p, 't>,
    open: Vec<Open<'t>>,
    calls: Vec<LeakedCall>,
    named: Vec<String>,
}

impl<'t> Reader<'_, 't> {
    fn run(&mut self) -> Result<&'static str, BlockState> {
        let mut text = "";
        loop {
            let Some(tag) = read_tag(&mut self.cursor) else {
                let rest = self.cursor.rest();
                let cut = rest.len() < 64 && !rest.contains('>');
                return Err(if cut {
                    BlockState::CutOff
                } else {
                    damaged("the token without a tag")
                });
            };
            if let Some(spelling) = self.step(text, &tag)? {
                return Ok(spelling);
            }
            // The next token: right behind white space between elements, anywhere in an element.
            let mut next = self.cursor;
            next.skip_space();
            if self.open.len() <= 1 && !next.sees(MARK) {
                let done = self.open.is_empty() && !self.calls.is_empty();
                let cut = next.is_at_end() || next.sees_cut(MARK);
                return match (done, cut) {
                    (true, _) => Ok("bare"),
                    (_, true) => Err(BlockState::CutOff),
                    _ => Err(damaged("text between elements")),
                };
            }
            text = self.cursor.take_until(MARK).ok_or(BlockState::CutOff)?;
        }
    }

    /// Takes a tag in, and the text that stands before it; the spelling if the block is whole with it.
    fn step(&mut self, text: &str, tag: &Tag<'t>) -> Result<Option<&'static str>, BlockState> {
        let last = self.open.last();
        let outside = last.is_none_or(|open| open.word == "tool_call" && self.open.len() == 1);
        let is_value =
            tag.closes && last.is_some_and(|open| open.name.is_none() && open.children.is_empty());
        if !is_value && !text.trim().is_empty() {
            return Err(damaged("text between elements"));
        }
        match (tag.closes, tag.word) {
            (false, "tool_call") if self.open.is_empty() && self.calls.is_empty() => self.push(tag),
            (false, "invoke") if outside && tag.name.is_some() => {
                self.named.extend(tag.name.map(str::to_owned));
                self.push(tag)
            }
            (false, _) if !outside && tag.name.is_none() => self.push(tag),
            (true, "tool_call") if outside && !self.calls.is_empty() => {
                Ok(Some(if self.open.is_empty() { "bare" } else { "canonical" }))
            }
            (true, word) => self.close(text, word).map(|()| None),
            _ => Err(damaged("a tag where none of its kind may stand")),
        }
    }

    fn push(&mut self, tag: &Tag<'t>) -> Result<Option<&'static str>, BlockState> {
        if self.open.len() >= DEPTH_MAX {
            return Err(damaged("too many elements in elements"));
        }
        self.open.push(Open { word: tag.word, name: tag.name, children: vec![] });
        Ok(None)
    }

    fn close(&mut self, text: &str, word: &str) -> Result<(), BlockState> {
        let Some(open) = self.open.pop().filter(|open| open.word == word && word != "tool_call")
        else {
            return Err(damaged("a closing tag that closes nothing"));
        };
        if open.name.is_none() {
            let value = if open.children.is_empty() {
                if text.trim_start().starts_with(&format!("<{word}>")) {
                    return Err(damaged(
                        "an element's own tag, without its token, begins its text",
                    ));
                }
                Value::String(text.to_owned())
            } else {
                composed(open.children)?
            };
            let parent = self.open.last_mut().ok_or(damaged("an element outside a call"))?;
            parent.children.push((open.word, value));
            return Ok(());
        }
        let mut fields: Vec<Field> = Vec::new();
        for (key, value) in open.children {
            if fields.iter().any(|field| field.name == key) {
                return Err(damaged("a field is given twice"));
            }
            let (text, kind) = match value {
                Value::String(text) => (text, FieldKind::Untyped),
                value => (value.to_string(), FieldKind::Json),
            };
            fields.push(Field { name: key.to_owned(), text, kind });
        }
        let name = open.name.unwrap_or_default().to_owned();
        self.calls.push(LeakedCall { name, arguments: Arguments::Fields(fields) });
        Ok(())
    }
}

fn damaged(why: &'static str) -> BlockState {
    BlockState::Damaged(why)
}

/// The object or list that these elements are.
fn composed(children: Vec<(&str, Value)>) -> Result<Value, BlockState> {
    let items = children.iter().filter(|(word, _)| *word == "item").count();
    if items == children.len() {
        return Ok(children.into_iter().map(|(_, value)| value).collect());
    }
    let mut map = Map::new();
    for (word, value) in children {
        if items > 0 || map.insert(word.to_owned(), value).is_some() {
            return Err(damaged("an element is there twice, or items beside others"));
        }
    }
    Ok(Value::Object(map))
}

fn render(calls: &[Printed<'_>], spelling: &str) -> Option<String> {
    let print = |call: &Printed<'_>| {
        let fields = call.arguments.iter().map(|(key, value)| element(key, value, 2));
        let fields = fields.map(|field| Some(field? + "\n")).collect::<Option<String>>()?;
        Some(format!("{MARK}<invoke name=\"{}\">\n{fields}{MARK}</invoke>\n", call.name))
    };
    let text = calls.iter().map(print).collect::<Option<String>>()?;
    let text =
        if spelling == "bare" { text } else { format!("{OPENER}\n{text}{MARK}</tool_call>") };
    let page = Page::new(&text, &[]);
    let block = scan(page.cursor(0))?;
    (block.state == BlockState::Whole && block.calls.len() == calls.len()).then_some(text)
}

/// Prints a value as an element; `None` if the format has no way of saying it.
fn element(key: &str, value: &Value, depth: usize) -> Option<String> {
    let inside = match value {
        _ if depth > DEPTH_MAX => return None,
        Value::String(text) if text.contains(MARK) => return None,
        Value::Null => return None,
        Value::Array(items) if items.is_empty() => return None,
        Value::Object(map) if map.is_empty() || map.contains_key("item") => return None,
        Value::Array(items) => {
            items.iter().map(|item| element("item", item, depth + 1)).collect::<Option<String>>()?
        }
        Value::Object(map) => map
            .iter()
            .map(|(key, value)| element(key, value, depth + 1))
            .collect::<Option<String>>()?,
        Value::String(text) => text.clone(),
        scalar => scalar.to_string(),
    };
    Some(format!("{MARK}<{key}>{inside}{MARK}</{key}>"))
}
