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

/* Options that name what is written. */
static const char *const standard_options[] = {"output", "write", "film"};

static bool standard_is(const char *text)
{
    return text && strcmp(text, "-") == 0;
}

/* The places of "-" in what was typed: at most two of them, and how many there are. */
static size_t standard_places(cli_args *args, const char **places[2], size_t *row)
{
    size_t count = 0;

    for (size_t k = 0; args->verb->options && args->verb->options[k].name; k++) {
        for (size_t n = 0; n < sizeof standard_options / sizeof *standard_options; n++) {
            if (strcmp(args->verb->options[k].name, standard_options[n]) == 0 &&
                standard_is(args->value[k])) {
                *row = k;
                places[count++ > 0] = &args->value[k];
            }
        }
    }
    /* The second word of convert is what it writes. */
    if (strcmp(args->verb->name, "convert") == 0 && args->word_count == 2 &&
        standard_is(args->word[1])) {
        places[count++ > 0] = &args->word[1];
    }
    return count;
}

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

perp_status standard_output(cli_args *args, perp_error *err)
{
    const char **places[2] = {NULL, NULL};
    const char *verb = args->verb->name;
    size_t row = 0, count = standard_places(args, places, &row);
    int result = -1;

    if (count == 0) {
        return PERP_OK;
    }
    if (count > 1) {
        return perp_fail(err, PERP_ERR_OPTION,
                         "perp %s: two results cannot both go to standard output", verb);
    }
    if (places[0] == &args->value[row] &&
        strcmp(args->verb->options[row].value, "DIR") == 0) {
        return perp_fail(
            err, PERP_ERR_OPTION,
            "perp %s: -o - is standard output; expected the name of a folder", verb);
    }
    fflush(stdout);
    result = fcntl(STDOUT_FILENO, F_DUPFD_CLOEXEC, 3);
    if (result < 0 || dup2(STDERR_FILENO, STDOUT_FILENO) < 0) {
        return perp_fail(err, PERP_ERR_WRITE, "perp %s: standard output: %s", verb,
                         strerror(errno));
    }
    snprintf(standard_name, sizeof standard_name, "/dev/fd/%d", result);
    *places[0] = standard_name;
    return PERP_OK;
}
