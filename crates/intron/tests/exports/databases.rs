//! SQLite and PostgreSQL: a table with all columns, and every exported query.

use std::path::Path;

use intron::Format;

use crate::cases::{NAMES, Undefined, Verdict, cases, compare, rows};
use crate::programs::{Folder, numbers, version};

/// Everything that is sent to the database.
fn script() -> String {
    let quoted = NAMES.map(|name| format!("\"{}\"", name.replace('"', "\"\"")));
    let columns: Vec<String> =
        quoted.iter().map(|name| format!("{name} double precision")).collect();
    let mut text = format!("CREATE TABLE \"data\" ({});\n", columns.join(", "));
    for row in rows() {
        let values: Vec<String> = row.iter().map(|value| format!("{value:?}")).collect();
        text += &format!("INSERT INTO \"data\" VALUES ({});\n", values.join(", "));
    }
    for case in cases() {
        text += &case.export(Format::Sql);
    }
    text
}

fn judge(version: String, result: Result<String, String>) -> Verdict {
    match result {
        Ok(printed) => compare(version, &numbers(&printed), Undefined::Missing),
        Err(problem) => Verdict::Failed(problem),
    }
}

pub(crate) fn sqlite() -> Verdict {
    let Some(version) = version("sqlite3", "--version") else {
        return Verdict::Skipped("`sqlite3` is not installed".to_owned());
    };
    let folder = Folder::new();
    folder.write("script.sql", &script());
    judge(
        version,
        folder.run("sqlite3", &["-bail", ":memory:", ".nullvalue NULL", ".read script.sql"]),
    )
}

/// Starts a server of its own that listens to nobody but a socket in the folder.
pub(crate) fn postgresql() -> Verdict {
    let Ok(found) =
        Folder::new().run("sh", &["-c", "ls -d /usr/lib/postgresql/*/bin || pg_config --bindir"])
    else {
        return Verdict::Skipped("PostgreSQL is not installed".to_owned());
    };
    let programs = Path::new(found.lines().last().unwrap_or_default());
    let program = |name: &str| programs.join(name).to_string_lossy().into_owned();
    let Some(version) = version(&program("postgres"), "--version") else {
        return Verdict::Skipped("PostgreSQL's server is not installed".to_owned());
    };
    let folder = Folder::new();
    folder.write("script.sql", &script());
    let (init, control, shell) = (program("initdb"), program("pg_ctl"), program("psql"));
    // The server refuses to be run by root.
    let start = format!(
        "set -e
here=$(pwd)
if [ \"$(id -u)\" = 0 ] && [ -z \"$AGAIN\" ]; then
    chown postgres . && exec runuser -u postgres -- env AGAIN=1 sh start.sh
fi
{init} -D db -A trust -U tester -E UTF8 --no-sync >log
{control} -D db -w -l log -o \"-k $here -c listen_addresses=''\" start >>log
trap '{control} -D db -m immediate stop >>log' EXIT
{shell} -h $here -U tester -d postgres -v ON_ERROR_STOP=1 -qAtX -P null=NULL -f script.sql
"
    );
    folder.write("start.sh", &start);
    judge(version, folder.run("sh", &["start.sh"]))
}
