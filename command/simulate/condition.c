/* SPDX-License-Identifier: Apache-2.0
 * simulate/condition.c: the condition under which a step is captured. */
#include <config.h>

#include <ctype.h>
#include <math.h>
#include <string.h>

#include <perp/dynamics/scene.h>

#include "command/simulate/condition.h"

/* A condition and the values of its variables; NULL: 0 each, for a check. */
typedef struct condition_values {
    const condition *c;
    const double *values;
} condition_values;

/* The longest known name counts: "drift-length" is one where it is known, else drift minus
 * length. */
static size_t condition_find(void *context, const char *text, double *value)
{
    const condition_values *v = context;
    const char *const *names = v->c->names;
    size_t longest = 0;

    for (size_t k = 0; names[k]; k++) {
        size_t n = strlen(names[k]);

        if (n > longest && strncmp(text, names[k], n) == 0 &&
            !isalnum((unsigned char)text[n]) && text[n] != '_') {
            longest = n;
            *value = v->values ? v->values[k] : 0.0;
        }
    }
    return longest;
}

static const char *condition_known(void *context, size_t k)
{
    return ((const condition_values *)context)->c->names[k];
}

static perp_status condition_evaluate(const condition *c, const double *values,
                                      double *value, perp_error *err)
{
    condition_values v = {c, values};
    const perp_expression_names names = {
        .context = &v, .find = condition_find, .known = condition_known};
    const char *at = c->text;

    return perp_expression_evaluate(&names, c->text, &at, '\0', value, err);
}

perp_status condition_parse(condition *c, const char *text, const char *const *names,
                            perp_error *err)
{
    const char *digits = text + strspn(text, " \t\n+-");
    double n = 0.0;
    perp_error cause = {0};

    *c = (condition){.text = text, .names = names};
    while (names[c->step] && strcmp(names[c->step], "step") != 0) {
        c->step++;
    }
    if (condition_evaluate(c, NULL, &n, &cause) != PERP_OK) {
        return perp_fail(err, PERP_ERR_OPTION, "%s", cause.text);
    }
    if (digits[strspn(digits, " \t\n0123456789.eE")]) {
        return PERP_OK;
    }
    if (!(n >= 1.0) || n != floor(n) || !names[c->step]) {
        return perp_fail(
            err, PERP_ERR_OPTION,
            "column 1: found %g, expected a whole number of steps from 1, or "
            "a condition",
            n);
    }
    c->every = n;
    return PERP_OK;
}

double condition_value(const condition *c, const double *values)
{
    double x = 0.0;

    if (c->every > 0.0) {
        return fmod(values[c->step], c->every) == 0.0;
    }
    return condition_evaluate(c, values, &x, NULL) == PERP_OK ? x : 0.0;
}

bool condition_holds(const condition *c, const double *values)
{
    double x = condition_value(c, values);

    return x != 0.0 && !isnan(x);
}
