/* SPDX-License-Identifier: Apache-2.0
 * base/base.c: the clock and the nearest word. */
#include <config.h>

#include <stdio.h>
#include <string.h>
#include <time.h>

#include "base/base.h"

double perp_clock(void)
{
    struct timespec t;

    clock_gettime(CLOCK_MONOTONIC, &t);
    return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

static size_t least(size_t a, size_t b)
{
    return a < b ? a : b;
}

/* Dynamic programming over the table of prefixes, of which three rows are kept. */
size_t perp_edit_distance(const char *a, const char *b)
{
    size_t rows[3][64];
    size_t la = strnlen(a, 63);
    size_t lb = strnlen(b, 63);

    for (size_t j = 0; j <= lb; j++) {
        rows[0][j] = j;
    }
    for (size_t i = 1; i <= la; i++) {
        size_t *now = rows[i % 3];
        const size_t *last = rows[(i + 2) % 3];

        now[0] = i;
        for (size_t j = 1; j <= lb; j++) {
            now[j] = least(last[j - 1] + (a[i - 1] != b[j - 1]),
                           least(last[j], now[j - 1]) + 1);
            if (i > 1 && j > 1 && a[i - 1] == b[j - 2] && a[i - 2] == b[j - 1]) {
                now[j] = least(now[j], rows[(i + 1) % 3][j - 2] + 1);
            }
        }
    }
    return rows[la % 3][lb];
}

void perp_nearest_start(perp_nearest *best, const char *typed)
{
    *best = (perp_nearest){.typed = typed, .dashes = "", .distance = SIZE_MAX};
}

void perp_nearest_offer(perp_nearest *best, const char *name)
{
    size_t distance = perp_edit_distance(best->typed, name);
    size_t room = sizeof best->known - best->length;
    int length = snprintf(best->known + best->length, room, "%s%s",
                          best->length ? ", " : "", name);

    if (length >= 0 && (size_t)length < room && !best->more) {
        best->length += (size_t)length;
    } else {
        best->known[best->length] = '\0';
        best->more = true;
    }
    if (distance < best->distance) {
        best->distance = distance;
        snprintf(best->name, sizeof best->name, "%.63s", name);
    }
}

bool perp_nearest_is_near(const perp_nearest *best)
{
    enum { PART = 3 }; /* letters that count as a part of a name */
    size_t typed = strlen(best->typed);
    size_t known = strlen(best->name);
    size_t longest = typed > known ? typed : known;

    return (best->distance < longest &&
            best->distance <= (longest > 3 ? longest / 3 : 1)) ||
           (typed >= PART && strstr(best->name, best->typed)) ||
           (known >= PART && strstr(best->typed, best->name));
}

const char *perp_nearest_advice(perp_nearest *best)
{
    if (!*best->name) {
        snprintf(best->advice, sizeof best->advice, "there is none");
    } else if (perp_nearest_is_near(best)) {
        snprintf(best->advice, sizeof best->advice,
                 *best->dashes ? "the nearest is %s%.200s"
                               : "the nearest is \"%s%.200s\"",
                 best->dashes, best->name);
    } else {
        snprintf(best->advice, sizeof best->advice, "expected one of: %s%s", best->known,
                 best->more ? ", ..." : "");
    }
    return best->advice;
}
