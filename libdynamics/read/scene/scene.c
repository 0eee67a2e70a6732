/* SPDX-License-Identifier: Apache-2.0
 * read/scene/scene.c: a scene from a file or a text, in the order in which its parts need each
 * other: dimension, scheme, materials, bodies, robots, ground, shapes, joints, gears, forces. */
#include <config.h>

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <perp/solver.h>

#include "base/base.h"
#include "base/file.h"
#include "collision/collider.h"
#include "read/scene/build.h"
#include "read/scene/document.h"
#include "read/scene/members.h"
#include "read/scene/quantity.h"
#include "read/scene/tables.h"
#include "world/world.h"

void perp_scene_free(perp_scene *scene)
{
    if (!scene) {
        return;
    }
    free(scene->name);
    free(scene->title);
    free(scene->description);
    free(scene->answer);
    free(scene->parameters);
    for (size_t k = 0; k < scene->note_count; k++) {
        free(scene->notes[k]);
    }
    free(scene->notes);
    perp_world_free(scene->world);
    free(scene);
}

static perp_status scene_make_world(scene_reader *rd, const scene_at *root)
{
    scene_at dimension = scene_member_at(root, "dimension");
    long d = 3;
    perp_status status = PERP_OK;

    if (dimension.value) {
        status = scene_read_integer(rd, &dimension, 2, 3, &d);
    }
    if (status == PERP_OK) {
        status = perp_world_new(&rd->scene->world, (unsigned)d, rd->err);
    }
    rd->world = rd->scene->world;
    return status;
}

/* The recommended solver is one that there is. */
static perp_status scene_set_solver(scene_reader *rd, const scene_at *root,
                                    const char *name)
{
    scene_at solver = scene_member_at(root, "solver");
    const perp_solver_type *type = NULL;
    perp_options *options = NULL;
    perp_error cause = {0};
    perp_status status = PERP_OK;

    snprintf(rd->scene->solver, sizeof rd->scene->solver, "%s", name ? name : "auto");
    if (!name) {
        return PERP_OK;
    }
    options = calloc(1, sizeof *options);
    if (!options) {
        return perp_fail(rd->err, PERP_ERR_MEMORY, "%s: no memory", rd->file);
    }
    status = perp_solver_parse(name, &type, options, &cause);
    free(options);
    return scene_fail_in(rd, &solver, status, &cause);
}

static perp_status scene_set_texts(scene_reader *rd, const scene_document *d)
{
    perp_scene *s = rd->scene;

    s->name = d->name ? math_text(d->name) : math_stem(rd->file);
    s->title = math_text(d->title ? d->title : "");
    s->description = math_text(d->description ? d->description : "");
    s->answer = math_text(d->answer ? d->answer : "");
    if (!s->name || !s->title || !s->description || !s->answer) {
        return perp_fail(rd->err, PERP_ERR_MEMORY, "%s: no memory for texts", rd->file);
    }
    return PERP_OK;
}

#define SCENE_TEXT_OF(name, text) text,
const char *const perp_coordinates_names[] = {PERP_COORDINATES_LIST(SCENE_TEXT_OF) NULL};
#undef SCENE_TEXT_OF
const char *const perp_rotations_names[] = {"exponential", "euler", NULL};

static perp_status scene_set_scheme(scene_reader *rd, const scene_at *at)
{
    const long most_contacts = 1000000;
    long reduce = 0;
    scene_scheme s;
    perp_error cause = {0};
    perp_status status = PERP_OK;

    TRY(scene_read_object(rd, at, &scene_table_scheme, &s));
    if (s.gyro > 0) {
        s.scheme.override_gyro = true;
        s.scheme.gyro = (perp_gyro)(s.gyro - 1);
    }
    s.scheme.broad = s.broad > 0 ? perp_broad_types(NULL)[s.broad] : NULL;
    s.scheme.narrow = s.narrow > 0 ? perp_narrow_types(NULL)[s.narrow - 1] : NULL;
    if (s.reduce.value) {
        status = scene_read_integer(rd, &s.reduce, 0, most_contacts, &reduce);
        s.scheme.reduce = (unsigned)reduce;
    }
    if (status != PERP_OK) {
        return status;
    }
    rd->scene->scheme = s.scheme;
    status = perp_scheme_check(&s.scheme, &cause);
    return scene_fail_in(rd, at, status, &cause);
}

