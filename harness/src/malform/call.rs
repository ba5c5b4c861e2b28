//! A call under construction: the arguments that were meant, and what the damage has made of them so far.

use crate::generate::Subject;
use crate::generate::shape::{self, Site};
use crate::json::{self, Part, Place, Spacing, Token};
use crate::source::{Choose, Source};
use serde_json::{Map, Value};
use std::collections::BTreeSet;
use std::sync::Arc;

/// What reaches the engine.
#[derive(Clone, Debug, PartialEq)]
pub enum Form {
    /// Arguments that arrive as a JSON value.
    Value(Value),
    /// Arguments that arrive as text.
    Text(String),
}

/// Whether a result is acceptable for a call whose damage lost something.
pub type Accepts = fn(&Call, &Value) -> bool;

/// A call, on its way from what was meant to what is sent.
#[derive(Clone, Debug)]
pub struct Call {
    /// The tool that is meant.
    pub subject: Arc<Subject>,
    /// The arguments that are meant: strictly valid.
    pub original: Value,
    /// What is sent.
    pub form: Form,
    /// The tool name as sent.
    pub name: String,
    /// The model that sends it, where that matters.
    pub model: Option<String>,
    /// The provider that serves the model, where that matters.
    pub provider: Option<String>,
    /// Whether `original` is the only sensible reading of what is sent.
    pub lossless: bool,
    /// Whether that holds under the conservative policy as well.
    pub conservative: bool,
    /// For lossy damage: the values allowed besides a refusal.
    pub acceptable: Vec<Value>,
    /// For lossy damage: a test for further allowed values.
    pub accepts: Option<Accepts>,
    /// The ids of the malformations applied, in order.
    pub applied: Vec<&'static str>,
    touched: BTreeSet<Place>,
    tokens: Option<Vec<Token>>,
}

impl Call {
    /// An undamaged call.
    pub fn new(subject: impl Into<Arc<Subject>>, original: Value) -> Self {
        let subject = subject.into();
        Self {
            name: subject.name.clone(),
            form: Form::Value(original.clone()),
            subject,
            original,
            model: None,
            provider: None,
            lossless: true,
            conservative: true,
            acceptable: Vec::new(),
            accepts: None,
            applied: Vec::new(),
            touched: BTreeSet::new(),
            tokens: None,
        }
    }

    /// Whether `result` may come out of a repair of this call. A refusal is not a result;
    /// it is wrong for a lossless call and right for every other.
    pub fn allows(&self, result: &Value) -> bool {
        if self.lossless {
            return *result == self.original;
        }
        self.acceptable.contains(result)
            || self.accepts.is_some_and(|accepts| accepts(self, result))
    }

    /// What is sent, as text: the text itself, or the value in strict JSON.
    pub fn as_text(&self) -> String {
        match &self.form {
            Form::Value(value) => value.to_string(),
            Form::Text(text) => text.clone(),
        }
    }

    /// The value as it stands, while the call is one.
    pub fn value(&self) -> Option<&Value> {
        match &self.form {
            Form::Value(value) => Some(value),
            Form::Text(_) => None,
        }
    }

    pub(super) fn value_mut(&mut self) -> Option<&mut Value> {
        match &mut self.form {
            Form::Value(value) => Some(value),
            Form::Text(_) => None,
        }
    }

    /// The root object, while the call is a value with one.
    pub(super) fn root(&self) -> Option<&Map<String, Value>> {
        self.value()?.as_object()
    }

    /// Whether one of these malformations was applied.
    pub(super) fn has_any(&self, ids: &[&str]) -> bool {
        self.applied.iter().any(|id| ids.contains(id))
    }

    /// One of the untouched plain sites below the root that `wanted` accepts.
    pub(super) fn choose(
        &self,
        source: &mut dyn Source,
        wanted: impl Fn(&Site<'_>, &Value) -> bool,
    ) -> Option<(Place, Value)> {
        let value = self.value()?;
        let fits = |site: Site<'_>| {
            let there = json::at(value, &site.place)?;
            let free = !site.place.is_empty() && !self.touched.contains(&site.place);
            (free && wanted(&site, there)).then(|| (site.place, there.clone()))
        };
        let mut found: Vec<_> =
            shape::sites(&self.subject.schema, value).into_iter().filter_map(fits).collect();
        (!found.is_empty()).then(|| found.swap_remove(source.index(found.len())))
    }

