/* SPDX-License-Identifier: Apache-2.0
 * view/pack.c: a motion as the data of a viewer page. */
#include <config.h>

#include <math.h>
#include <stdlib.h>

#include "base/base.h"
#include "command/cli/answer.h"
#include "command/view/pack.h"
#include "command/view/pack_arrays.h"

/* Steps whose metrics a page has at most; of longer runs they are spread evenly. */
enum { PACK_STEPS = 20000 };

static json_t *pack_numbers(const double *x, size_t count)
{
    json_t *list = json_array();

    for (size_t k = 0; k < count; k++) {
        json_array_append_new(list, isfinite(x[k]) ? json_real(x[k]) : json_null());
    }
    return list;
}

static json_t *pack_text(const char *text)
{
    return text && *text ? answer_text(text) : json_string("");
}

static json_t *pack_bodies(const motion *m)
{
    json_t *list = json_array();

    for (size_t b = 0; b < m->body_count; b++) {
        json_array_append_new(
            list, json_pack("{s:o, s:b, s:f}", "name", pack_text(m->bodies[b].name),
                            "fixed", (int)m->bodies[b].fixed, "mass", m->bodies[b].mass));
    }
    return list;
}

/* A shape; its own vertices and triangles where no size describes it. */
static json_t *pack_shape(const motion *m, const motion_shape *s)
{
    char colour[8];
    json_t *shape = NULL;

    snprintf(colour, sizeof colour, "#%06x", (unsigned)(s->colour & 0xffffff));
    shape = json_pack("{s:s, s:I, s:o, s:o, s:s}", "type", s->type->name, "body",
                      (json_int_t)s->body, "pose", pack_numbers(s->pose, 7), "size",
                      pack_numbers(s->size, 3), "colour", colour);
    if (s->vertex_count) {
        json_t *triangles = json_array();

        for (size_t k = 0; k < 3 * s->triangle_count; k++) {
            json_array_append_new(triangles,
                                  json_integer(m->triangles[3 * s->first_triangle + k]));
        }
        json_object_set_new(
            shape, "vertices",
            pack_numbers(m->vertices + 3 * s->first_vertex, 3 * s->vertex_count));
        json_object_set_new(shape, "triangles", triangles);
    }
    return shape;
}

static json_t *pack_shapes(const motion *m)
{
    json_t *list = json_array();

    for (size_t k = 0; k < m->shape_count; k++) {
        json_array_append_new(list, pack_shape(m, &m->shapes[k]));
    }
    return list;
}

static json_t *pack_joints(const motion *m)
{
    json_t *list = json_array();

    for (size_t k = 0; k < m->joint_count; k++) {
        const motion_joint *j = &m->joints[k];

        json_array_append_new(
            list,
            json_pack("{s:o, s:o, s:[i,i], s:[o,o], s:[o,o]}", "name", pack_text(j->name),
                      "type", pack_text(j->type), "bodies", (int)j->body[0],
                      (int)j->body[1], "anchor", pack_numbers(j->anchor[0], 3),
                      pack_numbers(j->anchor[1], 3), "axis", pack_numbers(j->axis[0], 3),
                      pack_numbers(j->axis[1], 3)));
    }
    return list;
}

/* Times and numbers of steps of the frames. */
static perp_status pack_frames(view_pack *pack, const motion *m, perp_error *err)
{
    float *time = pack_array_add(pack, "time", PACK_F32, m->frame_count, 1, false, err);
    uint32_t *step = NULL;

    if (!time) {
        return err->status;
    }
    for (size_t f = 0; f < m->frame_count; f++) {
        time[f] = (float)m->time[f];
    }
    step = pack_array_add(pack, "step", PACK_U32, m->frame_count, 1, false, err);
    if (!step) {
        return err->status;
    }
    for (size_t f = 0; f < m->frame_count; f++) {
        step[f] = (uint32_t)m->step[f];
    }
    return PERP_OK;
}

/* Every step-th metric, and the times of these steps. */
static perp_status pack_metrics(view_pack *pack, const motion *m, perp_error *err)
{
    size_t stride = (m->step_count + PACK_STEPS - 1) / PACK_STEPS;
    size_t count = stride ? (m->step_count + stride - 1) / stride : 0;
    json_t *list = json_array();

    json_object_set_new(pack->head, "metrics", list);
    for (size_t k = 0; k <= m->metric_count && count; k++) {
        const double *from = k ? m->metrics[k - 1].value : m->step_time;
        char name[128] = "step_time";
        float *to = NULL;

        if (k) {
            snprintf(name, sizeof name, "metric_%s", m->metrics[k - 1].name);
            json_array_append_new(list,
                                  json_pack("{s:s, s:s}", "name", m->metrics[k - 1].name,
                                            "unit", m->metrics[k - 1].unit));
        }
        to = pack_array_add(pack, name, PACK_F32, count, 1, false, err);
        if (!to) {
            return err->status;
        }
        for (size_t i = 0; i < count; i++) {
            to[i] = (float)from[i * stride];
        }
    }
    return PERP_OK;
}

static void pack_head(view_pack *pack, const motion *m)
{
    double low[3], high[3];

    motion_bounds(m, low, high);
    pack->head = json_pack(
        "{s:s, s:o, s:o, s:o, s:o, s:i, s:o, s:f, s:o, s:o, s:o, s:[o,o], s:I, s:{}}",
        "format", "perp-view/1", "title", pack_text(m->title), "source",
        pack_text(m->source), "solver", pack_text(m->solver), "coordinates",
        pack_text(m->coordinates), "dimension", (int)m->dimension, "up",
        pack_numbers(m->up, 3), "dt", m->dt, "bodies", pack_bodies(m), "shapes",
        pack_shapes(m), "joints", pack_joints(m), "bounds", pack_numbers(low, 3),
        pack_numbers(high, 3), "frames", (json_int_t)m->frame_count, "arrays");
}

perp_status view_pack_make(view_pack *pack, const motion *m, size_t contact_bytes,
                           perp_error *err)
{
    perp_error own = {0};

    err = err ? err : &own;
    *pack = (view_pack){0};
    pack_head(pack, m);
    TRY(pack_frames(pack, m, err));
    TRY(pack_poses(pack, m, err));
    TRY(pack_contacts(pack, m, contact_bytes, err));
    return pack_metrics(pack, m, err);
}

void view_pack_free(view_pack *pack)
{
    json_decref(pack->head);
    free(pack->bytes);
    *pack = (view_pack){0};
}
