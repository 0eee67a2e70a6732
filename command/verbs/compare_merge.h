/* SPDX-License-Identifier: Apache-2.0
 * verbs/compare_merge.h: join folders of results. */
#ifndef PERP_VERBS_COMPARE_MERGE_H
#define PERP_VERBS_COMPARE_MERGE_H

#include "command/cli/args.h"

/** `perp compare --merge DIR... -o DIR`; an exit status. */
int compare_merge(const cli_args *args, perp_error *err);

#endif
