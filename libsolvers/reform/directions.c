/* SPDX-License-Identifier: Apache-2.0
 * reform/directions.c: friction by directions: cones become pyramids, friction rows two
 * half-lines.
 *
 *     z_T = sum_k beta_k d_k,   d_k = (cos 2 pi k/eta, sin 2 pi k/eta),   beta >= 0
 *     0 <= beta_k   _|_  d_k.w_T + lambda          >= 0
 *     0 <= lambda   _|_  mu z_N - sum_k beta_k     >= 0
 *
 * In 2D, and for a FRICTION row, the directions are +1 and -1, and the law is exact.
 * In 3D the cone becomes the pyramid inscribed in it. A is copositive when the old one
 * is positive semidefinite, so that Lemke's method ends with a solution
 * [stewart-trinkle-1996]. Under the associated law the normal row loses mu lambda,
 * which makes it the optimality condition of the quadratic program on the pyramid. A
 * cone becomes eta + 2 rows (normal, directions, multiplier); with mu = 0 only the
 * first. */
#include <config.h>

#include <limits.h>

#include "base/base.h"
#include "reforms.h"

static const double fan_full_angle = 6.283185307179586476925; /* 2 pi */

typedef struct fan {
    perp_substitution *s;
    size_t eta;         /* directions in 3D */
    perp_set_kind kind; /* of the blocks that get directions: CONE or FRICTION */
    bool associated;
} fan;

static void fan_free(void *state)
{
    fan *f = state;

    if (f) {
        perp_substitution_free(f->s);
        free(f);
    }
}

static size_t fan_tangents(const perp_block *block)
{
    return block->kind == PERP_SET_CONE ? block->dim - 1 : 1;
}

static size_t fan_directions(const fan *f, const perp_block *block)
{
    return fan_tangents(block) == 2 ? f->eta : 2;
}

/* The number of new rows of a block: its normal if it has one, directions, a
 * multiplier. */
static size_t fan_rows(const fan *f, const perp_block *block)
{
    size_t normals = block->kind == PERP_SET_CONE ? 1 : 0;

    if (block->kind != f->kind) {
        return block->dim;
    }
    return block->mu > 0.0 ? normals + fan_directions(f, block) + 1 : normals;
}

/* d_k, exact along the axes and opposite for k and k + m/2; d[1] = 0 on a line. */
static void fan_direction(size_t m, size_t k, double *d)
{
    double sign = 1.0;
    double angle = 0.0;

    if (k >= m / 2) {
        sign = -1.0;
        k -= m / 2;
    }
    angle = fan_full_angle * (double)k / (double)m;
    d[0] = 4 * k == m ? 0.0 : sign * cos(angle);
    d[1] = 4 * k == m ? sign : sign * sin(angle);
}

/* Append directions and multiplier of the tangential rows that begin at `tangent`,
 * bounded by mu z[normal]. */
static void fan_add(const fan *f, size_t tangent, size_t m, double mu, size_t normal)
{
    size_t first = f->s->n;
    size_t multiplier = first + m;

    for (size_t k = 0; k < m; k++) {
        double d[2];
        size_t row = perp_substitution_add_row(f->s);

        fan_direction(m, k, d);
        perp_substitution_add_term(f->s, tangent, d[0]);
        perp_substitution_add_term(f->s, tangent + 1, d[1]);
        perp_substitution_add_coupling(f->s, row, multiplier, 1.0);
        perp_substitution_add_coupling(f->s, multiplier, row, -1.0);
        perp_set_add_nonneg(f->s->set);
        perp_substitution_source(f->s, tangent, "direction", k + 1, false);
    }
    perp_substitution_add_row(f->s);
    perp_set_add_nonneg(f->s->set);
    perp_substitution_source(f->s, tangent, "multiplier", 0, true);
    perp_substitution_add_coupling(f->s, multiplier, normal, mu);
    if (f->associated) {
        perp_substitution_add_coupling(f->s, normal, multiplier, -mu);
    }
}

