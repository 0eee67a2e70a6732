/* SPDX-License-Identifier: Apache-2.0
 * narrow/narrow.c: the registry of the narrow phase, in order of preference. */
#include <config.h>

#include "narrow/meeting.h"

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
    const perp_narrow_type *chosen =
        type ? type : perp_narrow_choose(NULL, one, two, dimension);

    if (!chosen || !chosen->takes(one, two, dimension)) {
        return perp_fail(err, PERP_ERR_UNSUITABLE,
                         "proximity: %s does not take a %s and a %s, expected one of "
                         "perp list narrow",
                         chosen ? chosen->name : "no algorithm", one->name, two->name);
    }
    chosen->measure(a, b, s, out);
    out->overlap = out->gap <= 0.0;
    return PERP_OK;
}
