/* SPDX-License-Identifier: Apache-2.0
 * read/scene/values.c: single values: vectors, orientations, names of choices. */
#include <config.h>

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <perp/dynamics/rotation.h>

#include "base/base.h"
#include "base/quantity.h"
#include "read/scene/document.h"
#include "read/scene/members.h"
#include "read/scene/quantity.h"
#include "read/scene/tables.h"
#include "world/world.h"

static perp_status values_reals(scene_reader *rd, const scene_at *at,
                                const scene_member *m, size_t count, double *x)
{
    perp_status status = PERP_OK;

    for (size_t k = 0; k < count && status == PERP_OK; k++) {
        scene_at one = scene_element_at(at, k);

        status = scene_read_real(rd, &one, m, &x[k]);
    }
    return status;
}

static perp_status values_read_vector(scene_reader *rd, const scene_at *at,
                                      const scene_member *m, double x[3])
{
    size_t size = json_array_size(at->value);
    bool plane = rd->world && rd->world->dimension == 2;

    if (m->kind == SCENE_SPIN && plane &&
        (json_is_number(at->value) || json_is_string(at->value))) {
        vec3_set(x, 0.0, 0.0, 0.0);
        return scene_read_real(rd, at, m, &x[2]);
    }
    if (json_is_array(at->value) && (size == 3 || (size == 2 && plane))) {
        x[2] = 0.0;
        return values_reals(rd, at, m, size, x);
    }
    if (m->kind == SCENE_SPIN && plane) {
        return scene_unexpected(rd, at, PERP_ERR_FORMAT, "a number about z, or three");
    }
    return scene_unexpected(rd, at, PERP_ERR_FORMAT,
                            plane ? "an array of 2 or 3 numbers"
                                  : "an array of 3 numbers");
}

/* Three rows of three numbers. */
static perp_status values_read_matrix(scene_reader *rd, const scene_at *at,
                                      const scene_member *m, double A[9])
{
    perp_status status = PERP_OK;

    for (size_t k = 0; k < 3 && status == PERP_OK; k++) {
        scene_at row = scene_element_at(at, k);

        status = json_array_size(row.value) == 3
                     ? values_reals(rd, &row, m, 3, A + 3 * k)
                     : scene_unexpected(rd, &row, PERP_ERR_FORMAT, "a row of 3 numbers");
    }
    return status;
}

/* Moments (3), a matrix (9), or in the plane that about z (1), to which a thin plate
 * belongs: diag(I/2, I/2, I) is an inertia of something. */
static perp_status values_read_inertia(scene_reader *rd, const scene_at *at,
                                       const scene_member *m, double I[9])
{
    double d[3] = {0};
    size_t size = json_array_size(at->value);
    perp_status status = PERP_OK;

    if (json_is_array(at->value) && size == 9) {
        return values_reals(rd, at, m, 9, I);
    }
    if (size == 3 && json_is_array(json_array_get(at->value, 0))) {
        return values_read_matrix(rd, at, m, I);
    }
    if (json_is_array(at->value) && size == 3) {
        status = values_reals(rd, at, m, 3, d);
    } else if (rd->world->dimension == 2 && !json_is_array(at->value)) {
        status = scene_read_real(rd, at, m, &d[2]);
        d[0] = d[1] = 0.5 * d[2];
    } else {
        return scene_unexpected(rd, at, PERP_ERR_FORMAT,
                                rd->world->dimension == 2
                                    ? "a number about z, 3 moments, or 9 numbers"
                                    : "3 moments, or a matrix of 9 numbers or "
                                      "3 rows of 3");
    }
    memset(I, 0, 9 * sizeof *I);
    for (size_t k = 0; k < 3; k++) {
        I[4 * k] = d[k];
    }
    return status;
}

static perp_status values_read_turn(scene_reader *rd, const scene_at *at, double q[4])
{
    scene_turn turn;
    double length = 0.0;

    TRY(scene_read_object(rd, at, &scene_table_turn, &turn));
    if (json_object_get(at->value, "about")) {
        scene_at about = scene_member_at(at, "about");

        return scene_fail_key(rd, &about, PERP_ERR_FORMAT,
                              " applies only in a repetition");
    }
    length = vec3_normalize(turn.axis);
    if (length == 0.0 || !isfinite(length)) {
        scene_at axis = scene_member_at(at, "axis");

        return scene_fail(rd, &axis, PERP_ERR_DATA,
                          " has length %g, expected a direction", length);
    }
    vec3_scale(turn.angle, turn.axis, turn.axis);
    perp_quat_exp(turn.axis, q);
    return PERP_OK;
}

