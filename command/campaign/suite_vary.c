/* SPDX-License-Identifier: Apache-2.0
 * runner/suite_vary.c: "vary" of a suite or a set: what varies, and all combinations of it. */
#include <config.h>

#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include <perp/dynamics/scheme.h>

#include "base/base.h"
#include "command/campaign/subject.h"
#include "command/campaign/suite_parts.h"
#include "command/campaign/suite_vary.h"
#include "command/cli/plugin.h"

static const char vary_scheme[] = "scheme.";
static const char vary_solver[] = "solver.";

/* A rule that may vary. Some are told apart by the label of a run or by its tolerance, and do
 * not lengthen the names of instances. */
typedef struct vary_rule {
    const char *name, *member; /* as in "vary", in a set */
    bool list;                 /* the member of the set is a list */
    bool named;
    const char *unit, *lists; /* SI; of the subjects it concerns, NULL: all */
} vary_rule;

static const vary_rule vary_rules[] = {
    {"dt", "dt", false, true, "s", "scenes"},
    {"time", "time", false, true, "s", "scenes"},
    {"steps", "steps", false, true, "", "scenes"},
    {"integrator", "integrators", true, false, "", "scenes"},
    {"coordinates", "coordinates", true, false, "", "scenes"},
    {"friction", "friction", false, true, "", "instances sequences"},
    {"start", "start", false, false, "", "instances"},
    {"policy", "policies", true, false, "", "sequences"},
    {"noise", "noise", false, true, "", "sequences"},
    {"repeats", "repeats", false, true, "", "instances sequences"},
    {"seed", "seed", false, true, "", NULL},
    {"tolerance", "tolerances", true, false, "", NULL},
    {"solver.tolerance", "tolerances", true, false, "", NULL},
    {"solver.seed", "seed", false, true, "", NULL},
};

enum { VARY_RULES = sizeof vary_rules / sizeof *vary_rules };

static const vary_rule *vary_rule_find(const char *name)
{
    for (size_t k = 0; k < VARY_RULES; k++) {
        if (strcmp(vary_rules[k].name, name) == 0) {
            return &vary_rules[k];
        }
    }
    return NULL;
}

/* "friction" with a text is the law, with a number a parameter of a scene. */
static bool vary_is_law(const vary_axis *axis)
{
    return strcmp(axis->name, "friction") == 0 &&
           json_is_string(json_array_get(axis->values, 0));
}

/* The rule of an axis; NULL: none. */
static const vary_rule *vary_rule_of(const vary_axis *axis)
{
    const bool number = strcmp(axis->name, "friction") == 0 && !vary_is_law(axis);

    return number ? NULL : vary_rule_find(axis->name);
}

/* What follows a prefix such as "scheme.", or NULL. */
static const char *vary_after(const char *name, const char *prefix)
{
    size_t length = strlen(prefix);

    return strncmp(name, prefix, length) == 0 ? name + length : NULL;
}

/* The present value of an axis. */
document suite_vary_value(const suite_vary *v, const vary_axis *axis)
{
    size_t k = axis->digit < SUITE_DIGITS ? v->odometer.digit[axis->digit] : 0;
    document d = axis->listed ? document_item(&axis->list, k) : axis->list;

    d.value = json_array_get(axis->values, k);
    d.whole = true;
    return d;
}

/* Tolerances that are not zipped stay together as the list of the set, so that a solver that
 * needs no second one runs once. */
static bool vary_is_whole(const vary_axis *axis)
{
    return axis->digit == SUITE_DIGITS;
}

bool suite_vary_is_parameter(const vary_axis *axis)
{
    return !vary_is_whole(axis) && !vary_is_law(axis) &&
           !vary_after(axis->name, vary_scheme) && !vary_after(axis->name, vary_solver);
}

