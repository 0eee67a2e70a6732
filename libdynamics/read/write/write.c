/* SPDX-License-Identifier: Apache-2.0
 * read/write/write.c: a scene to a file or a text, from which the reader restores the
 * same bits.
 *
 * Masses and inertias are written as they are, so that the described axes of a body are
 * those about its centre of mass. Shapes are written with their bodies as long as they
 * are in the order of the bodies, the others in a list of their own, so that their
 * numbers are kept. */
#include <config.h>

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/file.h"
#include "read/scene/members.h"
#include "read/write/writer.h"
#include "world/world.h"

/* The place of a type in the list of a member of the scheme. */
static int write_place_of(scene_writer *wr, const char *member, const char *name)
{
    for (int k = 0; perp_scheme_choice(member, (size_t)k); k++) {
        if (strcmp(perp_scheme_choice(member, (size_t)k), name) == 0) {
            return k;
        }
    }
    scene_refuse(wr, PERP_ERR_UNSUITABLE,
                 ": %s \"%s\" is defined by the user and cannot be written", member,
                 name);
    return 0;
}

static json_t *scheme_json(scene_writer *wr)
{
    const perp_scheme *scheme = &wr->scene->scheme;
    scene_scheme s = {.scheme = *scheme};

    snprintf(wr->where, sizeof wr->where, "its scheme");
    s.gyro = scheme->override_gyro ? (int)scheme->gyro + 1 : 0;
    if (scheme->broad) {
        s.broad = write_place_of(wr, "broad", scheme->broad->name);
    }
    if (scheme->narrow) {
        s.narrow = write_place_of(wr, "narrow", scheme->narrow->name);
    }
    if (scheme->reduce > 0) {
        s.reduce.value = scene_made(wr, json_integer((json_int_t)scheme->reduce));
    }
    return scene_object(wr, &scene_table_scheme, &s);
}

static json_t *combine_json(scene_writer *wr)
{
    scene_combine c = {.friction = (int)wr->world->combine_mu,
                       .restitution = (int)wr->world->combine_restitution,
                       .erp = (int)wr->world->combine_erp};

    return scene_object(wr, &scene_table_combine, &c);
}

static json_t *material_json(scene_writer *wr, const perp_material *material)
{
    scene_material m = {.name = material->name,
                        .friction = material->mu,
                        .restitution = material->restitution,
                        .rolling = material->mu_rolling,
                        .erp = material->erp == 0.0 ? NAN : world_erp(material->erp, 0.0),
                        .cfm = material->cfm};

    snprintf(wr->where, sizeof wr->where, "material \"%s\"", material->name);
    return scene_object(wr, &scene_table_material, &m);
}

/* All but the first, which every world has and no scene can change. */
static json_t *write_materials_json(scene_writer *wr)
{
    json_t *array = scene_made(wr, json_array());

    for (size_t k = 0; k < wr->world->material_count; k++) {
        json_t *one = material_json(wr, &wr->world->materials[k]);

        if (k > 0) {
            scene_append(wr, array, one);
            continue;
        }
        if (json_object_size(one) > 1) {
            scene_refuse(wr, PERP_ERR_UNSUITABLE,
                         ": differs from the material that every world has, expected "
                         "another name");
        }
        json_decref(one);
    }
    return array;
}

static json_t *write_load_json(scene_writer *wr, const double f[6])
{
    scene_load load;

    vec3_copy(load.force, f);
    vec3_copy(load.torque, f + 3);
    return scene_object(wr, &scene_table_load, &load);
}

