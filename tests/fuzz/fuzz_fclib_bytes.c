/* SPDX-License-Identifier: Apache-2.0
 * tests/fuzz/fuzz_fclib_bytes.c: a sound FCLIB file, damaged by the edits that are the
 * input (fuzz_damage). fuzz_fclib.c writes any content into a sound container; this damages
 * the container: the reader must withstand what HDF5 then returns. */
#include <config.h>

#include "fuzz_files.h"

FUZZ_MALLOC

enum { CONTACTS = 2, ROWS = 3 * CONTACTS };

/* Two contacts, W = 2 I. */
static perp_problem *sound_problem(void)
{
    const double mu[CONTACTS] = {0.5, 0.25};
    double *b = perp_reals_new(ROWS);
    perp_operator *A = NULL;
    perp_set *set = NULL;
    perp_problem *p = NULL;
    perp_arrays entries;

    if (!b || perp_operator_new_dense(&A, ROWS, ROWS, NULL) != PERP_OK ||
        perp_set_new_cones(&set, 3, CONTACTS, mu, NULL) != PERP_OK) {
        abort();
    }
    entries = perp_operator_arrays(A);
    for (size_t i = 0; i < ROWS; i++) {
        entries.x[i + i * entries.ld] = 2.0;
        b[i] = -1.0;
    }
    if (perp_problem_new_take(&p, A, b, set, PERP_LAW_COULOMB, NULL) != PERP_OK) {
        abort();
    }
    return p;
}

FUZZ(fclib_bytes)
{
    static fuzz_sound sound;
    char path[128];
    char again[128];

    fuzz_path(path, "bytes.hdf5");
    fuzz_path(again, "bytes-again.hdf5");
    if (sound.size == 0) {
        fuzz_sound_write(&sound, sound_problem(), path, "fclib");
    }
    fuzz_put_damaged(path, &sound, data, size);
    fuzz_round(path, again, "fclib");
    unlink(path);
    unlink(again);
    return 0;
}
