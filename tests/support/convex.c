/* SPDX-License-Identifier: Apache-2.0
 * tests/support/convex.c: convex solids by formulas of the tests' own. */
#include <config.h>

#include <stdlib.h>

#include "convex.h"

const char *const convex_kinds[] = {"sphere", "box",       "capsule", "cylinder",
                                    "cone",   "ellipsoid", "hull",    NULL};
const char *const convex_flat_kinds[] = {"sphere", "box", "hull", NULL};

static bool is(const convex *s, const char *kind)
{
    return strcmp(s->shape.type->name, kind) == 0;
}

/* All planes through three corners that have no corner beyond them. */
static void find_planes(convex *s)
{
    size_t n = s->corner_count;

    s->plane_count = 0;
    for (size_t k = 0; k < n * n * n; k++) {
        const double *p = s->corner + 3 * (k / n / n);
        const double *q = s->corner + 3 * (k / n % n);
        const double *r = s->corner + 3 * (k % n);
        double plane[4];
        double d[3];
        double most = -INFINITY;

        if (!(k / n / n < k / n % n && k / n / n < k % n)) {
            continue;
        }
        vec3_subtract(q, p, plane);
        vec3_subtract(r, p, d);
        vec3_cross(plane, d, plane);
        if (!(vec3_normalize(plane) > 0.0)) {
            continue;
        }
        plane[3] = vec3_dot(plane, p);
        for (size_t c = 0; c < n; c++) {
            most = fmax(most, vec3_dot(plane, s->corner + 3 * c) - plane[3]);
        }
        if (most <= 1e-12 * vec3_length(p)) { /* rounding */
            CU_ASSERT_FATAL(s->plane_count < CONVEX_PLANES);
            memcpy(s->plane + 4 * s->plane_count++, plane, sizeof plane);
        }
    }
}

/* In the plane: all lines through two corners. */
static void find_lines(convex *s)
{
    size_t n = s->corner_count;

    s->plane_count = 0;
    for (size_t k = 0; k < n * n; k++) {
        const double *p = s->corner + 3 * (k / n);
        const double *q = s->corner + 3 * (k % n);
        double line[4] = {q[1] - p[1], p[0] - q[0], 0.0, 0.0};
        double most = -INFINITY;

        if (!(vec3_normalize(line) > 0.0)) {
            continue;
        }
        line[3] = vec3_dot(line, p);
        for (size_t c = 0; c < n; c++) {
            most = fmax(most, vec3_dot(line, s->corner + 3 * c) - line[3]);
        }
        if (most <= 1e-12 * vec3_length(p)) {
            CU_ASSERT_FATAL(s->plane_count < CONVEX_PLANES);
            memcpy(s->plane + 4 * s->plane_count++, line, sizeof line);
        }
    }
}

/* Corners on the ellipsoid of the sizes. */
static void draw_hull(convex *s, perp_random *g)
{
    perp_error err = {0};

    s->corner_count = 5 + (size_t)perp_random_integer(g, 0, CONVEX_CORNERS - 5);
    for (size_t c = 0; c < s->corner_count; c++) {
        double *p = s->corner + 3 * c;

        do {
            for (int k = 0; k < 3; k++) {
                p[k] = perp_random_uniform(g, -1.0, 1.0);
            }
            p[2] = s->dimension == 2 ? 0.0 : p[2];
        } while (vec3_length(p) < 0.2);
        vec3_normalize(p);
        for (int k = 0; k < 3; k++) {
            p[k] *= s->shape.size[k];
        }
    }
    if ((s->dimension == 2 ? perp_polygon_new : perp_polytope_new)(
            &s->shape.polytope, s->corner_count, s->corner, &err) != PERP_OK) {
        test_note("%s", err.text);
        CU_FAIL_FATAL("a hull is refused");
    }
    if (s->dimension == 2) {
        find_lines(s);
    } else {
        find_planes(s);
    }
}

void convex_make(convex *s, const char *kind, unsigned dimension, double a, double b,
                 double c)
{
    static const double origin[3] = {0};

    memset(s, 0, sizeof *s);
    s->shape = shape_of(kind, a, b, dimension == 2 ? 0.0 : c);
    s->dimension = dimension;
    convex_put(s, origin, NULL);
}

