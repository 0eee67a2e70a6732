/* SPDX-License-Identifier: Apache-2.0
 * verbs/slurm.h: perp compare --print-slurm: a campaign as an array job of SLURM. */
#ifndef PERP_VERBS_SLURM_H
#define PERP_VERBS_SLURM_H

#include "command/campaign/suite.h"
#include "command/cli/args.h"

/** Print a script for sbatch in which each task makes a part of the suite, into folders
 *  `dir`-1, `dir`-2, …, and how to merge them. Other options of the
 *  command line are passed on to the tasks. */
perp_status slurm_print(const cli_args *args, const suite *s, const char *dir,
                        perp_error *err);

#endif
