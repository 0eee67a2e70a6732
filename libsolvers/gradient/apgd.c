/* SPDX-License-Identifier: Apache-2.0
 * gradient/apgd.c: accelerated projected gradient descent with an adaptive step and restarts.
 *
 *     min f(x) = 1/2 x.A x + b.x  over  x in K
 *
 *     x+ = P_K(y - D^-1 (A y + b)/L);   L grows until (x+ - y).A (x+ - y) <= L |x+ - y|_D^2
 *     theta+ from theta+^2 = (1 - theta+) theta^2;   beta = theta (1 - theta)/(theta^2 + theta+)
 *     y = x+ + beta (x+ - x);   but y = x+, theta+ = 1 where (A y + b).(x+ - x) > 0
 *     L *= 0.995
 *
 * Nesterov's method as made for contacts of granular matter [mazhar-2015], in a metric D: d_n
 * on the normal row of a contact in space and d_t on its tangential rows, diagonal entries of A.
 * The error in f falls as 1/k^2 for symmetric positive semidefinite A, with restarts linearly
 * where A is definite. The residual is not monotone. A start near the solution saves steps.
 *
 * apgd-inline solves Coulomb's law itself in a single loop: b is shifted on the normals by
 *     s += min(0.2, 3 (1 - beta)) (mu |u_T| - s),   u = A y + b,   s = mu |u_T| at the start
 * [de-saxce-feng-1998]; there is no guarantee of convergence.
 *
 * A step costs one product with A, and one more for each increase of L (one step in ten);
 * memory: 9 n reals. For contacts in space in storage PAIRS a step is one pass over the contacts
 * (contacts.h), with 5 n reals, 26 per contact and 42 per body; `threads` share it from 2000
 * contacts on, to the same bits, with 13 reals more per contact.
 *
 * Certificate: where f is unbounded below, the direction of the iterates, tried by perp_solve. */
#include <config.h>

#include "base/base.h"
#include "descent.h"

enum {
    INCREASES = 300 /* of L in one step: the curvature is then not finite */
};

static const double relax = 0.995;     /* of L after each step */
static const double grow_least = 1.05; /* of L when it is too small */
static const double grow_to = 1.02;    /* of the curvature that was found */
static const double least = 1e-12;     /* part of the first L: it must not decay to 0 */

/* Part by which the shifts move in a step: relative to 1 - beta, and at most. */
static const double follow = 3.0;
static const double follow_most = 0.2;

typedef struct apgd_state {
    perp_descent descent;
    double L, theta, beta;
    double L_least;
    bool shifted; /* by De Saxce's term: apgd-inline under Coulomb's law */
    const char *name;
} apgd_state;

static void apgd_start(apgd_state *s, perp_result *r)
{
    perp_descent_start(&s->descent, r);
    s->theta = 1.0;
    s->beta = 0.0;
    s->descent.follow = s->shifted ? 1.0 : 0.0;
}

static perp_status apgd_setup_named(apgd_state *s, const perp_problem *p,
                                    const perp_options *opt, perp_workspace *ws,
                                    perp_result *r, perp_error *err)
{
    size_t threads = (size_t)perp_options_integer(opt, "threads");

    TRY(perp_descent_init(&s->descent, p, threads, ws, err));
    s->L = perp_descent_curvature(&s->descent, r);
    if (!(s->L > 0.0)) {
        s->L = 1.0; /* A 1 = 0: any positive number, increased as needed */
    }
    s->L_least = least * s->L;
    apgd_start(s, r);
    return PERP_OK;
}

static perp_status apgd_setup(void *vstate, const perp_problem *p,
                              const perp_options *opt, perp_workspace *ws, perp_result *r,
                              perp_error *err)
{
    apgd_state *s = vstate;

    s->name = "apgd";
    return apgd_setup_named(s, p, opt, ws, r, err);
}

static perp_status apgd_inline_setup(void *vstate, const perp_problem *p,
                                     const perp_options *opt, perp_workspace *ws,
                                     perp_result *r, perp_error *err)
{
    apgd_state *s = vstate;

    s->name = "apgd-inline";
    s->shifted = p->law == PERP_LAW_COULOMB;
    return apgd_setup_named(s, p, opt, ws, r, err);
}

static perp_status apgd_resume(void *vstate, double shift, perp_result *r,
                               perp_error *err)
{
    apgd_state *s = vstate;
    (void)err; /* nothing is taken */

    s->L += fmax(shift, 0.0);
    perp_descent_refresh(&s->descent);
    apgd_start(s, r);
    return PERP_OK;
}

