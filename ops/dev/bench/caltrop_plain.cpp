// A plain search of the end of a Caltrop game, which the compiled one is measured beside.
//
// Ordinary stones alone: no king, no powers. A position is an array of stones; the search is
// alpha-beta with a table, moves in the order of what they are worth after one placement. Reads
// positions from the standard input, numbers apart by blanks: who is to move, who was first, for
// each of 16 squares owner (2: none) and spikes N E S W, then for each colour how many stones are
// in hand and their spikes as they lie. Writes a line for each: value and placements; and at last
// the seconds of CPU time it all took.

#include <algorithm>
#include <array>
#include <cstdint>
#include <cstdio>
#include <ctime>
#include <vector>

using Sides = std::array<int8_t, 4>;

const int8_t EMPTY = 2;
const int BEYOND = 1 << 20, STEPS[4] = {4, 1, -4, -1};

struct Stone {
    int8_t owner;
    Sides spikes;
};

struct Position {
    std::array<Stone, 16> at;
    std::array<uint8_t, 2> hand;
};

struct Pair {
    int low, side, high;
};

struct Entry {
    uint64_t key;
    int value, depth, sort, move;
};

std::vector<Pair> order_of_chain[2][16];
std::vector<Entry> table(1 << 20);
std::vector<Sides> stones[2];
int first_placer, refuting[17];
int64_t placements;

int beyond(int square, int side) {
    int x = square % 4 + (side == 1) - (side == 3), y = square / 4 + (side == 0) - (side == 2);
    return x < 0 || x > 3 || y < 0 || y > 3 ? -1 : square + STEPS[side];
}

void order_pairs() {
    std::vector<Pair> pairs;
    for (int low = 0; low < 16; low++)
        for (int side : {0, 1})
            if (beyond(low, side) >= 0) pairs.push_back({low, side, beyond(low, side)});
    for (int mover : {0, 1})
        for (int square = 0; square < 16; square++) {
            auto nearness = [=](const Pair& pair) {
                int x = pair.low % 4 + pair.high % 4, y = pair.low / 4 + pair.high / 4;
                int across = x - 2 * (square % 4), up = y - 2 * (square / 4);
                int sign = mover == 0 ? 1 : -1;
                return std::array<int, 3>{across * across + up * up, -sign * y, sign * x};
            };
            auto sorted = pairs;
            std::sort(sorted.begin(), sorted.end(), [&](const Pair& one, const Pair& two) {
                return nearness(one) < nearness(two);
            });
            order_of_chain[mover][square] = sorted;
        }
}

// The square that wins, or -1.
int fight(Position& p, int one, int side, int two) {
    int8_t &n = p.at[one].spikes[side], &m = p.at[two].spikes[side ^ 2];
    int mine = n, theirs = m;
    n = m = 0;
    if (mine > theirs) {
        n = mine - std::max(1, theirs);
        return one;
    }
    if (mine < theirs) {
        m = theirs - std::max(1, mine);
        return two;
    }
    return -1;
}

bool is_live(const Position& p, int one, int side, int two) {
    return (p.at[one].owner ^ p.at[two].owner) == 1 &&
           (p.at[one].spikes[side] || p.at[two].spikes[side ^ 2]);
}

void place(Position& p, int mover, int slot, int square) {
    placements++;
    p.at[square] = {int8_t(mover), stones[mover][slot]};
    p.hand[mover] ^= 1 << slot;
    std::vector<int> taken;
    bool lost = false;
    for (int side = 0; side < 4; side++) {
        int other = beyond(square, side);
        if (other < 0 || !is_live(p, square, side, other)) continue;
        int winner = fight(p, square, side, other);
        if (winner == square) taken.push_back(other);
        lost |= winner == other;
    }
    if (lost) taken.push_back(square);
    for (int beaten : taken) p.at[beaten].owner ^= 1;
    for (bool fought = true; fought;) {
        fought = false;
        for (const Pair& pair : order_of_chain[mover][square])
            if (is_live(p, pair.low, pair.side, pair.high)) {
                int winner = fight(p, pair.low, pair.side, pair.high);
                if (winner >= 0) p.at[winner == pair.low ? pair.high : pair.low].owner ^= 1;
                fought = true;
                break;
            }
    }
}

