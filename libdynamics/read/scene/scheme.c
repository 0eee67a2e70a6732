/* SPDX-License-Identifier: Apache-2.0
 * read/scene/scheme.c: a setting of the scheme from a text that may have a unit. */
#include <config.h>

#include <stdio.h>
#include <string.h>

#include <perp/dynamics/scene.h>

#define QUANTITY_MEMBER(kind, member, list, name, unit, help) {name, unit},
static const struct {
    const char *name, *unit;
} members[] = {PERP_SCHEME_LIST(QUANTITY_MEMBER)};

perp_status perp_scheme_set_quantity(perp_scheme *scheme, const char *name,
                                     const char *text, perp_error *err)
{
    perp_error inner = {0};
    char digits[32];
    double x = 0.0;

    for (size_t k = 0; k < sizeof members / sizeof *members; k++) {
        if (strcmp(members[k].name, name) != 0 || !*members[k].unit) {
            continue;
        }
        if (perp_quantity_read(text, members[k].unit, &x, &inner) != PERP_OK) {
            return perp_fail(
                err, inner.status == PERP_ERR_DATA ? PERP_ERR_OPTION : inner.status,
                "%s%s", name, inner.text);
        }
        snprintf(digits, sizeof digits, "%.17g", x);
        text = digits;
    }
    return perp_scheme_set(scheme, name, text, err);
}