static perp_status scene_set_combine(scene_reader *rd, const scene_at *at)
{
    scene_combine c;
    perp_status status = scene_read_object(rd, at, &scene_table_combine, &c);

    rd->world->combine_mu = (perp_combine)c.friction;
    rd->world->combine_restitution = (perp_combine)c.restitution;
    rd->world->combine_erp = (perp_combine)c.erp;
    return status;
}

static perp_status scene_build_material(scene_reader *rd, const scene_at *at)
{
    scene_material m;
    perp_material material = {.mu = 0.0};
    perp_error cause = {0};
    perp_status status = PERP_OK;

    TRY(scene_read_object(rd, at, &scene_table_material, &m));
    snprintf(material.name, sizeof material.name, "%s", m.name);
    material.mu = m.friction;
    material.restitution = m.restitution;
    material.mu_rolling = m.rolling;
    material.erp = scene_erp(m.erp);
    material.cfm = m.cfm;
    status = perp_world_add_material(rd->world, &material, NULL, &cause);
    return scene_fail_in(rd, at, status, &cause);
}

/* Every item of a list, with its copies where the items have such. */
static perp_status scene_build_list(scene_reader *rd, const scene_at *list,
                                    scene_items items, scene_build *build)
{
    perp_status status = PERP_OK;

    for (size_t k = 0; k < json_array_size(list->value) && status == PERP_OK; k++) {
        scene_at one = scene_element_at(list, k);

        rd->scratch_used = 0;
        if (!json_is_object(one.value)) {
            status = scene_unexpected(rd, &one, PERP_ERR_FORMAT, "an object");
        } else {
            status = items == SCENE_ONCE ? build(rd, &one)
                                         : scene_repeat(rd, &one, items, build);
        }
    }
    return status;
}

static perp_status scene_build_parts(scene_reader *rd, const scene_document *d)
{
    perp_status status =
        scene_build_list(rd, &d->materials, SCENE_ONCE, scene_build_material);

    if (status == PERP_OK) {
        status = scene_build_list(rd, &d->bodies, SCENE_BODIES, scene_build_body);
    }
    if (status == PERP_OK) {
        status = scene_build_list(rd, &d->robots, SCENE_ROBOTS, scene_build_robot);
    }
    if (status == PERP_OK) {
        status = json_is_object(d->ground.value)
                     ? scene_build_ground(rd, &d->ground)
                     : scene_build_list(rd, &d->ground, SCENE_ONCE, scene_build_ground);
    }
    if (status == PERP_OK) {
        status = scene_build_list(rd, &d->shapes, SCENE_SHAPES, scene_build_shape);
    }
    if (status == PERP_OK) {
        status = scene_build_list(rd, &d->joints, SCENE_JOINTS, scene_build_joint);
    }
    if (status == PERP_OK) {
        status = scene_build_list(rd, &d->gears, SCENE_GEARS, scene_build_gear);
    }
    return status == PERP_OK
               ? scene_build_list(rd, &d->forces, SCENE_FORCES, scene_build_force)
               : status;
}

perp_status scene_note(scene_reader *rd, const char *text)
{
    perp_scene *s = rd->scene;
    char *note = math_text(text);
    char **notes = note ? realloc(s->notes, (s->note_count + 1) * sizeof *notes) : NULL;

    if (!notes) {
        free(note);
        return perp_fail(rd->err, PERP_ERR_MEMORY, "%s: no memory for notes", rd->file);
    }
    notes[s->note_count++] = note;
    s->notes = notes;
    return PERP_OK;
}

/* Velocities that joints allow, the same in maximal and in reduced coordinates; a note
 * where that changes them. */
static perp_status scene_start_on_joints(scene_reader *rd)
{
    double energy[2];
    char text[160];
    perp_status status =
        perp_world_project_velocities(rd->world, rd->world->start, energy, rd->err);

    if (status != PERP_OK || energy[0] == energy[1]) {
        return status;
    }
    snprintf(text, sizeof text,
             "velocities at the start: projected onto the joints, kinetic energy from %g "
             "to %g J",
             energy[0], energy[1]);
    return scene_note(rd, text);
}

