/* SPDX-License-Identifier: Apache-2.0
 * math/math.h: memory, texts and numbers for all modules. Private. */
#ifndef PERP_MATH_MATH_H
#define PERP_MATH_MATH_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "math/vec3.h"

/** An array that grows: the address of the pointer to it, and the bytes of an entry. */
typedef struct math_column {
    void *array;
    size_t size;
} math_column;
/** The column of a pointer, with `width` items for each entry. */
#define COLUMN(array, width)                                                             \
    (math_column)                                                                        \
    {                                                                                    \
        &(array), (width) * sizeof *(array)                                              \
    }
/** Reserve at least `count` entries in n columns of the capacity *room, which grows by
 *  half. New bytes are zero. False: no memory; what the arrays contain is unchanged, and
 *  the call may be repeated. */
bool math_grow(const math_column *columns, size_t n, size_t *room, size_t count);
/** The same for one array, a pointer, with its capacity. */
#define GROW(array, room, count) math_grow(&COLUMN(array, 1), 1, &(room), count)
/** The same for entries of `width` items. */
#define GROW_WIDE(array, width, room, count)                                             \
    math_grow(&COLUMN(array, width), 1, &(room), count)
/** Allocate count * size zeroed bytes, aligned to 64; NULL: no memory. Free them with
 *  free(). */
void *math_alloc(size_t count, size_t size);
/** A copy of a text, or NULL. */
char *math_text(const char *text);
/** The name of a file without its directories and its extension, or NULL. */
char *math_stem(const char *path);
/** Whether all n numbers are finite. */
bool math_finite(const double *x, size_t n);
/** Scale to unit length, unless the length is 1 up to rounding: a normalized vector that
 *  was written with all digits is then read unchanged. Returns the former length. */
double math_quat_settle(double q[4]);
/** One of the two unit quaternions of a rotation. */
void math_quat_of(const double R[9], double q[4]);
/** The exponential coordinates of the rotation R with |q| <= pi. */
void math_exponential_of(const double R[9], double q[3]);

#endif
