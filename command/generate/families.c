/* SPDX-License-Identifier: Apache-2.0
 * families/families.c: the list of families, and the calls that make a problem or a
 * sequence. */
#include <config.h>

#include <stdio.h>

#include "build.h"
#include "command/cli/take.h"

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
    &perp_family_american_option,
    &perp_family_game,
    &perp_family_transport,
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
    &perp_family_torture,
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

void perp_family_defaults(perp_options *opt, const perp_family *family, bool sequence)
{
    const perp_option *const tables[] = {
        family ? family->parameters : perp_sequence_parameters,
        !family || !sequence ? NULL
        : family->sequence   ? family->sequence_parameters
                             : perp_sequence_parameters,
    };

    perp_options_init_tables(opt, tables, 2, NULL);
}

static void name_problem(perp_problem *p, const char *call, const char *summary)
{
    free(p->name);
    free(p->title);
    p->name = take_text(call);
    p->title = take_text(summary);
}

static perp_status fail_unknown(const char *name, perp_error *err)
{
    perp_nearest best;

    perp_nearest_start(&best, name);
    for (size_t i = 0; families[i]; i++) {
        perp_nearest_offer(&best, families[i]->name);
    }
    return perp_fail(err, PERP_ERR_OPTION, "unknown family \"%s\", %s", name,
                     perp_nearest_advice(&best));
}

perp_status perp_family_parse(const char *call, bool sequence, const perp_family **family,
                              perp_options *opt, perp_error *err)
{
    size_t length = strcspn(call, ":");
    char name[64];
    perp_status status = PERP_OK;

    snprintf(name, sizeof name, "%.*s", length < sizeof name ? (int)length : 63, call);
    *family = perp_family_find(name);
    if (!*family) {
        return fail_unknown(name, err);
    }
    perp_family_defaults(opt, *family, sequence);
    status = perp_options_parse(opt, call[length] ? call + length + 1 : "", err);
    return status == PERP_OK ? PERP_OK : perp_fail_in(err, status, name);
}

perp_status perp_family_make(const char *call, perp_problem **p, perp_error *err)
{
    const perp_family *family = NULL;
    perp_options opt;
    perp_status status = perp_family_parse(call, false, &family, &opt, err);

    *p = NULL;
    if (status == PERP_OK) {
        status = family->make(&opt, p, err);
    }
    if (status == PERP_OK) {
        name_problem(*p, call, family->summary);
    }
    return status;
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
            family_keys_by_place(&step);
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
    perp_status status = perp_family_parse(call, true, &family, &opt, err);

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
