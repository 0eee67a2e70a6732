/* SPDX-License-Identifier: Apache-2.0
 * view/gltf.c: a motion as glTF 2.0, .glb or .gltf: a node per body with a node per shape, equal
 * surfaces once, a material per colour, one animation.
 *
 * Poses are interpolated between keys: within a thousandth of the size of the body, and a
 * thousandth of a radian, of all frames. The first node turns the upward direction to +y. */
#include <config.h>

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/base.h"
#include "base/index.h"
#include "command/cli/take.h"
#include "command/view/formats.h"
#include "command/view/gltf_file.h"
#include "command/view/gltf_keys.h"
#include "command/view/surfaces.h"

static const double gltf_share = 1e-3; /* error of a position over the size of the body */
static const double gltf_turn = 1e-3;  /* error of an orientation [rad] */

typedef struct gltf_scene {
    gltf_file file;
    const motion *m;
    view_surfaces surfaces;
    size_t *mesh;     /* of each shape */
    size_t *material; /* of each shape */
    size_t *position; /* accessors of each surface; SIZE_MAX: none so far */
    size_t *node;     /* of each body */
    double *reach;    /* of each body with its shapes [m] */
    size_t *first;    /* shape of each body; SIZE_MAX: it has none */
    size_t *next;     /* shape of the same body after each shape; SIZE_MAX: the last */
    perp_index materials, meshes;
} gltf_scene;

static bool gltf_open(const motion_shape *shape)
{
    return shape->type->unbounded || shape->type->is_mesh;
}

/* A part of a colour of the screen as a share of light. */
static double gltf_linear(uint32_t colour, unsigned shift)
{
    double c = (double)(colour >> shift & 255u) / 255.0;

    return c <= 0.04045 ? c / 12.92 : pow((c + 0.055) / 1.055, 2.4);
}

static bool gltf_same_material(const void *things, size_t a, size_t b)
{
    const motion_shape *shapes = ((const gltf_scene *)things)->m->shapes;

    return shapes[a].colour == shapes[b].colour &&
           gltf_open(&shapes[a]) == gltf_open(&shapes[b]);
}

/* The material of a shape: that of an earlier shape of the same colour where there is one. */
static size_t gltf_material(gltf_scene *s, size_t shape)
{
    const motion_shape *now = &s->m->shapes[shape];
    const uint32_t key[] = {now->colour, gltf_open(now)};
    const size_t first =
        perp_index_first(&s->materials, perp_hash_bytes(PERP_HASH_START, key, sizeof key),
                         shape, gltf_same_material, s);
    char name[32];

    if (first < shape) {
        return s->material[first];
    }
    snprintf(name, sizeof name, "#%06x%s", (unsigned)(now->colour & 0xffffffu),
             gltf_open(now) ? " open" : "");
    return gltf_add(&s->file, "materials",
                    json_pack("{s:s, s:b, s:{s:[f, f, f, f], s:f, s:f}}", "name", name,
                              "doubleSided", (int)gltf_open(now), "pbrMetallicRoughness",
                              "baseColorFactor", gltf_linear(now->colour, 16),
                              gltf_linear(now->colour, 8), gltf_linear(now->colour, 0),
                              1.0, "metallicFactor", 0.0, "roughnessFactor", 0.7));
}

/* Three accessors of a surface: positions, normals, corners. */
static void gltf_surface(gltf_scene *s, size_t at)
{
    const view_mesh *mesh = &s->surfaces.mesh[at];
    size_t count = 3 * mesh->vertex_count;
    float *numbers = take(1, count * sizeof *numbers);

    for (size_t which = 0; which < 2; which++) {
        for (size_t k = 0; k < count; k++) {
            numbers[k] = (float)(which ? mesh->normals : mesh->vertices)[k];
        }
        if (which == 0) {
            s->position[at] = gltf_numbers(&s->file, GLTF_VERTICES, 3, mesh->vertex_count,
                                           numbers, true);
        } else {
            gltf_numbers(&s->file, GLTF_VERTICES, 3, mesh->vertex_count, numbers, false);
        }
    }
    gltf_indices(&s->file, 3 * mesh->triangle_count, mesh->triangles, mesh->vertex_count);
    free(numbers);
}

