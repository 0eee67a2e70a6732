/* SPDX-License-Identifier: Apache-2.0
 * verbs/verbs.c: the list of verbs, and what several of them share. */
#include <config.h>

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "experiments/cli/nearest.h"
#include "experiments/verbs/verbs.h"
#include "base/file.h"

const cli_verb *const verbs[] = {
    &verb_compare, &verb_solve,    &verb_simulate, &verb_verify, &verb_plot,
    &verb_convert, &verb_generate, &verb_list,     &verb_info,   NULL,
};

const cli_verb *verb_find(const char *name)
{
    for (size_t k = 0; verbs[k]; k++) {
        if (strcmp(verbs[k]->name, name) == 0) {
            return verbs[k];
        }
    }
    return NULL;
}

perp_status verb_request(const cli_args *args, const char *path,
                         instance_request *request, perp_error *err)
{
    double item = 0.0;

    memset(request, 0, sizeof *request);
    if (cli_args_number(args, "item", 0, 0, 1e9, &item, err) != PERP_OK) {
        return err->status;
    }
    request->path = path;
    request->read.kind = cli_args_value(args, "kind");
    request->read.format = cli_args_value(args, "format");
    request->read.symmetric_upper = cli_args_given(args, "symmetric-upper");
    request->read.item = (size_t)item;
    request->law = cli_args_value(args, "law");
    request->formulation = cli_args_value(args, "as");
    return PERP_OK;
}

perp_status verb_write_json(json_t *json, const char *path, perp_error *err)
{
    perp_file_out out = {0};
    char *text = json ? json_dumps(json, JSON_INDENT(1) | JSON_REAL_PRECISION(17)) : NULL;
    perp_status status = PERP_OK;

    json_decref(json);
    if (!text) {
        return perp_fail(err, PERP_ERR_MEMORY, "%s: no memory for the answer", path);
    }
    status = perp_file_create(&out, path, err);
    if (status == PERP_OK) {
        fprintf(out.f, "%s\n", text);
        status = perp_file_commit(&out, err);
    }
    free(text);
    return status;
}

void verb_describe(const perp_problem *p, char *text, size_t length)
{
    size_t contacts = perp_problem_contacts(p);
    char with[48] = "";

    if (contacts) {
        snprintf(with, sizeof with, " %zu contacts,", contacts);
    }
    if (p->A) {
        snprintf(text, length, "%s, %zu rows,%s %zu nonzeros, %s",
                 perp_kind_name(perp_problem_kind(p)), p->n, with,
                 perp_operator_nonzeros(p->A), p->A->type->name);
    } else {
        snprintf(text, length, "global %s, %zu rows,%s %zu velocities",
                 perp_kind_name(perp_problem_kind(p)), p->n, with,
                 p->global ? p->global->M->rows : 0);
    }
}

/* " 84 rows," or " 84 .. 96 rows," */
static size_t describe_range(char *text, size_t length, const size_t range[2],
                             const char *what)
{
    int used = range[0] == range[1]
                   ? snprintf(text, length, ", %zu %s", range[0], what)
                   : snprintf(text, length, ", %zu .. %zu %s", range[0], range[1], what);

    return used < 0 ? 0 : (size_t)used < length ? (size_t)used : length - 1;
}

perp_status verb_describe_sequence(const perp_sequence *s, char *text, size_t length,
                                   perp_error *err)
{
    size_t count = perp_sequence_count(s);
    size_t rows[2] = {SIZE_MAX, 0}, contacts[2] = {SIZE_MAX, 0};
    size_t used = 0;
    double t[2] = {0.0, 0.0};
    const char *kind = "nothing";

    for (size_t i = 0; i < count; i++) {
        perp_sequence_item step;

        if (perp_sequence_get(s, i, &step, err) != PERP_OK) {
            return err->status;
        }
        const perp_problem *p = step.problem;
        const size_t here[2] = {p->n, perp_problem_contacts(p)};

        rows[0] = here[0] < rows[0] ? here[0] : rows[0];
        rows[1] = here[0] > rows[1] ? here[0] : rows[1];
        contacts[0] = here[1] < contacts[0] ? here[1] : contacts[0];
        contacts[1] = here[1] > contacts[1] ? here[1] : contacts[1];
        t[0] = i ? t[0] : step.t;
        t[1] = step.t;
        kind = perp_kind_name(perp_problem_kind(p));
        perp_sequence_item_clear(&step);
    }
    used = (size_t)snprintf(text, length, "a sequence of %zu steps", count);
    if (count > 0 && used < length) {
        used += (size_t)snprintf(text + used, length - used, ", t = %g .. %g, %s", t[0],
                                 t[1], kind);
        used += describe_range(text + used, length - used, rows, "rows");
        if (contacts[1] > 0) {
            describe_range(text + used, length - used, contacts, "contacts");
        }
    }
    return PERP_OK;
}

