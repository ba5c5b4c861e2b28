//! A slow model of the lifecycle: a list of calls, a list of preparations, and the rules read off its documentation.

use engine::lifecycle::Bounds;
use serde_json::Value;

/// What the model of a call should hear, by marks in its lines, and the rules of it.
#[derive(Clone, Debug, Default, Eq, PartialEq)]
pub struct Said {
    /// Marks of the parts, in order.
    pub marks: Vec<String>,
    /// Rules, each once, in order.
    pub rules: Vec<&'static str>,
}

impl Said {
    fn join(&mut self, more: Option<&Self>) {
        let Some(more) = more else { return };
        self.marks.extend(more.marks.iter().cloned());
        for rule in &more.rules {
            if !self.rules.contains(rule) {
                self.rules.push(rule);
            }
        }
    }

    /// True if there is nothing to say.
    pub fn is_empty(&self) -> bool {
        self.rules.is_empty()
    }
}

#[derive(Debug)]
struct Known {
    id: String,
    since: u64,
    started: bool,
    nested: bool,
    /// Calls under this id that have started and not ended.
    open: usize,
    /// More than one of them was open at once.
    shared: bool,
    said: Said,
}

#[derive(Debug)]
struct Waiting {
    since: u64,
    tool: String,
    args: Value,
    said: Option<Said>,
}

/// What is known of a session.
#[derive(Debug)]
pub struct Model {
    bounds: Bounds,
    known: Vec<Known>,
    waiting: Vec<Waiting>,
    /// The call that has just started: id and tool.
    starts: Option<(String, String)>,
}

impl Model {
    /// A session in which nothing has happened.
    pub fn new(bounds: Bounds) -> Self {
        Self { bounds, known: Vec::new(), waiting: Vec::new(), starts: None }
    }

    /// Forgets what is too old at `now`.
    pub fn age(&mut self, now: u64) {
        let Bounds { pending_ms_max, bound_ms_max, .. } = self.bounds;
        self.waiting.retain(|row| row.since + pending_ms_max >= now);
        self.known.retain(|row| row.since + bound_ms_max >= now);
    }

    /// How many calls are known, and how many preparations wait.
    pub fn held(&self) -> (usize, usize) {
        (self.known.len(), self.waiting.len())
    }

    fn place(&self, id: &str) -> Option<usize> {
        self.known.iter().position(|row| row.id == id)
    }

    fn add(&mut self, id: &str, started: bool, said: Option<&Said>, now: u64) {
        if let Some(old) = self.place(id) {
            self.known.remove(old);
        }
        let mut row = Known {
            id: id.to_owned(),
            since: now,
            started,
            nested: false,
            open: 1,
            shared: false,
            said: Said::default(),
        };
        row.said.join(said);
        self.known.push(row);
        if self.known.len() > self.bounds.bound_max {
            self.known.remove(0);
        }
    }

    /// A message has ended.
    pub fn announce(&mut self, id: &str, said: &Said, now: u64) {
        match self.place(id).filter(|place| !self.known[*place].started) {
            Some(place) => self.known[place].said.join(Some(said)),
            None => self.add(id, false, Some(said), now),
        }
    }

    /// A call starts; where one of its id is open, no result can be told to be either's.
    pub fn start(&mut self, id: &str, tool: &str, now: u64) {
        self.starts = Some((id.to_owned(), tool.to_owned()));
        let Some(place) = self.place(id) else { return self.add(id, true, None, now) };
        let row = &mut self.known[place];
        row.since = now;
        if row.started {
            row.open += 1;
            row.shared = true;
        }
        row.started = true;
    }

    /// Arguments are prepared: for the call that has just started, or for nobody knows which.
    pub fn prepare(&mut self, tool: &str, args: &Value, said: Option<&Said>, now: u64) {
        let started = self.starts.take().filter(|(_, named)| named == tool);
        if let Some((id, _)) = started {
            return match self.place(&id) {
                Some(place) => self.known[place].said.join(said),
                None => self.add(&id, true, said, now),
            };
        }
        self.waiting.push(Waiting {
            since: now,
            tool: tool.to_owned(),
            args: plain(args),
            said: said.cloned(),
        });
        if self.waiting.len() > self.bounds.pending_max {
            self.waiting.remove(0);
        }
    }

    /// A call is about to run; where it was not started, it takes the first preparation of its arguments.
    pub fn run(&mut self, id: &str, (tool, args): (&str, &Value), nested: bool, now: u64) {
        self.starts = None;
        if self.place(id).is_none_or(|place| !self.known[place].started) {
            let args = plain(args);
            let equal = self.waiting.iter().position(|row| row.tool == tool && row.args == args);
            let said = equal.and_then(|place| self.waiting.remove(place).said);
            match self.place(id) {
                Some(place) => {
                    self.known[place].started = true;
                    self.known[place].said.join(said.as_ref());
                }
                None => self.add(id, true, said.as_ref(), now),
            }
        }
        if let Some(place) = self.place(id) {
            self.known[place].nested |= nested;
        }
    }

    /// A call has a result; what should its note say?
    pub fn finish(&mut self, id: &str, nested: bool) -> Option<Said> {
        self.forget_start(id);
        let place = self.place(id)?;
        if self.known[place].shared {
            return None;
        }
        let row = self.known.remove(place);
        let silent = nested || row.nested || row.said.is_empty();
        (!silent).then_some(row.said)
    }

    /// Nothing more comes of a call.
    pub fn end(&mut self, id: &str) {
        self.forget_start(id);
        if let Some(place) = self.place(id) {
            self.known[place].open -= 1;
            if self.known[place].open == 0 {
                self.known.remove(place);
            }
        }
    }

    fn forget_start(&mut self, id: &str) {
        if self.starts.as_ref().is_some_and(|(starts, _)| starts == id) {
            self.starts = None;
        }
    }

    /// The run or the session ends.
    pub fn clear(&mut self) {
        *self = Self::new(self.bounds);
    }
}

/// Arguments with the spellings of numbers and booleans, which a host converts on the way, made one.
pub fn plain(args: &Value) -> Value {
    match args {
        Value::Object(members) => {
            members.iter().map(|(key, value)| (key.clone(), plain(value))).collect()
        }
        Value::Array(items) => items.iter().map(plain).collect(),
        Value::Number(number) => number.as_f64().into(),
        Value::String(text) => match (text.parse::<f64>(), text.to_lowercase().as_str()) {
            (Ok(number), _) if number.is_finite() => number.into(),
            (_, "true") => true.into(),
            (_, "false") => false.into(),
            _ => args.clone(),
        },
        Value::Null | Value::Bool(_) => args.clone(),
    }
}
