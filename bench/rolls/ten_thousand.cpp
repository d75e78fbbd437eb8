// Optimal Ten Thousand, written by hand: pairs of scores from the highest down, all turns of both players in one cycle.
//
// For each number of dice left, rolls that offer the same ways to set dice aside are one. A pair (i, j) of scores has
// two unknowns, what the start of a turn is worth to either player; the turn totals follow from them, highest first,
// and a secant step in each closes the cycle. Prints the first player's chance of winning and the seconds as JSON.

#include <algorithm>
#include <array>
#include <chrono>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <map>
#include <set>
#include <vector>

using Dice = std::array<int, 6>;
struct Way { int points, left; };
struct Roll { double chance; std::vector<Way> ways; };

static int goal = 200, straight = 30, pairs_points = 15;  // in units of 50 points
static bool doubling = true;
static double bust[7];
static std::vector<Roll> rolls[7];

static int alike_points(const Dice& dice) {
    int total = 0;
    for (int face = 0; face < 6; face++) {
        int alike = dice[face], one = face == 0 ? 2 : face == 4 ? 1 : 0, three = face == 0 ? 20 : 2 * (face + 1);
        if (alike >= 3 && doubling) total += three << (alike - 3);
        else if (alike) {
            if (alike % 3 && !one) return 0;
            total += alike / 3 * three + alike % 3 * one;
        }
    }
    return total;
}

static int points(const Dice& dice) {
    int size = 0, single = 0, pair = 0;
    for (int count : dice) size += count, single += count == 1, pair += count == 2;
    if (size == 6 && single == 6 && straight) return straight;
    if (size == 6 && pair == 3) return std::max(pairs_points, alike_points(dice));
    return alike_points(dice);
}

static void list_rolls() {
    for (int left = 1; left <= 6; left++) {
        std::map<std::vector<std::pair<int, int>>, double> found;
        int all = 1;
        for (int i = 0; i < left; i++) all *= 6;
        std::map<Dice, int> seen;
        for (int number = 0; number < all; number++) {
            Dice dice{};
            for (int i = 0, rest = number; i < left; i++, rest /= 6) dice[rest % 6]++;
            seen[dice]++;
        }
        for (auto& [dice, count] : seen) {
            std::set<std::pair<int, int>> ways;
            Dice aside{};
            for (;;) {
                int face = 0;
                while (face < 6 && aside[face] == dice[face]) aside[face++] = 0;
                if (face == 6) break;
                aside[face]++;
                int worth = points(aside), size = 0;
                for (int each : aside) size += each;
                if (worth) ways.insert({worth, left - size ? left - size : 6});
            }
            found[std::vector<std::pair<int, int>>(ways.begin(), ways.end())] += double(count) / all;
        }
        for (auto& [ways, chance] : found) {
            if (ways.empty()) { bust[left] = chance; continue; }
            Roll roll{chance, {}};
            for (auto& [worth, after] : ways) roll.ways.push_back({worth, after});
            rolls[left].push_back(roll);
        }
    }
}

static std::vector<double> start;  // of a turn: [score * goal + rival]

// The value of a turn's start at score i against j if losing the turn leaves the mover with `lost`.
static double turn(int i, int j, double lost, std::vector<double>& values) {
    for (int total = goal - i - 1; total >= 0; total--)
        for (int left = 1; left <= 6; left++) {
            double rolled = bust[left] * lost;
            for (const Roll& roll : rolls[left]) {
                double best = 0;
                for (const Way& way : roll.ways) {
                    int then = total + way.points;
                    best = std::max(best, i + then >= goal ? 1.0 : values[then * 6 + way.left - 1]);
                }
                rolled += roll.chance * best;
            }
            double held = total > 0 ? 1 - start[j * goal + i + total] : 0;
            values[total * 6 + left - 1] = std::max(rolled, held);
        }
    return values[5];
}

int main(int count, char** arguments) {
    if (count > 1) goal = std::atoi(arguments[1]) / 50;
    if (count > 2) doubling = false, straight = pairs_points = 0;  // Farkle
    auto begin = std::chrono::steady_clock::now();
    list_rolls();
    start.assign(goal * goal, 0.5);
    std::vector<double> values(goal * 6 + 6);
    for (int sum = 2 * goal - 2; sum >= 0; sum--)
        for (int i = std::min(sum, goal - 1); 2 * i >= sum; i--) {
            int j = sum - i;
            double x = 0.5, last_x = 0, last_error = 0;  // x: what j's turn is worth to its player
            for (int round = 0; round < 100; round++) {
                double mine = turn(i, j, 1 - x, values), theirs = turn(j, i, 1 - mine, values), error = theirs - x;
                start[i * goal + j] = mine;
                start[j * goal + i] = theirs;
                if (std::fabs(error) < 1e-14) break;
                double next = theirs;
                if (round && error != last_error) next = x - error * (x - last_x) / (error - last_error);
                last_x = x, last_error = error, x = next;
            }
        }
    double seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count();
    std::printf("{\"value\": %.12f, \"seconds\": %.3f}\n", start[0], seconds);
}
