/* SPDX-License-Identifier: Apache-2.0
 * report/fields.c: values of a stored run by name. */
#include <config.h>

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "experiments/report/fields.h"

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

double run_field_number(const stored_run *run, const char *name)
{
    const json_t *value = run_field(run, name);

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
    }
    for (size_t k = 0; k < sizeof known / sizeof *known; k++) {
        if (strcmp(known[k].name, name) == 0) {
            return known[k].unit;
        }
    }
    return "";
}

bool field_is_logarithmic(const stored_runs *s, const char *name)
{
    double least = INFINITY, most = 0.0;

    for (size_t i = 0; i < s->count; i++) {
        double x = run_field_number(&s->runs[i], name);

        if (x <= 0.0) {
            return false;
        }
        if (isfinite(x)) {
            least = fmin(least, x);
            most = fmax(most, x);
        }
    }
    return most > 10.0 * least;
}

bool varied_fields(const stored_runs *s, name_list *list)
{
    *list = (name_list){NULL, 0};
    for (size_t i = 0; i < s->count; i++) {
        json_t *vary = json_object_get(s->runs[i].json, "vary");
        const char *name = NULL;
        json_t *value = NULL;

        json_object_foreach(vary, name, value)
        {
            if (!name_list_add(list, name)) {
                free(list->names);
                *list = (name_list){NULL, 0};
                return false;
            }
        }
    }
    return true;
}

bool run_fulfils(const stored_run *run, const char *where)
{
    while (*where) {
        size_t length = strcspn(where, ",");
        char term[2 * FIELD_TEXT], text[FIELD_TEXT];
        char *equals = NULL, *end = NULL;
        double wanted = 0.0;

        snprintf(term, sizeof term, "%.*s", (int)length, where);
        where += length + (where[length] == ',');
        equals = strchr(term, '=');
        if (!equals) {
            return false;
        }
        *equals++ = '\0';
        wanted = strtod(equals, &end);
        if (strcmp(run_field_text(run, term, text), equals) != 0 &&
            !(*equals && !*end && run_field_number(run, term) == wanted)) {
            return false;
        }
    }
    return true;
}
