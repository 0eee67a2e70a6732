/* SPDX-License-Identifier: Apache-2.0
 * exact/rational.c: solutions of LCPs and boxes, their active set solved in rational numbers.
 *
 * First z itself is tested, row by row. Of another z the active set is taken (guess.c), whose exact
 * point is a solution when every row has its sign. Where some have not, the rows that violate
 * their state change it, all at once while their number falls and one by one otherwise
 * [judice-pires-1994], until an exact solution is found, the sets repeat or the time is over. For
 * a P-matrix the search ends. Another search starts on the bounds that are near. A solution that
 * is found in this way proves the given point only when it is near. */
#include <config.h>

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/base.h"
#include "base/number.h"
#include "interop/exact/exact.h"
#include "interop/exact/integers.h"

/* How often all rows change at once although their number does not fall. */
enum { RATIONAL_PATIENCE = 10 };

/* What a row is found to break. */
typedef struct rational_breach {
    size_t row;
    double amount; /* scaled */
    char says[160];
} rational_breach;

/* A solution that is not near the answer; changes = 0: none was found. */
typedef struct rational_far {
    size_t changes;
    double distance;
    bool only; /* A is a P-matrix */
} rational_far;

typedef struct rational_search {
    exact_integers k;
    exact_point x;
    const double *z;
    double seconds, until; /* that it may take; by perp_clock */
    unsigned char *states; /* n, those of z at first */
    unsigned char *seen;   /* n: a set that was met, to notice that sets repeat */
    size_t *order;         /* n: rows, those farthest from their bounds first */
    size_t *broken;        /* rows that violate their state */
    size_t broken_count;
    size_t sets;           /* active sets that were solved */
    size_t first_held;     /* dependent rows in the first of them */
    size_t first_free;     /* its rows in F */
    rational_breach first; /* the worst row of the first of them */
    rational_far far;
    const char *ended; /* why the search ended without a solution, or NULL */
    bool late;         /* because the time was over */
    char over[48];     /* which says how much that was */
} rational_search;

static bool rational_is_fixed(const exact_integers *k, size_t i)
{
    return k->low[i] == k->high[i];
}

/* How the exact point breaks the state of row i; false where it does not. */
static bool rational_breaks(const rational_search *r, size_t i, rational_breach *breach)
{
    const exact_integers *k = &r->k;
    int w = fmpz_sgn(r->x.W + i);
    const char *what = "w", *sign = w < 0 ? "<" : ">";
    double value = integers_w(k, &r->x, i), bound = 0.0;
    unsigned char state = r->states[i];

    breach->row = i;
    if (rational_is_fixed(k, i)) {
        return false;
    }
    if (state != PERP_STATE_FREE || w != 0) {
        breach->amount = fabs(value) / k->s[i];
        if (state == PERP_STATE_LOWER ? w >= 0 : state == PERP_STATE_UPPER && w <= 0) {
            return false;
        }
    } else if (isfinite(k->low[i]) && integers_above(k, &r->x, i) < 0) {
        what = "z", sign = "<", bound = k->low[i];
    } else if (isfinite(k->high[i]) && integers_below(k, &r->x, i) < 0) {
        what = "z", sign = ">", bound = k->high[i];
    } else {
        return false;
    }
    if (*what == 'z') {
        value = integers_x(&r->x, i);
        breach->amount = k->s[i] * fabs(value - bound);
    }
    snprintf(breach->says, sizeof breach->says, "row %zu: %s = %.6g %s %g", i, what,
             value, sign, bound);
    return true;
}

/* The rows that break their state, in order, and the worst of the first set. */
static void rational_inspect(rational_search *r)
{
    r->broken_count = 0;
    for (size_t i = 0; i < r->k.n; i++) {
        rational_breach breach = {0};

        if (rational_breaks(r, i, &breach)) {
            r->broken[r->broken_count++] = i;
            if (r->sets == 0 &&
                (r->broken_count == 1 || breach.amount > r->first.amount)) {
                r->first = breach;
            }
        }
    }
    r->first_held = r->sets == 0 ? r->x.held : r->first_held;
    r->sets++;
}

