/* SPDX-License-Identifier: Apache-2.0
 * simulate/settings.c: how a scene is run, by the members of the scheme and the options of a run. */
#include <config.h>

#include <math.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <perp/dynamics/step.h>

#include "base/base.h"
#include "command/cli/plugin.h"
#include "command/cli/take.h"
#include "command/simulate/settings.h"

static const char *const switch_names[] = {"off", "on", NULL};

#define SETTING_NAME(kind, member, list, name, unit, help) name,
static const char *const scheme_names[] = {PERP_SCHEME_LIST(SETTING_NAME)};

enum { SCHEME_NAMES = sizeof scheme_names / sizeof *scheme_names };

/* The number of a choice of the table; `usual` where it is not given. */
static unsigned settings_choice(const cli_args *args, const char *name,
                                const char *const *choices, unsigned usual)
{
    const char *text = cli_args_value(args, name);

    return text ? (unsigned)perp_choice_find(choices, text) : usual;
}

static perp_status settings_scheme(perp_scheme *scheme, const cli_args *args,
                                   perp_error *err)
{
    for (size_t k = 0; k < SCHEME_NAMES; k++) {
        const char *text = cli_args_value(args, scheme_names[k]);
        perp_error inner = {0};

        if (text &&
            perp_scheme_set_quantity(scheme, scheme_names[k], text, &inner) != PERP_OK) {
            return perp_fail(err, inner.status, "perp %s: option --%s", args->verb->name,
                             inner.text);
        }
    }
    return perp_scheme_check(scheme, err);
}

/* For the search of contacts, and for a solver that has such an option. */
static perp_status settings_threads(sim_settings *s, const cli_args *args,
                                    perp_error *err)
{
    const char *text = cli_args_value(args, "threads");
    double threads = 1.0;
    perp_status status =
        cli_args_whole(args, "threads", 1.0, 1.0, PERP_SCHEME_THREADS, &threads, err);

    if (status != PERP_OK || !text) {
        return status;
    }
    s->scheme.threads = (unsigned)threads;
    return s->solver && perp_options_find(&s->opt, "threads")
               ? perp_options_set(&s->opt, "threads", text, err)
               : PERP_OK;
}

static void settings_coordinates(sim_settings *s, const cli_args *args)
{
    s->coordinates = (perp_coordinates)settings_choice(
        args, "coordinates", perp_coordinates_names, s->coordinates);
    s->reduction.euler =
        settings_choice(args, "rotations", perp_rotations_names, s->reduction.euler) > 0;
    s->reduction.no_chart_switch = settings_choice(args, "chart-switch", switch_names,
                                                   !s->reduction.no_chart_switch) == 0;
}

static perp_status settings_solver(sim_settings *s, const cli_args *args,
                                   const char *usual, perp_error *err)
{
    const char *name = cli_args_value(args, "solver");

    name = name ? name : usual;
    if (strcmp(name, perp_sequential_impulses_solver.name) == 0) {
        snprintf(s->solver_name, sizeof s->solver_name, "%s", name);
        s->solver = &perp_sequential_impulses_solver;
        return args->setting_count == 0
                   ? settings_threads(s, args, err)
                   : perp_fail(err, PERP_ERR_OPTION, "perp %s: %s takes no option --%s",
                               args->verb->name, name, args->setting[0].name);
    }
    TRY(plugin_parse(name, &s->solver, &s->opt, err));
    TRY(cli_args_set_options(args, &s->opt, name, err));
    TRY(settings_threads(s, args, err));
    perp_solver_print(s->solver, &s->opt, s->solver_name, sizeof s->solver_name);
    perp_options_set(&s->opt, "history", "off", NULL); /* of each step: too long */
    return PERP_OK;
}

/* Steps that reach the time; where dt does not divide it by more than the rounding of both, the
 * last one is shortened to what is left. */
