//! Coordinates in the common notations.

use holdpoint_core::Kind;
use serde_json::json;

use super::number;
use super::scan::Scan;
use super::words::Sort;

/// Words that lead to coordinates.
const LEADS: [&str; 18] = [
    "at",
    "location",
    "coordinates",
    "coords",
    "gps",
    "position",
    "near",
    "around",
    "is",
    "was",
    "place",
    "here",
    "it",
    "it's",
    "the",
    "about",
    "degrees",
    "and",
];

/// Words of other things that have figures.
const MEASURED: [&str; 36] = [
    "temperature",
    "temperatures",
    "temp",
    "fever",
    "celsius",
    "fahrenheit",
    "°c",
    "version",
    "versions",
    "release",
    "releases",
    "price",
    "prices",
    "cost",
    "costs",
    "paid",
    "eur",
    "euro",
    "euros",
    "usd",
    "dollar",
    "dollars",
    "pounds",
    "percent",
    "%",
    "€",
    "$",
    "£",
    "kg",
    "km",
    "litres",
    "score",
    "scores",
    "bar",
    "volts",
    "ph",
];

/// Finds a pair of coordinates for the field that takes a place.
pub(super) fn read(scan: &mut Scan<'_>) {
    let fields = scan.fields;
    let asked = scan.asked.filter(|field| field.kind == Kind::Location);
    let Some(field) = asked.or_else(|| fields.iter().find(|field| field.kind == Kind::Location)) else {
        return;
    };
    for start in 0..scan.tokens.len() {
        // The end of a number is none: of `52 75 00 N` nothing is read.
        let digits = |at: usize| scan.tokens.get(at).is_some_and(|token| token.sort == Sort::Digits);
        if start > 0 && digits(start - 1) && digits(start) && scan.word(start + 1) != "." {
            continue;
        }
        let headed = header(scan, start);
        let Some(mut lat) = angle(scan, headed.unwrap_or(start)) else { continue };
        let gap = usize::from(matches!(scan.word(lat.next), "," | ";" | "/" | "and"));
        let Some(mut lng) = angle(scan, lat.next + gap) else { continue };
        if headed.is_some() && lat.axis.is_none() && lng.axis.is_none() {
            (lat.axis, lng.axis) = (Some(Axis::Lat), Some(Axis::Lng));
        }
        let (lat, lng) =
            if lat.axis == Some(Axis::Lng) && lng.axis == Some(Axis::Lat) { (lng, lat) } else { (lat, lng) };
        let end = lat.next.max(lng.next);
        let marked = lat.axis == Some(Axis::Lat) && lng.axis == Some(Axis::Lng);
        // `hall 24.7, 46.6` numbers a hall; five figures name no hall.
        let led = scan.before(start, 1).is_none_or(|token| token.sort == Sort::Sign || token.among(&LEADS));
        let precise = lat.fraction >= 3 && lng.fraction >= 3 || led && lat.fraction > 0 && lng.fraction > 0;
        let bare = scan.is_asked(field)
            && scan
                .tokens
                .iter()
                .all(|token| token.sort != Sort::Word || token.among(&LEADS) || named(&token.low).is_some());
        // `the temperature was 38.5, 39.2`
        let measured = !marked
            && scan
                .sentence(start)
                .any(|at| (at < start || at >= end && at < end + 2) && MEASURED.contains(&scan.word(at)));
        let crossed = lat.axis == Some(Axis::Lng) || lng.axis == Some(Axis::Lat);
        if !crossed && !measured && (marked || precise || bare) && scan.offered(start..end) {
            let value = json!({ "lat": round(lat.degrees), "lng": round(lng.degrees) });
            scan.take(field, &value, start..end);
            return;
        }
    }
}

/// Reads the names of both coordinates before their figures: `lat/long`, `latitude and longitude:`. Returns the token behind them.
fn header(scan: &Scan<'_>, start: usize) -> Option<usize> {
    let is_lat = matches!(scan.word(start), "lat" | "latitude");
    let next = start + 1 + usize::from(matches!(scan.word(start + 1), "/" | "," | "and" | "-" | "&"));
    let is_lng = matches!(scan.word(next), "lng" | "lon" | "long" | "longitude");
    let joined = matches!(scan.word(start), "latlong" | "latlng" | "latlon");
    let next = if joined { start + 1 } else { next + 1 };
    let colon = usize::from(matches!(scan.word(next), ":" | "=" | "is" | "are"));
    (joined || is_lat && is_lng).then_some(next + colon)
}

