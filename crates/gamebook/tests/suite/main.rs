//! All tests of the public interface, as one program: dependencies are linked once, and generic
//! code is compiled once instead of once per file. A test that needs its own process would be a
//! file beside this directory.
#![allow(clippy::unwrap_used, reason = "a test fails by panicking")]

mod advice_in_games;
mod amid_fights;
mod book_solver;
mod book_solver_hard;
mod book_solver_hard_risks;
mod book_solver_risks;
mod bookmarks;
mod books;
mod broken_off;
mod circles;
mod city_of_thieves;
mod deals_in_turn;
mod endless;
mod errors_in_words;
mod examples;
mod explained;
mod extreme_sheets;
mod foreign_places;
mod forks;
mod format;
mod format_page;
#[cfg(feature = "serde")]
mod fractions;
mod generated_books;
mod generated_debts;
mod generated_lint;
mod generated_rings_are_enclosed;
mod graph;
mod growing_books;
mod habits;
mod hardly_left;
mod idle_options;
mod independent;
mod journey;
mod limits;
mod lint;
mod lint_below_zero;
mod lint_corners;
mod lint_debts_found;
mod lint_idle;
mod lint_prices;
mod lint_proofs;
mod lint_trials;
mod losses_in_slices;
mod luck_in_battle;
mod messages;
mod mistakes;
mod money;
mod nearly_books;
mod odds;
mod oracle;
mod played;
mod policy_corners;
mod policy_is_worth_its_value;
mod policy_of_real_books;
mod potions;
mod raised_caps;
mod reader;
mod reduced_game;
mod refused;
mod report;
mod restless_rings;
mod results_as_json;
mod rings_are_enclosed;
mod rings_sheet_by_sheet;
mod rules_from_outside;
mod running;
mod schema;
mod streets;
mod tests_in_rings;
mod tolls;
mod trade;
mod visits;
mod waste;
mod within;

// Models, oracles and games that several of these modules use.
#[cfg(feature = "toml")]
mod any_text;
mod by_rounds;
mod decided_onwards;
mod gamblers;
mod generated;
mod growing;
mod pieces;
mod properties;
mod risky;
mod words;
