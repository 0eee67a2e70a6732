/* SPDX-License-Identifier: Apache-2.0
 * runner/suite_values.h: the values of something that varies.
 *
 *     [0.1, "5 %", true, "rk4"]  a list
 *     "log 1 1e6 7"              seven values from 1 to 1e6 with equal ratios
 *     "lin 0 2 5"                five values from 0 to 2 with equal differences
 *     "1..20"                    whole numbers
 *
 * Values between the ends of "log" and "lin" are rounded to a thousandth of their distance. */
#ifndef PERP_RUNNER_SUITE_VALUES_H
#define PERP_RUNNER_SUITE_VALUES_H

#include "command/campaign/document.h"
#include "command/campaign/suite_columns.h"

enum { SUITE_VALUES = 1000 };

/** The values as an array, a new reference. *listed: they are the items of d. */
perp_status suite_values_read(const document *d, json_t **values, bool *listed,
                              perp_error *err);
/** Fill text, unit and value (a new reference) of a column from one value: "10 ms" is
 *  0.01, "10ms", "s". */
perp_status suite_value_read(const document *d, suite_column *column, perp_error *err);

#endif
