/* SPDX-License-Identifier: Apache-2.0
 * geometry/shells.c: which shells of a closed mesh bound its solid. A shell is a set of
 * triangles that are connected by their sides.
 *
 * Outside of a shell the winding number is the sum of the signs of the shells around it,
 * w = sum sign(V), and within it w + sign(V). Solid is where the number is positive, so that
 * a shell bounds solid where one of the two is positive and the other is not:
 *
 *     wound outwards   w = 0: counts     w > 0: within solid, counts for nothing
 *     wound inwards    w = 1: a cavity   w > 1: within solid    w <= 0: inside out
 *
 * A shell lies within another if rays from all its points cross that one an odd number of
 * times. Rays that meet a side or corner are drawn again; a point on another shell is left
 * out. Of shells that cross each other both count.
 *
 * Cost for n triangles: n log n, and one ray per point of a shell whose box meets another. */
#include <config.h>

#include <float.h>
#include <stdio.h>
#include <stdlib.h>

#include <perp/dynamics/tree.h>

#include "geometry/shells.h"
#include "math/math.h"

/* Volumes below this share of the cube of the size are rounding. */
static const double flat_share = 1e-12;
/* In shares of the size: points closer to a surface are on it. */
static const double on_surface = 1e-9;

typedef struct shell {
    size_t first, count; /* triangles; the lowest number */
    double volume;       /* signed */
    perp_aabb box;
    int sign;         /* of the volume; 0: flat */
    size_t within_at; /* the shells that it lies in, in shells.within */
    size_t within;
    bool known;    /* a point of it was found to lie in these */
    bool sticking; /* other points lie in others */
} shell;

typedef struct shells {
    perp_mesh *m;
    int32_t *label; /* of a triangle: its shell */
    int32_t *stack;
    shell *at;
    size_t count, room;
    int32_t *within; /* lists of shells, ascending */
    size_t within_count, within_room;
    perp_tree *tree; /* of their boxes */
    double size;
    bool no_memory;
} shells;

/* A ray from a point, and the shells that it crosses an odd number of times, ascending. */
typedef struct shell_ray {
    shells *s;
    int32_t own;
    double o[3], d[3], least;
    bool unclear; /* it meets a side, or the point lies on a surface */
    int32_t *odd;
    size_t count, room;
} shell_ray;

static const double *shells_corner(const perp_mesh *m, size_t t, size_t k)
{
    return m->point + 3 * (size_t)m->corner[3 * t + k];
}

/* Six times the volume between triangle t and the point o. */
static double shells_volume(const perp_mesh *m, size_t t, const double o[3])
{
    double x[9];
    double cross[3];

    for (size_t k = 0; k < 3; k++) {
        vec3_subtract(shells_corner(m, t, k), o, x + 3 * k);
    }
    vec3_cross(x + 3, x + 6, cross);
    return vec3_dot(x, cross);
}

static bool shells_grow(shells *s)
{
    s->no_memory = !GROW(s->at, s->room, s->count + 1);
    return !s->no_memory;
}

/* The triangles that are connected with `first` have the next label. */
static void shells_flood(shells *s, size_t first)
{
    perp_mesh *m = s->m;
    shell *c = &s->at[s->count];
    size_t top = 0;

    *c = (shell){
        .first = first,
        .box = {{INFINITY, INFINITY, INFINITY}, {-INFINITY, -INFINITY, -INFINITY}}};
    s->stack[top++] = (int32_t)first;
    s->label[first] = (int32_t)s->count;
    while (top > 0) {
        size_t t = (size_t)s->stack[--top];

        c->count++;
        c->volume += shells_volume(m, t, shells_corner(m, first, 0)) / 6.0;
        for (size_t k = 0; k < 3; k++) {
            const double *p = shells_corner(m, t, k);
            int32_t next = m->beyond[3 * t + k];

            for (int x = 0; x < 3; x++) {
                c->box.lo[x] = fmin(c->box.lo[x], p[x]);
                c->box.hi[x] = fmax(c->box.hi[x], p[x]);
            }
            if (next >= 0 && s->label[next] < 0) {
                s->label[next] = (int32_t)s->count;
                s->stack[top++] = next;
            }
        }
    }
    s->count++;
}

