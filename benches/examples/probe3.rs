use oddsmith_fightingfantasy::*;
use std::time::Instant;
fn main() {
    for _ in 0..5 {
        let t = Instant::now();
        let mut s = 0.0;
        for dk in -10..=10 {
            let m =
                LuckTable::optimal(&Rules::standard(), dk, Extent::default(), Advantage::Strict)
                    .unwrap();
            s += m.victory(24, 24, 12).unwrap();
        }
        println!("kernel full map {:?} {s}", t.elapsed());
    }
    for adv in [Advantage::Strict, Advantage::Published] {
        let mut bad = 0;
        let mut n = 0;
        let mut badd = 0;
        for dk in -10..=10 {
            let m = LuckTable::optimal(&Rules::standard(), dk, Extent::default(), adv).unwrap();
            let g = LuckMap::float(&Rules::standard(), dk, Extent::default(), adv).unwrap();
            for (h, f, l) in m.extent().states() {
                n += 1;
                if m.victory(h, f, l).unwrap().to_bits() != g.victory(h, f, l).unwrap().to_bits() {
                    bad += 1
                }
                if m.decision(h, f, l).unwrap() != g.decision(h, f, l).unwrap() {
                    badd += 1
                }
            }
        }
        println!("{n} states, {bad} differ {badd} decisions");
    }
    let mut tot = 0;
    for dk in -10..=10 {
        let a =
            LuckMap::exact(&Rules::standard(), dk, Extent::default(), Advantage::Strict).unwrap();
        let b = LuckMap::exact(
            &Rules::standard(),
            dk,
            Extent::default(),
            Advantage::Published,
        )
        .unwrap();
        let f = LuckTable::optimal(
            &Rules::standard(),
            dk,
            Extent::default(),
            Advantage::Published,
        )
        .unwrap();
        let mut d = 0;
        let mut e = 0;
        for (h, o, l) in a.states() {
            let x = b.decision(h, o, l).unwrap();
            if a.decision(h, o, l).unwrap() != x {
                d += 1
            }
            if f.decision(h, o, l).unwrap() != x {
                e += 1
            }
        }
        tot += d;
        println!("{dk} strict-vs-pub {d} floatpub-vs-exactpub {e}");
    }
    println!("{tot}");
}
