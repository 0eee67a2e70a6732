/* SPDX-License-Identifier: Apache-2.0
 * derivative/modes.c: the directions in which a solution can change, block by block.
 *
 *     open      none                                       dz = 0
 *     free      y = dz_i                                    dw_i = 0
 *     tied      y = +-dz_i, seen from its bound             0 <= y _|_ +-dw_i >= 0
 *     friction  the same on top of dz_i = +-mu dz_N; where z_N = 0 too, |y| <= mu dz_N
 *     cone      sticks: all its rows free; slides along d: (1, mu d) and, across, (0, e);
 *               about to slide: inwards, (0, -d), tied; z = 0, about to close: (1, mu d)
 *               tied with d = -w_T/|w_T|, or all of the cone where w = 0
 *     disk      the same without a normal
 *
 * The equation of (1, mu d) is dw_N = 0 by Coulomb's law and dw_N + mu d.dw_T = 0 by the
 * associated law; that of any other mode uses the direction of the mode itself. What counts as 0
 * is decided in the scale of the residual: a point of residual <= tie has, in each row, z at a
 * bound or w = 0. [facchinei-pang-2003, chapter 5] */
#include <config.h>

#include "base/base.h"
#include "derivative.h"

/* A block with scaled rows, so that all numbers are compared with m->limit. */
typedef struct scaled_block {
    const perp_block *block;
    size_t first;
    double s;
    double z[3], w[3]; /* s z, w/s */
} scaled_block;

static size_t modes_append(perp_modes *m, perp_mode_kind kind, size_t row)
{
    m->mode[m->count] = (perp_mode){.kind = kind, .row = row, .s = m->s[row]};
    return m->count++;
}

static void modes_append_part(perp_parts_row *parts, size_t row, size_t mode, double x)
{
    parts[row].at[parts[row].count].mode = mode;
    parts[row].at[parts[row].count++].x = x;
}

/* A mode that moves this row alone, in the direction `sign`. */
static size_t modes_append_row(perp_modes *m, perp_mode_kind kind, size_t row,
                               double sign)
{
    size_t k = modes_append(m, kind, row);

    modes_append_part(m->P, row, k, sign);
    modes_append_part(m->Q, row, k, sign);
    return k;
}

static void modes_set_state(perp_modes *m, const perp_block *block, perp_active state)
{
    for (unsigned i = 0; i < block->dim; i++) {
        m->state[block->first + i] = state;
    }
}

static void modes_find_free(perp_modes *m, const perp_block *block)
{
    for (unsigned i = 0; i < block->dim; i++) {
        modes_append_row(m, PERP_MODE_FREE, block->first + i, 1.0);
    }
    modes_set_state(m, block, PERP_ACTIVE_FREE);
}

/* -1 or 1: at the lower or the upper bound (the nearer one); 0: within. */
static int modes_active_bound(const perp_modes *m, size_t row, double lo, double hi)
{
    double below = m->s[row] * (m->z[row] - lo);
    double above = m->s[row] * (hi - m->z[row]);

    if (fmin(below, above) > m->limit) {
        return 0;
    }
    return below <= above ? -1 : 1;
}

static bool modes_velocity_is_zero(const perp_modes *m, size_t row)
{
    return fabs(m->w[row]) <= m->limit * m->s[row];
}

static void modes_find_bounded(perp_modes *m, const perp_block *block)
{
    size_t row = block->first;
    double lo = 0.0;
    double hi = 0.0;
    int side = 0;

    perp_block_bounds(block, m->z, &lo, &hi);
    side = modes_active_bound(m, row, lo, hi);
    if (side == 0) {
        modes_find_free(m, block);
    } else if (lo < hi && modes_velocity_is_zero(m, row)) {
        modes_append_row(m, PERP_MODE_TIED, row, -side);
        m->state[row] = PERP_ACTIVE_TIED;
    }
}

