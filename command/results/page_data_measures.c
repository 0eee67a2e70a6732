/* SPDX-License-Identifier: Apache-2.0
 * report/page_data_measures.c: the measures of the page: what they are called, their units, and
 * whether an axis of them is logarithmic. */
#include <config.h>

#include <math.h>
#include <stdio.h>
#include <string.h>

#include <perp/residual.h>

#include "command/results/fields.h"
#include "command/results/page_data_parts.h"
#include "command/results/record_metrics.h"

/* Error measures of the answer; `type` is "perp_percentiles" where it is a spread over contacts. */
static const struct {
    const char *type, *name, *unit, *meaning;
} errors[] = {
#define ERROR_ROW(type, member, unit, meaning) {#type, #member, unit, meaning},
    PERP_MEASURE_LIST(ERROR_ROW)
#undef ERROR_ROW
};

/* Names of errors that stand among the metrics of records, and those for which less is no
 * better. */
static const char *const doubled[] = {"residual", "seconds", NULL};
static const char *const neutral[] = {"beta_b", "beta_z", "objective", "norm_b",
                                      "norm_z", "norm_w", NULL};

/* What the page lists on its own, or does not show. */
static const char *const left_out[] = {"tolerance", "place", NULL};

/* Labels where a figure has none, or the same one twice. */
static const struct {
    const char *key, *label;
} labels[] = {
    {"residual_given", "residual as given"},
    {"seconds_low", "lower quartile of the time"},
    {"seconds_high", "upper quartile of the time"},
    {"work.flops_factor", "operations in factorisations"},
    {"work.factorizations", "factorisations"},
    {"work.rounds", "outer rounds"},
    {"machine.load", "load of the machine"},
    {"machine.steal", "time given to other machines"},
    {"machine.mhz_most", "frequency"},
    {"measures.residual_coulomb", "residual, Coulomb's law"},
    {"measures.residual_associated", "residual, associated law"},
    {"measures.residual_local", "componentwise residual"},
    {"measures.residual_literature", "residual as published"},
    {"measures.residual_mean", "mean residual"},
    {"measures.rounding", "rounding of z"},
    {"measures.e_abs", "absolute residual"},
    {"measures.beta_b", "unit of the residual"},
    {"measures.beta_z", "scale of z"},
    {"measures.feas_z", "infeasibility of z"},
    {"measures.feas_w", "infeasibility of w"},
    {"measures.gap", "complementarity gap"},
    {"measures.relgap", "relative complementarity gap"},
    {"measures.merit", "merit function"},
    {"measures.bilateral", "error of free rows"},
    {"measures.cone_relgap", "relative cone gap"},
    {"measures.error_literature", "error as in the literature"},
    {"measures.norm_map", "norm of the natural map"},
    {"measures.norm_b", "norm of b"},
    {"measures.norm_z", "norm of z"},
    {"measures.norm_w", "norm of w"},
    {"measures.signorini.max", "largest error of Signorini's law"},
    {"measures.cone.max", "largest violation of a cone"},
    {"measures.dissipation.max", "largest error of dissipation"},
    {"measures.direction.max", "largest error of direction"},
    {"measures.penetration_rel.max", "largest relative penetration"},
    {"measures.adhesion_rel.max", "largest relative adhesion"},
    {"measures.signorini_rel.max", "largest relative error of Signorini's law"},
    {"measures.cone_rel.max", "largest relative violation of a cone"},
    {"measures.dissipation_rel.max", "largest relative error of dissipation"},
};

/* Those that a reader looks for first. */
static const char *const leading[] = {"residual", "seconds", "iterations",
                                      "work.products", NULL};

static bool is_among(const char *const *names, const char *name)
{
    while (*names && strcmp(*names, name) != 0) {
        names++;
    }
    return *names != NULL;
}

/* The label of a figure, or the last part of the key: "median_residual" -> "median residual". */
static void measure_label(const char *key, bool largest, char text[96])
{
    const char *known = field_label(key);
    const char *part = strncmp(key, "measures.", 9) == 0 ? key + 9 : strrchr(key, '.');

    for (size_t k = 0; k < sizeof labels / sizeof *labels; k++) {
        known = strcmp(labels[k].key, key) == 0 ? labels[k].label : known;
    }
    if (known != key) {
        snprintf(text, 96, "%s", known);
        return;
    }
    part = part && *part == '.' ? part + 1 : part ? part : key;
    snprintf(text, 96, "%s%.*s", largest ? "largest " : "",
             (int)(strlen(part) - (largest ? strlen(".max") : 0)), part);
    for (char *c = text; *c; c++) {
        *c = *c == '_' ? ' ' : *c;
    }
}

/* "log" where no value is negative and the largest is a hundred times the least that is not 0; NULL
 * where no run has the measure. */
static const char *measure_scale(const stored_runs *s, const char *key)
{
    double least = INFINITY, most = -INFINITY;
    bool any = false, negative = false;

    for (size_t i = 0; i < s->count; i++) {
        double x = run_field_number(&s->runs[i], key);

        if (isfinite(x)) {
            any = true;
            negative = negative || x < 0.0;
            least = x > 0.0 ? fmin(least, x) : least;
            most = fmax(most, x);
        }
    }
    return !any ? NULL : !negative && most >= 100.0 * least ? "log" : "linear";
}

static void measure_append(json_t *list, const stored_runs *s, const record_metric *m,
                           bool largest)
{
    const char *scale = measure_scale(s, m->name);
    char label[96];

    if (!scale || is_among(left_out, m->name)) {
        return;
    }
    measure_label(m->name, largest, label);
    json_array_append_new(
        list, json_pack("{s:s, s:s, s:s, s:s, s:s, s:s}", "key", m->name, "label", label,
                        "unit", strcmp(m->unit, "1") == 0 ? "" : m->unit, "scale", scale,
                        "better", m->better, "help", m->meaning));
}

static void measure_append_error(json_t *list, const stored_runs *s, size_t k)
{
    bool largest = strcmp(errors[k].type, "perp_percentiles") == 0;
    bool count = strcmp(errors[k].type, "size_t") == 0;
    char key[96];
    const record_metric m = {key, errors[k].unit, errors[k].meaning,
                             count || is_among(neutral, errors[k].name) ? "" : "less"};

    snprintf(key, sizeof key, "measures.%s%s", errors[k].name, largest ? ".max" : "");
    if (!is_among(doubled, errors[k].name)) {
        measure_append(list, s, &m, largest);
    }
}

json_t *page_measures(const stored_runs *s)
{
    json_t *list = json_array();

    for (size_t k = 0; leading[k]; k++) {
        for (const record_metric *m = record_metrics; m->name; m++) {
            if (strcmp(m->name, leading[k]) == 0) {
                measure_append(list, s, m, false);
            }
        }
    }
    for (const record_metric *m = record_metrics; m->name; m++) {
        if (!is_among(leading, m->name)) {
            measure_append(list, s, m, false);
        }
    }
    for (size_t k = 0; k < sizeof errors / sizeof *errors; k++) {
        measure_append_error(list, s, k);
    }
    return list;
}
