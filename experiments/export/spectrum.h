/* SPDX-License-Identifier: Apache-2.0
 * export/spectrum.h: rank and condition of A. */
#ifndef PERP_EXPORT_SPECTRUM_H
#define PERP_EXPORT_SPECTRUM_H

#include <perp/perp.h>

typedef struct spectrum {
    size_t rank;      /**< singular values above n eps of the largest */
    double condition; /**< the largest over the smallest of these; NaN: rank 0 */
} spectrum;

/** Of the A of a problem, or of the W of a global one, by its singular values: about n^3 flops
 *  and n^2 doubles. *known is false, and *s not set, for more than `most` rows and for a global
 *  problem that cannot be condensed. */
perp_status spectrum_of(const perp_problem *p, size_t most, spectrum *s, bool *known,
                        perp_error *err);

#endif
