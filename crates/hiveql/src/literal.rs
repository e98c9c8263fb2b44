use std::borrow::Cow;
pub fn unquote_name(raw: &str) -> Cow<'_, str> {
    Cow::Borrowed(raw)
}
pub fn unescape_string(raw: &str) -> Cow<'_, str> {
    Cow::Borrowed(raw)
}
