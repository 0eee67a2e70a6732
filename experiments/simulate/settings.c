/* SPDX-License-Identifier: Apache-2.0
 * simulate/settings.c: how a scene is run, from one table of the scheme's members. */
#include <config.h>

#include <math.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/base.h"
#include "experiments/simulate/settings.h"

static const char *const storage_names[] = {"dense", "csr", "bsr", "factored", NULL};

static const char *const switch_names[] = {"off", "on", NULL};

/* In place of the name of an algorithm: the usual ones. */
static const char usual_narrow[] = "auto";

static const char sequential[] = "sequential-impulses";

/* Members of the scheme that are a number or one of a list; the others have functions. */
typedef struct setting {
    const char *name;
    size_t offset;
    const char *const *choices; /* NULL: a real number from low to high */
    double low, high;
} setting;

#define IN(member) offsetof(perp_scheme, member)

static const setting table[] = {
    {"dt", IN(dt), NULL, 0.0, 1e300},
    {"restitution", IN(restitution), perp_restitution_names, 0, 0},
    {"bias", IN(bias), perp_bias_names, 0, 0},
    {"threshold", IN(threshold), NULL, 0.0, 1e300},
    {"stabilize", IN(stabilize), perp_stabilize_names, 0, 0},
    {"erp", IN(erp), NULL, 0.0, 1.0},
    {"slop", IN(slop), NULL, 0.0, 1e300},
    {"max-correction", IN(max_correction), NULL, 0.0, INFINITY},
    {"margin", IN(margin), NULL, 0.0, 1e300},
    {"limits", IN(limits), perp_limits_names, 0, 0},
    {"integrator", IN(integrator), perp_integrator_names, 0, 0},
    {"turn", IN(turn), perp_turn_names, 0, 0},
    {"max-angle", IN(max_angle), NULL, 0.0, 1e300},
    {"gyro-split", IN(gyro_split), perp_gyro_split_names, 0, 0},
};

/* The choices are enums: one size and one representation for all. */
_Static_assert(sizeof(perp_integrator) == sizeof(unsigned), "an enum is an unsigned");

static perp_status choice(const cli_args *args, const char *name,
                          const char *const *choices, const char *text, unsigned *value,
                          perp_error *err)
{
    int k = perp_choice_find(choices, text);
    perp_nearest best;

    if (k >= 0) {
        *value = (unsigned)k;
        return PERP_OK;
    }
    perp_nearest_start(&best, text);
    for (k = 0; choices[k]; k++) {
        perp_nearest_offer(&best, choices[k]);
    }
    return perp_fail(err, PERP_ERR_OPTION,
                     "perp %s: option --%s is \"%s\", the nearest is \"%s\"",
                     args->verb->name, name, text, best.name);
}

static perp_status read_table(perp_scheme *scheme, const cli_args *args, perp_error *err)
{
    perp_status status = PERP_OK;

    for (size_t k = 0; k < sizeof table / sizeof *table && status == PERP_OK; k++) {
        const setting *s = &table[k];
        const char *text = cli_args_value(args, s->name);
        char *at = (char *)scheme + s->offset;

        if (text && s->choices) {
            status = choice(args, s->name, s->choices, text, (unsigned *)(void *)at, err);
        } else if (text) {
            status = cli_args_number(args, s->name, 0.0, s->low, s->high,
                                     (double *)(void *)at, err);
        }
    }
    return status;
}

/* "pyramid:8", or one of the other models. */
static perp_status read_model(perp_scheme *scheme, const cli_args *args, perp_error *err)
{
    static const char pyramid[] = "pyramid:";
    const char *text = cli_args_value(args, "model");
    unsigned model = 0;

    if (!text) {
        return PERP_OK;
    }
    if (strncmp(text, pyramid, strlen(pyramid)) == 0) {
        char *end = NULL;
        unsigned long eta = strtoul(text + strlen(pyramid), &end, 10);

        scheme->model = PERP_MODEL_PYRAMID;
        scheme->eta = *end || eta > 1000 ? 0 : (unsigned)eta; /* 0: for the check */
        return PERP_OK;
    }
    if (choice(args, "model", perp_model_names, text, &model, err) != PERP_OK) {
        return err->status;
    }
    scheme->model = (perp_model)model;
    return PERP_OK;
}

