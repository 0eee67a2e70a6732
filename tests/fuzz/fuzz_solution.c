/* SPDX-License-Identifier: Apache-2.0
 * tests/fuzz/fuzz_solution.c: any bytes as the answer of another tool. */
#include <config.h>

#include "command/campaign/solution.h"
#include "fuzz_files.h"

FUZZ(solution)
{
    char path[128];
    solution *s = NULL;
    perp_error err = {0};

    fuzz_path(path, "solution");
    fuzz_put(path, data, size);
    if ((solution_read(&s, path, &err) == PERP_OK) != (s != NULL) ||
        (!s && !err.text[0]) ||
        (s && !s->z && s->certificate.c.kind == PERP_CERTIFICATE_NONE)) {
        abort();
    }
    solution_free(s);
    unlink(path);
    return 0;
}
