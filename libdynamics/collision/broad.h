/* SPDX-License-Identifier: Apache-2.0
 * collision/broad.h: the types of broad phases, for their registry, and what they share.
 * Private. */
#ifndef PERP_COLLISION_BROAD_H
#define PERP_COLLISION_BROAD_H

#include <perp/dynamics/broad.h>

#include "collision/pairs.h"

extern const perp_broad_type broad_bvh, broad_sap, broad_brute;

/* PERP_ERR_MEMORY, with words. */
perp_status broad_no_memory(perp_error *err, const char *type, size_t n);

#endif
