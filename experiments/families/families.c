/* SPDX-License-Identifier: Apache-2.0
 * families/families.c: the list of families, and the calls that make a problem or a
 * sequence. */
#include <config.h>

#include <stdio.h>

#include "build.h"

static const perp_family *const families[] = {
    &perp_family_murty_lower,
    &perp_family_murty_upper,
    &perp_family_fathi,
    &perp_family_csizmadia,
    &perp_family_csizmadia_alt,
    &perp_family_ahn,
    &perp_family_geiger_kanzow,
    &perp_family_kostreva,
    &perp_family_circulant,
    &perp_family_skew2,
    &perp_family_hilbert,
    &perp_family_harker_pang,
    &perp_family_integer_spd,
    &perp_family_integer_psd,
    &perp_family_degenerate,
    &perp_family_qp_kkt,
    &perp_family_qp_kkt_infeasible,
    &perp_family_infeasible_zero,
    &perp_family_feasible_unsolvable,
    &perp_family_three_solutions,
    &perp_family_copositive_plus,
    &perp_family_skew_rotation,
    &perp_family_lemke_ray,
    &perp_family_all_free,
    &perp_family_all_fixed,
    &perp_family_empty,
    &perp_family_obstacle,
    &perp_family_obstacle_2d,
    &perp_family_journal_bearing,
    &perp_family_american_put,
    &perp_family_incline,
    &perp_family_table,
    &perp_family_stack,
    &perp_family_cradle,
    &perp_family_arch,
    &perp_family_wall,
    &perp_family_random_cloud,
    &perp_family_spd,
    &perp_family_spd_sparse,
    &perp_family_boxed,
    &perp_family_normal_contacts,
    &perp_family_contacts,
    &perp_family_friction_cloud,
    &perp_family_pyramid,
    NULL, /* ends the list */
};

const perp_family *const *perp_families(size_t *count)
{
    if (count) {
        *count = sizeof families / sizeof families[0] - 1;
    }
    return families;
}

const perp_family *perp_family_find(const char *name)
{
    for (size_t i = 0; name && families[i]; i++) {
        if (strcmp(families[i]->name, name) == 0) {
            return families[i];
        }
    }
    return NULL;
}

static const char *nearest(const char *name)
{
    const char *best = families[0]->name;

    for (size_t i = 1; families[i]; i++) {
        if (perp_edit_distance(name, families[i]->name) <
            perp_edit_distance(name, best)) {
            best = families[i]->name;
        }
    }
    return best;
}

void perp_family_defaults(perp_options *opt, const perp_family *family, bool sequence)
{
    size_t slot = 0;

    memset(opt, 0, sizeof *opt);
    opt->tables[0] = family ? family->parameters : perp_sequence_parameters;
    if (family && sequence) {
        opt->tables[1] =
            family->sequence ? family->sequence_parameters : perp_sequence_parameters;
    }
    for (size_t t = 0; t < PERP_OPTION_TABLES; t++) {
        for (const perp_option *o = opt->tables[t]; o && o->name; o++, slot++) {
            opt->values[slot].number = o->value;
            if (o->kind == PERP_OPTION_TEXT) {
                snprintf(opt->values[slot].text, PERP_OPTION_TEXT_LENGTH, "%s",
                         o->choices);
            }
        }
    }
}

/* "n=100,seed=3" into opt; text is changed. */
static perp_status parse_parameters(perp_options *opt, const char *name, char *text,
                                    perp_error *err)
{
    char *next = NULL;

    for (char *s = text; s && *s; s = next) {
        char *equals = NULL;
        perp_status status = PERP_OK;

        next = strchr(s, ',');
        if (next) {
            *next++ = '\0';
        }
        equals = strchr(s, '=');
        if (!equals || equals == s) {
            return perp_fail(err, PERP_ERR_OPTION,
                             "%s: found \"%s\", expected parameter=value", name, s);
        }
        *equals = '\0';
        if (!perp_options_find(opt, s)) {
            return perp_fail(err, PERP_ERR_OPTION, "%s: it has no parameter \"%s\"", name,
                             s);
        }
        status = perp_options_set(opt, s, equals + 1, err);
        if (status != PERP_OK) {
            return perp_fail_in(err, status, name);
        }
    }
    return PERP_OK;
}

