/* SPDX-License-Identifier: Apache-2.0
 * newton/modes.c: from a point near a solution to the solution, by sets of modes.
 *
 * In rows scaled by s, the equations of a contact are
 *
 *     open    z = 0                            sticks   w = 0
 *     slides  w_N = 0,  z_T + mu z_N w_T/|w_T| = 0              Coulomb's law
 *             |z_T| = mu z_N,  mu w_T + w_N z_T/|z_T| = 0       associated law
 *
 * the sliding ones over 1 + mu. A solution with w = 0 or z = 0 at the boundary of a cone satisfies
 * the equations of sticking or of an open contact, so that one set of modes fits each
 * solution. */
#include <config.h>

#include <lapacke.h>

#include "map.h"
#include "modes.h"

enum {
    MODES = 3,          /* per block, at most */
    STEPS = 12,         /* of one set */
    PROJECT_FIRST = 5,  /* from this step on every second one ends in K */
    PATIENCE = 4,       /* steps without a smaller residual */
    SUCCESSORS = 16,    /* sets that wait, per set to try */
    WORK_PER_COLUMN = 8 /* of dgelsy */
};

enum { AT_LOW, AT_HIGH, INSIDE }; /* of a row */
enum { OPEN, STICKS, SLIDES };    /* of a contact */
static const double far = 1e300;  /* of a mode that a block does not have */
static const double near = 1e-12; /* distances below are the same */
static const double rank = 1e-11; /* part of the largest pivot that counts as zero */
static const double falls = 0.9;  /* a step that helps */
static const double again = 0.1;  /* of the residual: the sets are sorted again */

static double modes_root(const newton_modes *s, size_t k)
{
    return perp_judge_root(s->judge, k);
}

static double modes_norm(const double *x, unsigned dim)
{
    return dim == 1 ? fabs(x[0]) : hypot(x[0], x[1]);
}

/* How far a row is from each of its modes. */
static void modes_measure_row(const newton_modes *s, size_t k, double *distance)
{
    const perp_block *block = &s->p->set->blocks[k];
    double root = modes_root(s, k), lo = 0.0, hi = 0.0;
    double z = s->z[block->first], w = s->w[block->first];

    perp_block_bounds(block, s->z, &lo, &hi);
    distance[AT_LOW] = isfinite(lo) ? root * fabs(z - lo) + fmax(-w, 0.0) / root : far;
    distance[AT_HIGH] = isfinite(hi) ? root * fabs(z - hi) + fmax(w, 0.0) / root : far;
    distance[INSIDE] = fabs(w) / root + root * fmax(0.0, fmax(lo - z, z - hi));
}

/* How far a contact is from each of its modes. */
static void modes_measure_cone(const newton_modes *s, size_t k, double *distance)
{
    const perp_block *block = &s->p->set->blocks[k];
    const double *z = s->z + block->first, *w = s->w + block->first;
    double root = modes_root(s, k), mu = block->mu;
    double z_t = modes_norm(z + 1, block->dim - 1);
    double w_t = modes_norm(w + 1, block->dim - 1);
    double norm = 0.0;

    distance[OPEN] = root * hypot(z[0], z_t) + fmax(-w[0], 0.0) / root;
    distance[STICKS] =
        hypot(w[0], w_t) / root + root * fmax(0.0, z_t - mu * z[0]) / (1.0 + mu);
    distance[SLIDES] = far;
    if (mu == 0.0) {
        distance[SLIDES] = fabs(w[0]) / root + root * z_t;
    } else if (s->p->law == PERP_LAW_COULOMB && w_t > 0.0) {
        for (unsigned i = 1; i < block->dim; i++) {
            norm = hypot(norm, z[i] + mu * z[0] * w[i] / w_t);
        }
        distance[SLIDES] =
            fabs(w[0]) / root + root * norm / (1.0 + mu) + root * fmax(0.0, -z[0]);
    } else if (s->p->law == PERP_LAW_ASSOCIATED && z_t > 0.0) {
        for (unsigned i = 1; i < block->dim; i++) {
            norm = hypot(norm, mu * w[i] + w[0] * z[i] / z_t);
        }
        distance[SLIDES] = (root * fabs(z_t - mu * z[0]) + norm / root) / (1.0 + mu);
    }
}

