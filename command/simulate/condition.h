/* SPDX-License-Identifier: Apache-2.0
 * simulate/condition.h: the condition under which a step is captured.
 *
 *     step%50==0    residual>1e-6 || failed    t>=2 && !(penetration<1e-4)
 *
 * An expression (<perp/dynamics/scene.h>) that is true or not. A whole number N alone means
 * step%N==0. */
#ifndef PERP_SIMULATE_CONDITION_H
#define PERP_SIMULATE_CONDITION_H

#include <perp/perp.h>

typedef struct condition {
    const char *text;         /* borrowed */
    const char *const *names; /* the variables, ended by NULL; borrowed */
    double every;             /* steps; 0: a condition */
    size_t step;              /* which of the variables is "step" */
} condition;

/** Check `text`; "step" is one of the names. PERP_ERR_OPTION names the column, counted from
 *  1, and the nearest known name. */
perp_status condition_parse(condition *c, const char *text, const char *const *names,
                            perp_error *err);
/** Does it hold for these values, in the order of the names? NaN is not true. */
bool condition_holds(const condition *c, const double *values);
/** Its value as a number. */
double condition_value(const condition *c, const double *values);

#endif
