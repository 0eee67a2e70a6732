/* SPDX-License-Identifier: Apache-2.0
 * verbs/paper_new.h: the folder of a new paper. */
#ifndef PERP_VERBS_PAPER_NEW_H
#define PERP_VERBS_PAPER_NEW_H

#include "command/cli/args.h"

/** `perp paper --new DIR`; an exit status. */
int paper_new(const cli_args *args, perp_error *err);

#endif
