//! What readers of JSON and YAML say of a mistake, in words of who wrote the file: they name types of the program.

/// A message without the names of types. What stands in backticks is the file's own and stays.
#[must_use]
pub fn plain_words(message: &str) -> String {
    let message = message.replace(", set DuplicateKeyPolicy in Options if acceptable", "");
    let mut text = String::with_capacity(message.len());
    for (place, part) in message.split('`').enumerate() {
        if place > 0 {
            text.push('`');
        }
        match place % 2 {
            0 => outside_quotes(part, &mut text),
            _ => text.push_str(part),
        }
    }
    text
}

fn outside_quotes(part: &str, text: &mut String) {
    let mut is_name_of_type = false;
    for (place, word) in part.split(' ').enumerate() {
        if std::mem::take(&mut is_name_of_type) {
            continue;
        }
        if place > 0 {
            text.push(' ');
        }
        let end = word.find(|letter: char| !letter.is_alphanumeric() && letter != '_').unwrap_or(word.len());
        let (bare, behind) = word.split_at(end);
        is_name_of_type = matches!(bare, "struct" | "enum") && behind.is_empty();
        text.push_str(plain(bare));
        text.push_str(behind);
    }
}

fn plain(word: &str) -> &str {
    match word {
        "u8" | "u16" | "u32" | "u64" | "u128" | "usize" => "whole number from 0 on",
        "i8" | "i16" | "i32" | "i64" | "i128" | "isize" => "whole number",
        "f32" | "f64" => "number",
        "sequence" => "list",
        "map" | "mapping" | "struct" => "object",
        "variant" | "enum" => "word",
        "scalar" => "value",
        "EOF" => "end of the text",
        word => word,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn types_of_the_program_are_not_named() {
        for (message, plain) in [
            ("invalid type: sequence, expected u32", "invalid type: list, expected whole number from 0 on"),
            (
                "invalid type: map, expected struct JsonEntry with 3 elements",
                "invalid type: object, expected object with 3 elements",
            ),
            (
                "unknown variant `map`, expected `u32` or `deny`",
                "unknown word `map`, expected `u32` or `deny`",
            ),
            ("EOF while parsing an object", "end of the text while parsing an object"),
            (
                "duplicate mapping key: name, set DuplicateKeyPolicy in Options if acceptable at line 2",
                "duplicate object key: name at line 2",
            ),
            ("", ""),
            ("`", "`"),
        ] {
            assert_eq!(plain_words(message), plain);
        }
    }
}
