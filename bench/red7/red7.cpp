// Random Red7, three players, official rules: the C++ program that komi's simulator is measured against.
//
// The same tricks: cards are bits of a 64-bit word, so that a higher card is a higher bit; strengths are
// integers; for each rule one expression gives the set of hand cards whose play would lead; moves are counted
// by popcounts and one is picked without listing them; random numbers by counter (Squares), one stream for
// chance and one for choices. What differs: everything is fixed at compile time, and seats do not turn.
#include <algorithm>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <ctime>
#include <immintrin.h>

using Cards = int64_t;

constexpr int PLAYERS = 3;
constexpr Cards ALL = 0x7F7F7F7F7F7F7F, NUMBER = 0x7F, COLOUR = 0x01010101010101;
constexpr Cards EVEN = 0x007F007F007F00, BELOW_FOUR = 0x7F7F7F, ONE_MORE = Cards(1) << 56;
enum { VIOLET, INDIGO, BLUE, GREEN, YELLOW, ORANGE, RED };

static int count(Cards cards) { return __builtin_popcountll(cards); }
static int length(Cards cards) { return 64 - int(_lzcnt_u64(cards)); }
static Cards nth(Cards cards, int index) { return _pdep_u64(uint64_t(1) << index, cards); }

static Cards counted(Cards cards) { return count(cards) * ONE_MORE + cards; }
static Cards above(Cards missing) { return Cards(-1) << length(std::max(missing, Cards(0))); }
static Cards one_more(Cards palette, Cards group, Cards rival) {
    return group & above(rival - counted(palette & group) - ONE_MORE);
}
static Cards colours(Cards palette) {
    palette |= palette >> 32;
    palette |= palette >> 16;
    return (palette | palette >> 8) & NUMBER;
}
static Cards present(Cards palette) { return (((palette + ALL) >> 7) & COLOUR) * 255; }
static Cards counted_run(Cards palette, Cards run) { return count(run) * (ONE_MORE >> 3) + (palette & run); }

static Cards longest_run(Cards palette) {
    Cards one = present(palette), two = one & (one >> 8), four = two & (two >> 16);
    Cards begins = four ? four : two ? two : one;
    int bits = four ? 32 : two ? 16 : 8;
    Cards longer = begins & (two >> bits);
    begins = longer ? longer : begins, bits = longer ? bits + 16 : bits;
    longer = begins & (one >> bits);
    begins = longer ? longer : begins, bits = longer ? bits + 8 : bits;
    return palette ? counted_run(palette, ((Cards(1) << bits) - 1) << (length(begins) - 8)) : 0;
}

template <int RULE> Cards strength(Cards palette) {
    Cards best = 0;
    switch (RULE) {
    case RED: return palette;
    case ORANGE: for (int n = 0; n < 7; n++) best = std::max(best, counted(palette & (NUMBER << 8 * n))); return best;
    case YELLOW: for (int c = 0; c < 7; c++) best = std::max(best, counted(palette & (COLOUR << c))); return best;
    case GREEN: return counted(palette & EVEN);
    case BLUE: return count(colours(palette)) * ONE_MORE + palette;
    case INDIGO: return longest_run(palette);
    default: return counted(palette & BELOW_FOUR);
    }
}

// The cards that make a palette stronger than a rival; all, also those in it, if it is so already.
template <int RULE> Cards stronger(Cards palette, Cards rival) {
    if (strength<RULE>(palette) > rival) return ALL;
    Cards cards = 0;
    switch (RULE) {
    case RED: cards = above(rival); break;
    case ORANGE: for (int n = 0; n < 7; n++) cards |= one_more(palette, NUMBER << 8 * n, rival); break;
    case YELLOW: for (int c = 0; c < 7; c++) cards |= one_more(palette, COLOUR << c, rival); break;
    case GREEN: cards = one_more(palette, EVEN, rival); break;
    case BLUE: {
        Cards held = colours(palette), missing = rival - palette - count(held) * ONE_MORE;
        cards = above(missing) | (above(missing - ONE_MORE) & ~(held * COLOUR));
        break;
    }
    case INDIGO: {
        Cards held = present(palette);
        for (int n = 0; n < 7; n++) {
            Cards bit = Cards(1) << 8 * n, run = held | 255 * bit;
            run &= above(~run & (bit - 1));
            run &= ~(run + (run & -run));
            cards |= (NUMBER << 8 * n) & above(rival - counted_run(palette, run));
        }
        break;
    }
    default: cards = one_more(palette, BELOW_FOUR, rival);
    }
    return cards & ALL & ~palette;
}

template <int RULE> Cards leading(Cards palette, const Cards *rivals) {
    return stronger<RULE>(palette, std::max(strength<RULE>(rivals[0]), strength<RULE>(rivals[1])));
}
static Cards leading(int rule, Cards palette, const Cards *rivals) {
    switch (rule) {
    case VIOLET: return leading<VIOLET>(palette, rivals);
    case INDIGO: return leading<INDIGO>(palette, rivals);
    case BLUE: return leading<BLUE>(palette, rivals);
    case GREEN: return leading<GREEN>(palette, rivals);
    case YELLOW: return leading<YELLOW>(palette, rivals);
    case ORANGE: return leading<ORANGE>(palette, rivals);
    default: return leading<RED>(palette, rivals);
    }
}

