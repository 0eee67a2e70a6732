/* SPDX-License-Identifier: Apache-2.0
 * read/scene/quantity.h: numbers with units, expressions, random numbers. Private. */
#ifndef PERP_READ_SCENE_QUANTITY_H
#define PERP_READ_SCENE_QUANTITY_H

#include "read/scene/tables.h"

/* quantities.c: numbers with units. */

/* perp_quantity_split with a message. */
perp_status scene_read_number(scene_reader *rd, const scene_at *at, const scene_member *m,
                              const char *text, double *x, const char **unit);

perp_status scene_read_real(scene_reader *rd, const scene_at *at, const scene_member *m,
                            double *x);

/* A text with its expressions replaced by their values: the text itself, or
 * rd->scratch. */
perp_status scene_fill(scene_reader *rd, const scene_at *at, const char **text);
/* The same for a name or a title, where braces are ordinary characters if the scene has
 * no parameters and nothing is repeated. */
perp_status scene_expand(scene_reader *rd, const scene_at *at, const char **text);
/* A whole number, or an expression. */
perp_status scene_read_integer(scene_reader *rd, const scene_at *at, long low, long high,
                               long *x);

/* computed.c: numbers that a scene computes. */

/* Evaluate the expression at *p up to `close`, and move *p after it; messages show the
 * text; *draws: number of random numbers drawn in it so far. The value is finite. */
perp_status scene_evaluate(scene_reader *rd, const scene_at *at, const char *text,
                           const char **p, char close, unsigned *draws, double *x);
/* Print integers without a decimal point, other numbers with the fewest digits that read
 * back the same. */
void scene_print(double x, char text[SCENE_DIGITS]);

/* random.c: random numbers, each from its position and the present indices. */

/* A stream for one call at a position, and a stream that is the same at every
 * position. */
perp_random scene_random_place(const scene_reader *rd, const scene_at *at, unsigned call);
perp_random scene_random_shared(const scene_reader *rd, int64_t number);
void scene_random_rotation(const scene_reader *rd, const scene_at *at, double q[4]);

#endif
