//! Storage for millions of small objects without a box for each, and hash-consing, so that equal
//! objects have equal numbers.

/// Slices stored one after another in chunks that never move, so growing copies nothing and takes
/// no more memory than is counted.
#[derive(Debug)]
pub(crate) struct Arena<T> {
    chunks: Vec<Vec<T>>,
    /// The chunk that is being filled.
    open: usize,
    /// The capacity of the other chunks, in items.
    full: usize,
    /// Empty chunks for reuse, which is cheaper than allocating.
    empty: Vec<Vec<T>>,
}

/// A position is the number of a chunk, followed by this many bits for the offset in it.
const CHUNK: u32 = 18;

impl<T> Default for Arena<T> {
    fn default() -> Self {
        Arena {
            chunks: vec![Vec::new()],
            open: 0,
            full: 0,
            empty: Vec::new(),
        }
    }
}

impl<T: Copy> Arena<T> {
    /// Stores a slice and returns its position. Positions rise, except for adopted chunks.
    pub(crate) fn push(&mut self, slice: &[T]) -> usize {
        let most = 1 << CHUNK;
        let chunk = &self.chunks[self.open];
        let (begun, room) = (chunk.len(), chunk.capacity());
        // The first chunk grows from nothing, since most solvers need little of it.
        if begun > 0 && begun + slice.len() > most {
            self.full += room;
            let chunk = match slice.len() <= most {
                true => self.empty.pop(),
                false => None,
            };
            let room = || Vec::with_capacity(most.max(slice.len()));
            self.open = self.chunks.len();
            self.chunks.push(chunk.unwrap_or_else(room));
        }
        let chunk = &mut self.chunks[self.open];
        let place = self.open << CHUNK | chunk.len();
        chunk.extend_from_slice(slice);
        place
    }

    /// Takes over the chunk of another arena that contains a position. Returns the new position, in
    /// the order in which chunks were adopted.
    pub(crate) fn adopt(&mut self, other: &mut Arena<T>, place: usize) -> usize {
        let chunk = other.taken(place >> CHUNK);
        self.full += chunk.capacity();
        self.chunks.push(chunk);
        (self.chunks.len() - 1) << CHUNK | place & ((1 << CHUNK) - 1)
    }

    /// Takes a chunk out, and leaves nothing in its place.
    fn taken(&mut self, number: usize) -> Vec<T> {
        let chunk = std::mem::take(&mut self.chunks[number]);
        if number != self.open {
            self.full -= chunk.capacity();
        }
        chunk
    }

    /// Whether two positions are in the same chunk.
    pub(crate) fn together(one: usize, other: usize) -> bool {
        one >> CHUNK == other >> CHUNK
    }

    /// The capacity of the chunk that contains a position, and how much of it is filled, in items.
    pub(crate) fn room(&self, place: usize) -> (usize, usize) {
        let chunk = &self.chunks[place >> CHUNK];
        (chunk.capacity(), chunk.len())
    }

    /// The rest of a chunk from a position on.
    pub(crate) fn from(&self, place: usize) -> &[T] {
        &self.chunks[place >> CHUNK][place & ((1 << CHUNK) - 1)..]
    }

    /// The number of chunks.
    pub(crate) fn chunks(&self) -> usize {
        self.chunks.len()
    }

    /// The range of positions in a chunk.
    pub(crate) fn span(&self, chunk: usize) -> (usize, usize) {
        (chunk << CHUNK, (chunk << CHUNK) + self.chunks[chunk].len())
    }

    /// Replaces the item at a position.
    pub(crate) fn change(&mut self, place: usize, item: T) {
        self.chunks[place >> CHUNK][place & ((1 << CHUNK) - 1)] = item;
    }

    /// Moves the chunks before a position, and all empty ones, to the empty chunks of another
    /// arena.
    pub(crate) fn release(&mut self, place: usize, to: &mut Arena<T>) {
        to.empty.append(&mut self.empty);
        let before = (place >> CHUNK).min(self.chunks.len());
        for number in (0..before).rev() {
            if self.chunks[number].capacity() == 0 {
                break;
            }
            let mut chunk = self.taken(number);
            // The first chunk may be smaller, and some are larger.
            if chunk.capacity() == 1 << CHUNK {
                chunk.clear();
                to.empty.push(chunk);
            }
        }
    }

    /// The empty chunks, which are exchanged between arenas.
    pub(crate) fn empty(&mut self) -> &mut Vec<Vec<T>> {
        &mut self.empty
    }

    /// Frees empty chunks, except for this many bytes of them.
    pub(crate) fn give_back(&mut self, but: usize) {
        self.empty.truncate((but >> CHUNK) / size_of::<T>());
        self.empty.shrink_to_fit();
    }

    /// The memory of the empty chunks, in bytes.
    pub(crate) fn left(&self) -> usize {
        (self.empty.len() << CHUNK) * size_of::<T>()
    }

    /// An upper bound on the memory, in bytes. The first chunk grows in leaps, but this bound rises
    /// gradually.
    pub(crate) fn bytes(&self) -> usize {
        let open = &self.chunks[self.open];
        let open = open.capacity().max((2 * open.len()).min(1 << CHUNK));
        (self.full + open) * size_of::<T>()
    }
}

