//! What the README shows is what the program prints.

mod harness;

use harness::intron;

#[test]
fn the_table_of_the_readme_is_what_its_command_prints() {
    let readme = include_str!("../../../README.md");
    let table = readme.split("```text\n").nth(1).expect("the README has a table");
    let table = table.split("```").next().expect("the table ends");
    let printed =
        intron(&["fit", "airfoil", "--evaluations", "1e6", "--seed", "1"]).expect_success();
    let mut n_compared = 0;
    for line in table.lines().filter(|line| line.trim() != "…") {
        let shown = line.trim_end_matches('…');
        let is_printed = printed.output.lines().any(|other| other.starts_with(shown));
        assert!(is_printed, "not printed: {line}\n{}", printed.output);
        n_compared += 1;
    }
    assert!(n_compared > 3);
}

#[test]
fn the_first_command_of_the_readme_knows_which_program_is_meant() {
    let manifest = include_str!("../../../Cargo.toml");
    let members = manifest.lines().find(|line| line.starts_with("default-members"));
    let members = members.expect("the workspace has default members");
    assert!(members.contains("intron-cli") && !members.contains("xtask"), "{members}");
}
