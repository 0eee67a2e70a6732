/* SPDX-License-Identifier: Apache-2.0
 * verbs/gradient_check.c: the derivative of a step against differences of steps.
 *
 *     (F(d) - F(-d)) / 2  =  (step(x + h d) - step(x - h d)) / 2h,
 *
 * F the derivative along a direction: where a row is tied or a bias has a kink, F(-d) is
 * not -F(d). Elsewhere D d = F(d) is checked, too. A contact may begin or end,
 * and slide or stick, within a long h, and a short one shows the rounding of the solver: of
 * four h the difference that is nearest counts. Each step by a stepper of its own from a state of its own, without impulses from
 * before. Torques tau on coordinates are those of loads on bodies, tau = J^T f. */
#include <config.h>

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <perp/dynamics/reduce.h>

#include "command/cli/take.h"
#include "command/verbs/gradient_check.h"

static const double lengths[] = {1e-4, 1e-5, 1e-6, 1e-7};
enum { LENGTHS = sizeof lengths / sizeof *lengths };

/* Scratch of a check. */
typedef struct check_work {
    size_t n;
    perp_state *state;
    double *ahead, *behind; /* 2n: a step from either side */
    double *up, *down;      /* 2n: F(d), F(-d) */
    double *found;          /* 2n: D d */
    double *direction;      /* 3n: dq, dqd, dtau */
    double *load;           /* 6 a body */
} check_work;

/* The k-th direction: coordinates, velocities, then loads. */
static void displace(const check_work *w, size_t k, double by)
{
    const size_t n = w->n;

    if (k < n) {
        w->state->trees->q[k] += by;
    } else if (k < 2 * n) {
        w->state->trees->qd[k - n] += by;
    } else {
        w->state->load[k - 2 * n] += by;
    }
}

static perp_status step_from(const gradient_check *c, const check_work *w, size_t k,
                             double by, double *after, perp_error *err)
{
    const size_t bytes = w->n * sizeof *after;
    perp_stepper *stepper = NULL;
    perp_report report = {0};
    perp_status status = perp_state_copy(w->state, c->state, err);

    if (status == PERP_OK) {
        displace(w, k, by);
        status = perp_world_forward_kinematics(c->world, w->state, err);
    }
    if (status == PERP_OK) {
        status = perp_stepper_new(&stepper, c->world, &c->settings->scheme,
                                  &(perp_stepper_options){.solver = c->settings->solver,
                                                          .options = &c->settings->opt,
                                                          .state = w->state,
                                                          .cold = true},
                                  err);
    }
    if (status == PERP_OK) {
        status = perp_stepper_step(stepper, &report, err);
    }
    perp_stepper_free(stepper);
    if (status == PERP_OK && report.outcome != PERP_SOLVED) {
        status =
            perp_fail(err, PERP_ERR_DATA, "a step of a difference was not solved: %s",
                      report.reason ? report.reason : "no reason is known");
    }
    if (status == PERP_OK) {
        memcpy(after, w->state->trees->q, bytes);
        memcpy(after + w->n, w->state->trees->qd, bytes);
    }
    return status;
}

/* F(d) and F(-d) of the k-th direction, and D d. */
static perp_status derive(const gradient_check *c, const check_work *w, size_t k,
                          perp_error *err)
{
    const size_t n = w->n;
    double *d = w->direction;
    perp_status status = PERP_OK;

    memset(d, 0, 3 * n * sizeof *d);
    if (k < 2 * n) {
        d[k] = 1.0;
    } else {
        w->load[k - 2 * n] = 1.0;
        perp_step_gradient_load(c->gradient, w->load, d + 2 * n);
        w->load[k - 2 * n] = 0.0;
    }
    memset(w->found, 0, 2 * n * sizeof *w->found);
    for (size_t i = 0; i < 6 * n * n; i++) {
        w->found[i % (2 * n)] += c->matrix[i] * d[i / (2 * n)];
    }
    status = perp_step_gradient_forward(c->gradient, d, d + n, d + 2 * n, w->up,
                                        w->up + n, err);
    for (size_t i = 0; i < 3 * n; i++) {
        d[i] = -d[i];
    }
    return status == PERP_OK
               ? perp_step_gradient_forward(c->gradient, d, d + n, d + 2 * n, w->down,
                                            w->down + n, err)
               : status;
}