perp_status verb_one_of(const cli_args *args, const char *what, const char *name,
                        const char *known, perp_error *err)
{
    char names[256], *save = NULL;
    nearest best;

    snprintf(names, sizeof names, "%s", known);
    nearest_start(&best, name);
    for (char *n = strtok_r(names, "|", &save); n; n = strtok_r(NULL, "|", &save)) {
        nearest_offer(&best, n);
    }
    if (best.distance == 0) {
        return PERP_OK;
    }
    return perp_fail(err, PERP_ERR_OPTION,
                     "perp %s: unknown %s \"%s\", the nearest is %s", args->verb->name,
                     what, name, best.name);
}

void verb_tell_failure(const perp_error *failure)
{
    perp_error inner = {0};

    output_json(stdout,
                json_pack("{s:s, s:s, s:s}", "schema", "perp-answer/1", "status",
                          perp_status_text(failure->status), "message", failure->text),
                true, &inner);
}

static void measures_real(output_table *t, const char *name, double x, const char *means)
{
    output_cell(t, "%s", name);
    output_cell(t, "%s", output_real(OUTPUT_ROOM, x));
    output_cell(t, "%s", means);
}

static void measures_spread(output_table *t, const char *name, const perp_percentiles *s,
                            const char *means)
{
    output_cell(t, "%s", name);
    output_cell(t, "%s", output_real(OUTPUT_ROOM, s->max));
    output_cell(t, "%s; half below %s, 99 %% below %s", means,
                output_real(OUTPUT_ROOM, s->p50), output_real(OUTPUT_ROOM, s->p99));
}

static void measures_scalar(output_table *t, const perp_measures *m)
{
    measures_real(t, "feas_z", m->feas_z, "violation of bounds");
    measures_real(t, "feas_w", m->feas_w, "violation of the sign of w");
    measures_real(t, "gap", m->gap, "complementarity gap");
    measures_real(t, "relgap", m->relgap, "the same, relative");
    measures_real(t, "merit", m->merit, "Fischer-Burmeister merit of nonneg rows");
    measures_real(t, "bilateral", m->bilateral, "free rows: max |w|/s");
}

static void measures_contacts(output_table *t, const perp_measures *m)
{
    measures_real(t, "cone_gap", m->cone_gap, "sum of max(z.u, 0) of the cones");
    measures_spread(t, "penetration", &m->penetration, "max(-w_N, 0) [m/s]");
    measures_spread(t, "adhesion", &m->adhesion, "max(-z_N, 0) [N s]");
    measures_spread(t, "signorini", &m->signorini, "|z_N w_N| [J]");
    measures_spread(t, "cone", &m->cone, "max(|z_T| - mu z_N, 0) [N s]");
    measures_spread(t, "dissipation", &m->dissipation, "|mu z_N |w_T| + z_T.w_T| [J]");
    measures_spread(t, "direction", &m->direction, "z_T against -w_T, sliding [rad]");
    output_cell(t, "contacts");
    output_cell(t, "%zu",
                m->contacts_free + m->contacts_stick + m->contacts_slide +
                    m->contacts_undecided);
    output_cell(t, "%zu free, %zu stick, %zu slide, %zu undecided", m->contacts_free,
                m->contacts_stick, m->contacts_slide, m->contacts_undecided);
}

perp_status verb_measures(const perp_problem *p, const perp_measures *m, FILE *out,
                          perp_error *err)
{
    const unsigned cones = PERP_SET_CONE | PERP_SET_ROLLING;
    unsigned kinds = perp_set_kinds(p->set);
    output_table t;

    output_table_start(&t, "measure|>value|what it is");
    measures_real(&t, "residual", m->residual, "RES: the one that decides");
    if (kinds & cones) {
        measures_real(&t, "residual_coulomb", m->residual_coulomb,
                      "cones by Coulomb's law");
        measures_real(&t, "residual_associated", m->residual_associated,
                      "cones by the associated law");
    }
    measures_real(&t, "residual_mean", m->residual_mean,
                  "root mean square instead of max");
    measures_real(&t, "error_literature", m->error_literature,
                  "|z - P(z - u)|/|b|, unit step, as published");
    if (kinds & ~cones) {
        measures_scalar(&t, m);
    }
    if (kinds & cones) {
        measures_contacts(&t, m);
    }
    measures_real(&t, "objective", m->objective, "z.Az/2 + b.z");
    measures_real(&t, "norm_z", m->norm_z, "|z|");
    measures_real(&t, "norm_w", m->norm_w, "|w|");
    return output_table_end(&t, out, err);
}
