/* SPDX-License-Identifier: Apache-2.0
 * splitting/locality.h: an order in which the data of a block are in the cache, since its
 * neighbours have just used them. Private. */
#ifndef PERP_SPLITTING_LOCALITY_H
#define PERP_SPLITTING_LOCALITY_H

#include "core/solvers.h"

/** The order of the blocks of p along a walk through their bodies, from `ws`; NULL where A is
 *  dense: all blocks are neighbours then. */
perp_status perp_locality_order(const perp_problem *p, size_t **order, perp_workspace *ws,
                                perp_error *err);
/** Mean distance between the bodies of a block and those of the next one as stored, in body
 *  numbers relative to the number of bodies. 0 unless A has rows on two bodies. */
double perp_locality_jump(const perp_problem *p);

#endif
