/* SPDX-License-Identifier: Apache-2.0
 * report/against.c: what has changed between two results: matching and verdicts. */
#include <config.h>

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "against.h"
#include "base/json.h"
#include "command/cli/take.h"
#include "statistics.h"

enum { AGAINST_REPEATS = 3, AGAINST_PAIRS = 5 };

/* A ratio within it is no change; a difference below it, in seconds, is none either. */
#define AGAINST_MARGIN     1.05
#define AGAINST_DIFFERENCE 2e-6
/* The chance that any run is called slower without a cause. */
#define AGAINST_CHANCE 0.05

const char *against_text(against_verdict verdict)
{
    static const char *const texts[] = {
        [AGAINST_SAME] = "same",
        [AGAINST_FASTER] = "faster",
        [AGAINST_PERHAPS_FASTER] = "faster?",
        [AGAINST_PERHAPS_SLOWER] = "slower?",
        [AGAINST_SLOWER] = "slower",
        [AGAINST_HEALED] = "healed",
        [AGAINST_BROKE] = "broke",
        [AGAINST_NEW] = "new",
        [AGAINST_GONE] = "gone",
    };

    return texts[verdict];
}

/* -- runs ---------------------------------------------------------------------------------- */

/* What was asked, as one text on the heap. */
static char *against_key(const stored_run *run)
{
    return take_format("%s\n%s\n%s\n%.17g", run->set, run->instance, run->label,
                       run->tolerance);
}

/* At least one of the two is there: `any`. */
static against_run against_pair(const stored_run *any, const stored_run *now,
                                const stored_run *before)
{
    return (against_run){.set = any->set,
                         .instance = any->instance,
                         .label = any->label,
                         .tolerance = any->tolerance,
                         .now = now,
                         .before = before,
                         .ending_now = now ? now->ending : "",
                         .ending_before = before ? before->ending : "",
                         .ratio = {NAN, NAN, NAN},
                         .chance = 1.0};
}

/* Give every question its runs. `place`: an object for the places of the questions. */
static void against_match(against *a, json_t *place)
{
    for (size_t k = 0; k < a->now.count + a->then.count; k++) {
        bool is_now = k < a->now.count;
        const stored_run *run =
            is_now ? &a->now.runs[k] : &a->then.runs[k - a->now.count];
        char *key = against_key(run);
        const json_t *at = json_object_get(place, key);

        if (at) {
            against_run *pair = &a->runs[json_integer_value(at)];

            *pair = is_now ? against_pair(run, run, pair->before)
                           : against_pair(run, pair->now, run);
        } else {
            json_object_set_new(place, key, json_integer((json_int_t)a->count));
            a->runs[a->count++] =
                against_pair(run, is_now ? run : NULL, is_now ? NULL : run);
        }
        free(key);
    }
}

/* The times of the repeats; *count of them. One time without repeats. */
static double *against_times(const stored_run *run, size_t *count)
{
    const json_t *all = json_object_get(run->json, "seconds_all");
    size_t room = json_array_size(all);
    double *x = take(room + 1, sizeof *x);

    *count = 0;
    for (size_t k = 0; k < room; k++) {
        const json_t *value = json_array_get(all, k);

        if (json_is_number(value)) {
            x[(*count)++] = fmax(json_number_value(value), 1e-9);
        }
    }
    if (*count == 0) {
        x[(*count)++] = run_cost(run);
    }
    return x;
}

static double against_least(const double *x, size_t count, double sign)
{
    double least = INFINITY;

    for (size_t k = 0; k < count; k++) {
        least = fmin(least, sign * x[k]);
    }
    return sign * least;
}

/* The ratio of the times of two solved runs, and whether their repeats overlap. */
static void against_time(against_run *r)
{
    size_t m = 0, n = 0;
    double *x = against_times(r->now, &m);
    double *y = against_times(r->before, &n);

    bootstrap_median_ratio(&r->ratio, x, m, y, n);
    if (m >= AGAINST_REPEATS && n >= AGAINST_REPEATS) {
        r->apart =
            against_least(x, m, 1.0) > against_least(y, n, -1.0) + AGAINST_DIFFERENCE ||
            against_least(y, n, 1.0) > against_least(x, m, -1.0) + AGAINST_DIFFERENCE;
        r->chance = exp(lgamma((double)m + 1.0) + lgamma((double)n + 1.0) -
                        lgamma((double)(m + n) + 1.0));
    }
    free(x);
    free(y);
}

/* Have both runs solved, in a time that is known? */
static bool against_both_solved(const against_run *r)
{
    return r->now && r->before && isfinite(run_cost(r->now)) &&
           isfinite(run_cost(r->before));
}

static against_verdict against_judge(const against *a, const against_run *r)
{
    bool sure = r->apart && r->chance * (double)a->timed <= AGAINST_CHANCE;
    const stored_run *failed = NULL;

    if (!r->now || !r->before) {
        return r->now ? AGAINST_NEW : AGAINST_GONE;
    }
    if (r->now->solved != r->before->solved) {
        failed = r->now->solved ? r->before : r->now;
        if (!a->times && strstr(failed->ending, "time limit")) {
            return AGAINST_SAME; /* perhaps the machine was slower */
        }
        return r->now->solved ? AGAINST_HEALED : AGAINST_BROKE;
    }
    if (r->ratio.low > AGAINST_MARGIN && r->apart) {
        return sure ? AGAINST_SLOWER : AGAINST_PERHAPS_SLOWER;
    }
    if (r->ratio.high < 1.0 / AGAINST_MARGIN && r->apart) {
        return sure ? AGAINST_FASTER : AGAINST_PERHAPS_FASTER;
    }
    return AGAINST_SAME;
}