static bool gltf_same_mesh(const void *things, size_t a, size_t b)
{
    const gltf_scene *s = (const gltf_scene *)things;

    return s->surfaces.of[a] == s->surfaces.of[b] && s->material[a] == s->material[b];
}

/* The mesh of a surface in a material: that of an earlier shape where there is one. */
static void gltf_mesh(gltf_scene *s, size_t shape)
{
    size_t at = s->surfaces.of[shape];
    size_t material = gltf_material(s, shape);
    const size_t key[] = {at, material};
    size_t same = shape;
    json_int_t first = 0;

    s->material[shape] = material;
    same = perp_index_first(&s->meshes, perp_hash_bytes(PERP_HASH_START, key, sizeof key),
                            shape, gltf_same_mesh, s);
    if (same < shape) {
        s->mesh[shape] = s->mesh[same];
        return;
    }
    if (s->position[at] == SIZE_MAX) {
        gltf_surface(s, at);
    }
    first = (json_int_t)s->position[at];
    s->mesh[shape] =
        gltf_add(&s->file, "meshes",
                 json_pack("{s:s, s:[{s:{s:I, s:I}, s:I, s:I}]}", "name",
                           s->m->shapes[shape].type->name, "primitives", "attributes",
                           "POSITION", first, "NORMAL", first + 1, "indices", first + 2,
                           "material", (json_int_t)material));
}

static json_t *gltf_reals(const double *x, size_t count)
{
    json_t *array = json_array();

    for (size_t k = 0; k < count; k++) {
        json_array_append_new(array, json_real(x[k]));
    }
    return array;
}

/* A node at a pose: x, y, z, then w, x, y, z, which glTF has as x, y, z, w. */
static json_t *gltf_node(const double pose[7])
{
    const double q[4] = {pose[4], pose[5], pose[6], pose[3]};

    return json_pack("{s:o, s:o}", "translation", gltf_reals(pose, 3), "rotation",
                     gltf_reals(q, 4));
}

static void gltf_body(gltf_scene *s, size_t body, json_t *root)
{
    const motion *m = s->m;
    json_t *node = gltf_node(m->poses + 7 * body);
    json_t *children = json_array();

    json_object_set_new(node, "name", json_string(m->bodies[body].name));
    if (!m->bodies[body].fixed) {
        json_object_set_new(node, "extras",
                            json_pack("{s:f}", "mass", m->bodies[body].mass));
    }
    for (size_t k = s->first[body]; k != SIZE_MAX; k = s->next[k]) {
        json_t *part = gltf_node(m->shapes[k].pose);
        size_t at = 0;

        json_object_set_new(part, "mesh", json_integer((json_int_t)s->mesh[k]));
        at = gltf_add(&s->file, "nodes", part);
        json_array_append_new(children, json_integer((json_int_t)at));
    }
    if (json_array_size(children) > 0) {
        json_object_set(node, "children", children);
    }
    json_decref(children);
    s->node[body] = gltf_add(&s->file, "nodes", node);
    json_array_append_new(root, json_integer((json_int_t)s->node[body]));
}

/* The rotation that brings the upward direction to +y, as x, y, z, w: half way between the two. */
static json_t *gltf_upright(const double up[3])
{
    double q[4] = {-up[2], 0.0, up[0], 1.0 + up[1]};
    double length = sqrt(q[0] * q[0] + q[2] * q[2] + q[3] * q[3]);

    if (length < 1e-9) { /* down to up: half a turn about x */
        q[0] = length = 1.0;
    }
    for (size_t k = 0; k < 4; k++) {
        q[k] /= length;
    }
    return gltf_reals(q, 4);
}

/* ---- the animation ---- */

typedef struct gltf_motion {
    gltf_keys keys;
    size_t *usable; /* frames of different times, as the file has them */
    size_t count;
    float *numbers;
    size_t all_times; /* accessor of the times of all usable frames; SIZE_MAX: none */
    json_t *channels, *samplers;
} gltf_motion;

