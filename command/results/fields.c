/* SPDX-License-Identifier: Apache-2.0
 * report/fields.c: values of a stored run by name. */
#include <config.h>

#include <fnmatch.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "command/results/fields.h"

/* What a reader says for a name, and its unit. */
static const struct {
    const char *name, *label, *unit;
} known[] = {
    {"seconds", "time", "s"},
    {"seconds_median", "median time", "s"},
    {"wall_seconds", "time of the process", "s"},
    {"judge_seconds", "time of judging", "s"},
    {"prepare_seconds", "time of preparation", "s"},
    {"setup_seconds", "time of setup", "s"},
    {"step_seconds.median", "time per step", "s"},
    {"step_seconds.solving", "time of the solver", "s"},
    {"step_seconds.total", "time of all steps", "s"},
    {"bytes", "memory", "B"},
    {"iterations", "iterations", ""},
    {"work.products", "products with A", ""},
    {"work.pivots", "pivots", ""},
    {"residual", "residual", ""},
    {"residual_given", "residual", ""},
    {"tolerance", "tolerance", ""},
    {"n", "rows", ""},
    {"contacts", "contacts", ""},
    {"contacts_mean", "mean contacts", ""},
    {"rows_mean", "mean rows", ""},
    {"links", "links", ""},
    {"bodies", "bodies", ""},
    {"penetration", "penetration", "m"},
    {"penetration_mean", "mean penetration", "m"},
    {"moved", "distance moved", "m"},
    {"energy.change", "change of energy", "J"},
    {"energy.creation", "created energy", "J"},
    {"energy.drift", "relative error of energy at the end", ""},
    {"energy.error", "error of energy", "J"},
    {"energy.potential", "potential energy", "J"},
    {"energy.rate", "rate of the error of energy", "W"},
    {"energy.relative", "relative error of energy", ""},
    {"momentum.angular.relative", "relative error of angular momentum", ""},
    {"momentum.linear.relative", "relative error of momentum", ""},
    {"drift_length_rate", "rate of drift of joints", "m/s"},
    {"drift_angle_rate", "rate of drift of joints", "rad/s"},
    {"drift_length", "drift of joints", "m"},
    {"drift_angle", "drift of joints", "rad"},
    {"energy_relative", "relative energy error", ""},
    {"iterations_per_step", "iterations per step", ""},
    {"solving_share", "share of the solver", ""},
    {"mu", "friction coefficient μ", ""},
    {"friction", "friction coefficient μ", ""},
    {"ratio", "mass ratio", ""},
    {"dt", "step", "s"},
    {"seed", "seed", ""},
};

/* record["a"]["b"] of "a.b"; members that contain dots themselves come first. */
static const json_t *field_member(const json_t *o, const char *name)
{
    const json_t *whole = json_object_get(o, name);
    const char *dot = strchr(name, '.');
    char key[FIELD_TEXT];

    if (whole || !dot || (size_t)(dot - name) >= sizeof key) {
        return whole;
    }
    memcpy(key, name, (size_t)(dot - name));
    key[dot - name] = '\0';
    return field_member(json_object_get(o, key), dot + 1);
}

const json_t *run_field(const stored_run *run, const char *name)
{
    const json_t *varied = json_object_get(json_object_get(run->json, "vary"), name);

    if (varied) {
        return varied;
    }
    if (strcmp(name, "solver") == 0) {
        return json_object_get(run->json, "label");
    }
    return field_member(run->json, name);
}

/* Numbers that follow from two others of the record: their ratio, and 0 where the first is 0. */
static const struct {
    const char *name, *above, *below;
} ratios[] = {
    {"energy_relative", "energy.error", "energy.scale"},
    {"iterations_per_step", "iterations", "steps_made"},
    {"solving_share", "step_seconds.solving", "step_seconds.total"},
};

double run_field_number(const stored_run *run, const char *name)
{
    const json_t *value = run_field(run, name);

    for (size_t k = 0; !value && k < sizeof ratios / sizeof *ratios; k++) {
        if (strcmp(ratios[k].name, name) == 0) {
            double above = run_field_number(run, ratios[k].above);

            return above == 0.0 ? 0.0 : above / run_field_number(run, ratios[k].below);
        }
    }
    return json_is_number(value) ? json_number_value(value) : NAN;
}

