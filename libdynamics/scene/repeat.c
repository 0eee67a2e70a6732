/* SPDX-License-Identifier: Apache-2.0
 * scene/repeat.c: items that stand for many copies.
 *
 * Every level of "repeat" counts an index from 0. The copy is the item as it was written,
 * turned by index * angle about the axis through a point and then moved by index * step,
 * the innermost level first. In texts "{k+1}" is the value of an expression of + - * and
 * the indices. */
#include <config.h>

#include <ctype.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <perp/dynamics/rotation.h>

#include "reader.h"
#include "vec3.h"

/* An expression at work: what is left of it, and why it failed. */
typedef struct expression {
    const scene_reader *rd;
    const char *p;
    size_t depth;
    const char *fault; /* NULL: none */
    char word[SCENE_WORD];
} expression;

/* Beyond this nothing counts or names; products stay far from overflow. */
static const long expression_most = 1000000000L;

static long sum(expression *e);

static const char *expression_skip(expression *e)
{
    e->p += strspn(e->p, " ");
    return e->p;
}

static long expression_fail(expression *e, const char *fault)
{
    e->fault = e->fault ? e->fault : fault;
    return 0;
}

static long expression_check(expression *e, long x)
{
    return labs(x) <= expression_most ? x : expression_fail(e, "grows beyond 1e9");
}

static long index_value(expression *e)
{
    size_t length = 0;

    while (isalnum((unsigned char)e->p[length]) || e->p[length] == '_') {
        length++;
    }
    snprintf(e->word, sizeof e->word, "%.*s", (int)length, e->p);
    e->p += length;
    for (size_t k = e->rd->level_count; k-- > 0;) {
        if (strcmp(e->rd->levels[k].name, e->word) == 0) {
            return e->rd->levels[k].value;
        }
    }
    return expression_fail(e, "names an index that does not count here");
}

static long atom(expression *e)
{
    enum { DEPTH = 32 }; /* brackets in brackets */
    long x = 0;

    expression_skip(e);
    if (*e->p == '(' && e->depth < DEPTH) {
        e->p++;
        e->depth++;
        x = sum(e);
        e->depth--;
        if (*expression_skip(e) != ')') {
            return expression_fail(e, "lacks a bracket");
        }
        e->p++;
        return x;
    }
    if (isdigit((unsigned char)*e->p)) {
        for (; isdigit((unsigned char)*e->p); e->p++) {
            x = expression_check(e, 10 * x + (*e->p - '0'));
        }
        return x;
    }
    if (isalpha((unsigned char)*e->p)) {
        return index_value(e);
    }
    return expression_fail(e, "is no whole number or sum of indices");
}

static long signed_atom(expression *e)
{
    long sign = 1;

    for (; *expression_skip(e) == '-'; e->p++) {
        sign = -sign;
    }
    return sign * atom(e);
}

static long product(expression *e)
{
    long x = signed_atom(e);

    while (!e->fault && *expression_skip(e) == '*') {
        e->p++;
        x = expression_check(e, x * signed_atom(e));
    }
    return x;
}

static long sum(expression *e)
{
    long x = product(e);

    while (!e->fault && (*expression_skip(e) == '+' || *e->p == '-')) {
        long sign = *e->p == '+' ? 1 : -1;

        e->p++;
        x = expression_check(e, x + sign * product(e));
    }
    return x;
}

static perp_status expression_complain(scene_reader *rd, const scene_at *at,
                                       const expression *e, const char *text)
{
    return scene_fail(
        rd, at, PERP_ERR_FORMAT,
        " is \"%.80s\", which %s, expected + - * of whole numbers and indices", text,
        e->fault ? e->fault : "is no whole number or sum of indices");
}

perp_status scene_expand(scene_reader *rd, const scene_at *at, const char **text)
{
    const char *from = *text;
    char *to = rd->scratch + rd->scratch_used;
    char *end = rd->scratch + sizeof rd->scratch;
    const char *start = to;

    if (rd->level_count == 0 || !strchr(from, '{')) {
        return PERP_OK;
    }
    while (*from && to + 24 < end) { /* 24: any value of an index */
        if (*from == '{') {
            expression e = {.rd = rd, .p = from + 1};
            long x = sum(&e);

            if (e.fault || *expression_skip(&e) != '}') {
                return expression_complain(rd, at, &e, *text);
            }
            to += sprintf(to, "%ld", x);
            from = e.p + 1;
        } else {
            *to++ = *from++;
        }
    }
    if (*from) {
        return scene_fail(rd, at, PERP_ERR_DATA,
                          ": texts with indices have more than %d "
                          "bytes in one item",
                          SCENE_SCRATCH);
    }
    *to++ = '\0';
    rd->scratch_used = (size_t)(to - rd->scratch);
    *text = start;
    return PERP_OK;
}

