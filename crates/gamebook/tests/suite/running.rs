//! Running from fights: when it is offered, and its value.

use oddsmith_fightingfantasy::Hero;
use oddsmith_gamebook::{
    Book, BookGame, BookSolver, Branch, Choice, Effect, Enemy, Escape, Fight, Manuscript, Move,
    Passage, Place, Play, Section,
};
use oddsmith_mdp::{AtRandom, Node, Policy, Solver};

/// A fight in section 1, won in 2; a hero who runs reaches 3, which is won `flee` times in 12.
fn game(enemy: Enemy, after: u16, cost: u16, flee: u32) -> BookGame {
    let fight = Fight {
        escape: Some(Escape {
            cost,
            ..Escape::new(after, Passage::to(3))
        }),
        ..Fight::new([enemy], Passage::to(2))
    };
    let mut manuscript = Manuscript::new("running");
    let fled = [(flee, Passage::won()), (12 - flee, Passage::lost())];
    let fled = fled.map(|(weight, passage)| Branch { weight, passage });
    manuscript.sections = vec![
        Section::new(1, Play::Fight(Box::new(fight)).into()),
        Section::new(2, Passage::won()),
        Section::new(3, Play::Random(fled.into()).into()),
    ];
    let book = Book::new(manuscript).unwrap();
    book.game(Hero::new(7, 4, 7).unwrap()).unwrap()
}

#[track_caller]
fn check(game: &BookGame, policy: impl Policy<BookGame>, expected: &str) {
    let value = Solver::exact().evaluate(game, policy, game.start());
    assert_eq!(value.unwrap().value().to_string(), expected);
}

fn run(_: &Place, actions: &[Move]) -> usize {
    actions.len() - 1
}

fn fight_on(_: &Place, _: &[Move]) -> usize {
    0
}

/// A round is won, drawn or lost with 575, 146 or 575 rolls of 1296.
#[test]
fn a_drawn_round_counts() {
    // STAMINA 4 against 4: the first round never decides. Unhurt, it is best to run. A wounded hero
    // has too little STAMINA to run, and wins twice in a row one time in four.
    check(&game(Enemy::new(7, 4), 1, 2, 12), run, "1153/1728");
    // After the second round: unhurt (721 · 721 of 1296 · 1296), or wounded once. In the latter
    // case a hero who has hit the foe wins one time in two, otherwise one time in four.
    let (all, half, quarter) = (721_u64 * 721, 2 * 575 * 575, 2 * 146 * 575);
    let value = num_rational::Ratio::new(4 * all + 2 * half + quarter, 4 * 1296 * 1296);
    check(&game(Enemy::new(7, 4), 2, 2, 12), run, &value.to_string());
}

/// Nobody can be hurt: only running ends the fight, after enough rounds.
#[test]
fn a_fight_that_changes_nothing_can_be_left() {
    let harmless = Enemy {
        damage: 0,
        ..Enemy::new(30, 4)
    };
    let game = game(harmless, 3, 1, 6);
    check(&game, run, "1/2");
    check(&game, fight_on, "0");
    // Three rounds without a choice.
    let mut place = game.start();
    for _ in 0..3 {
        let node = Node::of(&game, &place).unwrap();
        assert_eq!((node.len(), node.action(0)), (1, None));
        place = node.outcomes(0)[0].0;
    }
    assert_eq!(Node::of(&game, &place).unwrap().len(), 2);
}

/// A coin that is tossed after every round is also tossed after a drawn one.
#[test]
fn the_fickle_think_again_after_a_draw() {
    // One blow decides; before it, running is worth 1/2.
    let game = game(Enemy::new(7, 1), 1, 3, 6);
    // x before the first round, y after a draw; a lost round leaves 2, too little to run, so one
    // more blow decides. z = 575/1296·1 + 575/1296·1/2 + 146/1296·y;
    // y = 1/4 + z/2; x = z.
    // z (1 - 73/1296) = 862.5/1296 + 36.5/1296.
    check(&game, AtRandom, "899/1223");
    let plan = Solver::exact().solve(&game, game.start()).unwrap();
    assert_eq!(plan.value().to_string(), "3/4");
}

/// A hero who runs leaves without the effects of leaving, even by way of something played after
/// running.
#[test]
fn nothing_happens_on_leaving_after_a_choice_of_who_has_run() {
    let mut manuscript = Manuscript::new("running");
    let onwards = Play::Choice(vec![Choice::new("onwards", Passage::to(2))]);
    let fight = Fight {
        escape: Some(Escape::new(
            1,
            Play::First(vec![Choice::new("", onwards.into())]).into(),
        )),
        ..Fight::new(
            [Enemy {
                damage: 0,
                ..Enemy::new(30, 4)
            }],
            Passage::to(2),
        )
    };
    manuscript.sections = vec![
        Section {
            leave: vec![Effect::change("stamina", -9)],
            ..Section::new(1, Play::Fight(Box::new(fight)).into())
        },
        Section::new(2, Passage::won()),
    ];
    let book = Book::new(manuscript).unwrap();
    let game = book.game(Hero::new(7, 4, 7).unwrap()).unwrap();
    check(&game, run, "1");
    let solved = BookSolver::new(&game).solve(game.start()).unwrap();
    assert!((solved.win() - 1.0).abs() < 1e-12);
}