static void against_runs(against *a)
{
    json_t *place = json_object();

    a->runs = take(a->now.count + a->then.count + 1, sizeof *a->runs);
    against_match(a, place);
    json_decref(place);
    for (size_t k = 0; a->times && k < a->count; k++) {
        if (against_both_solved(&a->runs[k])) {
            against_time(&a->runs[k]);
            a->timed++;
        }
    }
    for (size_t k = 0; k < a->count; k++) {
        a->runs[k].verdict = against_judge(a, &a->runs[k]);
        a->verdicts[a->runs[k].verdict]++;
    }
}

/* -- solvers ------------------------------------------------------------------------------- */

static bool against_is_of(const against_run *r, const against_solver *s)
{
    return strcmp(r->set, s->set) == 0 && strcmp(r->label, s->label) == 0 &&
           r->tolerance == s->tolerance;
}

/* Count the runs of a solver, from `first` on, and compare its times. */
static void against_sum(against *a, against_solver *s, size_t first)
{
    double *x = take(2 * a->count + 1, sizeof *x);
    double *y = x + a->count;

    for (size_t k = first; k < a->count; k++) {
        const against_run *r = &a->runs[k];

        if (!against_is_of(r, s)) {
            continue;
        }
        s->runs[r->verdict]++;
        if (a->times && against_both_solved(r)) {
            x[s->pairs] = run_cost(r->now);
            y[s->pairs++] = run_cost(r->before);
        }
    }
    bootstrap_mean_ratio(&s->ratio, x, y, s->pairs, 0.0);
    if (s->pairs >= AGAINST_PAIRS && s->ratio.low > AGAINST_MARGIN) {
        s->verdict = AGAINST_SLOWER;
    } else if (s->pairs >= AGAINST_PAIRS && s->ratio.high < 1.0 / AGAINST_MARGIN) {
        s->verdict = AGAINST_FASTER;
    }
    a->slower_solvers += s->verdict == AGAINST_SLOWER;
    free(x);
}

static void against_solvers(against *a)
{
    a->solvers = take(a->count + 1, sizeof *a->solvers);
    for (size_t k = 0; k < a->count; k++) {
        const against_run *r = &a->runs[k];
        bool seen = false;

        for (size_t j = 0; j < a->solver_count && !seen; j++) {
            seen = against_is_of(r, &a->solvers[j]);
        }
        if (!seen) {
            against_solver *s = &a->solvers[a->solver_count++];

            *s = (against_solver){
                .set = r->set, .label = r->label, .tolerance = r->tolerance};
            against_sum(a, s, k);
        }
    }
}

/* -- machines ------------------------------------------------------------------------------ */

/* Members of "machine" that make times incomparable, then others that explain a change. */
static const char *const against_members[] = {"host",   "cpu",      "threads", "version",
                                              "commit", "compiler", "flags",   "blas"};
enum { AGAINST_MACHINE = 3 };

static char *against_member(const stored_runs *s, const char *key)
{
    const json_t *machine = json_object_get(s->runs[s->count - 1].json, "machine");
    const json_t *value = json_object_get(machine, key);

    return value ? json_dumps(value, JSON_ENCODE_ANY) : take_text("");
}

/* Whether the machines differ, and the members that differ as a text. */
static void against_machines(against *a)
{
    for (size_t k = 0; k < sizeof against_members / sizeof *against_members; k++) {
        char *now = against_member(&a->now, against_members[k]);
        char *then = against_member(&a->then, against_members[k]);
        size_t end = strlen(a->differences);

        if (strcmp(now, then) != 0 && *now && *then) {
            a->machines = a->machines || k < AGAINST_MACHINE;
            snprintf(a->differences + end, sizeof a->differences - end,
                     "%s%s %s, before %s", end ? "; " : "", against_members[k], now,
                     then);
        }
        free(now);
        free(then);
    }
}

perp_status against_make(against *a, const char *now, const char *before, bool times,
                         perp_error *err)
{
    perp_status status = PERP_OK;

    memset(a, 0, sizeof *a);
    a->before = take_text(before);
    a->after = take_text(now);
    status = runs_read(&a->now, now, err);
    if (status == PERP_OK) {
        status = runs_read(&a->then, before, err);
    }
    if (status == PERP_OK) {
        against_machines(a);
        a->times = times || !a->machines;
        against_runs(a);
        against_solvers(a);
    }
    if (status == PERP_OK &&
        a->count == a->verdicts[AGAINST_NEW] + a->verdicts[AGAINST_GONE]) {
        status = perp_fail(err, PERP_ERR_DATA,
                           "%s and %s have no run in common: set, instance, solver and "
                           "tolerance",
                           now, before);
    }
    return status;
}

void against_free(against *a)
{
    runs_free(&a->now);
    runs_free(&a->then);
    free(a->after);
    free(a->before);
    free(a->runs);
    free(a->solvers);
    memset(a, 0, sizeof *a);
}

bool against_regressed(const against *a)
{
    return a->verdicts[AGAINST_BROKE] + a->verdicts[AGAINST_SLOWER] + a->slower_solvers >
           0;
}
