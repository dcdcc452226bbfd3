//! Where the client keeps the transcripts of a project.

use std::path::{Path, PathBuf};

/// The variable that moves the client's folder (settings page).
const CLIENT_FOLDER: &str = "CLAUDE_CONFIG_DIR";

/// A project's folder of transcripts: where it is, and how it is shown without telling whose it is.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct TranscriptFolder {
    /// Where it is, there or not.
    pub path: PathBuf,
    /// From the client's folder on.
    pub shown: String,
    /// The folder of all projects, as it is shown.
    pub projects: String,
}

/// The folder of the project at `project`: `projects/` and the path with `-` for all that is no letter or digit
/// (sessions page), below the client's folder. `None` = nobody knows where that is.
pub fn transcript_folder(project: &Path) -> Option<TranscriptFolder> {
    let (client, shown) = match std::env::var_os(CLIENT_FOLDER).filter(|set| !set.is_empty()) {
        Some(set) => (PathBuf::from(set), format!("${CLIENT_FOLDER}")),
        None => (
            std::env::home_dir()?.join(".claude"),
            "~/.claude".to_owned(),
        ),
    };
    let name = folder_name(&project.to_string_lossy());
    Some(TranscriptFolder {
        path: client.join("projects").join(&name),
        shown: format!("{shown}/projects/{name}"),
        projects: format!("{shown}/projects"),
    })
}

fn folder_name(project: &str) -> String {
    // The client counts in UTF-16 units.
    let letter = |unit: u16| match u8::try_from(unit).map(char::from) {
        Ok(c) if c.is_ascii_alphanumeric() => c,
        _ => '-',
    };
    project.encode_utf16().map(letter).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_projects_folder_is_named_by_its_path() {
        assert_eq!(folder_name("/home/me/my_app.v2"), "-home-me-my-app-v2");
        assert_eq!(folder_name(r"C:\work\app"), "C--work-app");
        assert_eq!(folder_name("/a/\u{1f600}"), "-a---");
    }
}
