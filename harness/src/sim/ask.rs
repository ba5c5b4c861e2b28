//! Questions that need no loop, as far as the models here know the answer.

use std::rc::Rc;

use corpus::{Answered, Question, UsageRow};
use engine::{builtin, host::SchemaOrigin};
use serde_json::{Value, json};

use super::{Sim, classify, tools};

impl Sim {
    /// Answers a question; one about the package itself cannot be played.
    pub(super) fn ask(self: &Rc<Self>, question: &Question) {
        let answers = match question {
            Question::Schemas => self.schemas(),
            Question::Validate { parameters, typebox, values } => {
                let origin = if *typebox { SchemaOrigin::TypeBox } else { SchemaOrigin::Json };
                let answer = |value: &Value| {
                    let is = self.checked("probe", parameters, origin, value);
                    row(value.to_string(), outcome(is))
                };
                values.iter().map(answer).collect()
            }
            Question::Builtin { tool, values } => {
                values.iter().map(|value| self.through(tool, value)).collect()
            }
            Question::Classify { texts, provider } if provider.is_none() => {
                texts.iter().map(|text| row(text.clone(), json!(self.class_of(text)))).collect()
            }
            Question::Usage { rows } => rows.iter().map(|it| self.overflows(it)).collect(),
            Question::Definitions
            | Question::Tools
            | Question::Classify { .. }
            | Question::Patterns
            | Question::Exports { .. } => {
                let why = "a question about the package itself";
                self.state.borrow_mut().unplayable = Some(why.to_owned());
                Vec::new()
            }
        };
        self.log.borrow_mut().answers.extend(answers);
    }

    fn schemas(&self) -> Vec<Answered> {
        let since = corpus::Release::new(0, 85, 0);
        let known = |name: &String| name != "powershell" || self.profile.release() >= since;
        let mut schemas = tools::builtin_schemas();
        let order = ["read", "bash", "edit", "write", "grep", "find", "ls", "powershell"];
        let rows = order.iter().filter_map(|name| schemas.remove_entry(*name));
        rows.filter(|(name, _)| known(name)).map(|(name, schema)| row(name, schema)).collect()
    }

    fn through(self: &Rc<Self>, tool: &str, value: &Value) -> Answered {
        let of = format!("{tool} {value}");
        if !builtin::TOOLS.contains(&tool) {
            return row(of, json!({"error": "no such tool in this release"}));
        }
        let args = self.own_hook(tool, value.clone());
        let schema = tools::builtin_schema(tool).unwrap_or_default();
        row(of, outcome(self.checked(tool, &schema, SchemaOrigin::TypeBox, &args)))
    }

    fn class_of(&self, text: &str) -> &'static str {
        let release = self.profile.release();
        let message = json!({"stopReason": "error", "errorMessage": text});
        if classify::overflows(release, &message, 1_000_000) {
            "overflow"
        } else if classify::retryable(release, &message) {
            "retryable"
        } else {
            "other"
        }
    }

    fn overflows(&self, asked: &UsageRow) -> Answered {
        let mut message = json!({"stopReason": asked.stop, "usage": {
            "input": asked.input.unwrap_or(0), "output": asked.output.unwrap_or(0),
            "cacheRead": asked.cache_read.unwrap_or(0), "cacheWrite": asked.cache_write.unwrap_or(0),
        }});
        if let Some(error) = &asked.error {
            message["errorMessage"] = json!(error);
        }
        let is = classify::overflows(self.profile.release(), &message, asked.window);
        let of = serde_json::to_string(asked).unwrap_or_default();
        row(of, json!(is))
    }
}

fn row(of: String, is: Value) -> Answered {
    Answered { of, is }
}

/// The arguments, or what validation says without showing them again.
fn outcome(result: Result<Value, String>) -> Value {
    result.unwrap_or_else(|error| {
        let told = error.split("\n\nReceived arguments:").next().unwrap_or_default();
        json!({"error": told})
    })
}