    /// One of the absent optional properties that `wanted` accepts.
    pub(super) fn choose_gap(
        &self,
        source: &mut dyn Source,
        wanted: impl Fn(&Site<'_>) -> bool,
    ) -> Option<Place> {
        let gaps = shape::gaps(&self.subject.schema, self.value()?);
        let free = |site: &Site<'_>| !self.touched.contains(&site.place) && wanted(site);
        let mut found: Vec<Place> = gaps.into_iter().filter(free).map(|site| site.place).collect();
        (!found.is_empty()).then(|| found.swap_remove(source.index(found.len())))
    }

    /// One of the untouched strings at the given selectors that `wanted` accepts, unchanged so far.
    pub(super) fn choose_text(
        &self,
        source: &mut dyn Source,
        selectors: &[String],
        wanted: impl Fn(&str) -> bool,
    ) -> Option<(Place, String)> {
        let value = self.value()?;
        let places = selectors.iter().flat_map(|selector| json::select(value, selector));
        let fits = |place: Place| {
            let text = json::at(value, &place)?.as_str()?;
            (!self.touched.contains(&place) && wanted(text)).then(|| (place, text.to_owned()))
        };
        let mut found: Vec<_> = places.filter_map(fits).collect();
        (!found.is_empty()).then(|| found.swap_remove(source.index(found.len())))
    }

    /// Whether a place holds a plain, untouched, required member.
    pub(super) fn is_required(&self, place: &[String]) -> bool {
        let sites =
            self.value().map(|value| shape::sites(&self.subject.schema, value)).unwrap_or_default();
        !self.touched.contains(place)
            && sites.iter().any(|site| site.place == place && site.required && !site.item)
    }

    /// Puts a value at a place, which counts as touched from now on.
    pub(super) fn put(&mut self, place: Place, new: Value) -> bool {
        let Some((key, parent)) = place.split_last() else { return false };
        let done = match self.value_mut().and_then(|value| json::at_mut(value, parent)) {
            Some(Value::Object(map)) => {
                map.insert(key.clone(), new);
                true
            }
            Some(Value::Array(items)) => key
                .parse()
                .ok()
                .and_then(|at: usize| items.get_mut(at))
                .map(|slot| *slot = new)
                .is_some(),
            _ => false,
        };
        if done {
            self.touched.insert(place);
        }
        done
    }

    /// Gives the member at a place another key; place and value count as touched from now on.
    pub(super) fn rename(&mut self, place: Place, to: &str) -> bool {
        let renamed = self
            .value_mut()
            .and_then(|value| json::parent_mut(value, &place))
            .is_some_and(|(map, key)| json::rename(map, &key, to));
        if renamed {
            self.touched.insert(place);
        }
        renamed
    }

    /// Whether anything at or below a place was touched.
    pub(super) fn touched_below(&self, place: &[String]) -> bool {
        self.touched.iter().any(|touched| touched.starts_with(place))
    }

    /// Replaces the whole value.
    pub(super) fn replace(&mut self, value: Value) -> bool {
        self.form = Form::Value(value);
        true
    }

    /// Makes a gated model the sender; false where another one is, or where its own strips
    /// would change something that was meant.
    pub(super) fn gate(&mut self, models: &[&str], source: &mut dyn Source) -> bool {
        if let Some(model) = &self.model {
            return models.contains(&model.as_str());
        }
        if !survives_gates(&self.subject, &self.original) {
            return false;
        }
        self.model = Some((*source.pick(models)).to_owned());
        self.conservative = false;
        true
    }

    /// The tokens of the call, for one more respelling: only of an object, perhaps alone in a list.
    pub(super) fn tokens(&self, source: &mut dyn Source) -> Option<Vec<Token>> {
        let value = match &self.form {
            Form::Text(_) => return self.tokens.clone(),
            Form::Value(value) => value,
        };
        let inner = value.as_array().and_then(|items| items.first()).unwrap_or(value);
        if !inner.is_object() {
            return None;
        }
        Some(json::tokens(value, *source.pick(&[Spacing::Dense, Spacing::Blank, Spacing::Lines])))
    }

    /// Sends these tokens.
    pub(super) fn respell(&mut self, tokens: Vec<Token>) -> bool {
        self.form = Form::Text(json::join(&tokens));
        self.tokens = Some(tokens);
        true
    }

    /// The text so far, for damage around it.
    pub(super) fn text(&self, source: &mut dyn Source) -> Option<String> {
        match &self.form {
            Form::Text(text) => Some(text.clone()),
            Form::Value(_) => self.tokens(source).map(|tokens| json::join(&tokens)),
        }
    }

    /// Sends this text; its tokens are no longer known.
    pub(super) fn send(&mut self, text: String) -> bool {
        self.form = Form::Text(text);
        self.tokens = None;
        true
    }

    /// Whether the root is an object, sent as one.
    pub(super) fn is_object(&self) -> bool {
        match &self.form {
            Form::Value(value) => value.is_object(),
            Form::Text(text) => self
                .tokens
                .as_ref()
                .map_or(text.as_str(), |tokens| &tokens[0].spelling)
                .starts_with('{'),
        }
    }
}

/// Whether no gated strip would change anything in these arguments.
pub(super) fn survives_gates(subject: &Subject, value: &Value) -> bool {
    let clean = json::strings(value)
        .iter()
        .all(|text| !text.contains("arg_key") && !text.contains("arg_value"));
    let bare =
        subject.anchored.iter().flat_map(|selector| json::select(value, selector)).all(|place| {
            let text = json::at(value, &place).and_then(Value::as_str).unwrap_or_default();
            !text.starts_with('^') && !text.ends_with('$')
        });
    clean && bare
}

/// The index just past the member whose key stands at `key`.
pub(super) fn member_end(tokens: &[Token], key: usize) -> usize {
    let mut depth = 0_usize;
    for (at, token) in tokens.iter().enumerate().skip(key + 1) {
        match token.part {
            Part::Open => depth += 1,
            Part::Close | Part::Comma if depth == 0 => return at,
            Part::Close => depth -= 1,
            _ => {}
        }
    }
    tokens.len()
}

/// The index of one of the tokens that `wanted` accepts.
pub(super) fn choose_token(
    source: &mut dyn Source,
    tokens: &[Token],
    wanted: impl Fn(usize, &Token) -> bool,
) -> Option<usize> {
    let found: Vec<usize> = tokens
        .iter()
        .enumerate()
        .filter(|(at, token)| wanted(*at, token))
        .map(|(at, _)| at)
        .collect();
    (!found.is_empty()).then(|| *source.pick(&found))
}

/// For cut texts: every leaf of the result is a whole leaf of the original, at its own place.
pub(super) fn whole_leaves(call: &Call, result: &Value) -> bool {
    json::leaves(result).iter().all(|(place, leaf)| json::at(&call.original, place) == Some(*leaf))
}
