//! The plans that come with the program.

static SHIPPED: [(&str, &str); 5] = [
    ("smoke", include_str!("../../../../experiments/plans/smoke.toml")),
    ("linkage-measures", include_str!("../../../../experiments/plans/linkage-measures.toml")),
    ("operator-set", include_str!("../../../../experiments/plans/operator-set.toml")),
    ("learned-structure", include_str!("../../../../experiments/plans/learned-structure.toml")),
    ("beyond-the-paper", include_str!("../../../../experiments/plans/beyond-the-paper.toml")),
];

/// Names of the plans that come with the program.
pub fn shipped_plans() -> impl Iterator<Item = &'static str> {
    SHIPPED.iter().map(|(name, _)| *name)
}

/// The text of a plan that comes with the program.
pub fn shipped_plan(name: &str) -> Option<&'static str> {
    SHIPPED.iter().find(|(known, _)| *known == name).map(|(_, text)| *text)
}
