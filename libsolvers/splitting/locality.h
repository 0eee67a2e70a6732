/* SPDX-License-Identifier: Apache-2.0
 * splitting/locality.h: an order in which a block finds in the cache what its neighbours have
 * just touched. Private. */
#ifndef PERP_SPLITTING_LOCALITY_H
#define PERP_SPLITTING_LOCALITY_H

#include "core/solvers.h"

/** The order of the blocks of p along a walk through their bodies, from `ws`; NULL where A is
 *  dense: all are neighbours there. */
perp_status perp_locality_order(const perp_problem *p, size_t **order, perp_workspace *ws,
                                perp_error *err);
/** How far it is from the bodies of a block to those of the next one as stored: the mean
 *  distance of their numbers, as a part of the bodies. 0 unless A is of rows of two bodies. */
double perp_locality_jump(const perp_problem *p);

#endif
