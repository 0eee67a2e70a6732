/* SPDX-License-Identifier: Apache-2.0
 * tests/external/here.h: whether a code is here, for tests that say so where it is not. */
#ifndef PERP_TEST_HERE_H
#define PERP_TEST_HERE_H

#include <string.h>

#include <perp/external.h>

#include "support.h"

/** Is the code of the solver "ode:dantzig" here? Notes it where not. */
static inline bool code_is_here(const char *solver)
{
    char path[4096];
    bool found = false;

    for (const perp_code *const *code = perp_codes(NULL); *code; code++) {
        size_t length = strlen((*code)->name);

        if (strncmp((*code)->name, solver, length) == 0 && solver[length] == ':') {
            found = perp_code_program(*code, path, sizeof path);
        }
    }
    if (!found) {
        test_note("%s is not here", solver);
    }
    return found;
}

#endif
