/* SPDX-License-Identifier: Apache-2.0
 * tests/fuzz/fuzz_folder.h: any bytes as a folder of files. Lines "==== NAME" cut the input
 * into files of a list of names; what comes before the first is the first of them. */
#ifndef PERP_FUZZ_FOLDER_H
#define PERP_FUZZ_FOLDER_H

#include "fuzz_files.h"

enum { FUZZ_PATH = 192 };

/* The files that a format has; `binary`: the newline before a mark is not of the file. */
typedef struct fuzz_folder {
    const char *const *names; /* ended by NULL */
    bool binary;
} fuzz_folder;

static inline void fuzz_in_folder(char path[FUZZ_PATH], const char *folder,
                                  const char *name)
{
    snprintf(path, FUZZ_PATH, "%s/%s", folder, name);
}

static inline void fuzz_clear_folder(const char *folder, const fuzz_folder *f)
{
    for (const char *const *name = f->names; *name; name++) {
        char path[FUZZ_PATH];

        fuzz_in_folder(path, folder, *name);
        unlink(path);
    }
}

/* The name on the line at `s`, or NULL; *after is behind the line. */
static inline const char *fuzz_mark(const fuzz_folder *f, const uint8_t *s,
                                    const uint8_t *end, const uint8_t **after)
{
    const uint8_t *stop = memchr(s, '\n', (size_t)(end - s));
    size_t length = 0;

    if (!stop || stop - s < 6 || memcmp(s, "==== ", 5) != 0) {
        return NULL;
    }
    *after = stop + 1;
    length = (size_t)(stop - s) - 5;
    for (const char *const *name = f->names; *name; name++) {
        if (strlen(*name) == length && memcmp(s + 5, *name, length) == 0) {
            return *name;
        }
    }
    return NULL;
}

static inline void fuzz_put_folder(const char *folder, const fuzz_folder *f,
                                   const uint8_t *data, size_t size)
{
    const uint8_t *end = data + size;
    const uint8_t *start = data;
    const char *name = f->names[0];

    for (const uint8_t *s = data; s <= end;) {
        const uint8_t *after = NULL;
        const char *next = s < end ? fuzz_mark(f, s, end, &after) : NULL;

        if (next || s == end) {
            char path[FUZZ_PATH];

            if (s > start) {
                fuzz_in_folder(path, folder, name);
                fuzz_put(path, start, (size_t)(s - start) - (f->binary && next));
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

/* Read, write, read again in the format of that name. */
static inline void fuzz_folder_round(const fuzz_folder *f, const char *format,
                                     const uint8_t *data, size_t size)
{
    char folder[128];
    char again[128];

    fuzz_path(folder, "in");
    fuzz_path(again, "out");
    mkdir(folder, 0700);
    fuzz_clear_folder(folder, f);
    fuzz_put_folder(folder, f, data, size);
    fuzz_round(folder, again, format);
    fuzz_clear_folder(folder, f);
    fuzz_clear_folder(again, f);
    rmdir(folder);
    rmdir(again);
}

#endif
