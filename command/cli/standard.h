/* SPDX-License-Identifier: Apache-2.0
 * cli/standard.h: "-" as the name of a file to write: standard output. */
#ifndef PERP_CLI_STANDARD_H
#define PERP_CLI_STANDARD_H

#include "command/cli/args.h"

/** Open what of descriptors 0 to 2 is closed, so that no file that is written gets its number and with
 *  it the text of the verb. Standard output stays one that cannot be written. */
void standard_reserve(void);
/** Say "standard output" in a message about a result that "-" names. */
void standard_rename(perp_error *err);
/** Where "-" was typed for a file to write, put the name of a descriptor in its place that leads to
 *  standard output, and let all other text go to standard error. PERP_ERR_OPTION where the verb
 *  writes a folder, or where "-" was typed twice. Call it once, before the verb runs. */
perp_status standard_output(cli_args *args, perp_error *err);

#endif
