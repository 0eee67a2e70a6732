/* SPDX-License-Identifier: Apache-2.0
 * tests/fuzz/fuzz_exec.c: any bytes as the solution file of a program. The first byte is the
 * number of rows. A point that is accepted is finite and whole, one that is not leaves z as it
 * was; every text is valid, ends, and has no line breaks. */
#include <config.h>

#include <math.h>

#include "base/file.h"
#include "external/external.h"
#include "fuzz_files.h"

enum { ROWS = 8 };
static const double untouched = -7.25;

static void check_text(const char *text, size_t room)
{
    size_t length = strnlen(text, room);
    char *valid = length < room ? perp_text_valid(text, length) : NULL;

    if (!valid || strcmp(valid, text) != 0) {
        abort();
    }
    for (size_t k = 0; k < length; k++) {
        if ((unsigned char)text[k] < ' ') {
            abort();
        }
    }
    free(valid);
}

FUZZ(exec)
{
    size_t n = size > 0 ? data[0] % (ROWS + 1) : 0;
    char path[128];
    double z[ROWS + 1];
    perp_external_answer a;
    perp_error err = {0};
    perp_status status = PERP_OK;

    fuzz_path(path, "solution");
    fuzz_put(path, data + (size > 0), size - (size > 0));
    for (size_t i = 0; i <= ROWS; i++) {
        z[i] = untouched;
    }
    status = perp_external_read(path, n, z, &a, &err);
    for (size_t i = 0; i <= ROWS; i++) {
        if (status == PERP_OK && i < n ? !isfinite(z[i]) : z[i] != untouched) {
            abort();
        }
    }
    if ((status != PERP_OK && !err.text[0]) || !(a.seconds >= 0.0) ||
        !isfinite(a.seconds)) {
        abort();
    }
    check_text(a.claim, sizeof a.claim);
    check_text(a.version, sizeof a.version);
    check_text(a.message, sizeof a.message);
    check_text(a.reformulation, sizeof a.reformulation);
    unlink(path);
    return 0;
}
