/* SPDX-License-Identifier: Apache-2.0
 * tests/support/contact_scene.c: scenes of contacts at work. */
#include <config.h>

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "contact_scene.h"
#include "math/vec3.h"

static show take(const char *name, perp_scene *scene)
{
    show s = {.scene = scene, .world = scene->world};

    snprintf(s.name, sizeof s.name, "%s", name);
    return s;
}

show show_open(const char *name)
{
    return take(name, play_read(name));
}

show show_open_with(const char *name, const perp_scene_set *sets, size_t count)
{
    return take(name, play_read_with(name, sets, count));
}

show show_parse(const char *name, const char *text)
{
    perp_scene *scene = NULL;
    perp_error err = {0};

    if (perp_scene_parse(&scene, text, strlen(text), name, &err) != PERP_OK) {
        test_note("%s", err.text);
    }
    CU_ASSERT_PTR_NOT_NULL_FATAL(scene);
    return take(name, scene);
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

void show_begin(show *s, const char *solver)
{
    size_t bytes = 7 * s->world->body_count * sizeof *s->start;

    s->start = malloc(bytes);
    CU_ASSERT_PTR_NOT_NULL_FATAL(s->start);
    memcpy(s->start, s->world->start->s, bytes);
    s->play = play_start(s->scene, solver);
    s->scene = NULL;
    s->rise = -INFINITY;
}

void show_end(show *s)
{
    play_end(&s->play);
    free(s->start);
    memset(s, 0, sizeof *s);
}

double show_seconds(const show *s, double usual)
{
    if (play_long()) {
        return s->scene ? s->scene->time : s->play.time;
    }
    return play_brief() ? 0.1 * usual : usual;
}

void show_steps(show *s, size_t n)
{
    for (size_t k = 0; k < n; k++) {
        play_steps(&s->play, 1);
        s->rise = fmax(s->rise, s->play.run.energy - s->play.energy);
    }
}

void show_for(show *s, double seconds)
{
    show_steps(s, (size_t)lround(seconds / s->play.scheme.dt));
}

size_t show_body(const show *s, const char *name)
{
    int32_t k = perp_world_find_body(s->world, name);

    CU_ASSERT_FATAL(k >= 0);
    return (size_t)k;
}

const double *show_pose(const show *s, const char *name)
{
    return perp_body_pose(s->world->start, show_body(s, name));
}

const double *show_twist(const show *s, const char *name)
{
    return perp_body_velocity(s->world->start, show_body(s, name));
}

double show_drift(const show *s)
{
    double most = 0.0;

    for (size_t k = 0; k < s->world->body_count; k++) {
        double d[3];

        vec3_subtract(perp_body_pose(s->world->start, k), s->start + 7 * k, d);
        most = fmax(most, vec3_length(d));
    }
    return most;
}

void show_push(const show *s, size_t i, size_t j, bool friction, double sum[3])
{
    const perp_contacts *contacts = perp_stepper_contacts(s->play.run.stepper);
    const perp_rows *rows = &perp_stepper_system(s->play.run.stepper)->rows;
    const double *z = perp_stepper_result(s->play.run.stepper)->z;

    vec3_set(sum, 0.0, 0.0, 0.0);
    for (size_t b = 0; b < rows->block_count; b++) {
        const perp_row_block *block = &rows->blocks[b];
        const perp_contact *c = NULL;
        double sign = 0.0;

        if (block->role != PERP_ROLE_CONTACT) {
            continue;
        }
        c = &contacts->at[block->source];
        sign = (size_t)c->j == j ? 1.0 : -1.0;
        if (!((size_t)c->i == i && (size_t)c->j == j) &&
            !((size_t)c->i == j && (size_t)c->j == i)) {
            continue;
        }
        for (size_t k = 0; k < (friction ? block->dim : 1u); k++) {
            double made[12];
            const double *J = perp_rows_row(rows, block->first + k, made);

            /* the columns of the force on the second body are its direction */
            vec3_add(sum, sign * z[block->first + k], J + 6, sum);
        }
    }
}

show show_begin_in(const char *name, perp_coordinates c, const perp_scene_set *sets,
                   size_t count)
{
    show s = show_open_with(name, sets, count);

    s.scene->coordinates = c;
    show_begin(&s, NULL);
    return s;
}

void show_says(const show *s, const char *what, double found)
{
    char row[160];

    snprintf(row, sizeof row, "%s: %s",
             perp_coordinates_names[s->world->reduced ? PERP_COORDINATES_REDUCED
                                                      : PERP_COORDINATES_MAXIMAL],
             what);
    page_says(s->name, row, found);
}

void show_in_both(void (*check)(perp_coordinates c))
{
    check(PERP_COORDINATES_MAXIMAL);
    check(PERP_COORDINATES_REDUCED);
}

void show_point(const double *pose, const double at[3], double p[3])
{
    double R[9];
    double turned[3];

    perp_rotation_matrix(pose + 3, R);
    mat3_apply(R, at, turned);
    vec3_add(pose, 1.0, turned, p);
}

void show_seen_from(const double *pose, const double p[3], double at[3])
{
    double R[9];
    double d[3];

    perp_rotation_matrix(pose + 3, R);
    vec3_subtract(p, pose, d);
    mat3_apply_transposed(R, d, at);
}

/* Joints of trees hold to rounding of sums of some ten links. */
void show_holds(const show *s)
{
    if (s->world->reduced) {
        CU_ASSERT(s->play.drift_length < 1e-13 && s->play.drift_angle < 1e-13);
    }
}
