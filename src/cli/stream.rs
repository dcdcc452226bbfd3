//! Files that are written bit by bit and appear whole or not at all.

use std::fs::{File, Permissions};
use std::io::{self, Write};
use std::path::{Path, PathBuf};

/// A file on its way. Dropped before [`StreamFile::publish`] it leaves nothing; so does a process that is killed,
/// where the system has files without a name.
pub(super) struct StreamFile {
    state: State,
    path: PathBuf,
    /// Who may read the file whose place it takes: nobody else may read this one.
    mode: Option<Permissions>,
}

enum State {
    /// What is no regular file (a pipe, a device): it is written to and stays what it is.
    Open(File),
    /// A file without a name.
    #[cfg(target_os = "linux")]
    Unnamed(File),
    /// A file under another name, which is removed on the way out.
    Named(tempfile::NamedTempFile),
}

impl StreamFile {
    /// Begins a file.
    ///
    /// # Errors
    /// Its folder cannot be written to.
    pub(super) fn begin(path: &Path) -> io::Result<Self> {
        let there = std::fs::metadata(path).ok();
        if there.as_ref().is_some_and(|meta| !meta.is_file()) {
            let file = std::fs::OpenOptions::new().write(true).open(path)?;
            return Ok(Self {
                state: State::Open(file),
                path: path.to_owned(),
                mode: None,
            });
        }
        let mode = there.map(|meta| meta.permissions());
        // Through a link to what it leads to.
        let path = std::fs::canonicalize(path).unwrap_or_else(|_| path.to_owned());
        let folder = folder(&path);
        #[cfg(target_os = "linux")]
        if let Some(file) = unnamed(folder) {
            return Ok(Self {
                state: State::Unnamed(file),
                path,
                mode,
            });
        }
        let file = builder().tempfile_in(folder)?;
        Ok(Self {
            state: State::Named(file),
            path,
            mode,
        })
    }

    /// Gives the file its name, in the place of one that has it.
    ///
    /// # Errors
    /// What the system answers; then nothing was changed.
    pub(super) fn publish(self) -> io::Result<()> {
        if let Some(mode) = self.mode {
            match &self.state {
                State::Open(_) => {}
                #[cfg(target_os = "linux")]
                State::Unnamed(file) => file.set_permissions(mode)?,
                State::Named(file) => file.as_file().set_permissions(mode)?,
            }
        }
        match self.state {
            State::Open(mut file) => file.flush(),
            #[cfg(target_os = "linux")]
            State::Unnamed(file) => {
                // A name cannot be taken over at once: it is linked under another, which is then renamed.
                let linked = builder().make_in(folder(&self.path), |name| link(&file, name))?;
                linked.persist(&self.path).map(drop).map_err(|e| e.error)
            }
            State::Named(file) => file.persist(&self.path).map(drop).map_err(|e| e.error),
        }
    }
}

impl Write for StreamFile {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        match &mut self.state {
            State::Open(file) => file.write(bytes),
            #[cfg(target_os = "linux")]
            State::Unnamed(file) => file.write(bytes),
            State::Named(file) => file.write(bytes),
        }
    }

    fn flush(&mut self) -> io::Result<()> {
        match &mut self.state {
            State::Open(file) => file.flush(),
            #[cfg(target_os = "linux")]
            State::Unnamed(file) => file.flush(),
            State::Named(file) => file.flush(),
        }
    }
}

fn folder(path: &Path) -> &Path {
    let folder = path.parent();
    let folder = folder.filter(|folder| !folder.as_os_str().is_empty());
    folder.unwrap_or(Path::new("."))
}

fn builder() -> tempfile::Builder<'static, 'static> {
    let mut builder = tempfile::Builder::new();
    builder.prefix(".toolcost-");
    #[cfg(unix)]
    {
        use std::os::unix::fs::PermissionsExt as _;
        // As any new file: what the user's mask leaves.
        builder.permissions(Permissions::from_mode(0o666));
    }
    builder
}

/// A file without a name, where the file system of the folder has such.
#[cfg(target_os = "linux")]
fn unnamed(folder: &Path) -> Option<File> {
    use rustix::fs::{Mode, OFlags};
    let flags = OFlags::TMPFILE | OFlags::WRONLY | OFlags::CLOEXEC;
    let file = rustix::fs::open(folder, flags, Mode::from_raw_mode(0o666)).ok()?;
    // Without /proc it could never be given a name.
    std::fs::symlink_metadata(by_number(&rustix::fd::AsFd::as_fd(&file))).ok()?;
    Some(File::from(file))
}

#[cfg(target_os = "linux")]
fn by_number(file: &impl std::os::fd::AsRawFd) -> String {
    format!("/proc/self/fd/{}", file.as_raw_fd())
}

#[cfg(target_os = "linux")]
fn link(file: &File, name: &Path) -> io::Result<()> {
    use rustix::fs::{AtFlags, CWD, linkat};
    let linked = linkat(CWD, by_number(file), CWD, name, AtFlags::SYMLINK_FOLLOW);
    linked.map_err(io::Error::from)
}