static void gltf_motion_new(gltf_motion *a, const motion *m)
{
    memset(a, 0, sizeof *a);
    a->all_times = SIZE_MAX;
    a->usable = take(m->frame_count, sizeof *a->usable);
    a->numbers = take(4 * m->frame_count, sizeof *a->numbers);
    a->channels = json_array();
    a->samplers = json_array();
    gltf_keys_new(&a->keys, m->frame_count);
    for (size_t f = 0; f < m->frame_count; f++) {
        if (a->count == 0 ||
            (float)m->time[f] > (float)m->time[a->usable[a->count - 1]]) {
            a->usable[a->count++] = f;
        }
    }
}

static void gltf_motion_free(gltf_motion *a)
{
    gltf_keys_free(&a->keys);
    free(a->usable);
    free(a->numbers);
    json_decref(a->channels);
    json_decref(a->samplers);
}

/* The accessor of the times of the keys. */
static size_t gltf_times(gltf_scene *s, gltf_motion *a)
{
    bool all = a->keys.count == a->count;
    size_t at = 0;

    if (all && a->all_times != SIZE_MAX) {
        return a->all_times;
    }
    for (size_t k = 0; k < a->keys.count; k++) {
        a->numbers[k] = (float)s->m->time[a->keys.frame[k]];
    }
    at = gltf_numbers(&s->file, GLTF_SAMPLES, 1, a->keys.count, a->numbers, true);
    a->all_times = all ? at : a->all_times;
    return at;
}

/* The values at the keys. Of a quaternion and its opposite the one nearer to the last. */
static size_t gltf_values(gltf_scene *s, gltf_motion *a, size_t body, gltf_path path)
{
    size_t width = path == GLTF_ROTATION ? 4 : 3;

    for (size_t k = 0; k < a->keys.count; k++) {
        const double *pose =
            s->m->poses + 7 * (a->keys.frame[k] * s->m->body_count + body);
        const double q[4] = {pose[4], pose[5], pose[6], pose[3]};
        const double *x = path == GLTF_ROTATION ? q : pose;
        float *out = a->numbers + width * k;
        double dot = 0.0;

        for (size_t c = 0; c < width && k > 0; c++) {
            dot += x[c] * (double)out[(ptrdiff_t)c - (ptrdiff_t)width];
        }
        for (size_t c = 0; c < width; c++) {
            out[c] = (float)(path == GLTF_ROTATION && dot < 0.0 ? -x[c] : x[c]);
        }
    }
    return gltf_numbers(&s->file, GLTF_SAMPLES, width, a->keys.count, a->numbers, false);
}

static void gltf_channel(gltf_scene *s, gltf_motion *a, size_t body, gltf_path path)
{
    double error = path == GLTF_ROTATION ? gltf_turn : gltf_share * s->reach[body];
    size_t times = 0;
    size_t values = 0;
    json_int_t sampler = (json_int_t)json_array_size(a->samplers);

    gltf_keys_choose(&a->keys, s->m, body, path, error, a->usable, a->count);
    if (a->keys.count < 2) {
        return;
    }
    times = gltf_times(s, a);
    values = gltf_values(s, a, body, path);
    json_array_append_new(
        a->samplers, json_pack("{s:I, s:I, s:s}", "input", (json_int_t)times, "output",
                               (json_int_t)values, "interpolation", "LINEAR"));
    json_array_append_new(a->channels,
                          json_pack("{s:I, s:{s:I, s:s}}", "sampler", sampler, "target",
                                    "node", (json_int_t)s->node[body], "path",
                                    path == GLTF_ROTATION ? "rotation" : "translation"));
}

static void gltf_animate(gltf_scene *s)
{
    gltf_motion a;

    gltf_motion_new(&a, s->m);
    for (size_t body = 0; body < s->m->body_count; body++) {
        gltf_channel(s, &a, body, GLTF_TRANSLATION);
        gltf_channel(s, &a, body, GLTF_ROTATION);
    }
    if (json_array_size(a.channels) > 0) {
        gltf_add(&s->file, "animations",
                 json_pack("{s:s, s:O, s:O}", "name", "motion", "channels", a.channels,
                           "samplers", a.samplers));
    }
    gltf_motion_free(&a);
}