/* A body with its shapes, `first` up to but without `end`. */
static json_t *body_json(scene_writer *wr, size_t k, size_t first, size_t end)
{
    const perp_world *w = wr->world;
    const double *pose = perp_body_pose(wr->state, k);
    const double *velocity = perp_body_velocity(wr->state, k);
    scene_body b;

    scene_defaults(&scene_table_body, &b);
    b.shapes.value = scene_write_shapes(wr, first, end, false);
    snprintf(wr->where, sizeof wr->where, "body \"%.80s\"", w->name[k]);
    b.name = w->name[k];
    b.motion = (int)w->motion[k];
    b.gyro = (int)w->gyro[k];
    b.gravity = w->gravity_scale[k];
    b.disabled = w->disabled[k];
    if (w->motion[k] == PERP_MOTION_DYNAMIC) {
        if (!isfinite(w->mass[k])) { /* NaN is that of a member that is missing */
            scene_refuse(wr, PERP_ERR_DATA, ": mass is %g, expected a finite number",
                         w->mass[k]);
        }
        b.mass = w->mass[k];
        memcpy(b.inertia, w->inertia + 9 * k, sizeof b.inertia);
    }
    vec3_copy(b.position, pose);
    memcpy(b.rotation, pose + 3, sizeof b.rotation);
    if (w->motion[k] != PERP_MOTION_STATIC) {
        vec3_copy(b.velocity, velocity);
        vec3_copy(b.spin, velocity + 3);
    }
    vec3_copy(b.friction_frame, w->friction_frame + 3 * k);
    b.load.value = write_load_json(wr, wr->state->load + 6 * k);
    return scene_object(wr, &scene_table_body, &b);
}

static json_t *write_bodies_json(scene_writer *wr)
{
    const perp_world *w = wr->world;
    json_t *array = scene_made(wr, json_array());
    size_t first = 0;

    for (size_t k = 0; k < w->body_count && wr->status == PERP_OK; k++) {
        size_t end = first;

        while (end < w->shape_count && (size_t)w->shapes[end].body == k) {
            end++;
        }
        scene_append(wr, array, body_json(wr, k, first, end));
        first = end;
    }
    wr->body_shapes = first;
    return array;
}

static json_t *write_joints_json(scene_writer *wr)
{
    json_t *array = scene_made(wr, json_array());

    for (size_t k = 0; k < wr->world->joint_count && wr->status == PERP_OK; k++) {
        scene_append(wr, array, scene_write_joint(wr, k));
    }
    return array;
}

static json_t *write_gears_json(scene_writer *wr)
{
    json_t *array = scene_made(wr, json_array());

    for (size_t k = 0; k < PERP_JOINT_AXES * wr->world->joint_count; k++) {
        const perp_joint *joint = &wr->world->joints[k / PERP_JOINT_AXES];
        const unsigned axis = (unsigned)(k % PERP_JOINT_AXES);

        if (joint->axes[axis].gear.ratio != 0.0) {
            scene_append(wr, array, scene_write_gear(wr, joint, axis));
        }
    }
    return array;
}

static json_t *write_forces_json(scene_writer *wr)
{
    json_t *array = scene_made(wr, json_array());

    for (size_t k = 0; k < wr->world->force_count && wr->status == PERP_OK; k++) {
        scene_append(wr, array, scene_write_force(wr, &wr->world->forces[k]));
    }
    return array;
}

/* NULL for what says nothing. */
static const char *write_text_or_null(const char *text)
{
    return text && text[0] ? text : NULL;
}

static void write_set_head(scene_writer *wr, scene_document *d)
{
    const perp_scene *s = wr->scene;
    const perp_reduced *reduced = wr->world->reduced;
    const perp_reduction *how = reduced ? &reduced->how : &s->reduction;

    d->name = write_text_or_null(s->name);
    d->title = write_text_or_null(s->title);
    d->description = write_text_or_null(s->description);
    d->answer = write_text_or_null(s->answer);
    d->solver = strcmp(s->solver, "auto") == 0 ? NULL : write_text_or_null(s->solver);
    d->time = s->time > 0.0 ? s->time : d->time;
    vec3_copy(d->gravity, wr->world->gravity);
    d->coordinates = reduced ? PERP_COORDINATES_REDUCED : (int)s->coordinates;
    d->rotations = how->euler;
    d->switch_chart = how->no_chart_switch;
    d->start = 1; /* velocities of a run are as its corrections leave them */
    if (how->free_bodies) {
        scene_refuse(
            wr, PERP_ERR_UNSUITABLE,
            ": bodies without joints have coordinates, which scenes do not support");
    }
}