void convex_draw(convex *s, const char *kind, unsigned dimension, double size,
                 perp_random *g)
{
    double e[3];

    for (int k = 0; k < 3; k++) {
        e[k] = size * perp_random_uniform(g, 0.25, 1.0);
    }
    convex_make(s, kind, dimension, e[0], e[1], e[2]);
    if (is(s, "hull")) {
        draw_hull(s, g);
    }
}

void convex_free(convex *s)
{
    perp_polytope_free(s->shape.polytope);
    s->shape.polytope = NULL;
}

void convex_put(convex *s, const double x[3], const double q[4])
{
    static const double straight[4] = {1.0, 0.0, 0.0, 0.0};

    vec3_copy(s->at.x, x);
    memcpy(s->turn, q ? q : straight, sizeof s->turn);
    perp_rotation_matrix(s->turn, s->at.R);
}

void convex_move(convex *s, const double q[4], const double by[3])
{
    double x[3];
    double turn[4];

    perp_quat_multiply(q, s->turn, turn);
    perp_quat_rotate(q, s->at.x, x);
    vec3_add(x, 1.0, by, x);
    convex_put(s, x, turn);
}

void convex_carry(convex *a, convex *b, double far, perp_random *g, double q[4])
{
    double by[3];
    double turn[4];

    draw_pose(g, far, by, turn);
    if (a->dimension == 2) {
        by[2] = turn[1] = turn[2] = 0.0;
        perp_quat_normalize(turn);
    }
    convex_move(a, turn, by);
    convex_move(b, turn, by);
    if (q) {
        memcpy(q, turn, sizeof turn);
    }
}

void convex_scatter(convex *s, double spread, perp_random *g)
{
    double x[3];
    double q[4];

    draw_pose(g, spread, x, q);
    if (s->dimension == 2) {
        x[2] = q[1] = q[2] = 0.0;
        perp_quat_normalize(q);
    }
    convex_put(s, x, q);
}

const perp_placed *convex_at(convex *s)
{
    s->at.shape = &s->shape;
    return &s->at;
}

double convex_reach(const convex *s)
{
    const double *e = s->shape.size;

    if (is(s, "plane")) {
        return 0.0;
    }
    if (is(s, "sphere")) {
        return e[0];
    }
    if (is(s, "capsule")) {
        return e[0] + 0.5 * e[1];
    }
    if (is(s, "cylinder") || is(s, "cone")) {
        return hypot(e[0], 0.5 * e[1]);
    }
    return is(s, "box") ? vec3_length(e) : fmax(e[0], fmax(e[1], e[2]));
}

double convex_reaches(const convex *a, const convex *b)
{
    return convex_reach(a) + convex_reach(b);
}

static void visit_pair(const convex_draws *d, const char *one, const char *other,
                       void (*visit)(convex *a, convex *b, perp_random *g),
                       perp_random *g)
{
    for (int draw = 0; draw < d->draws; draw++) {
        convex a;
        convex b;

        convex_draw(&a, one, d->dimension, 1.0, g);
        convex_draw(&b, other, d->dimension, 1.0, g);
        convex_scatter(&a, d->spread, g);
        convex_scatter(&b, d->far, g);
        visit(&a, &b, g);
        convex_free(&a);
        convex_free(&b);
    }
}

void convex_each_pair(const convex_draws *draws,
                      void (*visit)(convex *a, convex *b, perp_random *g))
{
    const char *const *kinds = draws->dimension == 2 ? convex_flat_kinds : convex_kinds;
    perp_random g = {draws->seed};

    for (size_t k = 0; kinds[k]; k++) {
        for (size_t l = 0; kinds[l]; l++) {
            visit_pair(draws, kinds[k], kinds[l], visit, &g);
        }
    }
}

void convex_add(perp_world *world, const char *name, double mass, const convex *s)
{
    perp_shape shape = s->shape;

    put(world, name, mass, &shape, s->at.x, s->turn);
}

/* What is left of a solid when the ball around each point of it is taken off. */
static double ball_around(const convex *s)
{
    return is(s, "sphere") || is(s, "capsule") ? s->shape.size[0] : 0.0;
}

