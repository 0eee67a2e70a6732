/* SPDX-License-Identifier: Apache-2.0
 * tests/dynamics/show.c: scenes that come with perp, at work. */
#include <config.h>

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "show.h"
#include "vec3.h"

static show take(perp_scene *scene, const perp_error *err)
{
    show s = {.scene = scene};

    if (!scene) {
        test_note("%s", err->text);
    }
    CU_ASSERT_PTR_NOT_NULL_FATAL(scene);
    s.world = scene->world;
    return s;
}

show show_open(const char *name)
{
    char path[4096];
    perp_scene *scene = NULL;
    perp_error err = {0};

    snprintf(path, sizeof path, "%s/experiments/scenes/%s.json", test_source(), name);
    perp_scene_read(&scene, path, &err);
    return take(scene, &err);
}

show show_parse(const char *name, const char *text)
{
    perp_scene *scene = NULL;
    perp_error err = {0};

    perp_scene_parse(&scene, text, strlen(text), name, &err);
    return take(scene, &err);
}

void show_model(show *s, const char *model)
{
    char word[32];
    char *directions = NULL;

    snprintf(word, sizeof word, "%s", model);
    directions = strchr(word, ':');
    if (directions) {
        *directions = '\0';
        s->scene->scheme.eta = (unsigned)strtoul(directions + 1, NULL, 10);
    }
    s->scene->scheme.model = (perp_model)perp_choice_find(perp_model_names, word);
    CU_ASSERT_FATAL((int)s->scene->scheme.model >= 0);
}

void show_friction(show *s, double mu)
{
    for (size_t k = 0; k < s->world->material_count; k++) {
        s->world->materials[k].mu = mu;
    }
}

static double energy_of(const perp_world *w)
{
    return perp_world_kinetic(w) + perp_world_potential(w) + perp_world_stored(w);
}

void show_begin(show *s, const char *solver)
{
    size_t bytes = 7 * s->world->body_count * sizeof *s->start;

    s->start = malloc(bytes);
    CU_ASSERT_PTR_NOT_NULL_FATAL(s->start);
    memcpy(s->start, s->world->s, bytes);
    s->run =
        run_begin(s->world, &s->scene->scheme, solver ? solver : s->scene->solver, true);
    s->energy = energy_of(s->world);
    s->rise = -INFINITY;
}

void show_end(show *s)
{
    perp_stepper_free(s->run.stepper);
    perp_scene_free(s->scene);
    free(s->start);
    memset(s, 0, sizeof *s);
}

static bool is_set(const char *name)
{
    const char *value = getenv(name);

    return value && strcmp(value, "1") == 0;
}

bool show_is_long(void)
{
    return is_set("PERP_TEST_LONG");
}

double show_seconds(const show *s, double usual)
{
    if (show_is_long()) {
        return s->scene->time;
    }
    return is_set("PERP_TEST_BRIEF") ? 0.1 * usual : usual;
}

void show_steps(show *s, size_t n)
{
    for (size_t k = 0; k < n; k++) {
        const perp_report *r = &s->run.report;

        run_steps(&s->run, 1);
        s->penetration = fmax(s->penetration, r->penetration);
        s->residual = fmax(s->residual, r->residual);
        s->rise = fmax(s->rise, r->kinetic + r->potential + r->stored - s->energy);
        if (r->outcome != PERP_SOLVED) {
            test_note("%s: step %zu: %s", s->scene->name, r->step, r->story);
        }
    }
}

void show_for(show *s, double seconds)
{
    show_steps(s, (size_t)lround(seconds / s->scene->scheme.dt));
}

void show_was_solved(const show *s)
{
    CU_ASSERT_EQUAL(s->run.unsolved, 0);
    CU_ASSERT(s->residual <= 1e-8); /* the tolerance that solvers have by default */
}

size_t show_body(const show *s, const char *name)
{
    int32_t k = perp_world_find_body(s->world, name);

    CU_ASSERT_FATAL(k >= 0);
    return (size_t)k;
}

const double *show_pose(const show *s, const char *name)
{
    return perp_body_pose(s->world, show_body(s, name));
}

const double *show_twist(const show *s, const char *name)
{
    return perp_body_velocity(s->world, show_body(s, name));
}

double show_drift(const show *s)
{
    double most = 0.0;

    for (size_t k = 0; k < s->world->body_count; k++) {
        double d[3];

        vec3_subtract(perp_body_pose(s->world, k), s->start + 7 * k, d);
        most = fmax(most, vec3_length(d));
    }
    return most;
}

void show_push(const show *s, size_t i, size_t j, bool friction, double sum[3])
{
    const perp_contacts *contacts = perp_stepper_contacts(s->run.stepper);
    const perp_rows *rows = &perp_stepper_system(s->run.stepper)->rows;
    const double *z = perp_stepper_result(s->run.stepper)->z;

    vec3_set(sum, 0.0, 0.0, 0.0);
    for (size_t b = 0; b < rows->block_count; b++) {
        const perp_row_block *block = &rows->blocks[b];
        const perp_contact *c = &contacts->at[block->source];
        double sign = (size_t)c->j == j ? 1.0 : -1.0;

        if (!((size_t)c->i == i && (size_t)c->j == j) &&
            !((size_t)c->i == j && (size_t)c->j == i)) {
            continue;
        }
        for (size_t k = 0; k < (friction ? block->dim : 1u); k++) {
            /* the columns of the force on the second body are its direction */
            vec3_add(sum, sign * z[block->first + k],
                     rows->J + 12 * (block->first + k) + 6, sum);
        }
    }
}
