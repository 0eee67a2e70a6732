/* SPDX-License-Identifier: Apache-2.0
 * runner/call.c: generator calls, "spd:n=100,seed=3": a family and its parameters. */
#include <config.h>

#include <stdio.h>
#include <string.h>

#include "experiments/cli/args.h"
#include "experiments/families/families.h"
#include "experiments/runner/call.h"
#include "experiments/runner/instance.h"

enum { CALL_WORD = 64 };

/* The family of any instance in time, and where the instance begins. */
static const char call_parametric[] = "parametric";
static const char call_where[] = "instance=";

static const perp_family *call_family(const char *name, perp_error *err)
{
    const perp_family *family = perp_family_find(name);
    perp_nearest best;

    if (!family) {
        perp_nearest_start(&best, name);
        for (const perp_family *const *f = perp_families(NULL); *f; f++) {
            perp_nearest_offer(&best, (*f)->name);
        }
        perp_fail(err, PERP_ERR_OPTION, "unknown family \"%s\", the nearest is \"%s\"",
                  name, best.name);
    }
    return family;
}

/* One "name=value", set in opt to have it checked. */
static perp_status call_parameter(const char *family, perp_options *opt, const char *text,
                                  size_t length, perp_error *err)
{
    size_t equals = strcspn(text, "=");
    char name[CALL_WORD], value[CALL_WORD];

    if (equals == 0 || equals >= length || equals >= CALL_WORD ||
        length - equals > CALL_WORD) {
        return perp_fail(err, PERP_ERR_OPTION,
                         "family %s: found \"%.*s\", expected parameter=value", family,
                         (int)length, text);
    }
    snprintf(name, sizeof name, "%.*s", (int)equals, text);
    snprintf(value, sizeof value, "%.*s", (int)(length - equals - 1), text + equals + 1);
    if (!perp_options_find(opt, name)) {
        perp_nearest best;

        perp_nearest_start(&best, name);
        cli_offer_options(&best, opt);
        return perp_fail(err, PERP_ERR_OPTION,
                         "family %s: unknown parameter \"%s\", the nearest is \"%s\"",
                         family, name, best.name);
    }
    if (perp_options_set(opt, name, value, err) != PERP_OK) {
        return perp_fail_in(err, PERP_ERR_OPTION, family);
    }
    return PERP_OK;
}

/* The parameters in text, "n=100,seed=3", into opt. */
static perp_status call_parameters(const char *family, perp_options *opt,
                                   const char *text, perp_error *err)
{
    size_t length = 0;

    for (const char *at = text; *at; at += length + (at[length] == ',')) {
        length = strcspn(at, ",");
        if (call_parameter(family, opt, at, length, err) != PERP_OK) {
            return err->status;
        }
    }
    return PERP_OK;
}

/* What follows "NAME:" in a call. */
static const char *call_rest(const char *call)
{
    const char *colon = strchr(call, ':');

    return colon ? colon + 1 : "";
}

static perp_status call_check_as(const char *call, bool sequence, perp_error *err)
{
    const perp_family *family = NULL;
    perp_options opt;
    char name[CALL_WORD];

    snprintf(name, sizeof name, "%.*s", (int)strcspn(call, ":"), call);
    family = call_family(name, err);
    if (!family) {
        return err->status;
    }
    perp_family_defaults(&opt, family, sequence);
    return call_parameters(name, &opt, call_rest(call), err);
}

perp_status call_check(const char *call, perp_error *err)
{
    return call_check_as(call, false, err);
}

perp_status call_make(perp_problem **p, const char *call, perp_error *err)
{
    perp_status status = call_check(call, err);

    *p = NULL;
    return status == PERP_OK ? perp_family_make(call, p, err) : status;
}

static bool call_is_parametric(const char *call)
{
    size_t length = strcspn(call, ":");

    return length == strlen(call_parametric) &&
           strncmp(call, call_parametric, length) == 0;
}

const char *call_instance(const char *call)
{
    const char *where = call_is_parametric(call) ? strstr(call, call_where) : NULL;

    return where && strchr(":,", where[-1]) ? where + strlen(call_where) : NULL;
}

/* The parameters before "instance=" into opt. */
static perp_status call_read_parametric(const char *call, perp_options *opt,
                                        perp_error *err)
{
    const char *where = call_instance(call);
    const char *rest = call_rest(call);
    char text[256];
    size_t length = where ? (size_t)(where - rest) - strlen(call_where) : 0;

    perp_family_defaults(opt, NULL, true);
    if (!where || !*where) {
        return perp_fail(err, PERP_ERR_OPTION,
                         "parametric: instance=WHERE is missing at the end of the call");
    }
    if (length >= sizeof text) {
        return perp_fail(err, PERP_ERR_OPTION, "parametric: too many parameters");
    }
    snprintf(text, sizeof text, "%.*s", (int)length, rest);
    return call_parameters(call_parametric, opt, text, err);
}

perp_status call_check_sequence(const char *call, perp_error *err)
{
    perp_options opt;

    return call_is_parametric(call) ? call_read_parametric(call, &opt, err)
                                    : call_check_as(call, true, err);
}

static perp_status call_make_parametric(perp_sequence **s, const char *call,
                                        perp_error *err)
{
    const instance_request request = {.path = call_instance(call)};
    instance *in = NULL;
    perp_options opt;
    perp_status status = call_read_parametric(call, &opt, err);

    status = status ? status : instance_open(&in, &request, err);
    status = status ? status : perp_sequence_new(s, call, err);
    status = status ? status : perp_parametric_sequence(in->problem, &opt, *s, err);
    instance_free(in);
    if (status != PERP_OK) {
        perp_sequence_free(*s);
        *s = NULL;
    }
    return status;
}

perp_status call_make_sequence(perp_sequence **s, const char *call, perp_error *err)
{
    perp_status status = call_check_sequence(call, err);

    *s = NULL;
    if (status != PERP_OK) {
        return status;
    }
    return call_is_parametric(call) ? call_make_parametric(s, call, err)
                                    : perp_family_make_sequence(call, s, err);
}

perp_status call_open_sequence(perp_sequence **s, const char *path, perp_error *err)
{
    return instance_is_call(path) ? call_make_sequence(s, strchr(path, ':') + 1, err)
                                  : perp_sequence_open(s, path, err);
}
