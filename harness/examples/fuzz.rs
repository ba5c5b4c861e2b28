//! Writes what a fuzzer begins with: `dictionary` prints the tokens, `seeds FOLDER` writes inputs out of
//! the corpus, one folder for each target; `try FOLDER` tries the inputs of such folders, and prints how fast.

use std::env;
use std::fs;
use std::io::Write as _;
use std::path::Path;
use std::time::Instant;

use harness::target::{TARGETS, Target, dictionary, named};

fn main() -> Result<(), String> {
    let arguments: Vec<String> = env::args().skip(1).collect();
    let words: Vec<&str> = arguments.iter().map(String::as_str).collect();
    match words.as_slice() {
        ["dictionary"] => say(&dictionary::dictionary()),
        ["seeds", folder] => seeds(Path::new(folder)),
        ["try", folder] => TARGETS.iter().try_for_each(|target| attempt(target, Path::new(folder))),
        ["try", folder, name] => {
            let target = named(name).ok_or_else(|| format!("there is no target `{name}`"))?;
            attempt(target, Path::new(folder))
        }
        _ => {
            Err("usage: fuzz dictionary | fuzz seeds FOLDER | fuzz try FOLDER [TARGET]".to_owned())
        }
    }
}

/// Tries every input of a target, and prints what is wrong with them.
fn attempt(target: &Target, folder: &Path) -> Result<(), String> {
    let Ok(entries) = fs::read_dir(folder.join(target.name)) else { return Ok(()) };
    let (mut count, mut wrong) = (0_u32, 0_u32);
    let began = Instant::now();
    for entry in entries {
        let path = entry.map_err(|error| error.to_string())?.path();
        let data = fs::read(&path).map_err(|error| error.to_string())?;
        count += 1;
        if let Some(says) = target.complaint(&data) {
            wrong += 1;
            say(&format!("{}\n{says}\n\n", path.display()))?;
        }
    }
    let rate = f64::from(count) / began.elapsed().as_secs_f64();
    say(&format!(
        "{}: {wrong} of {count} inputs break a promise, {rate:.0} a second\n",
        target.name
    ))
}

fn say(text: &str) -> Result<(), String> {
    std::io::stdout().write_all(text.as_bytes()).map_err(|error| error.to_string())
}

fn seeds(folder: &Path) -> Result<(), String> {
    for target in TARGETS {
        let folder = folder.join(target.name);
        fs::create_dir_all(&folder).map_err(|error| error.to_string())?;
        for (number, seed) in (target.seeds)().iter().enumerate() {
            let path = folder.join(format!("seed-{number:04}"));
            fs::write(path, seed).map_err(|error| error.to_string())?;
        }
    }
    Ok(())
}
