/* SPDX-License-Identifier: Apache-2.0
 * experiments/bench/narrow_hulls.c: distance and depth of hulls of 32 corners, drawn on a
 * sphere of radius 1: by GJK from nothing and from the last simplex while they move a
 * little, by EPA, and by libccd's portals for comparison. Of these hulls, and of boxes, the
 * search without a type against that of separating axes. */
#include <config.h>

#include <stdio.h>
#include <string.h>

#include <perp/dynamics/narrow.h>
#include <perp/dynamics/rotation.h>
#include <perp/random.h>

#include "collision/query.h"
#include "experiments/bench/measure.h"

enum { PAIRS = 256, CORNERS = 32, STEPS = 20, SEED = 3 };

/* [m] gaps and depths; what a pair moves between two searches */
static const double apart[2] = {0.0, 1.0};
static const double deep[2] = {-0.5, -0.05};
static const double motion = 1e-3;

typedef struct couple {
    perp_shape shape[2];
    perp_placed a, b;
    perp_gjk_cache cache;
} couple;

static void draw_direction(perp_random *g, double d[3])
{
    do {
        for (int k = 0; k < 3; k++) {
            d[k] = perp_random_uniform(g, -1.0, 1.0);
        }
    } while (vec3_dot(d, d) > 1.0);
    vec3_normalize(d);
}

static void draw_hull(perp_random *g, perp_shape *s)
{
    double points[3 * CORNERS];
    perp_error err = {0};

    for (size_t k = 0; k < CORNERS; k++) {
        draw_direction(g, points + 3 * k);
    }
    *s = (perp_shape){.type = perp_shape_type_find("hull")};
    if (perp_polytope_new(&s->polytope, CORNERS, points, &err) != PERP_OK) {
        give_up("hulls", &err);
    }
}

static void draw_rotation(perp_random *g, double R[9])
{
    double q[4];

    for (int k = 0; k < 4; k++) {
        q[k] = perp_random_uniform(g, -1.0, 1.0);
    }
    perp_quat_normalize(q);
    perp_rotation_matrix(q, R);
}

/* Two hulls at a gap between limits. */
static void draw_couple(perp_random *g, couple *c, const double limits[2])
{
    perp_proximity p;
    double d[3];

    draw_hull(g, &c->shape[0]);
    draw_hull(g, &c->shape[1]);
    c->a = (perp_placed){.shape = &c->shape[0]};
    c->b = (perp_placed){.shape = &c->shape[1]};
    draw_rotation(g, c->a.R);
    draw_rotation(g, c->b.R);
    draw_direction(g, d);
    vec3_scale(3.0, d, c->b.x);
    perp_gjk(&c->a, &c->b, NULL, NULL, &p);
    vec3_add(c->b.x, perp_random_uniform(g, limits[0], limits[1]) - p.gap, p.normal,
             c->b.x);
}

static void shift(perp_random *g, couple *c)
{
    double w[3];
    double q[4];
    double turn[9];
    double R[9];

    for (int k = 0; k < 3; k++) {
        w[k] = perp_random_uniform(g, -motion, motion);
        c->b.x[k] += perp_random_uniform(g, -motion, motion);
    }
    perp_quat_exp(w, q);
    perp_rotation_matrix(q, turn);
    mat3_multiply(turn, c->b.R, R);
    memcpy(c->b.R, R, sizeof R);
}

static double time_gjk(couple *c, bool warm)
{
    perp_random g = {SEED};
    double best = INFINITY;

    for (int step = 0; step < STEPS; step++) {
        double begin = 0.0;
        perp_proximity p;

        for (size_t k = 0; k < PAIRS; k++) {
            shift(&g, &c[k]);
        }
        begin = work_clock();
        for (size_t k = 0; k < PAIRS; k++) {
            perp_gjk(&c[k].a, &c[k].b, warm ? &c[k].cache : NULL, NULL, &p);
        }
        if (step > 0) {
            best = fmin(best, work_clock() - begin);
        }
    }
    return best / PAIRS;
}

static double time_find(const couple *c, const perp_narrow_type *type)
{
    double best = INFINITY;

    for (int step = 0; step < STEPS; step++) {
        double begin = work_clock();
        perp_proximity p;

        for (size_t k = 0; k < PAIRS; k++) {
            perp_proximity_find(type, &c[k].a, &c[k].b, NULL, &p, NULL);
        }
        best = fmin(best, work_clock() - begin);
    }
    return best / PAIRS;
}

static placed place(const perp_placed *at, size_t number)
{
    return (placed){.at = *at,
                    .number = number,
                    .body = (int32_t)number,
                    .reach = at->shape->type->reach(at->shape)};
}

