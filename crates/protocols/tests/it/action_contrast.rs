//! A value that is known and denied beside another is replaced; what others say takes something back only where a word says so.

use serde_json::json;

use crate::action_wordings::all_mean;

#[test]
fn what_is_denied_beside_another_value_is_replaced() {
    let known = json!({ "device": "monitor", "quantity": 2, "needed_by": "2026-06-26" });
    let three = json!({ "quantity": 3 });
    let texts = [
        "manager says three, not two",
        "3 not 2",
        "three and not two",
        "we need 3, not 2, sorry",
        "not two but three",
        "not two, three",
        "I checked: it is 3, not 2",
    ];
    all_mean("equipment.json", None, &known, &three, &texts);
    let laptop = json!({ "device": "laptop" });
    let texts = ["laptops, not monitors", "it's not a monitor, it's a laptop", "put laptop, not monitor"];
    all_mean("equipment.json", None, &known, &laptop, &texts);
    let earlier = json!({ "needed_by": "2026-06-24" });
    let texts = [
        "not the 26th, they have to be here by 24 June",
        "by the 24th, not the 26th",
        "24 June, not 26 June",
        "it has to be 24 June, not 26",
    ];
    all_mean("equipment.json", None, &known, &earlier, &texts);
}

#[test]
fn what_is_denied_elsewhere_is_not_replaced() {
    let known = json!({ "device": "monitor", "quantity": 2, "needed_by": "2026-06-26" });
    let texts = [
        "my colleague ordered three, not two",
        "Kev got three laptops, not two",
        "was it three, not two?",
        "if it is three, not two, tell me",
        "I'm not sure about two",
        "I'm not here on the 26th",
        "Kev's deadline is 24 June, not 26 June",
        "she wanted three, not two",
        "Tom needs laptops, not monitors",
        "there are three of us, not two",
        "it's room 3, not 2",
        "page 3 of the form, not 2",
        "a maximum of 3, not 2",
        "it should cost 3 euros, not 2",
        "the meeting is on the 24th, not the 26th",
    ];
    all_mean("equipment.json", None, &known, &json!({}), &texts);
}

#[test]
fn days_of_a_report() {
    let known = json!({ "incident_type": "Injury", "start_date": "2026-06-08" });
    let texts = [
        "I checked the log book: it was 7 June, not 8 June.",
        "sorry, my colleague says it was 7 June",
        "sorry, the foreman told me it was 7 June",
        "wait, wrong date, my diary says it was the 7th of June",
        "the 7th, not the 8th",
    ];
    all_mean("incident_report.json", None, &known, &json!({ "start_date": "2026-06-07" }), &texts);
    let texts =
        ["On second thoughts put accident, not injury", "accident not injury", "not an injury but a crash"];
    all_mean("incident_report.json", None, &known, &json!({ "incident_type": "Accident" }), &texts);
    let texts = [
        "my colleague says he had an accident on the 7th",
        "was it 7 June, not 8 June?",
        "Tom's accident was on 7 June, not 8 June",
        "the log says it was Tom who reported it on 7 June",
    ];
    all_mean("incident_report.json", None, &known, &json!({}), &texts);
}

#[test]
fn a_name_is_known_by_a_part_of_it() {
    let known = json!({ "leave_type": "Emergency", "emergency_contact": "Tomasz Wilk" });
    let texts = ["The emergency contact should be Agata Wilk, not Tomasz", "Agata Wilk, not Tomasz Wilk"];
    all_mean("leave_request.json", None, &known, &json!({ "emergency_contact": "Agata Wilk" }), &texts);
}
