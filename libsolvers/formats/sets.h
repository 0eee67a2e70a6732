/* SPDX-License-Identifier: Apache-2.0
 * formats/sets.h: the texts and the set K of a problem in JSON documents. Private. */
#ifndef PERP_FORMATS_SETS_H
#define PERP_FORMATS_SETS_H

#include "base/json.h"
#include "formats.h"

/** Name (the stem of the file where there is none), title, description and math_info; labels
 *  and origin. The problem has its set. */
perp_status perp_json_texts(perp_problem *p, const json_t *root, const char *file,
                            perp_error *err);
void perp_json_print_texts(FILE *f, const perp_problem *p);

/** The kinds of blocks from `sets`, runs of equal blocks that must cover n rows:
 *      {"kind": "cone", "dim": 3, "count": 8} */
perp_status perp_json_sets(perp_set **set, size_t n, const json_t *value,
                           const char *file, const char *at, perp_error *err);
void perp_json_print_sets(FILE *f, const perp_set *set);

/** K from bounds, as a boxed LCP has them: FREE, NONNEG or BOX by the values. */
perp_status perp_bounds_check(double lo, double hi, const char *file, const char *place,
                              size_t i, perp_error *err);
void perp_set_add_bounds(perp_set *set, double lo, double hi);
/** Append a block with these parameters. */
void perp_set_add_block(perp_set *set, const perp_block *k);

#endif