/* The state that row i takes instead. */
static unsigned char rational_other(const rational_search *r, size_t i)
{
    const exact_integers *k = &r->k;
    int w = fmpz_sgn(r->x.W + i);

    if (r->states[i] != PERP_STATE_FREE) {
        return PERP_STATE_FREE;
    }
    if (w != 0) { /* it depends on other rows, which contradict it */
        return w > 0 && isfinite(k->low[i])    ? PERP_STATE_LOWER
               : w < 0 && isfinite(k->high[i]) ? PERP_STATE_UPPER
                                               : PERP_STATE_FREE;
    }
    return isfinite(k->low[i]) && integers_above(k, &r->x, i) < 0 ? PERP_STATE_LOWER
                                                                  : PERP_STATE_UPPER;
}

/* Change the states of the last row that is broken, or of all; false when none can change. */
static bool rational_change(rational_search *r, bool all)
{
    bool changed = false;

    for (size_t b = r->broken_count; b > 0 && (all || !changed); b--) {
        size_t i = r->broken[b - 1];
        unsigned char other = rational_other(r, i);

        changed = changed || other != r->states[i];
        r->states[i] = other;
    }
    return changed;
}

/* Whether the set was met before. The one that is remembered is replaced at each power of two. */
static bool rational_repeats(rational_search *r, size_t alone)
{
    if (alone > 0 && memcmp(r->seen, r->states, r->k.n) == 0) {
        return true;
    }
    if ((alone & (alone - 1)) == 0) {
        memcpy(r->seen, r->states, r->k.n);
    }
    return false;
}

/* Solve one active set after the other; true when the last one gives a solution. */
static perp_status rational_pivot(rational_search *r, bool *found, perp_error *err)
{
    size_t least = r->k.n + 1, patience = RATIONAL_PATIENCE, alone = 0;

    *found = false;
    while (!r->ended) {
        size_t rows = 0;
        perp_status status = PERP_OK;

        for (size_t i = 0; i < r->k.n; i++) {
            rows += r->states[i] == PERP_STATE_FREE;
        }
        r->first_free = r->sets == 0 ? rows : r->first_free;
        if (integers_seconds(&r->k, rows) > 2.0 * (r->until - perp_clock())) {
            snprintf(r->over, sizeof r->over, "the time of %g s is over", r->seconds);
            r->ended = r->over;
            r->late = true;
            return PERP_OK;
        }
        status = integers_solve(&r->k, r->states, r->order, &r->x, err);
        if (status != PERP_OK) {
            return status;
        }
        rational_inspect(r);
        if (r->broken_count == 0) {
            *found = true;
            return PERP_OK;
        }
        if (r->broken_count < least) {
            least = r->broken_count;
            patience = RATIONAL_PATIENCE;
            alone = 0;
        } else {
            alone += patience == 0;
            patience -= patience > 0;
        }
        if (patience == 0 && rational_repeats(r, alone)) {
            r->ended = "they repeat";
        } else if (!rational_change(r, patience > 0)) {
            r->ended = "no row can change its state";
        }
    }
    return PERP_OK;
}

static size_t rational_changes(const rational_search *r, const unsigned char *given)
{
    size_t changes = 0;

    for (size_t i = 0; i < r->k.n; i++) {
        changes += r->states[i] != given[i];
    }
    return changes;
}

/* Distances to the exact solution, and the largest of them. */
static void rational_measure(const rational_search *r, exact_proof *proof)
{
    proof->delta = 0.0;
    for (size_t i = 0; i < r->k.n; i++) {
        proof->distance[i] = integers_distance(&r->k, &r->x, i);
        proof->delta = fmax(proof->delta, proof->distance[i]);
    }
}

/* Appends what holds of every answer: moved onto the bounds of its active set `given`, it solves the
 * problem with another b. */
static void rational_say_backward(rational_search *r, const unsigned char *given,
                                  exact_proof *proof)
{
    size_t length = strlen(proof->says), rows = 0;
    double change = 0.0, distance = 0.0;
    char above[PERP_NUMBER_LENGTH], within[PERP_NUMBER_LENGTH];

    integers_take(&r->k, given, &r->x);
    for (size_t i = 0; i < r->k.n; i++) {
        int w = fmpz_sgn(r->x.W + i);
        bool broken = given[i] == PERP_STATE_LOWER   ? w < 0
                      : given[i] == PERP_STATE_UPPER ? w > 0
                                                     : w != 0;

        distance = fmax(distance, integers_distance(&r->k, &r->x, i));
        if (broken && !rational_is_fixed(&r->k, i)) {
            change = fmax(change, integers_velocity(&r->k, &r->x, i));
            rows++;
        }
    }
    snprintf(
        proof->says + length, sizeof proof->says - length,
        "; a point within %s solves the problem with b changed by at most %s in %zu %s",
        perp_number_above(within, distance), perp_number_above(above, change), rows,
        rows == 1 ? "row" : "rows");
}

