/* SPDX-License-Identifier: Apache-2.0
 * formats/unsuitable.c: what a format cannot hold, in one line that names the option of
 * perp convert, or the formats, that would fit. */
#include <config.h>

#include <string.h>

#include "formats.h"

#define UNSUITABLE_OTHERS "json and npz hold them"

/* First the sets that no option of perp convert replaces. */
static const struct {
    perp_set_kind kind;
    const char *noun, *advice;
} unsuitable_sets[] = {
    {PERP_SET_ROLLING, "rolling cones", UNSUITABLE_OTHERS},
    {PERP_SET_DISK, "disks", UNSUITABLE_OTHERS},
    {PERP_SET_FRICTION, "rows of box friction", UNSUITABLE_OTHERS},
    {PERP_SET_BOX, "bounds", UNSUITABLE_OTHERS},
    {PERP_SET_FREE, "free rows", UNSUITABLE_OTHERS},
    {PERP_SET_NONNEG, "rows z >= 0", UNSUITABLE_OTHERS},
    {PERP_SET_CONE, "cones", "--friction pyramid:8 writes an LCP"},
};

perp_status perp_format_holds(const char *format, perp_set_mask sets,
                              const perp_problem *p, const char *name, perp_error *err)
{
    unsigned others = perp_set_kinds(p->set) & ~sets.set_bits;

    for (size_t k = 0; k < sizeof unsuitable_sets / sizeof *unsuitable_sets; k++) {
        if (others & unsuitable_sets[k].kind) {
            return perp_fail(err, PERP_ERR_UNSUITABLE, "%s: %s holds no %s; %s", name,
                             format, unsuitable_sets[k].noun, unsuitable_sets[k].advice);
        }
    }
    return PERP_OK;
}

perp_status perp_format_holds_local(const char *format, const perp_problem *p,
                                    const char *name, perp_error *err)
{
    return p->A ? PERP_OK
                : perp_fail(err, PERP_ERR_UNSUITABLE,
                            "%s: %s holds no global problem (M, H); --condense writes "
                            "its local form",
                            name, format);
}

perp_status perp_format_holds_kind(const perp_problem *p, const char *kind,
                                   const char *name, perp_error *err)
{
    const char *found = perp_kind_name(perp_problem_kind(p));

    return !kind || strcmp(kind, found) == 0
               ? PERP_OK
               : perp_fail(err, PERP_ERR_UNSUITABLE,
                           "%s: kind is \"%s\", but the problem is \"%s\"", name, kind,
                           found);
}
