/* SPDX-License-Identifier: Apache-2.0
 * math/memory.c: arrays that grow, aligned memory, texts. */
#include <config.h>

#include <stdlib.h>

#include "base/text.h"
#include "math/math.h"

/* Grow one array; `array` is the address of any pointer, which memcpy reads and writes. */
static bool memory_grow(const math_column *column, size_t room, size_t wanted)
{
    char *grown = NULL;
    size_t had = 0;

    memcpy(&grown, column->array, sizeof grown);
    had = grown ? room : 0;
    if (had == wanted) {
        return true;
    }
    if (wanted > SIZE_MAX / column->size) {
        return false;
    }
    grown = realloc(grown, wanted * column->size);
    if (!grown) {
        return false;
    }
    memset(grown + had * column->size, 0, (wanted - had) * column->size);
    memcpy(column->array, &grown, sizeof grown);
    return true;
}

bool math_grow(const math_column *columns, size_t n, size_t *room, size_t count)
{
    size_t wanted = *room;

    if (count > *room || *room == 0) {
        wanted += *room / 2 + 8;
        wanted = wanted < count ? count : wanted;
    }
    for (size_t k = 0; k < n; k++) {
        if (!memory_grow(&columns[k], *room, wanted)) {
            return false;
        }
    }
    *room = wanted;
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
