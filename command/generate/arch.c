/* SPDX-License-Identifier: Apache-2.0
 * families/arch.c: a semicircular arch of equal stones between two supports, under its own
 * weight; each joint is radial and touches at its inner and its outer edge.
 *
 * The centre line has radius 5, density and depth are 1. It stands as long as a line of thrust
 * fits in: thickness / radius above 0.1009 for 8 stones, 0.1072 for 16, 0.1075 for very many,
 * [couplet-1730], if friction keeps the joints from sliding. */
#include <config.h>

#include "base/base.h"
#include "scene.h"

static const double radius = 5.0;
static const double pi = 3.14159265358979323846;

/* A stone: a sector of a ring between two radii. */
typedef struct stone {
    double mass, inertia;
    double centre; /* distance of the centroid from that of the arch */
} stone;

static stone stone_of(double angle, double inner, double outer)
{
    double square = outer * outer - inner * inner;
    double cube = outer * outer * outer - inner * inner * inner;
    double fourth = (outer * outer + inner * inner) * square;
    stone s = {.mass = angle * square / 2.0};

    s.centre = 2.0 / 3.0 * cube / square * sin(angle / 2.0) / (angle / 2.0);
    s.inertia = angle * fourth / 4.0 - s.mass * s.centre * s.centre;
    return s;
}

/* Joint j of n + 1: the normal points along the arch from stone j - 1 to j; at the last one
 * from the support to the stone. t1 points outward. */
static void arch_joint(scene_contact *c, size_t j, size_t n, double r, double mu)
{
    double at = pi * (double)j / (double)n;
    double sign = j == n ? -1.0 : 1.0;
    const double out[3] = {cos(at), 0.0, sin(at)};
    const double along[3] = {-sign * sin(at), 0.0, sign * cos(at)};

    c->a = j == 0 || j == n ? SCENE_GROUND : (long)j - 1;
    c->b = j == n ? (long)n - 1 : (long)j;
    c->mu = mu;
    for (int k = 0; k < 3; k++) {
        c->point[k] = r * out[k];
        c->normal[k] = along[k];
        c->tangent[k] = out[k];
    }
}

static perp_status arch_make(const perp_options *opt, perp_problem **p, perp_error *err)
{
    size_t n = (size_t)perp_options_integer(opt, "n");
    double half = 0.5 * radius * perp_options_real(opt, "thickness");
    double angle = pi / (double)n;
    stone o = stone_of(angle, radius - half, radius + half);
    scene s;

    scene_new(&s, n, 2 * (n + 1));
    for (size_t k = 0; k < n; k++) {
        double at = angle * ((double)k + 0.5);
        const double I[3] = {o.inertia, o.inertia, o.inertia};
        const double x[3] = {o.centre * cos(at), 0.0, o.centre * sin(at)};

        scene_set_body(&s.bodies[k], o.mass, I, x);
        s.bodies[k].velocity[2] = -scene_step * scene_gravity;
    }
    for (size_t j = 0; j <= n; j++) {
        for (size_t edge = 0; edge < 2; edge++) {
            arch_joint(&s.contacts[2 * j + edge], j, n, radius + (edge ? half : -half),
                       perp_options_real(opt, "mu"));
        }
    }
    return scene_problem(&s, p, err);
}

static const perp_option arch_parameters[] = {
    PERP_INTEGER("n", 8, 1, 10000, "stones"),
    PERP_REAL_CLOSED("thickness", 0.14, 1e-3, 1.0, "over the radius of the centre line"),
    PERP_REAL_CLOSED("mu", 0.8, 0.0, 10.0, "friction"),
    PERP_OPTION_END,
};

const perp_family perp_family_arch = {
    .name = "arch",
    .summary = "a semicircular arch of stones: stands or hinges by its thickness",
    .reference = "",
    .parameters = arch_parameters,
    .make = arch_make,
};
