//! The form of campaigns that serde reads and writes.

use super::{Campaign, Territory};
use crate::{Error, Rules};

/// The troops, including the one that stays behind, and the territories.
#[derive(serde::Serialize, serde::Deserialize)]
#[serde(deny_unknown_fields, expecting = "a campaign")]
pub(super) struct CampaignParts {
    troops: u32,
    territories: Vec<TerritoryParts>,
}

#[derive(serde::Serialize, serde::Deserialize)]
#[serde(deny_unknown_fields, expecting = "a territory")]
struct TerritoryParts {
    garrison: u32,
    #[serde(default)]
    rules: Rules,
    #[serde(default = "one")]
    stay: u32,
}

fn one() -> u32 {
    1
}

impl From<Campaign> for CampaignParts {
    fn from(campaign: Campaign) -> Self {
        let part = |held: Territory| TerritoryParts {
            garrison: held.garrison,
            rules: held.rules,
            stay: held.stay,
        };
        CampaignParts {
            troops: campaign.troops(),
            territories: campaign.territories.into_iter().map(part).collect(),
        }
    }
}

impl TryFrom<CampaignParts> for Campaign {
    type Error = Error;

    fn try_from(parts: CampaignParts) -> Result<Self, Error> {
        let garrisons = parts.territories.iter().map(|held| held.garrison);
        let mut campaign = Campaign::new(parts.troops, garrisons)?;
        for (territory, held) in parts.territories.into_iter().enumerate() {
            let ruled = campaign.rules_at(territory, held.rules)?;
            campaign = ruled.leaving(territory, held.stay)?;
        }
        Ok(campaign)
    }
}
