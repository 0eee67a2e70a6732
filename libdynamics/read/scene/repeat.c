/* SPDX-License-Identifier: Apache-2.0
 * read/scene/repeat.c: items that are repeated.
 *
 * Every level of "repeat" counts an index from 0. A copy is the item,
 * rotated by index * angle about the axis through a point and then moved by index * step,
 * the innermost level first. In texts "{k+1}" is the value of an expression. */
#include <config.h>

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <perp/dynamics/rotation.h>

#include "base/base.h"
#include "math/vec3.h"
#include "read/scene/build.h"
#include "read/scene/document.h"
#include "read/scene/members.h"
#include "read/scene/quantity.h"
#include "read/scene/tables.h"

perp_status scene_fill(scene_reader *rd, const scene_at *at, const char **text)
{
    const char *from = *text;
    char *to = rd->scratch + rd->scratch_used;
    char *end = rd->scratch + sizeof rd->scratch;
    const char *start = to;
    unsigned draws = 0;

    if (!strchr(from, '{')) {
        return PERP_OK;
    }
    while (*from && to + SCENE_DIGITS < end) {
        if (*from == '{') {
            double x = 0.0;
            perp_status status = PERP_OK;

            from++;
            status = scene_evaluate(rd, at, *text, &from, '}', &draws, &x);
            if (status != PERP_OK) {
                return status;
            }
            scene_print(x, to);
            to += strlen(to);
        } else {
            *to++ = *from++;
        }
    }
    if (*from) {
        return scene_fail(rd, at, PERP_ERR_DATA,
                          ": texts with indices exceed %d bytes in one item",
                          SCENE_SCRATCH);
    }
    *to++ = '\0';
    rd->scratch_used = (size_t)(to - rd->scratch);
    *text = start;
    return PERP_OK;
}

perp_status scene_expand(scene_reader *rd, const scene_at *at, const char **text)
{
    bool plain = rd->level_count == 0 && rd->scene->parameter_count == 0;

    return plain ? PERP_OK : scene_fill(rd, at, text);
}

perp_status scene_read_integer(scene_reader *rd, const scene_at *at, long low, long high,
                               long *x)
{
    const char *text = json_string_value(at->value);
    const char *p = text;
    double number = json_number_value(at->value);
    char expected[96];
    unsigned draws = 0;
    perp_status status = PERP_OK;

    snprintf(expected, sizeof expected, "a whole number %ld .. %ld", low, high);
    if (text) {
        status = scene_evaluate(rd, at, text, &p, '\0', &draws, &number);
    } else if (!json_is_number(at->value)) {
        return scene_unexpected(rd, at, PERP_ERR_FORMAT, expected);
    }
    if (status != PERP_OK) {
        return status;
    }
    if (!(number >= (double)low && number <= (double)high) || floor(number) != number) {
        return text ? scene_fail(rd, at, PERP_ERR_DATA,
                                 " is \"%.80s\" = %.10g, expected %s", text, number,
                                 expected)
                    : scene_unexpected(rd, at, PERP_ERR_DATA, expected);
    }
    *x = (long)number;
    return PERP_OK;
}

static perp_status repeat_read_turn(scene_reader *rd, const scene_at *at,
                                    scene_index *level)
{
    scene_turn turn;
    perp_status status = scene_read_object(rd, at, &scene_table_turn, &turn);

    vec3_copy(level->axis, turn.axis);
    vec3_copy(level->about, turn.about);
    level->angle = turn.angle;
    if (status == PERP_OK && at->value && !(vec3_normalize(level->axis) > 0.0)) {
        scene_at axis = scene_member_at(at, "axis");

        return scene_fail(rd, &axis, PERP_ERR_DATA,
                          " has length 0, expected a direction");
    }
    return status;
}

/* Items, shapes in them and parts of these: rd->levels has room for as many. */
_Static_assert(sizeof((scene_reader *)0)->levels / sizeof *((scene_reader *)0)->levels ==
                   3 * SCENE_LEVELS,
               "each of body, shape and part is repeated up to SCENE_LEVELS times");

size_t scene_repeat_levels(const scene_at *repeat)
{
    size_t levels = json_is_object(repeat->value) ? 1 : json_array_size(repeat->value);

    return levels <= SCENE_LEVELS ? levels : 0;
}

