/* SPDX-License-Identifier: Apache-2.0
 * tests/torture/impacts.c: impacts of thousands of small worlds without loads.
 *
 *     impacts COUNT [SEED [CASE]]     without arguments: a test of 300, speaks TAP
 *
 * Two or three bodies of all shapes fly at each other, sometimes past a block that stands.
 * All have inertias that are the same about all axes, so that free motion is exact. Wrong is
 * a step that fails; energy that grows by more than the balance has under stabilization;
 * momentum that changes where nothing stands; a body that changes its velocity although no
 * shape comes near it in the step.
 *
 * Energy may grow where theory does not exclude it: e > 0 with friction (Kane's paradox
 * under Newton's and Moreau's law, slip that turns under Poisson's), and e > 0 at several
 * contacts under Newton's law, of which one separates already. The gain must then be in the
 * balance, under restitution. [glocker-2001, stronge-2000] */
#include <config.h>

#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <perp/dynamics/dynamics.h>
#include <perp/perp.h>

#include "cases.h"

enum { TEST_COUNT = 300, STEPS = 24, BODIES = 3, SAMPLES = 8, TEXT_MOST = 8192 };

typedef struct progress {
    torture_cases cases;
    size_t steps, impacts;
    size_t gains; /* steps with energy that theory allows */
    size_t early; /* speculative contacts of shapes that do not meet in the step */
} progress;

typedef struct trial {
    progress *at;
    perp_random g;
    perp_scheme scheme;
    perp_world *world;
    double e, mu;
    bool standing; /* a block stands */
    char what[200], fault[300];
} trial;

static void wrong(trial *t, const char *format, ...)
{
    va_list list;

    if (!t->fault[0]) {
        va_start(list, format);
        vsnprintf(t->fault, sizeof t->fault, format, list);
        va_end(list);
    }
}

static double uniform(trial *t, double low, double high)
{
    return perp_random_uniform(&t->g, low, high);
}

static int pick(trial *t, int count)
{
    return (int)perp_random_integer(&t->g, 0, count - 1);
}

static int choices(const char *const *names)
{
    int count = 0;

    while (names[count]) {
        count++;
    }
    return count;
}

static void draw_shape(trial *t, char *text, size_t size)
{
    const double a = uniform(t, 0.2, 0.5);
    const double b = uniform(t, 0.2, 0.5);
    const double c = uniform(t, 0.2, 0.5);

    switch (pick(t, 6)) {
    case 0:
        snprintf(text, size, "\"sphere\", \"radius\": %.17g", a);
        break;
    case 1:
        snprintf(text, size, "\"box\", \"half-extents\": [%.17g, %.17g, %.17g]", a, b, c);
        break;
    case 2:
        snprintf(text, size, "\"capsule\", \"radius\": %.17g, \"length\": %.17g", a, b);
        break;
    case 3:
        snprintf(text, size, "\"cylinder\", \"radius\": %.17g, \"length\": %.17g", a, b);
        break;
    case 4:
        snprintf(text, size, "\"ellipsoid\", \"semi-axes\": [%.17g, %.17g, %.17g]", a, b,
                 c);
        break;
    default:
        snprintf(text, size, "\"cone\", \"radius\": %.17g, \"length\": %.17g", a, b);
    }
}

static void append(char *text, const char *format, ...)
{
    const size_t used = strlen(text);
    va_list list;

    va_start(list, format);
    vsnprintf(text + used, TEXT_MOST - used, format, list);
    va_end(list);
}

/* Body k of n at 1.2 m from the origin, towards which it flies. */
static void draw_body(trial *t, char *text, int k, int n)
{
    const double angle = 2.0 * M_PI * k / n + uniform(t, -0.3, 0.3);
    const double mass = pow(10.0, uniform(t, -2.0, 2.0));
    const double v = uniform(t, 0.2, 6.0);
    const bool still = k == 0 && t->standing;
    char shape[200];

    draw_shape(t, shape, sizeof shape);
    append(text, "%s{\"name\": \"b%d\", \"position\": [%.17g, %.17g, %.17g], ",
           k ? ", " : "", k, 1.2 * cos(angle), 1.2 * sin(angle), uniform(t, -0.1, 0.1));
    if (still) {
        append(text, "\"motion\": \"static\", ");
    } else {
        append(text,
               "\"mass\": %.17g, \"inertia\": [%.17g, %.17g, %.17g], \"velocity\": "
               "[%.17g, %.17g, %.17g], \"spin\": [%.17g, %.17g, %.17g], ",
               mass, 0.05 * mass, 0.05 * mass, 0.05 * mass, -v * cos(angle),
               -v * sin(angle), uniform(t, -0.2, 0.2), uniform(t, -3.0, 3.0),
               uniform(t, -3.0, 3.0), uniform(t, -3.0, 3.0));
    }
    append(text, "\"rotation\": {\"axis\": [1, %.17g, %.17g], \"angle\": %.17g}, ",
           uniform(t, -1.0, 1.0), uniform(t, -1.0, 1.0), uniform(t, 0.0, 3.0));
    append(text, "\"shapes\": [{\"type\": %s, \"material\": \"m\"}]}", shape);
}

