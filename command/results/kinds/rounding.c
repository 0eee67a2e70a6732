/* SPDX-License-Identifier: Apache-2.0
 * report/kinds/rounding.c: quantities that are rounding throughout. */
#include <config.h>

#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include "command/results/kinds/rounding.h"

static const double noise = 1e-13; /* of the scale: some hundred roundings */

rounding_kind rounding_of(const double *values, size_t count, double scale)
{
    double most = 0.0;

    for (size_t k = 0; k < count; k++) {
        most = isfinite(values[k]) ? fmax(most, fabs(values[k])) : most;
    }
    return most == 0.0             ? ROUNDING_ZERO
           : most <= noise * scale ? ROUNDING_NOISE
                                   : ROUNDING_NONE;
}

void rounding_add(rounding *r, const char *format, ...)
{
    size_t used = strlen(r->names);
    char name[160];
    const char *at = NULL;
    va_list args;

    va_start(args, format);
    vsnprintf(name, sizeof name, format, args);
    va_end(args);
    at = strstr(r->names, name);
    if (!at || (at[strlen(name)] != '\0' && at[strlen(name)] != ',')) {
        snprintf(r->names + used, sizeof r->names - used, "%s%s", used ? ", " : "", name);
    }
}

char *rounding_sentence(const rounding *r, char text[ROUNDING_TEXT])
{
    text[0] = '\0';
    if (*r->names) {
        snprintf(text, ROUNDING_TEXT,
                 " Only rounding, at most 10⁻¹³ of the scale, and not drawn: %s.",
                 r->names);
    }
    return text;
}