static perp_status read_bits(perp_scheme *scheme, const cli_args *args, perp_error *err)
{
    const char *gyro = cli_args_value(args, "gyro");
    const char *storage = cli_args_value(args, "storage");
    unsigned k = 0;

    if (gyro && strcmp(gyro, "own") == 0) {
        scheme->override_gyro = false;
    } else if (gyro) {
        if (choice(args, "gyro", perp_gyro_names, gyro, &k, err) != PERP_OK) {
            return err->status;
        }
        scheme->override_gyro = true;
        scheme->gyro = (perp_gyro)k;
    }
    if (storage) {
        if (choice(args, "storage", storage_names, storage, &k, err) != PERP_OK) {
            return err->status;
        }
        scheme->storage = (perp_storage)(1u << k); /* the order of the bits */
    }
    return PERP_OK;
}

static perp_status no_type(const cli_args *args, const char *option, const perp_nearest *best,
                           const char *text, perp_error *err)
{
    return perp_fail(err, PERP_ERR_OPTION,
                     "perp %s: option --%s is \"%s\", the nearest is \"%s\"",
                     args->verb->name, option, text, best->name);
}

static perp_status read_broad(perp_scheme *scheme, const cli_args *args, perp_error *err)
{
    const char *text = cli_args_value(args, "broad");
    perp_nearest best;

    if (!text) {
        return PERP_OK;
    }
    scheme->broad = perp_broad_find(text);
    perp_nearest_start(&best, text);
    for (const perp_broad_type *const *t = perp_broad_types(NULL); *t; t++) {
        perp_nearest_offer(&best, (*t)->name);
    }
    return scheme->broad ? PERP_OK : no_type(args, "broad", &best, text, err);
}

static perp_status read_narrow(perp_scheme *scheme, const cli_args *args, perp_error *err)
{
    const char *text = cli_args_value(args, "narrow");
    perp_nearest best;

    if (!text) {
        return PERP_OK;
    }
    scheme->narrow = perp_narrow_find(text);
    perp_nearest_start(&best, text);
    perp_nearest_offer(&best, usual_narrow);
    for (const perp_narrow_type *const *t = perp_narrow_types(NULL); *t; t++) {
        perp_nearest_offer(&best, (*t)->name);
    }
    return scheme->narrow || strcmp(text, usual_narrow) == 0
               ? PERP_OK
               : no_type(args, "narrow", &best, text, err);
}

/* How contacts are found. */
static perp_status read_collision(perp_scheme *scheme, const cli_args *args,
                                  perp_error *err)
{
    const char *text = cli_args_value(args, "speculative");
    double reduce = scheme->reduce;
    unsigned k = 0;

    if (text) {
        if (choice(args, "speculative", switch_names, text, &k, err) != PERP_OK) {
            return err->status;
        }
        scheme->speculative = k > 0;
    }
    if (read_broad(scheme, args, err) != PERP_OK ||
        read_narrow(scheme, args, err) != PERP_OK ||
        cli_args_number(args, "reduce", reduce, 0.0, 1e6, &reduce, err) != PERP_OK) {
        return err->status;
    }
    if (floor(reduce) != reduce) {
        return perp_fail(err, PERP_ERR_OPTION,
                         "perp %s: option --reduce is %g, expected a whole number",
                         args->verb->name, reduce);
    }
    scheme->reduce = (unsigned)reduce;
    return PERP_OK;
}

