/* SPDX-License-Identifier: Apache-2.0
 * core/file.c: all bytes of a file. */
#include <config.h>

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>

#include "core.h"

/* All bytes of a stream, or more than `most` of them; NULL: see *status. */
static char *slurp(FILE *f, const char *path, size_t most, size_t *length,
                   perp_status *status, perp_error *err)
{
    size_t room = 1 << 16;
    char *text = malloc(room);

    *length = 0;
    while (text) {
        *length += fread(text + *length, 1, room - *length, f);
        if (*length < room || room > most) {
            break;
        }
        room *= 2;
        char *more = realloc(text, room);

        if (!more) {
            free(text);
        }
        text = more;
    }
    if (!text) {
        *status = perp_fail(err, PERP_ERR_MEMORY, "%s: no memory to read it", path);
    } else if (ferror(f)) {
        *status =
            perp_fail(err, PERP_ERR_READ, "%s: cannot read: %s", path, strerror(errno));
    }
    return text;
}

perp_status core_slurp(const char *path, size_t most, char **text, size_t *length,
                       perp_error *err)
{
    FILE *f = fopen(path, "rb");
    perp_status status = PERP_OK;

    *text = NULL;
    *length = 0;
    if (!f) {
        return perp_fail(err, PERP_ERR_READ, "%s: cannot open: %s", path,
                         strerror(errno));
    }
    *text = slurp(f, path, most, length, &status, err);
    fclose(f);
    if (status != PERP_OK) {
        free(*text);
        *text = NULL;
    }
    return status;
}
