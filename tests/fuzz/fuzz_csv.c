/* SPDX-License-Identifier: Apache-2.0
 * tests/fuzz/fuzz_csv.c: any bytes as a folder of CSV files
 * (fuzz_folder.h). */
#include <config.h>

#include "fuzz_folder.h"

static const char *const names[] = {
    "A.csv", "b.csv",          "M.csv",      "H.csv",  "G.csv",       "f.csv",
    "q.csv", "lo.csv",         "hi.csv",     "mu.csv", "findex.csv",  "z.csv",
    "w.csv", "mu_rolling.csv", "radius.csv", "v.csv",  "guess_1.csv", "problem.json",
    NULL,
};

FUZZ(csv)
{
    const fuzz_folder f = {.names = names};

    fuzz_folder_round(&f, "csv", data, size);
    return 0;
}
