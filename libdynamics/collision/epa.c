/* SPDX-License-Identifier: Apache-2.0
 * collision/epa.c: the depth of two convex shapes whose cores overlap, by expanding a
 * polytope [vandenbergen-2001].
 *
 * A polytope inside M = A (-) B holds the origin. Of its faces the one whose plane is
 * nearest, at height n.w, bounds the depth from below; the point of M farthest along its
 * normal bounds it from above,
 *
 *     min over faces of n.w  <=  depth = min over unit n of h(n)  <=  h(n).
 *
 * Where both agree the depth is found, and n is the normal from a to b. Else that point
 * becomes a corner: the faces that it sees are replaced by the faces from it to their
 * outline, the horizon. Each face stores its neighbours; the horizon is traversed in order
 * without a search. There is no allocation: where room or iterations end, the least h(n) is
 * the answer, an upper bound of the depth. */
#include <config.h>

#include "collision/difference.h"

enum { FACES = 640, POINTS = 320, OUTLINE = 64 };

/* Bound on the rounding error of normals of coplanar faces, as a squared sine. */
static const double same_direction = 1e-16;
/* Squared sine of 8 degrees: faces within it are nearly coplanar. */
static const double near_direction = 0.02;
/* Weights of a point on a face sum to 1; rounding takes no more off the least. */
static const double beside = 1e-9;

typedef struct face {
    int16_t at[3];     /* points, counter-clockwise from outside */
    int16_t beside[3]; /* 4 * face + side, across the side from at[k] */
    double n[3];       /* outward, of any length */
    double beyond;     /* points with n.x above it see the face */
} face;

typedef struct polytope {
    const difference *m;
    unsigned points, faces; /* places in use; among the faces some are free */
    unsigned free_count;
    double height[FACES]; /* (n.w)^2 / n.n with its sign; INFINITY: free, or no area */
    face face[FACES];
    int16_t free[FACES];
    bool seen[FACES];
    difference_point p[POINTS];
    unsigned sides; /* of the outline */
    int16_t side[OUTLINE];
} polytope;

/* A face between points; it is never near where it has no area. */
static void shape_face(polytope *t, int f, int i, int j, int k)
{
    face *s = &t->face[f];
    double d[3];
    double e[3];
    double square;
    double along;

    s->at[0] = (int16_t)i;
    s->at[1] = (int16_t)j;
    s->at[2] = (int16_t)k;
    vec3_subtract(t->p[j].w, t->p[i].w, d);
    vec3_subtract(t->p[k].w, t->p[i].w, e);
    vec3_cross(d, e, s->n);
    square = vec3_dot(s->n, s->n);
    along = vec3_dot(s->n, t->p[k].w);
    s->beyond = along + t->m->noise * (fabs(s->n[0]) + fabs(s->n[1]) + fabs(s->n[2]));
    t->height[f] = square > 0.0 ? along * fabs(along) / square : INFINITY;
    t->seen[f] = false;
}

static void epa_join(polytope *t, int f, int side, int g, int other)
{
    t->face[f].beside[side] = (int16_t)(4 * g + other);
    t->face[g].beside[other] = (int16_t)(4 * f + side);
}

/* The four faces of points 0 to 3. */
static void epa_tetrahedron(polytope *t)
{
    double d[3][3];
    double n[3];

    for (int k = 0; k < 3; k++) {
        vec3_subtract(t->p[k + 1].w, t->p[0].w, d[k]);
    }
    vec3_cross(d[0], d[1], n);
    if (vec3_dot(n, d[2]) > 0.0) { /* 0 1 2 shall not see 3 */
        difference_point swap = t->p[1];

        t->p[1] = t->p[2];
        t->p[2] = swap;
    }
    shape_face(t, 0, 0, 1, 2);
    shape_face(t, 1, 0, 3, 1);
    shape_face(t, 2, 1, 3, 2);
    shape_face(t, 3, 2, 3, 0);
    t->faces = 4;
    epa_join(t, 0, 0, 1, 2);
    epa_join(t, 0, 1, 2, 2);
    epa_join(t, 0, 2, 3, 2);
    epa_join(t, 1, 1, 2, 0);
    epa_join(t, 2, 1, 3, 0);
    epa_join(t, 3, 1, 1, 0);
}

