//! What is taken, dropped, bought and sold, and which items are worth a place.

use crate::hand::Hand;
use crate::program::StepId;
use crate::resolve::Resolver;
use crate::sheet;
use crate::{Act, Item, Slot};

/// What the hero fights with, used to decide which weapons matter.
enum Arm {
    None,
    Skilled(Item),
    Unskilled,
}

enum Room {
    Free,
    None,
    /// As many are held already as can be, such as one of a Special Item.
    Held,
}

impl Resolver<'_, '_> {
    pub(crate) fn take(&mut self, item: Item, count: u8, next: StepId, hand: &Hand) {
        let rules = self.setting.rules;
        let mut taken = *hand;
        let room = self.room(item, hand);
        if let Room::Held = room {
            return self.go(Act::Go, next, *hand);
        }
        if let Room::Free = room {
            self.gain(&mut taken, item, count);
            self.go(Act::Take(item), next, taken);
            if rules.free_taking {
                self.go(Act::Leave(item), next, *hand);
            }
            return;
        }
        let drops = match rules.free_taking || self.important(item, hand) {
            true => self.drops(item, hand, rules.free_taking),
            false => Vec::new(),
        };
        if rules.free_taking || drops.is_empty() {
            self.go(Act::Leave(item), next, *hand);
        }
        for drop in drops {
            let mut swapped = *hand;
            swapped.lose(self.asked, drop, 1);
            self.gain(&mut swapped, item, count);
            self.go(Act::Swap { take: item, drop }, next, swapped);
        }
    }

    pub(crate) fn buy(&mut self, item: Item, price: u8, next: StepId, hand: &Hand) {
        self.go(Act::Pass(item), next, *hand);
        let free = self.setting.rules.free_trade;
        if !hand.at_least(self.asked, Item::Gold.index(), price)
            || !(free || self.important(item, hand))
        {
            return;
        }
        let drops = match self.room(item, hand) {
            Room::Held => return,
            Room::Free => vec![None],
            Room::None => {
                let free = self.setting.rules.free_taking;
                let drops = self.drops(item, hand, free);
                drops.into_iter().map(Some).collect()
            }
        };
        for drop in drops {
            let mut bought = *hand;
            if let Some(drop) = drop {
                bought.lose(self.asked, drop, 1);
            }
            bought.lose(self.asked, Item::Gold, price);
            self.gain(&mut bought, item, 1);
            self.go(Act::Buy { item, drop }, next, bought);
        }
    }

    pub(crate) fn sell(&mut self, item: Item, price: u8, next: StepId, hand: &Hand) {
        self.go(Act::Keep(item), next, *hand);
        if !hand.has(self.asked, item) {
            return;
        }
        // The weapon is judged while it is in hand, so neither the only weapon nor that of
        // Weaponskill is important. With this reading, a plain search visits 2.93 million states
        // for the third hero of the other program, as that program does (2933840). If the weapon
        // were judged out of hand, it would visit no more than 2.3 million.
        if self.setting.rules.free_trade || !self.important(item, hand) {
            let mut sold = *hand;
            sold.lose(self.asked, item, 1);
            self.gain(&mut sold, Item::Gold, price);
            self.sold(item, next, sold);
        }
    }

    fn room(&mut self, item: Item, hand: &Hand) -> Room {
        let limit = item.slot().limit();
        let most = sheet::cap(item, self.setting.rules.several);
        match (item.slot(), limit, sheet::sum_of(item)) {
            // Gold beyond what the pouch holds is lost.
            (Slot::Pouch, ..) => Room::Free,
            _ if hand.at_least(self.asked, item.index(), most) => Room::Held,
            (_, Some(limit), Some(sum)) if hand.at_least(self.asked, sum, limit) => Room::None,
            _ => Room::Free,
        }
    }

    /// Returns the items that may be dropped for a new one if there is no room.
    fn drops(&mut self, item: Item, hand: &Hand, free: bool) -> Vec<Item> {
        let mut drops = Vec::new();
        if item.slot() == Slot::Backpack {
            for article in Item::articles() {
                if hand.has(self.asked, article) {
                    drops.push(article);
                }
            }
            return drops;
        }
        let kept = match self.arm(hand) {
            Arm::Skilled(weapon) => weapon,
            Arm::None | Arm::Unskilled => Item::Sommerswerd,
        };
        for weapon in Item::weapons() {
            if (free || weapon != kept) && hand.has(self.asked, weapon) {
                drops.push(weapon);
            }
        }
        drops
    }

    fn arm(&mut self, hand: &Hand) -> Arm {
        let skill = hand.weaponskill(self.asked);
        if hand.has(self.asked, Item::Sommerswerd) {
            return match skill {
                Some(Item::Sword | Item::ShortSword | Item::BroadSword) => {
                    Arm::Skilled(Item::Sommerswerd)
                }
                _ => Arm::Unskilled,
            };
        }
        match skill {
            Some(weapon) if hand.has(self.asked, weapon) => Arm::Skilled(weapon),
            Some(Item::Spear) if hand.has(self.asked, Item::MagicSpear) => {
                Arm::Skilled(Item::MagicSpear)
            }
            _ if hand.at_least(self.asked, sheet::WEAPONS, 1) => Arm::Unskilled,
            _ => Arm::None,
        }
    }

    /// Returns whether an item is worth a place. Everything is, except weapons that would not raise
    /// COMBAT SKILL.
    fn important(&mut self, item: Item, hand: &Hand) -> bool {
        if item.slot() != Slot::Weapons || matches!(item, Item::Sommerswerd | Item::MagicSpear) {
            return true;
        }
        match self.arm(hand) {
            Arm::None => true,
            Arm::Skilled(_) => false,
            Arm::Unskilled => hand.weaponskill(self.asked) == Some(item),
        }
    }
}