static void fan_block(const fan *f, const perp_block *block)
{
    size_t normal = f->s->at[block->kind == PERP_SET_FRICTION ? block->normal : 0];
    size_t tangent = block->first;

    if (block->kind != f->kind) {
        perp_substitution_copy_block(f->s, block, normal);
        return;
    }
    if (block->kind == PERP_SET_CONE) {
        normal = perp_substitution_add_row(f->s);
        perp_substitution_add_term(f->s, block->first, 1.0);
        perp_set_add_nonneg(f->s->set);
        perp_substitution_source(f->s, block->first, NULL, 0, false);
        tangent = block->first + 1;
    }
    if (block->mu > 0.0) {
        fan_add(f, tangent, fan_directions(f, block), block->mu, normal);
    }
}

static double fan_cross(const double *a, const double *b)
{
    return a[0] * b[1] - a[1] * b[0];
}

/* t = a d_k + c d_(k+1) with the two neighbouring directions of t. */
static void fan_decompose(size_t m, const double *t, double *beta)
{
    size_t k = 0;
    double here[2];
    double next[2];
    double angle = 0.0;

    for (size_t j = 0; j < m; j++) {
        beta[j] = 0.0;
    }
    if (m == 2) {
        beta[0] = fmax(t[0], 0.0);
        beta[1] = fmax(-t[0], 0.0);
        return;
    }
    angle = atan2(t[1], t[0]) / fan_full_angle;
    k = (size_t)((angle < 0.0 ? angle + 1.0 : angle) * (double)m) % m;
    fan_direction(m, k, here);
    fan_direction(m, (k + 1) % m, next);
    beta[k] = fmax(fan_cross(t, next) / fan_cross(here, next), 0.0);
    beta[(k + 1) % m] = fmax(fan_cross(here, t) / fan_cross(here, next), 0.0);
}

/* Directions from z_T, the multiplier from w_T: the largest -d_k.w_T. */
static void fan_map_block(const fan *f, const perp_problem *from, const perp_block *block,
                          const double *z, double *zz)
{
    size_t m = fan_directions(f, block);
    size_t tangents = fan_tangents(block);
    size_t first = block->first + block->dim - tangents;
    double t[2] = {0.0, 0.0};
    double w[2] = {0.0, 0.0};

    if (block->kind == PERP_SET_CONE) {
        *zz++ = z[block->first];
    }
    if (!(block->mu > 0.0)) {
        return;
    }
    perp_operator_rows_dot(from->A, first, tangents, z, w);
    for (size_t i = 0; i < tangents; i++) {
        t[i] = z[first + i];
        w[i] += from->b[first + i];
    }
    fan_decompose(m, t, zz);
    zz[m] = 0.0;
    for (size_t k = 0; k < m; k++) {
        double d[2];

        fan_direction(m, k, d);
        zz[m] = fmax(zz[m], -(d[0] * w[0] + d[1] * w[1]));
    }
}

static void fan_map(const void *state, const perp_problem *from, const double *z,
                    double *zz)
{
    const fan *f = state;

    for (size_t k = 0; k < from->set->count; k++) {
        const perp_block *block = &from->set->blocks[k];

        if (block->kind == f->kind) {
            fan_map_block(f, from, block, z, zz + f->s->at[block->first]);
        } else {
            memcpy(zz + f->s->at[block->first], z + block->first, block->dim * sizeof *z);
        }
    }
}

static void fan_unmap(const void *state, const perp_problem *from, const double *zz,
                      double *z)
{
    (void)from;
    perp_substitution_unmap(((const fan *)state)->s, zz, z);
}

/* The column of the multiplier makes beta 0 in a certificate, up to rounding; here
 * exactly. */
static void fan_certificate(const void *state, const perp_problem *from, const double *yy,
                            double *y)
{
    const fan *f = state;

    perp_substitution_linear(f->s, yy, y);
    for (size_t k = 0; !f->associated && k < from->set->count; k++) {
        const perp_block *block = &from->set->blocks[k];
        size_t tangents = block->kind == f->kind ? fan_tangents(block) : 0;

        for (size_t i = block->dim - tangents; tangents && i < block->dim; i++) {
            y[block->first + i] = 0.0;
        }
    }
}

