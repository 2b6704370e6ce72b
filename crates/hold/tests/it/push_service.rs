//! A browser and its push service, as far as they decide what arrives: reads what was encrypted for it and checks who sent it.
//!
//! It shares no code with what encrypts and signs: the curve, the cipher and the hashes are written out here, slowly and plainly.

use std::sync::LazyLock;

use base64::Engine as _;
use base64::engine::general_purpose::URL_SAFE_NO_PAD;
use serde_json::{Value, json};
use sha2::{Digest as _, Sha256};

use crate::receiver::{Receiver, Reply, Request};

/// A browser in which somebody turns notifications on.
pub(crate) struct PushBrowser {
    pub(crate) service: Receiver,
    private: Number,
    public: Vec<u8>,
    auth: [u8; 16],
}

/// What a notification says, once it is decrypted.
pub(crate) struct Notified {
    pub(crate) push: Value,
    pub(crate) request: Request,
}

impl PushBrowser {
    /// Starts one whose push service meets requests like this.
    pub(crate) fn start(seed: u8, replies: &[Reply]) -> Self {
        let private = number(&Sha256::digest([seed]));
        let (x, y) = times(&private, &BASE).unwrap();
        let public = [&[4][..], &bytes(&x), &bytes(&y)].concat();
        Self { service: Receiver::start(replies), private, public, auth: [seed; 16] }
    }

    /// What the page sends to turn notifications on.
    pub(crate) fn subscription(&self) -> Value {
        json!({
            "endpoint": self.service.url("/push/secret-endpoint"),
            "keys": { "p256dh": encode(&self.public), "auth": encode(&self.auth) },
            "browser": "Firefox on Linux",
        })
    }

    /// Waits for the next notification, checks who sends it and reads it.
    #[track_caller]
    pub(crate) fn next(&self) -> Notified {
        let request = self.service.next();
        assert_eq!(request.headers["content-encoding"], "aes128gcm");
        assert!(request.headers["topic"].len() <= 32);
        assert!(request.headers["ttl"].parse::<u32>().unwrap() >= 60);
        verify(&request.headers["authorization"], &self.service.url(""));
        let push = serde_json::from_slice(&self.decrypt(&request.bytes)).unwrap();
        Notified { push, request }
    }

    /// RFC 8188 and 8291, from the receiver's side.
    fn decrypt(&self, body: &[u8]) -> Vec<u8> {
        let (salt, rest) = body.split_at(16);
        assert_eq!((&rest[..4], rest[4]), (&4096_u32.to_be_bytes()[..], 65));
        let (sender, sealed) = rest[5..].split_at(65);
        let point = (number(&sender[1..33]), number(&sender[33..]));
        let shared = bytes(&times(&self.private, &point).unwrap().0);
        let info = [b"WebPush: info\0", &self.public[..], sender].concat();
        let input = hkdf(&self.auth, &shared, &info);
        let key = hkdf(salt, &input, b"Content-Encoding: aes128gcm\0");
        let nonce = hkdf(salt, &input, b"Content-Encoding: nonce\0");
        let mut message = open(key[..16].try_into().unwrap(), &nonce[..12], sealed);
        assert_eq!(message.pop(), Some(2), "one record, without padding");
        message
    }
}

/// Checks a proof by RFC 8292: signed with ES256, for this service, and not for long.
fn verify(header: &str, service: &str) {
    let (token, key) = header.strip_prefix("vapid t=").unwrap().split_once(", k=").unwrap();
    let (signed, signature) = token.rsplit_once('.').unwrap();
    let (signature, key) = (decode(signature), decode(key));
    let (r, s) = (number(&signature[..32]), number(&signature[32..]));
    let hash = number(&Sha256::digest(signed));
    let inverse = power(&s, &minus(&ORDER, &[2, 0, 0, 0]), &ORDER);
    let (u1, u2) = (multiply(&hash, &inverse, &ORDER), multiply(&r, &inverse, &ORDER));
    let public = (number(&key[1..33]), number(&key[33..]));
    let point = plus(times(&u1, &BASE), times(&u2, &public)).unwrap();
    assert_eq!(reduce(&point.0, &ORDER), r, "the signature does not hold");
    let claims: Value = serde_json::from_slice(&decode(signed.split_once('.').unwrap().1)).unwrap();
    assert_eq!((&claims["aud"], &claims["sub"]), (&json!(service), &json!("mailto:ops@example.org")));
    let now = std::time::SystemTime::UNIX_EPOCH.elapsed().unwrap().as_secs();
    assert!((now..now + 86_400).contains(&claims["exp"].as_u64().unwrap()), "{claims}");
}

