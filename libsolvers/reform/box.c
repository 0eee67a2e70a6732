/* SPDX-License-Identifier: Apache-2.0
 * reform/box.c: bounds as nonnegative rows; cones as boxes; cones under the associated
 * law.
 *
 *     lo <= z         z = lo + x
 *     z <= hi         z = hi - x                           the row is reflected, w_x = -w
 *     lo <= z <= hi   z = lo + x,  w_x = w + t,  0 <= t _|_ hi - lo - x >= 0
 *     lo = hi         z = lo, the row is gone
 *
 * Exact. Each row with two bounds adds one row, after all others
 * [cottle-pang-stone-2009, section 1.3]. The bounds of a friction row depend on its
 * normal row, so that the normal row must not be shifted. */
#include <config.h>

#include "base/base.h"
#include "reforms.h"

typedef enum box_kind { BOX_KEPT, BOX_LOWER, BOX_UPPER, BOX_BOTH, BOX_FIXED } box_kind;

/* How a row is treated; a friction row whose normal is fixed counts as a box. */
typedef struct box_row {
    box_kind kind;
    double lo, hi;
} box_row;

static box_row box_classify(const perp_set *set, const perp_block *block)
{
    box_row r = {BOX_KEPT, block->lo, block->hi};

    if (block->kind == PERP_SET_FRICTION) {
        const perp_block *normal = &set->blocks[perp_set_block_at(set, block->normal)];

        if (normal->kind == PERP_SET_BOX && normal->lo == normal->hi) {
            r.hi = block->mu * normal->lo;
            r.lo = -r.hi;
        } else {
            return r;
        }
    } else if (block->kind != PERP_SET_BOX) {
        return r;
    }
    if (r.lo == r.hi) {
        r.kind = BOX_FIXED;
    } else if (isfinite(r.lo)) {
        r.kind = isfinite(r.hi) ? BOX_BOTH : BOX_LOWER;
    } else if (isfinite(r.hi)) {
        r.kind = BOX_UPPER;
    }
    return r;
}

static perp_status box_check(const perp_set *set, const perp_block *block, box_row r,
                             perp_error *err)
{
    const perp_block *normal = NULL;

    if (block->kind != PERP_SET_FRICTION || r.kind != BOX_KEPT || block->mu == 0.0) {
        return PERP_OK;
    }
    normal = &set->blocks[perp_set_block_at(set, block->normal)];
    if (normal->kind == PERP_SET_BOX && normal->lo != 0.0) {
        return perp_fail(err, PERP_ERR_UNSUITABLE,
                         "bounds cannot be removed: friction row %zu is bounded by row "
                         "%zu, whose lower bound is %g, expected 0",
                         block->first, normal->first, normal->lo);
    }
    return PERP_OK;
}

/* The first new row of each block, the rows that are kept, and the number of new rows. */
static perp_status box_plan(const perp_set *set, size_t *at, size_t *kept, size_t *rows,
                            perp_error *err)
{
    size_t both = 0;

    *kept = 0;
    for (size_t k = 0; k < set->count; k++) {
        const perp_block *block = &set->blocks[k];
        box_row r = box_classify(set, block);
        perp_status status = box_check(set, block, r, err);

        if (status != PERP_OK) {
            return status;
        }
        if (at) {
            at[block->first] = *kept;
        }
        *kept += r.kind == BOX_FIXED ? 0 : block->dim;
        both += r.kind == BOX_BOTH;
    }
    *rows = *kept + both;
    return PERP_OK;
}

static void box_add(perp_substitution *s, const perp_set *set, const perp_block *block)
{
    box_row r = box_classify(set, block);
    bool reflected = r.kind == BOX_UPPER;

    if (r.kind == BOX_KEPT && block->kind == PERP_SET_BOX) {
        perp_substitution_add_row(s);
        perp_substitution_add_term(s, block->first, 1.0);
        perp_set_add_free(s->set);
        perp_substitution_source(s, block->first, NULL, 0, false);
        return;
    }
    if (r.kind == BOX_KEPT) {
        perp_substitution_copy_block(
            s, block, block->kind == PERP_SET_FRICTION ? s->at[block->normal] : 0);
        return;
    }
    s->shift[block->first] = reflected ? r.hi : r.lo;
    if (r.kind != BOX_FIXED) {
        perp_substitution_add_row(s);
        perp_substitution_add_term(s, block->first, reflected ? -1.0 : 1.0);
        perp_set_add_nonneg(s->set);
        perp_substitution_source(s, block->first, NULL, 0, false);
    }
}