static perp_status build_scene(scene_reader *rd, const scene_at *root,
                               const perp_scene_set *sets, size_t count)
{
    scene_document d;
    perp_status status = PERP_OK;

    if (!json_is_object(root->value)) {
        return scene_unexpected(rd, root, PERP_ERR_FORMAT, "an object");
    }
    TRY(scene_read_parameters(rd, root, sets, count));
    TRY(scene_make_world(rd, root));
    TRY(scene_read_object(rd, root, &scene_table_document, &d));
    TRY(scene_set_texts(rd, &d));
    TRY(scene_set_solver(rd, root, d.solver));
    TRY(scene_set_scheme(rd, &d.scheme));
    TRY(scene_set_combine(rd, &d.combine));
    rd->scene->time = d.time;
    rd->scene->coordinates = (perp_coordinates)d.coordinates;
    rd->scene->reduction.euler = d.rotations > 0;
    rd->scene->reduction.no_chart_switch = d.switch_chart > 0;
    if (!isnan(d.gravity[0])) {
        vec3_copy(rd->world->gravity, d.gravity);
    }
    status = scene_build_parts(rd, &d);
    if (status == PERP_OK) {
        perp_error cause = {0};

        status = collide_check_pairs(rd->world, &cause);
        status = status == PERP_OK
                     ? status
                     : perp_fail(rd->err, status, "%s: %s", rd->file, cause.text);
    }
    return status == PERP_OK && d.start == 0 ? scene_start_on_joints(rd) : status;
}

/* Parse and build; the memory that only reading needs is freed by the caller. */
static perp_status scene_read(scene_reader *rd, char *bare, const perp_scene_set *sets,
                              size_t count)
{
    json_t *root = NULL;
    scene_at document = {0};
    perp_status status =
        scene_blank_comments(bare, rd->text, rd->length, rd->file, rd->err);

    if (status == PERP_OK) {
        status = scene_decode(rd, &root);
    }
    if (status == PERP_OK) {
        document.value = root;
        status = build_scene(rd, &document, sets, count);
    }
    json_decref(root);
    return status;
}

perp_status perp_scene_parse_with(perp_scene **scene, const char *text, size_t length,
                                  const char *name, const perp_scene_set *sets,
                                  size_t count, perp_error *err)
{
    scene_reader *rd = NULL;
    char *bare = NULL;
    perp_status status = PERP_OK;

    *scene = NULL;
    if (length > SCENE_BYTES) {
        return perp_fail(err, PERP_ERR_FORMAT, "%s: more than %d MB", name,
                         SCENE_BYTES >> 20);
    }
    rd = calloc(1, sizeof *rd);
    bare = calloc(length + 1, 1);
    if (!rd || !bare || !(rd->scene = calloc(1, sizeof *rd->scene)) ||
        !(rd->bodies = json_object())) {
        status = perp_fail(err, PERP_ERR_MEMORY, "%s: no memory to read it", name);
    } else {
        rd->file = name;
        rd->text = text;
        rd->bare = bare;
        rd->length = length;
        rd->err = err;
        status = scene_read(rd, bare, sets, count);
    }
    if (rd) {
        json_decref(rd->bodies);
        free(rd->origins);
        scene_files_clear(rd);
        if (status == PERP_OK) {
            *scene = rd->scene;
        } else {
            perp_scene_free(rd->scene);
        }
    }
    free(bare);
    free(rd);
    return status;
}

perp_status perp_scene_parse(perp_scene **scene, const char *text, size_t length,
                             const char *name, perp_error *err)
{
    return perp_scene_parse_with(scene, text, length, name, NULL, 0, err);
}

perp_status perp_scene_read_with(perp_scene **scene, const char *path,
                                 const perp_scene_set *sets, size_t count,
                                 perp_error *err)
{
    char *text = NULL;
    size_t length = 0;
    perp_status status = perp_file_slurp_most(path, SCENE_BYTES, &text, &length, err);

    *scene = NULL;
    if (status == PERP_OK) {
        status = perp_scene_parse_with(scene, text, length, path, sets, count, err);
    }
    free(text);
    return status;
}

perp_status perp_scene_read(perp_scene **scene, const char *path, perp_error *err)
{
    return perp_scene_read_with(scene, path, NULL, 0, err);
}