perp_status scene_read_integer(scene_reader *rd, const scene_at *at, long low, long high,
                               long *x)
{
    const char *text = json_string_value(at->value);
    double number = json_number_value(at->value);
    char expected[96];
    perp_status status = PERP_OK;

    snprintf(expected, sizeof expected, "a whole number %ld .. %ld", low, high);
    if (text) {
        expression e = {.rd = rd};

        status = scene_expand(rd, at, &text);
        if (status != PERP_OK) {
            return status;
        }
        e.p = text;
        *x = sum(&e);
        if (e.fault || *expression_skip(&e)) {
            return expression_complain(rd, at, &e, text);
        }
        if (*x < low || *x > high) {
            return scene_fail(rd, at, PERP_ERR_DATA, " is \"%.80s\" = %ld, expected %s",
                              text, *x, expected);
        }
        return PERP_OK;
    }
    if (!json_is_number(at->value) ||
        !(number >= (double)low && number <= (double)high) || floor(number) != number) {
        return scene_unexpected(
            rd, at, json_is_number(at->value) ? PERP_ERR_DATA : PERP_ERR_FORMAT,
            expected);
    }
    *x = (long)number;
    return PERP_OK;
}

static perp_status read_turn(scene_reader *rd, const scene_at *at, scene_index *level)
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

/* The level `depth` of `levels`, and how many copies it makes. */
static perp_status read_level(scene_reader *rd, const scene_at *at, size_t depth,
                              size_t levels, scene_index *level, long *count)
{
    static const char *const names[SCENE_LEVELS] = {"i", "j", "k"};
    scene_copies r;
    perp_status status = scene_read_object(rd, at, &scene_table_copies, &r);

    if (status != PERP_OK) {
        return status;
    }
    snprintf(level->name, sizeof level->name, "%s",
             r.index ? r.index : names[SCENE_LEVELS - levels + depth]);
    vec3_copy(level->step, r.step);
    status = read_turn(rd, &r.turn, level);
    if (status == PERP_OK) {
        status = scene_read_integer(rd, &r.count, 0, SCENE_ITEMS, count);
    }
    return status;
}

static perp_status repeat_level(scene_reader *rd, const scene_at *at,
                                const scene_at *repeat, size_t depth, scene_build *build)
{
    bool list = json_is_array(repeat->value);
    size_t levels = list ? json_array_size(repeat->value) : 1;
    scene_at one = list ? scene_element_at(repeat, depth) : *repeat;
    scene_index level = {.value = 0};
    long count = 0;
    perp_status status = PERP_OK;

    if (depth == levels) {
        rd->scratch_used = 0;
        return build(rd, at);
    }
    status = read_level(rd, &one, depth, levels, &level, &count);
    for (long k = 0; k < count && status == PERP_OK; k++) {
        rd->levels[depth] = level;
        rd->levels[depth].value = k;
        if (++rd->turns > SCENE_TURNS) {
            return scene_fail(rd, &one, PERP_ERR_DATA,
                              ": more than %d copies in all, those that make nothing "
                              "included",
                              SCENE_TURNS);
        }
        rd->level_count = depth + 1;
        status = repeat_level(rd, at, repeat, depth + 1, build);
        rd->level_count = depth;
    }
    return status;
}

perp_status scene_repeat(scene_reader *rd, const scene_at *at, scene_build *build)
{
    scene_at repeat = scene_member_at(at, "repeat");
    perp_status status = PERP_OK;

    rd->level_count = 0;
    rd->scratch_used = 0;
    if (!repeat.value) {
        return build(rd, at);
    }
    if (!json_is_object(repeat.value) &&
        !(json_is_array(repeat.value) && json_array_size(repeat.value) > 0 &&
          json_array_size(repeat.value) <= SCENE_LEVELS)) {
        return scene_unexpected(rd, &repeat, PERP_ERR_FORMAT,
                                "an object, or an array of 1 .. 3 of them");
    }
    status = repeat_level(rd, at, &repeat, 0, build);
    rd->level_count = 0;
    rd->scratch_used = 0;
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
    for (size_t k = rd->level_count; k-- > 0;) {
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
    for (size_t k = rd->level_count; k-- > 0;) {
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
    for (size_t k = rd->level_count; k-- > 0;) {
        double turn[4];
        double p[4];

        if (level_turn(&rd->levels[k], turn)) {
            memcpy(p, q, sizeof p);
            perp_quat_multiply(turn, p, q);
        }
    }
}
