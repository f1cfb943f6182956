//! Solutions written as tokens: the name of an operator, `x` and the number of a feature, or a constant.

use intron::{
    Binning, FamilyOfSubsets, Genome, Halt, Linkage, LinkageModel, MeasureContext, Operator, Seed,
    SimilarityMatrix, Solution, StreamName, Symbol, Template,
};

/// The symbol that a token stands for.
pub(crate) fn symbol(token: &str) -> Symbol {
    if let Some(operator) = Operator::from_name(token) {
        return Symbol::operator(operator);
    }
    match token.strip_prefix('x') {
        Some(index) => Symbol::feature(index.parse().expect("the number of a feature")),
        None => Symbol::constant(token.parse().expect("a constant")),
    }
}

/// A solution with these tokens, breadth-first.
pub(crate) fn solution<T: AsRef<str>>(template: &Template, tokens: &[T]) -> Solution {
    let symbols = tokens.iter().map(|token| symbol(token.as_ref())).collect();
    Solution::unevaluated(Genome::new(symbols, template), template)
}

/// What a linkage learns at once from a population, with the paper's 25 bins.
pub(crate) fn learn(
    linkage: &str,
    height: usize,
    initial: &[Solution],
    population: &[Solution],
) -> (SimilarityMatrix, FamilyOfSubsets) {
    let template = Template::full(height, 2).expect("a possible height");
    let bins = (25, Binning::UpperEdge);
    let context = MeasureContext { template, bins, halt: Halt::default() };
    let linkage = Linkage::from_name(linkage).expect("a known linkage");
    let mut model = LinkageModel::new(&linkage, initial, context);
    let mut stream = Seed(0).stream(StreamName::Linkage { population: 0, generation: 0 });
    let family = model.learn(population, &mut stream).clone();
    (model.similarity().expect("a measure has similarities").clone(), family)
}
