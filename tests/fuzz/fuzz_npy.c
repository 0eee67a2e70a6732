/* SPDX-License-Identifier: Apache-2.0
 * tests/fuzz/fuzz_npy.c: any bytes as a folder of NumPy arrays (fuzz_folder.h). */
#include <config.h>

#include "fuzz_folder.h"

static const char *const names[] = {
    "A.npy",          "A_data.npy", "A_indices.npy", "A_indptr.npy",
    "A_shape.npy",    "A.npz",      "H.npz",         "M.npz",
    "b.npy",          "M.npy",      "H.npy",         "G.npy",
    "f.npy",          "q.npy",      "lo.npy",        "hi.npy",
    "mu.npy",         "findex.npy", "z.npy",         "w.npy",
    "mu_rolling.npy", "radius.npy", "v.npy",         "guess_1.npy",
    "problem.json",   NULL,
};

FUZZ(npy)
{
    const fuzz_folder f = {.names = names, .binary = true};

    fuzz_folder_round(&f, "npy", data, size);
    return 0;
}
