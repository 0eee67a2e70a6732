/* SPDX-License-Identifier: Apache-2.0
 * runner/blocks.h: the residual of a point, contact by contact. */
#ifndef PERP_RUNNER_BLOCKS_H
#define PERP_RUNNER_BLOCKS_H

#include <jansson.h>

#include <perp/perp.h>

/** {"quantiles": [least, 25 %, median, 75 %, largest], "worst": [{"block", "row", "name",
 *  "residual"}, …]} of the blocks of p at z: contacts, and rows of other kinds. The worst are at
 *  most five, largest first, without those that are 0; a block without a label has the name null.
 *  JSON null of a problem without blocks. A new reference. */
json_t *blocks_json(const perp_problem *p, const double *z);

#endif
