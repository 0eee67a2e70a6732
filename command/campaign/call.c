/* SPDX-License-Identifier: Apache-2.0
 * runner/call.c: generator calls, "spd:n=100,seed=3": a family and its parameters. */
#include <config.h>

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <perp/dynamics/scene.h>

#include "base/setting.h"
#include "base/text.h"
#include "command/campaign/call.h"
#include "command/campaign/instance.h"
#include "command/cli/take.h"
#include "command/generate/families.h"

/* The family of any instance in time, and where the instance begins. */
static const char call_parametric[] = "parametric";
static const char call_where[] = "instance=";

/* The unit that the help of a parameter ends with, "push along x [N]", into `unit`, or "". */
static void call_unit(const perp_options *opt, const char *name, char unit[16])
{
    const perp_option *o = perp_options_find(opt, name);
    const char *from = o && o->kind == PERP_OPTION_REAL ? strrchr(o->help, '[') : NULL;
    size_t length = from ? strcspn(from + 1, "]") : 0;

    unit[0] = '\0';
    if (length > 0 && length < 16 && strcmp(from + 1 + length, "]") == 0) {
        snprintf(unit, 16, "%.*s", (int)length, from + 1);
    }
}

/* One parameter, "angle=20 deg", appended to `out` in SI units; a number without a unit and what
 * is no quantity stay as they are. */
static perp_status call_setting(FILE *out, const perp_options *opt, const perp_setting *s,
                                perp_error *err)
{
    char name[64], text[PERP_OPTION_TEXT_LENGTH], unit[16], *end = NULL;
    perp_error inner = {0};
    double x = 0.0;

    snprintf(name, sizeof name, "%.*s",
             s->name_length < sizeof name ? (int)s->name_length : 0, s->name);
    snprintf(text, sizeof text, "%.*s",
             s->value_length < sizeof text ? (int)s->value_length : 0, s->value);
    call_unit(opt, name, unit);
    (void)strtod(text, &end);
    if (!*unit || end == text || !*end) {
        fprintf(out, "%.*s", (int)s->item_length, s->item);
        return PERP_OK;
    }
    if (perp_quantity_read(text, unit, &x, &inner) != PERP_OK) {
        return perp_fail(err, PERP_ERR_OPTION, "option \"%s\"%s", name, inner.text);
    }
    fprintf(out, "%s=%.17g", name, x);
    return PERP_OK;
}

/* The settings of `list`: a comma ends one, and a blank where more than one "=" comes before it. */
static perp_status call_settings(FILE *out, const perp_options *opt, const char *list,
                                 perp_error *err)
{
    perp_status status = PERP_OK;
    perp_setting s;
    const char *mark = ":";

    while (status == PERP_OK && *list) {
        size_t length = strcspn(list, ",");
        const char *equals = memchr(list, '=', length);
        const bool one =
            equals && !memchr(equals + 1, '=', length - (size_t)(equals + 1 - list));

        if (!perp_setting_next(&s, &list, one ? "," : ", ")) {
            break;
        }
        fputs(mark, out);
        mark = ",";
        status = call_setting(out, opt, &s, err);
    }
    return status;
}

/* The call with all quantities in SI units, on the heap. */
static perp_status call_in_si(char **si, const char *call, bool sequence, perp_error *err)
{
    const size_t head = strcspn(call, ":");
    char name[64];
    const perp_family *family = NULL;
    perp_options opt;
    size_t size = 0;
    FILE *out = take_stream(si, &size);
    perp_status status = PERP_OK;

    snprintf(name, sizeof name, "%.*s", head < sizeof name ? (int)head : 0, call);
    family = perp_family_find(name);
    if (family && call[head]) {
        perp_family_defaults(&opt, family, sequence);
        fputs(name, out);
        status = call_settings(out, &opt, call + head + 1, err);
    } else {
        fputs(call, out);
    }
    take_stream_end(out);
    if (status != PERP_OK) {
        free(*si);
        *si = NULL;
        return *name ? perp_fail_in(err, status, name) : status;
    }
    return PERP_OK;
}

static perp_status call_parse(const char *call, bool sequence, perp_error *err)
{
    const perp_family *family = NULL;
    char *si = NULL;
    perp_options opt;
    perp_status status = call_in_si(&si, call, sequence, err);

    if (status == PERP_OK) {
        status = perp_family_parse(si, sequence, &family, &opt, err);
    }
    free(si);
    return status;
}

perp_status call_check(const char *call, perp_error *err)
{
    return call_parse(call, false, err);
}

/* A copy of `call` in *name, freed before. */
static void call_name(char **name, const char *call)
{
    free(*name);
    *name = take_text(call);
}

perp_status call_make(perp_problem **p, const char *call, perp_error *err)
{
    char *si = NULL;
    perp_status status = call_in_si(&si, call, false, err);

    *p = NULL;
    if (status == PERP_OK) {
        status = perp_family_make(si, p, err);
    }
    free(si);
    if (status == PERP_OK) {
        call_name(&(*p)->name, call);
    }
    if (status != PERP_OK) {
        perp_problem_free(*p);
        *p = NULL;
    }
    return status;
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
    perp_options opt;

    return call_is_parametric(call) ? call_read_parametric(call, &opt, err)
                                    : call_parse(call, true, err);
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
    char *si = NULL;
    perp_status status = PERP_OK;

    if (call_is_parametric(call)) {
        return call_make_parametric(s, call, err);
    }
    *s = NULL;
    status = call_in_si(&si, call, true, err);
    if (status == PERP_OK) {
        status = perp_family_make_sequence(si, s, err);
    }
    free(si);
    return status;
}

perp_status call_open_sequence(perp_sequence **s, const char *path, perp_error *err)
{
    return instance_is_call(path) ? call_make_sequence(s, strchr(path, ':') + 1, err)
                                  : perp_sequence_open(s, path, err);
}