/* The modes of a block, the nearest first, with log10 of their distances. */
static void modes_sort(newton_modes *s, size_t k)
{
    double *distance = s->distance + MODES * k, beta = perp_judge_beta(s->judge);
    unsigned char *order = s->order + MODES * k;

    if (s->p->set->blocks[k].dim == 1) {
        modes_measure_row(s, k, distance);
    } else {
        modes_measure_cone(s, k, distance);
    }
    for (unsigned m = 0; m < MODES; m++) {
        distance[m] = distance[m] < far ? log10(fmax(distance[m] / beta, near)) : far;
        order[m] = (unsigned char)m;
        for (unsigned j = m; j > 0 && distance[j] < distance[j - 1]; j--) {
            double moved = distance[j];
            unsigned char mode = order[j];

            distance[j] = distance[j - 1];
            order[j] = order[j - 1];
            distance[j - 1] = moved;
            order[j - 1] = mode;
        }
    }
}

static bool modes_are_known(const perp_problem *p)
{
    return p->n <= NEWTON_MODES_ROWS &&
           !(perp_set_kinds(p->set) & (PERP_SET_ROLLING | PERP_SET_DISK));
}

perp_status perp_newton_modes_setup(newton_modes *s, const perp_problem *p, size_t most,
                                    perp_workspace *ws, perp_error *err)
{
    size_t n = p->n, count = p->set->count;

    *s = (newton_modes){.p = p};
    if (most == 0 || !modes_are_known(p)) {
        return PERP_OK;
    }
    s->most = most;
    s->room = 1 + SUCCESSORS * most;
    s->z = perp_workspace_reals(ws, n);
    s->w = perp_workspace_reals(ws, n);
    s->next = perp_workspace_reals(ws, n);
    s->best = perp_workspace_reals(ws, n);
    s->start = perp_workspace_reals(ws, n);
    s->J = perp_workspace_reals(ws, n * n);
    s->F = perp_workspace_reals(ws, n);
    s->work_size = (int)(WORK_PER_COLUMN * n + 64);
    s->work = perp_workspace_reals(ws, (size_t)s->work_size);
    s->pivots = perp_workspace_ints(ws, n);
    s->order = perp_workspace_alloc(ws, MODES * count + 1, 1);
    s->distance = perp_workspace_reals(ws, MODES * count);
    s->modes = perp_workspace_alloc(ws, count + 1, 1);
    s->sets = perp_workspace_alloc(ws, s->room, sizeof *s->sets);
    return perp_workspace_status(ws, err);
}

/* w := A z + b and the residual of a point, which is kept if it is the best. */
static double modes_judge(newton_modes *s, const double *z, perp_work *work)
{
    double residual =
        perp_all_finite(z, s->p->n) ? perp_judge_residual(s->judge, z) : INFINITY;

    work->products += 1.0;
    if (residual < s->residual) {
        s->residual = residual;
        memcpy(s->best, z, s->p->n * sizeof *z);
    }
    return residual;
}

/* Sort the sets again, around the best point. */
static void modes_begin(newton_modes *s, perp_work *work)
{
    size_t size = s->p->n * sizeof *s->z;

    s->count = 1;
    s->sets[0] = (newton_mode_set){.cost = 0.0};
    memcpy(s->start, s->best, size);
    memcpy(s->z, s->best, size);
    s->begun = modes_judge(s, s->z, work);
    memcpy(s->w, perp_judge_w(s->judge), size);
    for (size_t k = 0; k < s->p->set->count; k++) {
        modes_sort(s, k);
    }
}

void perp_newton_modes_start(newton_modes *s, perp_judge *judge, const double *z,
                             perp_work *work)
{
    s->judge = judge;
    s->residual = INFINITY;
    s->tried = 0;
    memcpy(s->best, z, s->p->n * sizeof *z);
    modes_begin(s, work);
}

/* The modes of set number i; the last block in which it differs from the nearest modes. */
static size_t modes_read(newton_modes *s, size_t i)
{
    size_t last = s->sets[i].block;

    memset(s->modes, 0, s->p->set->count);
    for (; i > 0; i = s->sets[i].parent) {
        s->modes[s->sets[i].block]++;
    }
    return last;
}

/* The sets that differ from set i in one block from `last` on: each set has one parent. */
static void modes_add_successors(newton_modes *s, size_t i, size_t last)
{
    for (size_t k = last; k < s->p->set->count && s->count < s->room; k++) {
        const double *distance = s->distance + MODES * k + s->modes[k];

        if (s->modes[k] + 1 < MODES && distance[1] < far) {
            s->sets[s->count++] =
                (newton_mode_set){.cost = s->sets[i].cost + distance[1] - distance[0],
                                  .parent = i,
                                  .block = k};
        }
    }
}

/* The nearest set that waits, or the count. */
static size_t modes_nearest(const newton_modes *s)
{
    size_t best = s->count;

    for (size_t i = 0; i < s->count; i++) {
        if (!s->sets[i].taken &&
            (best == s->count || s->sets[i].cost < s->sets[best].cost)) {
            best = i;
        }
    }
    return best;
}

