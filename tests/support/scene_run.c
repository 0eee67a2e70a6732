/* SPDX-License-Identifier: Apache-2.0
 * tests/support/scene_run.c: scenes run, and pages of scenes read. */
#include <config.h>

#include <ctype.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "scene_run.h"

static bool asked(const char *variable)
{
    const char *value = getenv(variable);

    return value && strcmp(value, "0") != 0 && *value;
}

bool play_brief(void)
{
    return asked("PERP_TEST_BRIEF");
}

bool play_long(void)
{
    return asked("PERP_TEST_LONG");
}

perp_scene *play_read(const char *name)
{
    return play_read_with(name, NULL, 0);
}

perp_scene *play_read_with(const char *name, const perp_scene_set *sets, size_t count)
{
    char path[4096];
    perp_scene *scene = NULL;
    perp_error err = {0};

    snprintf(path, sizeof path, "%s/experiments/scenes/%s.json", test_source(), name);
    if (perp_scene_read_with(&scene, path, sets, count, &err) != PERP_OK) {
        test_note("%s", err.text);
    }
    CU_ASSERT_PTR_NOT_NULL_FATAL(scene);
    /* a scene says what it shows */
    CU_ASSERT(scene->title[0] && scene->description[0] && scene->answer[0]);
    return scene;
}

perp_scene *play_read_in(const char *name, perp_coordinates coordinates)
{
    perp_scene *scene = play_read(name);

    scene->coordinates = coordinates;
    return scene;
}

play play_start(perp_scene *scene, const char *solver)
{
    play p = {.scheme = scene->scheme, .time = scene->time, .tolerance = 1e-8};
    perp_options opt;
    perp_error err = {0};

    if (scene->coordinates == PERP_COORDINATES_REDUCED &&
        perp_world_reduce(scene->world, NULL, &err) != PERP_OK) {
        test_note("%s", err.text);
        CU_FAIL_FATAL("reducing");
    }
    /* A scene may ask for less. */
    if (perp_solver_parse(solver ? solver : scene->solver, NULL, &opt, NULL) == PERP_OK) {
        p.tolerance = perp_options_real(&opt, "tolerance");
    }
    p.run =
        run_begin(scene->world, &scene->scheme, solver ? solver : scene->solver, true);
    p.energy = p.run.energy;
    scene->world = NULL;
    return p;
}

play play_scene(const char *name)
{
    return play_start(play_read(name), NULL);
}

void play_steps(play *p, size_t n)
{
    for (size_t k = 0; k < n; k++) {
        const perp_report *r = &p->run.report;
        double before = p->run.energy;

        run_steps(&p->run, 1);
        if (r->outcome != PERP_SOLVED || !(r->residual <= p->tolerance)) {
            test_note("t = %.9g: %s, residual %.2e: %s", r->t,
                      perp_outcome_text(r->outcome), r->residual, r->reason);
        }
        CU_ASSERT_EQUAL_FATAL(r->outcome, PERP_SOLVED);
        CU_ASSERT(r->residual <= p->tolerance);
        for (int part = 0; part < PERP_LEDGER_PARTS; part++) {
            p->ledger += r->ledger[part];
            p->largest = fmax(p->largest, fabs(r->ledger[part]));
        }
        p->largest = fmax(p->largest, fmax(fabs(p->run.energy), r->kinetic));
        p->rise = fmax(p->rise, p->run.energy - before);
        p->residual = fmax(p->residual, r->residual);
        p->drift_length = fmax(p->drift_length, r->drift_length);
        p->drift_angle = fmax(p->drift_angle, r->drift_angle);
        p->penetration = fmax(p->penetration, r->penetration);
    }
}

void play_until(play *p, double t)
{
    double left = (t - p->run.world->start->t) / p->scheme.dt;

    play_steps(p, left > 0.5 ? (size_t)lround(left) : 0);
}

