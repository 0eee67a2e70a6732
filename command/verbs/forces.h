/* SPDX-License-Identifier: Apache-2.0
 * command/verbs/forces.h: which forces of an answer are determined, of perp verify --forces. */
#ifndef PERP_VERBS_FORCES_H
#define PERP_VERBS_FORCES_H

#include <jansson.h>

#include <perp/determined.h>

/** The ranges of the rows of an answer over all answers with its velocities. */
typedef struct forces {
    const perp_problem *p;
    double *z; /**< n: the answer */
    size_t count,
        *row; /**< the rows that have a range: all, or of large problems the normals */
    perp_interval *range;  /**< count */
    perp_freedom *freedom; /**< per block */
    size_t degree;
    char refused[PERP_ERROR_LENGTH]; /**< why there are none; "" where there are */
} forces;

/** The ranges of z (n), which is copied; p must outlive them. An answer that is not good enough has none,
 *  and `refused` says so. */
perp_status forces_find(forces *f, const perp_problem *p, const double *z,
                        perp_error *err);
void forces_clear(forces *f);
json_t *forces_json(const forces *f);
void forces_print(const forces *f, FILE *out);

#endif
