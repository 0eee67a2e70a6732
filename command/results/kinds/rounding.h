/* SPDX-License-Identifier: Apache-2.0
 * report/kinds/rounding.h: quantities that are rounding throughout: not drawn, but named in the
 * caption. */
#ifndef PERP_REPORT_ROUNDING_H
#define PERP_REPORT_ROUNDING_H

#include <stddef.h>

#include <perp/base.h>

typedef enum rounding_kind {
    ROUNDING_ZERO,  /**< 0 throughout */
    ROUNDING_NOISE, /**< at most 1e-13 of the scale */
    ROUNDING_NONE,
} rounding_kind;

enum { ROUNDING_TEXT = 640 };

/** Names of what is rounding, each once: "drift of joints [m], residual". */
typedef struct rounding {
    char names[ROUNDING_TEXT - 100];
} rounding;

/** What the values are; those that are not finite are ignored. */
rounding_kind rounding_of(const double *values, size_t count, double scale);
/** Append a name unless it is there. */
void rounding_add(rounding *r, const char *format, ...) PERP_PRINTF(2, 3);
/** " Only rounding, at most 10⁻¹³ of the scale, and not drawn: NAMES.", or "". Returns `text`. */
char *rounding_sentence(const rounding *r, char text[ROUNDING_TEXT]);

#endif
