/* SPDX-License-Identifier: Apache-2.0
 * broad/types.h: the types of broad phases, for their registry, and what they share.
 * Private. */
#ifndef PERP_BROAD_TYPES_H
#define PERP_BROAD_TYPES_H

#include <perp/dynamics/broad.h>

#include "pairs.h"

extern const perp_broad_type broad_bvh, broad_sap, broad_brute;

/* PERP_ERR_MEMORY, with words. */
perp_status broad_no_memory(perp_error *err, const char *type, size_t n);

#endif
