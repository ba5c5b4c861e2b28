//! A cache of installed releases, one folder each.

use std::{
    env, fmt, fs, io,
    path::{Path, PathBuf},
    process::{Command, Stdio},
    thread,
    time::Duration,
};

use corpus::Release;

use crate::{
    child::{self, Watched},
    pins::{self, PACKAGE, Wanted},
};

/// The file that says a folder is complete, and for which pins.
const MARK: &str = "pi-drift-complete";
/// How npm waits for its registry: a question that nobody answers ends within 20 s. Left alone it is
/// silent for more than a minute.
const PATIENCE: &[&str] = &[
    "--fetch-retries=1",
    "--fetch-retry-mintimeout=500",
    "--fetch-retry-maxtimeout=1000",
    "--fetch-timeout=8000",
];
/// What npm says of a registry that it does not reach.
const UNREACHED: &[&str] = &[
    "ENOTFOUND",
    "EAI_AGAIN",
    "ECONNREFUSED",
    "ECONNRESET",
    "EHOSTUNREACH",
    "ENETUNREACH",
    "ETIMEDOUT",
    "ERR_SOCKET_TIMEOUT",
    "EIDLETIMEOUT",
    "ECONNECTIONTIMEOUT",
    "ERESPONSETIMEOUT",
    "FETCH_ERROR",
];
/// How long npm may take.
const INSTALL_MAX: Duration = Duration::from_mins(15);
/// The file that remembers the newest release the registry offered.
const LATEST: &str = "latest";

/// A folder of installed releases.
#[derive(Clone, Debug)]
pub struct Cache(PathBuf);

/// A release could not be installed or found.
#[derive(Clone, Debug, Eq, PartialEq)]
pub struct InstallError(String);

impl fmt::Display for InstallError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

impl std::error::Error for InstallError {}

/// The newest release, and how that is known.
#[derive(Clone, Debug, Eq, PartialEq)]
pub struct Latest {
    /// Its number.
    pub release: Release,
    /// Why the registry could not be asked; the number is then the one it gave last time.
    pub unasked: Option<InstallError>,
}

/// A release, ready to run.
#[derive(Clone, Debug)]
pub struct Installed {
    /// Its number.
    pub release: Release,
    /// The folder that holds `node_modules`.
    pub folder: PathBuf,
}

impl Installed {
    /// The Node that came with it.
    pub fn node(&self) -> PathBuf {
        self.folder.join("node_modules").join(pins::NODE_PACKAGE).join("bin/node")
    }
}

impl Cache {
    /// The folder given, else `pi-drift` in the user's cache folder.
    pub fn new(folder: Option<PathBuf>) -> Self {
        let set = |name| env::var_os(name).filter(|value| !value.is_empty()).map(PathBuf::from);
        let cache = set("XDG_CACHE_HOME").or_else(|| Some(set("HOME")?.join(".cache")));
        Self(folder.unwrap_or_else(|| cache.unwrap_or_else(env::temp_dir).join("pi-drift")))
    }

    /// Where the releases lie.
    pub fn folder(&self) -> &Path {
        &self.0
    }

    /// A release that is here already.
    pub fn find(&self, release: Release) -> Option<Installed> {
        let folder = self.0.join(release.to_string());
        let mark = fs::read_to_string(folder.join(MARK)).ok()?;
        (mark == pins::wanted(release).manifest).then_some(Installed { release, folder })
    }

    /// A release, installed now if it is not here.
    ///
    /// # Errors
    ///
    /// No npm, no such release, no network, or a folder that cannot be written.
    pub fn get(&self, release: Release) -> Result<Installed, InstallError> {
        if let Some(installed) = self.find(release) {
            return Ok(installed);
        }
        let wanted = pins::wanted(release);
        // A folder of its own: another install of the same release may be under way.
        let part = self.0.join(format!("{release}.{}.part", std::process::id()));
        let folder = self.0.join(release.to_string());
        fill(&part, &wanted).map_err(|error| self.unwritable(&error))?;
        let verb = if wanted.lock.is_some() { "ci" } else { "install" };
        if let Err(error) = install(&part, release, verb) {
            // What is left of a failed install is of no use to anybody.
            let _ = fs::remove_dir_all(&part);
            return Err(InstallError(format!("pi {release} could not be installed: {error}")));
        }
        let finish = || {
            fs::write(part.join(MARK), &wanted.manifest)?;
            if self.find(release).is_some() {
                return fs::remove_dir_all(&part);
            }
            let _ = fs::remove_dir_all(&folder);
            fs::rename(&part, &folder)
        };
        finish().map_err(|error| self.unwritable(&error))?;
        Ok(Installed { release, folder })
    }