/* All contacts of each pair; how many they are on average. */
static double time_meet(const couple *c, double *points)
{
    perp_world *world = NULL;
    perp_contacts contacts = {0};
    scratch room = {0};
    double best = INFINITY;
    perp_error err = {0};

    if (perp_world_new(&world, 3, &err) != PERP_OK) {
        give_up("hulls", &err);
    }
    for (int step = 0; step < STEPS; step++) {
        double begin = work_clock();

        contacts.count = 0;
        for (size_t k = 0; k < PAIRS; k++) {
            const placed a = place(&c[k].a, 0);
            const placed b = place(&c[k].b, 1);
            contact_query m = {.world = world,
                               .dimension = 3,
                               .margin = 0.005,
                               .contacts = &contacts,
                               .scratch = &room};

            query_begin(&m, &a, &b);
            narrow_sat.meet(&m);
        }
        best = fmin(best, work_clock() - begin);
    }
    *points = (double)contacts.count / PAIRS;
    free(room.at);
    perp_contacts_clear(&contacts);
    perp_world_free(world);
    return best / PAIRS;
}

/* The search without a type as a share of that by separating axes. */
static void bench_usual(const couple *c, const char *what, double bound)
{
    const perp_narrow_type *sat = perp_narrow_find("sat");

    report(what, time_find(c, NULL), time_find(c, sat), bound);
}

/* Boxes in place of the hulls, where these stand. */
static void bench_usual_boxes(couple *c, const char *what, double bound)
{
    static const perp_shape box = {.size = {0.5, 0.6, 0.7}};
    perp_shape solid = box;

    solid.type = perp_shape_type_find("box");
    for (size_t k = 0; k < PAIRS; k++) {
        c[k].a.shape = c[k].b.shape = &solid;
    }
    bench_usual(c, what, bound);
}

static double time_depth(const couple *c,
                         void (*measure)(const perp_placed *, const perp_placed *,
                                         const perp_narrow_settings *, perp_proximity *))
{
    double best = INFINITY;

    for (int step = 0; step < STEPS; step++) {
        double begin = work_clock();
        perp_proximity p;

        for (size_t k = 0; k < PAIRS; k++) {
            measure(&c[k].a, &c[k].b, NULL, &p);
        }
        best = fmin(best, work_clock() - begin);
    }
    return best / PAIRS;
}

/* Alternately, so that what else the machine does falls on both. */
static void bench_manifolds(const couple *c)
{
    double meet = INFINITY;
    double depth = INFINITY;
    double points = 0.0;

    for (int turn = 0; turn < 40; turn++) {
        meet = fmin(meet, time_meet(c, &points));
        depth = fmin(depth, time_depth(c, perp_epa));
    }
    report("contacts of hulls as deep / EPA", meet, depth, 1.6);
    printf("    %.1f points\n", points);
}

static void draw_couples(couple *c, const double limits[2])
{
    perp_random g = {SEED};

    for (size_t k = 0; k < PAIRS; k++) {
        draw_couple(&g, &c[k], limits);
    }
}

static void free_couples(couple *c)
{
    for (size_t k = 0; k < PAIRS; k++) {
        perp_polytope_free(c[k].shape[0].polytope);
        perp_polytope_free(c[k].shape[1].polytope);
    }
}

void bench_narrow_hulls(void)
{
    static couple c[PAIRS];
    double stretch = time_stretch();
    double portals = 0.0;

    draw_couples(c, apart);
    report("GJK, hulls of 32 corners: ns / bound", 1e3 * time_gjk(c, false),
           1e3 * 0.8e-6 * stretch, 1.0);
    report("GJK from the last simplex: ns / bound", 1e3 * time_gjk(c, true),
           1e3 * 0.3e-6 * stretch, 1.0);
    bench_usual(c, "distance of hulls, usual search / sat", 0.1);
    bench_usual_boxes(c, "distance of boxes, usual search / sat", 0.25);
    free_couples(c);
    draw_couples(c, deep);
    report("EPA, hulls 0.05 to 0.5 deep: ns / bound", 1e3 * time_depth(c, perp_epa),
           1e3 * 1.5e-6 * stretch, 1.0);
    portals = time_depth(c, perp_mpr);
    bench_manifolds(c);
    bench_usual(c, "depth of hulls, usual search / sat", 0.3);
    printf("    by libccd's portals %.0f ns; no bound\n", 1e9 * portals);
    bench_usual_boxes(c, "boxes as deep, usual search / sat", 0.2);
    free_couples(c);
}
