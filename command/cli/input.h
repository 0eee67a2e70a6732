/* SPDX-License-Identifier: Apache-2.0
 * cli/input.h: standard input and pipes as files. */
#ifndef PERP_CLI_INPUT_H
#define PERP_CLI_INPUT_H

#include "command/cli/args.h"

/** Copy what is read through "-" or a pipe to a temporary file, which then stands in its place: a
 *  verb may read a file more than once. The file goes when the process ends. */
perp_status input_copy(cli_args *args, perp_error *err);
/** Leave the folder of the copies out of a message: "stdin.json:3:1: ...". */
void input_rename(perp_error *err);

#endif