/* dz of a row := factor times that of another row; false where that row does not move. */
static bool modes_follow_row(perp_modes *m, size_t row, double factor, size_t other)
{
    for (unsigned i = 0; i < m->P[other].count; i++) {
        modes_append_part(m->P, row, m->P[other].at[i].mode,
                          factor * m->P[other].at[i].x);
    }
    return m->P[other].count > 0;
}

/* Where the normal row is 0 and tied, the friction row can change together with it. */
static void modes_find_friction_at_rest(perp_modes *m, const perp_block *block)
{
    size_t row = block->first;

    if (modes_velocity_is_zero(m, row)) {
        size_t k = modes_append_row(m, PERP_MODE_FRICTION, row, 1.0);

        m->mode[k].mu = block->mu;
        m->mode[k].normal = m->P[block->normal].at[0].mode;
    } else {
        modes_follow_row(m, row, m->w[row] > 0.0 ? -block->mu : block->mu, block->normal);
    }
    m->state[row] = PERP_ACTIVE_TIED;
}

static void modes_find_friction(perp_modes *m, const perp_block *block)
{
    size_t row = block->first;
    size_t normal = block->normal;
    double reach = block->mu * fmax(m->z[normal], 0.0);
    int side = modes_active_bound(m, row, -reach, reach);

    if (side == 0) {
        modes_find_free(m, block);
    } else if (block->mu > 0.0 && m->s[normal] * m->z[normal] <= m->limit) {
        if (m->state[normal] == PERP_ACTIVE_TIED) {
            modes_find_friction_at_rest(m, block);
        } /* else the normal is open, or a bound above 0 that does not matter */
    } else if (block->mu > 0.0) {
        bool moves = modes_follow_row(m, row, side * block->mu, normal);

        m->state[row] = moves ? PERP_ACTIVE_SLIDING : PERP_ACTIVE_OPEN;
        if (modes_velocity_is_zero(m, row)) {
            modes_append_row(m, PERP_MODE_TIED, row, -side);
            m->state[row] = PERP_ACTIVE_TIED;
        }
    }
}

static scaled_block modes_scaled_block(const perp_modes *m, const perp_block *block)
{
    scaled_block at = {.block = block, .first = block->first, .s = m->s[block->first]};

    for (unsigned i = 0; i < block->dim; i++) {
        at.z[i] = at.s * m->z[block->first + i];
        at.w[i] = m->w[block->first + i] / at.s;
    }
    return at;
}

/* A mode that moves all tangents along x. */
static size_t modes_append_tangents(perp_modes *m, const scaled_block *at,
                                    perp_mode_kind kind, unsigned skip, const double *x)
{
    size_t k = modes_append(m, kind, at->first);

    for (unsigned i = skip; i < at->block->dim; i++) {
        modes_append_part(m->P, at->first + i, k, x[i - skip]);
        modes_append_part(m->Q, at->first + i, k, x[i - skip]);
    }
    return k;
}

/* (1, mu d), along the cone; its equation depends on the law. */
static void modes_append_along(perp_modes *m, const scaled_block *at, perp_mode_kind kind,
                               const double *d)
{
    const perp_block *block = at->block;
    size_t k = modes_append(m, kind, at->first);

    modes_append_part(m->P, at->first, k, 1.0);
    modes_append_part(m->Q, at->first, k, 1.0);
    for (unsigned i = 1; i < block->dim; i++) {
        modes_append_part(m->P, at->first + i, k, block->mu * d[i - 1]);
        if (m->p->law == PERP_LAW_ASSOCIATED) {
            modes_append_part(m->Q, at->first + i, k, block->mu * d[i - 1]);
        }
    }
}

/* On the boundary, |z_T| = reach > 0: across and, where w_T = 0, inwards. Rows before `skip`
 * are not tangents. */
