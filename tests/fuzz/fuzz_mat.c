/* SPDX-License-Identifier: Apache-2.0
 * tests/fuzz/fuzz_mat.c: MATLAB files. Input that begins as one is read as it is; other input
 * is a list of edits (fuzz_damage) of a sound file, dense or sparse by the first byte: the
 * reader must withstand what matio then returns. */
#include <config.h>

#include "fuzz_files.h"

FUZZ_MALLOC

enum { ROWS = 4 };

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

FUZZ(mat)
{
    static fuzz_sound sound[2];
    char path[128];
    char again[128];

    fuzz_path(path, "bytes.mat");
    fuzz_path(again, "bytes-again.mat");
    if (size > 6 && memcmp(data, "MATLAB", 6) == 0) {
        fuzz_put(path, data, size);
    } else if (size > 0) {
        fuzz_sound *s = &sound[data[0] & 1];

        if (s->size == 0) {
            fuzz_sound_write(s, sound_problem(data[0] & 1), path, "mat");
        }
        fuzz_put_damaged(path, s, data + 1, size - 1);
    } else {
        fuzz_put(path, data, 0);
    }
    fuzz_round(path, again, "mat");
    unlink(path);
    unlink(again);
    return 0;
}
