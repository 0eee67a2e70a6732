/* SPDX-License-Identifier: Apache-2.0
 * cli/sparkline.c: numbers as one line of bars. */
#include <config.h>

#include <math.h>

#include "command/cli/sparkline.h"

enum { LEVELS = 8 };

bool sparkline_range(const double *x, size_t count, double range[2])
{
    bool any = false;

    range[0] = INFINITY;
    range[1] = -INFINITY;
    for (size_t k = 0; k < count; k++) {
        if (isfinite(x[k])) {
            range[0] = fmin(range[0], x[k]);
            range[1] = fmax(range[1], x[k]);
            any = true;
        }
    }
    return any;
}

static void sparkline_bar(FILE *out, double x, const double range[2], bool unicode)
{
    double share = range[1] > range[0] ? (x - range[0]) / (range[1] - range[0]) : 0.0;
    int level = (int)fmin(LEVELS - 1, floor(share * LEVELS));

    if (!isfinite(x)) {
        fputc(' ', out);
    } else if (unicode) {
        fprintf(out, "\xe2\x96%c", 0x81 + level); /* U+2581 to U+2588 */
    } else {
        fputc("_.-=+*%#"[level], out);
    }
}

void sparkline_print(FILE *out, const double *x, size_t count, size_t width, bool unicode)
{
    size_t bars = count < width ? count : width;
    double range[2];

    if (!sparkline_range(x, count, range)) {
        return;
    }
    for (size_t k = 0; k < bars; k++) {
        double most = NAN;

        for (size_t i = k * count / bars; i < (k + 1) * count / bars; i++) {
            if (isfinite(x[i])) {
                most = fmax(most, x[i]);
            }
        }
        sparkline_bar(out, most, range, unicode);
    }
}