/// A millionth of a degree is the breadth of a hand.
fn round(degrees: f64) -> f64 {
    (degrees * 1e6).round() / 1e6
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Axis {
    Lat,
    Lng,
}

struct Angle {
    degrees: f64,
    axis: Option<Axis>,
    /// How many figures stand behind the point.
    fraction: usize,
    next: usize,
}

/// Reads one coordinate: `24.7136`, `24.7136° N`, `N 24.7`, `51°30'26"N`, `lat 24.7`, `latitude: -33.9`.
fn angle(scan: &Scan<'_>, start: usize) -> Option<Angle> {
    let (mut axis, mut sign, mut at) = (None, 1.0, start);
    if let Some((named, way)) = named(scan.word(at)) {
        (axis, sign, at) = (Some(named), way, at + 1);
        at += usize::from(matches!(scan.word(at), ":" | "=" | "is"));
    }
    let number = number_at(scan, at)?;
    let (mut degrees, mut fraction, mut next) = (number.0, number.1, number.2);
    if matches!(scan.word(next), "°" | "º" | "deg" | "degrees") {
        next += 1;
        for (marks, part) in [(["'", "′", "’"], 60.0), (["\"", "″", "”"], 3600.0)] {
            if let Some((value, _, after)) = number_at(scan, next)
                && marks.contains(&scan.word(after))
                && (0.0..60.0).contains(&value)
            {
                degrees += value / part * if degrees < 0.0 { -1.0 } else { 1.0 };
                (fraction, next) = (3, after + 1);
            }
        }
        // `52 deg 31 N`: minutes without a mark, before the side.
        if let Some((value, 0, after)) = number_at(scan, next)
            && (0.0..60.0).contains(&value)
            && let minutes = usize::from(matches!(scan.word(after), "min" | "minutes"))
            && scan.word(after + minutes).len() == 1
            && named(scan.word(after + minutes)).is_some()
        {
            degrees += value / 60.0;
            (fraction, next) = (3, after + minutes);
        }
    }
    // `52 30 00 N`, `52 30.5 N`: nothing but space parts them, and the side stands behind.
    if let Some((minutes, after)) = spaced_minutes(scan, next).filter(|_| fraction == 0) {
        degrees += minutes / 60.0;
        (fraction, next) = (3, after);
    }
    if axis.is_none()
        && let Some((named, way)) =
            named(scan.word(next)).filter(|_| scan.word(next).len() == 1 || scan.word(next).len() > 3)
    {
        (axis, sign, next) = (Some(named), way, next + 1);
    }
    Some(Angle { degrees: degrees * sign, axis, fraction, next })
}

/// Reads minutes, and perhaps seconds, that stand before the side as plain figures.
fn spaced_minutes(scan: &Scan<'_>, at: usize) -> Option<(f64, usize)> {
    let side = |at: usize| scan.word(at).len() == 1 && named(scan.word(at)).is_some();
    let within = |(value, figures, next): (f64, usize, usize)| {
        (0.0..60.0).contains(&value).then_some((value, figures, next))
    };
    let (minutes, figures, next) = number_at(scan, at).and_then(within)?;
    if side(next) {
        return Some((minutes, next));
    }
    let (seconds, _, next) = number_at(scan, next).and_then(within).filter(|_| figures == 0)?;
    side(next).then_some((minutes + seconds / 60.0, next))
}

fn named(word: &str) -> Option<(Axis, f64)> {
    Some(match word {
        "lat" | "latitude" | "n" | "north" => (Axis::Lat, 1.0),
        "s" | "south" => (Axis::Lat, -1.0),
        "lng" | "lon" | "long" | "longitude" | "e" | "east" => (Axis::Lng, 1.0),
        "w" | "west" => (Axis::Lng, -1.0),
        _ => return None,
    })
}

/// Reads a number with its sign; commas part coordinates here, not thousands.
fn number_at(scan: &Scan<'_>, at: usize) -> Option<(f64, usize, usize)> {
    let negative = matches!(scan.word(at), "-" | "−");
    let at = at + usize::from(negative);
    let whole = scan.tokens.get(at).filter(|token| token.sort == Sort::Digits && token.low.len() <= 3)?;
    let fraction = scan
        .tokens
        .get(at + 2)
        .filter(|token| token.sort == Sort::Digits && !token.spaced && token.low.len() <= 12);
    // With a comma only where a side or the sign of degrees shows that it parts no two numbers: `52,5 N`.
    let sided = || {
        matches!(scan.word(at + 3), "°" | "º")
            || scan.word(at + 3).len() == 1 && named(scan.word(at + 3)).is_some()
    };
    let dotted = scan
        .tokens
        .get(at + 1)
        .is_some_and(|token| !token.spaced && (token.is(".") || token.is(",") && sided()));
    let sign = if negative { -1.0 } else { 1.0 };
    match fraction {
        Some(fraction) if dotted => {
            let value: f64 = format!("{}.{}", whole.low, fraction.low).parse().ok()?;
            Some((sign * value, fraction.low.len(), at + 3))
        }
        _ => number::whole(&scan.tokens, at, 180)
            .map(|_| whole.low.parse().ok().map(|value: f64| (sign * value, 0, at + 1)))?,
    }
}
