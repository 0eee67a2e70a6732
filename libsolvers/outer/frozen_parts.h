/* SPDX-License-Identifier: Apache-2.0
 * outer/frozen_parts.h: the parts of a problem with frozen friction bounds. Private. */
#ifndef PERP_OUTER_FROZEN_PARTS_H
#define PERP_OUTER_FROZEN_PARTS_H

#include "frozen.h"

/** Append a part with the normals and other rows, the rows that friction bounds, or both;
 *  its rows and its set are there afterwards, and s->bounds of what it bounds. A part
 *  without rows is left out. */
perp_status perp_frozen_add_part(frozen_state *s, bool normals, bool tangents,
                                 perp_error *err);

/** The rows and columns rows[0..n-1] (ascending) of S: dense of dense, else CSR. */
perp_status perp_frozen_extract(perp_operator **out, const perp_operator *S,
                                const size_t *rows, size_t n, perp_error *err);

#endif