static void name_of(const gradient_check *c, size_t n, size_t k, char *text, size_t room)
{
    static const char *const parts[] = {"force x",  "force y",  "force z",
                                        "torque x", "torque y", "torque z"};

    if (k < 2 * n) {
        snprintf(text, room, "%s %zu", k < n ? "coordinate" : "velocity", k % n);
    } else {
        snprintf(text, room, "%s on %.60s", parts[(k - 2 * n) % 6],
                 c->world->name[(k - 2 * n) / 6]);
    }
}

/* How far the mean of both sides is from the difference over h. */
static perp_status differ(const gradient_check *c, const check_work *w, size_t k,
                          double h, double *error, perp_error *err)
{
    double size = 1.0, apart = 0.0;
    perp_status status = step_from(c, w, k, h, w->ahead, err);

    if (status == PERP_OK) {
        status = step_from(c, w, k, -h, w->behind, err);
    }
    for (size_t i = 0; i < 2 * w->n && status == PERP_OK; i++) {
        double difference = (w->ahead[i] - w->behind[i]) / (2.0 * h);

        size = fmax(size, fabs(difference));
        apart = fmax(apart, fabs(0.5 * (w->up[i] - w->down[i]) - difference));
    }
    *error = apart / size;
    return status;
}

/* The least error of all h. */
static perp_status compare(gradient_check *c, const check_work *w, size_t k,
                           perp_error *err)
{
    const double smooth = 1e-7; /* of differences that rows and forces are made of */
    double size = 1.0, kink = 0.0, matrix = 0.0, error = INFINITY;
    perp_status status = derive(c, w, k, err);

    for (size_t i = 0; i < LENGTHS && status == PERP_OK; i++) {
        double one = 0.0;

        status = differ(c, w, k, lengths[i], &one, err);
        error = fmin(error, one);
    }
    if (status != PERP_OK) {
        return status;
    }
    for (size_t i = 0; i < 2 * w->n; i++) {
        size = fmax(size, fabs(w->up[i]));
        kink = fmax(kink, fabs(w->up[i] + w->down[i]));
        matrix = fmax(matrix, fabs(w->found[i] - w->up[i]));
    }
    if (kink > smooth * size) {
        c->kinks++;
    } else {
        error = fmax(error, matrix / size);
    }
    c->directions++;
    if (c->directions == 1 || error > c->worst) {
        c->worst = error;
        name_of(c, w->n, k, c->where, sizeof c->where);
    }
    return PERP_OK;
}

/* Loads on what no tree carries change no coordinate; in the plane neither do those out
 * of it. */
static bool counts(const gradient_check *c, size_t n, size_t k)
{
    const size_t part = k < 2 * n ? 0 : (k - 2 * n) % 6;
    const size_t body = k < 2 * n ? 0 : (k - 2 * n) / 6;

    return k < 2 * n || (perp_world_link(c->world, body) >= 0 &&
                         (c->world->dimension == 3 || part < 2 || part == 5));
}

perp_status gradient_check_run(gradient_check *c, perp_error *err)
{
    const size_t n = c->state->trees->n, bodies = c->world->body_count;
    double *block = take(13 * n + 6 * bodies, sizeof *block);
    check_work w = {.n = n};
    perp_status status = perp_state_new(&w.state, c->world, err);

    c->worst = 0.0;
    c->directions = c->kinks = 0;
    if (status == PERP_OK) {
        w.ahead = block;
        w.behind = block + 2 * n;
        w.up = block + 4 * n;
        w.down = block + 6 * n;
        w.found = block + 8 * n;
        w.direction = block + 10 * n;
        w.load = block + 13 * n;
    }
    for (size_t k = 0; k < 2 * n + 6 * bodies && status == PERP_OK; k++) {
        if (counts(c, n, k)) {
            status = compare(c, &w, k, err);
        }
    }
    perp_state_free(w.state);
    free(block);
    return status;
}
