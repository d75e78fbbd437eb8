/* Fowl Play (42 chickens, 6 wolves, goal 50), solved by hand in C: the measure that komi is held against.
 *
 * Finds the value of every state, as komi does, but proves nothing. A pair of scores (i, j) is solved together
 * with (j, i), pairs with more points first. Within the two, cards only go out until the last wolf brings them
 * back, so that given the values x of (i, j) and y of (j, i) with the full deck, one pass over the cards in
 * descending order gives all others, and new x and y; a secant step on each closes in on the fixed point.
 */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>

enum { GOAL = 50, WOLVES = 6, CHICKENS = 42 };

/* By own score, rival's score, wolves out, chickens out, turn total. */
static double value[GOAL][GOAL][WOLVES][CHICKENS + 1][CHICKENS + 2];
static long backups;

static void pass_side(int i, int j, int w, double full_deck) {
    for (int c = CHICKENS; c >= 0; c--) {
        double *now = value[i][j][w][c], *after = c < CHICKENS ? value[i][j][w][c + 1] : now;
        double cards = WOLVES - w + CHICKENS - c;
        double chicken = (CHICKENS - c) / cards, wolf = (WOLVES - w) / cards;
        double lost = wolf * (1.0 - (w + 1 < WOLVES ? value[j][i][w + 1][c][0] : full_deck));
        int most = c < GOAL - i ? c : GOAL - i - 1;
        for (int k = 0; k <= most; k++) {
            double draw = lost + chicken * after[k + 1];
            double hold = k ? 1.0 - value[j][i + k][w][c][0] : 0.0;
            now[k] = draw > hold ? draw : hold;
        }
        backups += most + 1;
        if (c >= GOAL - i) now[GOAL - i] = 1.0;
    }
}

static void pass(int i, int j, double x, double y) {
    for (int w = WOLVES - 1; w >= 0; w--) {
        pass_side(i, j, w, y);
        if (i != j) pass_side(j, i, w, x);
    }
}

static void solve_pair(int i, int j) {
    double x = 0.5, y = 0.5, last_x = 0, last_y = 0, last_f = 0, last_g = 0;
    for (int round = 0; round < 200; round++) {
        pass(i, j, x, i == j ? x : y);
        double f = value[i][j][0][0][0] - x, g = value[j][i][0][0][0] - y;
        if (fabs(f) < 1e-13 && fabs(g) < 1e-13) return;
        double step_x = f, step_y = g;
        if (round > 0) {
            if (f != last_f) step_x = -f * (x - last_x) / (f - last_f);
            if (g != last_g) step_y = -g * (y - last_y) / (g - last_g);
        }
        last_x = x, last_y = y, last_f = f, last_g = g;
        x = fmin(1, fmax(0, x + step_x)), y = fmin(1, fmax(0, y + step_y));
    }
}

int main(int count, char **arguments) {
    int repeats = count > 1 ? atoi(arguments[1]) : 1;
    for (int repeat = 0; repeat < repeats; repeat++) {
        struct timespec begin, end;
        clock_gettime(CLOCK_MONOTONIC, &begin);
        backups = 0;
        for (int total = 2 * (GOAL - 1); total >= 0; total--)
            for (int i = total / 2; i >= 0 && total - i < GOAL; i--) solve_pair(total - i, i);
        clock_gettime(CLOCK_MONOTONIC, &end);
        double seconds = end.tv_sec - begin.tv_sec + 1e-9 * (end.tv_nsec - begin.tv_nsec);
        printf("{\"value\": %.12f, \"seconds\": %.4f, \"backups\": %ld}\n", value[0][0][0][0][0], seconds, backups);
    }
    return 0;
}
