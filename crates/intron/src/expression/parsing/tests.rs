//! What is read as what, and what is refused with which words.

use super::super::formula::Formula;
use super::super::names::FeatureNames;
use super::super::operator::Operator;
use super::super::symbol::Symbol;
use super::parser::word_of;

fn names(list: &[&str]) -> FeatureNames {
    FeatureNames::new(&list.iter().map(|&name| name.to_owned()).collect::<Vec<_>>())
}

/// The nodes in post-order, or the error.
fn read(text: &str) -> String {
    match Formula::parse(text, &names(&["a", "b", "c", "wind speed", "a`b", "sin", "Höhe"])) {
        Ok(formula) => {
            let symbols = formula.nodes().iter().map(|node| format!("{:?}", node.symbol));
            symbols.collect::<Vec<_>>().join(" ")
        }
        Err(error) => error.to_string(),
    }
}

#[test]
fn precedence_is_that_of_mathematics() {
    let cases = [
        ("a + b * c", "x0 x1 x2 * +"),
        ("a - b - c", "x0 x1 - x2 -"),
        ("a / b / c * a", "x0 x1 / x2 / x0 *"),
        ("(a + b) * c", "x0 x1 + x2 *"),
        ("a^b^c", "x0 x1 x2 pow pow"),
        ("a^b**c * a", "x0 x1 x2 pow pow x0 *"),
        ("-a^2", "x0 square neg"),
        ("(-a)^3", "x0 neg cube"),
        ("a^-2", "x0 -2.0 pow"),
        ("a^-b^2 + c", "x0 x1 square neg pow x2 +"),
        ("a^2^b", "x0 2.0 x1 pow pow"),
        ("a^b^2", "x0 x1 square pow"),
        ("a^(2)", "x0 2.0 pow"),
        ("a**2.0", "x0 square"),
        ("-a * b", "x0 neg x1 *"),
        ("a * -b", "x0 x1 neg *"),
        ("-(a * b)", "x0 x1 * neg"),
        ("a - -b", "x0 x1 neg -"),
        ("--a", "x0 neg neg"),
        ("+a", "x0"),
        ("- 3", "-3.0"),
        ("-0", "-0.0"),
        ("2 -3", "2.0 3.0 -"),
        ("a--3", "x0 -3.0 -"),
        ("-3 * a", "-3.0 x0 *"),
        ("-3^2", "3.0 square neg"),
        ("-2^a", "2.0 x0 pow neg"),
        ("-(3)", "3.0 neg"),
        ("-+3", "3.0 neg"),
        ("a × b ÷ c − a", "x0 x1 * x2 / x0 -"),
    ];
    for (text, expected) in cases {
        assert_eq!(read(text), expected, "{text}");
    }
}

#[test]
fn numbers_names_and_functions_are_read() {
    let cases = [
        (".5 + 1. + 1e-3 + 2.5E+3", "0.5 1.0 + 0.001 + 2500.0 +"),
        ("1e-400", "0.0"),
        ("pi", "3.141592653589793"),
        ("x1 + Höhe", "x1 x6 +"),
        ("`wind speed` * `a``b` + `Höhe`", "x3 x4 * x6 +"),
        ("sin(`sin`) + sin", "x5 sin x5 +"),
        ("\n max( a ,\tmin(b,c) ) ", "x0 x1 x2 min max"),
        ("add(a, sub(b, mul(c, div(a, b))))", "x0 x1 x2 x0 x1 / * - +"),
        ("ln(a)^2", "x0 log square"),
        ("pow(a, 2)", "x0 2.0 pow"),
        ("neg(3)", "3.0 neg"),
        ("sin((a + b)) (", "formula, character 14: expected an operator or the end, found `(`"),
    ];
    for (text, expected) in cases {
        assert_eq!(read(text), expected, "{text}");
    }
    for operator in Operator::all() {
        let arguments = if operator.arity() == 1 { "a" } else { "a, b" };
        let expected = if operator.arity() == 1 { "x0" } else { "x0 x1" };
        let text = format!("{}({arguments})", word_of(operator));
        assert_eq!(read(&text), format!("{expected} {}", operator.name()));
    }
    let shadowed = Formula::parse("pi", &names(&["pi"])).unwrap();
    assert_eq!(shadowed.nodes()[0].symbol, Symbol::feature(0));
    assert!(Formula::parse("x0", &names(&["b", "x1"])).is_err());
}

