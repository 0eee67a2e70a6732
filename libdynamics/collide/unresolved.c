/* SPDX-License-Identifier: Apache-2.0
 * collide/unresolved.c: a pair of shapes whose search gave up, as a scene of its own.
 *
 * Numbers are written with 17 digits, orientations as the quaternions they are, masses
 * and inertias as given, so that the reader makes the same poses to the bit. The two
 * bodies are called a and b; what they were called is told in the description. A file
 * holds the whole of a mesh or compound. */
#include <config.h>

#include <jansson.h>
#include <stdio.h>
#include <stdlib.h>

#include "collider.h"

enum { DIGITS = 17 /**< that bring a double back */ };

static json_t *reals(const double *x, size_t n)
{
    json_t *array = json_array();

    for (size_t k = 0; k < n; k++) {
        if (json_array_append_new(array, json_real(x[k])) != 0) {
            json_decref(array);
            return NULL;
        }
    }
    return array;
}

static json_t *points(const double *x, size_t n)
{
    json_t *array = json_array();

    for (size_t k = 0; k < n; k++) {
        if (json_array_append_new(array, reals(x + 3 * k, 3)) != 0) {
            json_decref(array);
            return NULL;
        }
    }
    return array;
}

/* False where there is no value or no memory. */
static bool put(json_t *object, const char *key, json_t *value)
{
    return json_object_set_new(object, key, value) == 0;
}

/* Materials are called by their numbers, for a scene has a default one of its own. */
static json_t *material_name(int32_t material)
{
    char name[32];

    snprintf(name, sizeof name, "material %d", (int)material);
    return json_string(name);
}

/* The sizes that the world keeps; of a flat box the third is none. */
static bool put_sizes(json_t *o, const perp_shape *shape)
{
    size_t sizes = shape->type->sizes;

    while (sizes > 0 && shape->size[sizes - 1] == 0.0) {
        sizes--;
    }
    return sizes == 0 || put(o, "size", reals(shape->size, sizes));
}

static json_t *triangles(const perp_mesh *mesh)
{
    json_t *array = json_array();

    for (size_t k = 0; k < mesh->triangle_count; k++) {
        const int32_t *c = mesh->corner + 3 * k;
        json_t *one = json_pack("[i, i, i]", (int)c[0], (int)c[1], (int)c[2]);

        if (json_array_append_new(array, one) != 0) {
            json_decref(array);
            return NULL;
        }
    }
    return array;
}

/* What only some types have. */
static bool put_form(json_t *o, const perp_shape *shape)
{
    const perp_polytope *hull = shape->polytope;
    const perp_mesh *mesh = shape->mesh;

    if (hull) {
        return put(o, "corners", points(hull->corner, hull->corner_count));
    }
    return !mesh || (put(o, "points", points(mesh->point, mesh->point_count)) &&
                     put(o, "triangles", triangles(mesh)));
}

/* A shape, or a part. */
static json_t *one_json(const perp_shape *shape)
{
    json_t *o = json_object();
    bool ok = put(o, "type", json_string(shape->type->name)) &&
              put(o, "material", material_name(shape->material)) &&
              put(o, "at", reals(shape->at, 3)) &&
              put(o, "rotation", reals(shape->turn, 4)) && put_sizes(o, shape) &&
              put_form(o, shape);

    if (!ok) {
        json_decref(o);
        return NULL;
    }
    return o;
}

static json_t *shape_json(const perp_shape *shape)
{
    json_t *o = one_json(shape);
    json_t *parts = shape->part_count > 0 ? json_array() : NULL;
    bool ok = true;

    for (size_t k = 0; k < shape->part_count && ok; k++) {
        ok = json_array_append_new(parts, one_json(&shape->parts[k])) == 0;
    }
    if (shape->part_count > 0 && (!put(o, "parts", parts) || !ok)) {
        json_decref(o);
        return NULL;
    }
    return o;
}

static bool put_mass(json_t *o, const perp_world *w, size_t body)
{
    const double *inertia = w->inertia + 9 * body;

    return put(o, "mass", json_real(w->mass[body])) &&
           put(o, "inertia",
               w->dimension == 2 ? json_real(inertia[8]) : reals(inertia, 9));
}

