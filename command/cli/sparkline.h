/* SPDX-License-Identifier: Apache-2.0
 * cli/sparkline.h: numbers as one line of bars. */
#ifndef PERP_CLI_SPARKLINE_H
#define PERP_CLI_SPARKLINE_H

#include <stdio.h>

#include <perp/perp.h>

/** Print at most `width` bars from the least to the greatest of the numbers: blocks with
 *  `unicode`, else the characters _ . - = + * % #. With more numbers than bars a bar is the
 *  greatest of those that it stands for. What is not finite is printed as a blank. */
void sparkline_print(FILE *out, const double *x, size_t count, size_t width,
                     bool unicode);
/** The least and the greatest of the finite numbers; false where none is finite. */
bool sparkline_range(const double *x, size_t count, double range[2]);

#endif
