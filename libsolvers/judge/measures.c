/* SPDX-License-Identifier: Apache-2.0
 * judge/measures.c: all other measures of a point; none of them decides. */
#include <config.h>

#include "judge/judge_private.h"
#include "judge/scales.h"

/* Reorder x[low..high] until x[rank] is what sorting would put there, nothing before it is
 * greater and nothing behind it is less [hoare-1961]. */
static void select_rank(double *x, size_t low, size_t high, size_t rank)
{
    while (low < high) {
        double pivot = x[low + (high - low) / 2];
        size_t i = low;
        size_t j = high;

        for (;; i++, j--) {
            while (x[i] < pivot) {
                i++;
            }
            while (pivot < x[j]) {
                j--;
            }
            if (i >= j) {
                break;
            }
            double moved = x[i];

            x[i] = x[j];
            x[j] = moved;
        }
        if (rank <= j) {
            high = j;
        } else {
            low = j + 1;
        }
    }
}

/* Largest value and percentiles (nearest rank) of `count` numbers; reorders them. */
static perp_percentiles spread_of(double *x, size_t count)
{
    perp_percentiles s = {0};
    size_t last = count - 1;
    size_t median = last / 2;
    size_t ninety = (size_t)(0.90 * (double)last + 0.5);
    size_t high = (size_t)(0.99 * (double)last + 0.5);

    if (count == 0) {
        return s;
    }
    select_rank(x, 0, last, median);
    select_rank(x, median, last, ninety);
    select_rank(x, ninety, last, high);
    select_rank(x, high, last, last);
    s.max = x[last];
    s.p50 = x[median];
    s.p90 = x[ninety];
    s.p99 = x[high];
    return s;
}

/* What one contact shows, in physical units. */
typedef struct contact {
    double penetration, adhesion, signorini, cone, dissipation;
    double z_n, z_t, w_n, w_t,
        dot_t; /* impulse and velocity: normal, |tangent|, z_T.w_T */
    double mu, s;
} contact;

/* |x_T| of a contact. */
static double tangent_of(const perp_block *block, const double *x)
{
    x += block->first;
    return block->dim == 2 ? fabs(x[1]) : hypot(x[1], x[2]);
}

static contact contact_of(const perp_judge *judge, size_t k, const double *z)
{
    const perp_block *block = &judge->p->set->blocks[k];
    const double *r = z + block->first;
    const double *u = judge->w + block->first;
    contact c = {.z_n = r[0],
                 .w_n = u[0],
                 .z_t = judge->tangent[2 * k],
                 .w_t = judge->tangent[2 * k + 1],
                 .mu = block->mu,
                 .s = judge->s[k]};

    c.dot_t = r[1] * u[1] + (block->dim == 2 ? 0.0 : r[2] * u[2]);
    c.penetration = fmax(-c.w_n, 0.0);
    c.adhesion = fmax(-c.z_n, 0.0);
    c.signorini = fabs(c.z_n * c.w_n);
    c.cone = fmax(c.z_t - c.mu * c.z_n, 0.0);
    c.dissipation = fabs(c.mu * c.z_n * c.w_t + c.dot_t);
    return c;
}

static bool is_contact(const perp_block *block)
{
    return block->kind == PERP_SET_CONE || block->kind == PERP_SET_ROLLING;
}

/* Diagnostics by number, so that one loop makes each spread. */
enum { PENETRATION, ADHESION, SIGNORINI, CONE, DISSIPATION, DIRECTION, LIFT };

/* The value of a diagnostic, NaN where the contact does not have it. */
static double diagnostic(const contact *c, int which, const perp_measures *m)
{
    bool slides = c->w_t > 1e-6 * m->beta_b * c->s;

    switch (which) {
    case PENETRATION:
        return c->penetration;
    case ADHESION:
        return c->adhesion;
    case SIGNORINI:
        return c->signorini;
    case CONE:
        return c->cone;
    case DISSIPATION:
        return c->dissipation;
    case DIRECTION:
        return slides && c->z_t > 1e-9 * m->beta_z / c->s
                   ? acos(fmin(1.0, fmax(-1.0, -c->dot_t / (c->z_t * c->w_t))))
                   : NAN;
    default:
        return slides && fabs(c->z_n) > 0.0 ? c->w_n : NAN;
    }
}

/* In units of the block: as it is, times s as impulses are, or over s as velocities. */
typedef enum scaling { PLAIN, IMPULSE, VELOCITY } scaling;

