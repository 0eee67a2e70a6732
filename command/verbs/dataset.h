/* SPDX-License-Identifier: Apache-2.0
 * verbs/dataset.h: all problems of a scene, a run, a suite or a file as a folder. */
#ifndef PERP_VERBS_DATASET_H
#define PERP_VERBS_DATASET_H

#include "command/cli/args.h"

/** `perp convert IN -o DIR`; an exit status. */
int dataset_make(const cli_args *args, perp_error *err);

#endif
