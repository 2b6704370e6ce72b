//! Everyday words that mean the same, whatever form they are said to: a form that offers a screen offers a monitor too.
//!
//! A word belongs here if people use it for the other without further thought. What only comes with it does not: where
//! there is smoke there need not be a fire.

use std::collections::HashMap;
use std::sync::LazyLock;

use holdpoint_core::{Field, Opt};

use super::super::form::{synonyms, words_of};
use super::known;
use super::mention::Phrase;

/// Groups of words that mean the same, parted by commas.
const GROUPS: [&str; 34] = [
    "fire,blaze,flames,on fire,ablaze,alight,inferno,caught fire,catch fire,went up in flames,set alight,burning",
    "accident,crash,collision,collided,crashed,pile-up,mishap,fender bender,smash-up,prang",
    "injury,injured,hurt,wounded,wound,injuries,got hurt",
    "theft,stolen,burglary,robbery,break-in,robbed",
    "leak,leakage,spill,spillage,leaking",
    "outage,downtime,blackout,power cut,power failure",
    "annual,vacation,holiday,holidays,annual leave,paid leave,pto,paid time off,hols,a/l",
    "sick,ill,unwell,sickness,poorly,sick leave,under the weather,not feeling well,not well,off sick,down with the flu,down with",
    "unpaid,without pay,unpaid leave,no pay,leave without pay,lwop,not paid",
    "emergency,family emergency,emergency leave",
    "parental,maternity,paternity,parental leave,maternity leave,paternity leave",
    "checkup,check-up,check up,routine visit,routine check,health check,medical check,physical,general check,routine examination,routine exam,annual exam",
    "vaccination,vaccine,jab,shot,immunisation,immunization,booster,inoculation,vaccinated,vax,flu jab,flu shot",
    "prescription,refill,repeat prescription,repeat,rx,prescription renewal,prescribed",
    "public,statutory,publicly,public insurance,public health insurance,state insurance",
    "private,privately,private insurance,privately insured",
    "laptop,notebook,notebook computer,laptop computer,portable computer,macbook,chromebook",
    "monitor,screen,display",
    "headset,headphones,headphone,earphones,head set",
    "mouse,mice",
    "keyboard,kbd",
    "dock,docking station,docks,docking stations",
    "phone,telephone,mobile,smartphone,cell phone,handset",
    "desktop,desktop computer,workstation,desktop pc",
    "webcam,camera,web camera",
    "car,automobile,vehicle",
    "urgent,high priority,critical,asap",
    "parking,parking space,parking spot,car park",
    "breakfast,brekkie,morning meal",
    "single,single room,one-person room",
    "double,double room",
    "twin,twin room,two beds",
    "production,prod,live system",
    "development,dev",
];

static BY_WORD: LazyLock<HashMap<&'static str, usize>> = LazyLock::new(|| {
    let words = GROUPS.iter().enumerate();
    words.flat_map(|(at, group)| group.split(',').map(move |word| (word, at))).collect()
});

static PHRASES: LazyLock<Vec<Vec<Phrase>>> =
    LazyLock::new(|| GROUPS.iter().map(|group| group.split(',').filter_map(Phrase::new).collect()).collect());

/// Lists what an option is called in everyday words beside the names that the form gives it. Where two options of a field mean
/// the same, the form tells them apart, and its own names count.
pub(super) fn phrases(field: &Field, option: &Opt) -> &'static [Phrase] {
    let Some(group) = group(option) else { return &[] };
    let others = || field.all_options().filter(|other| other.id != option.id);
    if others().any(|other| groups(other).any(|other| other == group)) {
        return &[];
    }
    &PHRASES[group]
}

/// Returns whether an option means what an everyday word means.
pub(super) fn means(option: &Opt, word: &str) -> bool {
    group(option).is_some_and(|group| BY_WORD.get(word) == Some(&group))
}

/// Returns the group that an option belongs to: that of its label before that of its other names.
fn group(option: &Opt) -> Option<usize> {
    groups(option).next()
}

fn groups(option: &Opt) -> impl Iterator<Item = usize> {
    let names = [option.label.as_str(), option.id.as_str()].into_iter().chain(synonyms(&option.extra));
    names.filter_map(known::group)
}

/// Returns the group that a name belongs to, as it is written or by its words.
pub(super) fn group_of(name: &str) -> Option<usize> {
    let by = |name: String| BY_WORD.get(name.as_str()).copied();
    by(name.to_lowercase()).or_else(|| by(words_of(name)))
}