static void shells_label(shells *s)
{
    size_t n = s->m->triangle_count;

    for (size_t t = 0; t < n; t++) {
        s->label[t] = -1;
    }
    for (size_t t = 0; t < n && !s->no_memory; t++) {
        if (s->label[t] < 0 && shells_grow(s)) {
            shells_flood(s, t);
        }
    }
    for (size_t c = 0; c < s->count; c++) {
        double d[3];
        double size = 0.0;

        vec3_subtract(s->at[c].box.hi, s->at[c].box.lo, d);
        size = vec3_length(d);
        s->size = fmax(s->size, size);
        s->at[c].sign = (s->at[c].volume > flat_share * size * size * size) -
                        (s->at[c].volume < -flat_share * size * size * size);
    }
}

/* A label in a list once, or no more. */
static void ray_flip(shell_ray *r, int32_t label)
{
    size_t k = r->count;

    while (k > 0 && r->odd[k - 1] >= label) {
        k--;
    }
    if (k < r->count && r->odd[k] == label) {
        memmove(r->odd + k, r->odd + k + 1, (--r->count - k) * sizeof *r->odd);
        return;
    }
    r->s->no_memory = !GROW(r->odd, r->room, r->count + 1);
    if (!r->s->no_memory) {
        memmove(r->odd + k + 1, r->odd + k, (r->count++ - k) * sizeof *r->odd);
        r->odd[k] = label;
    }
}

/* Triangle and ray by the volumes of the sides with the ray. */
static double ray_visit(void *context, uint32_t number, double entry, double most)
{
    shell_ray *r = context;
    const perp_mesh *m = r->s->m;
    int32_t label = r->s->label[number];
    double x[9], side[3], height = 0.0, area = 0.0;

    (void)entry;
    if (label == r->own) {
        return most;
    }
    for (size_t k = 0; k < 3; k++) {
        vec3_subtract(shells_corner(m, number, k), r->o, x + 3 * k);
    }
    for (size_t k = 0; k < 3; k++) {
        double cross[3];

        vec3_cross(x + 3 * k, x + 3 * ((k + 1) % 3), cross);
        side[k] = vec3_dot(cross, r->d);
        area += side[k];
    }
    for (size_t k = 0; k < 3; k++) {
        height += side[k] * vec3_dot(x + 3 * ((k + 2) % 3), r->d);
    }
    if ((side[0] < 0.0 || side[1] < 0.0 || side[2] < 0.0) &&
        (side[0] > 0.0 || side[1] > 0.0 || side[2] > 0.0)) {
        return most;
    }
    if (side[0] == 0.0 || side[1] == 0.0 || side[2] == 0.0 ||
        fabs(height) <= r->least * fabs(area)) {
        r->unclear = true;
        return -1.0;
    }
    if (height / area > 0.0) {
        ray_flip(r, label);
    }
    return r->s->no_memory ? -1.0 : most;
}

/* The shells around a point; false: it lies on one. */
static bool ray_shoot(shell_ray *r, const double x[3])
{
    static const double direction[3][3] = {
        {0.5387, 0.2731, 0.7969}, {-0.7123, 0.6317, 0.3061}, {0.1709, -0.8831, 0.4369}};

    vec3_copy(r->o, x);
    for (int k = 0; k < 3 && !r->s->no_memory; k++) {
        vec3_copy(r->d, direction[k]);
        vec3_normalize(r->d);
        r->unclear = false;
        r->count = 0;
        perp_tree_cast(r->s->m->tree, r->o, r->d, DBL_MAX, ray_visit, r);
        if (!r->unclear) {
            return true;
        }
    }
    return false;
}

