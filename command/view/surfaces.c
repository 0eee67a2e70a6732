/* SPDX-License-Identifier: Apache-2.0
 * view/surfaces.c: the surfaces of all shapes of a motion, equal ones once. */
#include <config.h>

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include <perp/dynamics/rotation.h>

#include "base/base.h"
#include "base/index.h"
#include "command/cli/take.h"
#include "command/view/surfaces.h"

double view_shape_reach(const motion *m, const motion_shape *shape)
{
    double most = 0.0;

    if (shape->type->unbounded) {
        return 0.0;
    }
    if (!shape->type->from_points && !shape->type->is_mesh) {
        return sqrt(shape->size[0] * shape->size[0] + shape->size[1] * shape->size[1] +
                    shape->size[2] * shape->size[2]);
    }
    for (size_t k = 0; k < shape->vertex_count; k++) {
        const double *p = m->vertices + 3 * (shape->first_vertex + k);

        most = fmax(most, sqrt(p[0] * p[0] + p[1] * p[1] + p[2] * p[2]));
    }
    return most;
}

double view_kinetic(const motion *m, size_t frame, size_t body)
{
    const motion_body *b = &m->bodies[body];
    const double *v = m->velocity + 6 * (frame * m->body_count + body);
    const double *pose = m->poses + 7 * (frame * m->body_count + body);
    double w[3];
    double twice = b->mass * (v[0] * v[0] + v[1] * v[1] + v[2] * v[2]);

    perp_quat_rotate_back(pose + 3, v + 3, w);
    for (size_t k = 0; k < 9; k++) {
        twice += w[k / 3] * b->inertia[k] * w[k % 3];
    }
    return b->fixed ? 0.0 : 0.5 * twice;
}

void view_anchor(const motion *m, size_t frame, const motion_joint *joint, size_t end,
                 double p[3])
{
    int32_t body = joint->body[end];
    const double *pose = NULL;

    if (body < 0) {
        memcpy(p, joint->anchor[end], 3 * sizeof *p);
        return;
    }
    pose = m->poses + 7 * (frame * m->body_count + (size_t)body);
    perp_quat_rotate(pose + 3, joint->anchor[end], p);
    for (size_t k = 0; k < 3; k++) {
        p[k] += pose[k];
    }
}

static double surfaces_reach(const motion *m)
{
    double shape = 0.0;
    double most = 1.0;

    for (size_t k = 0; k < m->shape_count; k++) {
        const double *at = m->shapes[k].pose;

        if (!m->bodies[m->shapes[k].body].fixed) {
            shape = fmax(shape, view_shape_reach(m, &m->shapes[k]) +
                                    sqrt(at[0] * at[0] + at[1] * at[1] + at[2] * at[2]));
        }
    }
    for (size_t k = 0; k < m->frame_count * m->body_count; k++) {
        const double *p = m->poses + 7 * k;

        if (!m->bodies[k % m->body_count].fixed) {
            most = fmax(most, sqrt(p[0] * p[0] + p[1] * p[1] + p[2] * p[2]) + shape);
        }
    }
    return most;
}

static bool surfaces_round(const motion_shape *shape)
{
    return !shape->type->unbounded && !shape->type->is_mesh &&
           !shape->type->from_points && strcmp(shape->type->name, "box") != 0;
}

/* Sides of circles by the number of round shapes; flat shapes half as deep as their mean size. */
static view_mesh_orders surfaces_orders(const motion *m, double reach)
{
    view_mesh_orders orders = {.segments = 32, .plane = 1.5 * reach, .depth = 1.0};
    size_t rounds = 0;
    size_t bounded = 0;
    double sum = 0.0;

    for (size_t k = 0; k < m->shape_count; k++) {
        rounds += surfaces_round(&m->shapes[k]);
        bounded += !m->shapes[k].type->unbounded;
        sum += view_shape_reach(m, &m->shapes[k]);
    }
    orders.segments = rounds <= 200 ? 32 : rounds <= 2000 ? 16 : 8;
    orders.depth = bounded > 0 && sum > 0.0 ? 0.5 * sum / (double)bounded : 1.0;
    return orders;
}

static bool surfaces_equal(const void *things, size_t first, size_t now)
{
    const motion *m = (const motion *)things;
    const motion_shape *a = &m->shapes[first];
    const motion_shape *b = &m->shapes[now];

    return a->type == b->type && memcmp(a->size, b->size, sizeof a->size) == 0 &&
           a->vertex_count == b->vertex_count && a->triangle_count == b->triangle_count &&
           (a->vertex_count == 0 || a->first_vertex == b->first_vertex ||
            memcmp(m->vertices + 3 * a->first_vertex, m->vertices + 3 * b->first_vertex,
                   3 * a->vertex_count * sizeof(double)) == 0) &&
           (a->triangle_count == 0 || a->first_triangle == b->first_triangle ||
            memcmp(m->triangles + 3 * a->first_triangle,
                   m->triangles + 3 * b->first_triangle,
                   3 * a->triangle_count * sizeof(uint32_t)) == 0);
}

/* Of many vertices the first ones only: shapes share them, and would all be counted again. */
static uint64_t surfaces_hash(const motion *m, const motion_shape *shape)
{
    enum { VERTICES = 64 };
    const size_t counts[] = {shape->vertex_count, shape->triangle_count};
    const size_t vertices = counts[0] < VERTICES ? counts[0] : VERTICES;
    uint64_t hash =
        perp_hash_bytes(PERP_HASH_START, shape->type->name, strlen(shape->type->name));

    hash = perp_hash_bytes(hash, shape->size, sizeof shape->size);
    hash = perp_hash_bytes(hash, counts, sizeof counts);
    return vertices == 0 ? hash
                         : perp_hash_bytes(hash, m->vertices + 3 * shape->first_vertex,
                                           3 * vertices * sizeof(double));
}

static perp_status surfaces_all(view_surfaces *s, const motion *m, perp_index *same,
                                perp_error *err)
{
    const view_mesh_orders orders = surfaces_orders(m, s->reach);
    perp_status status = PERP_OK;

    for (size_t k = 0; k < m->shape_count && status == PERP_OK; k++) {
        const uint64_t hash = surfaces_hash(m, &m->shapes[k]);
        const size_t first = perp_index_first(same, hash, k, surfaces_equal, m);

        s->of[k] = first < k ? s->of[first] : s->count;
        if (first == k) {
            s->first[s->count] = k;
            status = view_mesh_make(&s->mesh[s->count], m, &m->shapes[k], &orders, err);
            s->count += status == PERP_OK;
        }
    }
    return status;
}

perp_status view_surfaces_make(view_surfaces *s, const motion *m, perp_error *err)
{
    size_t room = m->shape_count ? m->shape_count : 1;
    perp_index same = {0};
    perp_status status = PERP_OK;

    memset(s, 0, sizeof *s);
    s->mesh = take(room, sizeof *s->mesh);
    s->first = take(room, sizeof *s->first);
    s->of = take(room, sizeof *s->of);
    if (!perp_index_reserve(&same, room)) {
        take_missing(0);
    }
    s->reach = surfaces_reach(m);
    status = surfaces_all(s, m, &same, err);
    perp_index_clear(&same);
    return status;
}

void view_surfaces_free(view_surfaces *s)
{
    for (size_t k = 0; k < s->count; k++) {
        view_mesh_free(&s->mesh[k]);
    }
    free(s->mesh);
    free(s->first);
    free(s->of);
    memset(s, 0, sizeof *s);
}
