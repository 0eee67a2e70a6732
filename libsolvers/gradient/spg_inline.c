/* SPDX-License-Identifier: Apache-2.0
 * gradient/spg_inline.c: spectral projected steps with De Saxce's shift inside the loop.
 *
 *     w = A x + b;   s_i = mu_i |w_T,i| on the normals (+ mu_r |w_R,i| of rolling contacts)
 *     x+ = P_K(x - a (w + s));   d = x+ - x
 *     a = d.d/d.A d  after odd steps,   d.A d/|A d|^2  after even ones, in [0.5, 1e4]/|A|
 *
 * A single loop in place of the many convex problems of ds:spg: Coulomb's law itself, with one
 * product with A and one projection per step; memory: 5 n reals. A may be unsymmetric. There is
 * no objective that decreases, hence no line search and no guarantee of convergence: where the
 * natural map |x - P_K(x - (w + s)/|A|)| has grown a thousandfold, or has not decreased for
 * 10000 steps, the loop returns to the best point, with a longest step a tenth as long. On small
 * scenes and piles it takes half the products of ds:spg or fewer, but it may cycle on stacks of
 * boxes and where rolling friction is very small. A start near the solution saves steps. The
 * step lengths are those of [birgin-martinez-raydan-2000], the shift that of
 * [de-saxce-feng-1998]. */
#include <config.h>

#include "base/base.h"
#include "judge/judge.h"
#include "project.h"
#include "vectors.h"

enum {
    REFRESH = 25, /* steps between recomputed velocities */
    MONITOR_EVERY =
        10,       /* steps between evaluations of the natural map, a projection each */
    IDLE = 10000, /* steps without a better point before the longest step is reduced */
};

static const double grown = 1e3;   /* natural map relative to its best: return */
static const double a_least = 0.5; /* times 1/|A| */
static const double a_most = 1e4;
static const double a_floor =
    2.0; /* least a_most: shorter steps do not converge either */

typedef struct spg_inline_state {
    const perp_problem *p;
    perp_projection projection;
    double norm; /* estimate of |A| */
    double a, most;
    double *w; /* A x + b */
    double *h; /* w + s, then scratch */
    double *d, *Ad;
    double *best; /* the point with the least natural map */
    double best_map;
    size_t steps, since;
    size_t best_step;
} spg_inline_state;

static void spg_inline_velocity(spg_inline_state *s, perp_result *r)
{
    perp_operator_apply(s->p->A, r->z, s->w);
    vec_add(s->p->n, 1.0, s->p->b, s->w);
    r->work.products += 1.0;
    s->since = 0;
}

/* h := w + s */
static void spg_inline_shift(spg_inline_state *s)
{
    const perp_set *set = s->p->set;

    memcpy(s->h, s->w, s->p->n * sizeof *s->h);
    for (size_t k = 0; s->p->law == PERP_LAW_COULOMB && k < set->count; k++) {
        const perp_block *block = &set->blocks[k];
        const double *w = s->w + block->first;

        if (block->kind == PERP_SET_CONE) {
            s->h[block->first] +=
                block->mu * (block->dim == 2 ? fabs(w[1]) : perp_norm2(w[1], w[2]));
        } else if (block->kind == PERP_SET_ROLLING) {
            s->h[block->first] += perp_de_saxce_shift(block, w);
        }
    }
}

/* d := P_K(x - a h) - x; its square. */
static double spg_inline_direction(spg_inline_state *s, double a, perp_result *r)
{
    size_t n = s->p->n;
    double slope = 0.0;

    vec_combine(n, r->z, -a, s->h, s->d);
    perp_projection_apply(&s->projection, s->d);
    r->work.projections += (double)s->p->set->count;
    return vec_subtract(n, r->z, s->h, s->d, &slope);
}

static double spg_inline_unit(const spg_inline_state *s)
{
    return s->norm > 0.0 ? 1.0 / s->norm : 1.0;
}

static void spg_inline_start(spg_inline_state *s, perp_result *r)
{
    perp_projection_apply(&s->projection, r->z);
    spg_inline_velocity(s, r);
    memcpy(s->best, r->z, s->p->n * sizeof *s->best);
    s->best_map = INFINITY;
    s->most = a_most;
    s->a = spg_inline_unit(s);
    s->steps = s->best_step = 0;
}

