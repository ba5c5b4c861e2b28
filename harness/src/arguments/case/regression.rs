//! Cases as regression files, and back.

use corpus::{Answer, Input, Many, Regression, RegressionFile};
use engine::host::HostProfile;
use engine::{Limits, StopReason, builtin};
use serde_json::{Map, Value, json};

use super::{Case, Intent};
use crate::area::Sample;
use crate::generate::Subject;
use crate::malform::{Call, Form};
use crate::subjects;

/// The most bytes of a text that is written out in a regression.
const TEXT_MAX: usize = 1 << 16;

impl Sample for Case {
    fn input(&self) -> String {
        self.call.as_text()
    }

    fn to_toml(&self, why: &str, found: &str) -> String {
        self.to_regression(why, found).to_toml()
    }
}

impl Case {
    /// The case as a file to paste; `why` is the broken promise and `found` names seed and number.
    ///
    /// The host, small limits and a name that was sent wrong stand in `config`.
    pub fn to_regression(&self, why: &str, found: &str) -> RegressionFile {
        let call = &self.call;
        let (input, value) = match &call.form {
            Form::Text(text) => (Some(clipped(text)), None),
            Form::Value(value) => (None, Some(value.to_string())),
        };
        let own = self.config.is_none();
        let (expect, args) = self.expectation();
        RegressionFile {
            why: why.to_owned(),
            found: found.to_owned(),
            tool: Some(call.subject.name.clone()),
            schema: (!own).then(|| call.subject.schema.to_string()),
            config: self.further_config().map(|config| config.to_string()),
            model: call.model.clone(),
            provider: call.provider.clone(),
            policy: Some(self.policy.name().to_owned()),
            stop_reason: Some(self.stop_reason.to_string()),
            owner_hook: self.hook,
            input,
            value,
            expect: Many::Any(expect),
            args: Many::Any(args),
            ..RegressionFile::default()
        }
    }

    fn expectation(&self) -> (Vec<Answer>, Vec<String>) {
        if self.intent != Intent::Exact {
            return (Vec::new(), Vec::new());
        }
        let mut expect = vec![Answer::Repaired, Answer::Valid, Answer::Deferred];
        if !self.is_unhindered() {
            expect.push(Answer::Unrepairable);
        }
        (expect, vec![self.call.original.to_string()])
    }

    fn further_config(&self) -> Option<Value> {
        let mut config = match &self.config {
            Some(Value::Object(members)) => members.clone(),
            _ => Map::new(),
        };
        if let Some(host) = self.host {
            config.insert("host".to_owned(), host.name().into());
        }
        let small: Map<String, Value> = self
            .limits
            .rows()
            .iter()
            .zip(Limits::DEFAULT.rows())
            .filter(|(row, default)| row.1 != default.1)
            .map(|(row, _)| (row.0.to_owned(), row.1.into()))
            .collect();
        if !small.is_empty() {
            config.insert("limits".to_owned(), small.into());
        }
        if self.call.name != self.call.subject.name {
            config.insert("name".to_owned(), self.call.name.as_str().into());
        }
        if self.salt != 0 {
            config.insert("salt".to_owned(), self.salt.into());
        }
        (!config.is_empty()).then_some(Value::Object(config))
    }

    /// The cases that a regression describes, one for each form of its call.
    ///
    /// # Errors
    ///
    /// A tool that is none of pi's and has no schema, a value too deep to be copied, and a policy,
    /// host or limit that is none.
    pub fn from_regression(regression: &Regression) -> Result<Vec<Self>, String> {
        let forms = regression.inputs.iter().map(|input| match input {
            Input::Text(text) => Ok(Form::Text(text.clone())),
            Input::Value(value) => copied(value).map(Form::Value),
        });
        forms.map(|form| from_form(regression, form?)).collect()
    }
}

/// Levels of a value that may be copied, compared and dropped on any stack.
const DEPTH_MAX: usize = 512;

fn copied(value: &Value) -> Result<Value, String> {
    if engine::depth::is_deeper_than(value, DEPTH_MAX) {
        return Err(format!("a value has more than {DEPTH_MAX} levels"));
    }
    Ok(value.clone())
}

/// A text as it is, or its first bytes where it is too long for a file.
fn clipped(text: &str) -> String {
    if text.len() <= TEXT_MAX {
        return text.to_owned();
    }
    text[..crate::generate::hostile::boundary(text, TEXT_MAX)].to_owned()
}

fn from_form(regression: &Regression, form: Form) -> Result<Case, String> {
    let name = regression.tool.as_deref().unwrap_or("example");
    let own = regression.schema.is_none();
    let subject = match &regression.schema {
        Some(schema) => Subject::bare(name, schema.clone()),
        None => subjects::builtins()
            .into_iter()
            .find(|known| known.name == name)
            .ok_or_else(|| format!("pi has no tool `{name}`; give its schema"))?,
    };
    let meant = match regression.args.as_slice() {
        [only] => Some(copied(only)?),
        _ => None,
    };
    let exact = meant.is_some() && !regression.expect.contains(&Answer::Unrepairable);
    let intent = if exact { Intent::Exact } else { Intent::Unknown };
    let mut call = Call::new(subject, meant.unwrap_or(Value::Null));
    call.form = form;
    call.model.clone_from(&regression.model);
    call.provider.clone_from(&regression.provider);
    call.conservative = !regression.expect.contains(&Answer::Unrepairable);
    let mut case = Case::about(call, intent);
    let config = regression.config.clone().unwrap_or_else(|| json!({}));
    if let Some(policy) = &regression.policy {
        case.policy = policy.parse().map_err(|error: engine::UnknownPolicy| error.to_string())?;
    }
    if let Some(reason) = &regression.stop_reason {
        case.stop_reason = StopReason::from_name(reason);
    }
    case.hook = regression.owner_hook && builtin::TOOLS.contains(&name);
    apply_config(&mut case, &config)?;
    case.config = (!own).then_some(config);
    Ok(case)
}

/// Takes host, limits, name and salt out of a configuration.
fn apply_config(case: &mut Case, config: &Value) -> Result<(), String> {
    if let Some(host) = config.get("host").and_then(Value::as_str) {
        let profile = HostProfile::from_name(host);
        case.host = Some(profile.ok_or_else(|| format!("`{host}` is no host profile"))?);
    }
    let limits = config.get("limits").and_then(Value::as_object);
    for (name, value) in limits.into_iter().flatten() {
        let value = value.as_u64().ok_or_else(|| format!("limit `{name}` is no count"))?;
        case.limits.set(name, value).map_err(|error| error.to_string())?;
    }
    if let Some(name) = config.get("name").and_then(Value::as_str) {
        name.clone_into(&mut case.call.name);
    }
    let salt = config.get("salt").and_then(Value::as_u64).unwrap_or(0);
    case.salt = u32::try_from(salt).unwrap_or(0);
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::generate::Bias;
    use crate::source::Seeded;

    #[test]
    fn a_case_survives_its_file() {
        for number in 0..400 {
            let case = Case::draw(&mut Seeded::new(5, number), &Bias::near_miss());
            let file = case.to_regression("why", "found");
            let read = corpus::parse_regression("case", &file.to_toml()).expect("reads back");
            let again = Case::from_regression(&read).expect("describes a case").remove(0);
            assert_eq!(again.call.form, case.call.form, "case {number}");
            assert_eq!(again.call.name, case.call.name);
            assert_eq!(again.context(again.policy).policy, case.policy);
            assert_eq!(again.limits, case.limits);
            assert_eq!(again.host, case.host);
        }
    }
}
