/* SPDX-License-Identifier: Apache-2.0
 * view/difference.h: where and when two motions differ most. */
#ifndef PERP_VIEW_DIFFERENCE_H
#define PERP_VIEW_DIFFERENCE_H

#include <jansson.h>

#include "command/view/motion.h"

/** {length [m], angle [rad], body, time [s], at: 3, bodies: number matched by name, series:
 *  [[time, length], ...]}: the largest distance between the places of a body in `a` and `b`, over
 *  the frames of `a` within the time of `b`, whose poses are interpolated linearly between its
 *  frames; `angle` is the largest angle between the two turns of a body. PERP_ERR_DATA: no moving
 *  body of the same name, or no common time. */
perp_status motion_difference(const motion *a, const motion *b, json_t **difference,
                              perp_error *err);

#endif
