//! `intron show`: the formulas of a model, or one of them in another notation.

use intron::Format;

use crate::arguments::ShowArguments;
use crate::failure::Failure;
use crate::{front_table, model, terminal};

pub(crate) fn show(arguments: &ShowArguments) -> Result<(), Failure> {
    let model = model::read(&arguments.model)?;
    let entry = model::entry(&model, arguments.index)?;
    if arguments.format == "json" || arguments.output.json {
        return terminal::print(&model.to_text());
    }
    let format = Format::from_name(&arguments.format).map_err(|_| {
        Failure::usage(format!(
            "--format {}: there is no such format; take text, latex, sympy, python or json",
            arguments.format
        ))
    })?;
    if format == Format::Text {
        let text = match arguments.index {
            Some(_) => format!("{}\n", entry.formula),
            None => {
                format!("{}\n{} = {}\n", front_table::text(&model), model.target, entry.formula)
            }
        };
        return terminal::print(&text);
    }
    if matches!(format, Format::Sympy | Format::Python) && !arguments.output.quiet {
        // The expression alone goes to standard output, ready to paste.
        for (k, name) in model.features.iter().enumerate() {
            terminal::tell(&format!("# x{k} = {name}"));
        }
    }
    let formula = model.formula(entry)?;
    terminal::print(&format!("{}\n", formula.format(&model.names(), format)))
}
