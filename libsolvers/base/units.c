/* SPDX-License-Identifier: Apache-2.0
 * base/units.c: units and their dimensions.
 *
 * A unit is a product of powers: "m", "N m/rad", "kg m^2", "m/s/N"; a slash divides by
 * the one factor behind it. Its dimension is the exponents of kg, m, s and rad. The angle
 * counts only where nothing but time stands beside it: torques of torsion springs are
 * written with and without "/rad". */
#include <config.h>

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "base/quantity.h"

typedef struct unit {
    const char *name;
    double factor;
    signed char kg, m, s, rad;
} unit;

#define UNIT_PI 3.14159265358979323846

static const unit units[] = {
    {"m", 1.0, 0, 1, 0, 0},
    {"mm", 1e-3, 0, 1, 0, 0},
    {"cm", 1e-2, 0, 1, 0, 0},
    {"km", 1e3, 0, 1, 0, 0},
    {"um", 1e-6, 0, 1, 0, 0},
    {"kg", 1.0, 1, 0, 0, 0},
    {"g", 1e-3, 1, 0, 0, 0},
    {"t", 1e3, 1, 0, 0, 0},
    {"s", 1.0, 0, 0, 1, 0},
    {"ms", 1e-3, 0, 0, 1, 0},
    {"us", 1e-6, 0, 0, 1, 0},
    {"min", 60.0, 0, 0, 1, 0},
    {"h", 3600.0, 0, 0, 1, 0},
    {"rad", 1.0, 0, 0, 0, 1},
    {"deg", UNIT_PI / 180.0, 0, 0, 0, 1},
    {"mrad", 1e-3, 0, 0, 0, 1},
    {"rev", 2.0 * UNIT_PI, 0, 0, 0, 1},
    {"rpm", 2.0 * UNIT_PI / 60.0, 0, 0, -1, 1},
    {"N", 1.0, 1, 1, -2, 0},
    {"mN", 1e-3, 1, 1, -2, 0},
    {"kN", 1e3, 1, 1, -2, 0},
    {"MN", 1e6, 1, 1, -2, 0},
    {"1", 1.0, 0, 0, 0, 0},
    {"%", 1e-2, 0, 0, 0, 0},
};

/* The named unit that stands at `text`, of `length` bytes; NULL: none. */
static const unit *unit_find(const char *text, size_t length)
{
    for (size_t k = 0; k < sizeof units / sizeof *units; k++) {
        if (strlen(units[k].name) == length && memcmp(units[k].name, text, length) == 0) {
            return &units[k];
        }
    }
    return NULL;
}

/* One factor, "m" or "m^2", times u; the rest of the text, NULL where it is no factor. */
static const char *unit_factor(const char *text, int sign, unit *u)
{
    size_t length = strcspn(text, " /*^");
    const unit *one = unit_find(text, length);
    int power = sign;

    if (!one) {
        return NULL;
    }
    text += length;
    if (*text == '^') {
        if (text[1] < '1' || text[1] > '4') {
            return NULL;
        }
        power = sign * (text[1] - '0');
        text += 2;
    }
    u->factor *= pow(one->factor, power);
    u->kg = (signed char)(u->kg + power * one->kg);
    u->m = (signed char)(u->m + power * one->m);
    u->s = (signed char)(u->s + power * one->s);
    u->rad = (signed char)(u->rad + power * one->rad);
    return text;
}

static bool unit_parse(const char *text, unit *u)
{
    enum { FACTORS = 6 }; /* more have no use, and exponents stay small */
    int sign = 1;

    *u = (unit){.factor = 1.0};
    for (int k = 0; k < FACTORS; k++) {
        text = unit_factor(text, sign, u);
        if (!text || !*text) {
            return text != NULL;
        }
        text += strspn(text, " ");
        sign = *text == '/' ? -1 : 1;
        text += *text == '/' || *text == '*';
        text += strspn(text, " ");
    }
    return false;
}

static bool unit_alike(const unit *a, const unit *b)
{
    bool angle = a->kg == 0 && a->m == 0;

    return a->kg == b->kg && a->m == b->m && a->s == b->s && (!angle || a->rad == b->rad);
}

bool perp_unit_factor(const char *text, const char *si, double *factor)
{
    unit found;
    unit wanted;

    if (!unit_parse(text, &found) || !unit_parse(si, &wanted) ||
        !unit_alike(&found, &wanted)) {
        return false;
    }
    *factor = found.factor;
    return true;
}

void perp_unit_list(const char *si, char *text, size_t length)
{
    unit wanted;
    size_t used = (size_t)snprintf(text, length, "%s", si);

    if (!unit_parse(si, &wanted)) {
        return;
    }
    for (size_t k = 0; k < sizeof units / sizeof *units && used < length; k++) {
        if (unit_alike(&units[k], &wanted) && strcmp(units[k].name, si) != 0) {
            used += (size_t)snprintf(text + used, length - used, ", %s", units[k].name);
        }
    }
}

bool perp_unit_base(const char *text, char base[PERP_UNIT_LENGTH])
{
    static const char *const names[] = {"kg", "m", "s", "rad"};
    const int most = 4; /* a power that a unit may have */
    unit u;
    size_t used = 0;

    if (!unit_parse(text, &u)) {
        return false;
    }
    for (size_t k = 0; k < sizeof units / sizeof *units; k++) {
        if (units[k].factor == 1.0 && unit_alike(&units[k], &u)) {
            snprintf(base, PERP_UNIT_LENGTH, "%s", units[k].name);
            return true;
        }
    }
    for (int sign = 1; sign >= -1; sign -= 2) {
        const int power[] = {u.kg, u.m, u.s, u.rad};

        for (size_t k = 0; k < 4; k++) {
            int times = sign * power[k];

            if (times > 0) {
                used += (size_t)snprintf(base + used, PERP_UNIT_LENGTH - used, "%s%s",
                                         sign < 0 ? (used ? "/" : "1/")
                                         : used   ? " "
                                                  : "",
                                         names[k]);
            }
            if (times > 1) {
                used +=
                    (size_t)snprintf(base + used, PERP_UNIT_LENGTH - used, "^%d", times);
            }
            if (times > most) {
                return false;
            }
        }
    }
    return true;
}

void perp_unit_pick(const char *list, unsigned k, char word[PERP_UNIT_LENGTH])
{
    const char *from = list ? list : "1";
    size_t length = strcspn(from, "|");

    while (k > 0 && from[length]) {
        from += length + 1;
        length = strcspn(from, "|");
        k--;
    }
    snprintf(word, PERP_UNIT_LENGTH, "%.*s", (int)length, from);
}