static int epa_lowest(const polytope *t)
{
    int best = 0;
    double low = t->height[0];

    for (unsigned f = 1; f < t->faces; f++) {
        if (t->height[f] < low) {
            low = t->height[f];
            best = (int)f;
        }
    }
    return best;
}

/* Take out the faces that point w sees, from f on, and list the sides of the others
 * around them, in order: 4 * face + side. False: they are too many. */
static bool epa_outline(polytope *t, int f, const double w[3])
{
    int16_t stack[2 * OUTLINE];
    unsigned depth = 0;

    t->sides = 0;
    t->seen[f] = true;
    t->free[t->free_count++] = (int16_t)f;
    t->height[f] = INFINITY;
    for (int k = 2; k >= 0; k--) {
        stack[depth++] = t->face[f].beside[k];
    }
    while (depth > 0) {
        int16_t side = stack[--depth];
        int g = side >> 2;
        int k = side & 3;
        const face *s = &t->face[g];

        if (t->seen[g]) {
            continue;
        }
        if (!(vec3_dot(s->n, w) > s->beyond)) {
            if (t->sides == OUTLINE) {
                return false;
            }
            t->side[t->sides++] = side;
            continue;
        }
        t->seen[g] = true;
        t->free[t->free_count++] = (int16_t)g;
        t->height[g] = INFINITY;
        if (depth + 2 > 2 * OUTLINE) {
            return false;
        }
        stack[depth++] = s->beside[(k + 2) % 3];
        stack[depth++] = s->beside[(k + 1) % 3];
    }
    return true;
}

/* Faces from the newest point to the outline. False: it is no closed line, or there is no
 * room. */
static bool epa_cover(polytope *t)
{
    int w = (int)t->points - 1;
    int first = -1;
    int last = -1;

    if (t->sides < 3 || t->faces + t->sides > FACES + t->free_count) {
        return false;
    }
    for (unsigned k = 0; k < t->sides; k++) {
        int g = t->side[k] >> 2;
        int from = t->side[k] & 3;
        int next = t->side[(k + 1) % t->sides];
        /* the outline runs against the side */
        int i = t->face[g].at[(from + 1) % 3];
        int j = t->face[g].at[from];
        int f;

        if (t->face[next >> 2].at[((next & 3) + 1) % 3] != j) {
            return false;
        }
        f = t->free_count > 0 ? t->free[--t->free_count] : (int)t->faces++;
        shape_face(t, f, i, j, w);
        epa_join(t, f, 0, g, from);
        if (k > 0) {
            epa_join(t, last, 1, f, 2);
        } else {
            first = f;
        }
        last = f;
    }
    epa_join(t, last, 1, first, 2);
    return true;
}

/* [m], negative where the origin is outside. */
static double epa_height_of(const polytope *t, int f)
{
    return copysign(sqrt(fabs(t->height[f])), t->height[f]);
}

/* Weights of the origin's shadow along n on the plane of a face; the least of them. */
static double epa_shadow(const polytope *t, const face *s, const double n[3],
                         double weight[3])
{
    double sum = 0.0;

    for (int k = 0; k < 3; k++) {
        double c[3];

        vec3_cross(t->p[s->at[(k + 1) % 3]].w, t->p[s->at[(k + 2) % 3]].w, c);
        weight[k] = vec3_dot(n, c);
        sum += weight[k];
    }
    vec3_scale(1.0 / sum, weight, weight);
    return fmin(weight[0], fmin(weight[1], weight[2]));
}

/* Of the faces whose heights are within `apart` [m] of `height` and whose directions are within
 * the squared sine of n, the one that has the origin's shadow along n the most within; its
 * weights, the least of which is returned. */
static double epa_shadowed(const polytope *t, const double n[3], double height,
                           double square_sine, double apart, unsigned *at,
                           double weight[3])
{
    double most = -INFINITY;

    for (unsigned f = 0; f < t->faces; f++) {
        const double *k = t->face[f].n;
        double w[3];
        double c[3];

        vec3_cross(n, k, c);
        if (!isfinite(t->height[f]) || !(vec3_dot(n, k) > 0.0) ||
            vec3_dot(c, c) > square_sine * vec3_dot(n, n) * vec3_dot(k, k) ||
            fabs(height - epa_height_of(t, (int)f)) > apart) {
            continue;
        }
        if (epa_shadow(t, &t->face[f], n, w) > most) {
            most = fmin(w[0], fmin(w[1], w[2]));
            *at = f;
            vec3_copy(weight, w);
        }
    }
    return most;
}

