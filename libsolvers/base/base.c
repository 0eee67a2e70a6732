/* SPDX-License-Identifier: Apache-2.0
 * base/base.c: the clock and the nearest word. */
#include <config.h>

#include <string.h>
#include <time.h>

#include "base/base.h"

double perp_clock(void)
{
    struct timespec t;

    clock_gettime(CLOCK_MONOTONIC, &t);
    return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

/* Dynamic programming over one row of the table of prefixes. */
size_t perp_edit_distance(const char *a, const char *b)
{
    size_t row[64];
    size_t la = strnlen(a, 63);
    size_t lb = strnlen(b, 63);

    for (size_t j = 0; j <= lb; j++) {
        row[j] = j;
    }
    for (size_t i = 1; i <= la; i++) {
        size_t corner = row[0];

        row[0] = i;
        for (size_t j = 1; j <= lb; j++) {
            size_t change = corner + (a[i - 1] != b[j - 1]);
            size_t step = (row[j] < row[j - 1] ? row[j] : row[j - 1]) + 1;

            corner = row[j];
            row[j] = change < step ? change : step;
        }
    }
    return row[lb];
}

void perp_nearest_start(perp_nearest *best, const char *typed)
{
    *best = (perp_nearest){.typed = typed, .name = "", .distance = SIZE_MAX};
}

void perp_nearest_offer(perp_nearest *best, const char *name)
{
    size_t distance = perp_edit_distance(best->typed, name);

    if (distance < best->distance) {
        best->distance = distance;
        best->name = name;
    }
}