/* The sentence of an answer whose own active set gives no solution. What else was found is
 * `more`. It is a refutation where that set has one exact point. */
static void rational_say_refuted(const rational_search *r, exact_proof *proof,
                                 const char *more)
{
    bool single = r->first_held == 0;

    free(proof->distance);
    proof->distance = NULL;
    proof->delta = 0.0;
    proof->verdict = single && !r->late ? EXACT_REFUTED : EXACT_OPEN;
    proof->row = r->first.row;
    if (single) {
        snprintf(proof->says, sizeof proof->says,
                 "%s at the exact point of its active set (%zu of %zu row%s free); %s",
                 r->first.says, r->first_free, r->k.n, perp_plural(r->k.n), more);
    } else {
        snprintf(proof->says, sizeof proof->says,
                 "%s at an exact point of its active set, where %zu of %zu free row%s "
                 "depend on others; %s",
                 r->first.says, r->first_held, r->first_free, perp_plural(r->first_free),
                 more);
    }
}

/* The sentence of an answer near which there is an exact solution. */
static void rational_say_proved(const rational_search *r, exact_proof *proof)
{
    size_t changes = proof->changes;
    char more[64] = "", room[PERP_NUMBER_LENGTH];

    if (proof->delta == 0.0) {
        snprintf(proof->says, sizeof proof->says,
                 "this is an exact solution (%zu row%s%s)", r->k.n, perp_plural(r->k.n),
                 proof->unique ? "; unique" : "");
        return;
    }
    if (changes > 0) {
        snprintf(more, sizeof more, "; %zu undecided row%s changed", changes,
                 perp_plural(changes));
    }
    snprintf(proof->says, sizeof proof->says,
             "an exact solution lies within %s of this one (largest of %zu row%s%s%s)",
             perp_number_above(room, proof->delta), r->k.n, perp_plural(r->k.n),
             proof->unique ? "; unique" : "", more);
}

/* The exact solution in r->x proves the answer, when a double can state its distance. */
static void rational_conclude_found(rational_search *r, exact_proof *proof)
{
    if (!isfinite(proof->delta)) {
        proof->verdict = EXACT_OPEN;
        snprintf(proof->says, sizeof proof->says,
                 "its active set has an exact solution, which is farther away than the "
                 "largest double");
        return;
    }
    proof->verdict = EXACT_PROVED;
    proof->unique = integers_is_p(&r->k, r->until);
    rational_say_proved(r, proof);
}

/* No exact solution near the answer was found. */
static void rational_conclude_far(const rational_search *r, exact_proof *proof)
{
    char more[160], room[PERP_NUMBER_LENGTH];

    if (r->sets == 0) {
        proof->verdict = EXACT_OPEN;
        snprintf(
            proof->says, sizeof proof->says,
            "the exact point of its active set has %zu free row%s, which takes about "
            "%.0f s, more than is left of the time of %g s",
            r->first_free, perp_plural(r->first_free),
            integers_seconds(&r->k, r->first_free), r->seconds);
        return;
    }
    if (r->far.changes > 0) {
        snprintf(
            more, sizeof more,
            "%s exact solution, which differs in the state of %zu row%s, is within %s",
            r->far.only ? "the only" : "an", r->far.changes, perp_plural(r->far.changes),
            perp_number_above(room, r->far.distance));
    } else {
        snprintf(more, sizeof more, "none of %zu active sets gives a solution: %s",
                 r->sets, r->ended);
    }
    rational_say_refuted(r, proof, more);
}

/* All memory of a search over n rows, in two blocks. */
static bool rational_allocate(rational_search *r, exact_proof *proof, size_t n)
{
    proof->distance = perp_reals_new(n);
    r->order = calloc(2 * n + 1, sizeof *r->order);
    r->states = calloc(4 * n + 1, 1);
    if (!proof->distance || !r->order || !r->states) {
        return false;
    }
    r->broken = r->order + n;
    r->seen = r->states + n;
    return true;
}

