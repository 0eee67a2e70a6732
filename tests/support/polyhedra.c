/* SPDX-License-Identifier: Apache-2.0
 * tests/support/polyhedra.c: points of known solids, and random places of them. */
#include <config.h>

#include <math.h>

#include <perp/dynamics/rotation.h>

#include "polyhedra.h"
#include "world/world.h"

void polyhedron_box(const double half[3], double points[24])
{
    for (int k = 0; k < 8; k++) {
        vec3_set(points + 3 * k, k & 1 ? half[0] : -half[0], k & 2 ? half[1] : -half[1],
                 k & 4 ? half[2] : -half[2]);
    }
}

void polyhedron_prism(size_t n, double radius, double height, double *points)
{
    for (size_t k = 0; k < 2 * n; k++) {
        double angle = 2.0 * M_PI * (double)k / (double)n;

        vec3_set(points + 3 * k, radius * cos(angle), radius * sin(angle),
                 k < n ? 0.0 : height);
    }
}

void polyhedron_icosahedron(double points[36])
{
    const double golden = 0.5 * (1.0 + sqrt(5.0));

    for (int k = 0; k < 12; k++) {
        double *p = points + 3 * k;
        int axis = k / 4;

        p[axis] = 0.0;
        p[(axis + 1) % 3] = k & 1 ? 1.0 : -1.0;
        p[(axis + 2) % 3] = k & 2 ? golden : -golden;
        vec3_normalize(p);
    }
}

void polyhedron_sphere(perp_random *g, size_t n, double *points)
{
    for (size_t k = 0; k < n; k++) {
        double *p = points + 3 * k;

        do {
            for (int d = 0; d < 3; d++) {
                p[d] = perp_random_uniform(g, -1.0, 1.0);
            }
        } while (vec3_dot(p, p) > 1.0 || vec3_dot(p, p) < 0.01);
        vec3_normalize(p);
    }
}

void polyhedron_place(perp_random *g, double far, double scale, size_t n, double *points)
{
    double x[3];
    double q[4];

    do {
        for (int k = 0; k < 4; k++) {
            q[k] = perp_random_uniform(g, -1.0, 1.0);
        }
    } while (q[0] * q[0] + q[1] * q[1] + q[2] * q[2] + q[3] * q[3] < 0.01);
    perp_quat_normalize(q);
    for (int k = 0; k < 3; k++) {
        x[k] = perp_random_uniform(g, -far, far);
    }
    for (size_t k = 0; k < n; k++) {
        double *p = points + 3 * k;

        vec3_scale(scale, p, p);
        perp_quat_rotate(q, p, p);
        vec3_add(p, 1.0, x, p);
    }
}

void polyhedron_cloud(perp_random *g, int kind, double points[3 * 125])
{
    for (int k = 0; k < 125; k++) {
        if (kind == 0) { /* a grid: many points in one plane */
            vec3_set(points + 3 * k, k % 5, k / 5 % 5, k / 25);
        } else {
            vec3_set(points + 3 * k, perp_random_uniform(g, -1.0, 1.0),
                     perp_random_uniform(g, -1.0, 1.0),
                     perp_random_uniform(g, -1.0, 1.0));
        }
    }
    polyhedron_place(g, 1.0, 1.0, 125, points);
}
