/* SPDX-License-Identifier: Apache-2.0
 * tests/fuzz/fuzz_quantity.c: any text as a quantity. What was parsed is a number in the unit
 * that it states, and is read as the same number where that unit is expected. */
#include <config.h>

#include <math.h>

#include <perp/dynamics/scene.h>

#include "fuzz_files.h"

static bool same_number(double a, double b)
{
    return a == b || (isnan(a) && isnan(b));
}

static void read_as(const char *text, const char *si, double x)
{
    double y = 0.0;
    perp_error err = {0};

    if (perp_quantity_read(text, si, &y, &err) != PERP_OK || !same_number(x, y)) {
        abort();
    }
}

/* A number alone, or a ratio such as s/s, has the unit 1. */
static void quantity_of(const char *text)
{
    double x = 0.0;
    char si[48];
    perp_error err = {0};

    memset(si, 'x', sizeof si);
    if (perp_quantity_parse(text, &x, si, &err) == PERP_OK) {
        if (!memchr(si, '\0', sizeof si)) {
            abort();
        }
        read_as(text, si[0] ? si : "1", x);
    } else if (!err.text[0] || strchr(err.text, '\n')) {
        abort();
    }
}

FUZZ(quantity)
{
    char *text = calloc(size + 1, 1);

    if (text) {
        memcpy(text, data, size);
        quantity_of(text);
    }
    free(text);
    return 0;
}
