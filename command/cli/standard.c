/* SPDX-License-Identifier: Apache-2.0
 * cli/standard.c: "-" as the name of a file to write: standard output.
 *
 * Verbs print what they did to standard output. When the result itself goes there, it is moved to
 * another descriptor, and descriptor 1 leads to standard error from then on, so that nothing is
 * mixed into the result. Files are written by base/file.c, which knows the name of a descriptor. */
#include <config.h>

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "command/cli/standard.h"

static char standard_name[32]; /* the arguments borrow it; empty: no "-" was typed */

void standard_reserve(void)
{
    for (int fd = STDIN_FILENO; fd <= STDERR_FILENO; fd++) {
        if (fcntl(fd, F_GETFD) < 0 && errno == EBADF) { /* it is the lowest free number */
            (void)open("/dev/null", fd == STDERR_FILENO ? O_WRONLY : O_RDONLY);
        }
    }
}

void standard_rename(perp_error *err)
{
    const size_t length = strlen(standard_name);
    char rest[PERP_ERROR_LENGTH];

    if (length > 0 && strncmp(err->text, standard_name, length) == 0 &&
        err->text[length] == ':') {
        snprintf(rest, sizeof rest, "%s", err->text + length);
        snprintf(err->text, sizeof err->text, "standard output%.*s",
                 PERP_ERROR_LENGTH - 16, rest);
    }
}

/* Put the name of standard output in the place of a "-". */
static perp_status standard_take(const char **word, const char *what, const char *verb,
                                 perp_error *err)
{
    if (!*word || strcmp(*word, "-") != 0) {
        return PERP_OK;
    }
    if (*standard_name) {
        return perp_fail(err, PERP_ERR_OPTION,
                         "perp %s: two results cannot both go to standard output", verb);
    }
    if (strcmp(what, "DIR") == 0) {
        return perp_fail(
            err, PERP_ERR_OPTION,
            "perp %s: -o - is standard output; expected the name of a folder", verb);
    }
    fflush(stdout);
    snprintf(standard_name, sizeof standard_name, "/dev/fd/%d",
             fcntl(STDOUT_FILENO, F_DUPFD_CLOEXEC, 3));
    if (dup2(STDERR_FILENO, STDOUT_FILENO) < 0) {
        return perp_fail(err, PERP_ERR_WRITE, "perp %s: standard output: %s", verb,
                         strerror(errno));
    }
    *word = standard_name;
    return PERP_OK;
}

perp_status standard_output(cli_args *args, perp_error *err)
{
    static const char *const names[] = {"output", "write", "film"}; /* what is written */
    const cli_verb *verb = args->verb;

    for (size_t k = 0; verb->options && verb->options[k].name; k++) {
        for (size_t n = 0; n < sizeof names / sizeof *names; n++) {
            if (strcmp(verb->options[k].name, names[n]) == 0) {
                TRY(standard_take(&args->value[k], verb->options[k].value, verb->name,
                                  err));
            }
        }
    }
    /* The second word of convert is what it writes. */
    return strcmp(verb->name, "convert") == 0 && args->word_count == 2
               ? standard_take(&args->word[1], "FILE", verb->name, err)
               : PERP_OK;
}
