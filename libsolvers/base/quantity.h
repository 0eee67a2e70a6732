/* SPDX-License-Identifier: Apache-2.0
 * base/quantity.h: units, and the numbers before them. Private. */
#ifndef PERP_BASE_QUANTITY_H
#define PERP_BASE_QUANTITY_H

#include <perp/quantity.h>

enum { PERP_UNIT_LENGTH = 48 }; /**< bytes of a unit */

/** The factor to SI of a unit that has the dimension of `si` ("m", "N s/m", "1"); false:
 *  an unknown unit or another dimension. Angles count as a dimension in units of angles
 *  only. */
bool perp_unit_factor(const char *text, const char *si, double *factor);
/** "m, mm, cm, km": the SI unit and the named units of its dimension. */
void perp_unit_list(const char *si, char *text, size_t length);
/** The k-th unit of "m|rad", or the last one. */
void perp_unit_pick(const char *units, unsigned k, char unit[PERP_UNIT_LENGTH]);
/** The SI unit of the same dimension, "m/s" for "km/h"; false: unknown unit. */
bool perp_unit_base(const char *text, char base[PERP_UNIT_LENGTH]);

/** A number as JSON writes it, whatever the locale; PERP_ERR_FORMAT: not a number or
 *  outside the range of doubles; PERP_ERR_MEMORY. Without a message. */
perp_status perp_quantity_number(const char *text, size_t length, double *x);
/** NUMBER[/NUMBER] at the start of a text, and the unit after it. Without a message. */
perp_status perp_quantity_split(const char *text, double *x, const char **unit);

/** Whether expressions have a function or constant with this name. */
bool perp_expression_has(const char *name);

#endif
