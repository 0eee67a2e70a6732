/* SPDX-License-Identifier: Apache-2.0
 * report/kinds/times.c: runs over dt that end at one time. States, and what is measured over a
 * run, are compared at equal times only. */
#include <config.h>

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/base.h"
#include "command/cli/take.h"
#include "command/results/kinds/selection.h"

/* dt that divides the time up to rounding ends within 1e-9 of it per step. */
static const double equal = 1e-7;

typedef struct timed_run {
    size_t place;
    double dt, t;
    char key[SELECTION_KEY];
} timed_run;

/* By line, the finest run first. */
static int timed_compare(const void *a, const void *b)
{
    const timed_run *x = a, *y = b;
    int keys = strcmp(x->key, y->key);

    return keys ? keys : (x->dt > y->dt) - (x->dt < y->dt);
}

static timed_run *timed_new(const run_pick *p)
{
    const char *const but[] = {"dt", NULL};
    timed_run *runs = take(p->count + 1, sizeof *runs);

    for (size_t k = 0; k < p->count; k++) {
        const stored_run *run = p->runs[k];
        size_t used = 0;

        runs[k].place = k;
        runs[k].dt = run_field_number(run, "dt");
        runs[k].t = strcmp(run->status, "ok") == 0 ? run_field_number(run, "t") : NAN;
        selection_key(run, but, runs[k].key);
        used = strlen(runs[k].key);
        snprintf(runs[k].key + used, SELECTION_KEY - used, ",%s", run->solver_label);
    }
    qsort(runs, p->count, sizeof *runs, timed_compare);
    return runs;
}

/* What is left out, and that last steps are shorter, for the caption. */
static void times_say(run_pick *p, size_t left_out)
{
    size_t shortened = 0, used = 0;

    for (size_t k = 0; k < p->count; k++) {
        shortened += run_field_number(p->runs[k], "last_dt") <
                     (1.0 - equal) * run_field_number(p->runs[k], "dt");
    }
    if (left_out > 0) {
        used = (size_t)snprintf(
            p->times, sizeof p->times,
            " %zu run%s at another time than the finest one of %s line %s left out.",
            left_out, left_out == 1 ? " that ends" : "s that end",
            left_out == 1 ? "its" : "their", left_out == 1 ? "is" : "are");
    }
    if (shortened > 0) {
        snprintf(p->times + used, sizeof p->times - used,
                 " The last step of %zu run%s is shortened, so that all end at one time.",
                 shortened, perp_plural(shortened));
    }
}

void pick_equal_times(run_pick *p, const char *x)
{
    timed_run *runs = NULL;
    size_t kept = 0, finest = 0;

    if (!x || strcmp(x, "dt") != 0) {
        return;
    }
    runs = timed_new(p);
    for (size_t k = 0; k < p->count; k++) {
        if (k == 0 || strcmp(runs[k].key, runs[finest].key) != 0) {
            finest = k;
        }
        if (isnan(runs[finest].t)) { /* it failed */
            finest = k;
        }
        if (fabs(runs[k].t - runs[finest].t) > equal * fabs(runs[finest].t)) {
            p->runs[runs[k].place] = NULL;
        }
    }
    for (size_t k = 0; k < p->count; k++) {
        if (p->runs[k]) {
            p->runs[kept++] = p->runs[k];
        }
    }
    finest = p->count - kept;
    p->count = kept;
    times_say(p, finest);
    free(runs);
}
