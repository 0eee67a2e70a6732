/* SPDX-License-Identifier: Apache-2.0
 * families/families.c: the list of families, and the call that makes a problem. */
#include <config.h>

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

/* Defaults of the parameters; the table stands where a solver has the common options. */
static void family_defaults(perp_options *opt, const perp_family *family)
{
    memset(opt, 0, sizeof *opt);
    opt->tables[0] = family->parameters;
    for (size_t k = 0; family->parameters[k].kind != PERP_OPTION_NONE; k++) {
        opt->values[k].number = family->parameters[k].value;
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

perp_status perp_family_make(const char *call, perp_problem **p, perp_error *err)
{
    char *text = perp_text_new(call);
    char *colon = text ? strchr(text, ':') : NULL;
    const perp_family *family = NULL;
    perp_options opt;
    perp_status status = PERP_OK;

    *p = NULL;
    if (!text) {
        return perp_fail(err, PERP_ERR_MEMORY, "no memory for a name");
    }
    if (colon) {
        *colon = '\0';
    }
    family = perp_family_find(text);
    if (!family) {
        status = perp_fail(err, PERP_ERR_OPTION,
                           "there is no family \"%s\"; the nearest is \"%s\"", text,
                           nearest(text));
        goto done;
    }
    family_defaults(&opt, family);
    status = parse_parameters(&opt, family->name, colon ? colon + 1 : NULL, err);
    if (status == PERP_OK) {
        status = family->make(&opt, p, err);
    }
    if (status == PERP_OK) {
        status = name_problem(p, call, family->summary, err);
    }
done:
    free(text);
    return status;
}