static bool draw(trial *t)
{
    static const perp_model models[] = {PERP_MODEL_CONE, PERP_MODEL_BOX,
                                        PERP_MODEL_PYRAMID, PERP_MODEL_FRICTIONLESS};
    const int n = 2 + pick(t, 2);
    char text[TEXT_MOST] = "";
    perp_scene *scene = NULL;
    perp_error err = {0};

    t->standing = pick(t, 3) == 0;
    t->e = pick(t, 4) ? uniform(t, 0.0, 1.0) : (double)pick(t, 2);
    t->mu = pick(t, 3) ? uniform(t, 0.0, 1.5) : 0.0;
    append(text,
           "{\"gravity\": [0, 0, 0], \"materials\": [{\"name\": \"m\", \"friction\": "
           "%.17g, \"restitution\": %.17g}], \"combine\": {\"restitution\": \"max\", "
           "\"friction\": \"max\"}, \"bodies\": [",
           t->mu, t->e);
    for (int k = 0; k < n; k++) {
        draw_body(t, text, k, n);
    }
    append(text, "]}");
    if (perp_scene_parse(&scene, text, strlen(text), "drawn", &err) != PERP_OK) {
        wrong(t, "%s", err.text);
        return false;
    }
    t->world = scene->world;
    scene->world = NULL;
    perp_scene_free(scene);
    perp_scheme_default(&t->scheme);
    t->scheme.dt = pow(10.0, uniform(t, -2.3, -1.2));
    t->scheme.integrator = (perp_integrator)pick(t, choices(perp_integrator_names));
    t->scheme.stabilize = (perp_stabilize)pick(t, choices(perp_stabilize_names));
    t->scheme.restitution = (perp_restitution)pick(t, choices(perp_restitution_names));
    t->scheme.model = models[pick(t, 4)];
    t->scheme.margin = pick(t, 3) ? 0.01 : 0.1 * pick(t, 2);
    t->scheme.speculative = pick(t, 2);
    snprintf(t->what, sizeof t->what, "%s, %s, %s, %s, e %.3g, mu %.3g, dt %.3g%s%s",
             perp_integrator_names[t->scheme.integrator],
             perp_stabilize_names[t->scheme.stabilize],
             perp_restitution_names[t->scheme.restitution],
             perp_model_names[t->scheme.model], t->e, t->mu, t->scheme.dt,
             t->scheme.speculative ? ", speculative" : "", t->standing ? ", block" : "");
    return true;
}

/* Linear and angular momentum about the origin, and the sizes of their terms. */
static void momentum(const perp_world *w, double p[6], double size[2])
{
    memset(p, 0, 6 * sizeof *p);
    size[0] = size[1] = 0.0;
    for (size_t k = 0; k < w->body_count; k++) {
        const double *r = perp_body_pose(w->start, k);
        const double *u = perp_body_velocity(w->start, k);
        const double m = w->motion[k] == PERP_MOTION_DYNAMIC ? w->mass[k] : 0.0;

        for (size_t x = 0; x < 3; x++) {
            const size_t y = (x + 1) % 3;
            const size_t z = (x + 2) % 3;

            p[x] += m * u[x];
            p[3 + x] += m * (r[y] * u[z] - r[z] * u[y]) + 0.05 * m * u[3 + x];
            size[0] += m * fabs(u[x]);
            size[1] +=
                m * (fabs(r[y] * u[z]) + fabs(r[z] * u[y]) + 0.05 * fabs(u[3 + x]));
        }
    }
}