static perp_status read_coordinates(sim_settings *s, const cli_args *args,
                                    perp_error *err)
{
    const struct {
        const char *name;
        const char *const *choices;
        unsigned value;
    } given[] = {{"coordinates", perp_coordinates_names, s->coordinates},
                 {"rotations", perp_rotations_names, s->reduction.euler},
                 {"renew", switch_names, !s->reduction.no_renew}};
    unsigned k[3];

    for (size_t i = 0; i < 3; i++) {
        const char *text = cli_args_value(args, given[i].name);

        k[i] = given[i].value;
        if (text &&
            choice(args, given[i].name, given[i].choices, text, &k[i], err) != PERP_OK) {
            return err->status;
        }
    }
    s->coordinates = (perp_coordinates)k[0];
    s->reduction.euler = k[1] > 0;
    s->reduction.no_renew = k[2] == 0;
    return PERP_OK;
}

static perp_status read_solver(sim_settings *s, const cli_args *args, const char *usual,
                               perp_error *err)
{
    const char *name = cli_args_value(args, "solver");

    name = name ? name : usual;
    if (strcmp(name, sequential) == 0) {
        snprintf(s->solver_name, sizeof s->solver_name, "%s", name);
        return args->setting_count == 0
                   ? PERP_OK
                   : perp_fail(err, PERP_ERR_OPTION, "perp %s: %s takes no option --%s",
                               args->verb->name, name, args->setting[0].name);
    }
    if (perp_solver_parse(name, &s->solver, &s->opt, err) != PERP_OK ||
        cli_args_set_options(args, &s->opt, name, err) != PERP_OK) {
        return err->status;
    }
    perp_solver_print(s->solver, &s->opt, s->solver_name, sizeof s->solver_name);
    perp_options_set(&s->opt, "history", "off", NULL); /* of each step: too long */
    return PERP_OK;
}

/* Steps that reach the time; one more only where a step less misses it by more than the
 * rounding of time and dt. */
static size_t steps_of(double time, double dt)
{
    double n = time / dt;

    return (size_t)(fabs(n - round(n)) <= 1e-9 * n ? round(n) : ceil(n));
}

static perp_status read_length(sim_settings *s, const cli_args *args, double usual,
                               perp_error *err)
{
    double time = 0.0, steps = 0.0, every = 1.0;
    const double most = 1e12; /* steps: years of computing */

    if (cli_args_number(args, "time", usual, 0.0, 1e300, &time, err) != PERP_OK ||
        cli_args_number(args, "steps", 0.0, 1.0, most, &steps, err) != PERP_OK ||
        cli_args_number(args, "every", 1.0, 1.0, most, &every, err) != PERP_OK) {
        return err->status;
    }
    if (steps > 0.0 && cli_args_given(args, "time")) {
        return perp_fail(err, PERP_ERR_OPTION, "perp %s: --time and --steps together",
                         args->verb->name);
    }
    if (time / s->scheme.dt > most) {
        return perp_fail(err, PERP_ERR_OPTION,
                         "perp %s: %g s in steps of %g s are more than %g steps",
                         args->verb->name, time, s->scheme.dt, most);
    }
    s->steps = steps > 0.0 ? (size_t)steps : steps_of(time, s->scheme.dt);
    s->every = (size_t)every;
    return PERP_OK;
}

perp_status sim_settings_read(sim_settings *s, const cli_args *args,
                              const perp_scene *scene, perp_error *err)
{
    perp_status status = PERP_OK;

    memset(s, 0, sizeof *s);
    s->scheme = scene->scheme;
    s->scene = scene;
    s->coordinates = scene->coordinates;
    s->reduction = scene->reduction;
    s->warm = !cli_args_given(args, "cold");
    status = read_table(&s->scheme, args, err);
    status = status ? status : read_model(&s->scheme, args, err);
    status = status ? status : read_bits(&s->scheme, args, err);
    status = status ? status : read_collision(&s->scheme, args, err);
    status = status ? status : perp_scheme_check(&s->scheme, err);
    status = status ? status : read_coordinates(s, args, err);
    status = status ? status : read_solver(s, args, scene->solver, err);
    return status ? status : read_length(s, args, scene->time, err);
}