/* The new row t that belongs to a row x with two bounds. */
static void box_add_upper(perp_substitution *s, const perp_set *set,
                          const perp_block *block)
{
    box_row r = box_classify(set, block);

    if (r.kind == BOX_BOTH) {
        size_t x = s->at[block->first];
        size_t t = perp_substitution_add_row(s);

        perp_substitution_add_coupling(s, x, t, 1.0);
        perp_substitution_add_coupling(s, t, x, -1.0);
        s->offset[t] = r.hi - r.lo;
        perp_set_add_nonneg(s->set);
        perp_substitution_source(s, block->first, "upper bound", 0, true);
    }
}

/* x from z; the multiplier of an active upper bound is -w. */
static void box_map(const void *state, const perp_problem *from, const double *z,
                    double *zz)
{
    const perp_substitution *s = state;
    size_t upper = 0;
    size_t rows = 0;

    if (box_plan(from->set, NULL, &upper, &rows, NULL) != PERP_OK) {
        return; /* impossible: the constructor made the same plan */
    }
    for (size_t k = 0; k < from->set->count; k++) {
        const perp_block *block = &from->set->blocks[k];
        box_row r = box_classify(from->set, block);
        size_t i = block->first;
        double *x = zz + s->at[i];

        switch (r.kind) {
        case BOX_KEPT:
            memcpy(x, z + i, block->dim * sizeof *x);
            break;
        case BOX_BOTH:
            zz[upper++] = fmax(-(from->b[i] + perp_operator_row_dot(from->A, i, z)), 0.0);
            *x = z[i] - r.lo;
            break;
        case BOX_LOWER:
            *x = z[i] - r.lo;
            break;
        case BOX_UPPER:
            *x = r.hi - z[i];
            break;
        case BOX_FIXED:
            break;
        }
    }
}

static void box_unmap(const void *state, const perp_problem *from, const double *zz,
                      double *z)
{
    (void)from;
    perp_substitution_unmap(state, zz, z);
}

/* A row with two bounds cannot be part of a certificate of infeasibility; the
 * certificate of the new problem has 0 there up to rounding. */
static void box_certificate(const void *state, const perp_problem *from, const double *yy,
                            double *y)
{
    perp_substitution_linear(state, yy, y);
    for (size_t k = 0; k < from->set->count; k++) {
        if (box_classify(from->set, &from->set->blocks[k]).kind == BOX_BOTH) {
            y[from->set->blocks[k].first] = 0.0;
        }
    }
}

static const perp_reform_type box_type = {
    .name = "box-to-lcp",
    .changes_physics = false,
    .map = box_map,
    .unmap = box_unmap,
    .certificate = box_certificate,
    .free = perp_substitution_free,
};

perp_status perp_reform_box_to_lcp(perp_reform **t, const perp_problem *p,
                                   perp_error *err)
{
    if (perp_check_arguments(t && p, "perp_reform_box_to_lcp", err) != PERP_OK) {
        return PERP_ERR_ARGUMENT;
    }

    perp_substitution *s = NULL;
    perp_problem *to = NULL;
    size_t kept = 0;
    size_t rows = 0;
    perp_status status = box_plan(p->set, NULL, &kept, &rows, err);

    *t = NULL;
    if (status == PERP_OK) {
        status = perp_substitution_new(&s, p, rows, err);
    }
    if (status != PERP_OK) {
        return status;
    }
    box_plan(p->set, s->at, &kept, &rows, err);
    for (size_t k = 0; k < p->set->count; k++) {
        box_add(s, p->set, &p->set->blocks[k]);
    }
    for (size_t k = 0; k < p->set->count; k++) {
        box_add_upper(s, p->set, &p->set->blocks[k]);
    }
    status = perp_substitution_problem(&to, s, p, err);
    if (status != PERP_OK) {
        perp_substitution_free(s);
        return status;
    }
    status = perp_reform_new(t, &box_type, p, to, s, err);
    if (status == PERP_OK) {
        perp_reform_describe(*t, "bounds as nonnegative rows: %zu row%s become %zu", p->n,
                             perp_plural(p->n), to->n);
    }
    return status;
}