int value_for(const Position& p, int mover) {
    int lead = 0;
    for (const Stone& stone : p.at)
        if (stone.owner != EMPTY) {
            int worth = 512;
            for (int spikes : stone.spikes) worth += spikes;
            lead += stone.owner == mover ? worth : -worth;
        }
    return 2 * lead + (mover == first_placer ? 1 : -1);
}

uint64_t key_of(const Position& p) {
    uint64_t key = p.hand[0] | p.hand[1] << 8;
    for (const Stone& stone : p.at) {
        uint64_t word = stone.owner;
        for (int spikes : stone.spikes) word = word << 3 | uint64_t(spikes);
        key = (key ^ word) * 0x9E3779B97F4A7C15;
        key ^= key >> 32;
    }
    return key;
}

bool has_equal_before(int mover, int hand, int slot) {
    for (int other = 0; other < slot; other++)
        if (hand >> other & 1 && stones[mover][other] == stones[mover][slot]) return true;
    return false;
}

struct Try {
    int hope, move;
    Position after;
};

int value(const Position& p, int depth, int mover, int low, int high) {
    if (depth == 0) return value_for(p, mover);
    uint64_t key = key_of(p);
    Entry& entry = table[key >> 44];
    int likely = -1;
    if (entry.key == key && depth > 1) {
        likely = entry.move;
        if (entry.depth == depth) {
            if (entry.sort & 1 && (entry.value >= high || entry.sort == 3)) return entry.value;
            if (entry.sort & 2 && entry.value <= low) return entry.value;
        }
    }
    std::vector<Try> tries;
    for (int slot = 0; slot < int(stones[mover].size()); slot++) {
        if (!(p.hand[mover] >> slot & 1) || has_equal_before(mover, p.hand[mover], slot)) continue;
        for (int square = 0; square < 16; square++)
            if (p.at[square].owner == EMPTY) {
                Try one{0, slot * 16 + square, p};
                place(one.after, mover, slot, square);
                one.hope = value_for(one.after, mover);
                if (one.move == likely) one.hope += BEYOND;
                else if (one.move == refuting[depth]) one.hope += 300;
                tries.push_back(one);
            }
    }
    std::stable_sort(tries.begin(), tries.end(),
                     [](const Try& one, const Try& two) { return one.hope > two.hope; });
    int best = -BEYOND, best_move = -1;
    for (const Try& one : tries) {
        int found = -value(one.after, depth - 1, 1 - mover, -high, -std::max(low, best));
        if (found > best) best = found, best_move = one.move;
        if (best >= high) {
            refuting[depth] = best_move;
            break;
        }
    }
    if (depth > 1) entry = {key, best, depth, (best > low) | (best < high) << 1, best_move};
    return best;
}

int main() {
    order_pairs();
    clock_t begun = clock();
    int mover, number;
    auto read = [&] { return std::scanf("%d", &number) == 1 ? number : -1; };
    while ((mover = read()) >= 0) {
        first_placer = read();
        Position p{};
        int empty = 0;
        for (Stone& stone : p.at) {
            stone.owner = int8_t(read());
            for (int8_t& spikes : stone.spikes) spikes = int8_t(read());
            empty += stone.owner == EMPTY;
        }
        for (int colour : {0, 1}) {
            stones[colour].assign(read(), Sides{});
            for (Sides& sides : stones[colour])
                for (int8_t& spikes : sides) spikes = int8_t(read());
            p.hand[colour] = uint8_t((1 << stones[colour].size()) - 1);
        }
        std::fill(table.begin(), table.end(), Entry{});
        std::fill(refuting, refuting + 17, -1);
        placements = 0;
        int found = value(p, empty, mover, -BEYOND, BEYOND);
        std::printf("%d %lld\n", found, static_cast<long long>(placements));
    }
    std::printf("%f\n", double(clock() - begun) / CLOCKS_PER_SEC);
}