/* Whether z itself, which is r->x, is an exact solution. */
static bool rational_is_solution(const rational_search *r)
{
    bool holds = true;

    for (size_t i = 0; holds && i < r->k.n; i++) {
        holds = integers_holds(&r->k, &r->x, i);
    }
    return holds;
}

/* Search from r->states; *proved where it ends at a solution near the answer. */
static perp_status rational_attempt(rational_search *r, const unsigned char *given,
                                    exact_proof *proof, bool *proved, perp_error *err)
{
    bool found = false;
    perp_status status = PERP_OK;

    r->ended = NULL;
    status = rational_pivot(r, &found, err);
    if (status != PERP_OK || !found) {
        return status;
    }
    rational_measure(r, proof);
    proof->changes = rational_changes(r, given);
    *proved = proof->changes == 0 || exact_is_near(r->k.p, r->k.s, r->z, proof->distance);
    if (!*proved && r->far.changes == 0) {
        r->far = (rational_far){.changes = proof->changes,
                                .distance = proof->delta,
                                .only = integers_is_p(&r->k, r->until)};
    }
    return PERP_OK;
}

/* An answer that is no exact solution itself: from its active set, and where that finds none nearby,
 * from the same with all rows that are near a bound on it. */
static perp_status rational_run(rational_search *r, exact_proof *proof, perp_error *err)
{
    size_t n = r->k.n;
    unsigned char *given = r->states + 2 * n, *near = given + n;
    bool proved = false;
    perp_status status = PERP_OK;

    memcpy(given, r->states, n);
    memcpy(near, r->states, n);
    integers_guess_bounds(&r->k, &r->x, exact_near_size(r->k.p, r->k.s, r->z), near);
    status = rational_attempt(r, given, proof, &proved, err);
    if (status == PERP_OK && !proved && !r->late && !r->far.only &&
        memcmp(near, given, n) != 0) {
        memcpy(r->states, near, n);
        status = rational_attempt(r, given, proof, &proved, err);
    }
    if (status != PERP_OK) {
        return status;
    }
    if (proved) {
        rational_conclude_found(r, proof);
    } else {
        rational_conclude_far(r, proof);
    }
    if (proof->verdict != EXACT_PROVED) {
        rational_say_backward(r, given, proof);
    }
    return PERP_OK;
}

static perp_status rational_start(rational_search *r, exact_proof *proof, perp_error *err)
{
    integers_take(&r->k, NULL, &r->x);
    if (!rational_allocate(r, proof, r->k.n) ||
        !integers_guess(&r->k, &r->x, r->states, r->order)) {
        return perp_fail(err, PERP_ERR_MEMORY, "exact: no memory for %zu rows", r->k.n);
    }
    if (rational_is_solution(r)) {
        rational_conclude_found(r, proof); /* at distance 0 */
        return PERP_OK;
    }
    return rational_run(r, proof, err);
}

perp_status exact_rational(const perp_problem *p, const double *z, double seconds,
                           exact_proof *proof, perp_error *err)
{
    rational_search r = {.z = z, .seconds = seconds, .until = perp_clock() + seconds};
    perp_status status = PERP_OK;

    *proof = (exact_proof){.method = "rational"};
    if (!p->A) {
        return perp_fail(err, PERP_ERR_ARGUMENT,
                         "exact: a global problem, expected one that is condensed");
    }
    for (size_t i = 0; i < p->n; i++) {
        if (!isfinite(z[i])) {
            proof->verdict = EXACT_REFUTED;
            proof->row = i;
            snprintf(proof->says, sizeof proof->says, "row %zu: z = %g is not finite", i,
                     z[i]);
            return PERP_OK;
        }
    }
    status = integers_new(&r.k, p, z, err);
    if (status == PERP_OK) {
        integers_point_init(&r.x, p->n);
        status = rational_start(&r, proof, err);
    }
    integers_point_clear(&r.x);
    integers_clear(&r.k);
    free(r.order);
    free(r.states);
    if (status != PERP_OK) {
        exact_proof_clear(proof);
    }
    flint_cleanup();
    return status;
}
