/* SPDX-License-Identifier: Apache-2.0
 * read/write/written.c: structs of the tables as JSON, the inverse of scene_read_object.
 *
 * Numbers have 17 digits, which restore a double. */
#include <config.h>

#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/file.h"
#include "read/scene/members.h"
#include "read/write/writer.h"
#include "world/world.h"

json_t *scene_refuse(scene_writer *wr, perp_status status, const char *format, ...)
{
    char text[PERP_ERROR_LENGTH / 2];
    va_list more;

    if (wr->status == PERP_OK) {
        va_start(more, format);
        vsnprintf(text, sizeof text, format, more);
        va_end(more);
        wr->status = perp_fail(wr->err, status, "scene: %s%s", wr->where, text);
    }
    return NULL;
}

json_t *scene_made(scene_writer *wr, json_t *value)
{
    return value ? value : scene_refuse(wr, PERP_ERR_MEMORY, ": no memory to write it");
}

void scene_append(scene_writer *wr, json_t *array, json_t *value)
{
    if (json_array_append_new(array, value) != 0) {
        scene_made(wr, NULL);
    }
}

void scene_put(scene_writer *wr, json_t *object, const char *key, json_t *value)
{
    if (json_object_set_new(object, key, value) != 0) {
        scene_made(wr, NULL);
    }
}

json_t *scene_reals(scene_writer *wr, const double *x, size_t count)
{
    json_t *array = scene_made(wr, json_array());

    for (size_t k = 0; k < count; k++) {
        if (!isfinite(x[k])) {
            json_decref(array);
            return scene_refuse(wr, PERP_ERR_DATA, ": holds %g, expected finite numbers",
                                x[k]);
        }
        scene_append(wr, array, json_real(x[k]));
    }
    return array;
}

json_t *scene_points(scene_writer *wr, const double *x, size_t count)
{
    json_t *array = scene_made(wr, json_array());

    for (size_t k = 0; k < count && wr->status == PERP_OK; k++) {
        scene_append(wr, array, scene_reals(wr, x + 3 * k, 3));
    }
    return array;
}

json_t *scene_string(scene_writer *wr, const char *text)
{
    json_t *value = json_string(text);
    char *valid = value ? NULL : perp_text_valid(text, strlen(text));

    if (valid && strcmp(valid, text) != 0) {
        scene_refuse(wr, PERP_ERR_DATA, ": the text \"%.80s\" is not UTF-8", valid);
    }
    free(valid);
    return scene_made(wr, value);
}

static json_t *written_real(scene_writer *wr, const scene_member *m, double x)
{
    if (x == (double)INFINITY && (m->range == SCENE_LIMIT || m->range == SCENE_SPEED)) {
        return scene_string(wr, "infinite");
    }
    if (!isfinite(x)) {
        return scene_refuse(wr, PERP_ERR_DATA, ": %s is %g, expected a finite number",
                            m->name, x);
    }
    return scene_made(wr, json_real(x));
}

/* A matrix, or what the reader makes one of in the plane. */
static json_t *written_inertia(scene_writer *wr, const scene_member *m, const double I[9])
{
    bool plane = wr->world->dimension == 2;

    return plane ? written_real(wr, m, I[8]) : scene_reals(wr, I, 9);
}

static json_t *written_model(scene_writer *wr, const perp_scheme *scheme)
{
    char text[SCENE_WORD];

    if (scheme->model != PERP_MODEL_PYRAMID) {
        return scene_string(wr, perp_model_names[scheme->model]);
    }
    snprintf(text, sizeof text, "pyramid:%u", scheme->eta);
    return scene_string(wr, text);
}

static json_t *written_choice(scene_writer *wr, const scene_member *m, const void *at)
{
    int chosen = 0;
    int place = 0;

    memcpy(&chosen, at, sizeof chosen); /* an int or an enum of its size */
    while (m->kind == SCENE_BIT ? 1 << place != chosen : place != chosen) {
        place++;
    }
    return scene_string(wr, scene_choice(m, (size_t)place));
}

