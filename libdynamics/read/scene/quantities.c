/* SPDX-License-Identifier: Apache-2.0
 * read/scene/quantities.c: numbers with units.
 *
 * A quantity is a number in SI units or a text NUMBER[/NUMBER] [UNIT]: "12 cm", "1/60 s",
 * whose parts may be expressions: "{2*radius}", "{30+k} deg". */
#include <config.h>

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "base/base.h"
#include "base/quantity.h"
#include "read/scene/document.h"
#include "read/scene/quantity.h"
#include "read/scene/tables.h"

/* "a positive number [kg]". */
static void quantities_describe(const scene_reader *rd, const scene_member *m, char *text,
                                size_t length)
{
    static const char *const words[] = {
        [SCENE_ANY] = "a number",
        [SCENE_POSITIVE] = "a positive number",
        [SCENE_NOT_NEGATIVE] = "a number >= 0",
        [SCENE_SHARE] = "a number 0 .. 1",
        [SCENE_LIMIT] = "a number >= 0 or \"infinite\"",
        [SCENE_SPEED] = "a positive number or \"infinite\"",
    };
    char unit[SCENE_WORD];

    perp_unit_pick(m->unit, rd->unit, unit);
    if (m->unit) {
        snprintf(text, length, "%s [%s]", words[m->range], unit);
    } else {
        snprintf(text, length, "%s", words[m->range]);
    }
}

/* Units that fit, for messages. */
static perp_status quantities_unit_fail(scene_reader *rd, const scene_at *at,
                                        const char *text, const char *unit)
{
    char list[160];

    perp_unit_list(unit, list, sizeof list);
    if (strcmp(unit, "1") == 0) {
        return scene_fail(rd, at, PERP_ERR_DATA,
                          " is \"%.80s\", expected a number without a unit, or in %%",
                          text);
    }
    return scene_fail(rd, at, PERP_ERR_DATA, " is \"%.80s\", expected a unit of: %s",
                      text, list);
}

perp_status scene_read_number(scene_reader *rd, const scene_at *at, const scene_member *m,
                              const char *text, double *x, const char **unit)
{
    char expected[128];
    perp_status status = perp_quantity_split(text, x, unit);

    if (status == PERP_ERR_MEMORY) {
        return perp_fail(rd->err, status, "%s: no memory for a number", rd->file);
    }
    if (status != PERP_OK) {
        quantities_describe(rd, m, expected, sizeof expected);
        return scene_fail(rd, at, status,
                          " is \"%.80s\", expected %s, or one with a unit", text,
                          expected);
    }
    return PERP_OK;
}

/* An angle that was typed as a number of more than a turn, without a unit: as if in degrees. */
static perp_status quantities_check_angle(scene_reader *rd, const scene_at *at,
                                          const scene_member *m, double x)
{
    static const double turn = 6.283185307179586;
    char unit[SCENE_WORD];

    perp_unit_pick(m->unit, rd->unit, unit);
    if (!(fabs(x) > turn) || !isfinite(x) || strcmp(unit, "rad") != 0) {
        return PERP_OK;
    }
    return scene_warn(rd, at,
                      " is %.10g rad, that is %.3g turns: write \"%.10g deg\" if degrees "
                      "were meant, or \"%.10g rad\"",
                      x, fabs(x) / turn, x, x);
}

static perp_status quantities_quantity(scene_reader *rd, const scene_at *at,
                                       const scene_member *m, const char *text, double *x)
{
    char unit[SCENE_WORD];
    const char *found = NULL;
    double factor = 1.0;

    if ((m->range == SCENE_LIMIT || m->range == SCENE_SPEED) &&
        strcmp(text, "infinite") == 0) {
        *x = INFINITY;
        return PERP_OK;
    }
    TRY(scene_read_number(rd, at, m, text, x, &found));
    perp_unit_pick(m->unit, rd->unit, unit);
    if (*found && !perp_unit_factor(found, unit, &factor)) {
        return quantities_unit_fail(rd, at, text, unit);
    }
    *x *= factor;
    return *found ? PERP_OK : quantities_check_angle(rd, at, m, *x);
}

static bool quantities_in_range(scene_range range, double x)
{
    switch (range) {
    case SCENE_POSITIVE:
        return x > 0.0 && isfinite(x);
    case SCENE_NOT_NEGATIVE:
        return x >= 0.0 && isfinite(x);
    case SCENE_SHARE:
        return x >= 0.0 && x <= 1.0;
    case SCENE_LIMIT:
        return x >= 0.0;
    case SCENE_SPEED:
        return x > 0.0;
    case SCENE_ANY:
        break;
    }
    return isfinite(x);
}

/* "{…}" or "{…} UNIT": the value as it was computed, which its digits would give as well,
 * but ten times as slowly. *good false: read it as any other text, for what it says. */
static perp_status quantities_computed(scene_reader *rd, const scene_at *at,
                                       const scene_member *m, const char *text, double *x,
                                       bool *good)
{
    const char *p = text + 1;
    char unit[SCENE_WORD];
    double factor = 1.0;
    unsigned draws = 0;
    perp_status status = PERP_OK;

    *good = false;
    if (*text != '{') {
        return PERP_OK;
    }
    status = scene_evaluate(rd, at, text, &p, '}', &draws, x);
    if (status == PERP_OK && *p == ' ') {
        perp_unit_pick(m->unit, rd->unit, unit);
        p += strspn(p, " ");
        p = perp_unit_factor(p, unit, &factor) ? "" : p;
    }
    *x *= factor;
    *good = status == PERP_OK && !*p && quantities_in_range(m->range, *x);
    return status;
}

perp_status scene_read_real(scene_reader *rd, const scene_at *at, const scene_member *m,
                            double *x)
{
    char expected[128];
    size_t used = rd->scratch_used;
    bool good = false;
    const char *text = json_string_value(at->value);
    perp_status status = PERP_OK;

    if (json_is_number(at->value)) {
        *x = json_number_value(at->value);
        good = quantities_in_range(m->range, *x);
        if (good) {
            return quantities_check_angle(rd, at, m, *x);
        }
    } else if (text) {
        status = quantities_computed(rd, at, m, text, x, &good);
    }
    if (good || status != PERP_OK) {
        return status;
    }
    quantities_describe(rd, m, expected, sizeof expected);
    if (!text) {
        return scene_unexpected(
            rd, at, json_is_number(at->value) ? PERP_ERR_DATA : PERP_ERR_FORMAT,
            expected);
    }
    status = scene_fill(rd, at, &text);
    if (status == PERP_OK) {
        status = quantities_quantity(rd, at, m, text, x);
    }
    if (status == PERP_OK && !quantities_in_range(m->range, *x)) {
        status = scene_fail(rd, at, PERP_ERR_DATA, " is \"%.80s\", expected %s", text,
                            expected);
    }
    rd->scratch_used = used; /* it is a number now */
    return status;
}
