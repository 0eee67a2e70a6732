/* SPDX-License-Identifier: Apache-2.0
 * runner/command.c: the line that repeats a run in a shell. */
#include <config.h>

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/text.h"
#include "command/campaign/command.h"
#include "command/campaign/subject.h"
#include "command/cli/plugin.h"
#include "command/cli/take.h"

/* A word with characters that a terminal does not show, or that JSON does not hold: $'a\x0ab'. */
static void command_bytes(FILE *f, const char *word)
{
    fputs("$'", f);
    while (*word) {
        size_t shown = perp_text_shown(word);
        char mark[PERP_TEXT_MARK];

        for (size_t k = 0; k < shown; k++) {
            fprintf(f, strchr("'\\", word[k]) ? "\\%c" : "%c", word[k]);
        }
        word += shown;
        shown = *word ? perp_text_mark(word, mark) : 0;
        for (size_t k = 0; k < shown; k++) {
            fprintf(f, "\\x%02x", (unsigned)(unsigned char)word[k]);
        }
        word += shown;
    }
    fputc('\'', f);
}

/* A blank and the word, in single quotes where a shell would read more than letters. */
static void command_word(FILE *f, const char *word)
{
    static const char plain[] = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ"
                                "0123456789_@%+=:,./-";

    fputc(' ', f);
    if (*word && word[strspn(word, plain)] == '\0') {
        fputs(word, f);
        return;
    }
    if (word[perp_text_shown(word)]) {
        command_bytes(f, word);
        return;
    }
    fputc('\'', f);
    for (; *word; word++) {
        if (*word == '\'') {
            fputs("'\\''", f);
        } else {
            fputc(*word, f);
        }
    }
    fputc('\'', f);
}

/* A name as a glob that it fulfils: a slash would end a part of the pattern. */
static void command_glob(FILE *f, const char *name, bool slashes)
{
    for (; *name; name++) {
        if (strchr("*?[]\\", *name)) {
            fputc('\\', f);
        }
        fputc(*name == '/' && !slashes ? '?' : *name, f);
    }
}

static void command_solve(FILE *f, const suite_run *run)
{
    const char *file = run->entry->file;
    run_line line;

    line_start(&line);
    run->entry->type->command(&line, run);
    fprintf(f, "perp %s", line.word[0]);
    if (*file != '-') {
        command_word(f, file);
    }
    for (size_t k = 1; k < line.count; k++) {
        if (strcmp(line.word[k], "--answer") != 0) {
            command_word(f, line.word[k]);
        }
    }
    if (*file == '-') {
        fputs(" --", f);
        command_word(f, file);
    }
}

/* The suite as it was asked for, and a pattern that picks the run at all its tolerances. */
static void command_compare(FILE *f, const suite *whose, const suite_run *run)
{
    char label[2 * SUITE_LABEL];
    char *pattern = NULL;
    size_t length = 0;
    FILE *into = take_stream(&pattern, &length);

    run->entry->type->label(run, label, sizeof label);
    fputs("perp compare", f);
    command_word(f, whose->asked ? whose->asked : whose->name);
    fputs(" -o again --only", f);
    command_glob(into, run->set->name, false);
    fputc('/', into);
    command_glob(into, label, false);
    fputc('/', into);
    command_glob(into, run->entry->name, true);
    take_stream_end(into);
    command_word(f, pattern);
    for (size_t k = 0; plugin_is_used(&run->solver->options) && plugin_file(k); k++) {
        fputs(" --plugin", f);
        command_word(f, plugin_file(k));
    }
    fputs(whose->size == SUITE_QUICK ? " --quick" : "", f);
    free(pattern);
}

char *command_text(const suite *whose, const suite_run *run)
{
    char *text = NULL;
    size_t length = 0;
    FILE *f = take_stream(&text, &length);

    if (run->entry->type->one_answer) {
        command_solve(f, run);
    } else {
        command_compare(f, whose, run);
    }
    take_stream_end(f);
    return text;
}