static perp_status name_problem(perp_problem **p, const char *call, const char *summary,
                                perp_error *err)
{
    free((*p)->name);
    free((*p)->title);
    (*p)->name = perp_text_new(call);
    (*p)->title = perp_text_new(summary);
    if (!(*p)->name || !(*p)->title) {
        perp_problem_free(*p);
        *p = NULL;
        return perp_fail(err, PERP_ERR_MEMORY, "no memory for a name");
    }
    return PERP_OK;
}

/* The family of a call and its parameters, read into opt. */
static perp_status read_call(const char *call, bool sequence, const perp_family **family,
                             perp_options *opt, perp_error *err)
{
    char *text = perp_text_new(call);
    char *colon = text ? strchr(text, ':') : NULL;
    perp_status status = PERP_OK;

    if (!text) {
        return perp_fail(err, PERP_ERR_MEMORY, "no memory for a name");
    }
    if (colon) {
        *colon = '\0';
    }
    *family = perp_family_find(text);
    if (!*family) {
        status = perp_fail(err, PERP_ERR_OPTION,
                           "there is no family \"%s\"; the nearest is \"%s\"", text,
                           nearest(text));
    } else {
        perp_family_defaults(opt, *family, sequence);
        status = parse_parameters(opt, (*family)->name, colon ? colon + 1 : NULL, err);
    }
    free(text);
    return status;
}

perp_status perp_family_make(const char *call, perp_problem **p, perp_error *err)
{
    const perp_family *family = NULL;
    perp_options opt;
    perp_status status = read_call(call, false, &family, &opt, err);

    *p = NULL;
    if (status == PERP_OK) {
        status = family->make(&opt, p, err);
    }
    return status == PERP_OK ? name_problem(p, call, family->summary, err) : status;
}

/* One parameter grows from a share of its value to all of it; blocks stay in place. */
static perp_status grow_sequence(const perp_family *family, const char *name,
                                 const perp_options *opt, perp_sequence *s,
                                 perp_error *err)
{
    const perp_option *row = perp_options_find(opt, name);
    size_t steps = (size_t)perp_options_integer(opt, "steps");
    double value =
        row && row->kind == PERP_OPTION_REAL ? perp_options_real(opt, name) : 0;
    perp_options now = *opt;
    perp_status status = PERP_OK;

    if (value == 0.0) {
        return perp_fail(err, PERP_ERR_OPTION,
                         "%s: grow is \"%s\", expected a real parameter that is not 0",
                         family->name, name);
    }
    for (size_t k = 0; k < steps && status == PERP_OK; k++) {
        perp_sequence_item step = {.t = (double)(k + 1) / (double)steps,
                                   .h = 1.0 / (double)steps};

        status = perp_options_set_real(&now, name, step.t * value, err);
        if (status == PERP_OK) {
            status = family->make(&now, &step.problem, err);
        }
        if (status == PERP_OK) {
            status = family_keys_by_place(&step, err);
        }
        if (status == PERP_OK) {
            status = perp_sequence_add(s, &step, err);
        }
        perp_sequence_item_clear(&step);
    }
    return status;
}

static perp_status fill_sequence(const perp_family *family, const perp_options *opt,
                                 perp_sequence *s, perp_error *err)
{
    const char *grows = NULL;
    perp_problem *p = NULL;
    perp_status status = PERP_OK;

    if (family->sequence) {
        return family->sequence(opt, s, err);
    }
    grows = perp_options_text(opt, "grow");
    grows = *grows ? grows : family->grows;
    if (grows && strcmp(grows, "none") != 0) {
        return grow_sequence(family, grows, opt, s, err);
    }
    status = family->make(opt, &p, err);
    if (status == PERP_OK) {
        status = perp_parametric_sequence(p, opt, s, err);
    }
    perp_problem_free(p);
    return status;
}

perp_status perp_family_make_sequence(const char *call, perp_sequence **s,
                                      perp_error *err)
{
    const perp_family *family = NULL;
    perp_options opt;
    perp_status status = read_call(call, true, &family, &opt, err);

    *s = NULL;
    if (status == PERP_OK) {
        status = perp_sequence_new(s, call, err);
    }
    if (status == PERP_OK) {
        status = fill_sequence(family, &opt, *s, err);
    }
    if (status != PERP_OK) {
        perp_sequence_free(*s);
        *s = NULL;
    }
    return status;
}
