//! Moments as text, in UTC: `2026-11-29T02:14:05.123Z`.

use guardbee_model::Timestamp;

const DAY: i64 = 86_400_000;

/// The moment to the millisecond. Years before 0 and after 9999 have a sign, as ISO 8601 asks.
#[must_use]
pub fn text(moment: Timestamp) -> String {
    let (days, rest) = (moment.0.div_euclid(DAY), moment.0.rem_euclid(DAY));
    let (year, month, day) = civil(days);
    let year = match year {
        0..=9999 => format!("{year:04}"),
        _ => format!("{year:+05}"),
    };
    let (hour, minute, second) = (rest / 3_600_000, rest / 60_000 % 60, rest / 1000 % 60);
    format!("{year}-{month:02}-{day:02}T{hour:02}:{minute:02}:{second:02}.{:03}Z", rest % 1000)
}

/// Reads `2026-11-29`, `2026-11-29 02:14[:05[.123]]` (with `T` instead of the blank, and `Z` or an offset behind it),
/// or milliseconds since 1970. Without an offset it is UTC.
#[must_use]
pub fn parse(text: &str) -> Option<Timestamp> {
    let text = text.trim();
    if let Ok(milliseconds) = text.parse::<i64>() {
        return Some(Timestamp(milliseconds));
    }
    let (date, time) = match text.split_once(['T', 't', ' ']) {
        Some((date, time)) => (date, time.trim_start()),
        None => (text, ""),
    };
    let mut milliseconds = date_days(date)?.checked_mul(DAY)?;
    if !time.is_empty() {
        let (clock, offset) = offset(time)?;
        milliseconds = milliseconds.checked_add(clock_milliseconds(clock)?)?.checked_sub(offset)?;
    }
    Some(Timestamp(milliseconds))
}

fn date_days(date: &str) -> Option<i64> {
    let mut parts = date.splitn(3, '-');
    let year = number(parts.next()?, 4, 0..=9999)?;
    let month = number(parts.next()?, 2, 1..=12)?;
    let day = number(parts.next()?, 2, 1..=31)?;
    let days = days(year, month, day);
    (civil(days) == (year, month, day)).then_some(days)
}

/// The time of day, and how many milliseconds it is ahead of UTC.
fn offset(time: &str) -> Option<(&str, i64)> {
    if let Some(clock) = time.strip_suffix(['Z', 'z']).or_else(|| time.strip_suffix(" UTC")) {
        return Some((clock, 0));
    }
    let Some(at) = time.find(['+', '-']) else { return Some((time, 0)) };
    let (clock, ahead) = time.split_at_checked(at)?;
    let sign = if ahead.starts_with('-') { -1 } else { 1 };
    let digits: String = ahead.chars().skip(1).filter(|character| *character != ':').collect();
    let (hours, minutes) = match digits.len() {
        2 => (digits.as_str(), "00"),
        4 => digits.split_at_checked(2)?,
        _ => return None,
    };
    let ahead = number(hours, 2, 0..=18)? * 60 + number(minutes, 2, 0..=59)?;
    Some((clock, sign * ahead * 60_000))
}

fn clock_milliseconds(clock: &str) -> Option<i64> {
    let (clock, fraction) = clock.split_once(['.', ',']).unwrap_or((clock, ""));
    let mut parts = clock.splitn(3, ':');
    let hour = number(parts.next()?, 2, 0..=23)?;
    let minute = number(parts.next()?, 2, 0..=59)?;
    let second = parts.next().map_or(Some(0), |second| number(second, 2, 0..=60))?;
    if !fraction.bytes().all(|byte| byte.is_ascii_digit()) {
        return None;
    }
    let mut thousandths: String = fraction.chars().take(3).collect();
    while thousandths.len() < 3 {
        thousandths.push('0');
    }
    Some(((hour * 60 + minute) * 60 + second) * 1000 + thousandths.parse::<i64>().ok()?)
}

fn number(text: &str, digits: usize, range: std::ops::RangeInclusive<i64>) -> Option<i64> {
    let is_number = text.len() == digits && text.bytes().all(|byte| byte.is_ascii_digit());
    text.parse().ok().filter(|number| is_number && range.contains(number))
}

/// Days since 1970 of a date, in the calendar of the Gregorians carried on both ways. Years start in March, so that
/// the day that leap years add is the last.
const fn days(year: i64, month: i64, day: i64) -> i64 {
    let year = if month <= 2 { year - 1 } else { year };
    let era = year.div_euclid(400);
    let year_of_era = year.rem_euclid(400);
    let day_of_year = (153 * ((month + 9) % 12) + 2) / 5 + day - 1;
    era * 146_097 + year_of_era * 365 + year_of_era / 4 - year_of_era / 100 + day_of_year - 719_468
}

/// Year, month and day of so many days since 1970.
const fn civil(days: i64) -> (i64, i64, i64) {
    let days = days + 719_468;
    let era = days.div_euclid(146_097);
    let day_of_era = days.rem_euclid(146_097);
    let year_of_era = (day_of_era - day_of_era / 1460 + day_of_era / 36_524 - day_of_era / 146_096) / 365;
    let day_of_year = day_of_era - (365 * year_of_era + year_of_era / 4 - year_of_era / 100);
    let month = (5 * day_of_year + 2) / 153;
    let day = day_of_year - (153 * month + 2) / 5 + 1;
    let year = year_of_era + era * 400 + if month >= 10 { 1 } else { 0 };
    (year, if month < 10 { month + 3 } else { month - 9 }, day)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn moments_are_written_and_read() {
        for (milliseconds, written) in [
            (0, "1970-01-01T00:00:00.000Z"),
            (-1, "1969-12-31T23:59:59.999Z"),
            (951_782_400_000, "2000-02-29T00:00:00.000Z"),
            (1_796_004_845_123, "2026-11-30T02:14:05.123Z"),
            (253_402_300_799_999, "9999-12-31T23:59:59.999Z"),
        ] {
            assert_eq!(text(Timestamp(milliseconds)), written);
            assert_eq!(parse(written), Some(Timestamp(milliseconds)), "{written}");
        }
        assert_eq!(text(Timestamp(253_402_300_800_000)), "+10000-01-01T00:00:00.000Z");
        let _ = (text(Timestamp(i64::MAX)), text(Timestamp(i64::MIN)));
    }

    #[test]
    fn what_is_left_out_is_zero_and_offsets_count() {
        for (written, same) in [
            ("2026-11-29", "2026-11-29T00:00:00Z"),
            ("2026-11-29 02:14", "2026-11-29T02:14:00Z"),
            ("2026-11-29 02:14:05,5", "2026-11-29T02:14:05.500Z"),
            ("2026-11-29T02:14:05+02:00", "2026-11-29T00:14:05Z"),
            ("2026-11-29T02:14:05-0130", "2026-11-29T03:44:05Z"),
            ("1764382445123", "2025-11-29T02:14:05.123Z"),
        ] {
            assert_eq!(parse(written), parse(same), "{written}");
            assert!(parse(written).is_some(), "{written}");
        }
        for wrong in
            ["", "yesterday", "2026-02-30", "2026-13-01", "2026-11-29T25:00", "2026-11-29T", "26-11-29"]
        {
            let is_date_alone = wrong == "2026-11-29T";
            assert_eq!(parse(wrong).is_some(), is_date_alone, "{wrong}");
        }
    }
}
