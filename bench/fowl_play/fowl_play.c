/* Fowl Play (42 chickens, 6 wolves, goal 50), solved by hand in C: the measure that komi is held against.
 *
 * Finds the value of every state, as komi does, but proves nothing. A pair of scores (i, j) is solved together
 * with (j, i), pairs with more points first. Within the two, cards only go out until the last wolf brings them
 * back, so that given the values x of (i, j) and y of (j, i) with the full deck, one pass over the cards in
 * descending order gives all others, and new x and y. What holding is worth is known from pairs solved before: the
 * new x and y are piecewise linear in the old, and Newton's method, with derivatives carried through the same pass,
 * closes in on the fixed point in two or three passes. The first guess continues the plane through the neighbours.
 */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>

enum { GOAL = 50, WOLVES = 6, CHICKENS = 42, DECKS = WOLVES * (CHICKENS + 1) };

/* At the beginning of a turn, by the mover's score, wolves and chickens out, and the rival's score. */
static double begin_turn[GOAL][WOLVES][CHICKENS + 1][GOAL + 2];
/* Of a pair of scores: by wolves out, chickens out, turn total. */
static double *value[GOAL][GOAL];
static long backups;

struct side {
    int i, j;
    double slope[2];                                 /* of the value with the full deck, by x and by y */
    double begin_slope[WOLVES][CHICKENS + 1][2];     /* the same at the beginning of a turn */
};

static int most_total(int i, int c) { return c < GOAL - i ? c : GOAL - i; }

static size_t block(int i) {
    size_t size = 0;
    for (int c = 0; c <= CHICKENS; c++) size += most_total(i, c) + 1;
    return size * WOLVES;
}

/* Values of one side with w wolves out; with slopes if asked for. `full_deck` is the rival's value. */
static void pass_side(struct side *side, struct side *other, int w, double full_deck, int by, int slopes) {
    static double zeros[GOAL + 2];
    double down[2][2][GOAL + 2] = {{{0}}};
    int i = side->i, j = side->j;
    double *end = value[i][j];
    for (int c = 0, v = w + 1; c <= CHICKENS; c++) end += (size_t)(most_total(i, c) + 1) * v;
    /* blocks of w lie one after the other; within one, c ascends */
    double *after = zeros;
    for (int c = CHICKENS; c >= 0; c--) {
        int top = most_total(i, c);
        double *now = end - (top + 1);
        end = now;
        double cards = WOLVES - w + CHICKENS - c;
        double chicken = (CHICKENS - c) / cards, wolf = (WOLVES - w) / cards;
        int last = w + 1 == WOLVES;
        double lost = wolf * (1.0 - (last ? full_deck : begin_turn[j][w + 1][c][i]));
        const double *hold = &begin_turn[j][w][c][i];
        int most = top < GOAL - i ? top : GOAL - i - 1;
        double (*slope)[GOAL + 2] = down[c & 1], (*before)[GOAL + 2] = down[~c & 1];
        if (!slopes) {
            for (int k = 1; k <= most; k++) {
                double draw = lost + chicken * after[k + 1], held = 1.0 - hold[k];
                now[k] = draw > held ? draw : held;
            }
        } else {
            double lost_x = -wolf * (last ? by == 0 : other->begin_slope[w + 1][c][0]);
            double lost_y = -wolf * (last ? by == 1 : other->begin_slope[w + 1][c][1]);
            for (int k = 1; k <= most; k++) {
                double draw = lost + chicken * after[k + 1], held = 1.0 - hold[k];
                int draws = draw > held;
                now[k] = draws ? draw : held;
                slope[0][k] = draws ? lost_x + chicken * before[0][k + 1] : 0.0;
                slope[1][k] = draws ? lost_y + chicken * before[1][k + 1] : 0.0;
            }
            slope[0][0] = lost_x + chicken * before[0][1], slope[1][0] = lost_y + chicken * before[1][1];
            slope[0][GOAL - i] = slope[1][GOAL - i] = 0.0;
            side->begin_slope[w][c][0] = slope[0][0], side->begin_slope[w][c][1] = slope[1][0];
        }
        now[0] = lost + chicken * after[1];
        if (top == GOAL - i) now[top] = 1.0;
        begin_turn[i][w][c][j] = now[0];
        backups += most + 1;
        after = now;
    }
}

static double guess(int i, int j) {
    if (i + 1 >= GOAL || j + 1 >= GOAL) return 0.5;
    return fmin(1, fmax(0, begin_turn[i + 1][0][0][j] + begin_turn[i][0][0][j + 1] - begin_turn[i + 1][0][0][j + 1]));
}

static void solve_pair(int i, int j) {
    static struct side one, two;
    one.i = i, one.j = j, two.i = j, two.j = i;
    double x = guess(i, j), y = i == j ? x : guess(j, i), off = 1;
    double a = 0, b = 0, c = 0, d = 0;
    for (int round = 0; round < 200; round++) {
        int slopes = off > 1e-7; /* later the slopes are known well enough */
        for (int w = WOLVES - 1; w >= 0; w--) {
            pass_side(&one, i == j ? &one : &two, w, y, 1, slopes);
            if (i != j) pass_side(&two, &one, w, x, 0, slopes);
        }
        double f = begin_turn[i][0][0][j] - x, g = begin_turn[j][0][0][i] - y;
        off = fmax(fabs(f), fabs(g));
        if (off < 1e-14) return;
        if (slopes) {
            a = one.begin_slope[0][0][0] - 1, b = one.begin_slope[0][0][1];
            c = two.begin_slope[0][0][0], d = two.begin_slope[0][0][1] - 1;
        }
        if (i == j) {
            x -= f / (a + b), y = x;
        } else {
            double det = a * d - b * c;
            x -= (d * f - b * g) / det, y -= (a * g - c * f) / det;
        }
    }
}

int main(int count, char **arguments) {
    int repeats = count > 1 ? atoi(arguments[1]) : 1;
    for (int repeat = 0; repeat < repeats; repeat++) {
        struct timespec begin, end;
        clock_gettime(CLOCK_MONOTONIC, &begin);
        backups = 0;
        for (int i = 0; i < GOAL && !repeat; i++)
            for (int j = 0; j < GOAL; j++) value[i][j] = malloc(block(i) * sizeof(double));
        for (int total = 2 * (GOAL - 1); total >= 0; total--)
            for (int i = total / 2; i >= 0 && total - i < GOAL; i--) solve_pair(total - i, i);
        clock_gettime(CLOCK_MONOTONIC, &end);
        double seconds = end.tv_sec - begin.tv_sec + 1e-9 * (end.tv_nsec - begin.tv_nsec);
        printf("{\"value\": %.12f, \"seconds\": %.4f, \"backups\": %ld}\n", value[0][0][0], seconds, backups);
    }
    return 0;
}