static perp_percentiles gather(perp_judge *judge, const double *z, int which,
                               const perp_measures *m, scaling unit)
{
    const perp_set *set = judge->p->set;
    size_t count = 0;

    for (size_t k = 0; k < set->count; k++) {
        contact c = {0};
        double value = 0.0;

        if (!is_contact(&set->blocks[k])) {
            continue;
        }
        c = contact_of(judge, k, z);
        value = diagnostic(&c, which, m);
        if (!isnan(value)) {
            judge->spread[count++] = unit == PLAIN     ? value
                                     : unit == IMPULSE ? value * c.s
                                                       : value / c.s;
        }
    }
    return spread_of(judge->spread, count);
}

static perp_percentiles relative(perp_percentiles s, double unit)
{
    return (perp_percentiles){s.max / unit, s.p50 / unit, s.p90 / unit, s.p99 / unit};
}

/* Free, sticking, sliding, or undecided below 100 tolerances. */
static void count_modes(perp_judge *judge, const double *z, double tolerance,
                        perp_measures *m)
{
    const perp_set *set = judge->p->set;
    double least = 100.0 * tolerance * m->beta_b;

    for (size_t k = 0; k < set->count; k++) {
        contact c = {0};

        if (!is_contact(&set->blocks[k])) {
            continue;
        }
        c = contact_of(judge, k, z);
        if (c.w_n / c.s > least) {
            m->contacts_free++;
        } else if (c.s * c.z_n <= least) {
            m->contacts_undecided++;
        } else if (c.w_t / c.s > least) {
            m->contacts_slide++;
        } else if (c.s * (c.mu * c.z_n - c.z_t) > least) {
            m->contacts_stick++;
        } else {
            m->contacts_undecided++;
        }
    }
}

/* 0 * infinity is 0 here: an infinite bound never binds. */
static double bounded_product(double distance, double slack)
{
    return slack > 0.0 ? distance * slack : 0.0;
}

static void measure_scalar(const perp_judge *judge, size_t k, const double *z,
                           perp_measures *m)
{
    const perp_block *block = &judge->p->set->blocks[k];
    double s = judge->s[k];
    double x = z[block->first];
    double w = judge->w[block->first];
    double lo = 0.0;
    double hi = 0.0;

    perp_block_bounds(block, z, &lo, &hi);
    m->feas_z = fmax(m->feas_z, s * fmax(fmax(lo - x, x - hi), 0.0));
    if (hi == INFINITY) {
        m->feas_w = fmax(m->feas_w, -w / s);
    }
    if (lo == -INFINITY) {
        m->feas_w = fmax(m->feas_w, w / s);
    }
    if (block->kind == PERP_SET_FREE) {
        m->bilateral = fmax(m->bilateral, fabs(w) / s);
        return;
    }
    if (isfinite(lo) || isfinite(hi)) {
        double below = isfinite(lo) ? bounded_product(x - lo, w) : 0.0;
        double above = isfinite(hi) ? bounded_product(hi - x, -w) : 0.0;

        m->gap += fabs(below + above);
    }
    if (block->kind == PERP_SET_NONNEG) {
        double phi = s * x + w / s - hypot(s * x, w / s);

        m->merit += 0.5 * phi * phi;
    }
}

static void measure_cone(const perp_judge *judge, size_t k, const double *z,
                         perp_measures *m)
{
    const perp_block *block = &judge->p->set->blocks[k];
    const double *r = z + block->first;
    const double *u = judge->w + block->first;
    double shift = perp_de_saxce_shift(block, u);
    double dot = 0.0;

    for (unsigned i = 0; i < block->dim; i++) {
        dot += r[i] * u[i];
    }
    m->cone_gap +=
        fmax(dot + (judge->p->law == PERP_LAW_COULOMB ? shift * r[0] : 0.0), 0.0);
    /* u made dual feasible: its normal part raised to mu |u_T|. */
    m->objective_gap += dot + r[0] * fmax(shift - u[0], 0.0);
}

/* The measure of the published comparisons: unit step, norm of the whole vector. */
static void measure_literature(const perp_judge *judge, const double *z, perp_measures *m)
{
    const perp_problem *p = judge->p;
    double map = 0.0;
    double b = 0.0;
    double zz = 0.0;
    double ww = 0.0;

    for (size_t k = 0; k < p->set->count; k++) {
        double e = perp_natural_map(&p->set->blocks[k], p->law, 1.0, z, judge->w);

        map += e * e;
    }
    for (size_t i = 0; i < p->n; i++) {
        b += p->b[i] * p->b[i];
        zz += z[i] * z[i];
        ww += judge->w[i] * judge->w[i];
    }
    m->norm_map = sqrt(map);
    m->norm_b = sqrt(b);
    m->norm_z = sqrt(zz);
    m->norm_w = sqrt(ww);
    m->error_literature = b > 0.0 ? m->norm_map / m->norm_b : m->norm_map;
}