/* Points of the two bodies by the weights of a face, of which rounding makes some negative. */
static void epa_mix(const polytope *t, const face *s, const double weight[3], double a[3],
                    double b[3])
{
    double share[3];
    double sum = 0.0;

    for (int k = 0; k < 3; k++) {
        share[k] = fmax(weight[k], 0.0);
        sum += share[k];
    }
    vec3_set(a, 0.0, 0.0, 0.0);
    vec3_set(b, 0.0, 0.0, 0.0);
    for (int k = 0; k < 3; k++) {
        const difference_point *p = &t->p[s->at[k]];

        vec3_add(a, share[k] / sum, p->a, a);
        vec3_add(b, share[k] / sum, p->b, b);
    }
}

/* From the nearest face, or from that in its plane which the origin's shadow is on; where
 * none has it, as on the line of a cylinder, from those nearly so: the depth is `known`
 * to so much [m], and the face below the origin is no farther than that. */
static void epa_witnesses(const polytope *t, int nearest, double known, double a[3],
                          double b[3])
{
    const double *n = t->face[nearest].n;
    double height = epa_height_of(t, nearest);
    double rounding = 4.0 * t->m->noise;
    double weight[3] = {1.0, 0.0, 0.0};
    unsigned at = (unsigned)nearest;

    if (epa_shadowed(t, n, height, same_direction, rounding, &at, weight) < 0.0) {
        epa_shadowed(t, n, height, near_direction, fmax(known, rounding), &at, weight);
    }
    epa_mix(t, &t->face[at], weight, a, b);
}

/* On the face that the line along n from the origin meets, the points there; false where the
 * polytope is torn. They are at most as far apart as M is high along n. */
static bool epa_witnesses_along(const polytope *t, const double n[3], double a[3],
                                double b[3])
{
    double weight[3] = {1.0, 0.0, 0.0};
    unsigned at = 0;

    if (!(epa_shadowed(t, n, 0.0, 1.0, INFINITY, &at, weight) >= -beside)) {
        return false;
    }
    epa_mix(t, &t->face[at], weight, a, b);
    return true;
}

static bool epa_is_corner_of(const polytope *t, const face *s, const difference_point *w)
{
    for (int k = 0; k < 3; k++) {
        const difference_point *p = &t->p[s->at[k]];

        if (p->corner[0] == w->corner[0] && p->corner[1] == w->corner[1]) {
            return true;
        }
    }
    return false;
}

/* The least h(n) = n.w / |n| that was met: the depth is not above it. */
typedef struct upper {
    double along, square; /* n.w and n.n */
    double n[3];
    unsigned point; /* w */
} upper;

static void epa_lower_to(upper *u, double along, const double n[3], unsigned point)
{
    double square = vec3_dot(n, n);

    if (u->square == 0.0 ||
        along * fabs(along) * u->square < u->along * fabs(u->along) * square) {
        u->along = along;
        u->square = square;
        vec3_copy(u->n, n);
        u->point = point;
    }
}

/* Expand; the face that holds the depth, or -1. */
static int epa_expand(polytope *t, unsigned iterations, upper *best, unsigned *count)
{
    const difference *m = t->m;
    double enough = m->corners ? 4.0 * m->noise : narrow_smooth * m->size;

    while (*count < iterations && t->points < POINTS) {
        int f = epa_lowest(t);
        const face *s = &t->face[f];
        difference_point *w = &t->p[t->points];
        double above;

        if (!isfinite(t->height[f])) {
            return -1;
        }
        difference_support(m, s->n, w);
        ++*count;
        above = vec3_dot(s->n, w->w);
        epa_lower_to(best, above, s->n, t->points);
        above -= vec3_dot(s->n, t->p[s->at[0]].w);
        if (!(above > 0.0) || above * above <= enough * enough * vec3_dot(s->n, s->n) ||
            (m->corners && epa_is_corner_of(t, s, w))) {
            return f;
        }
        t->points++;
        if (!epa_outline(t, f, w->w) || !epa_cover(t)) {
            return -1;
        }
    }
    return -1;
}

/* Witnesses as they are when n is the direction between them: smooth faces are found to
 * their depth sooner than to their place. */
