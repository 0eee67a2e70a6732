/* SPDX-License-Identifier: Apache-2.0
 * tests/fuzz/fuzz_matrix_market.c: any bytes as a folder of Matrix Market files
 * (fuzz_folder.h). */
#include <config.h>

#include "fuzz_folder.h"

static const char *const names[] = {
    "A.mtx", "b.mtx",          "M.mtx",      "H.mtx",  "G.mtx",       "f.mtx",
    "q.mtx", "lo.mtx",         "hi.mtx",     "mu.mtx", "findex.mtx",  "z.mtx",
    "w.mtx", "mu_rolling.mtx", "radius.mtx", "v.mtx",  "guess_1.mtx", "problem.json",
    NULL,
};

FUZZ(matrix_market)
{
    const fuzz_folder f = {.names = names};

    fuzz_folder_round(&f, "matrix-market", data, size);
    return 0;
}
