/* SPDX-License-Identifier: Apache-2.0
 * shapes/compound.c: convex parts, each placed by its `at` and `turn` in the axes of the
 * whole: the masses are summed, so that what is in two parts weighs twice. */
#include <config.h>

#include <math.h>

#include "shapes/shapes.h"

static perp_status compound_parts_mass(const perp_shape *shape, bool flat, double density,
                                       double *m, double center[3], double inertia[9],
                                       perp_error *err)
{
    shape_mass sum = {.m = 0.0};
    perp_status status = PERP_OK;

    for (size_t k = 0; k < shape->part_count && status == PERP_OK; k++) {
        status = shape_mass_add(&sum, &shape->parts[k], flat, density, err);
    }
    if (status == PERP_OK) {
        *m = sum.m;
        vec3_copy(center, sum.center);
        memcpy(inertia, sum.inertia, sizeof sum.inertia);
    }
    return status;
}

static perp_status compound_inertia(const perp_shape *shape, double density, double *m,
                                    double center[3], double inertia[9], perp_error *err)
{
    return compound_parts_mass(shape, false, density, m, center, inertia, err);
}

static perp_status compound_lamina(const perp_shape *shape, double density, double *m,
                                   double center[3], double inertia[9], perp_error *err)
{
    return compound_parts_mass(shape, true, density, m, center, inertia, err);
}

static double compound_reach(const perp_shape *shape)
{
    double reach = 0.0;

    for (size_t k = 0; k < shape->part_count; k++) {
        const perp_shape *part = &shape->parts[k];

        reach = fmax(reach, vec3_length(part->at) + part->type->reach(part));
    }
    return reach;
}

static void compound_bounds(const perp_shape *shape, unsigned dimension,
                            const double R[9], const double x[3], perp_aabb *box)
{
    for (size_t k = 0; k < shape->part_count; k++) {
        const perp_shape *part = &shape->parts[k];
        double turn[9];
        double axes[9];
        double place[3];
        perp_aabb one;

        shape_turn(part, turn);
        mat3_multiply(R, turn, axes);
        mat3_apply(R, part->at, place);
        vec3_add(x, 1.0, place, place);
        part->type->bounds(part, dimension, axes, place, k == 0 ? box : &one);
        for (int e = 0; e < 3 && k > 0; e++) {
            box->lo[e] = fmin(box->lo[e], one.lo[e]);
            box->hi[e] = fmax(box->hi[e], one.hi[e]);
        }
    }
}

/* The part that is hit first, of equal ones the lowest. */
static double compound_cast(const perp_shape *shape, unsigned dimension,
                            const double o[3], const double d[3], double most,
                            double n[3], size_t *part)
{
    double first = -1.0;

    *part = 0;
    for (size_t k = 0; k < shape->part_count && first != 0.0; k++) {
        const perp_shape *one = &shape->parts[k];
        double R[9];
        double from[3];
        double along[3];
        double normal[3];
        size_t none = 0;
        double t = 0.0;

        shape_turn(one, R);
        vec3_subtract(o, one->at, from);
        mat3_apply_transposed(R, from, from);
        mat3_apply_transposed(R, d, along);
        t = one->type->cast ? one->type->cast(one, dimension, from, along,
                                              first < 0.0 ? most : first, normal, &none)
                            : -1.0;
        if (t >= 0.0 && (first < 0.0 || t < first)) {
            first = t;
            *part = k;
            mat3_apply(R, normal, n);
        }
    }
    return first;
}

const perp_shape_type shape_compound = {
    .name = "compound",
    .summary = "a union of convex parts, each with its own pose",
    .has_parts = true,
    .inertia = compound_inertia,
    .lamina = compound_lamina,
    .reach = compound_reach,
    .bounds = compound_bounds,
    .cast = compound_cast,
};
