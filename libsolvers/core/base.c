/* SPDX-License-Identifier: Apache-2.0
 * core/base.c: statuses, errors, the version, and checks of numbers. */
#include <config.h>

#include <limits.h>
#include <stdio.h>

#include "base/text.h"
#include "core/solvers.h"

const char *perp_status_text(perp_status status)
{
    switch (status) {
#define PERP_CASE(name, text)                                                            \
    case name:                                                                           \
        return text;
        PERP_STATUS_LIST(PERP_CASE)
#undef PERP_CASE
    }
    return "unknown status";
}

/* Names in a message are those of files and documents: a message is one line that a terminal
 * can show. */
perp_status perp_fail(perp_error *err, perp_status status, const char *format, ...)
{
    va_list args;

    if (err && err->status == PERP_OK) {
        err->status = status;
        va_start(args, format);
        vsnprintf(err->text, sizeof err->text, format, args);
        va_end(args);
        perp_text_show_in(err->text, sizeof err->text);
    }
    return status;
}

perp_status perp_fail_in(perp_error *err, perp_status status, const char *context)
{
    if (err && status != PERP_OK) {
        size_t length = strlen(context) + 2;
        size_t room = sizeof err->text - 1;

        if (length < room) {
            size_t keep = strlen(err->text);

            keep = keep < room - length ? keep : room - length;
            memmove(err->text + length, err->text, keep);
            memcpy(err->text, context, length - 2);
            memcpy(err->text + length - 2, ": ", 2);
            err->text[length + keep] = '\0';
            perp_text_show_in(err->text, sizeof err->text);
        }
    }
    return status;
}

void perp_error_clear(perp_error *err)
{
    if (err) {
        err->status = PERP_OK;
        err->text[0] = '\0';
    }
}

perp_status perp_check_arguments(bool complete, const char *function, perp_error *err)
{
    perp_error_clear(err);
    return complete ? PERP_OK
                    : perp_fail(err, PERP_ERR_ARGUMENT,
                                "%s: an argument is NULL that must not be", function);
}

const char *perp_version(void)
{
    return PACKAGE_VERSION;
}

perp_status perp_blas_int(size_t n, int *out, perp_error *err)
{
    if (n > INT_MAX) {
        return perp_fail(err, PERP_ERR_DATA, "size %zu is beyond the %d of BLAS", n,
                         INT_MAX);
    }
    *out = (int)n;
    return PERP_OK;
}

bool perp_all_finite(const double *x, size_t n)
{
    for (size_t i = 0; i < n; i++) {
        if (!isfinite(x[i])) {
            return false;
        }
    }
    return true;
}