static void modes_find_boundary(perp_modes *m, const scaled_block *at, unsigned skip,
                                const double *d, double reach)
{
    unsigned count = at->block->dim - skip;
    double speed = perp_tangent_norm(at->w + skip, count);
    bool tied = speed <= m->limit;

    if (count == 2) {
        const double e[2] = {-d[1], d[0]};
        size_t k = modes_append_tangents(m, at, PERP_MODE_FREE, skip, e);

        /* reach is scaled by s, speed by 1/s: D of the rows as given */
        m->mode[k].bend = tied ? 0.0 : speed / reach * at->s * at->s;
    }
    if (tied) {
        const double inwards[2] = {-d[0], count == 2 ? -d[1] : 0.0};

        modes_append_tangents(m, at, PERP_MODE_TIED, skip, inwards);
    }
    modes_set_state(m, at->block, tied ? PERP_ACTIVE_TIED : PERP_ACTIVE_SLIDING);
}

/* z = 0: about to close, or open. */
static void modes_find_apex(perp_modes *m, const scaled_block *at)
{
    const perp_block *block = at->block;
    double speed = perp_tangent_norm(at->w + 1, block->dim - 1);
    double opening =
        m->p->law == PERP_LAW_COULOMB ? at->w[0] : at->w[0] - block->mu * speed;

    if (opening > m->limit) {
        return;
    }
    if (speed > m->limit || block->mu == 0.0) {
        double d[2] = {0.0, 0.0};

        for (unsigned i = 1; i < block->dim && speed > 0.0; i++) {
            d[i - 1] = -at->w[i] / speed;
        }
        modes_append_along(m, at, PERP_MODE_TIED, d);
        m->state[at->first] = PERP_ACTIVE_TIED;
        for (unsigned i = 1; i < block->dim && block->mu > 0.0; i++) {
            m->state[at->first + i] = PERP_ACTIVE_TIED;
        }
        return;
    }
    for (unsigned i = 0; i < block->dim; i++) {
        size_t k = modes_append_row(m, i == 0 ? PERP_MODE_CONE : PERP_MODE_TANGENT,
                                    at->first + i, 1.0);

        m->mode[k].mu = block->mu;
        m->mode[k].dim = block->dim;
    }
    modes_set_state(m, block, PERP_ACTIVE_TIED);
}

static void modes_find_cone(perp_modes *m, const perp_block *block)
{
    scaled_block at = modes_scaled_block(m, block);
    unsigned tangent_count = block->dim - 1;
    double reach = block->mu * at.z[0];
    double size = perp_tangent_norm(at.z + 1, tangent_count);
    double d[2] = {0.0, 0.0};

    if (at.z[0] <= m->limit) {
        modes_find_apex(m, &at);
    } else if (block->mu == 0.0) {
        modes_append_row(m, PERP_MODE_FREE, block->first, 1.0);
        m->state[block->first] = PERP_ACTIVE_FREE;
    } else if (reach - size > m->limit) {
        modes_find_free(m, block);
    } else {
        for (unsigned i = 0; i < tangent_count && size > 0.0; i++) {
            d[i] = at.z[1 + i] / size;
        }
        modes_append_along(m, &at, PERP_MODE_FREE, d);
        modes_find_boundary(m, &at, 1, d, reach);
    }
}

static void modes_find_disk(perp_modes *m, const perp_block *block)
{
    scaled_block at = modes_scaled_block(m, block);
    double reach = at.s * block->radius;
    double size = perp_tangent_norm(at.z, 2);

    if (block->radius == 0.0) {
        return; /* nothing moves */
    }
    if (reach - size > m->limit || size == 0.0) {
        modes_find_free(m, block);
    } else {
        const double d[2] = {at.z[0] / size, at.z[1] / size};

        modes_find_boundary(m, &at, 0, d, reach);
    }
}

static perp_status modes_find_block(perp_modes *m, const perp_block *block,
                                    perp_error *err)
{
    switch (block->kind) {
    case PERP_SET_FREE:
        modes_find_free(m, block);
        return PERP_OK;
    case PERP_SET_NONNEG:
    case PERP_SET_BOX:
        modes_find_bounded(m, block);
        return PERP_OK;
    case PERP_SET_FRICTION:
        return PERP_OK; /* after all normals */
    case PERP_SET_CONE:
        modes_find_cone(m, block);
        return PERP_OK;
    case PERP_SET_DISK:
        modes_find_disk(m, block);
        return PERP_OK;
    case PERP_SET_ROLLING:
        break;
    }
    return perp_fail(
        err, PERP_ERR_UNSUITABLE,
        "sensitivity: row %zu is of a %s block, which has no derivative here",
        block->first, perp_set_kind_name(block->kind));
}