struct Stream {
    uint64_t key, place;
    double next() {
        uint64_t y = place++ * key, x = y, z = y + key, t;
        x = x * x + y, x = x >> 32 | x << 32;
        x = x * x + z, x = x >> 32 | x << 32;
        x = x * x + y, x = x >> 32 | x << 32;
        t = x = x * x + z, x = x >> 32 | x << 32;
        return int64_t((t ^ ((x * x + y) >> 32)) >> 11) * 0x1p-53;
    }
};

struct Totals { long wins[PLAYERS] = {}, turns[64] = {}, moves[256] = {}; };

static void play(Stream chance, Stream choice, Totals &totals) {
    Cards hands[PLAYERS] = {}, palettes[PLAYERS] = {}, deck = ALL;
    int canvas = RED, out = 0, left = PLAYERS, turns = 0, seat = 0;
    for (int dealt = 0; dealt < 8 * PLAYERS; dealt++) {
        Cards card = nth(deck, int(chance.next() * (49 - dealt)));
        deck ^= card;
        (dealt < 7 * PLAYERS ? hands : palettes)[dealt % PLAYERS] |= card;
    }
    while (palettes[PLAYERS - 1] != std::max({palettes[0], palettes[1], palettes[2]})) {
        std::rotate(hands, hands + 1, hands + PLAYERS);
        std::rotate(palettes, palettes + 1, palettes + PLAYERS);
    }
    for (; left > 1; seat = seat + 1 == PLAYERS ? 0 : seat + 1) {
        if (out >> seat & 1) continue;
        turns++;
        Cards hand = hands[seat], palette = palettes[seat];
        Cards rivals[2] = {palettes[(seat + 1) % PLAYERS], palettes[(seat + 2) % PLAYERS]};
        Cards alone = leading(canvas, palette, rivals) & hand, winning[7];
#define WINNING(rule) winning[rule] = hand & (COLOUR << rule) ? leading<rule>(palette, rivals) : 0
        WINNING(VIOLET); WINNING(INDIGO); WINNING(BLUE); WINNING(GREEN); WINNING(YELLOW); WINNING(ORANGE); WINNING(RED);
        int moves = count(alone);
        for (int colour = 0; colour < 7; colour++) {
            Cards discards = hand & (COLOUR << colour), plays = winning[colour] & hand;
            if (winning[colour] & palette) moves += count(discards);
            moves += count(plays) * count(discards) - count(plays & discards);
        }
        totals.moves[moves]++;
        if (!moves) {
            out |= 1 << seat, palettes[seat] = 0, left--;
            continue;
        }
        int index = int(choice.next() * moves);
        Cards played = 0, discarded = 0;
        if (index < count(alone)) {
            played = nth(alone, index);
        } else {
            index -= count(alone);
            for (int colour = 0; !discarded; colour++) {
                Cards discards = hand & (COLOUR << colour), plays = winning[colour] & hand;
                if (winning[colour] & palette) {
                    if (index < count(discards)) { discarded = nth(discards, index); break; }
                    index -= count(discards);
                }
                for (; discards; discards &= discards - 1) {
                    Cards card = discards & -discards, choices = plays & ~card;
                    if (index < count(choices)) { played = nth(choices, index), discarded = card; break; }
                    index -= count(choices);
                }
            }
        }
        hands[seat] ^= played | discarded;
        palettes[seat] |= played;
        if (discarded) {
            int card = length(discarded) - 1;
            canvas = card & 7;
            if ((card >> 3) + 1 > count(palettes[seat]) && deck) {
                Cards drawn = nth(deck, int(chance.next() * count(deck)));
                deck ^= drawn, hands[seat] |= drawn;
            }
        }
    }
    for (int player = 0; player < PLAYERS; player++) totals.wins[player] += !(out >> player & 1);
    totals.turns[turns]++;
}

int main(int arguments, char **values) {
    long games = arguments > 1 ? atol(values[1]) : 1000000;
    Totals totals;
    clock_t begin = clock();
    for (long game = 0; game < games; game++)
        play({0xc58efd154ce32f6d, uint64_t(game) << 24}, {0x9e3779b97f4a7c15, uint64_t(game) << 24}, totals);
    double seconds = double(clock() - begin) / CLOCKS_PER_SEC, turns = 0;
    for (int n = 0; n < 64; n++) turns += double(n) * totals.turns[n] / games;
    printf("{\"games_per_second\": %.0f, \"turns\": %.4f, \"win_rate\": [%.5f, %.5f, %.5f]}\n", games / seconds, turns,
           double(totals.wins[0]) / games, double(totals.wins[1]) / games, double(totals.wins[2]) / games);
}