/* dt/2 |sum m u x u+|: positions follow the mean of both velocities, momentum the last. */
static double half_step(const perp_world *w, const double *before, double dt)
{
    double sum[3] = {0.0, 0.0, 0.0};

    for (size_t k = 0; k < w->body_count; k++) {
        const double *u = before + 6 * k;
        const double *v = perp_body_velocity(w->start, k);
        const double m = w->motion[k] == PERP_MOTION_DYNAMIC ? w->mass[k] : 0.0;

        for (size_t x = 0; x < 3; x++) {
            const size_t y = (x + 1) % 3;
            const size_t z = (x + 2) % 3;

            sum[x] += m * fabs(u[y] * v[z] - u[z] * v[y]);
        }
    }
    return dt * (sum[0] + sum[1] + sum[2]);
}

/* Whether shapes i and j stay apart in a step of free motion from state s, u. */
static bool apart(const perp_world *w, const double *s, const double *u, size_t i,
                  size_t j, double dt)
{
    const size_t body[2] = {i, j};

    for (int k = 0; k <= SAMPLES; k++) {
        perp_placed placed[2];
        perp_proximity found = {0};
        double way = 0.0;

        for (int b = 0; b < 2; b++) {
            const double *v = u + 6 * body[b];
            const perp_shape *shape = &w->shapes[body[b]];
            const double reach = shape->type->reach(shape);
            double *r = perp_body_pose(w->start, body[b]);
            double kept[7];

            memcpy(kept, r, sizeof kept);
            memcpy(r, s + 7 * body[b], sizeof kept);
            for (int x = 0; x < 3; x++) {
                r[x] += v[x] * dt * k / SAMPLES;
            }
            perp_quat_turn(r + 3, v + 3, dt * k / SAMPLES, PERP_TURN_EXPONENTIAL, NULL,
                           0.0);
            placed[b].shape = shape;
            perp_shape_pose(w->start, shape, placed[b].R, placed[b].x);
            memcpy(r, kept, sizeof kept);
            way += sqrt(v[0] * v[0] + v[1] * v[1] + v[2] * v[2]) +
                   reach * sqrt(v[3] * v[3] + v[4] * v[4] + v[5] * v[5]);
        }
        if (perp_proximity_find(NULL, &placed[0], &placed[1], NULL, &found, NULL) !=
                PERP_OK ||
            found.gap <= way * dt / SAMPLES + 1e-6) {
            return false;
        }
    }
    return true;
}

static bool all_apart(const trial *t, const double *s, const double *u)
{
    bool good = true;

    for (size_t j = 0; j < t->world->body_count; j++) {
        for (size_t i = 0; i < j; i++) {
            good = good && apart(t->world, s, u, i, j, t->scheme.dt);
        }
    }
    return good;
}

/* With `speculative` bodies that pass each other may meet too early (docs/scenes.md). */
static void check_untouched(trial *t, const double *s, const double *u)
{
    for (size_t k = 0; k < t->world->body_count; k++) {
        const double *v = perp_body_velocity(t->world->start, k);

        for (size_t x = 0; x < 6; x++) {
            if (fabs(v[x] - u[6 * k + x]) > 1e-12 * (1.0 + fabs(v[x])) &&
                all_apart(t, s, u)) {
                t->at->early += t->scheme.speculative;
                if (!t->scheme.speculative) {
                    wrong(t,
                          "nothing touches, but velocity %zu of body %zu goes from %.6g "
                          "to %.6g",
                          x, k, u[6 * k + x], v[x]);
                }
                return;
            }
        }
    }
}

static void check_momentum(trial *t, const double *u, const double p[6],
                           const double size[2])
{
    const bool exact = t->scheme.integrator == PERP_INTEGRATOR_SEMI_IMPLICIT ||
                       t->scheme.integrator == PERP_INTEGRATOR_IMPLICIT;
    const bool moved = t->scheme.stabilize == PERP_STABILIZE_SPLIT ||
                       t->scheme.stabilize == PERP_STABILIZE_PROJECT;
    const double half = exact ? 0.0 : half_step(t->world, u, t->scheme.dt);
    double now[6];
    double unused[2];

    momentum(t->world, now, unused);
    for (size_t x = 0; x < 6 && !t->standing; x++) {
        const bool turns = x >= 3;

        if ((!turns || !moved) &&
            fabs(now[x] - p[x]) > 1e-12 * size[turns] + (turns ? half : 0.0)) {
            wrong(t, "%s momentum %zu changes by %.3g of %.3g",
                  turns ? "angular" : "linear", x % 3, now[x] - p[x], size[turns]);
        }
    }
}