static void measure_gaps(perp_judge *judge, const double *z, perp_measures *m)
{
    const perp_problem *p = judge->p;
    double bz = 0.0;
    double wz = 0.0;
    double unit = 0.0;

    for (size_t i = 0; i < p->n; i++) {
        bz += p->b[i] * z[i];
        wz += judge->w[i] * z[i];
    }
    m->objective = 0.5 * (wz - bz) + bz;
    for (size_t k = 0; k < p->set->count; k++) {
        if (p->set->blocks[k].dim == 1) {
            measure_scalar(judge, k, z, m);
        } else {
            measure_cone(judge, k, z, m);
        }
    }
    m->objective_gap += m->gap;
    unit = fmax(fmax(fabs(bz), fabs(wz - bz)), m->beta_b * m->beta_b);
    unit = unit > 0.0 ? unit : 1.0;
    m->relgap = m->gap / unit;
    m->cone_relgap = m->cone_gap / unit;
}

/* Roots are what a diagnostic costs, and there are a dozen of them. */
static void find_tangents(perp_judge *judge, const double *z)
{
    const perp_set *set = judge->p->set;

    for (size_t k = 0; k < set->count; k++) {
        if (is_contact(&set->blocks[k])) {
            judge->tangent[2 * k] = tangent_of(&set->blocks[k], z);
            judge->tangent[2 * k + 1] = tangent_of(&set->blocks[k], judge->w);
        }
    }
}

static void measure_contacts(perp_judge *judge, const double *z, perp_measures *m)
{
    double velocity = m->beta_b > 0.0 ? m->beta_b : 1.0;
    double energy = velocity * velocity;

    find_tangents(judge, z);
    m->penetration = gather(judge, z, PENETRATION, m, PLAIN);
    m->adhesion = gather(judge, z, ADHESION, m, PLAIN);
    m->signorini = gather(judge, z, SIGNORINI, m, PLAIN);
    m->cone = gather(judge, z, CONE, m, PLAIN);
    m->dissipation = gather(judge, z, DISSIPATION, m, PLAIN);
    m->direction = gather(judge, z, DIRECTION, m, PLAIN);
    m->lift = gather(judge, z, LIFT, m, PLAIN);
    m->penetration_rel = relative(gather(judge, z, PENETRATION, m, VELOCITY), velocity);
    m->adhesion_rel = relative(gather(judge, z, ADHESION, m, IMPULSE), velocity);
    m->signorini_rel = relative(m->signorini, energy);
    m->cone_rel = relative(gather(judge, z, CONE, m, IMPULSE), velocity);
    m->dissipation_rel = relative(m->dissipation, energy);
}

/* The residual under a law; under that of the problem, the numbers that it is made of. */
static double measure_law(perp_judge *judge, const double *z, perp_law law,
                          perp_measures *m)
{
    size_t count = judge->p->set->count;
    perp_parts sum = perp_judge_no_blocks(judge);
    double residual = 0.0, mean = 0.0;

    perp_judge_add_blocks(judge, 0.0, z, judge->w, law, 0, count, &sum);
    residual = perp_judge_conclude(judge, z, law, &sum);
    if (law == judge->p->law) {
        mean = count > 0 ? sqrt(sum.e_squares / (double)count) : 0.0;
        m->e_abs = sum.e_max;
        m->beta_b = sum.beta;
        m->beta_z = fmax(sum.size, sum.beta);
        m->residual_mean = mean == 0.0 ? 0.0 : mean / sum.beta;
    }
    return residual;
}

/* What depends on m_k: the componentwise residual, and what the rounding of z may cost. */
static void measure_rounding(perp_judge *judge, const double *z, perp_measures *m)
{
    const perp_problem *p = judge->p;

    perp_judge_magnitudes(judge, z);
    for (size_t k = 0; k < p->set->count; k++) {
        const perp_block *block = &p->set->blocks[k];
        double e =
            judge->s[k] * perp_natural_map(block, p->law, judge->d[k], z, judge->w);
        double size = perp_largest(block->dim, p->b + block->first) / judge->s[k];
        double unit = fmin(m->beta_b, size + judge->m[k]);

        m->residual_local = fmax(m->residual_local, e == 0.0 ? 0.0 : e / unit);
        m->rounding = fmax(m->rounding, 2.0 * DBL_EPSILON * judge->m[k]);
    }
    m->rounding = m->rounding == 0.0 ? 0.0 : m->rounding / m->beta_b;
}

