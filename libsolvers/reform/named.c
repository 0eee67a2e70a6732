/* SPDX-License-Identifier: Apache-2.0
 * reform/named.c: the formulations that change the physics, by name. They replace
 * cones; a problem without cones stays as it is. */
#include <config.h>

#include "reforms.h"

/* The number of directions after "pyramid:", even and at least 4; 0 for any other
 * text. */
static size_t named_directions(const char *text)
{
    size_t eta = 0;

    for (; *text >= '0' && *text <= '9' && eta < 100000; text++) {
        eta = 10 * eta + (size_t)(*text - '0');
    }
    return *text == '\0' && eta >= 4 && eta % 2 == 0 ? eta : 0;
}

perp_status perp_reform_named(perp_reform **t, const perp_problem *p, const char *name,
                              perp_error *err)
{
    if (perp_check_arguments(t && p && name, "perp_reform_named", err) != PERP_OK) {
        return PERP_ERR_ARGUMENT;
    }

    static const char pyramid[] = "pyramid:";
    unsigned cones = perp_set_kinds(p->set) & (PERP_SET_CONE | PERP_SET_ROLLING);

    *t = NULL;
    if (strcmp(name, "natural") == 0 || strcmp(name, "coulomb") == 0) {
        return PERP_OK;
    }
    if (strcmp(name, "associated") == 0) {
        return cones ? perp_reform_associated(t, p, err) : PERP_OK;
    }
    if (strcmp(name, "box") == 0) {
        return cones & PERP_SET_CONE ? perp_reform_box_friction(t, p, err) : PERP_OK;
    }
    if (strncmp(name, pyramid, sizeof pyramid - 1) == 0) {
        size_t eta = named_directions(name + sizeof pyramid - 1);

        if (eta == 0) {
            return perp_fail(err, PERP_ERR_OPTION,
                             "friction \"%s\": expected an even number of directions "
                             "from 4 on, as in pyramid:8",
                             name);
        }
        return cones & PERP_SET_CONE ? perp_reform_pyramid(t, p, eta, err) : PERP_OK;
    }
    return perp_fail(err, PERP_ERR_OPTION,
                     "friction is \"%s\", expected one of: coulomb, associated, box, "
                     "pyramid:8",
                     name);
}
