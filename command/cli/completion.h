/* SPDX-License-Identifier: Apache-2.0
 * cli/completion.h: scripts that complete words after `perp` in a shell.
 *
 * A script hands the words typed so far to `perp --complete`, the last one as far as it is
 * typed, and reads one line per candidate: "WORD<tab>MEANING". A line "*files" or "*folders"
 * asks the shell for names of files as well. */
#ifndef PERP_CLI_COMPLETION_H
#define PERP_CLI_COMPLETION_H

#include <stdio.h>

#include <perp/perp.h>

/** The shells: "bash|zsh|fish". */
#define COMPLETION_SHELLS  "bash|zsh|fish"
#define COMPLETION_FILES   "*files"
#define COMPLETION_FOLDERS "*folders"

/** Print the script of a shell. PERP_ERR_OPTION: there is none. */
perp_status completion_print(FILE *out, const char *shell, perp_error *err);

#endif