static json_t *body_json(const perp_world *w, const perp_state *state,
                         const perp_shape *shape, const char *name)
{
    static const char *const motions[] = {"dynamic", "static", "kinematic"};
    size_t body = (size_t)shape->body;
    perp_motion motion = w->motion[body];
    json_t *o = json_object();
    json_t *shapes = json_array();
    bool ok = json_array_append_new(shapes, shape_json(shape)) == 0;

    ok = put(o, "shapes", shapes) && ok && put(o, "name", json_string(name)) &&
         put(o, "motion", json_string(motions[motion])) &&
         put(o, "position", reals(perp_body_pose(state, body), 3)) &&
         put(o, "rotation", reals(perp_body_pose(state, body) + 3, 4)) &&
         (motion == PERP_MOTION_STATIC ||
          (put(o, "velocity", reals(perp_body_velocity(state, body), 3)) &&
           put(o, "spin", reals(perp_body_velocity(state, body) + 3, 3)))) &&
         (motion != PERP_MOTION_DYNAMIC || put_mass(o, w, body));
    if (!ok) {
        json_decref(o);
        return NULL;
    }
    return o;
}

static bool uses(const perp_shape *shape, int32_t material)
{
    bool found = shape->material == material;

    for (size_t k = 0; k < shape->part_count; k++) {
        found = found || shape->parts[k].material == material;
    }
    return found;
}

static json_t *material_json(const perp_material *m, int32_t number)
{
    json_t *o = json_object();
    bool ok = put(o, "name", material_name(number)) &&
              put(o, "friction", json_real(m->mu)) &&
              put(o, "restitution", json_real(m->restitution)) &&
              put(o, "rolling-friction", json_real(m->mu_rolling)) &&
              (m->erp == 0.0 || put(o, "erp", json_real(core_erp(m->erp, 0.0))));

    if (!ok) {
        json_decref(o);
        return NULL;
    }
    return o;
}

/* Those of the two shapes. */
static json_t *materials_json(const perp_world *w, const perp_shape *a,
                              const perp_shape *b)
{
    json_t *array = json_array();
    bool ok = true;

    for (size_t k = 0; k < w->material_count && ok; k++) {
        if (uses(a, (int32_t)k) || uses(b, (int32_t)k)) {
            ok = json_array_append_new(array,
                                       material_json(&w->materials[k], (int32_t)k)) == 0;
        }
    }
    if (!ok) {
        json_decref(array);
        return NULL;
    }
    return array;
}

static json_t *both(json_t *a, json_t *b)
{
    json_t *array = json_array();
    bool ok = json_array_append_new(array, a) == 0;

    ok = json_array_append_new(array, b) == 0 && ok;
    if (!ok) {
        json_decref(array);
        return NULL;
    }
    return array;
}

static json_t *combine_json(const perp_world *w)
{
    json_t *o = json_object();
    bool ok =
        put(o, "friction", json_string(perp_combine_names[w->combine_mu])) &&
        put(o, "restitution", json_string(perp_combine_names[w->combine_restitution])) &&
        put(o, "erp", json_string(perp_combine_names[w->combine_erp]));

    if (!ok) {
        json_decref(o);
        return NULL;
    }
    return o;
}

static json_t *describe(const perp_world *w, const perp_state *state,
                        const perp_unresolved *pair)
{
    const perp_shape *a = &w->shapes[pair->shape_a];
    const perp_shape *b = &w->shapes[pair->shape_b];
    char text[512];

    snprintf(
        text, sizeof text,
        "At t = %.9g s %s gave up on shape %zu (%s on \"%.64s\", part %zu) and shape "
        "%zu (%s on \"%.64s\", part %zu): their gap is at least %.9g m.",
        state->t, pair->ran ? pair->ran : "a search", pair->shape_a, a->type->name,
        w->name[a->body], pair->part_a, pair->shape_b, b->type->name, w->name[b->body],
        pair->part_b, pair->gap);
    return json_string(text);
}

char *perp_unresolved_scene(const perp_world *w, const perp_state *state,
                            const perp_unresolved *pair)
{
    const perp_shape *a = &w->shapes[pair->shape_a];
    const perp_shape *b = &w->shapes[pair->shape_b];
    json_t *o = json_object();
    char *text = NULL;
    bool ok =
        put(o, "title", json_string("A pair of shapes that was not resolved")) &&
        put(o, "description", describe(w, state, pair)) &&
        put(o, "dimension", json_integer((json_int_t)w->dimension)) &&
        put(o, "gravity", reals(w->gravity, 3)) && put(o, "combine", combine_json(w)) &&
        put(o, "materials", materials_json(w, a, b)) &&
        put(o, "bodies", both(body_json(w, state, a, "a"), body_json(w, state, b, "b")));

    if (ok) {
        text = json_dumps(o, JSON_INDENT(2) | JSON_REAL_PRECISION(DIGITS));
    }
    json_decref(o);
    return text;
}
