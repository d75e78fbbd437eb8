// Traffic Lights solved plainly, for its own sake: something to measure komi against.
//
// A position is a number in base 4, two bits a square; in version 3 the edge of the strip comes last.
// One byte a code: 0 draw, n win in n plies, -n loss in n plies; the game's end is -1 (lost by the mover, in
// 0 plies, counted from 1). Versions 1 and 2 go down through the codes, as every move adds; version 3 does the same
// with the 4 x 64 codes that share a square taken together, swept until nothing changes.
//
//     traffic_lights VERSION
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <vector>

using Code = uint64_t;

struct Board {
    int squares;
    std::vector<Code> lines;  // a red counter on each of the three squares
};

static Board board(const std::vector<std::pair<int, int>>& places) {
    const int n = places.size();
    Board result{n, {}};
    auto bit = [&](int row, int column) -> Code {
        for (int i = 0; i < n; i++)
            if (places[i] == std::make_pair(row, column)) return Code(1) << 2 * (n - 1 - i);
        return 0;
    };
    const int steps[4][2] = {{0, 1}, {1, 0}, {1, 1}, {1, -1}};
    for (auto [row, column] : places)
        for (auto [down, right] : steps) {
            Code b = bit(row + down, column + right), c = bit(row + 2 * down, column + 2 * right);
            if (b && c) result.lines.push_back(bit(row, column) | b | c);
        }
    return result;
}

static bool over(const Board& board, Code code) {
    for (Code line : board.lines) {
        Code counters = code & 3 * line;
        if (counters == line || counters == 2 * line || counters == 3 * line) return true;
    }
    return false;
}

// a value, seen by the player before: a ply longer and the other way round
static inline int before(int v) { return v > 0 ? -v - 1 : v < 0 ? -v + 1 : 0; }

static inline bool better(int a, int b) {  // quick wins, slow wins, draws, slow losses, quick losses
    auto score = [](int v) { return v > 0 ? 1000 - v : v < 0 ? -1000 - v : 0; };
    return score(a) > score(b);
}

struct Count { long long win, loss, draw, terminal; };

static void print(const Count& count, int start) {
    const char* value = start > 0 ? "win" : start < 0 ? "loss" : "draw";
    printf("%s %d win %lld loss %lld draw %lld terminal %lld\n", value, start ? abs(start) - 1 : -1, count.win,
           count.loss, count.draw, count.terminal);
}

static void fixed(int rows, int columns) {
    std::vector<std::pair<int, int>> places;
    for (int row = 0; row < rows; row++)
        for (int column = 0; column < columns; column++) places.push_back({row, column});
    const Board b = board(places);
    const Code codes = Code(1) << 2 * b.squares;
    std::vector<int8_t> value(codes);
    for (Code code = codes; code-- > 0;) {
        if (over(b, code)) {
            value[code] = -1;
            continue;
        }
        int best = -128;
        for (int shift = 0; shift < 2 * b.squares; shift += 2)
            if ((code >> shift & 3) < 3) {
                int v = before(value[code + (Code(1) << shift)]);
                if (best == -128 || better(v, best)) best = v;
            }
        value[code] = best;
    }
    std::vector<bool> reached(codes);
    reached[0] = true;
    Count count{};
    for (Code code = 0; code < codes; code++) {
        if (!reached[code]) continue;
        if (value[code] == -1) {
            count.terminal++;
            continue;
        }
        (value[code] > 0 ? count.win : count.loss)++;
        for (int shift = 0; shift < 2 * b.squares; shift += 2)
            if ((code >> shift & 3) < 3) reached[code + (Code(1) << shift)] = true;
    }
    print(count, value[0]);
}

static void with_strip() {
    const std::pair<int, int> from[4] = {{-1, 0}, {0, 3}, {3, 0}, {0, -1}};
    std::vector<Board> boards;
    for (int edge = 0; edge < 4; edge++) {
        std::vector<std::pair<int, int>> places;
        for (int i = 0; i < 9; i++) places.push_back({i / 3, i % 3});
        for (int i = 0; i < 3; i++)
            places.push_back({from[edge].first + (edge % 2 ? i : 0), from[edge].second + (edge % 2 ? 0 : i)});
        boards.push_back(board(places));
    }
    auto turned = [](Code code) {  // the strip of a board without its edge
        return (code & ~Code(63)) | (code & 3) << 4 | (code & 12) | (code >> 4 & 3);
    };
    auto moves = [&](Code code, auto&& visit) {
        const Code squares = code >> 2, edge = code & 3;
        for (int shift = 0; shift < 24; shift += 2)
            if ((squares >> shift & 3) < 3) visit(code + (Code(4) << shift));
        const Code round = turned(squares);
        for (Code to = 0; to < 4; to++) {
            if (to != edge) visit(squares << 2 | to);
            if (round != squares) visit(round << 2 | to);
        }
    };
    const Code codes = Code(1) << 26;
    std::vector<int8_t> value(codes);
    for (Code group = codes >> 8; group-- > 0;) {
        for (Code code = group << 8; code < (group + 1) << 8; code++) value[code] = over(boards[code & 3], code >> 2) ? -1 : 0;
        for (bool changed = true; changed;) {
            changed = false;
            for (Code code = (group + 1) << 8; code-- > group << 8;) {
                if (value[code] == -1) continue;
                int best = -128;
                moves(code, [&](Code after) {
                    int v = before(value[after]);
                    if (best == -128 || better(v, best)) best = v;
                });
                if (best != value[code]) value[code] = best, changed = true;
            }
        }
    }
    std::vector<bool> reached(codes);
    std::vector<Code> stack{2};
    reached[2] = true;
    Count count{};
    while (!stack.empty()) {
        const Code code = stack.back();
        stack.pop_back();
        const int v = value[code];
        (v == -1 ? count.terminal : v > 0 ? count.win : v < 0 ? count.loss : count.draw)++;
        if (v == -1) continue;
        moves(code, [&](Code after) {
            if (!reached[after]) reached[after] = true, stack.push_back(after);
        });
    }
    print(count, value[2]);
}

int main(int, char** arguments) {
    const int version = atoi(arguments[1]);
    if (version == 3)
        with_strip();
    else if (version == 2)
        fixed(4, 3);
    else
        fixed(3, 3);
}