fn encode(bytes: &[u8]) -> String {
    URL_SAFE_NO_PAD.encode(bytes)
}

fn decode(text: &str) -> Vec<u8> {
    URL_SAFE_NO_PAD.decode(text).unwrap()
}

// Numbers of 256 bits, the lowest 64 first.

type Number = [u64; 4];
type Point = (Number, Number);

const PRIME: Number = [0xffff_ffff_ffff_ffff, 0x0000_0000_ffff_ffff, 0, 0xffff_ffff_0000_0001];
const ORDER: Number =
    [0xf3b9_cac2_fc63_2551, 0xbce6_faad_a717_9e84, 0xffff_ffff_ffff_ffff, 0xffff_ffff_0000_0000];
const BASE: Point = (
    [0xf4a1_3945_d898_c296, 0x7703_7d81_2deb_33a0, 0xf8bc_e6e5_63a4_40f2, 0x6b17_d1f2_e12c_4247],
    [0xcbb6_4068_37bf_51f5, 0x2bce_3357_6b31_5ece, 0x8ee7_eb4a_7c0f_9e16, 0x4fe3_42e2_fe1a_7f9b],
);

fn number(bytes: &[u8]) -> Number {
    std::array::from_fn(|at| u64::from_be_bytes(bytes[24 - 8 * at..32 - 8 * at].try_into().unwrap()))
}

fn bytes(number: &Number) -> Vec<u8> {
    number.iter().rev().flat_map(|part| part.to_be_bytes()).collect()
}

fn is_less(a: &Number, b: &Number) -> bool {
    a.iter().rev().lt(b.iter().rev())
}

fn minus(a: &Number, b: &Number) -> Number {
    let mut borrow = false;
    std::array::from_fn(|at| {
        let (left, first) = a[at].overflowing_sub(b[at]);
        let (left, second) = left.overflowing_sub(borrow.into());
        borrow = first || second;
        left
    })
}

fn reduce(a: &Number, modulus: &Number) -> Number {
    if is_less(a, modulus) { *a } else { minus(a, modulus) }
}

fn add(a: &Number, b: &Number, modulus: &Number) -> Number {
    let mut carry = false;
    let sum = std::array::from_fn(|at| {
        let (sum, first) = a[at].overflowing_add(b[at]);
        let (sum, second) = sum.overflowing_add(carry.into());
        carry = first || second;
        sum
    });
    if carry { minus(&sum, modulus) } else { reduce(&sum, modulus) }
}

fn subtract(a: &Number, b: &Number) -> Number {
    add(a, &minus(&PRIME, b), &PRIME)
}

fn bits(number: &Number) -> impl Iterator<Item = bool> {
    (0..256).rev().map(|at| number[at / 64] >> (at % 64) & 1 == 1)
}

fn multiply(a: &Number, b: &Number, modulus: &Number) -> Number {
    let a = reduce(a, modulus);
    bits(b).fold([0; 4], |product, bit| {
        let double = add(&product, &product, modulus);
        if bit { add(&double, &a, modulus) } else { double }
    })
}

fn power(base: &Number, exponent: &Number, modulus: &Number) -> Number {
    bits(exponent).fold([1, 0, 0, 0], |product, bit| {
        let square = multiply(&product, &product, modulus);
        if bit { multiply(&square, base, modulus) } else { square }
    })
}

// Points on P-256: the third coordinate saves dividing at each step.

type Projective = (Number, Number, Number);