static void print_scheme(FILE *out, const perp_scheme *scheme)
{
    unsigned storage = 0;

    for (size_t k = 0; k < sizeof table / sizeof *table; k++) {
        const setting *s = &table[k];
        const char *at = (const char *)scheme + s->offset;

        if (s->choices) {
            fprintf(out, "%s = %s\n", s->name,
                    s->choices[*(const unsigned *)(const void *)at]);
        } else {
            fprintf(out, "%s = %.17g\n", s->name, *(const double *)(const void *)at);
        }
    }
    fprintf(out, "speculative = %s\nbroad = %s\nnarrow = %s\nreduce = %u\n",
            switch_names[scheme->speculative],
            (scheme->broad ? scheme->broad : perp_broad_types(NULL)[0])->name,
            scheme->narrow ? scheme->narrow->name : usual_narrow, scheme->reduce);
    fprintf(out, "model = %s", perp_model_names[scheme->model]);
    if (scheme->model == PERP_MODEL_PYRAMID) {
        fprintf(out, ":%u", scheme->eta);
    }
    while (storage < 3 && scheme->storage != (perp_storage)(1u << storage)) {
        storage++;
    }
    fprintf(out, "\ngyro = %s\nstorage = %s\n",
            scheme->override_gyro ? perp_gyro_names[scheme->gyro] : "own",
            storage_names[storage]);
}

char *sim_settings_text(const sim_settings *s)
{
    char *text = NULL;
    size_t length = 0;
    FILE *out = open_memstream(&text, &length);
    bool good = out != NULL;

    if (!out) {
        return NULL;
    }
    print_scheme(out, &s->scheme);
    fprintf(out, "coordinates = %s\nrotations = %s\nrenew = %s\n",
            perp_coordinates_names[s->coordinates],
            perp_rotations_names[s->reduction.euler],
            switch_names[!s->reduction.no_renew]);
    fprintf(out, "solver = %s\nstart = %s\nevery = %zu\n", s->solver_name,
            s->warm ? "warm" : "cold", s->every);
    for (size_t k = 0; s->solver && k < PERP_OPTION_TABLES; k++) {
        for (const perp_option *o = s->opt.tables[k]; o && o->name; o++) {
            char value[PERP_OPTION_TEXT_LENGTH];

            perp_options_print(&s->opt, o->name, value, sizeof value);
            fprintf(out, "%s = %s\n", o->name, value);
        }
    }
    for (size_t k = 0; k < s->scene->parameter_count; k++) {
        const perp_scene_parameter *p = &s->scene->parameters[k];

        fprintf(out, SIM_SETTINGS_SET "%s = %.17g\n", p->name, p->value);
    }
    good = !ferror(out);
    good = fclose(out) == 0 && good;
    if (!good) {
        free(text);
        return NULL;
    }
    return text;
}

perp_status sim_settings_same(const char *path, const char *then, const char *now,
                              perp_error *err)
{
    while (*then || *now) {
        int a = (int)strcspn(then, "\n"), b = (int)strcspn(now, "\n");
        const char *old = strstr(then, " = "), *new = strstr(now, " = ");

        if (a != b || strncmp(then, now, (size_t)a) != 0) {
            int name = new &&new - now < b ? (int)(new - now) : b;
            bool same =
                old && old - then == name && strncmp(then, now, (size_t)name) == 0;

            return same ? perp_fail(err, PERP_ERR_OPTION,
                                    "%s: %.*s was %.*s, is %.*s now: a run goes on with "
                                    "its own settings",
                                    path, name, now, a - name - 3, old + 3, b - name - 3,
                                    new + 3)
                        : perp_fail(err, PERP_ERR_OPTION,
                                    "%s: made with \"%.*s\", now it is \"%.*s\"", path, a,
                                    then, b, now);
        }
        then += a + (then[a] == '\n');
        now += b + (now[b] == '\n');
    }
    return PERP_OK;
}
