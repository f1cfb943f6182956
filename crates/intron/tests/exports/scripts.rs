//! Languages that need no compiler: a file for each formula, and one that runs them on whole columns.

use intron::Format;

use crate::cases::{Case, Undefined, Verdict, cases, compare};
use crate::programs::{Folder, numbers, version};

/// A language to run: how it writes a column, and a call of formula number `@` with the columns `$`.
struct Script {
    program: &'static str,
    version_flag: &'static str,
    format: Format,
    /// What surrounds and separates the values of a column.
    column: [&'static str; 3],
    /// Where the export of formula `@` goes.
    file: &'static str,
    start: &'static str,
    call: &'static str,
    main: &'static str,
    arguments: &'static [&'static str],
    undefined: Undefined,
}

impl Script {
    fn run(&self) -> Verdict {
        let Some(version) = version(self.program, self.version_flag) else {
            return Verdict::Skipped(format!("`{}` is not installed", self.program));
        };
        let folder = Folder::new();
        let mut main = self.start.to_owned();
        for (number, case) in cases().iter().enumerate() {
            let number = number.to_string();
            let export = case.export(self.format);
            folder.write(&self.file.replace('@', &number), &export);
            let call = self.call.replace('@', &number).replace('$', &self.columns(case));
            main += &call.replace("EXPORT", &export);
        }
        folder.write(self.main, &main);
        match folder.run(self.program, self.arguments) {
            Ok(printed) => compare(version, &numbers(&printed), self.undefined),
            Err(problem) => Verdict::Failed(problem),
        }
    }

    fn columns(&self, case: &Case) -> String {
        let [open, between, close] = self.column;
        let column = |k: usize| {
            let values = case.points.iter().map(|(row, _)| format!("{:?}", row[k]));
            format!("{open}{}{close}", values.collect::<Vec<_>>().join(between))
        };
        case.features().into_iter().map(column).collect::<Vec<_>>().join(", ")
    }
}

pub(crate) fn python() -> Verdict {
    if Folder::new().run("python3", &["-c", "import numpy"]).is_err() {
        return Verdict::Skipped("`python3` with NumPy is not installed".to_owned());
    }
    let script = Script {
        program: "python3",
        version_flag: "--version",
        format: Format::Python,
        column: ["np.array([", ", ", "])"],
        file: "f@.py",
        start: "import runpy\nimport numpy as np\n",
        call: "for value in np.broadcast_to(runpy.run_path('f@.py')['predict']($), 23):\n    print(repr(float(value)))\n",
        main: "main.py",
        arguments: &["-W", "error", "main.py"],
        undefined: Undefined::SameAsLibrary,
    };
    script.run()
}

pub(crate) fn sympy() -> Verdict {
    if Folder::new().run("python3", &["-c", "import sympy"]).is_err() {
        return Verdict::Skipped("`python3` with SymPy is not installed".to_owned());
    }
    // The symbols are those that the file defines, in its order.
    let start = "import runpy, sympy
def show(number, *columns):
    content = runpy.run_path(f'f{number}.py')
    symbols = [one for one in content.values() if isinstance(one, sympy.Symbol) and one is not content['formula']]
    for k in range(23):
        try:
            row = {symbol: column[k] for symbol, column in zip(symbols, columns)}
            print(repr(float(sympy.sympify(content['formula']).evalf(17, subs=row))))
        except (TypeError, ValueError, ArithmeticError):
            print('nan')
";
    let script = Script {
        program: "python3",
        version_flag: "--version",
        format: Format::Sympy,
        column: ["[", ", ", "]"],
        file: "f@.py",
        start,
        call: "show(@, $)\n",
        main: "main.py",
        arguments: &["main.py"],
        undefined: Undefined::Complex,
    };
    script.run()
}

pub(crate) fn javascript() -> Verdict {
    let script = Script {
        program: "node",
        version_flag: "--version",
        format: Format::JavaScript,
        column: ["[", ", ", "]"],
        file: "f@.js",
        start: "\"use strict\";\n",
        call: "{\nEXPORT\nconst columns = [$];\nfor (let k = 0; k < 23; k++) console.log(predict(...columns.map((c) => c[k])));\n}\n",
        main: "main.js",
        arguments: &["main.js"],
        undefined: Undefined::SameAsLibrary,
    };
    script.run()
}

pub(crate) fn julia() -> Verdict {
    let script = Script {
        program: "julia",
        version_flag: "--version",
        format: Format::Julia,
        column: ["[", ", ", "]"],
        file: "f@.jl",
        start: "",
        call: "module F@\nEXPORT\nend\nforeach(println, F@.predict($) .+ zeros(23))\n",
        main: "main.jl",
        arguments: &["main.jl"],
        undefined: Undefined::SameAsLibrary,
    };
    script.run()
}

pub(crate) fn r() -> Verdict {
    let script = Script {
        program: "Rscript",
        version_flag: "--version",
        format: Format::R,
        column: ["c(", ", ", ")"],
        file: "f@.R",
        start: "options(warn = 2)\nshow <- function(values) writeLines(sprintf('%.17g', values + rep(0, 23)))\n",
        call: "f <- new.env(); sys.source('f@.R', f); show(f[['predict']]($))\n",
        main: "main.R",
        arguments: &["--vanilla", "--encoding=UTF-8", "main.R"],
        undefined: Undefined::SameAsLibrary,
    };
    script.run()
}

pub(crate) fn octave() -> Verdict {
    let script = Script {
        program: "octave-cli",
        version_flag: "--version",
        format: Format::Matlab,
        column: ["[", "; ", "]"],
        file: "f@/predict.m",
        start: "1;\n",
        call: "cd f@; clear all; values = predict($) + zeros(23, 1); assert(isreal(values)); printf('%.17g\\n', values); cd ..\n",
        main: "main.m",
        arguments: &["--no-init-file", "--quiet", "main.m"],
        undefined: Undefined::SameAsLibrary,
    };
    script.run()
}