static void epa_align(const double n[3], double depth, double a[3], double b[3])
{
    double middle[3];

    vec3_add(a, 1.0, b, middle);
    vec3_scale(0.5, middle, middle);
    vec3_add(middle, 0.5 * depth, n, a);
    vec3_add(middle, -0.5 * depth, n, b);
}

/* The cores at signed height -depth; overlap known before is not undone by rounding. */
static void epa_report(const polytope *t, const nearest_point *at, const double n[3],
                       const double a[3], const double b[3], double depth,
                       perp_proximity *out)
{
    difference_report(t->m, n, a, b, at->overlap ? -fmax(depth, 0.0) : -depth, out);
}

/* Of the nearest face the height of M along its normal n, and its witnesses; false where
 * these are farther from the supporting planes than `known`, or there is none. */
static bool epa_nearest_face(const polytope *t, double known, double n[3], double *depth,
                             double a[3], double b[3])
{
    difference_point w;
    int f = epa_lowest(t);

    if (!isfinite(t->height[f])) {
        return false;
    }
    vec3_copy(n, t->face[f].n);
    vec3_normalize(n);
    difference_support(t->m, n, &w);
    *depth = vec3_dot(n, w.w);
    if (!(*depth - epa_height_of(t, f) <= known)) {
        return false;
    }
    epa_witnesses(t, f, known, a, b);
    return true;
}

/* Neither room nor iterations were left, or rounding tore the polytope: the bound. The
 * witnesses are on both supporting planes: of the nearest face where that is as good, for
 * of a body of revolution the best direction met may be quite another one; else between
 * the points that touch these planes. */
static void epa_give_up(const polytope *t, const nearest_point *at, const upper *best,
                        perp_proximity *out)
{
    const difference_point *w = &t->p[best->point];
    double depth = best->along / sqrt(best->square);
    double low = fmin(epa_height_of(t, epa_lowest(t)), depth);
    double face_depth = depth;
    double n[3];
    double a[3];
    double b[3];

    if (epa_nearest_face(t, narrow_rough * t->m->size, n, &face_depth, a, b)) {
        depth = face_depth;
    } else {
        vec3_scale(1.0 / sqrt(best->square), best->n, n);
        if (!epa_witnesses_along(t, n, a, b)) {
            vec3_copy(a, w->a);
            vec3_copy(b, w->b);
        }
    }
    out->tolerance = depth - low;
    out->converged = out->tolerance <= narrow_rough * t->m->size;
    epa_align(n, depth, a, b);
    epa_report(t, at, n, a, b, depth, out);
}

/* From `points` points; the face that holds the depth, or -1. *flat: M has no volume, and
 * n is across it. */
static int epa_search(polytope *t, unsigned points, unsigned iterations, upper *best,
                      unsigned *count, bool *flat, double n[3])
{
    t->points = points;
    t->free_count = 0;
    *best = (upper){0};
    *flat = !difference_span(t->m, t->p, &t->points, n);
    if (*flat) {
        return -1;
    }
    epa_tetrahedron(t);
    return epa_expand(t, iterations, best, count);
}

void difference_expand(const difference *m, const nearest_point *at, unsigned iterations,
                       perp_proximity *out)
{
    polytope t;
    upper best;
    double a[3];
    double b[3];
    double n[3];
    double depth;
    unsigned count = 0;
    bool flat = false;
    int f;

    *out = (perp_proximity){.converged = true, .tolerance = m->noise, .ran = "epa"};
    t.m = m;
    memcpy(t.p, at->s.p, at->s.count * sizeof *t.p);
    vec3_copy(n, at->n);
    f = epa_search(&t, at->s.count, iterations, &best, &count, &flat, n);
    if (f < 0 && !flat && count < iterations && t.points < POINTS / 2) {
        /* thin at the start, and torn by rounding: once more from one point */
        f = epa_search(&t, 1, iterations, &best, &count, &flat, n);
    }
    out->iterations = at->iterations + count;
    if (flat) {
        difference_report_flat(m, at, n, out);
        return;
    }
    if (f < 0) {
        epa_give_up(&t, at, &best, out);
        return;
    }
    depth = epa_height_of(&t, f);
    out->tolerance = fmax(best.along / sqrt(best.square) - depth, 0.0) + m->noise;
    epa_witnesses(&t, f, out->tolerance, a, b);
    vec3_copy(n, t.face[f].n);
    vec3_normalize(n);
    epa_align(n, depth, a, b);
    epa_report(&t, at, n, a, b, depth, out);
}