fn times(scalar: &Number, point: &Point) -> Option<Point> {
    let product = bits(scalar).fold(([0; 4], [0; 4], [0; 4]), |sum: Projective, bit| {
        let double = doubled(&sum);
        if bit { joined(&double, point) } else { double }
    });
    flat(&product)
}

fn plus(a: Option<Point>, b: Option<Point>) -> Option<Point> {
    match (a, b) {
        (Some(a), Some(b)) => flat(&joined(&(a.0, a.1, [1, 0, 0, 0]), &b)),
        (a, b) => a.or(b),
    }
}

fn flat((x, y, z): &Projective) -> Option<Point> {
    if *z == [0; 4] {
        return None;
    }
    let inverse = power(z, &minus(&PRIME, &[2, 0, 0, 0]), &PRIME);
    let square = times_mod(&inverse, &inverse);
    Some((times_mod(x, &square), times_mod(y, &times_mod(&square, &inverse))))
}

fn times_mod(a: &Number, b: &Number) -> Number {
    multiply(a, b, &PRIME)
}

fn twice(a: &Number) -> Number {
    add(a, a, &PRIME)
}

fn doubled((x, y, z): &Projective) -> Projective {
    let (yy, zz) = (times_mod(y, y), times_mod(z, z));
    let four = twice(&twice(&times_mod(x, &yy)));
    let slope = times_mod(&subtract(x, &zz), &add(x, &zz, &PRIME));
    let slope = add(&twice(&slope), &slope, &PRIME);
    let next = subtract(&times_mod(&slope, &slope), &twice(&four));
    let eight = twice(&twice(&twice(&times_mod(&yy, &yy))));
    (next, subtract(&times_mod(&slope, &subtract(&four, &next)), &eight), twice(&times_mod(y, z)))
}

fn joined((x, y, z): &Projective, (other_x, other_y): &Point) -> Projective {
    if *z == [0; 4] {
        return (*other_x, *other_y, [1, 0, 0, 0]);
    }
    let zz = times_mod(z, z);
    let run = subtract(&times_mod(other_x, &zz), x);
    let rise = subtract(&times_mod(other_y, &times_mod(&zz, z)), y);
    let square = times_mod(&run, &run);
    let (cube, scaled) = (times_mod(&square, &run), times_mod(x, &square));
    let next = subtract(&subtract(&times_mod(&rise, &rise), &cube), &twice(&scaled));
    (next, subtract(&times_mod(&rise, &subtract(&scaled, &next)), &times_mod(y, &cube)), times_mod(&run, z))
}

// HKDF with SHA-256, and AES-128-GCM.

fn hmac(key: &[u8], message: &[u8]) -> [u8; 32] {
    let pad = |with: u8| -> Vec<u8> { (0..64).map(|at| key.get(at).unwrap_or(&0) ^ with).collect() };
    let inner = Sha256::digest([&pad(0x36), message].concat());
    Sha256::digest([&pad(0x5c), &inner[..]].concat()).into()
}

fn hkdf(salt: &[u8], input: &[u8], info: &[u8]) -> [u8; 32] {
    hmac(&hmac(salt, input), &[info, &[1]].concat())
}

fn open(key: [u8; 16], nonce: &[u8], sealed: &[u8]) -> Vec<u8> {
    let keys = round_keys(key);
    let block = |counter: u32| cipher(&keys, [nonce, &counter.to_be_bytes()].concat().try_into().unwrap());
    let (text, tag) = sealed.split_at(sealed.len() - 16);
    let h = u128::from_be_bytes(cipher(&keys, [0; 16]));
    let mut sum = 0;
    for chunk in text.chunks(16) {
        let mut padded = [0; 16];
        padded[..chunk.len()].copy_from_slice(chunk);
        sum = times_h(sum ^ u128::from_be_bytes(padded), h);
    }
    sum = times_h(sum ^ (text.len() as u128 * 8), h);
    assert_eq!((sum ^ u128::from_be_bytes(block(1))).to_be_bytes(), tag, "the message was changed");
    let stream = (2..).flat_map(block);
    text.iter().zip(stream).map(|(byte, with)| byte ^ with).collect()
}

