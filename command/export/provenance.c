/* SPDX-License-Identifier: Apache-2.0
 * export/provenance.c: repository and licence of a data file, from the page beside it. */
#include <config.h>

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/file.h"
#include "command/cli/data.h"
#include "command/cli/take.h"
#include "command/export/provenance.h"

enum { PROVENANCE_TEXT = 512 };

/* A section: what its lines state so far. */
typedef struct section {
    char repository[PROVENANCE_TEXT], commit[96], licence[96];
} section;

/* "- licence: Apache-2.0 (notice in …)": the text up to a blank before a parenthesis. */
static bool section_take(const char *line, size_t length, const char *key, char *value,
                         size_t room)
{
    size_t skip = strlen(key), end = 0;

    if (length <= skip || strncmp(line, key, skip) != 0) {
        return false;
    }
    for (end = skip; end < length; end++) {
        if (line[end] == '(' && line[end - 1] == ' ') {
            end--;
            break;
        }
    }
    while (end > skip && (line[end - 1] == ' ' || line[end - 1] == '\r')) {
        end--;
    }
    snprintf(value, room, "%.*s", (int)(end - skip), line + skip);
    return true;
}

static void section_line(section *s, const char *line, size_t length)
{
    if (length >= 3 && strncmp(line, "## ", 3) == 0) {
        memset(s, 0, sizeof *s);
    } else if (!section_take(line, length, "- repository: ", s->repository,
                             sizeof s->repository) &&
               !section_take(line, length, "- commit: ", s->commit, sizeof s->commit)) {
        section_take(line, length, "- licence: ", s->licence, sizeof s->licence);
    }
}

/* Does a line of a table name the file, "| `NAME` |"? */
static bool line_names(const char *line, size_t length, const char *name)
{
    size_t n = strlen(name);

    return length > n + 4 && strncmp(line, "| `", 3) == 0 &&
           strncmp(line + 3, name, n) == 0 && line[3 + n] == '`';
}

/* The section whose table names the file; false: none. */
static bool page_find(const char *page, const char *name, section *s)
{
    memset(s, 0, sizeof *s);
    while (*page) {
        size_t length = strcspn(page, "\n");

        if (line_names(page, length, name)) {
            return true;
        }
        section_line(s, page, length);
        page += length + (page[length] == '\n');
    }
    return false;
}

/* "https://… commit 0123456789ab, file name", from "`0123456789ab…`". */
static void section_source(const section *s, const char *name, char *text, size_t room)
{
    const char *commit = s->commit + strspn(s->commit, "`");

    snprintf(text, room, "%s%s%.12s, %s", s->repository, *commit ? " commit " : "",
             commit, name);
}

void provenance_find(const char *file, provenance *p)
{
    size_t folder = data_folder_length(file), length = 0;
    char path[DATA_PATH], text[2 * PROVENANCE_TEXT];
    char *page = NULL;
    section s = {.repository = ""};
    bool found = false;

    memset(p, 0, sizeof *p);
    snprintf(path, sizeof path, "%.*sSOURCE.md", (int)folder, file);
    if (perp_file_slurp(path, &page, &length, NULL) == PERP_OK) {
        found = page_find(page, file + folder, &s);
    }
    free(page);
    if (found && s.repository[0]) {
        section_source(&s, file + folder, text, sizeof text);
    } else {
        snprintf(text, sizeof text, "%s", file);
    }
    p->source = take_text(text);
    p->licence = found && s.licence[0] ? take_text(s.licence) : NULL;
}

void provenance_clear(provenance *p)
{
    free(p->source);
    free(p->licence);
    memset(p, 0, sizeof *p);
}