static perp_status vary_read_axis(suite_vary *v, const char *name, const document *list,
                                  bool zipped, perp_error *err)
{
    vary_axis *axis = &v->axis[v->count];
    const vary_rule *rule = vary_rule_find(name);
    suite_odometer *o = &v->odometer;
    size_t count = 0;

    for (size_t k = 0; k < v->count; k++) {
        if (strcmp(v->axis[k].name, name) == 0) {
            return document_fail(list, err, "\"%s\" varies twice", name);
        }
    }
    if (v->count == VARY_AXES || strlen(name) >= COLUMN_NAME) {
        return document_fail(list, err,
                             "expected at most %d names of less than %d "
                             "characters",
                             VARY_AXES, COLUMN_NAME);
    }
    *axis = (vary_axis){.name = name, .list = *list};
    TRY(suite_values_read(list, &axis->values, &axis->listed, err));
    v->count++;
    count = json_array_size(axis->values);
    if (!zipped && rule && strcmp(rule->member, "tolerances") == 0) {
        axis->digit = SUITE_DIGITS;
    } else if (zipped && o->values[o->count - 1] > 0) {
        axis->digit = o->count - 1;
        if (o->values[axis->digit] != count) {
            return document_fail(
                list, err,
                "found %zu value%s, expected %zu as of the others of the "
                "zip",
                count, perp_plural(count), o->values[axis->digit]);
        }
    } else {
        axis->digit = zipped ? o->count - 1 : o->count++;
        o->values[axis->digit] = count;
    }
    return PERP_OK;
}

/* Lists that go together. */
static perp_status vary_read_zip(suite_vary *v, const document *d, perp_error *err)
{
    const char *name = NULL;
    json_t *value = NULL;
    perp_status status = PERP_OK;

    if (!json_is_object(d->value) || json_object_size(d->value) == 0) {
        return document_fail(d, err, "expected an object of lists of one length");
    }
    v->odometer.values[v->odometer.count++] = 0; /* the first list says how many */
    json_object_foreach((json_t *)(uintptr_t)d->value, name, value)
    {
        document list = document_member(d, name);

        if (status == PERP_OK) {
            status = vary_read_axis(v, name, &list, true, err);
        }
    }
    return status;
}

perp_status suite_vary_read(suite_vary *v, const document *d, perp_error *err)
{
    const char *name = NULL;
    json_t *value = NULL;
    perp_status status = PERP_OK;

    memset(v, 0, sizeof *v);
    if (d->value && !json_is_object(d->value)) {
        return document_fail(d, err, "expected an object of names and their values");
    }
    json_object_foreach((json_t *)(uintptr_t)d->value, name, value)
    {
        document list = document_member(d, name);

        if (status == PERP_OK) {
            status = strcmp(name, "zip") == 0
                         ? vary_read_zip(v, &list, err)
                         : vary_read_axis(v, name, &list, false, err);
        }
    }
    return status;
}

void suite_vary_clear(suite_vary *v)
{
    for (size_t k = 0; k < v->count; k++) {
        json_decref(v->axis[k].values);
    }
    v->count = 0;
}

/* -- rules ---------------------------------------------------------------------------- */

#define VARY_UNIT(kind, member, list, name, unit, help) {name, unit},
static const struct {
    const char *name, *unit;
} vary_members[] = {
    PERP_SCHEME_LIST(VARY_UNIT){"rotations", ""}, {"chart-switch", ""}, {"threads", ""}};
#undef VARY_UNIT

enum { VARY_MEMBERS = sizeof vary_members / sizeof *vary_members };

static perp_status vary_check_unit(const document *d, const suite_column *column,
                                   const char *unit, perp_error *err)
{
    if (column->unit[0] && strcmp(column->unit, unit) != 0) {
        return document_fail(d, err, "found \"%s\", expected a number%s%s", column->text,
                             *unit ? " or a quantity in " : " without a unit", unit);
    }
    return PERP_OK;
}

