//! The parts of the instructions which repeat a pattern: a paragraph for each language and each
//! kind of task, put together from a table and sentences drawn by a seed.

use crate::rng::Rng;

/// Language, its manifest, the command for its tests, the one for its form, and a trap.
const LANGUAGES: [[&str; 5]; 9] = [
    [
        "Rust",
        "Cargo.toml",
        "cargo test",
        "cargo fmt",
        "an `unwrap` in a library turns somebody's odd input into a crash",
    ],
    [
        "Python",
        "pyproject.toml",
        "python -m pytest",
        "ruff format",
        "a list as a default argument is shared by all calls",
    ],
    [
        "TypeScript",
        "package.json",
        "npm test",
        "prettier",
        "`as` silences the compiler and checks nothing",
    ],
    [
        "Go",
        "go.mod",
        "go test ./...",
        "gofmt",
        "an error which is assigned to `_` has been decided upon by nobody",
    ],
    [
        "Java",
        "pom.xml or build.gradle",
        "the test task of the build",
        "the formatter of the build",
        "two equal objects need equal hash codes or they vanish in a map",
    ],
    [
        "C and C++",
        "CMakeLists.txt",
        "ctest",
        "clang-format",
        "a length taken from input has to be checked before it is multiplied",
    ],
    [
        "Ruby",
        "Gemfile",
        "bundle exec rspec",
        "rubocop",
        "a method added to a core class is added for every library too",
    ],
    [
        "SQL",
        "the folder of migrations",
        "the migrations against an empty database",
        "the style of the older files",
        "a migration that locks a large table stops the service it belongs to",
    ],
    [
        "Shell",
        "the header of the script",
        "shellcheck and a run in a scratch folder",
        "shfmt",
        "a variable without quotes falls apart at the first space",
    ],
];

const FIRST: [&str; 3] = [
    "In {language} projects begin with {manifest}: it tells versions, features and the commands \
     the authors use.",
    "{language}: look into {manifest} before assuming a version or the presence of a library.",
    "Work in {language} starts at {manifest}, which shows what may be used without asking.",
];

const CHECK: [&str; 3] = [
    "Check a change with {test}, narrowed down to the part that was touched, and run the whole \
     once before you call it done.",
    "Run {test} before the first edit as well, so that you know which failures are yours.",
    "The proof is {test}; a change which only compiles is half a change.",
];

const FORM: [&str; 3] = [
    "Leave the form to {format} and do not argue with it in the diff.",
    "Apply {format} to the files you touched and to no others.",
    "If {format} is part of the project, use it as configured there.",
];

const TRAP: [&str; 3] = [
    "Keep in mind that {trap}.",
    "A trap worth a second look: {trap}.",
    "Reviewers will look for one thing in particular, namely that {trap}.",
];

/// Kind of task, what to begin with, what to hand in, and what to keep away from.
const TASKS: [[&str; 4]; 8] = [
    [
        "a defect",
        "a test which fails because of it",
        "the cause in one sentence, the repair, and the test which now passes",
        "repairing the symptom at the place where it shows",
    ],
    [
        "a new feature",
        "the smallest version that somebody could use",
        "working code with tests for the edges and a line for the users of the project",
        "options which nobody has asked for",
    ],
    [
        "a refactoring",
        "tests which pin down what the code does today",
        "the same behaviour in a shape which makes the next change easy",
        "slipping in a change of behaviour",
    ],
    [
        "a question on the code",
        "reading the places which decide the answer",
        "the answer first, then the files and lines it rests on",
        "changing anything at all",
    ],
    [
        "slowness",
        "a measurement which can be repeated",
        "the numbers before and after, taken in the same way",
        "making code clever which is not on the slow path",
    ],
    [
        "an upgrade of a dependency",
        "its list of changes between the two versions",
        "the upgrade, the adaptations it forces, and what was left for later",
        "upgrading the neighbours on the way",
    ],
    [
        "a failing pipeline",
        "the first error in the log and not the last",
        "the reason for the failure and whether it would have come back",
        "starting it again until it passes by luck",
    ],
    [
        "documentation",
        "doing what it describes, step by step",
        "text which a newcomer could follow, with commands that were run",
        "praising the project",
    ],
];

const BEGIN: [&str; 3] = [
    "When the task is {task}, begin with {begin}.",
    "For {task} the first step is {begin}.",
    "Faced with {task}, do not start with anything but {begin}.",
];

const HAND_IN: [&str; 2] = [
    "What the user should have in the end is {result}.",
    "Hand in {result}.",
];

const AVOID: [&str; 2] = [
    "Keep away from {avoid}, even if it is tempting.",
    "The usual mistake is {avoid}.",
];

/// A paragraph for each language.
pub(super) fn languages() -> Vec<String> {
    let keys = ["{language}", "{manifest}", "{test}", "{format}", "{trap}"];
    paragraphs(&LANGUAGES, keys, &[&FIRST, &CHECK, &FORM, &TRAP])
}

/// A paragraph for each kind of task.
pub(super) fn tasks() -> Vec<String> {
    let keys = ["{task}", "{begin}", "{result}", "{avoid}"];
    paragraphs(&TASKS, keys, &[&BEGIN, &HAND_IN, &AVOID])
}

fn paragraphs<const N: usize>(
    rows: &[[&str; N]],
    keys: [&str; N],
    parts: &[&[&str]],
) -> Vec<String> {
    let mut out = Vec::new();
    for row in rows {
        let mut rng = Rng::named(row[0]);
        let mut sentences = Vec::new();
        for choices in parts {
            let mut sentence = choices[rng.below(choices.len())].to_owned();
            for (key, value) in keys.iter().zip(row) {
                sentence = sentence.replace(key, value);
            }
            sentences.push(sentence);
        }
        out.push(sentences.join(" "));
    }
    out
}