/* What the first point lies in; of the others the shells in both lists stay. */
static void shells_intersect(shells *s, shell *c, const shell_ray *r)
{
    size_t kept = 0;

    if (!c->known) {
        s->no_memory = !GROW(s->within, s->within_room, s->within_count + r->count + 1);
        c->known = true;
        c->within_at = s->within_count;
        for (size_t k = 0; k < r->count && !s->no_memory; k++) {
            s->within[s->within_count++] = r->odd[k];
            c->within++;
        }
        return;
    }
    for (size_t k = 0, l = 0; k < c->within; k++) {
        int32_t label = s->within[c->within_at + k];

        while (l < r->count && r->odd[l] < label) {
            l++;
        }
        if (l < r->count && r->odd[l] == label) {
            s->within[c->within_at + kept++] = label;
        }
    }
    c->sticking = c->sticking || kept < c->within || kept < r->count;
    c->within = kept;
}

static bool shells_count_box(void *context, uint32_t number)
{
    size_t *count = context;

    (void)number;
    return ++*count < 2;
}

static bool shells_is_alone(const shells *s, const perp_aabb *box)
{
    size_t count = 0;

    perp_tree_query(s->tree, box, shells_count_box, &count);
    return count < 2;
}

/* What each shell lies in. Each point is looked at with the first triangle that has it. */
static void shells_nest(shells *s)
{
    const perp_mesh *m = s->m;
    shell_ray r = {.s = s, .least = on_surface * s->size};

    for (size_t k = 0; k < 3 * m->triangle_count && !s->no_memory; k++) {
        int32_t p = m->corner[k];
        shell *c = &s->at[s->label[k / 3]];
        const double *x = m->point + 3 * (size_t)p;
        perp_aabb place = {{x[0], x[1], x[2]}, {x[0], x[1], x[2]}};

        r.own = s->label[k / 3];
        if ((size_t)m->use[m->use_start[p]] != k / 3 || shells_is_alone(s, &c->box)) {
            continue;
        }
        r.count = 0;
        if (shells_is_alone(s, &place) || ray_shoot(&r, x)) {
            shells_intersect(s, c, &r);
        }
    }
    free(r.odd);
}

static int shells_winding(const shells *s, const shell *c)
{
    int winding = 0;

    for (size_t k = 0; k < c->within; k++) {
        winding += s->at[s->within[c->within_at + k]].sign;
    }
    return winding;
}

static void shells_blame(const shells *s, size_t number, const int32_t *original)
{
    const shell *c = &s->at[number];
    char *text = s->m->fault;
    size_t room = sizeof s->m->fault;
    static const char expected[] = "expected corners counter-clockwise from outside";

    if (s->count == 1) {
        snprintf(text, room, "its surface is wound inside out (volume %g m^3), %s",
                 c->volume, expected);
    } else {
        snprintf(text, room,
                 "component %zu of %zu, from triangle %d on, is wound inside out%s, %s",
                 number + 1, s->count, (int)original[c->first],
                 c->sticking ? " and sticks out of another" : "", expected);
    }
}

/* Which triangles count, and what is inside out. */
static void shells_decide(shells *s, const int32_t *original)
{
    perp_mesh *m = s->m;

    for (size_t c = 0; c < s->count; c++) {
        const shell *one = &s->at[c];
        int winding = shells_winding(s, one);

        if (one->sign < 0 && (winding <= 0 || one->sticking) && m->fault[0] == '\0') {
            shells_blame(s, c, original);
        }
    }
    for (size_t t = 0; t < m->triangle_count; t++) {
        const shell *one = &s->at[s->label[t]];

        m->counts[t] = shells_winding(s, one) <= (one->sign < 0);
    }
}

