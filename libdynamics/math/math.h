/* SPDX-License-Identifier: Apache-2.0
 * math/math.h: memory, texts and numbers for all modules. Private. */
#ifndef PERP_MATH_MATH_H
#define PERP_MATH_MATH_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "math/vec3.h"

/** Reserve at least `count` entries of `size` bytes in *array; the capacity grows by
 *  half. New bytes are zero. Returns false, with nothing changed, if there is no
 *  memory. */
bool math_grow(void **array, size_t size, size_t room, size_t *new_room, size_t count);
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