static void check_energy(trial *t, const perp_report *r, double before)
{
    const double gain = r->kinetic - before;
    const double free = fmax(0.0, r->ledger[PERP_LEDGER_STABILIZATION]) +
                        fabs(r->ledger[PERP_LEDGER_RESIDUAL]);
    const bool poisson = t->scheme.restitution == PERP_RESTITUTION_POISSON;
    const bool newton = t->scheme.restitution == PERP_RESTITUTION_NEWTON;
    const bool slips = t->mu > 0.0 && t->scheme.model != PERP_MODEL_FRICTIONLESS;
    const bool may = t->e > 0.0 && (slips || (newton && r->contacts > 1));

    if (gain <= free + 1e-9 * before) {
        return;
    }
    t->at->gains += may;
    if (!may || (!poisson && gain > free + 1e-9 * before +
                                        fmax(0.0, r->ledger[PERP_LEDGER_RESTITUTION]))) {
        wrong(t,
              "energy grows from %.6g by %.3g J at %zu contacts: stabilization %.3g, "
              "restitution %.3g, integrator %.3g, normal %.3g, friction %.3g",
              before, gain, r->contacts, r->ledger[PERP_LEDGER_STABILIZATION],
              r->ledger[PERP_LEDGER_RESTITUTION], r->ledger[PERP_LEDGER_INTEGRATOR],
              r->ledger[PERP_LEDGER_NORMAL], r->ledger[PERP_LEDGER_FRICTION]);
    }
}

static void step(trial *t, perp_stepper *stepper)
{
    perp_report report;
    perp_error err = {0};
    double s[7 * BODIES];
    double u[6 * BODIES];
    double p[6];
    double size[2];
    const double before = perp_world_kinetic(t->world, t->world->start);

    memcpy(s, t->world->start->s, 7 * t->world->body_count * sizeof *s);
    memcpy(u, t->world->start->u, 6 * t->world->body_count * sizeof *u);
    momentum(t->world, p, size);
    if (perp_stepper_step(stepper, &report, &err) != PERP_OK) {
        wrong(t, "%s", err.text);
    } else if (report.outcome == PERP_SOLVED) {
        t->at->steps++;
        t->at->impacts += report.contacts > 0;
        check_untouched(t, s, u);
        check_momentum(t, u, p, size);
        check_energy(t, &report, before);
    } else {
        wrong(t, "not solved: %s", report.reason);
    }
}

static void run_case(uint64_t seed, torture_cases *cases)
{
    trial t = {.at = (progress *)cases,
               .g = {seed ^ (0xd1342543de82ef95u * (cases->index + 1))}};
    perp_stepper *stepper = NULL;
    perp_options opt;
    perp_error err = {0};

    if (draw(&t) && perp_solver_parse("auto", NULL, &opt, &err) == PERP_OK &&
        perp_options_set(&opt, "tolerance", "1e-11", &err) == PERP_OK &&
        perp_stepper_new(
            &stepper, t.world, &t.scheme,
            &(perp_stepper_options){.options = &opt, .state = t.world->start},
            &err) == PERP_OK) {
        perp_world_refresh(t.world, t.world->start);
        for (int k = 0; k < STEPS && !t.fault[0]; k++) {
            step(&t, stepper);
        }
    } else {
        wrong(&t, "%s", err.text);
    }
    if (t.fault[0]) {
        torture_cases_wrong(cases, seed, t.what, t.fault);
    }
    perp_stepper_free(stepper);
    perp_world_free(t.world);
}

int main(int argc, char **argv)
{
    size_t count = argc > 1 ? strtoul(argv[1], NULL, 10) : TEST_COUNT;
    uint64_t seed = argc > 2 ? strtoul(argv[2], NULL, 10) : 1;
    progress *at = torture_shared(sizeof *at);

    if (!at) {
        fputs("impacts: no memory\n", stderr);
        return 2;
    }
    at->cases.index = argc > 3 ? strtoul(argv[3], NULL, 10) : 0;
    torture_cases_run(&at->cases, seed, argc > 3 ? at->cases.index + 1 : count, run_case);
    if (argc < 2) {
        printf("%s 1 - torture: impacts of %d drawn worlds make no energy\n1..1\n",
               at->cases.wrong ? "not ok" : "ok", TEST_COUNT);
    } else {
        printf(
            "%zu worlds, %zu steps, %zu with contacts, %zu that may and do gain energy, "
            "%zu with speculative contacts that act too early: "
            "%zu wrong\n",
            at->cases.index, at->steps, at->impacts, at->gains, at->early,
            at->cases.wrong);
    }
    return at->cases.wrong > 0;
}
