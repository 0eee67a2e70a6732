/* SPDX-License-Identifier: Apache-2.0
 * formats/siconos_kind.c: the kind of Siconos text that a problem is written as, or the one
 * line that says why there is none and what would fit.
 *
 * The format supports cones under Coulomb's law (fc2d, fc3d, gfc2d, gfc3d, rolling, gmp) and under
 * the associated law (soclcp). It has no friction index and no disks. */
#include <config.h>

#include "siconos.h"

/* What a kind holds. */
typedef struct kind_contents {
    unsigned sets;
    unsigned dim; /* of all its cones; 0: any */
    bool global;  /* M and H instead of A */
    const char *text;
} kind_contents;

static const kind_contents contents[SICONOS_KIND_COUNT] = {
    [SICONOS_KIND_LCP] = {PERP_SET_NONNEG, 0, false, "rows z >= 0"},
    [SICONOS_KIND_RELAY] = {PERP_SET_FREE | PERP_SET_NONNEG | PERP_SET_BOX, 0, false,
                            "rows with bounds"},
    [SICONOS_KIND_MLCP] = {PERP_SET_FREE | PERP_SET_NONNEG, 0, false,
                           "free rows and rows z >= 0"},
    [SICONOS_KIND_FC2D] = {PERP_SET_CONE, 2, false,
                           "A and contacts in a plane under Coulomb's law"},
    [SICONOS_KIND_FC3D] = {PERP_SET_CONE, 3, false,
                           "A and contacts in space under Coulomb's law"},
    [SICONOS_KIND_GFC2D] = {PERP_SET_CONE, 2, true,
                            "M, H and contacts in a plane under Coulomb's law"},
    [SICONOS_KIND_GFC3D] = {PERP_SET_CONE, 3, true,
                            "M, H and contacts in space under Coulomb's law"},
    [SICONOS_KIND_ROLLING] = {PERP_SET_ROLLING, 5, false,
                              "rolling contacts under Coulomb's law"},
    [SICONOS_KIND_GMP] =
        {PERP_SET_FREE | PERP_SET_NONNEG | PERP_SET_CONE, 3, false,
         "A, free rows, rows z >= 0 and contacts in space under Coulomb's law"},
    [SICONOS_KIND_SOCLCP] = {PERP_SET_NONNEG | PERP_SET_CONE, 0, false,
                             "A, rows z >= 0 and cones under the associated law"},
};

static bool cones_have_dim(const perp_set *set, unsigned dim)
{
    for (size_t k = 0; k < set->count; k++) {
        if (set->blocks[k].dim > 1 && set->blocks[k].dim != dim) {
            return false;
        }
    }
    return true;
}

static bool kind_holds(const perp_problem *p, siconos_kind kind)
{
    const kind_contents *c = &contents[kind];
    bool global = c->global || (kind == SICONOS_KIND_ROLLING && p->global);
    bool cones = (perp_set_kinds(p->set) & (PERP_SET_CONE | PERP_SET_ROLLING)) != 0;
    perp_law law = kind == SICONOS_KIND_SOCLCP ? PERP_LAW_ASSOCIATED : PERP_LAW_COULOMB;

    return !(perp_set_kinds(p->set) & ~c->sets) &&
           (!c->dim || cones_have_dim(p->set, c->dim)) && (!cones || p->law == law) &&
           (global ? p->global && !p->global->G : p->A != NULL);
}

/* The first kind of this list that holds the problem. */
static siconos_kind natural_kind(const perp_problem *p)
{
    static const siconos_kind order[] = {
        SICONOS_KIND_GFC3D, SICONOS_KIND_GFC2D, SICONOS_KIND_LCP,  SICONOS_KIND_MLCP,
        SICONOS_KIND_RELAY, SICONOS_KIND_FC3D,  SICONOS_KIND_FC2D, SICONOS_KIND_ROLLING,
        SICONOS_KIND_GMP,   SICONOS_KIND_SOCLCP};

    for (size_t k = 0; k < sizeof order / sizeof order[0]; k++) {
        if (kind_holds(p, order[k])) {
            return order[k];
        }
    }
    return SICONOS_KIND_ANY;
}

/* Why no kind holds the problem, and what would. */
static const char *obstacle(const perp_problem *p)
{
    unsigned kinds = perp_set_kinds(p->set);

    if (p->global && p->global->G) {
        return "has no place for G and its multipliers: condense M, H and G first";
    }
    if (!p->A) {
        return "holds M and H of contacts under Coulomb's law only: condense them first";
    }
    if (kinds & PERP_SET_FRICTION) {
        return "has no friction index: friction_to_lcp makes rows of an LCP of them";
    }
    if (kinds & PERP_SET_DISK) {
        return "has no disks of fixed radius: the formats npz and mat hold them";
    }
    if (kinds & PERP_SET_ROLLING) {
        return "holds rolling contacts under Coulomb's law without other rows only: the "
               "formats npz and mat hold the rest";
    }
    if (kinds & PERP_SET_BOX) {
        return "has no bounds beside cones: box_to_lcp makes rows z >= 0 of them";
    }
    if (p->law == PERP_LAW_ASSOCIATED) {
        return "has no free rows beside cones of the associated law: eliminate_free "
               "pivots them out, and kind soclcp holds the rest";
    }
    return "has no mix of contacts in a plane with other rows: pyramid:8 makes an LCP of "
           "them, the law associated a problem for kind soclcp";
}

perp_status perp_siconos_choose(siconos_kind *kind, const perp_problem *p,
                                const char *path, const char *name, perp_error *err)
{
    siconos_kind natural = natural_kind(p);

    *kind = name ? perp_siconos_kind_find(name) : natural;
    if (name && *kind == SICONOS_KIND_ANY) {
        return perp_fail(err, PERP_ERR_OPTION,
                         "%s: the Siconos format has no kind \"%s\"", path, name);
    }
    if (natural == SICONOS_KIND_ANY) {
        return perp_fail(err, PERP_ERR_UNSUITABLE, "%s: the Siconos format %s", path,
                         obstacle(p));
    }
    return kind_holds(p, *kind)
               ? PERP_OK
               : perp_fail(
                     err, PERP_ERR_UNSUITABLE,
                     "%s: kind %s of the Siconos format holds %s; kind %s holds this "
                     "problem%s",
                     path, name, contents[*kind].text, perp_siconos_kind_name(natural),
                     p->A ? "" : ", or condense M and H first");
}