/* ---- the whole ---- */

/* The shapes of each body, in their order. */
static void gltf_chain(gltf_scene *s)
{
    memset(s->first, 0xff, s->m->body_count * sizeof *s->first);
    for (size_t k = s->m->shape_count; k-- > 0;) {
        size_t *first = &s->first[s->m->shapes[k].body];

        s->next[k] = *first;
        *first = k;
    }
}

static void gltf_scene_new(gltf_scene *s, const motion *m)
{
    size_t shapes = m->shape_count ? m->shape_count : 1;

    s->m = m;
    s->mesh = take(shapes, sizeof *s->mesh);
    s->material = take(shapes, sizeof *s->material);
    s->position = take(shapes, sizeof *s->position);
    s->node = take(m->body_count, sizeof *s->node);
    s->reach = take(m->body_count, sizeof *s->reach);
    s->first = take(m->body_count, sizeof *s->first);
    s->next = take(shapes, sizeof *s->next);
    gltf_file_start(&s->file);
    if (!perp_index_reserve(&s->materials, shapes) ||
        !perp_index_reserve(&s->meshes, shapes)) {
        take_missing(0);
    }
    gltf_chain(s);
    memset(s->position, 0xff, shapes * sizeof *s->position);
    for (size_t k = 0; k < m->shape_count; k++) {
        double *reach = &s->reach[m->shapes[k].body];

        *reach = fmax(*reach, view_shape_reach(m, &m->shapes[k]));
    }
    for (size_t k = 0; k < m->body_count; k++) { /* without a size: that of the whole */
        s->reach[k] = s->reach[k] > 0.0 ? s->reach[k] : 0.1 * s->surfaces.reach;
    }
}

static void gltf_scene_free(gltf_scene *s)
{
    free(s->mesh);
    free(s->material);
    free(s->position);
    free(s->node);
    free(s->reach);
    free(s->first);
    free(s->next);
    perp_index_clear(&s->materials);
    perp_index_clear(&s->meshes);
    gltf_file_free(&s->file);
    view_surfaces_free(&s->surfaces);
}

static void gltf_document(gltf_scene *s)
{
    const motion *m = s->m;
    json_t *bodies = json_array();
    json_t *asset = json_pack("{s:s, s:s, s:{s:f, s:f}}", "version", "2.0", "generator",
                              PACKAGE_STRING, "extras", "position_error_over_size",
                              gltf_share, "rotation_error_rad", gltf_turn);
    size_t root = 0;

    json_object_set_new(s->file.root, "asset", asset);
    for (size_t k = 0; k < m->shape_count; k++) {
        gltf_mesh(s, k);
    }
    for (size_t k = 0; k < m->body_count; k++) {
        gltf_body(s, k, bodies);
    }
    root = gltf_add(&s->file, "nodes",
                    json_pack("{s:s, s:o, s:o}", "name", m->title, "rotation",
                              gltf_upright(m->up), "children", bodies));
    gltf_add(&s->file, "scenes", json_pack("{s:[I]}", "nodes", (json_int_t)root));
    json_object_set_new(s->file.root, "scene", json_integer(0));
    gltf_animate(s);
}

static perp_status gltf_write(const motion *m, const char *path, perp_error *err)
{
    gltf_scene s = {0};
    perp_status status = PERP_OK;

    if (m->body_count == 0) {
        return perp_fail(err, PERP_ERR_UNSUITABLE,
                         "%s: no bodies, glTF has nothing to draw; expected a motion of "
                         "bodies",
                         m->source);
    }
    status = view_surfaces_make(&s.surfaces, m, err);
    if (status == PERP_OK) {
        gltf_scene_new(&s, m);
        gltf_document(&s);
        status = gltf_file_write(&s.file, path, err);
    }
    gltf_scene_free(&s);
    return status;
}

const motion_format motion_format_gltf = {
    .name = "gltf",
    .extensions = ".glb .gltf",
    .summary = "glTF 2.0 with animation: a node per body, read by browsers, Blender and "
               "game engines",
    .write = gltf_write,
};
