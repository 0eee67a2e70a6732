/* SPDX-License-Identifier: Apache-2.0
 * broad/pairs.h: lists of pairs that grow, and their order. Private. */
#ifndef PERP_BROAD_PAIRS_H
#define PERP_BROAD_PAIRS_H

#include <perp/dynamics/broad.h>

#include "core.h"

/* Let there be memory for so many pairs more; false without, then nothing changed. */
bool pairs_reserve(perp_box_pairs *pairs, size_t more);

#endif
