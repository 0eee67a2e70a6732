/* SPDX-License-Identifier: Apache-2.0
 * tests/fuzz/fuzz_mat.c: MATLAB files. Input that begins as one is read as it is; other input
 * is a list of edits (fuzz_damage) of a sound file, dense or sparse by the first byte: the
 * reader must withstand what matio then returns. */
#include <config.h>

#include "fuzz_files.h"

enum { LARGEST = 32768, ROWS = 4 };

/* A box with A = 2 I and one entry off the diagonal. */
static perp_problem *sound_problem(bool sparse)
{
    perp_triplets t;
    perp_operator *A = NULL;
    perp_operator *dense = NULL;
    double *b = perp_reals_new(ROWS);
    perp_set *set = NULL;
    perp_problem *p = NULL;

    perp_triplets_init(&t, ROWS, ROWS, ROWS + 1);
    for (size_t i = 0; i < ROWS; i++) {
        perp_triplets_add(&t, i, i, 2.0);
    }
    perp_triplets_add(&t, 0, 3, 0.5);
    if (!b || perp_set_new(&set, ROWS, NULL) != PERP_OK ||
        perp_triplets_finish(&A, &t, NULL) != PERP_OK ||
        perp_operator_convert(&dense, A, PERP_STORAGE_DENSE, 1, NULL) != PERP_OK) {
        abort();
    }
    perp_triplets_free(&t);
    for (size_t i = 0; i < ROWS; i++) {
        perp_set_add_box(set, -1.0, 3.0 + (double)i);
        b[i] = -1.0;
    }
    perp_operator_free(sparse ? dense : A);
    if (perp_problem_new_take(&p, sparse ? A : dense, b, set, PERP_LAW_COULOMB, NULL) !=
        PERP_OK) {
        abort();
    }
    return p;
}

/* The bytes of the sound file; the writer gives the same each time. */
static const uint8_t *sound_file(const char *path, bool sparse, size_t *size)
{
    static uint8_t bytes[2][LARGEST];
    static size_t length[2];

    if (length[sparse] == 0) {
        perp_problem *p = sound_problem(sparse);
        FILE *f = NULL;

        if (perp_problem_write(p, path, "mat", NULL, NULL) != PERP_OK ||
            !(f = fopen(path, "rb"))) {
            abort();
        }
        length[sparse] = fread(bytes[sparse], 1, LARGEST, f);
        fclose(f);
        perp_problem_free(p);
        if (length[sparse] == 0 || length[sparse] == LARGEST) {
            abort();
        }
    }
    *size = length[sparse];
    return bytes[sparse];
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    uint8_t damaged[LARGEST];
    char path[128];
    char again[128];
    size_t length = 0;

    fuzz_path(path, "bytes.mat");
    fuzz_path(again, "bytes-again.mat");
    if (size > 6 && memcmp(data, "MATLAB", 6) == 0) {
        fuzz_put(path, data, size);
    } else if (size > 0) {
        const uint8_t *sound = sound_file(path, data[0] & 1, &length);

        memcpy(damaged, sound, length);
        fuzz_put(path, damaged, fuzz_damage(damaged, length, data + 1, size - 1));
    } else {
        fuzz_put(path, data, 0);
    }
    fuzz_round(path, again, "mat");
    unlink(path);
    unlink(again);
    return 0;
}
