/* SPDX-License-Identifier: Apache-2.0
 * tests/fuzz/fuzz_sequence.c: a sound sequence of two items, damaged by the edits that are
 * the input (fuzz_damage). A sequence whose items can be read is written and comes back. */
#include <config.h>

#include "fuzz_files.h"

FUZZ_MALLOC

enum { LARGEST = 65536, ROWS = 2, ITEMS = 2 };

/* A = 2 I, dense or CSR; the first row keeps its key. */
static perp_sequence_item sound_item(size_t i)
{
    perp_sequence_item item = {.t = (double)i, .h = 0.5};
    double *b = perp_reals_new(ROWS);
    perp_operator *A = NULL;
    perp_operator *csr = NULL;
    perp_arrays entries;
    perp_set *set = NULL;

    item.keys = calloc(ROWS, sizeof *item.keys);
    if (!b || !item.keys || perp_operator_new_dense(&A, ROWS, ROWS, NULL) != PERP_OK ||
        perp_set_new_uniform(&set, PERP_SET_NONNEG, ROWS, NULL) != PERP_OK) {
        abort();
    }
    entries = perp_operator_arrays(A);
    for (size_t k = 0; k < ROWS; k++) {
        entries.x[k + k * entries.ld] = 2.0;
        b[k] = -1.0;
        item.keys[k] = 1 + k * (1 + i);
    }
    if (i > 0) {
        if (perp_operator_convert(&csr, A, PERP_STORAGE_CSR, 1, NULL) != PERP_OK) {
            abort();
        }
        perp_operator_free(A);
        A = csr;
    }
    if (perp_problem_new_take(&item.problem, A, b, set, PERP_LAW_COULOMB, NULL) !=
        PERP_OK) {
        abort();
    }
    return item;
}

/* The bytes of the sound file, made once; the writer gives the same each time. */
static const uint8_t *sound_file(const char *path, size_t *size)
{
    static uint8_t bytes[LARGEST];
    static size_t length;

    if (length == 0) {
        perp_sequence *s = NULL;
        FILE *f = NULL;

        if (perp_sequence_new(&s, "sound", NULL) != PERP_OK) {
            abort();
        }
        for (size_t i = 0; i < ITEMS; i++) {
            perp_sequence_item item = sound_item(i);

            if (perp_sequence_add(s, &item, NULL) != PERP_OK) {
                abort();
            }
        }
        if (perp_sequence_write(s, path, NULL) != PERP_OK || !(f = fopen(path, "rb"))) {
            abort();
        }
        length = fread(bytes, 1, sizeof bytes, f);
        fclose(f);
        perp_sequence_free(s);
        if (length == 0 || length == sizeof bytes) {
            abort();
        }
    }
    *size = length;
    return bytes;
}

static void compare_items(const perp_sequence *s, const perp_sequence *again)
{
    for (size_t i = 0; i < perp_sequence_count(s); i++) {
        perp_sequence_item a, b;

        if (perp_sequence_get(s, i, &a, NULL) != PERP_OK ||
            perp_sequence_get(again, i, &b, NULL) != PERP_OK || a.t != b.t ||
            a.h != b.h || a.problem->set->count != b.problem->set->count ||
            memcmp(a.keys, b.keys, a.problem->set->count * sizeof *a.keys) != 0) {
            abort();
        }
        perp_sequence_item_clear(&a);
        perp_sequence_item_clear(&b);
    }
}

static void come_back(const perp_sequence *s, const char *path)
{
    perp_sequence *again = NULL;
    perp_error err = {0};

    if (perp_sequence_write(s, path, &err) != PERP_OK ||
        perp_sequence_open(&again, path, &err) != PERP_OK ||
        perp_sequence_count(again) != perp_sequence_count(s) ||
        perp_sequence_check(again, &err) != PERP_OK) {
        fprintf(stderr, "it does not come back: %s\n", err.text);
        abort();
    }
    compare_items(s, again);
    perp_sequence_free(again);
}

/* Every item, read once: libhdf5 1.10 may read an attribute behind a damaged message, each time with
 * another value. NULL where one cannot be read, or items are out of order. */
static perp_sequence *take(const perp_sequence *s)
{
    perp_sequence *kept = NULL;
    perp_status status = perp_sequence_new(&kept, "kept", NULL);

    if (status != PERP_OK) {
        abort();
    }
    for (size_t i = 0; i < perp_sequence_count(s) && status == PERP_OK; i++) {
        perp_sequence_item item;
        perp_error err = {0};

        status = perp_sequence_get(s, i, &item, &err);
        if (status == PERP_OK) {
            status = perp_sequence_add(kept, &item, &err);
        }
        if (status != PERP_OK && !err.text[0]) {
            abort();
        }
        perp_sequence_item_clear(&item);
    }
    if (status != PERP_OK) {
        perp_sequence_free(kept);
        kept = NULL;
    }
    return kept;
}

FUZZ(sequence)
{
    static uint8_t damaged[LARGEST];
    char path[128];
    char again[128];
    size_t length = 0;
    const uint8_t *sound = NULL;
    perp_sequence *s = NULL;
    perp_sequence *kept = NULL;
    perp_error err = {0};

    fuzz_path(path, "sequence.hdf5");
    fuzz_path(again, "sequence-again.hdf5");
    sound = sound_file(path, &length);
    memcpy(damaged, sound, length);
    fuzz_put(path, damaged, fuzz_damage(damaged, length, data, size));
    if ((perp_sequence_open(&s, path, &err) == PERP_OK) != (s != NULL) ||
        (!s && !err.text[0])) {
        abort();
    }
    if (s) {
        kept = take(s);
    }
    if (kept) {
        come_back(kept, again);
    }
    perp_sequence_free(kept);
    perp_sequence_free(s);
    unlink(path);
    unlink(again);
    return 0;
}
