/* SPDX-License-Identifier: Apache-2.0
 * math/memory.c: arrays that grow, aligned memory, texts. */
#include <config.h>

#include <stdlib.h>

#include "base/text.h"
#include "math/math.h"

bool math_grow(void **array, size_t size, size_t room, size_t *new_room, size_t count)
{
    size_t wanted = room + room / 2 + 8;
    char *grown = NULL;

    if (count <= room && *array) {
        *new_room = room;
        return true;
    }
    if (wanted < count) {
        wanted = count;
    }
    if (wanted > SIZE_MAX / size) {
        return false;
    }
    grown = realloc(*array, wanted * size);
    if (!grown) {
        return false;
    }
    memset(grown + room * size, 0, (wanted - room) * size);
    *array = grown;
    *new_room = wanted;
    return true;
}

void *math_alloc(size_t count, size_t size)
{
    const size_t line = 64;
    size_t bytes = 0;
    void *memory = NULL;

    if (size > 0 && count > (SIZE_MAX - line) / size) {
        return NULL;
    }
    bytes = (count * size + line) / line * line;
    memory = aligned_alloc(line, bytes);
    return memory ? memset(memory, 0, bytes) : NULL;
}

char *math_text(const char *text)
{
    size_t length = strlen(text) + 1;
    char *copy = malloc(length);

    return copy ? memcpy(copy, text, length) : NULL;
}

char *math_stem(const char *path)
{
    const char *slash = strrchr(path, '/');
    char *name = math_text(slash ? slash + 1 : path);
    char *dot = name ? strrchr(name, '.') : NULL;
    char *valid = NULL;

    if (dot && dot > name) {
        *dot = '\0';
    }
    valid = name ? perp_text_utf8(name) : NULL;
    free(name);
    return valid;
}

bool math_finite(const double *x, size_t n)
{
    for (size_t k = 0; k < n; k++) {
        if (!isfinite(x[k])) {
            return false;
        }
    }
    return true;
}
