/* SPDX-License-Identifier: Apache-2.0
 * runner/spectrum.h: singular values, rank and condition of A. */
#ifndef PERP_RUNNER_SPECTRUM_H
#define PERP_RUNNER_SPECTRUM_H

#include <perp/perp.h>

typedef struct spectrum {
    size_t n;
    double *sigma;    /**< n singular values, descending; on the heap */
    size_t rank;      /**< singular values above n eps of the largest */
    double condition; /**< the largest over the smallest of these; NaN: rank 0 */
} spectrum;

/** Of the A of a problem, or of the W of a global one: about n^3 flops and n^2 doubles. *known
 *  is false, and *s zero, for more than `most` rows and for a global problem that cannot be
 *  condensed. Clear it also after a failure. */
perp_status spectrum_of(const perp_problem *p, size_t most, spectrum *s, bool *known,
                        perp_error *err);
void spectrum_clear(spectrum *s); /* no-op when it is zero */

#endif
