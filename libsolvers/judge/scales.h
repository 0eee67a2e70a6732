/* SPDX-License-Identifier: Apache-2.0
 * judge/scales.h: the scales of the residual, block by block. Private. */
#ifndef PERP_JUDGE_SCALES_H
#define PERP_JUDGE_SCALES_H

#include "core/solvers.h"

/** The entries between two blocks of which one has no diagonal: block k is linked to block to[e]
 *  by its largest entry size[e], e from start[k] to start[k + 1] - 1, and the reverse. */
typedef struct scale_links {
    size_t *start; /* blocks + 1 */
    int32_t *to;
    double *size;
} scale_links;

/** d_k (blocks) of p, with scratch for n numbers. False without memory. */
bool perp_block_scales(const perp_problem *p, double *d, double *largest);
/** The scales of residual_literature: max_j |A_kj| where the diagonal is 0. */
void perp_literature_scales(const perp_problem *p, double *d, double *largest);

/** s_k where it is 0: of parts that have no diagonal at all. False without memory. */
bool perp_equilibrate(const scale_links *links, const perp_problem *p, double *s);

#endif
