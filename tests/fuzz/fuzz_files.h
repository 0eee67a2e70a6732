/* SPDX-License-Identifier: Apache-2.0
 * tests/fuzz/fuzz_files.h: bytes as files in memory, and what every reader must keep: a
 * problem that was read checks, is written and comes back. */
#ifndef PERP_FUZZ_FILES_H
#define PERP_FUZZ_FILES_H

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#ifdef FUZZ_ALONE
#include "core/solvers.h"
#else
#include "support.h"
#endif

/* FUZZ(json) { ... }: a target, which gets `data` and `size`. The test program replays its seeds and
 * finds; with FUZZ_ALONE it is a program of libFuzzer. FUZZ_MALLOC goes before a target whose library
 * asks for what a damaged header states: libhdf5 1.10 and matio touch some gigabytes of it
 * (H5C_protect) before they refuse the file. What AddressSanitizer does not have, beyond a terabyte,
 * is refused as any allocation. */
#ifdef FUZZ_ALONE
#define FUZZ(name)                                                                       \
    int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);                        \
    int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
#define FUZZ_MALLOC                                                                      \
    int LLVMFuzzerInitialize(int *argc, char ***argv);                                   \
    int LLVMFuzzerInitialize(int *argc, char ***argv)                                    \
    {                                                                                    \
        static char limit[] = "-malloc_limit_mb=2097152";                                \
        static char resident[] = "-rss_limit_mb=6144";                                   \
        static char *all[FUZZ_ARGUMENTS];                                                \
        int count = *argc < FUZZ_ARGUMENTS - 3 ? *argc : FUZZ_ARGUMENTS - 3;             \
                                                                                         \
        memcpy(all, *argv, (size_t)count * sizeof *all);                                 \
        all[count] = limit;                                                              \
        all[count + 1] = resident;                                                       \
        *argc = count + 2;                                                               \
        *argv = all;                                                                     \
        return 0;                                                                        \
    }
#else
#define FUZZ(name)                                                                       \
    static int fuzz_input(const uint8_t *data, size_t size);                             \
    TEST(every_seed_keeps_the_promises_of_the_reader)                                    \
    {                                                                                    \
        fuzz_replay_seeds(#name, fuzz_input);                                            \
    }                                                                                    \
    TEST(every_find_keeps_the_promises_of_the_reader)                                    \
    {                                                                                    \
        fuzz_replay_finds(#name, fuzz_input); /* most readers have none */               \
    }                                                                                    \
    TEST(an_empty_input_keeps_the_promises_of_the_reader)                                \
    {                                                                                    \
        CU_ASSERT_EQUAL(fuzz_input((const uint8_t[1]){0}, 0), 0);                        \
    }                                                                                    \
    static int fuzz_input(const uint8_t *data, size_t size)
#define FUZZ_MALLOC
#endif

/* Each member of tests/fuzz/seeds/NAME.zip, each file of tests/fuzz/finds/NAME. */
void fuzz_replay_seeds(const char *name, int (*input)(const uint8_t *, size_t));
void fuzz_replay_finds(const char *name, int (*input)(const uint8_t *, size_t));

enum { FUZZ_ARGUMENTS = 64 };

/* A path of this process in memory, so that no disk is worn. */
static inline void fuzz_path(char path[128], const char *name)
{
    snprintf(path, 128, "/dev/shm/perp-fuzz-%ld-%s", (long)getpid(), name);
}

static inline void fuzz_put(const char *path, const uint8_t *data, size_t size)
{
    FILE *f = fopen(path, "wb");

    if (!f || fwrite(data, 1, size, f) != size || fclose(f) != 0) {
        abort(); /* no memory for the file: not a find */
    }
}

/* Edits of three bytes each: a place (little-endian) and what to write there. A place behind
 * the end cuts the bytes there, modulo their length. Returns the new length. */
static inline size_t fuzz_damage(uint8_t *bytes, size_t length, const uint8_t *data,
                                 size_t size)
{
    for (size_t k = 0; k + 3 <= size; k += 3) {
        size_t at = (size_t)(data[k] | data[k + 1] << 8);

        if (at < length) {
            bytes[at] = data[k + 2];
        } else {
            length = at % length + 1;
        }
    }
    return length;
}

enum { FUZZ_LARGEST = 32768 };

/* A sound file to be damaged: p as the format writes it. */
typedef struct fuzz_sound {
    uint8_t bytes[FUZZ_LARGEST];
    size_t size;
} fuzz_sound;

/* The file of a problem, which is freed; the writer gives the same bytes each time. */
static inline void fuzz_sound_write(fuzz_sound *s, perp_problem *p, const char *path,
                                    const char *format)
{
    FILE *f = NULL;

    if (perp_problem_write(p, path, format, NULL, NULL) != PERP_OK ||
        !(f = fopen(path, "rb"))) {
        abort();
    }
    s->size = fread(s->bytes, 1, FUZZ_LARGEST, f);
    fclose(f);
    perp_problem_free(p);
    if (s->size == 0 || s->size == FUZZ_LARGEST) {
        abort();
    }
}

/* At the path a sound file with the edits of the input. */
static inline void fuzz_put_damaged(const char *path, const fuzz_sound *s,
                                    const uint8_t *data, size_t size)
{
    uint8_t damaged[FUZZ_LARGEST];

    memcpy(damaged, s->bytes, s->size);
    fuzz_put(path, damaged, fuzz_damage(damaged, s->size, data, size));
}

/* Read; what is read is a problem by its own check. */
static inline perp_problem *fuzz_read(const char *path, const char *format, size_t item)
{
    perp_read_options opt = {.format = format, .item = item};
    perp_problem *p = NULL;
    perp_error err = {0};
    perp_notes notes = {0};
    perp_status status = perp_problem_read(&p, path, &opt, &notes, &err);

    if ((status == PERP_OK) != (p != NULL) || (status != PERP_OK && !err.text[0]) ||
        (p && perp_problem_check(p, NULL) != PERP_OK)) {
        abort();
    }
    return p;
}

/* Read, write, read again: the same problem. */
static inline void fuzz_round(const char *path, const char *again, const char *format)
{
    perp_problem *p = fuzz_read(path, format, 0);
    perp_problem *q = NULL;

    if (p && perp_problem_write(p, again, format, NULL, NULL) == PERP_OK) {
        q = fuzz_read(again, format, 0);
        if (!q || q->n != p->n ||
            (p->A && q->A && perp_problem_hash(p) != perp_problem_hash(q))) {
            abort();
        }
    }
    perp_problem_free(p);
    perp_problem_free(q);
}

#endif