/// A hash set of numbers of objects that are stored elsewhere.
///
/// A slot holds the upper half of a hash and a number plus 1; 0 is free. Slots are in the order of
/// the hashes, except for collisions. So growing reads and writes sequentially, and does not need
/// the objects.
#[derive(Clone, Debug, Default)]
pub(crate) struct Numbers {
    slots: Vec<u64>,
    len: usize,
}

impl Numbers {
    /// Finds the number of an object by its hash and a comparison.
    pub(crate) fn find(&self, hash: u64, same: impl Fn(u32) -> bool) -> Option<u32> {
        let count = self.slots.len();
        if count == 0 {
            return None;
        }
        let mut at = home(hash, count);
        loop {
            let slot = self.slots[at];
            if slot == 0 {
                return None;
            }
            let number = (slot as u32) - 1;
            if slot >> 32 == hash >> 32 && same(number) {
                return Some(number);
            }
            at = if at + 1 == count { 0 } else { at + 1 };
        }
    }

    /// Adds an object that was not found. Numbers must be less than `u32::MAX`.
    pub(crate) fn insert(&mut self, hash: u64, number: u32) {
        if 4 * (self.len + 1) > 3 * self.slots.len() {
            let more = (self.slots.len() + self.slots.len() / 2).max(16);
            for slot in std::mem::replace(&mut self.slots, vec![0; more]) {
                if slot != 0 {
                    self.put(slot);
                }
            }
        }
        self.put(hash >> 32 << 32 | u64::from(number + 1));
        self.len += 1;
    }

    fn put(&mut self, entry: u64) {
        let count = self.slots.len();
        let mut at = home(entry, count);
        while self.slots[at] != 0 {
            at = if at + 1 == count { 0 } else { at + 1 };
        }
        self.slots[at] = entry;
    }

    /// An upper bound on the memory, in bytes. It rises gradually, since memory is checked step by
    /// step.
    pub(crate) fn bytes(&self) -> usize {
        2 * size_of::<u64>() * self.len
    }
}

/// The first slot to look in for a hash.
pub(crate) fn home(hash: u64, count: usize) -> usize {
    ((u128::from(hash >> 32) * count as u128) >> 32) as usize
}

/// The hash of a sequence. Each product takes in two items, and eight products are computed in
/// parallel, to avoid waiting for one another. Both halves of a product are used, since the lower
/// bits of fractions are mostly zeros.
pub(crate) fn hash<T: Copy>(items: &[T], bits: impl Fn(T) -> u64) -> u64 {
    let mut lanes = SEEDS;
    let (pairs, rest) = items.as_chunks::<2>();
    let (eights, few) = pairs.as_chunks::<8>();
    let more = |lane: &mut u64, [one, other]: [T; 2], factor: u64| {
        *lane = mixed(*lane ^ bits(one), factor ^ bits(other));
    };
    for eight in eights {
        for ((lane, pair), factor) in lanes.iter_mut().zip(eight).zip(FACTORS) {
            more(lane, *pair, factor);
        }
    }
    for ((lane, pair), factor) in lanes.iter_mut().zip(few).zip(FACTORS) {
        more(lane, *pair, factor);
    }
    for item in rest {
        lanes[7] = mixed(lanes[7] ^ bits(*item), FACTOR);
    }
    let pair = |at: usize| mixed(lanes[at], lanes[at + 1] ^ SEEDS[(at + 2) % 8]);
    let first = mixed(pair(0) ^ items.len() as u64, pair(2) ^ FACTOR);
    mixed(first, mixed(pair(4), pair(6) ^ FACTOR) ^ FACTOR)
}

/// The hash of a few words, two at a time: the children of a node, of which there are usually two.
pub(crate) fn hash_of_words(words: &[u32]) -> u64 {
    let (pairs, rest) = words.as_chunks::<2>();
    let pairs = pairs
        .iter()
        .map(|[one, other]| u64::from(*one) << 32 | u64::from(*other));
    let rest = rest.iter().map(|word| u64::from(*word));
    let hash = hash_of_one(words.len() as u64);
    pairs
        .chain(rest)
        .fold(hash, |hash, bits| hash_of_one(hash ^ bits))
}

/// The hash of one item.
pub(crate) fn hash_of_one(bits: u64) -> u64 {
    mixed(bits ^ SEEDS[0], FACTOR)
}

fn mixed(a: u64, b: u64) -> u64 {
    let product = u128::from(a) * u128::from(b);
    product as u64 ^ (product >> 64) as u64
}

/// Digits of pi, in this constant and the next, and of the golden ratio. Any numbers without a
/// pattern would do.
const SEEDS: [u64; 8] = [
    0x243f_6a88_85a3_08d3,
    0x1319_8a2e_0370_7344,
    0xa409_3822_299f_31d0,
    0x082e_fa98_ec4e_6c89,
    0x4528_21e6_38d0_1377,
    0xbe54_66cf_34e9_0c6c,
    0xc0ac_29b7_c97c_50dd,
    0x3f84_d5b5_b547_0917,
];
const FACTORS: [u64; 8] = [
    0x9216_d5d9_8979_fb1b,
    0xd131_0ba6_98df_b5ac,
    0x2ffd_72db_d01a_dfb7,
    0xb8e1_afed_6a26_7e96,
    0xba7c_9045_f12c_7f99,
    0x24a1_9947_b391_6cf7,
    0x0801_f2e2_858e_fc16,
    0x6369_20d8_7157_4e69,
];
const FACTOR: u64 = 0x9e37_79b9_7f4a_7c15;