/* The step from y with an L that bounds the curvature towards it. */
static perp_descent_sums apgd_step(apgd_state *s, perp_result *r)
{
    perp_descent_sums sums = {.dd = INFINITY};

    for (int j = 0; j < INCREASES; j++) {
        double rounding = 0.0;

        sums = perp_descent_step(&s->descent, s->beta, s->L, r);
        rounding = 16.0 * DBL_EPSILON * sqrt(sums.dd * s->L * fmax(sums.yAy, 0.0));
        if (sums.dAd <= s->L * sums.dd + rounding) {
            return sums;
        }
        if (!isfinite(sums.dAd)) {
            break;
        }
        s->L = fmin(fmax(grow_least * s->L, grow_to * sums.dAd / sums.dd), 2.0 * s->L);
    }
    sums.dd = INFINITY;
    return sums;
}

/* How far y goes beyond the new point; back to it when the last step went uphill. */
static void apgd_extrapolate(apgd_state *s, double uphill)
{
    double theta2 = s->theta * s->theta;
    double theta = 0.5 * (s->theta * sqrt(theta2 + 4.0) - theta2);

    s->beta = s->theta * (1.0 - s->theta) / (theta2 + theta);
    s->theta = theta;
    if (uphill > 0.0) {
        s->beta = 0.0;
        s->theta = 1.0;
    }
    s->descent.follow = s->shifted ? fmin(follow_most, follow * (1.0 - s->beta)) : 0.0;
}

static perp_status apgd_iterate(void *vstate, perp_result *r, perp_error *err)
{
    apgd_state *s = vstate;
    perp_descent_sums sums = apgd_step(s, r);
    (void)err; /* a step cannot fail */

    if (!isfinite(sums.dd)) {
        perp_descent_answer(&s->descent, r->z); /* of the last step that was accepted */
        return perp_result_end(r, PERP_STALLED, "%s: the gradient is not finite",
                               s->name);
    }
    if (sums.dd == 0.0 && sums.lag == 0.0 && s->theta == 1.0) {
        return perp_result_end(r, PERP_SOLVED, "%s: the projected gradient is zero",
                               s->name);
    }
    apgd_extrapolate(s, sums.uphill);
    perp_descent_accept(&s->descent, r->z);
    s->L = fmax(s->L * relax, s->L_least);
    return PERP_OK;
}

static const perp_option apgd_options[] = {
    PERP_INTEGER("threads", 1, 1, 256,
                 "number of threads that share a step of contacts with arms"),
    PERP_OPTION_END,
};

const perp_solver_type perp_solver_apgd = {
    .name = "apgd",
    .family = "gradient",
    .summary = "accelerated projected gradient (Nesterov) with restarts",
    .reference = "mazhar-2015",
    .algorithm = "accelerated projected gradient descent [mazhar-2015]",
    .additions = "a metric of two numbers per contact; A y by linearity, so that a step "
                 "costs one product; one pass over contacts with arms",
    .sets = PERP_SETS(FREE, NONNEG, BOX, CONE, ROLLING, DISK),
    .laws = PERP_LAWS(ASSOCIATED),
    .storages = PERP_STORAGES(DENSE, CSR, BSR, FACTORED, PAIRS),
    .demands = PERP_DEMANDS(SYMMETRIC, POSITIVE_SEMIDEFINITE),
    .flags = PERP_FLAGS(USES_START, RESUME_READS_SET),
    .certificates = PERP_CERTIFICATES(INFEASIBLE),
    .check_every = 10,
    .options = apgd_options,
    .state_size = sizeof(apgd_state),
    .setup = apgd_setup,
    .iterate = apgd_iterate,
    .resume = apgd_resume,
};

/* apgd with the shift of Coulomb's law. */
const perp_solver_type perp_solver_apgd_inline = {
    .name = "apgd-inline",
    .family = "gradient",
    .summary = "accelerated projected steps with De Saxce's shift inside the loop",
    .reference = "mazhar-2015",
    .algorithm = "accelerated projected gradient descent [mazhar-2015] with the shift "
                 "of [de-saxce-feng-1998]",
    .additions = "the shift follows the velocities in every step, slower where "
                 "the extrapolation is long: a combination of this project",
    .sets = PERP_SETS(FREE, NONNEG, BOX, CONE, ROLLING, DISK),
    .laws = PERP_LAWS(COULOMB, ASSOCIATED),
    .storages = PERP_STORAGES(DENSE, CSR, BSR, FACTORED, PAIRS),
    .demands = PERP_DEMANDS(SYMMETRIC, POSITIVE_SEMIDEFINITE),
    .flags = PERP_FLAGS(USES_START, RESUME_READS_SET),
    .certificates = PERP_CERTIFICATES(INFEASIBLE),
    .check_every = 10,
    .options = apgd_options,
    .state_size = sizeof(apgd_state),
    .setup = apgd_inline_setup,
    .iterate = apgd_iterate,
    .resume = apgd_resume,
};
