/* SPDX-License-Identifier: Apache-2.0
 * core/options.h: how options of one solver are handed to another. Private. */
#ifndef PERP_CORE_OPTIONS_H
#define PERP_CORE_OPTIONS_H

#include <perp/options.h>

/** Copy from `old` the options that were given and that `opt` has, too, and what the
 *  caller set beside the tables. */
void perp_options_inherit(perp_options *opt, const perp_options *old);
/** Do only given limits end a solve (option end-by), and is there one of time or work? */
bool perp_options_end_by_limits(const perp_options *opt);
/** The value of an option that limits rounds; SIZE_MAX where only given limits end a solve and it is
 *  not one of them. */
size_t perp_options_cap(const perp_options *opt, const char *name);

#endif