/* Does the scheme have the member, and can it have the value? */
static perp_status vary_check_member(const document *d, const char *member,
                                     const suite_column *column, perp_error *err)
{
    const document typed = {d->file, column->value, "", true};
    perp_scheme scheme;
    perp_nearest best;
    perp_error inner = {0};
    char text[COLUMN_TEXT];
    size_t k = 0;

    perp_nearest_start(&best, member);
    for (k = 0; k < VARY_MEMBERS && strcmp(vary_members[k].name, member) != 0; k++) {
        perp_nearest_offer(&best, vary_members[k].name);
    }
    if (k == VARY_MEMBERS) {
        return document_fail(d, err, "perp simulate has no option \"%s\", %s", member,
                             perp_nearest_advice(&best));
    }
    perp_scheme_default(&scheme);
    document_print(&typed, text, sizeof text, NULL);
    if (k < VARY_MEMBERS - 3 &&
        perp_scheme_set(&scheme, member, text, &inner) != PERP_OK) {
        return document_fail(d, err, "%s", inner.text);
    }
    return vary_check_unit(d, column, vary_members[k].unit, err);
}

/* {MEMBER: VALUE} as it would stand in the set, in `kept`. */
static void vary_wrap(const vary_rule *rule, const char *member, const suite_set *set,
                      json_t *value, json_t *kept, json_t **wrapped)
{
    json_t *scheme = NULL;

    if (rule) {
        *wrapped = rule->list && !json_is_array(value)
                       ? json_pack("{s:[O]}", rule->member, value)
                       : json_pack("{s:O}", rule->member, value);
    } else {
        scheme = json_is_object(set->rules.scheme.value)
                     ? json_copy((json_t *)(uintptr_t)set->rules.scheme.value)
                     : json_object();
        json_object_set(scheme, member, value);
        *wrapped = json_pack("{s:o}", "scheme", scheme);
    }
    json_array_append_new(kept, *wrapped);
}

/* A rule or a member of the scheme, at one value. */
static perp_status vary_set_rule(vary_axis *axis, const document *d, suite_set *set,
                                 json_t *kept, perp_error *err)
{
    const vary_rule *rule = vary_rule_of(axis);
    const char *member = vary_after(axis->name, vary_scheme);
    suite_column column = {.lists = rule ? rule->lists : "scenes",
                           .named = rule ? rule->named : true};
    json_t *wrapped = NULL;
    document at = *d;
    perp_status status = suite_value_read(d, &column, err);

    snprintf(column.name, sizeof column.name, "%s", axis->name);
    if (status == PERP_OK) {
        status = rule ? vary_check_unit(d, &column, rule->unit, err)
                      : vary_check_member(d, member, &column, err);
    }
    if (status == PERP_OK) {
        vary_wrap(rule, member, set, column.value, kept, &wrapped);
        at.value = wrapped;
        status = suite_read_rules(&set->rules, &at, err);
    }
    if (status == PERP_OK) {
        snprintf(column.unit, sizeof column.unit, "%s", rule ? rule->unit : column.unit);
        suite_columns_add(&set->columns, &column);
    }
    json_decref(column.value);
    return status;
}

/* The tolerances, all at once. */
static perp_status vary_set_tolerances(vary_axis *axis, suite_set *set, json_t *kept,
                                       perp_error *err)
{
    json_t *wrapped = json_pack("{s:O}", "tolerances", axis->values);
    document at = axis->list;

    json_array_append_new(kept, wrapped);
    at.value = wrapped;
    at.whole = true;
    axis->used = true;
    set->tolerance_name = axis->name;
    return suite_read_rules(&set->rules, &at, err);
}

perp_status suite_vary_rules(suite_vary *v, suite_set *set, json_t *kept, perp_error *err)
{
    perp_status status = PERP_OK;

    for (size_t k = 0; k < v->count && status == PERP_OK; k++) {
        vary_axis *axis = &v->axis[k];
        document d = suite_vary_value(v, axis);

        if (vary_is_whole(axis)) {
            status = vary_set_tolerances(axis, set, kept, err);
        } else if (vary_rule_of(axis) || vary_after(axis->name, vary_scheme)) {
            status = vary_set_rule(axis, &d, set, kept, err);
        }
    }
    return status;
}

