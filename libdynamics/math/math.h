/* SPDX-License-Identifier: Apache-2.0
 * math/math.h: memory, texts and numbers that every room may use. Private. */
#ifndef PERP_MATH_MATH_H
#define PERP_MATH_MATH_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "math/vec3.h"

/** Let *array (entries of `size` bytes) hold at least `count`: room grows by half. Bytes
 *  that are new are zero. False without memory; then nothing changed. */
bool math_grow(void **array, size_t size, size_t room, size_t *new_room, size_t count);
/** Zeroed memory for count * size bytes, aligned to 64; NULL without.
 *  Freed with free(). */
void *math_alloc(size_t count, size_t size);
/** A copy of a text, or NULL. */
char *math_text(const char *text);
/** The name of a file without its folders and what stands behind its last dot, or
 *  NULL. */
char *math_stem(const char *path);
/** Whether all n numbers are finite. */
bool math_finite(const double *x, size_t n);
/** Scale to unit length, unless it has that to rounding: what was normalized once and
 *  written with all digits is then read as it was. Returns the length it had. */
double math_quat_settle(double q[4]);
/** One of the two unit quaternions of a rotation. */
void math_quat_of(const double R[9], double q[4]);

#endif