/* {"euler": [turn, turn, ...]}: the first turn first, all about axes that stand still. */
static perp_status values_read_euler(scene_reader *rd, const scene_at *at, double q[4])
{
    scene_at list = scene_member_at(at, "euler");
    double sum[4] = {1.0, 0.0, 0.0, 0.0};
    perp_status status = PERP_OK;

    if (!json_is_array(list.value) || json_object_size(at->value) != 1) {
        return scene_unexpected(rd, &list, PERP_ERR_FORMAT,
                                "an array of {\"axis\", \"angle\"} and no other member");
    }
    for (size_t k = 0; k < json_array_size(list.value) && status == PERP_OK; k++) {
        scene_at one = scene_element_at(&list, k);
        double turn[4] = {1.0, 0.0, 0.0, 0.0};

        status = values_read_turn(rd, &one, turn);
        perp_quat_multiply(turn, sum, q);
        memcpy(sum, q, sizeof sum);
    }
    memcpy(q, sum, sizeof sum);
    return status;
}

static perp_status values_read_rotation(scene_reader *rd, const scene_at *at,
                                        const scene_member *m, double q[4])
{
    const double tolerance = 1e-6; /* a quaternion printed with seven digits is taken */
    const scene_member angle = {.name = m->name, .unit = "rad"};
    bool plane = rd->world->dimension == 2;
    const char *text = json_string_value(at->value);
    double length = 1.0;
    perp_status status = PERP_OK;

    if (text && strcmp(text, "random") == 0) {
        scene_random_rotation(rd, at, q);
        return PERP_OK;
    }
    if (json_is_object(at->value)) {
        return json_object_get(at->value, "euler") ? values_read_euler(rd, at, q)
                                                   : values_read_turn(rd, at, q);
    }
    if (json_is_array(at->value) && json_array_size(at->value) == 4) {
        status = values_reals(rd, at, m, 4, q);
        length = status == PERP_OK ? math_quat_settle(q) : 1.0;
        if (!(fabs(length - 1.0) <= tolerance)) {
            status = scene_fail(rd, at, PERP_ERR_DATA,
                                " has length %.7g, expected 1 (within 1e-6)", length);
        }
        return status;
    }
    if (plane && !json_is_array(at->value)) {
        double phi[3] = {0};

        status = scene_read_real(rd, at, &angle, &phi[2]);
        perp_quat_exp(phi, q);
        return status;
    }
    return scene_unexpected(rd, at, PERP_ERR_FORMAT,
                            plane ? "an angle about z, or as in space"
                                  : "[w, x, y, z], {\"axis\", \"angle\"}, {\"euler\"} or "
                                    "\"random\"");
}

const char *scene_choice(const scene_member *m, size_t k)
{
    return m->choice ? m->choice(k) : m->choices[k];
}

/* Place of `text` in the list of choices; a message with all of them otherwise. */
static perp_status values_choose(scene_reader *rd, const scene_at *at,
                                 const scene_member *m, const char *text, int *index)
{
    char list[PERP_ERROR_LENGTH / 2] = "";
    size_t used = 0;

    for (int k = 0; scene_choice(m, (size_t)k); k++) {
        if (text && strcmp(scene_choice(m, (size_t)k), text) == 0) {
            *index = k;
            return PERP_OK;
        }
        if (used < sizeof list) {
            used += (size_t)snprintf(list + used, sizeof list - used, "%s%s",
                                     k ? ", " : "one of: ", scene_choice(m, (size_t)k));
        }
    }
    return scene_unexpected(rd, at, PERP_ERR_FORMAT, list);
}

static perp_status values_read_choice(scene_reader *rd, const scene_at *at,
                                      const scene_member *m, int *out)
{
    const char *text = json_string_value(at->value);
    perp_status status = text ? scene_expand(rd, at, &text) : PERP_OK;

    if (status == PERP_OK) {
        status = values_choose(rd, at, m, text, out);
    }
    if (status == PERP_OK && m->kind == SCENE_BIT) {
        *out = 1 << *out;
    }
    return status;
}