#[test]
fn errors_name_the_place_and_what_was_expected() {
    let cases = [
        ("", "1: the formula is empty"),
        (" \n", "3: the formula is empty"),
        ("a +", "4: expected a number, a name or `(`, found the end"),
        ("Höhe * * b", "8: expected a number, a name or `(`, found `*`"),
        ("a b", "3: expected an operator or the end, found `b`"),
        ("2a", "2: expected an operator or the end, found `a`"),
        ("a 1e5", "3: expected an operator or the end, found the number 100000.0"),
        ("a `b`", "3: expected an operator or the end, found the name `b`"),
        ("1e400", "1: the number is too large"),
        ("a + .", "5: expected a digit beside the `.`"),
        ("(a + b", "1: expected `)`, but this `(` is never closed"),
        ("a * sin(b", "5: expected `)`, but this `sin(` is never closed"),
        ("a)", "2: this `)` closes nothing"),
        ("()", "2: expected a number, a name or `(`, found `)`"),
        ("a + `b", "5: expected a second backtick to close this one"),
        ("a, b", "2: expected an operator, found `,` outside a call"),
        ("(a, b)", "3: expected an operator, found `,` outside a call"),
        ("sin()", "1: `sin` takes 1 argument, found none"),
        ("1 + sin(a, b)", "5: `sin` takes 1 argument, found more"),
        ("max(a)", "1: `max` takes 2 arguments, found 1"),
        ("max(a, b, c)", "1: `max` takes 2 arguments, found more"),
        ("a + cos", "5: expected `(` after the function `cos`"),
        ("a(b)", "1: `a` is a feature; expected an operator before `(`"),
        ("a + b $ c", "7: unexpected character '$'"),
        ("a ) $", "3: this `)` closes nothing"),
    ];
    for (text, expected) in cases {
        assert_eq!(read(text), format!("formula, character {expected}"), "{text}");
    }
}

#[test]
fn errors_about_unknown_names_help() {
    assert_eq!(
        read("1 + `wnd sped`"),
        "formula, character 5: unknown name `wnd sped`; did you mean `wind speed`?; \
         known: a, b, c, `wind speed`, `a``b`, `sin`, Höhe"
    );
    assert!(read("hohe").contains("; did you mean `Höhe`?; known: "));
    assert!(read("quantity").starts_with("formula, character 1: unknown name `quantity`; known: "));
    assert!(read("sqr(a)").contains("unknown function `sqr`; did you mean `sqrt`?; known: add "));
    let many: Vec<String> = (0..13).map(|index| format!("column{index}")).collect();
    let error = Formula::parse("mass", &FeatureNames::new(&many)).unwrap_err();
    assert_eq!(error.to_string(), "formula, character 1: unknown name `mass`");
    let error = Formula::parse("x0", &names(&[])).unwrap_err();
    assert!(error.to_string().ends_with("unknown name `x0`; there are no features"));
}

#[test]
fn depth_and_size_cannot_exhaust_anything() {
    let size = |text: &str| Formula::parse(text, &names(&["a"])).map(|formula| formula.size());
    let deep = 100_000;
    assert_eq!(size(&format!("{}a{}", "(".repeat(deep), ")".repeat(deep))), Ok(1));
    assert_eq!(size(&format!("{}a", "-".repeat(deep - 1))), Ok(deep));
    assert_eq!(size(&format!("{}a", "a^".repeat(deep / 2 - 1))), Ok(deep - 1));
    for text in [
        format!("{}a", "-".repeat(deep)),
        format!("{}a{}", "sin(".repeat(deep), ")".repeat(deep)),
        format!("a{}", " + a".repeat(deep)),
    ] {
        let error = size(&text).unwrap_err().to_string();
        assert!(error.ends_with("the formula has more than 100000 nodes"), "{error}");
    }
    for text in ["(", "sin(", "-", "a^", "a+(", "`"] {
        assert!(size(&text.repeat(1_000_000)).is_err(), "{text}");
    }
}