    /// The newest release the registry offers; without it, the newest it offered when last asked.
    ///
    /// # Errors
    ///
    /// The registry cannot be asked, and never was.
    pub fn latest(&self) -> Result<Latest, InstallError> {
        let memory = self.0.join(LATEST);
        let asked = npm(&env::temp_dir(), &["view", PACKAGE, "dist-tags.latest"]);
        match asked {
            Ok(text) => {
                let release = text.trim().parse().map_err(|_| {
                    InstallError(format!("the registry calls the newest release `{}`", text.trim()))
                })?;
                // What was answered stands, whether or not it can be remembered.
                let _ = fs::create_dir_all(&self.0).and_then(|()| fs::write(&memory, text.trim()));
                Ok(Latest { release, unasked: None })
            }
            Err(error) => {
                let known = fs::read_to_string(&memory).ok().and_then(|text| text.parse().ok());
                let Some(release) = known else {
                    let said = format!("the newest release is not known: {error}");
                    let advice = "name a release with --pi instead of `latest`";
                    return Err(InstallError(format!("{said}; {advice}")));
                };
                Ok(Latest { release, unasked: Some(InstallError(error.to_string())) })
            }
        }
    }

    /// Every release that is here, oldest first.
    pub fn installed(&self) -> Vec<Release> {
        let entries = fs::read_dir(&self.0).into_iter().flatten().flatten();
        let names = entries.filter_map(|entry| entry.file_name().to_str()?.parse().ok());
        let mut releases: Vec<Release> =
            names.filter(|release| self.find(*release).is_some()).collect();
        releases.sort();
        releases
    }

    fn unwritable(&self, error: &io::Error) -> InstallError {
        let place = self.0.display();
        InstallError(format!(
            "{place} cannot be written: {error}; give another folder with --cache"
        ))
    }
}

/// Makes `part` a folder with what npm is to install.
fn fill(part: &Path, wanted: &Wanted) -> io::Result<()> {
    if part.exists() {
        fs::remove_dir_all(part)?;
    }
    fs::create_dir_all(part)?;
    fs::write(part.join("package.json"), &wanted.manifest)?;
    match &wanted.lock {
        Some(lock) => fs::write(part.join("package-lock.json"), lock),
        None => Ok(()),
    }
}

/// Installs what `part` asks for. A registry that is silent costs an install minutes, one question
/// seconds; where nobody answers that, only what npm itself has kept can be installed.
fn install(part: &Path, release: Release, verb: &str) -> Result<(), NpmError> {
    let args = [verb, "--ignore-scripts", "--no-audit", "--no-fund"];
    match npm(part, &["view", &format!("{PACKAGE}@{release}"), "version"]) {
        Err(unreached @ NpmError::Unreached { .. }) => {
            npm(part, &[&args[..], &["--offline"]].concat()).map(drop).map_err(|_| unreached)
        }
        // Of anything else the install itself has more to say.
        _ => npm(part, &args).map(drop),
    }
}

/// Why npm did not do what it was asked for.
#[derive(Clone, Debug, Eq, PartialEq)]
enum NpmError {
    Unreached { verb: String, code: &'static str },
    Failed(String),
}

impl fmt::Display for NpmError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Unreached { verb, code } => write!(
                f,
                "`npm {verb}` does not reach its registry ({code}); check the network, or name a \
                 cache that holds the release with --cache or PI_DRIFT_CACHE"
            ),
            Self::Failed(said) => f.write_str(said),
        }
    }
}

/// Runs npm in `folder` and gives back what it printed.
fn npm(folder: &Path, args: &[&str]) -> Result<String, NpmError> {
    let mut command = Command::new("npm");
    command.args(args).args(PATIENCE).current_dir(folder).stdin(Stdio::null());
    let child = child::spawn(command.stdout(Stdio::piped()).stderr(Stdio::piped()));
    let mut child = child.map_err(|error| match error.kind() {
        io::ErrorKind::NotFound => NpmError::Failed(
            "there is no npm on this machine; install one, or use a cache filled elsewhere with --cache or PI_DRIFT_CACHE"
                .to_owned(),
        ),
        _ => NpmError::Failed(format!("npm cannot be started: {error}")),
    })?;
    let complaints = child.stderr.take();
    let listener = thread::spawn(move || complaints.map(io::read_to_string));
    let output = child.stdout.take();
    let child = Watched::new(child, INSTALL_MAX);
    let printed = output.map(io::read_to_string).transpose().unwrap_or_default();
    let status =
        child.wait().map_err(|error| NpmError::Failed(format!("npm was lost: {error}")))?;
    if status.success() {
        return Ok(printed.unwrap_or_default());
    }
    let said = listener.join().ok().flatten().and_then(Result::ok).unwrap_or_default();
    let verb = args[0];
    if let Some(code) = UNREACHED.iter().find(|code| said.contains(**code)) {
        return Err(NpmError::Unreached { verb: verb.to_owned(), code });
    }
    let first = said.lines().find(|line| line.contains("error") && !line.contains(" code "));
    let first = first.unwrap_or("nothing").trim();
    Err(NpmError::Failed(format!("`npm {verb}` failed and says: {first}")))
}
