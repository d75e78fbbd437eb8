// Optimal solitaire Yahtzee (forced joker), written by hand: one number a card, the turn worked out again for each.
//
// A card is the boxes filled, the points above (63 if more) and whether a yahtzee bonus can be had. Prints the expected
// points and the seconds taken as JSON.

#include <algorithm>
#include <array>
#include <chrono>
#include <cstdio>
#include <map>
#include <vector>

using Dice = std::array<int, 6>;  // how many show each face

static std::vector<Dice> kept;             // all multisets of up to five dice
static std::vector<int> first(7);          // of each number of dice, the first of them
static std::map<Dice, int> number;
static std::vector<std::vector<int>> parts;                         // of five dice: what can be kept
static std::vector<std::vector<std::pair<double, int>>> rolled;     // of dice kept: what five come of them

static void list(int dice, int face, Dice so_far) {
    if (face == 5) {
        so_far[5] = dice;
        number[so_far] = kept.size();
        kept.push_back(so_far);
        return;
    }
    for (int here = dice; here >= 0; here--) {
        so_far[face] = here;
        list(dice - here, face + 1, so_far);
    }
}

static double chance(const Dice& dice, int count) {
    double ways = 1;
    for (int i = 2; i <= count; i++) ways *= i;
    for (int face = 0; face < 6; face++)
        for (int i = 2; i <= dice[face]; i++) ways /= i;
    for (int i = 0; i < count; i++) ways /= 6;
    return ways;
}

static int points(const Dice& dice, int box, bool joker) {
    int total = 0, most = 0, pairs = 0, run = 0, longest = 0;
    for (int face = 0; face < 6; face++) {
        total += (face + 1) * dice[face];
        most = std::max(most, dice[face]);
        pairs += dice[face] >= 2;
        run = dice[face] ? run + 1 : 0;
        longest = std::max(longest, run);
    }
    switch (box) {
        case 6: return most >= 3 ? total : 0;
        case 7: return most >= 4 ? total : 0;
        case 8: return joker || (most == 3 && pairs == 2) ? 25 : 0;
        case 9: return joker || longest >= 4 ? 30 : 0;
        case 10: return joker || longest == 5 ? 40 : 0;
        case 11: return most == 5 ? 50 : 0;
        case 12: return total;
        default: return (box + 1) * dice[box];
    }
}

int main() {
    auto begin = std::chrono::steady_clock::now();
    for (int dice = 0; dice <= 5; dice++) {
        first[dice] = kept.size();
        list(dice, 0, {});
    }
    const int KEPT = kept.size(), FIVE = first[5], ROLLS = KEPT - FIVE;
    rolled.resize(KEPT);
    parts.resize(ROLLS);
    for (int part = 0; part < KEPT; part++) {
        int size = 0;
        for (int face = 0; face < 6; face++) size += kept[part][face];
        int more_end = size == 0 ? KEPT : first[5 - size + 1];
        for (int more = first[5 - size]; more < more_end; more++) {
            Dice sum = kept[part];
            for (int face = 0; face < 6; face++) sum[face] += kept[more][face];
            rolled[part].push_back({chance(kept[more], 5 - size), number[sum] - FIVE});
        }
        for (int roll = 0; roll < ROLLS; roll++) {
            bool within = true;
            for (int face = 0; face < 6; face++) within &= kept[part][face] <= kept[FIVE + roll][face];
            if (within) parts[roll].push_back(part);
        }
    }
    static int score[252][13][2], alike[252];
    for (int roll = 0; roll < ROLLS; roll++) {
        alike[roll] = -1;
        for (int face = 0; face < 6; face++)
            if (kept[FIVE + roll][face] == 5) alike[roll] = face;
        for (int box = 0; box < 13; box++)
            for (int joker = 0; joker < 2; joker++) score[roll][box][joker] = points(kept[FIVE + roll], box, joker);
    }
    const int CARDS = 1 << 13;
    std::vector<double> value(CARDS * 64 * 2, 0.0);
    std::vector<char> reached(CARDS * 64);  // points above that the filled boxes can have
    reached[0] = 1;
    for (int boxes = 0; boxes < CARDS; boxes++)
        for (int upper = 0; upper < 64; upper++)
            if (reached[boxes * 64 + upper])
                for (int box = 0; box < 13; box++)
                    if (!(boxes >> box & 1))
                        for (int count = 0; count <= (box < 6 ? 5 : 0); count++)
                            reached[(boxes | 1 << box) * 64 + std::min(63, upper + count * (box + 1))] = 1;
    std::vector<double> best(ROLLS), after(KEPT);
    for (int boxes = CARDS - 2; boxes >= 0; boxes--)
        for (int bonus = 0; bonus <= (boxes >> 11 & 1); bonus++)
            for (int upper = 0; upper < 64; upper++) {
                if (!reached[boxes * 64 + upper]) continue;
                std::vector<double> scored(ROLLS);
                for (int roll = 0; roll < ROLLS; roll++) {
                    int face = alike[roll];
                    bool filled = face >= 0 && boxes >> 11 & 1, joker = filled && boxes >> face & 1;
                    bool lower_full = (boxes >> 6) == 127;
                    double most = -1;
                    for (int box = 0; box < 13; box++) {
                        if (boxes >> box & 1) continue;
                        if (filled && !joker && box != face) continue;
                        if (joker && box < 6 && !lower_full) continue;
                        int gain = score[roll][box][joker], above = upper, then = bonus;
                        if (box < 6) above = std::min(63, upper + gain);
                        if (box == 11 && gain) then = 1;
                        if (bonus && face >= 0) gain += 100;
                        if (upper < 63 && above == 63) gain += 35;
                        most = std::max(most, gain + value[((boxes | 1 << box) * 2 + then) * 64 + above]);
                    }
                    scored[roll] = best[roll] = most;
                }
                for (int left = 0; left < 2; left++) {
                    for (int part = 0; part < FIVE; part++) {
                        double sum = 0;
                        for (auto& [p, roll] : rolled[part]) sum += p * best[roll];
                        after[part] = sum;
                    }
                    for (int roll = 0; roll < ROLLS; roll++) {
                        double most = scored[roll];
                        for (int part : parts[roll])
                            if (part < FIVE) most = std::max(most, after[part]);
                        best[roll] = most;
                    }
                }
                double sum = 0;
                for (auto& [p, roll] : rolled[0]) sum += p * best[roll];
                value[(boxes * 2 + bonus) * 64 + upper] = sum;
            }
    double seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count();
    std::printf("{\"value\": %.10f, \"seconds\": %.3f}\n", value[0], seconds);
}
