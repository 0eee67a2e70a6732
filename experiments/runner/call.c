/* SPDX-License-Identifier: Apache-2.0
 * runner/call.c: generator calls, "spd:n=100,seed=3": a family and its parameters. */
#include <config.h>

#include <stdio.h>
#include <string.h>

#include "experiments/families/families.h"
#include "experiments/runner/call.h"
#include "experiments/runner/instance.h"

/* The family of any instance in time, and where the instance begins. */
static const char call_parametric[] = "parametric";
static const char call_where[] = "instance=";

perp_status call_check(const char *call, perp_error *err)
{
    const perp_family *family = NULL;
    perp_options opt;

    return perp_family_parse(call, false, &family, &opt, err);
}

static bool call_is_parametric(const char *call)
{
    size_t length = strcspn(call, ":");

    return length == strlen(call_parametric) &&
           strncmp(call, call_parametric, length) == 0;
}

json_t *call_parameters(const char *call, bool sequence)
{
    bool parametric = sequence && call_is_parametric(call);
    const perp_family *family = NULL;
    char name[64];
    perp_options opt;
    json_t *parameters = NULL;

    snprintf(name, sizeof name, "%.*s", (int)strcspn(call, ":"), call);
    family = perp_family_find(name);
    parameters = family || parametric ? json_object() : NULL;
    if (parameters) {
        perp_family_defaults(&opt, parametric ? NULL : family, sequence);
        for (size_t t = 0; t < PERP_OPTION_TABLES; t++) {
            for (const perp_option *o = opt.tables[t]; o && o->name; o++) {
                json_object_set_new(parameters, o->name, json_string(""));
            }
        }
    }
    return parameters;
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
    const char *rest = NULL;
    char text[256];
    perp_status status = PERP_OK;
    size_t length = 0;

    perp_family_defaults(opt, NULL, true);
    if (!where || !*where) {
        return perp_fail(err, PERP_ERR_OPTION,
                         "parametric: instance=WHERE is missing at the end of the call");
    }
    rest = call + strlen(call_parametric) + 1;
    length = (size_t)(where - rest) - strlen(call_where);
    if (length >= sizeof text) {
        return perp_fail(err, PERP_ERR_OPTION, "parametric: too many parameters");
    }
    snprintf(text, sizeof text, "%.*s", (int)length, rest);
    status = perp_options_parse(opt, text, err);
    return status == PERP_OK ? PERP_OK : perp_fail_in(err, status, call_parametric);
}

perp_status call_check_sequence(const char *call, perp_error *err)
{
    const perp_family *family = NULL;
    perp_options opt;

    return call_is_parametric(call) ? call_read_parametric(call, &opt, err)
                                    : perp_family_parse(call, true, &family, &opt, err);
}

static perp_status call_make_parametric(perp_sequence **s, const char *call,
                                        perp_error *err)
{
    const instance_request request = {.path = call_instance(call)};
    instance *in = NULL;
    perp_options opt;
    perp_status status = call_read_parametric(call, &opt, err);

    *s = NULL;
    if (status == PERP_OK) {
        status = instance_open(&in, &request, err);
    }
    if (status == PERP_OK) {
        status = perp_sequence_new(s, call, err);
    }
    if (status == PERP_OK) {
        status = perp_parametric_sequence(in->problem, &opt, *s, err);
    }
    instance_free(in);
    if (status != PERP_OK) {
        perp_sequence_free(*s);
        *s = NULL;
    }
    return status;
}

perp_status call_make_sequence(perp_sequence **s, const char *call, perp_error *err)
{
    return call_is_parametric(call) ? call_make_parametric(s, call, err)
                                    : perp_family_make_sequence(call, s, err);
}

perp_status call_open_sequence(perp_sequence **s, const char *path, perp_error *err)
{
    return instance_is_call(path) ? call_make_sequence(s, strchr(path, ':') + 1, err)
                                  : perp_sequence_open(s, path, err);
}
