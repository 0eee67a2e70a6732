/* SPDX-License-Identifier: Apache-2.0
 * solve/watch.c: directions of diverging iterates, and the stall of the residual. */
#include <config.h>

#include "watch.h"

#include "judge/judge.h"

enum {
    DOUBLING_EVERY = 16, /* iterations between two evaluations of max |z| */
    DOUBLING_FIRST = 8,  /* never in the iteration of a drift test */
    DRIFT_SPAN = 20,     /* iterations: oscillations average out */
    DRIFT_FIRST = 80,    /* iterations before the first test; then 160, 320, ... */
};

/* Growth within DRIFT_SPAN iterations, as a part of |z|, that counts as growth: at the last test
 * of a run of 10^5 iterations steady growth is twice this. */
static const double drift_least = 1e-4;

/* A window whose least residual is more than this times the least one before has stalled. */
static const double stalled = 0.99;

perp_status perp_watch_init(perp_watch *watch, size_t n, size_t window, size_t every,
                            perp_workspace *ws, perp_error *err)
{
    *watch = (perp_watch){.n = n};
    watch->window = window && window < 2 * every ? 2 * every : window;
    watch->doubling = perp_workspace_reals(ws, n);
    watch->drift = perp_workspace_reals(ws, n);
    watch->window_start = window ? perp_workspace_reals(ws, n) : NULL;
    return perp_workspace_status(ws, err);
}

static void watch_start_doubling(perp_watch *watch, const double *z)
{
    memcpy(watch->doubling, z, watch->n * sizeof *z);
    watch->size = perp_largest(watch->n, z);
}

static void watch_start_window(perp_watch *watch, const double *z)
{
    watch->window_from = watch->count;
    watch->least_before = fmin(watch->least, watch->least_before);
    watch->least = INFINITY;
    if (watch->window) {
        memcpy(watch->window_start, z, watch->n * sizeof *z);
    }
}

void perp_watch_restart(perp_watch *watch, const perp_result *r)
{
    watch->count = 0;
    watch->restarted = r->run.restarted;
    watch->until = DRIFT_FIRST;
    watch->from = watch->until - DRIFT_SPAN;
    watch->least = watch->least_before = INFINITY;
    watch_start_doubling(watch, r->z);
    watch_start_window(watch, r->z);
}

/* The change since max |z| was half as large; growth from zero shows nothing. */
static bool watch_doubling(perp_watch *watch, const double *z, double *y)
{
    double size = perp_largest(watch->n, z);
    bool from_zero = watch->size == 0.0;
    bool grown = false;

    if (!(size > 2.0 * watch->size)) {
        return false;
    }
    memcpy(y, watch->doubling, watch->n * sizeof *y);
    grown = perp_growth_direction(watch->n, z, y, 0.0);
    watch_start_doubling(watch, z);
    return grown && !from_zero;
}

/* The change in the last DRIFT_SPAN iterations. */
static bool watch_drift(perp_watch *watch, const double *z, double *y)
{
    watch->until *= 2;
    watch->from = watch->until - DRIFT_SPAN;
    memcpy(y, watch->drift, watch->n * sizeof *y);
    return perp_growth_direction(watch->n, z, y, drift_least);
}

bool perp_watch_iteration(perp_watch *watch, const perp_result *r, double *y)
{
    if (r->run.restarted != watch->restarted) {
        perp_watch_restart(watch, r);
        return false;
    }
    watch->count++;
    if (watch->count == watch->from) {
        memcpy(watch->drift, r->z, watch->n * sizeof *watch->drift);
    }
    if (watch->count == watch->until) {
        return watch_drift(watch, r->z, y);
    }
    return watch->count % DOUBLING_EVERY == DOUBLING_FIRST &&
           watch_doubling(watch, r->z, y);
}

bool perp_watch_judgement(perp_watch *watch, const perp_result *r, double *y)
{
    if (watch->window == 0) {
        return false;
    }
    watch->least = fmin(watch->least, r->residual);
    if (watch->count - watch->window_from < watch->window) {
        return false;
    }
    if (watch->least > stalled * watch->least_before) {
        memcpy(y, watch->window_start, watch->n * sizeof *y);
        perp_growth_direction(watch->n, r->z, y, 0.0);
        return true;
    }
    watch_start_window(watch, r->z);
    return false;
}