/* Row i of the equations, in unknowns s z: F_i += f + v.w' and J_i += v A. */
typedef struct modes_row {
    newton_modes *s;
    size_t row;
    double factor;
} modes_row;

static void modes_add_entry(void *context, size_t j, double a)
{
    modes_row *at = context;

    at->s->J[at->row + j * at->s->p->n] += at->factor * a;
}

/* The equation `row` has the term factor w_i. */
static void modes_add_w(newton_modes *s, size_t row, double factor, size_t i)
{
    modes_row at = {s, row, factor};

    perp_operator_row_visit(s->p->A, i, modes_add_entry, &at);
}

/* The equation `row` has the term factor z_i. */
static void modes_add_z(newton_modes *s, size_t row, double factor, size_t i)
{
    s->J[row + i * s->p->n] += factor;
}

static void modes_row_equation(newton_modes *s, size_t k, unsigned mode)
{
    const perp_block *block = &s->p->set->blocks[k];
    size_t i = block->first;
    double root = modes_root(s, k), lo = 0.0, hi = 0.0;

    if (mode == INSIDE) {
        s->F[i] = s->w[i] / root;
        modes_add_w(s, i, 1.0 / root, i);
        return;
    }
    modes_add_z(s, i, root, i);
    if (block->kind == PERP_SET_FRICTION) { /* also where the normal is below 0 */
        double mu = mode == AT_LOW ? block->mu : -block->mu;

        s->F[i] = root * (s->z[i] + mu * s->z[block->normal]);
        modes_add_z(s, i, root * mu, block->normal);
        return;
    }
    perp_block_bounds(block, s->z, &lo, &hi);
    s->F[i] = root * (s->z[i] - (mode == AT_LOW ? lo : hi));
}

/* z = 0, or w = 0. */
static void modes_linear_equations(newton_modes *s, size_t k, bool open)
{
    const perp_block *block = &s->p->set->blocks[k];
    double root = modes_root(s, k);

    for (size_t i = block->first; i < block->first + block->dim; i++) {
        s->F[i] = open ? root * s->z[i] : s->w[i] / root;
        if (open) {
            modes_add_z(s, i, root, i);
        } else {
            modes_add_w(s, i, 1.0 / root, i);
        }
    }
}

/* w_N = 0 and z_T = 0, where mu is 0. */
static void modes_frictionless(newton_modes *s, size_t k)
{
    const perp_block *block = &s->p->set->blocks[k];
    size_t N = block->first;
    double root = modes_root(s, k);

    s->F[N] = s->w[N] / root;
    modes_add_w(s, N, 1.0 / root, N);
    for (size_t i = N + 1; i < N + block->dim; i++) {
        s->F[i] = root * s->z[i];
        modes_add_z(s, i, root, i);
    }
}

/* Coulomb's law, with the direction e = w_T/|w_T|, whose derivative is (I - e e^T)/|w_T|. */
static void modes_slides(newton_modes *s, size_t k)
{
    const perp_block *block = &s->p->set->blocks[k];
    size_t N = block->first, end = N + block->dim;
    double root = modes_root(s, k), mu = block->mu, c = root / (1.0 + mu);
    double norm = modes_norm(s->w + N + 1, block->dim - 1);

    s->F[N] = s->w[N] / root;
    modes_add_w(s, N, 1.0 / root, N);
    for (size_t i = N + 1; i < end; i++) {
        double e = norm > 0.0 ? s->w[i] / norm : 0.0;

        s->F[i] = c * (s->z[i] + mu * s->z[N] * e);
        modes_add_z(s, i, c, i);
        modes_add_z(s, i, c * mu * e, N);
        for (size_t j = N + 1; norm > 0.0 && j < end; j++) {
            double slope = ((i == j ? 1.0 : 0.0) - e * s->w[j] / norm) / norm;

            modes_add_w(s, i, c * mu * s->z[N] * slope, j);
        }
    }
}

/* The associated law, with the direction e = z_T/|z_T|. */
static void modes_slides_associated(newton_modes *s, size_t k)
{
    const perp_block *block = &s->p->set->blocks[k];
    size_t N = block->first, end = N + block->dim;
    double root = modes_root(s, k), mu = block->mu, c = root / (1.0 + mu);
    double d = 1.0 / (root * (1.0 + mu));
    double norm = modes_norm(s->z + N + 1, block->dim - 1);

    s->F[N] = c * (norm - mu * s->z[N]);
    modes_add_z(s, N, -c * mu, N);
    for (size_t i = N + 1; i < end; i++) {
        double e = norm > 0.0 ? s->z[i] / norm : 0.0;

        modes_add_z(s, N, c * e, i);
        s->F[i] = d * (mu * s->w[i] + s->w[N] * e);
        modes_add_w(s, i, d * mu, i);
        modes_add_w(s, i, d * e, N);
        for (size_t j = N + 1; norm > 0.0 && j < end; j++) {
            double slope = ((i == j ? 1.0 : 0.0) - e * s->z[j] / norm) / norm;

            modes_add_z(s, i, d * s->w[N] * slope, j);
        }
    }
}