/* The point of the core farthest along d, in its axes. */
static void farthest(const convex *s, const double d[3], double p[3])
{
    const double *e = s->shape.size;
    double across = hypot(d[0], d[1]);

    vec3_set(p, 0.0, 0.0, 0.0);
    if (is(s, "box")) {
        vec3_set(p, copysign(e[0], d[0]), copysign(e[1], d[1]), copysign(e[2], d[2]));
    } else if (is(s, "capsule")) {
        p[2] = copysign(0.5 * e[1], d[2]);
    } else if (is(s, "ellipsoid")) {
        double long_way = sqrt(e[0] * e[0] * d[0] * d[0] + e[1] * e[1] * d[1] * d[1] +
                               e[2] * e[2] * d[2] * d[2]);

        for (int k = 0; k < 3; k++) {
            p[k] = e[k] * e[k] * d[k] / long_way;
        }
    } else if (is(s, "cylinder") || is(s, "cone")) {
        bool tip = is(s, "cone") && d[2] * e[1] > e[0] * across;

        p[0] = tip || across == 0.0 ? 0.0 : e[0] * d[0] / across;
        p[1] = tip || across == 0.0 ? 0.0 : e[0] * d[1] / across;
        p[2] = tip || (is(s, "cylinder") && d[2] > 0.0) ? 0.5 * e[1] : -0.5 * e[1];
    } else if (is(s, "hull")) {
        double most = -INFINITY;

        for (size_t c = 0; c < s->corner_count; c++) {
            if (vec3_dot(d, s->corner + 3 * c) > most) {
                most = vec3_dot(d, s->corner + 3 * c);
                vec3_copy(p, s->corner + 3 * c);
            }
        }
    }
}

double convex_outside(const convex *s, const double p[3])
{
    const double *e = s->shape.size;
    double q[3];
    double most = -INFINITY;
    double rho = 0.0;

    vec3_subtract(p, s->at.x, q);
    mat3_apply_transposed(s->at.R, q, q);
    rho = hypot(q[0], q[1]);
    if (is(s, "plane")) {
        return q[s->dimension == 2 ? 1 : 2];
    }
    if (is(s, "sphere")) {
        return vec3_length(q) - e[0];
    }
    if (is(s, "capsule")) {
        q[2] -= fmax(-0.5 * e[1], fmin(0.5 * e[1], q[2]));
        return vec3_length(q) - e[0];
    }
    if (is(s, "cylinder")) {
        return fmax(rho - e[0], fabs(q[2]) - 0.5 * e[1]);
    }
    if (is(s, "cone")) {
        return fmax(-0.5 * e[1] - q[2],
                    (e[1] * rho + e[0] * (q[2] - 0.5 * e[1])) / hypot(e[0], e[1]));
    }
    if (is(s, "ellipsoid")) {
        double steep[3];

        for (int k = 0; k < 3; k++) {
            q[k] /= e[k];
            steep[k] = q[k] / e[k];
        }
        rho = vec3_length(q);
        return rho > 0.0 ? (rho - 1.0) * rho / vec3_length(steep) : -e[0];
    }
    for (size_t k = 0; k < s->dimension && is(s, "box"); k++) {
        most = fmax(most, fabs(q[k]) - e[k]);
    }
    for (size_t k = 0; k < s->plane_count; k++) {
        most = fmax(most, vec3_dot(s->plane + 4 * k, q) - s->plane[4 * k + 3]);
    }
    return most;
}

double convex_lowest(const convex *a, const convex *b, const double n[3], double w[3])
{
    double d[3];
    double p[3];

    mat3_apply_transposed(a->at.R, n, d);
    farthest(a, d, p);
    mat3_apply(a->at.R, p, p);
    vec3_subtract(b->at.x, a->at.x, w);
    vec3_subtract(w, p, w);
    vec3_scale(-1.0, n, d);
    mat3_apply_transposed(b->at.R, d, d);
    farthest(b, d, p);
    mat3_apply(b->at.R, p, p);
    vec3_add(w, 1.0, p, w);
    return vec3_dot(n, w) - ball_around(a) - ball_around(b);
}

double convex_apart(const convex *a, const convex *b, const double n[3])
{
    double w[3];

    return convex_lowest(a, b, n, w);
}
