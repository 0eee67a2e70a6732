/* SPDX-License-Identifier: Apache-2.0
 * geometry/shells.h: which shells of a mesh bound its solid. Private. */
#ifndef PERP_GEOMETRY_SHELLS_H
#define PERP_GEOMETRY_SHELLS_H

#include <perp/dynamics/geometry.h>

/** Set `counts` and `fault` of a closed mesh whose tree is built; original[t] is the number of
 *  triangle t in messages. PERP_ERR_MEMORY. */
perp_status shells_find(perp_mesh *m, const int32_t *original, perp_error *err);
/** Set `fault` of one that is not closed: by the places `beyond` and `alike` (surface_pair)
 *  of `count` triangles with these numbers. PERP_ERR_MEMORY. */
perp_status shells_find_odd(perp_mesh *m, size_t count, const int32_t *beyond,
                            const int32_t *alike, const int32_t *number, perp_error *err);

#endif