/* The shortest text that reads back as x. */
static void field_print(double x, char text[FIELD_TEXT])
{
    for (int digits = 1; digits <= 17; digits++) {
        snprintf(text, FIELD_TEXT, "%.*g", digits, x);
        if (strtod(text, NULL) == x) {
            break;
        }
    }
}

char *run_field_text(const stored_run *run, const char *name, char text[FIELD_TEXT])
{
    const json_t *value = run_field(run, name);

    text[0] = '\0';
    if (strcmp(name, "ending") == 0) {
        snprintf(text, FIELD_TEXT, "%s", run->ending);
    } else if (json_is_string(value)) {
        snprintf(text, FIELD_TEXT, "%s", json_string_value(value));
    } else if (json_is_boolean(value)) {
        snprintf(text, FIELD_TEXT, "%s", json_is_true(value) ? "yes" : "no");
    } else if (json_is_number(value)) {
        field_print(json_number_value(value), text);
    }
    return text;
}

const char *field_label(const char *name)
{
    for (size_t k = 0; k < sizeof known / sizeof *known; k++) {
        if (strcmp(known[k].name, name) == 0) {
            return known[k].label;
        }
    }
    return name;
}

const char *field_unit(const stored_runs *s, const char *name)
{
    for (size_t i = 0; i < s->count; i++) {
        const json_t *units = json_object_get(s->runs[i].json, "vary_units");
        const char *unit = json_string_value(json_object_get(units, name));

        if (unit) {
            return unit;
        }
        if (json_object_get(json_object_get(s->runs[i].json, "vary"), name)) {
            break; /* it varies, and has no unit */
        }
    }
    for (size_t k = 0; k < sizeof known / sizeof *known; k++) {
        if (strcmp(known[k].name, name) == 0) {
            return known[k].unit;
        }
    }
    return "";
}

void varied_fields(const stored_runs *s, name_list *list)
{
    *list = (name_list){.count = 0};
    for (size_t i = 0; i < s->count; i++) {
        json_t *vary = json_object_get(s->runs[i].json, "vary");
        const char *name = NULL;
        json_t *value = NULL;

        json_object_foreach(vary, name, value)
        {
            name_list_add(list, name);
        }
    }
}

bool runs_have_field(const stored_runs *s, const char *set, const char *name)
{
    char text[FIELD_TEXT];

    for (size_t i = 0; i < s->count; i++) {
        const stored_run *run = &s->runs[i];

        if ((!set || strcmp(run->set, set) == 0) &&
            (*run_field_text(run, name, text) || isfinite(run_field_number(run, name)))) {
            return true;
        }
    }
    return false;
}

/* KEY=VALUE of `length` bytes; * and ? in the value stand for any letters, any letter. */
static bool run_fulfils_term(const stored_run *run, const char *term, size_t length)
{
    char key[FIELD_TEXT], text[FIELD_TEXT], wanted[2 * FIELD_TEXT];
    const char *equals = memchr(term, '=', length);
    char *end = NULL;
    double number = 0.0;

    if (!equals || (size_t)(equals - term) >= sizeof key || length >= sizeof wanted) {
        return false;
    }
    snprintf(key, sizeof key, "%.*s", (int)(equals - term), term);
    snprintf(wanted, sizeof wanted, "%.*s", (int)(term + length - equals - 1),
             equals + 1);
    number = strtod(wanted, &end);
    run_field_text(run, key, text);
    return strcmp(text, wanted) == 0 || fnmatch(wanted, text, 0) == 0 ||
           (*wanted && !*end && run_field_number(run, key) == number);
}

/* A value may contain commas, as names of instances do: every end of the first term is tried,
 * the longest first. */
bool run_fulfils(const stored_run *run, const char *where)
{
    size_t length = strlen(where);
    bool fulfilled = length == 0;

    while (!fulfilled && length > 0) {
        fulfilled = run_fulfils_term(run, where, length) &&
                    (where[length] == '\0' || run_fulfils(run, where + length + 1));
        do {
            length--;
        } while (length > 0 && where[length] != ',');
    }
    return fulfilled;
}
