//! Words that mean the same in every form, as far as more than one rule goes by them.

/// Words that say nothing about a value beside them: small words, politeness, and signs.
pub(super) const FILLERS: &str = "a an the my our your this these i we you he she they it i'm we're i'd we'd i'll we'll i've we've it's he's she's me us his her him them their its mine ours that that's there there's is are am be will would can could shall should must do like love got time some plus please thanks thank hi hello hey dear and also too again for on in at to from with by of as until till through so because then let's here total altogether overall exactly sharp ok okay yes sure fine good great perfect best works suits enough well oh one ones due needed planned scheduled now both yet today tonight morning afternoon evening night o'clock people person persons pls put down which who old only just really very quite happy glad interested back going go goes , : = ( ) & . ! ; $ € £ - – # \n";
/// Words that say that something known is to become something else.
pub(super) const CHANGES: &str = "change update switch replace set edit modify amend move correct fix";
/// Words that may open a correction.
pub(super) const OPENING: &str = "actually sorry no oops correction wait , :";
/// Words that take back what was just said.
pub(super) const CORRECTS: &str = "actually instead correction sorry rather oops wait meant mean wrong";
/// Words that doubt what was said, or say that nothing is known.
pub(super) const VAGUE: &str = "not don't dont know sure yet idea idk dunno unknown unsure certain or maybe perhaps possibly probably if possible though think guess tbd tba tbc n / a na decided known clear i i'm am it that is no never mind just but still really , - –";
/// Words that are a yes by themselves.
pub(in crate::action) const YES: &str = "yes true yep yeah yup sure ok okay y ye yea k absolutely certainly correct confirm confirmed right exactly indeed definitely نعم 👍 👌 ✅ ✔ ☑ 🆗";
/// Words that are a no by themselves.
pub(in crate::action) const NO: &str = "no false nope nah n neither none 👎 ❌ ✖ 🚫";
/// Words that limit or replace what they stand beside, wherever they stand.
pub(super) const LIMITS: &str = "most least worst max maximum min minimum average per each every any about around nearly almost under over above below between less more than extra additional other another different second former possible broken spare half double twice case example instance earliest latest moment short ca else skip hate avoid dislike object out reject costs forget plus minus already away own";
