/* SPDX-License-Identifier: Apache-2.0
 * report/profiles.c: performance, data and accuracy profiles of the solvers of a table. */
#include <config.h>

#include <gsl/gsl_sort.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "command/cli/take.h"
#include "command/results/profiles.h"
#include "command/results/statistics.h"

const stored_run run_left_out = {.set = "",
                                 .instance = "",
                                 .label = "",
                                 .status = "",
                                 .outcome = "",
                                 .reason = "",
                                 .formulation = "",
                                 .problem = "",
                                 .ending = "",
                                 .law = "",
                                 .policy = "",
                                 .solver_label = ""};

static double profile_products(const stored_run *run)
{
    double flops = member_number(json_object_get(run->json, "work"), "flops_factor", 0.0);
    double factors = run->nonzeros > 0.0 ? flops / (2.0 * run->nonzeros) : 0.0;

    return isfinite(run->products) ? fmax(run->products + factors, 1.0) : INFINITY;
}

double profile_cost_of(const stored_run *run, profile_cost cost)
{
    if (!run || !run->applicable) {
        return INFINITY;
    }
    switch (cost) {
    case PROFILE_SECONDS:
        return run_cost(run);
    case PROFILE_PRODUCTS:
        return run->solved ? profile_products(run) : INFINITY;
    case PROFILE_RESIDUAL:
        break;
    }
    return run->residual_given >= 0.0 ? fmax(run->residual_given, 1e-16) : INFINITY;
}

/* A profile while it is made. */
typedef struct profile_work {
    const run_table *t;
    const profile_request *request;
    size_t count;   /* of solvers shown */
    bool *counted;  /* the problems, by instance */
    double *lowest; /* the least cost of the solvers shown, by instance */
} profile_work;

static size_t profile_column(const profile_work *w, size_t k)
{
    return w->request->columns ? w->request->columns[k] : k;
}

static const stored_run *profile_run(const profile_work *w, size_t i, size_t k)
{
    return run_at(w->t, i, profile_column(w, k));
}

/* Which problems count, and their least costs. */
static void profile_survey(profile *p, const profile_work *w)
{
    for (size_t i = 0; i < w->t->instances.count; i++) {
        size_t takers = 0;

        w->lowest[i] = INFINITY;
        for (size_t k = 0; k < w->count; k++) {
            const stored_run *run = profile_run(w, i, k);

            takers += run_takes(run);
            w->lowest[i] = fmin(w->lowest[i], profile_cost_of(run, w->request->cost));
        }
        w->counted[i] = w->request->common ? takers == w->count : takers > 0;
        p->problems += w->counted[i];
        p->unsolved += w->counted[i] && !isfinite(w->lowest[i]);
    }
}

/* The curve of solver k; its values begin at `values`. */
static profile_curve profile_curve_make(const profile_work *w, size_t k, double *values)
{
    size_t column = profile_column(w, k);
    profile_curve curve = {
        .label = w->t->labels.names[column], .column = column, .values = values};

    for (size_t i = 0; i < w->t->instances.count; i++) {
        const stored_run *run = profile_run(w, i, k);
        double cost = profile_cost_of(run, w->request->cost);

        if (!w->counted[i] || !run_takes(run)) {
            curve.inapplicable += w->counted[i] && run != &run_left_out;
            continue;
        }
        curve.taken++;
        if (isfinite(cost)) {
            values[curve.solved++] = w->request->relative ? cost / w->lowest[i] : cost;
        }
    }
    gsl_sort(values, 1, curve.solved);
    return curve;
}

static void profile_fill(profile *p, const profile_work *w)
{
    profile_survey(p, w);
    p->least = p->most = NAN;
    for (size_t k = 0; k < w->count; k++) {
        profile_curve curve =
            profile_curve_make(w, k, p->storage + k * w->t->instances.count);

        if (curve.taken) {
            p->curves[p->count++] = curve;
        }
        if (curve.solved) { /* fmin and fmax ignore a NAN */
            p->least = fmin(p->least, curve.values[0]);
            p->most = fmax(p->most, curve.values[curve.solved - 1]);
        }
    }
}

void profile_make(profile *p, const run_table *t, const profile_request *request)
{
    size_t instances = t->instances.count;
    profile_work w = {.t = t,
                      .request = request,
                      .count = request->columns ? request->count : t->labels.count,
                      .counted = take(instances + 1, sizeof *w.counted),
                      .lowest = take(instances + 1, sizeof *w.lowest)};

    *p = (profile){.curves = take(w.count + 1, sizeof *p->curves),
                   .storage = take(w.count * instances + 1, sizeof *p->storage)};
    profile_fill(p, &w);
    free(w.counted);
    free(w.lowest);
}

void profile_free(profile *p)
{
    free(p->curves);
    free(p->storage);
    memset(p, 0, sizeof *p);
}

double profile_share(const profile_curve *curve, double x)
{
    size_t reached = 0;

    while (reached < curve->solved && curve->values[reached] <= x) {
        reached++;
    }
    return curve->taken ? (double)reached / (double)curve->taken : 0.0;
}
