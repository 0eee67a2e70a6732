/* SPDX-License-Identifier: Apache-2.0
 * collision/narrow.c: the registry of the narrow phase, in order of preference. */
#include <config.h>

#include "collision/query.h"

/* clang-format off */
static const perp_narrow_type *const registry[] = {
    &narrow_analytic,
    &narrow_sat,
    &narrow_gjk,
    &narrow_mpr,
    &narrow_mesh,
    NULL,
};
/* clang-format on */

_Static_assert(sizeof registry / sizeof *registry <= PERP_NARROW_MOST + 1,
               "a report has a place for each type");

const perp_narrow_type *const *perp_narrow_types(size_t *count)
{
    if (count) {
        *count = sizeof registry / sizeof *registry - 1;
    }
    return registry;
}

const perp_narrow_type *perp_narrow_find(const char *name)
{
    for (size_t k = 0; registry[k]; k++) {
        if (strcmp(registry[k]->name, name) == 0) {
            return registry[k];
        }
    }
    return NULL;
}

const perp_narrow_type *perp_narrow_choose(const perp_narrow_type *wanted,
                                           const perp_shape_type *a,
                                           const perp_shape_type *b, unsigned dimension)
{
    if (wanted && wanted->takes(a, b, dimension)) {
        return wanted;
    }
    for (size_t k = 0; registry[k]; k++) {
        if (registry[k]->takes(a, b, dimension)) {
            return registry[k];
        }
    }
    return NULL;
}

/* The fastest exact search: closed forms, then GJK and EPA of any two convex shapes. */
static const perp_narrow_type *proximity_choose(const perp_shape_type *a,
                                                const perp_shape_type *b,
                                                unsigned dimension)
{
    if (!narrow_analytic.takes(a, b, dimension) && narrow_gjk.takes(a, b, dimension)) {
        return &narrow_gjk;
    }
    return perp_narrow_choose(NULL, a, b, dimension);
}

/* In shares of the size: where GJK and EPA know a gap less exactly, as of faces that are
 * parallel but for rounding, features know it better. */
static const double exact = 1e-12;

static bool narrow_is_exact(const perp_shape *a, const perp_shape *b,
                            const perp_proximity *p)
{
    return p->converged &&
           p->tolerance <= exact * (a->type->reach(a) + b->type->reach(b));
}

/* Without a type: boxes and hulls that rounding keeps GJK or EPA from resolving are
 * measured by their features, which needs no iterations. */
static void proximity_measure(const perp_narrow_type *chosen, bool free_choice,
                              const perp_placed *a, const perp_placed *b,
                              const perp_narrow_settings *s, perp_proximity *out)
{
    if (free_choice && boxes_measure(a, b, s, out)) {
        return;
    }
    chosen->measure(a, b, s, out);
    if (free_choice && s->iterations == 0 && isfinite(out->gap) &&
        narrow_sat.takes(a->shape->type, b->shape->type, s->dimension) &&
        !narrow_is_exact(a->shape, b->shape, out)) {
        narrow_sat.measure(a, b, s, out);
    }
}

perp_status perp_proximity_find(const perp_narrow_type *type, const perp_placed *a,
                                const perp_placed *b,
                                const perp_narrow_settings *settings, perp_proximity *out,
                                perp_error *err)
{
    static const perp_narrow_settings usual = {0};
    const perp_narrow_settings *s = settings ? settings : &usual;
    const perp_shape_type *one = a->shape->type;
    const perp_shape_type *two = b->shape->type;
    unsigned dimension = s->dimension == 2 ? 2 : 3;
    const perp_narrow_type *chosen = type ? type : proximity_choose(one, two, dimension);

    if (!chosen || !chosen->takes(one, two, dimension)) {
        return perp_fail(err, PERP_ERR_UNSUITABLE,
                         "proximity: %s does not support the pair %s and %s, expected an "
                         "algorithm of perp info narrow",
                         chosen ? chosen->name : "the automatic choice", one->name,
                         two->name);
    }
    proximity_measure(chosen, !type, a, b, s, out);
    out->overlap = out->gap <= 0.0;
    return PERP_OK;
}
