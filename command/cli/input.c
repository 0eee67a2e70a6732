/* SPDX-License-Identifier: Apache-2.0
 * cli/input.c: standard input and pipes as files. */
#include <config.h>

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/base.h"
#include "base/file.h"
#include "command/cli/data.h"
#include "command/cli/input.h"
#include "command/cli/take.h"

enum { INPUTS = 16 };

static char input_folder[DATA_PATH]; /* empty: nothing was copied */
static char input_path[INPUTS][DATA_PATH + 32];
static size_t input_count;
static pid_t input_owner;

static void input_remove(void)
{
    if (*input_folder && getpid() == input_owner) {
        perp_folder_remove_all(input_folder);
    }
}

static bool input_is_pipe(const char *path)
{
    struct stat s;

    return strcmp(path, "-") == 0 || (stat(path, &s) == 0 && S_ISFIFO(s.st_mode));
}

static perp_status input_write(FILE *in, const char *path, char *first, perp_error *err)
{
    FILE *out = fopen(path, "wb");
    char block[65536];
    size_t length = 0;
    bool good = out != NULL;

    *first = '\0';
    while (good && (length = fread(block, 1, sizeof block, in)) > 0) {
        *first = *first ? *first : block[strspn(block, " \t\r\n")];
        good = fwrite(block, 1, length, out) == length;
    }
    good = good && !ferror(in);
    good = (!out || fclose(out) == 0) && good;
    return good ? PERP_OK
                : perp_fail(err, PERP_ERR_READ, "%s: %s", path, strerror(errno));
}

/* Scenes are recognised by their extension. */
static perp_status input_name(char path[DATA_PATH + 32], char first, perp_error *err)
{
    const char *extension = first == '{' ? ".json" : first == '<' ? ".urdf" : "";
    char named[DATA_PATH + 40];

    snprintf(named, sizeof named, "%s%s", path, extension);
    if (*extension && rename(path, named) != 0) {
        return perp_fail(err, PERP_ERR_WRITE, "%s: %s", path, strerror(errno));
    }
    snprintf(path, DATA_PATH + 32, "%.*s", DATA_PATH + 31, named);
    return PERP_OK;
}

static perp_status input_take(const cli_args *args, const char **word, perp_error *err)
{
    const bool standard = strcmp(*word, "-") == 0;
    char *path = input_path[input_count], first = '\0';
    FILE *in = standard ? stdin : fopen(*word, "rb");
    perp_status status = PERP_OK;

    if (!in || input_count == INPUTS) {
        return perp_fail(err, PERP_ERR_READ, "perp %s: %s: %s", args->verb->name, *word,
                         in ? "too many pipes" : strerror(errno));
    }
    if (!*input_folder) {
        input_owner = getpid();
        status = perp_folder_temporary(input_folder, sizeof input_folder, false, err);
        take_temporary(input_folder);
        atexit(input_remove);
    }
    snprintf(path, DATA_PATH + 32, "%s/%s", input_folder, standard ? "stdin" : "pipe");
    for (size_t k = 2; access(path, F_OK) == 0; k++) {
        snprintf(path, DATA_PATH + 32, "%s/pipe-%zu", input_folder, k);
    }
    if (status == PERP_OK) {
        status = input_write(in, path, &first, err);
    }
    if (status == PERP_OK) {
        status = input_name(path, first, err);
    }
    if (!standard) {
        fclose(in);
    }
    *word = path;
    input_count++;
    return status;
}

/* Words of which the kinds name no file are not read; the second word of convert is written. */
static size_t input_words(const cli_args *args)
{
    if (!strstr(args->verb->words, "INSTANCE") && !strstr(args->verb->words, "FILE")) {
        return 0;
    }
    return strcmp(args->verb->name, "convert") == 0 && args->word_count > 1
               ? 1
               : args->word_count;
}

static bool input_is_read(const cli_option *o)
{
    const char *value = o->value ? o->value : "";

    return perp_path_ends(value, "FILE") && strcmp(o->name, "output") != 0 &&
           strcmp(o->name, "write") != 0 && strcmp(o->name, "film") != 0;
}

perp_status input_copy(cli_args *args, perp_error *err)
{
    size_t words = input_words(args), standard = 0;
    perp_status status = PERP_OK;

    for (size_t k = 0; k < words && status == PERP_OK; k++) {
        standard += strcmp(args->word[k], "-") == 0;
        if (standard < 2 && input_is_pipe(args->word[k])) {
            status = input_take(args, &args->word[k], err);
        }
    }
    for (size_t k = 0; args->verb->options[k].name && status == PERP_OK; k++) {
        if (args->value[k] && input_is_read(&args->verb->options[k]) &&
            input_is_pipe(args->value[k])) {
            standard += strcmp(args->value[k], "-") == 0;
            status = standard < 2 ? input_take(args, &args->value[k], err) : PERP_OK;
        }
    }
    return status != PERP_OK || standard < 2
               ? status
               : perp_fail(err, PERP_ERR_OPTION,
                           "perp %s: standard input can be read once only",
                           args->verb->name);
}

void input_rename(perp_error *err)
{
    const size_t length = strlen(input_folder);
    char *at = NULL;

    while (length > 0 && (at = strstr(err->text, input_folder))) {
        size_t skip = length + (at[length] == '/');

        memmove(at, at + skip, strlen(at + skip) + 1);
    }
}