void play_end(play *p)
{
    double steps = (double)p->run.report.step;

    /* what each step may miss */
    CU_ASSERT_DOUBLE_EQUAL(p->ledger, p->run.energy - p->energy,
                           1e-12 * fmax(1.0, steps) * p->largest);
    CU_ASSERT_EQUAL(p->run.unsolved, 0);
}

perp_world *play_world(const play *p)
{
    return p->run.world;
}

static size_t body_of(const play *p, const char *body)
{
    int32_t k = perp_world_find_body(p->run.world, body);

    CU_ASSERT_FATAL(k >= 0);
    return (size_t)k;
}

double *play_pose(const play *p, const char *body)
{
    return perp_body_pose(p->run.world->start, body_of(p, body));
}

double *play_velocity(const play *p, const char *body)
{
    return perp_body_velocity(p->run.world->start, body_of(p, body));
}

perp_joint *play_joint(const play *p, const char *name)
{
    int32_t k = perp_world_find_joint(p->run.world, name);

    CU_ASSERT_FATAL(k >= 0);
    return &p->run.world->joints[k];
}

double play_axis(const play *p, const char *joint)
{
    size_t k = (size_t)(play_joint(p, joint) - p->run.world->joints);

    return perp_joint_axes_of(p->run.world->start, k)[0];
}

void play_force(const play *p, const char *joint, perp_role role, unsigned dim,
                double *force)
{
    size_t source = (size_t)(play_joint(p, joint) - p->run.world->joints);

    CU_ASSERT_FATAL(
        perp_stepper_row_forces(p->run.stepper, role, source, 0, dim, force) >= dim);
}

double play_angle(const play *p, const char *body)
{
    const double *q = play_pose(p, body) + 3;
    double turn = p->run.world->dimension == 2 ? q[3] : -q[2];

    return remainder(2.0 * atan2(turn, q[0]), 2.0 * acos(-1.0));
}

/* The last cell of the row `what`, or false. */
static bool find_cell(const char *page, const char *what, char *cell, size_t size)
{
    char path[4096];
    char line[512];
    FILE *f = NULL;
    bool found = false;

    snprintf(path, sizeof path, "%s/docs/scenes/%s.md", test_source(), page);
    f = fopen(path, "r");
    CU_ASSERT_PTR_NOT_NULL_FATAL(f);
    while (!found && fgets(line, sizeof line, f)) {
        size_t length = strlen(what);
        char *end = strrchr(line, '|');

        if (strncmp(line, "| ", 2) == 0 && strncmp(line + 2, what, length) == 0 &&
            strncmp(line + 2 + length, " |", 2) == 0) {
            *end = '\0';
            snprintf(cell, size, "%s", strrchr(line, '|') + 1);
            found = true;
        }
    }
    fclose(f);
    return found;
}

/* One unit of the last digit of a number as written. */
static double last_digit(const char *text)
{
    const char *dot = NULL;
    double unit = 1.0;

    text += *text == '-' || *text == '+';
    for (; isdigit((unsigned char)*text) || *text == '.'; text++) {
        unit *= dot ? 0.1 : 1.0;
        dot = *text == '.' ? text : dot;
    }
    return *text == 'e' ? unit * pow(10.0, atof(text + 1)) : unit;
}

void page_says(const char *page, const char *what, double found)
{
    char cell[512] = "";
    char *text = cell;
    bool good = find_cell(page, what, cell, sizeof cell);

    while (*text == ' ') {
        text++;
    }
    if (good && *text == '<') {
        good = fabs(found) < strtod(text + 1, NULL);
    } else if (good) {
        char *end = text;
        double said = strtod(text, &end);

        good = end != text && fabs(found - said) <= 1.001 * last_digit(text);
    }
    if (!good) {
        test_note("docs/scenes/%s.md: \"%s\" is %s, found %.6g", page, what, text, found);
    }
    CU_ASSERT(good);
}