static const perp_reform_type fan_pyramid_3d = {
    .name = "pyramid",
    .changes_physics = true,
    .map = fan_map,
    .unmap = fan_unmap,
    .certificate = fan_certificate,
    .free = fan_free,
};

static const perp_reform_type fan_friction = {
    .name = "friction-to-lcp",
    .changes_physics = false,
    .map = fan_map,
    .unmap = fan_unmap,
    .certificate = fan_certificate,
    .free = fan_free,
};

/* The substitution and its problem. The new rows of all blocks are numbered before any
 * of them is made, since a friction row may precede the normal row that bounds it. */
static perp_status fan_problem(perp_problem **to, fan *f, const perp_problem *p,
                               perp_error *err)
{
    size_t rows = 0;

    for (size_t k = 0; k < p->set->count; k++) {
        size_t more = fan_rows(f, &p->set->blocks[k]);

        rows = more > SIZE_MAX / 2 - rows ? SIZE_MAX / 2 : rows + more;
    }
    TRY(perp_substitution_new(&f->s, p, rows, err));
    rows = 0;
    for (size_t k = 0; k < p->set->count; k++) {
        f->s->at[p->set->blocks[k].first] = rows;
        rows += fan_rows(f, &p->set->blocks[k]);
    }
    for (size_t k = 0; k < p->set->count; k++) {
        fan_block(f, &p->set->blocks[k]);
    }
    return perp_substitution_problem(to, f->s, p, err);
}

static perp_status fan_reform(perp_reform **t, const perp_problem *p,
                              const perp_reform_type *type, const fan *how,
                              perp_error *err)
{
    perp_problem *to = NULL;
    fan *f = calloc(1, sizeof *f);
    perp_status status = PERP_OK;

    *t = NULL;
    if (!f) {
        return perp_fail(err, PERP_ERR_MEMORY, "no memory for a reformulation");
    }
    *f = *how;
    status = fan_problem(&to, f, p, err);
    if (status != PERP_OK) {
        fan_free(f);
        return status;
    }
    return perp_reform_new(t, type, p, to, f, err);
}

perp_status perp_reform_pyramid(perp_reform **t, const perp_problem *p, size_t eta,
                                perp_error *err)
{
    if (perp_check_arguments(t && p, "perp_reform_pyramid", err) != PERP_OK) {
        return PERP_ERR_ARGUMENT;
    }

    const fan how = {
        .eta = eta, .kind = PERP_SET_CONE, .associated = p->law == PERP_LAW_ASSOCIATED};
    perp_status status = PERP_OK;

    *t = NULL;
    if (eta < 4 || eta % 2 != 0 || eta > INT_MAX) {
        return perp_fail(err, PERP_ERR_OPTION,
                         "pyramid: %zu directions, expected an even number from 4 on",
                         eta);
    }
    status = fan_reform(t, p, &fan_pyramid_3d, &how, err);
    if (status == PERP_OK) {
        perp_reform_describe(*t, "%spyramid with %zu directions: %zu row%s become %zu",
                             how.associated ? "associated " : "", eta, p->n,
                             perp_plural(p->n), (*t)->to->n);
    }
    return status;
}

perp_status perp_reform_friction_to_lcp(perp_reform **t, const perp_problem *p,
                                        perp_error *err)
{
    if (perp_check_arguments(t && p, "perp_reform_friction_to_lcp", err) != PERP_OK) {
        return PERP_ERR_ARGUMENT;
    }

    const fan how = {.eta = 2, .kind = PERP_SET_FRICTION};
    perp_status status = fan_reform(t, p, &fan_friction, &how, err);

    if (status == PERP_OK) {
        perp_reform_describe(*t, "friction rows as two directions: %zu row%s become %zu",
                             p->n, perp_plural(p->n), (*t)->to->n);
    }
    return status;
}