static const perp_reform_type box_friction_type = {
    .name = "box",
    .changes_physics = true,
    .map = perp_reform_identity,
    .unmap = perp_reform_identity,
    .certificate = perp_reform_identity,
};

/* In the plane |z_T| <= mu z_N is the cone. */
static const perp_reform_type plane_type = {
    .name = "plane",
    .changes_physics = false,
    .map = perp_reform_identity,
    .unmap = perp_reform_identity,
    .certificate = perp_reform_identity,
};

static void box_add_contact(perp_set *set, const perp_block *block)
{
    size_t normal = set->n;

    if (block->kind != PERP_SET_CONE) {
        set->blocks[set->count] = *block; /* rows keep their numbers */
        set->count++;
        set->n += block->dim;
        return;
    }
    perp_set_add_nonneg(set);
    for (unsigned i = 1; i < block->dim; i++) {
        perp_set_add_friction(set, block->mu, normal);
    }
}

/* A friction row for each tangent of each cone. */
static perp_status box_rows(perp_reform **t, const perp_problem *p,
                            const perp_reform_type *type, perp_error *err)
{
    perp_problem *to = NULL;
    perp_set *set = NULL;

    *t = NULL;
    TRY(perp_set_new(&set, p->n, err));

    for (size_t k = 0; k < p->set->count; k++) {
        box_add_contact(set, &p->set->blocks[k]);
    }
    TRY(perp_reform_problem_like(&to, p, NULL, set, err));
    return perp_reform_new(t, type, p, to, NULL, err);
}

perp_status perp_reform_box_friction(perp_reform **t, const perp_problem *p,
                                     perp_error *err)
{
    if (perp_check_arguments(t && p, "perp_reform_box_friction", err) != PERP_OK) {
        return PERP_ERR_ARGUMENT;
    }

    size_t cones = perp_set_count(p->set, PERP_SET_CONE);
    perp_status status = PERP_OK;

    *t = NULL;
    if (cones > 0 && p->law == PERP_LAW_ASSOCIATED) {
        return perp_fail(err, PERP_ERR_UNSUITABLE,
                         "box: friction by boxes is no relaxation of the associated law, "
                         "expected Coulomb's law");
    }
    status = box_rows(t, p, &box_friction_type, err);
    if (status == PERP_OK) {
        perp_reform_describe(*t, "box friction: %zu cone%s become boxes along t1, t2",
                             cones, perp_plural(cones));
    }
    return status;
}

bool perp_reform_is_plane(const perp_problem *p)
{
    bool plane = p->law == PERP_LAW_COULOMB;

    for (size_t k = 0; k < p->set->count; k++) {
        plane = plane &&
                (p->set->blocks[k].kind != PERP_SET_CONE || p->set->blocks[k].dim == 2);
    }
    return plane;
}

perp_status perp_reform_plane(perp_reform **t, const perp_problem *p, perp_error *err)
{
    size_t cones = perp_set_count(p->set, PERP_SET_CONE);
    perp_status status = box_rows(t, p, &plane_type, err);

    if (status == PERP_OK) {
        perp_reform_describe(*t, "%zu cone%s of the plane as friction rows", cones,
                             perp_plural(cones));
    }
    return status;
}

static const perp_reform_type associated_type = {
    .name = "associated",
    .changes_physics = true,
    .map = perp_reform_identity,
    .unmap = perp_reform_identity,
    .certificate = NULL, /* tangential entries are not valid under Coulomb's law */
};

perp_status perp_reform_associated(perp_reform **t, const perp_problem *p,
                                   perp_error *err)
{
    if (perp_check_arguments(t && p, "perp_reform_associated", err) != PERP_OK) {
        return PERP_ERR_ARGUMENT;
    }

    perp_problem *to = NULL;
    perp_status status = perp_reform_problem_like(&to, p, NULL, NULL, err);

    *t = NULL;
    if (status == PERP_OK) {
        to->law = PERP_LAW_ASSOCIATED;
        status = perp_reform_new(t, &associated_type, p, to, NULL, err);
    }
    if (status == PERP_OK) {
        perp_reform_describe(*t, "associated law in place of Coulomb's");
    }
    return status;
}
