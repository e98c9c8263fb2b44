//! How operators group, as the trees of Hive's parsers show it: `tests/data/precedence.txt`.

use guardbee_hiveql::parser::{ParserSettings, parse_expression};
use guardbee_hiveql::tree::{
    Arena, BinaryOperator, Expression, InSet, LikeOperator, Negation, Quantifier, Truth, UnaryOperator,
};
use guardbee_model::HiveVersion;

const CASES: &str = include_str!("data/precedence.txt");

const OPERATORS: [(BinaryOperator, &str); 18] = [
    (BinaryOperator::Or, "OR"),
    (BinaryOperator::And, "AND"),
    (BinaryOperator::Equal, "="),
    (BinaryOperator::NotEqual, "<>"),
    (BinaryOperator::Less, "<"),
    (BinaryOperator::Greater, ">"),
    (BinaryOperator::IsDistinctFrom, "IS DISTINCT FROM"),
    (BinaryOperator::Concatenate, "||"),
    (BinaryOperator::BitOr, "|"),
    (BinaryOperator::BitXor, "^"),
    (BinaryOperator::BitAnd, "&"),
    (BinaryOperator::Plus, "+"),
    (BinaryOperator::Minus, "-"),
    (BinaryOperator::Multiply, "*"),
    (BinaryOperator::Divide, "/"),
    (BinaryOperator::Modulo, "%"),
    (BinaryOperator::IntegerDivide, "DIV"),
    (BinaryOperator::NullSafeEqual, "<=>"),
];

#[test]
fn operators_group_as_in_hive() {
    let mut count = 0;
    for line in CASES.lines().filter(|line| !line.is_empty() && !line.starts_with('#')) {
        let (versions, rest) = line.split_once("; ").unwrap();
        let (text, expected) = rest.split_once(" => ").unwrap();
        let (first, last) = versions.split_once(' ').unwrap();
        let range = first.parse::<HiveVersion>().unwrap()..=last.parse::<HiveVersion>().unwrap();
        for version in HiveVersion::ALL.into_iter().filter(|version| range.contains(version)) {
            let arena = Arena::new();
            let settings = ParserSettings { version, ..ParserSettings::default() };
            let expression = parse_expression(&arena, text, settings).unwrap();
            assert_eq!(grouped(&expression, text), expected, "{version}: {text}");
            count += 1;
        }
    }
    assert!(count > 100, "only {count} cases were tried");
}

/// The expression with parentheses around everything that has parts.
fn grouped(expression: &Expression<'_>, source: &str) -> String {
    match expression {
        Expression::Chain(chain) => {
            let mut text = format!("({}", grouped(&chain.first, source));
            for (operator, operand) in chain.rest {
                let word = OPERATORS.iter().find(|(known, _)| known == operator).unwrap().1;
                text.push_str(&format!(" {word} {}", grouped(operand, source)));
            }
            text + ")"
        }
        Expression::Unary(unary) => {
            let operator = match unary.operator {
                UnaryOperator::Not => "NOT",
                UnaryOperator::Bang => "!",
                UnaryOperator::Plus => "+",
                UnaryOperator::Minus => "-",
                UnaryOperator::Tilde => "~",
            };
            format!("({operator} {})", grouped(&unary.operand, source))
        }
        Expression::Is(is) => {
            let truth = match is.truth {
                Truth::Null => "NULL",
                Truth::True => "TRUE",
                Truth::False => "FALSE",
                Truth::Unknown => "UNKNOWN",
            };
            format!("({} IS {}{truth})", grouped(&is.operand, source), not(is.negation))
        }
        Expression::Between(between) => {
            let (operand, low, high) = (
                grouped(&between.operand, source),
                grouped(&between.low, source),
                grouped(&between.high, source),
            );
            format!("({operand} {}BETWEEN {low} AND {high})", not(between.negation))
        }
        Expression::In(node) => {
            let InSet::List(items) = node.set else { panic!("no list") };
            let items: Vec<String> = items.iter().map(|item| grouped(item, source)).collect();
            format!("({} {}IN ({}))", grouped(&node.operand, source), not(node.negation), items.join(", "))
        }
        Expression::Like(like) => {
            assert_eq!((like.operator, like.quantifier), (LikeOperator::Like, None));
            format!(
                "({} {}LIKE {})",
                grouped(&like.operand, source),
                not(like.negation),
                grouped(&like.patterns[0], source)
            )
        }
        Expression::Quantified(node) => {
            let quantifier = match node.quantifier {
                Quantifier::Any => "ANY",
                Quantifier::Some => "SOME",
                Quantifier::All => "ALL",
            };
            format!("({} = {quantifier} (select 1))", grouped(&node.operand, source))
        }
        Expression::Field(field) => format!("({}.{})", grouped(&field.operand, source), field.name.raw),
        Expression::Index(index) => {
            format!("({}[{}])", grouped(&index.operand, source), grouped(&index.index, source))
        }
        Expression::Parenthesized(node) => grouped(&node.inner, source),
        other => other.span(source).text(source).to_owned(),
    }
}

fn not(negation: Negation) -> &'static str {
    match negation {
        Negation::Plain => "",
        Negation::Negated => "NOT ",
    }
}