/* "pyramid:8" and the names of the list. */
static perp_status values_read_model(scene_reader *rd, const scene_at *at,
                                     const scene_member *m, perp_scheme *scheme)
{
    const char *text = json_string_value(at->value);
    const char *colon = text ? strchr(text, ':') : NULL;
    int model = 0;
    perp_status status = PERP_OK;

    if (colon && (size_t)(colon - text) == strlen("pyramid") &&
        strncmp(text, "pyramid", strlen("pyramid")) == 0) {
        double eta = 0.0;

        colon++;
        if (perp_quantity_number(colon, strlen(colon), &eta) != PERP_OK ||
            !(eta >= 4.0 && eta <= 64.0) || fmod(eta, 2.0) != 0.0) {
            return scene_unexpected(rd, at, PERP_ERR_DATA,
                                    "an even number of directions from 4 to 64");
        }
        scheme->model = PERP_MODEL_PYRAMID;
        scheme->eta = (unsigned)eta;
        return PERP_OK;
    }
    status = values_choose(rd, at, m, text, &model);
    scheme->model = status == PERP_OK ? (perp_model)model : scheme->model;
    return status;
}

static perp_status values_read_text(scene_reader *rd, const scene_at *at,
                                    const scene_member *m, const char **out)
{
    *out = json_string_value(at->value);
    if (!*out) {
        return scene_unexpected(rd, at, PERP_ERR_FORMAT, "a text");
    }
    TRY(scene_expand(rd, at, out));
    if (m->count > 0 && strlen(*out) > m->count) {
        TRY(scene_fail(rd, at, PERP_ERR_DATA, " has %zu bytes, expected at most %zu",
                       strlen(*out), m->count));
    }
    return PERP_OK;
}

/* "#4477aa"; six digits of red, green and blue. */
static perp_status values_read_colour(scene_reader *rd, const scene_at *at, uint32_t *out)
{
    const char *text = json_string_value(at->value);
    const char *digits = text && text[0] == '#' ? text + 1 : "";

    if (strlen(digits) != 6 || strspn(digits, "0123456789abcdefABCDEF") != 6) {
        return scene_unexpected(rd, at, PERP_ERR_FORMAT, "#rrggbb");
    }
    *out = PERP_COLOUR | (uint32_t)strtoul(digits, NULL, 16);
    return PERP_OK;
}

/* A place that is read later; its shape is checked now. */
static perp_status values_read_place(scene_reader *rd, const scene_at *at,
                                     const scene_member *m, scene_at *out)
{
    bool object = json_is_object(at->value);
    bool array = json_is_array(at->value);

    *out = *at;
    if (m->kind == SCENE_OBJECT) {
        return object ? PERP_OK : scene_unexpected(rd, at, PERP_ERR_FORMAT, "an object");
    }
    if (m->kind == SCENE_EITHER) {
        return object || array ? PERP_OK
                               : scene_unexpected(rd, at, PERP_ERR_FORMAT,
                                                  "an object, or an array of them");
    }
    if (m->kind == SCENE_LIST || m->kind == SCENE_NAMES || m->kind == SCENE_POINTS ||
        m->kind == SCENE_TRIPLES || m->kind == SCENE_NUMBERS) {
        return array ? PERP_OK : scene_unexpected(rd, at, PERP_ERR_FORMAT, "an array");
    }
    return PERP_OK;
}

perp_status scene_read_member(scene_reader *rd, const scene_at *at, const scene_member *m,
                              void *out)
{
    void *to = (char *)out + m->offset;

    switch (m->kind) {
    case SCENE_REAL:
        return scene_read_real(rd, at, m, to);
    case SCENE_VECTOR:
    case SCENE_SPIN:
        return values_read_vector(rd, at, m, to);
    case SCENE_INERTIA:
        return values_read_inertia(rd, at, m, to);
    case SCENE_ROTATION:
        return values_read_rotation(rd, at, m, to);
    case SCENE_BOOL:
        *(bool *)to = json_is_true(at->value);
        return json_is_boolean(at->value)
                   ? PERP_OK
                   : scene_unexpected(rd, at, PERP_ERR_FORMAT, "true or false");
    case SCENE_TEXT:
        return values_read_text(rd, at, m, to);
    case SCENE_COLOUR:
        return values_read_colour(rd, at, to);
    case SCENE_CHOICE:
    case SCENE_BIT: {
        int chosen = 0;
        perp_status status = values_read_choice(rd, at, m, &chosen);

        if (status == PERP_OK) {
            memcpy(to, &chosen, sizeof chosen); /* an int or an enum of its size */
        }
        return status;
    }
    case SCENE_MODEL:
        return values_read_model(rd, at, m, to);
    default:
        return values_read_place(rd, at, m, to);
    }
}
