//! The command that gives the result of a run again.

/// Flags that change how long a search takes or where its result is kept.
const REPLACED: [&str; 7] =
    ["--time", "--evaluations", "--generations", "--target-r2", "--seed", "--out", "--checkpoint"];
const REPLACED_KEYS: [&str; 5] = ["time", "evaluations", "generations", "target_r2", "seed"];

/// What was typed after `intron fit`, without the flags that the repetition replaces, and without a page.
pub(crate) fn without_budget(typed: &[String]) -> String {
    let is_replaced = |setting: &str| {
        let key = setting.split('=').next().unwrap_or_default();
        REPLACED_KEYS.contains(&key.trim())
    };
    let mut arguments = typed.iter().cloned();
    let mut words = vec!["intron".to_owned(), "fit".to_owned()];
    while let Some(argument) = arguments.next() {
        if REPLACED.contains(&argument.as_str()) {
            arguments.next();
        } else if argument == "--set" {
            let setting = arguments.next().unwrap_or_default();
            if !is_replaced(&setting) {
                words.extend([argument, quoted(setting)]);
            }
        } else {
            let (flag, value) = argument.split_once('=').unwrap_or((&argument, ""));
            let is_left_out = REPLACED.contains(&flag) || flag == "--report";
            if !(is_left_out || flag == "--set" && is_replaced(value)) {
                words.push(quoted(argument));
            }
        }
    }
    words.join(" ")
}

/// A word as a shell takes it.
pub(crate) fn quoted(word: String) -> String {
    let is_plain = word.chars().all(|c| c.is_alphanumeric() || "-_./=,+:".contains(c));
    if is_plain && !word.is_empty() { word } else { format!("'{}'", word.replace('\'', "'\\''")) }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_repeating_command_has_no_other_budget() {
        let typed = "a:b --report --out r --time 3s --report=x --seed=4 --set time=4 --set=evaluations=5 --set ims.start=8";
        let typed: Vec<String> = typed.split(' ').map(|word| word.replace(':', " ")).collect();
        let words = without_budget(&typed);
        assert_eq!(words, "intron fit 'a b' --set ims.start=8");
    }
}