static perp_status modes_alloc(perp_modes *m, size_t n, perp_workspace *ws,
                               perp_error *err)
{
    m->s = perp_workspace_reals(ws, n);
    m->mode = perp_workspace_alloc(ws, n, sizeof *m->mode);
    m->P = perp_workspace_alloc(ws, n, sizeof *m->P);
    m->Q = perp_workspace_alloc(ws, n, sizeof *m->Q);
    m->state = perp_workspace_alloc(ws, n, sizeof *m->state); /* 0: open */
    return perp_workspace_status(ws, err);
}

perp_status perp_modes_find(perp_modes *m, const perp_problem *p, const double *z,
                            const double *w, double tie, double beta_b, double beta_z,
                            perp_workspace *ws, perp_error *err)
{
    perp_status status = PERP_OK;

    /* what a residual <= tie allows in a row, with the judge's allowance for rounding */
    *m = (perp_modes){
        .p = p, .z = z, .w = w, .limit = tie * beta_b + 10.0 * DBL_EPSILON * beta_z};
    TRY(modes_alloc(m, p->n, ws, err));
    status = perp_row_scales(p, m->s, err);
    for (size_t k = 0; status == PERP_OK && k < p->set->count; k++) {
        status = modes_find_block(m, &p->set->blocks[k], err);
    }
    for (size_t k = 0; status == PERP_OK && k < p->set->count; k++) {
        if (p->set->blocks[k].kind == PERP_SET_FRICTION) {
            modes_find_friction(m, &p->set->blocks[k]);
        }
    }
    return status;
}

/* Adds one row of A to B. */
typedef struct modes_row {
    const perp_modes *m;
    const perp_parts_row *left;
    double *B;
} modes_row;

static void modes_add_entry(void *context, size_t j, double a)
{
    const modes_row *sum = context;
    const perp_modes *m = sum->m;
    const perp_parts_row *right = &m->P[j];

    for (unsigned l = 0; l < right->count; l++) {
        double *column = sum->B + right->at[l].mode * m->count;

        for (unsigned k = 0; k < sum->left->count; k++) {
            column[sum->left->at[k].mode] += sum->left->at[k].x * a * right->at[l].x;
        }
    }
}

void perp_modes_matrix(const perp_modes *m, double *B)
{
    const perp_operator *A = m->p->A;

    memset(B, 0, m->count * m->count * sizeof *B);
    for (size_t i = 0; i < m->p->n; i++) {
        modes_row sum = {m, &m->Q[i], B};

        if (m->Q[i].count > 0) {
            perp_operator_row_visit(A, i, modes_add_entry, &sum);
        }
    }
    for (size_t j = 0; j < m->count; j++) {
        B[j + j * m->count] += m->mode[j].bend;
        for (size_t i = 0; i < m->count; i++) {
            B[i + j * m->count] /= m->mode[i].s * m->mode[j].s;
        }
    }
}

void perp_modes_gather(const perp_modes *m, const perp_parts_row *parts, const double *r,
                       double *y)
{
    memset(y, 0, m->count * sizeof *y);
    for (size_t i = 0; i < m->p->n; i++) {
        for (unsigned k = 0; k < parts[i].count; k++) {
            y[parts[i].at[k].mode] += parts[i].at[k].x * r[i];
        }
    }
    for (size_t k = 0; k < m->count; k++) {
        y[k] /= m->mode[k].s;
    }
}

void perp_modes_scatter(const perp_modes *m, const perp_parts_row *parts, const double *y,
                        double *r)
{
    for (size_t i = 0; i < m->p->n; i++) {
        r[i] = 0.0;
        for (unsigned k = 0; k < parts[i].count; k++) {
            size_t mode = parts[i].at[k].mode;

            r[i] += parts[i].at[k].x * (y[mode] / m->mode[mode].s);
        }
    }
}
