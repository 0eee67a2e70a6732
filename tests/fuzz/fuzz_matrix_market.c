/* SPDX-License-Identifier: Apache-2.0
 * tests/fuzz/fuzz_matrix_market.c: any bytes as a folder of Matrix Market files. Lines
 * "==== NAME" cut the input into files; what comes before the first is A.mtx. */
#include <config.h>

#include "fuzz_files.h"

static const char *const names[] = {
    "A.mtx", "b.mtx",          "M.mtx",      "H.mtx",  "G.mtx",       "f.mtx",
    "q.mtx", "lo.mtx",         "hi.mtx",     "mu.mtx", "findex.mtx",  "z.mtx",
    "w.mtx", "mu_rolling.mtx", "radius.mtx", "v.mtx",  "guess_1.mtx", "problem.json",
};

enum { NAMES = sizeof names / sizeof names[0], PATH = 192 };

static void in_folder(char path[PATH], const char *folder, const char *name)
{
    snprintf(path, PATH, "%s/%s", folder, name);
}

static void clear_folder(const char *folder)
{
    for (size_t i = 0; i < NAMES; i++) {
        char path[PATH];

        in_folder(path, folder, names[i]);
        unlink(path);
    }
}

/* The name on the line at `s`, or NULL; *after is behind the line. */
static const char *file_mark(const uint8_t *s, const uint8_t *end, const uint8_t **after)
{
    const uint8_t *stop = memchr(s, '\n', (size_t)(end - s));
    size_t length = 0;

    if (!stop || stop - s < 6 || memcmp(s, "==== ", 5) != 0) {
        return NULL;
    }
    *after = stop + 1;
    length = (size_t)(stop - s) - 5;
    for (size_t i = 0; i < NAMES; i++) {
        if (strlen(names[i]) == length && memcmp(s + 5, names[i], length) == 0) {
            return names[i];
        }
    }
    return NULL;
}

static void put_files(const char *folder, const uint8_t *data, size_t size)
{
    const uint8_t *end = data + size;
    const uint8_t *start = data;
    const char *name = names[0];

    for (const uint8_t *s = data; s <= end;) {
        const uint8_t *after = NULL;
        const char *next = s < end ? file_mark(s, end, &after) : NULL;

        if (next || s == end) {
            char path[PATH];

            if (s > start) {
                in_folder(path, folder, name);
                fuzz_put(path, start, (size_t)(s - start));
            }
            if (s == end) {
                break;
            }
            name = next;
            start = after;
            s = after;
            continue;
        }
        after = memchr(s, '\n', (size_t)(end - s));
        s = after ? after + 1 : end;
    }
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    char folder[128];
    char again[128];

    fuzz_path(folder, "in");
    fuzz_path(again, "out");
    mkdir(folder, 0700);
    clear_folder(folder);
    put_files(folder, data, size);
    fuzz_round(folder, again, "matrix-market");
    clear_folder(folder);
    clear_folder(again);
    rmdir(folder);
    rmdir(again);
    return 0;
}
