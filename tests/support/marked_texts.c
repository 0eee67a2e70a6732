/* SPDX-License-Identifier: Apache-2.0
 * tests/support/marked_texts.c: files of texts, each below a line "//= MARK". */
#include <config.h>

#include <glob.h>
#include <stdio.h>
#include <string.h>

#include "marked_texts.h"
#include "support.h"

static const char mark[] = "//= ";

static void bail_out(const char *path, const char *expected)
{
    printf("Bail out! %s: expected %s\n", path, expected);
    exit(99);
}

static char *file_text(const char *path)
{
    FILE *f = fopen(path, "rb");
    char *text = NULL;
    size_t length = 0;

    if (f && fseek(f, 0, SEEK_END) == 0) {
        length = (size_t)ftell(f);
        rewind(f);
        text = calloc(length + 1, 1);
    }
    if (!text || fread(text, 1, length, f) != length) {
        bail_out(path, "a file that can be read");
    }
    fclose(f);
    return text;
}

/* The next line that begins with the mark, or the end. */
static char *next_mark(char *at)
{
    while (*at && strncmp(at, mark, strlen(mark)) != 0) {
        at += strcspn(at, "\n");
        at += *at == '\n';
    }
    return at;
}

static size_t count_lines(const char *from, const char *to)
{
    size_t n = 0;

    for (; from < to; from++) {
        n += *from == '\n';
    }
    return n;
}

static void add_file(const char *path, void (*add)(const void *, const marked_text *),
                     const void *context)
{
    char *file = file_text(path);
    char *at = next_mark(file);
    marked_text t = {.path = path, .line = 1 + count_lines(file, at)};

    if (!*at) {
        bail_out(path, "a line \"//= MARK\"");
    }
    while (*at) {
        char *text = at + strcspn(at, "\n") + 1;
        char *next = next_mark(text);
        const size_t lines = count_lines(at, next);
        char *end = next - (next > text);

        end -= end > text && *next && end[-1] == '\n';
        text[-1] = *end = '\0';
        t.mark = at + strlen(mark);
        t.text = text;
        add(context, &t);
        t.line += lines;
        at = next;
    }
}

void marked_texts(const char *folder, const char *ending,
                  void (*add)(const void *context, const marked_text *t),
                  const void *context)
{
    char pattern[1024];
    glob_t files = {0};

    snprintf(pattern, sizeof pattern, "%s/tests/%s/*.%s", test_source(), folder, ending);
    if (glob(pattern, 0, NULL, &files) != 0) {
        bail_out(pattern, "files");
    }
    for (size_t k = 0; k < files.gl_pathc; k++) {
        add_file(files.gl_pathv[k], add, context);
    }
}
