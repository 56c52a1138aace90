use oddsmith_fightingfantasy::*;
use oddsmith_mdp::Solver;
use std::time::Instant;
fn main() {
    for round in 0..3 {
        let t = Instant::now();
        let mut s = 0.0;
        for dk in -10..=10 {
            let m = LuckMap::float(&Rules::standard(), dk, Extent::default(), Advantage::Strict)
                .unwrap();
            s += m.victory(24, 24, 12).unwrap();
        }
        println!("float full map {:?} {s} {round}", t.elapsed());
        let t = Instant::now();
        let mut n = 0;
        for dk in -10..=10 {
            let m = LuckMap::exact(&Rules::standard(), dk, Extent::default(), Advantage::Strict)
                .unwrap();
            n += m.victory(24, 24, 12).unwrap().denom().bits();
        }
        println!("exact full map {:?} {n}", t.elapsed());
        let t = Instant::now();
        let m = LuckMap::solve(
            Solver::float(),
            &Rules::standard(),
            -1,
            Extent {
                hero: 100,
                foe: 100,
                luck: 12,
            },
            Advantage::Strict,
            Objective::victory(),
        )
        .unwrap();
        println!(
            "float 100 {:?} {}",
            t.elapsed(),
            m.victory_f64(100, 100, 12).unwrap()
        );
        let t = Instant::now();
        let m = LuckMap::exact(
            &Rules::standard(),
            -1,
            Extent {
                hero: 100,
                foe: 100,
                luck: 12,
            },
            Advantage::Strict,
        )
        .unwrap();
        println!(
            "exact 100 {:?} {}",
            t.elapsed(),
            m.victory_f64(100, 100, 12).unwrap()
        );
    }
}