void scene_index_name(const scene_at *level, size_t depth, size_t levels,
                      char name[SCENE_WORD])
{
    static const char *const usual[SCENE_LEVELS] = {"i", "j", "k"};
    const char *own = json_string_value(json_object_get(level->value, "index"));

    snprintf(name, SCENE_WORD, "%s", own ? own : usual[SCENE_LEVELS - levels + depth]);
}

/* The level `depth` of `levels`, and how many copies it makes. */
static perp_status repeat_read_level(scene_reader *rd, const scene_at *at, size_t depth,
                                     size_t levels, scene_index *level, long *count)
{
    scene_copies r;

    TRY(scene_read_object(rd, at, &scene_table_copies, &r));
    scene_index_name(at, depth, levels, level->name);
    vec3_copy(level->step, r.step);
    TRY(repeat_read_turn(rd, &r.turn, level));
    return scene_read_integer(rd, &r.count, 0, SCENE_ITEMS, count);
}

static perp_status repeat_level(scene_reader *rd, const scene_at *at,
                                const scene_at *repeat, size_t depth, scene_build *build)
{
    size_t levels = scene_repeat_levels(repeat);
    size_t used = rd->scratch_used;
    scene_at one =
        json_is_array(repeat->value) ? scene_element_at(repeat, depth) : *repeat;
    scene_index level = {.value = 0};
    long count = 0;
    perp_status status = PERP_OK;

    if (depth == levels) {
        return build(rd, at);
    }
    status = repeat_read_level(rd, &one, depth, levels, &level, &count);
    for (long k = 0; k < count && status == PERP_OK; k++) {
        rd->levels[rd->level_count] = level;
        rd->levels[rd->level_count].value = k;
        rd->level_count++;
        status = repeat_level(rd, at, repeat, depth + 1, build);
        rd->level_count--;
        rd->scratch_used = used;
    }
    return status;
}

perp_status scene_repeat(scene_reader *rd, const scene_at *at, scene_items items,
                         scene_build *build)
{
    scene_at repeat = scene_member_at(at, "repeat");
    size_t first = rd->level_first;
    perp_status status = PERP_OK;

    rd->level_first = rd->level_count; /* what a copy of a body moves is its shapes too */
    if (!repeat.value) {
        status = build(rd, at);
    } else if (scene_repeat_levels(&repeat) == 0) {
        status = scene_unexpected(rd, &repeat, PERP_ERR_FORMAT,
                                  "an object, or an array of 1 .. 3 of them");
    } else {
        status = scene_repeat_check(rd, at, items);
        status = status ? status : repeat_level(rd, at, &repeat, 0, build);
    }
    rd->level_first = first;
    return status;
}

/* The rotation of a level; false where it has none. */
static bool level_turn(const scene_index *level, double q[4])
{
    double phi[3];

    vec3_scale(level->angle * (double)level->value, level->axis, phi);
    perp_quat_exp(phi, q);
    return level->angle != 0.0 && level->value != 0;
}

void scene_place_point(const scene_reader *rd, double p[3])
{
    for (size_t k = rd->level_count; k-- > rd->level_first;) {
        const scene_index *level = &rd->levels[k];
        double q[4];
        double a[3];

        if (level_turn(level, q)) {
            vec3_subtract(p, level->about, a);
            perp_quat_rotate(q, a, p);
            vec3_add(p, 1.0, level->about, p);
        }
        vec3_add(p, (double)level->value, level->step, p);
    }
}

void scene_place_direction(const scene_reader *rd, double a[3])
{
    for (size_t k = rd->level_count; k-- > rd->level_first;) {
        double q[4];
        double b[3];

        if (level_turn(&rd->levels[k], q)) {
            vec3_copy(b, a);
            perp_quat_rotate(q, b, a);
        }
    }
}

void scene_place_rotation(const scene_reader *rd, double q[4])
{
    for (size_t k = rd->level_count; k-- > rd->level_first;) {
        double turn[4];
        double p[4];

        if (level_turn(&rd->levels[k], turn)) {
            memcpy(p, q, sizeof p);
            perp_quat_multiply(turn, p, q);
        }
    }
}