fn times_h(x: u128, h: u128) -> u128 {
    let (mut product, mut v) = (0, h);
    for at in (0..128).rev() {
        if x >> at & 1 == 1 {
            product ^= v;
        }
        v = (v >> 1) ^ if v & 1 == 1 { 0xe1 << 120 } else { 0 };
    }
    product
}

fn double_byte(byte: u8) -> u8 {
    byte << 1 ^ if byte & 0x80 != 0 { 0x1b } else { 0 }
}

fn substitute(byte: u8) -> u8 {
    static TABLE: LazyLock<[u8; 256]> =
        LazyLock::new(|| std::array::from_fn(|at| worked_out(u8::try_from(at).unwrap())));
    TABLE[usize::from(byte)]
}

fn worked_out(byte: u8) -> u8 {
    let times = |mut a: u8, mut b: u8| {
        let mut product = 0;
        while b > 0 {
            product ^= if b & 1 == 1 { a } else { 0 };
            a = double_byte(a);
            b >>= 1;
        }
        product
    };
    // The 254th power is the inverse.
    let inverse = (0..253).fold(byte, |power, _| times(power, byte));
    (0..5).fold(0x63, |sum, turn| sum ^ inverse.rotate_left(turn))
}

fn round_keys(key: [u8; 16]) -> Vec<[u8; 16]> {
    let mut words: Vec<[u8; 4]> = key.chunks(4).map(|word| word.try_into().unwrap()).collect();
    let mut constant = 1;
    while words.len() < 44 {
        let mut word = words[words.len() - 1];
        if words.len().is_multiple_of(4) {
            word.rotate_left(1);
            word = word.map(substitute);
            word[0] ^= constant;
            constant = double_byte(constant);
        }
        let before = words[words.len() - 4];
        words.push(std::array::from_fn(|at| word[at] ^ before[at]));
    }
    words.chunks(4).map(|four| four.concat().try_into().unwrap()).collect()
}

fn cipher(keys: &[[u8; 16]], input: [u8; 16]) -> [u8; 16] {
    let mut state: [u8; 16] = std::array::from_fn(|at| input[at] ^ keys[0][at]);
    for (round, key) in keys.iter().enumerate().skip(1) {
        let shifted: [u8; 16] = std::array::from_fn(|at| substitute(state[(at + 4 * (at % 4)) % 16]));
        state = if round == 10 {
            shifted
        } else {
            std::array::from_fn(|at| {
                let column = |row: usize| shifted[at / 4 * 4 + (at + row) % 4];
                double_byte(column(0)) ^ double_byte(column(1)) ^ column(1) ^ column(2) ^ column(3)
            })
        };
        state = std::array::from_fn(|at| state[at] ^ key[at]);
    }
    state
}

/// The example of RFC 8291, so that what is checked with this is checked well.
#[test]
fn it_reads_what_the_rfc_shows() {
    let browser = PushBrowser {
        service: Receiver::start(&[]),
        private: number(&decode("q1dXpw3UpT5VOmu_cf_v6ih07Aems3njxI-JWgLcM94")),
        public: decode(
            "BCVxsr7N_eNgVRqvHtD0zTZsEc6-VV-JvLexhqUzORcxaOzi6-AYWXvTBHm4bjyPjs7Vd8pZGH6SRpkNtoIAiw4",
        ),
        auth: decode("BTBZMqHH6r4Tts7J_aSIgg").try_into().unwrap(),
    };
    let (x, y) = times(&browser.private, &BASE).unwrap();
    assert_eq!([&[4][..], &bytes(&x), &bytes(&y)].concat(), browser.public);
    let body = decode(
        "DGv6ra1nlYgDCS1FRnbzlwAAEABBBP4z9KsN6nGRTbVYI_c7VJSPQTBtkgcy27mlmlMoZIIgDll6e3vCYLocInmYWAmS6TlzAC8wEqKK6PBru3jl7A_\
         yl95bQpu6cVPTpK4Mqgkf1CXztLVBSt2Ks3oZwbuwXPXLWyouBWLVWGNWQexSgSxsj_Qulcy4a-fN",
    );
    assert_eq!(browser.decrypt(&body), b"When I grow up, I want to be a watermelon");
}