/* -- options of solvers ---------------------------------------------------------------- */

const char *suite_vary_option(suite_vary *v, const perp_options *opt, size_t *k,
                              document *value)
{
    while (*k < v->count) {
        vary_axis *axis = &v->axis[(*k)++];
        const char *name = vary_after(axis->name, vary_solver);

        if (name && !vary_rule_of(axis) && perp_options_find(opt, name)) {
            axis->used = true;
            *value = suite_vary_value(v, axis);
            return name;
        }
    }
    return NULL;
}

/* -- names that nothing has ------------------------------------------------------------- */

static perp_status vary_fail_solver(const vary_axis *axis, const document *set,
                                    const char *option, perp_error *err)
{
    const json_t *solvers = json_object_get(set->value, "solvers");
    perp_nearest best;

    perp_nearest_start(&best, option);
    for (size_t k = 0; k < json_array_size(solvers); k++) {
        const json_t *solver = json_array_get(solvers, k);
        const char *name = json_string_value(
            json_is_object(solver) ? json_object_get(solver, "solver") : solver);
        perp_options opt;

        if (name && plugin_parse(name, NULL, &opt, NULL) == PERP_OK) {
            for (size_t t = 0; t < PERP_OPTION_TABLES; t++) {
                for (const perp_option *o = opt.tables[t]; o && o->name; o++) {
                    perp_nearest_offer(&best, o->name);
                }
            }
        }
    }
    return document_fail(&axis->list, err,
                         "no solver of the set has the option \"%s\", %s", option,
                         perp_nearest_advice(&best));
}

/* Does a rule concern any subject of the set? */
static bool vary_concerns(const vary_axis *axis, const document *set)
{
    const vary_rule *rule = vary_rule_of(axis);
    bool scheme = vary_after(axis->name, vary_scheme) != NULL;

    if (rule && !rule->lists) {
        return true;
    }
    for (size_t k = 0; subjects[k] && (rule || scheme); k++) {
        if (strstr(rule ? rule->lists : "scenes", subjects[k]->list) &&
            json_object_get(set->value, subjects[k]->list)) {
            return true;
        }
    }
    return false;
}

void suite_vary_names(char *text, size_t length)
{
    size_t used = 0;

    for (size_t k = 0; k < VARY_RULES && used < length; k++) {
        used += (size_t)snprintf(text + used, length - used, "%s%s", used ? "|" : "",
                                 vary_rules[k].name);
    }
}

static perp_status vary_fail_name(const suite_vary *v, const vary_axis *axis,
                                  perp_error *err)
{
    const vary_rule *rule = vary_rule_of(axis);
    char rules[200];

    if (rule || vary_after(axis->name, vary_scheme)) {
        return document_fail(&axis->list, err, "\"%s\" concerns %s, and the set has none",
                             axis->name, rule ? rule->lists : "scenes");
    }
    suite_vary_names(rules, sizeof rules);
    return document_fail(&axis->list, err,
                         "nothing in the set has \"%s\", expected a parameter (%s), a "
                         "rule (%s), scheme.NAME or solver.OPTION",
                         axis->name, *v->offered ? v->offered : "there is none", rules);
}

void suite_vary_concern(suite_vary *v, const document *set)
{
    for (size_t k = 0; k < v->count; k++) {
        v->axis[k].used = v->axis[k].used || vary_concerns(&v->axis[k], set);
    }
}

perp_status suite_vary_check(const suite_vary *v, const document *set, perp_error *err)
{
    for (size_t k = 0; k < v->count; k++) {
        const vary_axis *axis = &v->axis[k];
        const char *option = vary_after(axis->name, vary_solver);

        if (axis->used) {
            continue;
        }
        return option ? vary_fail_solver(axis, set, option, err)
                      : vary_fail_name(v, axis, err);
    }
    return PERP_OK;
}