/* The residual with the beta and the scales of earlier publications, max |b_k|/s_k over all rows
 * and max_j |A_kj| where the diagonal is 0, and an allowance for rounding of up to 1e-3. */
static void measure_literature_residual(perp_judge *judge, const double *z,
                                        perp_measures *m)
{
    const perp_problem *p = judge->p;
    double *d = judge->spread;
    double e_max = 0.0, beta = 0.0, size = 0.0, allowance = 0.0;
    bool finite = true;

    perp_literature_scales(p, d, judge->scratch);
    for (size_t k = 0; k < p->set->count; k++) {
        const perp_block *block = &p->set->blocks[k];
        double s = sqrt(d[k]);
        double e = s * perp_natural_map(block, p->law, d[k], z, judge->w);

        finite = finite && isfinite(e); /* fmax drops NaN */
        e_max = fmax(e_max, e);
        beta = fmax(beta, perp_block_norm(p->b + block->first, block->dim) / s);
        size = fmax(size, s * perp_block_norm(z + block->first, block->dim));
    }
    beta = beta > 0.0 ? beta : 1.0;
    allowance = fmin(10.0 * DBL_EPSILON * fmax(beta, size), 1e-3 * beta);
    m->residual_literature = finite ? fmax(0.0, e_max - allowance) / beta : INFINITY;
}

void perp_judge_measure(perp_judge *judge, const double *z, double tolerance,
                        perp_measures *m)
{
    const perp_problem *p = judge->p;
    double start = perp_clock();

    memset(m, 0, sizeof *m);
    perp_judge_velocities(judge, z);
    m->residual_coulomb = measure_law(judge, z, PERP_LAW_COULOMB, m);
    m->residual_associated = measure_law(judge, z, PERP_LAW_ASSOCIATED, m);
    m->residual =
        p->law == PERP_LAW_COULOMB ? m->residual_coulomb : m->residual_associated;
    measure_rounding(judge, z, m);
    measure_literature_residual(judge, z, m);
    measure_gaps(judge, z, m);
    measure_literature(judge, z, m);
    measure_contacts(judge, z, m);
    count_modes(judge, z, tolerance, m);
    m->seconds = perp_clock() - start;
}

double perp_residual_worst(const perp_problem *p, const double *z, size_t *block)
{
    perp_judge *judge = NULL;
    perp_problem own;
    double residual = INFINITY;
    double worst = -1.0;

    *block = p->set->count;
    if (perp_problem_view(&own, p, NULL) == PERP_OK &&
        perp_judge_new(&judge, &own, NULL) == PERP_OK) {
        residual = perp_judge_residual(judge, z);
        for (size_t k = 0; k < p->set->count; k++) {
            const double e = perp_judge_block_residual(judge, k, z);

            if (e > worst) {
                worst = e;
                *block = k;
            }
        }
    }
    perp_judge_free(judge);
    perp_problem_view_free(&own);
    return residual;
}

perp_status perp_residual_blocks(const perp_problem *p, const double *z, const double *w,
                                 double *residual, double *scale, double *beta,
                                 perp_error *err)
{
    perp_judge *judge = NULL;
    perp_problem own;
    perp_parts parts;
    perp_status status = perp_problem_view(&own, p, err);

    if (status == PERP_OK) {
        status = perp_judge_new(&judge, &own, err);
    }
    if (status == PERP_OK && w) {
        memcpy(judge->w, w, p->n * sizeof *w);
    } else if (status == PERP_OK) {
        perp_judge_velocities(judge, z);
    }
    if (status == PERP_OK) {
        perp_judge_law(judge, 0.0, z, judge->w, p->law, &parts);
        judge->beta = parts.beta;
    }
    for (size_t k = 0; status == PERP_OK && k < p->set->count; k++) {
        residual[k] = perp_judge_block_residual(judge, k, z);
        if (scale) {
            scale[k] = judge->s[k];
        }
    }
    if (status == PERP_OK && beta) {
        *beta = judge->beta;
    }
    perp_judge_free(judge);
    perp_problem_view_free(&own);
    return status;
}
