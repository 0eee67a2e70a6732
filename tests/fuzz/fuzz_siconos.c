/* SPDX-License-Identifier: Apache-2.0
 * tests/fuzz/fuzz_siconos.c: the Siconos text format from any bytes. */
#include <config.h>

#include "fuzz_files.h"

FUZZ(siconos)
{
    char path[128];
    char again[128];

    fuzz_path(path, "siconos.txt");
    fuzz_path(again, "siconos-again.txt");
    fuzz_put(path, data, size);
    fuzz_round(path, again, "siconos");
    unlink(path);
    unlink(again);
    return 0;
}
