//! The books that are changed: short ones, each for a part of the format, a variant, and the
//! example book.

use oddsmith_gamebook::Book;
use serde_json::{Value, json};

fn book(sections: Value) -> Value {
    let stat = |id: &str, initial: Value| json!({ "id": id, "initial": initial });
    json!({
        "format": "oddsmith-gamebook",
        "version": 1,
        "id": "seed",
        "start": 1,
        "rules": { "test": "below", "refresh": "marked", "hit": 2 },
        "sheet": {
            "stats": [
                { "id": "skill", "initial": "1d6+6", "cap": "initial" },
                { "id": "stamina", "initial": 6, "cap": "initial", "floor": 0 },
                { "id": "luck", "initial": "1d6+6", "cap": { "at": 9 }, "floor": 0 },
                stat("gold", json!(4)),
                { "id": "meals", "initial": 1, "floor": 0 }
            ],
            "items": [
                { "id": "lamp", "tags": ["silver"], "slot": { "id": "hand", "priority": 2 } },
                { "id": "blade", "slot": { "id": "hand", "priority": 1 }, "attack": 1,
                  "modifiers": { "skill": 1 }, "after_fight": { "luck": -1 } },
                { "id": "rope", "tags": ["silver", "long"] }
            ],
            "flags": ["seen"],
            "initial_items": ["rope"],
            "initial_choices": [["lamp", "blade"]],
            "refreshments": [{ "label": "eat", "if": { "at_least": { "meals": 1 } },
                "effects": [{ "change": { "meals": -1, "stamina": 4 } }] }]
        },
        "sections": sections
    })
}

pub(super) fn books() -> Vec<Value> {
    let end = |number: u32, how: &str| json!({ "number": number, "ending": how });
    let ours = Book::from_toml(include_str!("../../../books/salt_lantern.toml"), "ours").unwrap();
    vec![
        book(json!([
            { "number": 1, "refresh": true, "choice": [
                { "label": "on", "if": { "has": "lamp" }, "to": 2 },
                { "if": { "not": { "any": [{ "flag": "seen" }, { "holds": { "tag": "silver", "count": 2 } }] } },
                  "effects": [{ "set_flag": "seen" }], "to": 1 },
                { "effects": [{ "change": { "gold": -1 } }], "to": 3 }
            ], "leave": [{ "lose": "lamp" }] },
            end(2, "won"), end(3, "lost")
        ])),
        book(json!([
            { "number": 1, "fight": {
                "foes": [{ "skill": 7, "stamina": 4, "damage": 3, "mark": "seen" },
                         { "skill": 5, "stamina": 2, "hazard": { "chance": 1, "of": 6, "damage": 2 } }],
                "order": "at_once", "attack": 1,
                "escape": { "count": "wounds", "after": 2, "forced": true, "cost": 1, "flee": { "to": 3 } },
                "victory": { "effects": [{ "gain": "blade" }], "to": 2 } } },
            { "number": 2, "test": { "stat": "luck", "dice": 2, "add": -1,
                "success": { "ending": "won" }, "failure": { "to": 3 } } },
            end(3, "lost")
        ])),
        book(json!([
            { "number": 1, "shop": {
                "sells": [{ "ware": { "item": "lamp" }, "price": 2 }, { "ware": { "stat": "meals" }, "price": 1 }],
                "buys": [{ "ware": { "item": "rope" }, "price": 1 }],
                "leave": { "to": 2 } } },
            { "number": 2, "game": { "rounds": 3, "while": { "at_least": { "gold": 1 } }, "free": true,
                "round": [{ "weight": 1, "effects": [{ "change": { "gold": "1d3" } }] },
                          { "weight": 2, "effects": [{ "change": { "gold": -1 } }] }],
                "after": { "to": 3 } } },
            { "number": 3, "first": [
                { "if": { "at_least": { "gold": 4, "stamina": 1 } }, "to": 4 }, { "to": 5 }] },
            end(4, "won"), end(5, "lost")
        ])),
        book(json!([
            { "number": 1, "effects": [
                { "lose_random": { "count": 1, "tag": "silver" } }, { "set": { "luck": "1d6+1" } },
                { "restore": "stamina" }, { "raise_cap": { "luck": 1 } },
                { "lose_tagged": "long" }, { "clear_flag": "seen" },
                { "random": [{ "weight": 1, "effects": [{ "change": { "stamina": "-1*1d3" } }] }, { "weight": 1 }] },
                { "when": { "if": { "all": [{ "has": "rope" }] }, "then": [{ "gain": "lamp" }], "else": [] } },
                { "repeat": { "times": 3, "while": { "at_least": { "gold": 2 } }, "effects": [{ "change": { "gold": -2 } }] } }
            ], "random": [{ "weight": 2, "to": 2 }, { "weight": 1, "ending": "lost" }] },
            end(2, "won")
        ])),
        json!({
            "format": "oddsmith-gamebook-variant", "version": 1, "id": "varied", "of": "book",
            "sections": [{ "number": 1, "choice": [{ "to": 1 }, { "ending": "won" }] }]
        }),
        // The last one is long.
        serde_json::from_str(&ours.to_json().unwrap()).unwrap(),
    ]
}
