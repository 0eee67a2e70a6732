/* SPDX-License-Identifier: Apache-2.0
 * tests/fuzz/fuzz_json.c: any bytes as a problem in JSON. */
#include <config.h>

#include "fuzz_files.h"

FUZZ(json)
{
    char path[128];
    char again[128];

    fuzz_path(path, "in.json");
    fuzz_path(again, "out.json");
    fuzz_put(path, data, size);
    fuzz_round(path, again, "json");
    unlink(path);
    unlink(again);
    return 0;
}
