use oddsmith_fightingfantasy::*;
fn main() {
    let exact = std::env::args().nth(1).is_some();
    for _ in 0..40 {
        for dk in -10..=10 {
            if exact {
                LuckMap::exact(&Rules::standard(), dk, Extent::default(), Advantage::Strict)
                    .unwrap();
            } else {
                LuckMap::float(&Rules::standard(), dk, Extent::default(), Advantage::Strict)
                    .unwrap();
            }
        }
    }
}
