/* SPDX-License-Identifier: Apache-2.0
 * runner/call.c: generator calls, "spd:n=100,seed=3": a family and its parameters. */
#include <config.h>

#include <stdio.h>
#include <string.h>

#include "experiments/cli/nearest.h"
#include "experiments/families/families.h"
#include "experiments/runner/call.h"

enum { CALL_WORD = 64 };

static const perp_family *call_family(const char *name, perp_error *err)
{
    const perp_family *family = perp_family_find(name);
    nearest best;

    if (!family) {
        nearest_start(&best, name);
        for (const perp_family *const *f = perp_families(NULL); *f; f++) {
            nearest_offer(&best, (*f)->name);
        }
        perp_fail(err, PERP_ERR_OPTION, "unknown family \"%s\", the nearest is \"%s\"",
                  name, best.name);
    }
    return family;
}

/* One "name=value", set in opt to have it checked. */
static perp_status call_parameter(const perp_family *family, perp_options *opt,
                                  const char *text, size_t length, perp_error *err)
{
    size_t equals = strcspn(text, "=");
    char name[CALL_WORD], value[CALL_WORD];

    if (equals == 0 || equals >= length || equals >= CALL_WORD ||
        length - equals > CALL_WORD) {
        return perp_fail(err, PERP_ERR_OPTION,
                         "family %s: found \"%.*s\", expected parameter=value",
                         family->name, (int)length, text);
    }
    snprintf(name, sizeof name, "%.*s", (int)equals, text);
    snprintf(value, sizeof value, "%.*s", (int)(length - equals - 1), text + equals + 1);
    if (!perp_options_find(opt, name)) {
        nearest best;

        nearest_start(&best, name);
        nearest_offer_options(&best, opt);
        return perp_fail(err, PERP_ERR_OPTION,
                         "family %s: unknown parameter \"%s\", the nearest is \"%s\"",
                         family->name, name, best.name);
    }
    if (perp_options_set(opt, name, value, err) != PERP_OK) {
        return perp_fail_in(err, PERP_ERR_OPTION, family->name);
    }
    return PERP_OK;
}

perp_status call_check(const char *call, perp_error *err)
{
    size_t length = strcspn(call, ":");
    const perp_family *family = NULL;
    perp_options opt;
    char name[CALL_WORD];

    snprintf(name, sizeof name, "%.*s", (int)length, call);
    family = call_family(name, err);
    if (!family) {
        return err->status;
    }
    memset(&opt, 0, sizeof opt);
    opt.tables[0] = family->parameters;
    for (const char *at = call + length; *at; at += length) {
        length = strcspn(++at, ",");
        if (call_parameter(family, &opt, at, length, err) != PERP_OK) {
            return err->status;
        }
    }
    return PERP_OK;
}

perp_status call_make(perp_problem **p, const char *call, perp_error *err)
{
    perp_status status = call_check(call, err);

    *p = NULL;
    return status == PERP_OK ? perp_family_make(call, p, err) : status;
}