static json_t *write_document_json(scene_writer *wr)
{
    size_t shapes = wr->world->shape_count;
    scene_document d;

    scene_defaults(&scene_table_document, &d);
    write_set_head(wr, &d);
    d.dimension.value = scene_made(wr, json_integer((json_int_t)wr->world->dimension));
    d.scheme.value = scheme_json(wr);
    d.combine.value = combine_json(wr);
    d.materials.value = write_materials_json(wr);
    d.bodies.value = write_bodies_json(wr);
    d.shapes.value = scene_write_shapes(wr, wr->body_shapes, shapes, true);
    d.joints.value = write_joints_json(wr);
    d.gears.value = write_gears_json(wr);
    d.forces.value = write_forces_json(wr);
    snprintf(wr->where, sizeof wr->where, "its head");
    return scene_object(wr, &scene_table_document, &d);
}

/* One line a value, of lists one an item. */
static bool write_print_value(FILE *f, const json_t *value)
{
    const size_t flags = JSON_ENCODE_ANY | JSON_REAL_PRECISION(17);
    bool list = json_is_array(value) && json_is_object(json_array_get(value, 0));
    bool good = true;

    if (!list) {
        return json_dumpf(value, f, flags) == 0;
    }
    for (size_t k = 0; k < json_array_size(value) && good; k++) {
        fputs(k > 0 ? ",\n    " : "[\n    ", f);
        good = json_dumpf(json_array_get(value, k), f, flags) == 0;
    }
    fputs("\n  ]", f);
    return good;
}

static perp_status write_print_document(json_t *o, perp_file_out *out, perp_error *err)
{
    const char *key = NULL;
    json_t *value = NULL;
    const char *before = "{";
    bool good = true;

    json_object_foreach(o, key, value)
    {
        fprintf(out->f, "%s\n  \"%s\": ", before, key);
        good = good && write_print_value(out->f, value);
        before = ",";
    }
    fputs("\n}\n", out->f);
    if (!good && !ferror(out->f)) { /* else the commit says why */
        return perp_fail(err, PERP_ERR_MEMORY, "%s: no memory to write it", out->path);
    }
    if (ftell(out->f) > SCENE_BYTES) {
        return perp_fail(err, PERP_ERR_UNSUITABLE,
                         "%s: more than %d MB, the limit of the reader of scenes",
                         out->path, SCENE_BYTES >> 20);
    }
    return PERP_OK;
}

/* The scene as JSON; *o is NULL after a failure. */
static perp_status scene_json(const perp_scene *scene, const perp_state *state,
                              json_t **o, perp_error *err)
{
    scene_writer wr = {.scene = scene,
                       .world = scene->world,
                       .state = state ? state : scene->world->start,
                       .err = err};

    *o = write_document_json(&wr);
    if (wr.status != PERP_OK) {
        json_decref(*o);
        *o = NULL;
    }
    return wr.status;
}

perp_status perp_scene_write(const perp_scene *scene, const perp_state *state,
                             const char *path, perp_error *err)
{
    perp_file_out out = {0};
    json_t *o = NULL;
    perp_error cause = {0};
    perp_status status = scene_json(scene, state, &o, &cause);

    if (status != PERP_OK) {
        return perp_fail(err, status, "%s: %s", path, cause.text);
    }
    status = perp_file_create(&out, path, err);
    if (status == PERP_OK) {
        status = write_print_document(o, &out, err);
    }
    json_decref(o);
    if (status == PERP_OK) {
        return perp_file_commit(&out, err);
    }
    perp_file_abandon(&out);
    return status;
}

perp_status perp_scene_print(const perp_scene *scene, const perp_state *state,
                             char **text, perp_error *err)
{
    perp_file_out out = {0};
    json_t *o = NULL;
    size_t length = 0;
    perp_status status = scene_json(scene, state, &o, err);

    *text = NULL;
    if (status == PERP_OK) {
        status = perp_file_create_memory(&out, "scene", err);
    }
    if (status == PERP_OK) {
        status = write_print_document(o, &out, err);
    }
    json_decref(o);
    if (status == PERP_OK) {
        return perp_file_commit_memory(&out, text, &length, err);
    }
    perp_file_abandon(&out);
    return status;
}