static perp_status spg_inline_setup(void *vstate, const perp_problem *p,
                                    const perp_options *opt, perp_workspace *ws,
                                    perp_result *r, perp_error *err)
{
    spg_inline_state *s = vstate;
    double **vectors[] = {&s->w, &s->h, &s->d, &s->Ad, &s->best};
    (void)opt;

    s->p = p;
    for (size_t k = 0; k < sizeof vectors / sizeof *vectors; k++) {
        *vectors[k] = perp_workspace_reals(ws, p->n);
    }
    TRY(perp_workspace_status(ws, err));
    if (!perp_projection_init(&s->projection, p->set, ws) ||
        !perp_norm_estimate(p->A, ws, &s->norm, r)) {
        return perp_fail(err, PERP_ERR_MEMORY, "spg-inline: no memory for %zu rows",
                         p->n);
    }
    spg_inline_start(s, r);
    return PERP_OK;
}

static perp_status spg_inline_resume(void *vstate, double shift_of_A, perp_result *r,
                                     perp_error *err)
{
    spg_inline_state *s = vstate;
    (void)err; /* nothing is taken */

    s->norm += shift_of_A;
    perp_projection_refresh(&s->projection);
    spg_inline_start(s, r);
    return PERP_OK;
}

/* Keep the best point; return to it where the natural map grows or no longer decreases. */
static void spg_inline_monitor(spg_inline_state *s, perp_result *r)
{
    size_t n = s->p->n;
    double map =
        sqrt(spg_inline_direction(s, spg_inline_unit(s), r)) / spg_inline_unit(s);

    if (map < s->best_map) {
        s->best_map = map;
        s->best_step = s->steps;
        memcpy(s->best, r->z, n * sizeof *s->best);
    } else if (!(map <= grown * s->best_map) ||
               (s->steps - s->best_step >= IDLE && s->most > a_floor)) {
        memcpy(r->z, s->best, n * sizeof *s->best);
        spg_inline_velocity(s, r);
        spg_inline_shift(s);
        s->most = fmax(0.1 * s->most, a_floor);
        s->a = spg_inline_unit(s);
        s->best_step = s->steps;
        perp_result_log(r, "spg-inline: returned to the best point at step %zu",
                        s->steps);
    }
}

static perp_status spg_inline_iterate(void *vstate, perp_result *r, perp_error *err)
{
    spg_inline_state *s = vstate;
    size_t n = s->p->n;
    double curvature = 0.0;
    double AdAd = 0.0;
    double dd = 0.0;
    (void)err; /* a step cannot fail */

    spg_inline_shift(s);
    if (++s->steps % MONITOR_EVERY == 0) {
        spg_inline_monitor(s, r);
    }
    dd = spg_inline_direction(s, s->a, r);
    if (!isfinite(dd)) {
        return perp_result_end(r, PERP_STALLED, "spg-inline: the velocity is not finite");
    }
    if (dd == 0.0) {
        return perp_result_end(r, PERP_SOLVED, "spg-inline: the natural map is zero");
    }
    perp_operator_apply(s->p->A, s->d, s->Ad);
    r->work.products += 1.0;
    curvature = vec_dots(n, s->d, s->Ad, &AdAd);
    vec_add(n, 1.0, s->d, r->z);
    if (++s->since >= REFRESH) {
        spg_inline_velocity(s, r);
    } else {
        vec_add(n, 1.0, s->Ad, s->w);
    }
    s->a = s->most * spg_inline_unit(s);
    if (curvature > 0.0) {
        s->a = fmin(s->a, s->steps % 2 == 1 ? dd / curvature : curvature / AdAd);
    }
    s->a = fmax(s->a, a_least * spg_inline_unit(s));
    return PERP_OK;
}

static const perp_option spg_inline_options[] = {
    PERP_OPTION_END,
};

const perp_solver_type perp_solver_spg_inline = {
    .name = "spg-inline",
    .family = "gradient",
    .summary = "spectral projected steps with De Saxce's shift inside the loop",
    .reference = "birgin-martinez-raydan-2000",
    .algorithm = "spectral projected gradient steps "
                 "[birgin-martinez-raydan-2000] with the shift of "
                 "[de-saxce-feng-1998]",
    .additions = "the shift is updated in every step; return to the best point "
                 "with shorter steps after divergence: a combination of this "
                 "project",
    .sets = PERP_SETS(FREE, NONNEG, BOX, CONE, ROLLING, DISK),
    .laws = PERP_LAWS(COULOMB, ASSOCIATED),
    .storages = PERP_STORAGES(DENSE, CSR, BSR, FACTORED, PAIRS),
    .demands = PERP_DEMANDS(POSITIVE_SEMIDEFINITE),
    .flags = PERP_FLAGS(USES_START, RESUME_READS_SET),
    .certificates = PERP_CERTIFICATES(INFEASIBLE),
    .check_every = 10,
    .options = spg_inline_options,
    .state_size = sizeof(spg_inline_state),
    .setup = spg_inline_setup,
    .iterate = spg_inline_iterate,
    .resume = spg_inline_resume, /* no close: all its memory is in the workspace */
};
