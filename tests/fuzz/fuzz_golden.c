/* SPDX-License-Identifier: Apache-2.0
 * tests/fuzz/fuzz_golden.c: any bytes as a file of perp-golden. */
#include <config.h>

#include "fuzz_files.h"

FUZZ(golden)
{
    char path[128];
    char again[128];

    fuzz_path(path, "in");
    fuzz_path(again, "out");
    fuzz_put(path, data, size);
    fuzz_round(path, again, "perp-golden");
    unlink(path);
    unlink(again);
    return 0;
}