static void settings_steps(sim_settings *s, double time)
{
    const double dt = s->scheme.dt, n = time / dt;
    const bool whole = fabs(n - round(n)) <= 1e-9 * n;

    s->steps = (size_t)(whole ? round(n) : ceil(n));
    s->short_step = whole ? 0 : s->steps;
    s->short_dt = whole ? 0.0 : time - (double)(s->steps - 1) * dt;
}

double sim_settings_dt(const sim_settings *s, size_t step)
{
    return step == s->short_step && step == s->steps ? s->short_dt : s->scheme.dt;
}

static perp_status settings_length(sim_settings *s, const cli_args *args, double usual,
                                   perp_error *err)
{
    double time = 0.0, steps = 0.0, every = 1.0;
    const double most = 1e12; /* steps: years of computing */

    TRY(cli_args_quantity(args, "time", "s", usual, 0.0, 1e300, &time, err));
    TRY(cli_args_whole(args, "steps", 0.0, 1.0, most, &steps, err));
    TRY(cli_args_whole(args, "every", 1.0, 1.0, most, &every, err));
    if (steps > 0.0 && cli_args_given(args, "time")) {
        return perp_fail(err, PERP_ERR_OPTION, "perp %s: --time and --steps together",
                         args->verb->name);
    }
    if (time / s->scheme.dt > most) {
        return perp_fail(err, PERP_ERR_OPTION,
                         "perp %s: %g s in steps of %g s are more than %g steps",
                         args->verb->name, time, s->scheme.dt, most);
    }
    settings_steps(s, time);
    if (steps > 0.0) {
        s->steps = (size_t)steps;
        s->short_step = 0;
    }
    s->every = (size_t)every;
    return PERP_OK;
}

perp_status sim_settings_read(sim_settings *s, const cli_args *args,
                              const perp_scene *scene, perp_error *err)
{
    memset(s, 0, sizeof *s);
    s->scheme = scene->scheme;
    s->scene = scene;
    s->coordinates = scene->coordinates;
    s->reduction = scene->reduction;
    s->warm = !cli_args_given(args, "cold");
    TRY(settings_scheme(&s->scheme, args, err));
    settings_coordinates(s, args);
    TRY(settings_solver(s, args, scene->solver, err));
    return settings_length(s, args, scene->time, err);
}

static void settings_print_scheme(FILE *out, const perp_scheme *scheme)
{
    for (size_t k = 0; k < SCHEME_NAMES; k++) {
        char text[64];

        perp_scheme_print(scheme, scheme_names[k], text, sizeof text);
        fprintf(out, "%s = %s\n", scheme_names[k], text);
    }
}

char *sim_settings_text(const sim_settings *s)
{
    char *text = NULL;
    size_t length = 0;
    FILE *out = take_stream(&text, &length);
    bool good = out != NULL;

    settings_print_scheme(out, &s->scheme);
    fprintf(out, "coordinates = %s\nrotations = %s\nrenew = %s\n",
            perp_coordinates_names[s->coordinates],
            perp_rotations_names[s->reduction.euler],
            switch_names[!s->reduction.no_chart_switch]);
    plugin_print(out, &s->opt);
    fprintf(out, "solver = %s\nstart = %s\nevery = %zu\n", s->solver_name,
            s->warm ? "warm" : "cold", s->every);
    for (size_t k = 0; s->solver && k < PERP_OPTION_TABLES; k++) {
        for (const perp_option *o = s->opt.tables[k]; o && o->name; o++) {
            char value[PERP_OPTION_TEXT_LENGTH];

            if (strcmp(o->name, "friction") == 0) {
                continue; /* that of the scheme stands above */
            }
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
                                    "%s: %.*s is %.*s, the stored run has %.*s; --resume "
                                    "requires the same settings",
                                    path, name, now, b - name - 3, new + 3, a - name - 3,
                                    old + 3)
                        : perp_fail(err, PERP_ERR_OPTION,
                                    "%s: found \"%.*s\", the stored run has \"%.*s\"",
                                    path, b, now, a, then);
        }
        then += a + (then[a] == '\n');
        now += b + (now[b] == '\n');
    }
    return PERP_OK;
}
