/* SPDX-License-Identifier: Apache-2.0
 * tests/support/poses.h: two boxes drawn so that they come near each other in every way
 * that is hard: flush, edge on edge, corner on face, nearly parallel, far from 0. */
#ifndef PERP_TEST_POSES_H
#define PERP_TEST_POSES_H

#include "contact_queries.h"

enum pose_kind {
    POSE_ANY,         /* anyhow, overlapping or near */
    POSE_ALIGNED,     /* axes alike, face on face or beside each other */
    POSE_TILTED,      /* the same but for a turn of 1e-3 ... 1e-12 */
    POSE_ROOFS,       /* an edge across an edge */
    POSE_CORNER,      /* a corner over a face */
    POSE_EDGES_ALIKE, /* edges parallel to 1e-3 ... 1e-12, beside each other */
    POSE_KINDS
};

/** Half extents of two boxes: alike, long, flat, 1e4 times as large, tiny, huge. */
static const double box_sizes[][6] = {
    {1, 1, 1, 1, 1, 1},
    {1, 0.5, 0.25, 0.3, 0.9, 0.4},
    {2, 2, 0.01, 0.5, 0.5, 0.5},
    {0.02, 0.03, 5, 1, 0.1, 0.7},
    {1e4, 2e4, 1e4, 1, 2, 3},
    {1e-6, 2e-6, 1.5e-6, 1e-6, 1e-6, 3e-6},
    {1e6, 1e6, 2e6, 3e6, 1e6, 1e6},
};

enum { BOX_SIZES = sizeof box_sizes / sizeof *box_sizes };

static inline double draw_power(perp_random *g, double low, double high)
{
    return pow(10.0, perp_random_uniform(g, low, high));
}

/* 0, or +-1e-12 ... 1e-1, in shares of a size. */
static inline double draw_gap(perp_random *g)
{
    double size = draw_power(g, -12.0, -1.0);
    long way = perp_random_integer(g, -1, 1);

    return (double)way * size;
}

static inline void turn_about(double x, double y, double z, double angle, double q[4])
{
    const double v[3] = {x, y, z};
    double a[3];

    vec3_copy(a, v);
    vec3_normalize(a);
    vec3_scale(angle, a, a);
    perp_quat_exp(a, q);
}

static inline void draw_tilt(perp_random *g, double q[4])
{
    turn_about(perp_random_uniform(g, -1, 1), perp_random_uniform(g, -1, 1),
               perp_random_uniform(g, -1, 1), draw_power(g, -12, -3), q);
}

/* How far box k, turned by q, reaches along the axis z. */
static inline double height_of(const double k[3], const double q[4])
{
    double R[9];

    perp_rotation_matrix(q, R);
    return fabs(R[6]) * k[0] + fabs(R[7]) * k[1] + fabs(R[8]) * k[2];
}

/* How box b, of half extents k, is turned by q and shifted by r against box a, h. */
static inline void draw_near(perp_random *g, enum pose_kind kind, const double h[3],
                             const double k[3], double r[3], double q[4])
{
    const double straight[4] = {1, 0, 0, 0};
    double size = fmin(vec3_length(h), vec3_length(k));
    double tilt[4] = {1, 0, 0, 0};

    draw_pose(g, 1.0, r, q);
    for (int c = 0; c < 3; c++) {
        r[c] *= h[c] + k[c];
    }
    if (kind == POSE_ANY) {
        vec3_scale(1.3, r, r);
        return;
    }
    if (kind == POSE_ALIGNED || kind == POSE_TILTED) {
        memcpy(q, straight, sizeof straight);
        r[0] *= (double)perp_random_integer(g, 0, 2) / 2.0; /* 0: in the middle */
    } else if (kind == POSE_ROOFS) {
        vec3_scale(0.3, r, r);
        turn_about(0, 0, 1, perp_random_uniform(g, -1, 1), tilt);
        turn_about(1, 0, 0, perp_random_uniform(g, 0.2, 1.3), q);
        perp_quat_multiply(tilt, q, q);
    } else if (kind == POSE_EDGES_ALIKE) {
        turn_about(0, 1, 0, perp_random_uniform(g, -1.5, 1.5), q);
    }
    if (kind == POSE_TILTED || kind == POSE_EDGES_ALIKE) {
        draw_tilt(g, tilt);
        perp_quat_multiply(tilt, q, q);
    }
    r[2] = h[2] + height_of(k, q) + size * draw_gap(g);
}

/* Poses of both, somewhere in the world. a is turned too where edges are to meet. */
static inline void draw_pair(perp_random *g, enum pose_kind kind, const double h[3],
                             const double k[3], double a[7], double b[7])
{
    double size = vec3_length(h) + vec3_length(k);
    double q[4];
    double r[3];

    draw_pose(g, 3.0 * size, a, a + 3);
    if (kind == POSE_ROOFS) {
        /* a roof: its edge along x is the highest; b stands over it as over a face */
        double roof[3] = {h[0], h[1], 0.0};

        turn_about(1, 0, 0, perp_random_uniform(g, 0.2, 1.3), q);
        roof[2] = height_of(h, q);
        draw_near(g, kind, roof, k, b, b + 3);
        perp_quat_rotate(a + 3, b, r);
        vec3_add(a, 1.0, r, b);
        perp_quat_multiply(a + 3, b + 3, b + 3);
        perp_quat_multiply(a + 3, q, a + 3);
        return;
    }
    draw_near(g, kind, h, k, b, b + 3);
    perp_quat_rotate(a + 3, b, r);
    vec3_add(a, 1.0, r, b);
    perp_quat_multiply(a + 3, b + 3, b + 3);
}

#endif