static json_t *written_colour(scene_writer *wr, uint32_t colour)
{
    char text[16];

    snprintf(text, sizeof text, "#%06x", (unsigned)(colour & UINT32_C(0xffffff)));
    return scene_string(wr, text);
}

/* A new reference. */
static json_t *written_value_of(scene_writer *wr, const scene_member *m, const void *at)
{
    switch (m->kind) {
    case SCENE_REAL:
        return written_real(wr, m, *(const double *)at);
    case SCENE_VECTOR:
    case SCENE_SPIN:
        return scene_reals(wr, at, 3);
    case SCENE_INERTIA:
        return written_inertia(wr, m, at);
    case SCENE_ROTATION:
        return scene_reals(wr, at, 4);
    case SCENE_BOOL:
        return scene_made(wr, json_boolean(*(const bool *)at));
    case SCENE_TEXT:
        return scene_string(wr, *(const char *const *)at);
    case SCENE_COLOUR:
        return written_colour(wr, *(const uint32_t *)at);
    case SCENE_CHOICE:
    case SCENE_BIT:
        return written_choice(wr, m, at);
    case SCENE_MODEL:
        return written_model(wr, at);
    default:
        return json_incref(((const scene_at *)at)->value);
    }
}

/* Bytes of the member that say whether it is what it is when nothing is given. */
static size_t written_size_of(scene_kind kind)
{
    switch (kind) {
    case SCENE_VECTOR:
    case SCENE_SPIN:
        return 3 * sizeof(double);
    case SCENE_INERTIA:
        return 9 * sizeof(double);
    case SCENE_REAL:
        return sizeof(double);
    case SCENE_BOOL:
        return sizeof(bool);
    case SCENE_TEXT:
        return sizeof(const char *);
    case SCENE_COLOUR:
        return sizeof(uint32_t);
    default:
        return sizeof(int);
    }
}

static bool written_is_usual(const scene_member *m, const void *at, const void *usual)
{
    static const double none[4] = {0.0};
    static const double identity[4] = {1.0};

    if (m->kind == SCENE_OBJECT || m->kind == SCENE_LIST) {
        const json_t *value = ((const scene_at *)at)->value;

        return json_object_size(value) == 0 && json_array_size(value) == 0;
    }
    if (m->kind > SCENE_OBJECT) {
        return !((const scene_at *)at)->value;
    }
    if (m->required) {
        return false;
    }
    if (m->kind == SCENE_ROTATION) {
        return memcmp(at, none, sizeof none) == 0 ||
               memcmp(at, identity, sizeof identity) == 0;
    }
    if (m->kind == SCENE_MODEL) {
        return ((const perp_scheme *)at)->model == ((const perp_scheme *)usual)->model;
    }
    return memcmp(at, usual, written_size_of(m->kind)) == 0;
}

static void written_put_member(scene_writer *wr, json_t *o, const scene_member *m,
                               const void *from, const void *usual)
{
    const void *at = (const char *)from + m->offset;

    if (!written_is_usual(m, at, (const char *)usual + m->offset)) {
        scene_put(wr, o, m->name, written_value_of(wr, m, at));
    }
}

json_t *scene_object(scene_writer *wr, const scene_table *table, void *from)
{
    json_t *o = scene_made(wr, json_object());
    const scene_at at = {.value = o};
    void *usual = math_alloc(1, table->size);
    scene_extra extra[SCENE_EXTRAS];
    size_t extras = 0;

    if (!usual) {
        json_decref(o);
        o = scene_made(wr, NULL);
    } else {
        scene_defaults(table, usual);
    }
    for (size_t k = 0; o && k < table->count; k++) {
        written_put_member(wr, o, &table->members[k], from, usual);
    }
    extras = o ? scene_type_members(&at, table, extra) : 0;
    for (size_t k = 0; k < extras; k++) {
        scene_fallback(&extra[k].member, usual);
        written_put_member(wr, o, &extra[k].member, from, usual);
    }
    for (size_t k = 0; k < table->count; k++) {
        if (table->members[k].kind >= SCENE_OBJECT) {
            json_decref(((scene_at *)((char *)from + table->members[k].offset))->value);
        }
    }
    free(usual);
    return o;
}
