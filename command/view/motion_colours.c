/* SPDX-License-Identifier: Apache-2.0
 * view/motion_colours.c: colours that a scene does not give: quiet ones, by body.
 *
 * Planes and bodies that do not move are grey. A body that moves has the hue of its family, the
 * bodies whose first shape has the same type and size, and a lightness of its own. A type with
 * more than MOTION_HUES sizes is one family, in which the hue follows the size.
 *
 * Hue, chroma and lightness are those of OKLCH, in which equal lightness looks equally light. */
#include <config.h>

#include <math.h>
#include <stdlib.h>

#include "command/cli/take.h"
#include "command/view/motion_parts.h"

enum { MOTION_HUES = 8 };

static const double hues[MOTION_HUES] = {250, 55,  155, 15,
                                         305, 200, 90,  335}; /* degrees */
static const double chroma = 0.085;
static const uint32_t plane_grey = 0xc6c9cc, fixed_grey = 0x9a9ea3;

/* A body with what it looks like: the place of its type and a number for its size. */
typedef struct colour_body {
    size_t body, type;
    double size;
    bool drawn; /* has a shape other than a plane */
} colour_body;

/* A number for the size: two shapes of one type that differ have different numbers. */
static double colours_size(const motion *m, const motion_shape *s)
{
    double size = s->size[0] + 1.618 * s->size[1] + 2.618 * s->size[2];

    for (size_t k = 0; k < s->vertex_count; k++) {
        const double *p = m->vertices + 3 * (s->first_vertex + k);

        size = fmax(size, sqrt(p[0] * p[0] + p[1] * p[1] + p[2] * p[2]));
    }
    return size;
}

static size_t colours_type(const perp_shape_type *type)
{
    size_t count = 0;
    const perp_shape_type *const *types = perp_shape_types(&count);

    for (size_t k = 0; k < count; k++) {
        if (types[k] == type) {
            return k;
        }
    }
    return count;
}

/* Equal to seven digits: sizes that were computed. */
static bool colours_same(const colour_body *a, const colour_body *b)
{
    return a->type == b->type && fabs(a->size - b->size) <= 1e-7 * fabs(b->size);
}

static int colours_compare(const void *a, const void *b)
{
    const colour_body *x = a;
    const colour_body *y = b;

    if (x->type != y->type) {
        return x->type < y->type ? -1 : 1;
    }
    if (!colours_same(x, y)) {
        return x->size < y->size ? -1 : 1;
    }
    return x->body < y->body ? -1 : x->body > y->body;
}

static double colours_gamma(double x)
{
    x = fmin(fmax(x, 0.0), 1.0);
    return x <= 0.0031308 ? 12.92 * x : 1.055 * pow(x, 1.0 / 2.4) - 0.055;
}

/* OKLCH to sRGB. */
static uint32_t colours_rgb(double lightness, double hue)
{
    const double a = chroma * cos(hue * acos(-1.0) / 180.0);
    const double b = chroma * sin(hue * acos(-1.0) / 180.0);
    const double l = pow(lightness + 0.3963377774 * a + 0.2158037573 * b, 3.0);
    const double n = pow(lightness - 0.1055613458 * a - 0.0638541728 * b, 3.0);
    const double s = pow(lightness - 0.0894841775 * a - 1.2914855480 * b, 3.0);
    const double rgb[3] = {4.0767416621 * l - 3.3077115913 * n + 0.2309699292 * s,
                           -1.2684380046 * l + 2.6097574011 * n - 0.3413193965 * s,
                           -0.0041960863 * l - 0.7034186147 * n + 1.7076147010 * s};
    uint32_t colour = 0;

    for (size_t k = 0; k < 3; k++) {
        colour = colour << 8 | (uint32_t)lround(255.0 * colours_gamma(rgb[k]));
    }
    return colour;
}

/* Bodies with their first shape that is not a plane. */
static colour_body *colours_bodies(const motion *m)
{
    colour_body *bodies = take(m->body_count + 1, sizeof *bodies);

    for (size_t k = 0; k < m->body_count; k++) {
        bodies[k].body = k;
        bodies[k].type = SIZE_MAX; /* behind all types */
    }
    for (size_t k = 0; k < m->shape_count; k++) {
        const motion_shape *s = &m->shapes[k];
        colour_body *b = &bodies[s->body];

        if (!s->type->unbounded && !b->drawn) {
            *b = (colour_body){s->body, colours_type(s->type), colours_size(m, s), true};
        }
    }
    return bodies;
}

/* Bodies first .. end - 1, sorted, are those of one type: hues from number `family` on. Returns
 * the number of the next one. */
static size_t colours_spread(const colour_body *bodies, size_t first, size_t end,
                             size_t family, uint32_t *colour)
{
    size_t sizes = 1, rank = 0, member = 0;
    bool many = false;

    for (size_t k = first + 1; k < end; k++) {
        sizes += !colours_same(&bodies[k], &bodies[k - 1]);
    }
    many = sizes > MOTION_HUES;
    for (size_t k = first; k < end; k++, member++) {
        double hue = 0.0, lightness = 0.0;

        if (k > first && !colours_same(&bodies[k], &bodies[k - 1])) {
            rank++;
            member = 0;
        }
        hue =
            many ? hues[family % MOTION_HUES] - 45.0 + 90.0 * (double)rank / (double)sizes
                 : hues[(family + rank) % MOTION_HUES];
        lightness =
            0.58 + 0.18 * fmod(0.618034 * (double)(many ? k - first : member), 1.0);
        colour[bodies[k].body] = colours_rgb(lightness, hue);
    }
    return family + (many ? 1 : sizes);
}

/* A colour for each body that has a shape and moves, whether or not it is needed: so the colour
 * of a body does not depend on those that others were given. */
static void colours_moving(const motion *m, uint32_t *colour)
{
    colour_body *bodies = colours_bodies(m);
    size_t count = 0, family = 0;

    for (size_t k = 0; k < m->body_count; k++) {
        if (bodies[k].drawn && !m->bodies[k].fixed) {
            bodies[count++] = bodies[k];
        }
    }
    qsort(bodies, count, sizeof *bodies, colours_compare);
    for (size_t first = 0, end = 0; first < count; first = end) {
        while (end < count && bodies[end].type == bodies[first].type) {
            end++;
        }
        family = colours_spread(bodies, first, end, family, colour);
    }
    free(bodies);
}

void motion_choose_colours(motion *m, const bool *given)
{
    uint32_t *colour = take(m->body_count + 1, sizeof *colour);

    colours_moving(m, colour);
    for (size_t k = 0; k < m->shape_count; k++) {
        motion_shape *s = &m->shapes[k];

        if (!given[k]) {
            s->colour = s->type->unbounded         ? plane_grey
                        : m->bodies[s->body].fixed ? fixed_grey
                                                   : colour[s->body];
        }
    }
    free(colour);
}