static perp_status shells_plant(shells *s, perp_error *err)
{
    perp_aabb *boxes = math_alloc(s->count, sizeof *boxes);
    perp_status status = boxes ? perp_tree_new(&s->tree, err)
                               : perp_fail(err, PERP_ERR_MEMORY,
                                           "mesh: no memory for %zu shells", s->count);

    for (size_t c = 0; c < s->count && status == PERP_OK; c++) {
        boxes[c] = s->at[c].box;
    }
    if (status == PERP_OK) {
        status = perp_tree_build(s->tree, s->count, boxes, err);
    }
    free(boxes);
    return status;
}

perp_status shells_find(perp_mesh *m, const int32_t *original, perp_error *err)
{
    size_t n = m->triangle_count;
    shells s = {.m = m,
                .label = math_alloc(n, sizeof *s.label),
                .stack = math_alloc(n, sizeof *s.stack)};
    perp_status status = PERP_OK;

    s.no_memory = !s.label || !s.stack;
    if (!s.no_memory) {
        shells_label(&s);
    }
    if (!s.no_memory && s.count > 1) {
        status = shells_plant(&s, err);
        if (status == PERP_OK) {
            shells_nest(&s);
        }
    }
    if (!s.no_memory && status == PERP_OK) {
        shells_decide(&s, original);
    } else if (s.no_memory) {
        status = perp_fail(err, PERP_ERR_MEMORY,
                           "mesh: no memory for shells of %zu triangles", n);
    }
    perp_tree_free(s.tree);
    free(s.label);
    free(s.stack);
    free(s.at);
    free(s.within);
    return status;
}

/* The way that triangle t is wound, 1 or -1, and those connected with it; the first of the
 * fewer, if both are found. -1: all are wound one way. */
static int32_t shells_wind(size_t t, const int32_t *beyond, const int32_t *alike,
                           int8_t *way, int32_t *stack)
{
    int32_t first[2] = {(int32_t)t, INT32_MAX}; /* of both ways the lowest */
    size_t count[2] = {0, 0};
    size_t top = 0;

    way[t] = 1;
    stack[top++] = (int32_t)t;
    while (top > 0) {
        int32_t k = stack[--top];
        int back = way[k] < 0;

        count[back]++;
        first[back] = k < first[back] ? k : first[back];
        for (int side = 0; side < 3; side++) {
            int32_t same = beyond[3 * k + side];
            int32_t other = alike[3 * k + side];
            int32_t next = same >= 0 ? same / 3 : other >= 0 ? other / 3 : k;

            if (way[next] == 0) {
                way[next] = same >= 0 ? way[k] : (int8_t)-way[k];
                stack[top++] = next;
            }
        }
    }
    return count[1] == 0 ? -1 : first[count[1] <= count[0]];
}

perp_status shells_find_odd(perp_mesh *m, size_t count, const int32_t *beyond,
                            const int32_t *alike, const int32_t *number, perp_error *err)
{
    int8_t *way = math_alloc(count, sizeof *way);
    int32_t *stack = math_alloc(count, sizeof *stack);
    bool open = false;
    int32_t odd = -1;

    if (!way || !stack) {
        free(way);
        free(stack);
        return perp_fail(err, PERP_ERR_MEMORY, "mesh: no memory for %zu triangles",
                         count);
    }
    for (size_t k = 0; k < 3 * count; k++) {
        open = open || (beyond[k] < 0 && alike[k] < 0);
    }
    for (size_t t = 0; t < count && odd < 0 && !open; t++) {
        odd = way[t] == 0 ? shells_wind(t, beyond, alike, way, stack) : -1;
    }
    free(way);
    free(stack);
    if (odd >= 0) {
        snprintf(m->fault, sizeof m->fault,
                 "triangle %d is wound against its neighbours, expected corners "
                 "counter-clockwise from outside",
                 (int)number[odd]);
    } else {
        snprintf(m->fault, sizeof m->fault,
                 "its surface of %zu triangles is open, expected a closed one",
                 m->triangle_count);
    }
    return PERP_OK;
}
