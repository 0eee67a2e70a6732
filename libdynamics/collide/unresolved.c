/* SPDX-License-Identifier: Apache-2.0
 * collide/unresolved.c: a pair of shapes whose search gave up, as a scene of its own.
 *
 * Numbers are written with 17 digits, orientations as the quaternions they are, masses
 * and inertias as given, so that the reader makes the same poses to the bit. The two
 * bodies are called a and b, their materials likewise; what they were called is told in
 * the description. */
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

static json_t *shape_json(const perp_world *w, const perp_shape *shape,
                          const char *material)
{
    const perp_shape_type *type = shape->type;
    size_t sizes = type->sizes;
    json_t *o = json_object();
    bool ok = put(o, "type", json_string(type->name)) &&
              put(o, "material", json_string(material)) &&
              put(o, "at", reals(shape->at, 3)) &&
              put(o, "rotation", reals(shape->turn, 4));

    while (sizes > 0 && shape->size[sizes - 1] == 0.0) {
        sizes--; /* that a flat shape does not read */
    }
    if (ok && w->dimension == 3 && sizes < type->sizes) {
        ok = false;
    }
    if (ok && sizes > 0) {
        ok = put(o, "size", reals(shape->size, sizes));
    }
    if (ok && shape->polytope) {
        ok = put(o, "corners",
                 points(shape->polytope->corner, shape->polytope->corner_count));
    }
    if (!ok) {
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

static json_t *body_json(const perp_world *w, const perp_shape *shape, const char *name)
{
    static const char *const motions[] = {"dynamic", "static", "kinematic"};
    size_t body = (size_t)shape->body;
    perp_motion motion = w->motion[body];
    json_t *o = json_object();
    json_t *shapes = json_array();
    bool ok = json_array_append_new(shapes, shape_json(w, shape, name)) == 0;

    ok = put(o, "shapes", shapes) && ok && put(o, "name", json_string(name)) &&
         put(o, "motion", json_string(motions[motion])) &&
         put(o, "position", reals(perp_body_pose(w, body), 3)) &&
         put(o, "rotation", reals(perp_body_pose(w, body) + 3, 4)) &&
         (motion == PERP_MOTION_STATIC ||
          (put(o, "velocity", reals(perp_body_velocity(w, body), 3)) &&
           put(o, "spin", reals(perp_body_velocity(w, body) + 3, 3)))) &&
         (motion != PERP_MOTION_DYNAMIC || put_mass(o, w, body));
    if (!ok) {
        json_decref(o);
        return NULL;
    }
    return o;
}

static json_t *material_json(const perp_material *m, const char *name)
{
    json_t *o = json_object();
    bool ok = put(o, "name", json_string(name)) && put(o, "friction", json_real(m->mu)) &&
              put(o, "restitution", json_real(m->restitution)) &&
              put(o, "rolling-friction", json_real(m->mu_rolling)) &&
              (m->erp < 0.0 || put(o, "erp", json_real(m->erp)));

    if (!ok) {
        json_decref(o);
        return NULL;
    }
    return o;
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

static json_t *describe(const perp_world *w, const perp_unresolved *pair)
{
    const perp_shape *a = &w->shapes[pair->shape_a];
    const perp_shape *b = &w->shapes[pair->shape_b];
    char text[512];

    snprintf(
        text, sizeof text,
        "At t = %.9g s %s gave up on shape %zu (%s on \"%.64s\", part %zu) and shape "
        "%zu (%s on \"%.64s\", part %zu): their gap is at least %.9g m.",
        w->t, pair->ran ? pair->ran : "a search", pair->shape_a, a->type->name,
        w->name[a->body], pair->part_a, pair->shape_b, b->type->name, w->name[b->body],
        pair->part_b, pair->gap);
    return json_string(text);
}

char *perp_unresolved_scene(const perp_world *w, const perp_unresolved *pair)
{
    const perp_shape *a = &w->shapes[pair->shape_a];
    const perp_shape *b = &w->shapes[pair->shape_b];
    const perp_material *of_a = &w->materials[a->material];
    const perp_material *of_b = &w->materials[b->material];
    json_t *o = json_object();
    char *text = NULL;
    bool ok =
        put(o, "title", json_string("A pair of shapes that was not resolved")) &&
        put(o, "description", describe(w, pair)) &&
        put(o, "dimension", json_integer((json_int_t)w->dimension)) &&
        put(o, "gravity", reals(w->gravity, 3)) && put(o, "combine", combine_json(w)) &&
        put(o, "materials", both(material_json(of_a, "a"), material_json(of_b, "b"))) &&
        put(o, "bodies", both(body_json(w, a, "a"), body_json(w, b, "b")));

    if (ok) {
        text = json_dumps(o, JSON_INDENT(2) | JSON_REAL_PRECISION(DIGITS));
    }
    json_decref(o);
    return text;
}