/* F and J of the set of modes at z, w; the columns of J belong to s z. */
static void modes_equations(newton_modes *s)
{
    const perp_set *set = s->p->set;
    size_t n = s->p->n;

    memset(s->J, 0, n * n * sizeof *s->J);
    for (size_t k = 0; k < set->count; k++) {
        unsigned mode = s->order[MODES * k + s->modes[k]];

        if (set->blocks[k].dim == 1) {
            modes_row_equation(s, k, mode);
        } else if (mode != SLIDES) {
            modes_linear_equations(s, k, mode == OPEN);
        } else if (set->blocks[k].mu == 0.0) {
            modes_frictionless(s, k);
        } else if (s->p->law == PERP_LAW_COULOMB) {
            modes_slides(s, k);
        } else {
            modes_slides_associated(s, k);
        }
    }
    for (size_t k = 0; k < set->count; k++) {
        for (size_t j = set->blocks[k].first;
             j < set->blocks[k].first + set->blocks[k].dim; j++) {
            for (size_t i = 0; i < n; i++) {
                s->J[i + j * n] /= modes_root(s, k);
            }
        }
    }
}

/* The Gauss-Newton step of least norm in s z; false where it is not finite. */
static bool modes_newton_step(newton_modes *s, perp_work *work)
{
    const perp_set *set = s->p->set;
    const lapack_int n = (lapack_int)s->p->n;
    lapack_int found = 0;

    modes_equations(s);
    memset(s->pivots, 0, s->p->n * sizeof *s->pivots);
    if (!perp_all_finite(s->J, s->p->n * s->p->n) || !perp_all_finite(s->F, s->p->n) ||
        LAPACKE_dgelsy_work(LAPACK_COL_MAJOR, n, n, 1, s->J, n, s->F, n, s->pivots, rank,
                            &found, s->work, s->work_size) != 0) {
        return false;
    }
    work->factorizations += 1.0;
    work->flops_factor += 8.0 / 3.0 * (double)n * (double)n * (double)n;
    for (size_t k = 0; k < set->count; k++) {
        size_t first = set->blocks[k].first;

        for (size_t i = first; i < first + set->blocks[k].dim; i++) {
            s->z[i] -= s->F[i] / modes_root(s, k);
        }
    }
    return perp_all_finite(s->z, s->p->n);
}

/* Steps on the equations of the modes; where the solution of least norm leaves K, steps and
 * projections alternate. */
static void modes_solve(newton_modes *s, double tolerance, perp_work *work)
{
    size_t n = s->p->n, idle = 0;
    double least = INFINITY;

    memcpy(s->z, s->start, n * sizeof *s->z);
    for (size_t step = 0; step < STEPS && idle < PATIENCE; step++) {
        double residual = 0.0;

        modes_judge(s, s->z, work);
        memcpy(s->w, perp_judge_w(s->judge), n * sizeof *s->w);
        if (!modes_newton_step(s, work)) {
            return;
        }
        memcpy(s->next, s->z, n * sizeof *s->z);
        perp_newton_map_project_set(s->p->set, s->next);
        work->projections += (double)s->p->set->count;
        residual = modes_judge(s, s->next, work);
        if (s->residual <= tolerance) {
            return;
        }
        idle = residual < falls * least ? 0 : idle + 1;
        least = fmin(least, residual);
        if (step >= PROJECT_FIRST && step % 2 == 1) {
            memcpy(s->z, s->next, n * sizeof *s->z);
        }
    }
    modes_judge(s, s->z, work);
}

bool perp_newton_modes_step(newton_modes *s, double tolerance, perp_work *work)
{
    size_t i = modes_nearest(s);

    if (s->residual < again * s->begun || (i == s->count && s->residual < s->begun)) {
        modes_begin(s, work);
        i = 0;
    }
    if (s->tried >= s->most || i == s->count) {
        return false;
    }
    s->sets[i].taken = true;
    s->tried++;
    modes_add_successors(s, i, modes_read(s, i));
    modes_solve(s, tolerance, work);
    return true;
}
