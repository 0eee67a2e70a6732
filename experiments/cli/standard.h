/* SPDX-License-Identifier: Apache-2.0
 * cli/standard.h: "-" as the name of a file to write: standard output. */
#ifndef PERP_CLI_STANDARD_H
#define PERP_CLI_STANDARD_H

#include "experiments/cli/args.h"

/** Where "-" was typed for a file to write, put the name of a descriptor in its place that leads to
 *  standard output, and let all other text go to standard error. PERP_ERR_OPTION where the verb
 *  writes a folder, or where "-" was typed twice. Call it once, before the verb runs. */
perp_status standard_output(cli_args *args, perp_error *err);

#endif
