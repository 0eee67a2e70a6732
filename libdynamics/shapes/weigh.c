/* SPDX-License-Identifier: Apache-2.0
 * shapes/weigh.c: what shapes weigh, one and several together.
 *
 * Parts of masses m_k with centres c_k and inertias I_k about them make one of mass m =
 * sum m_k, centre c = sum m_k c_k/m and inertia sum I_k + m_k (|a_k|^2 E - a_k a_k^T)
 * with a_k = c_k - c, in axes common to all. Where shapes overlap, both count. */
#include <config.h>

#include <perp/dynamics/inertia.h>
#include <perp/dynamics/rotation.h>

#include "base/base.h"
#include "shapes/shapes.h"

perp_status shape_check_sizes(const perp_shape *shape, size_t n, perp_error *err)
{
    for (size_t k = 0; k < n; k++) {
        if (!(shape->size[k] > 0.0 && isfinite(shape->size[k]))) {
            return perp_fail(
                err, PERP_ERR_DATA, "%s: %s is %g, expected a positive number [m]",
                shape->type->name, shape->type->size_name[k], shape->size[k]);
        }
    }
    return PERP_OK;
}

perp_status shape_weigh(const perp_shape *shape, size_t n, double density, double volume,
                        double *m, perp_error *err)
{
    TRY(shape_check_sizes(shape, n, err));
    if (!(density > 0.0 && isfinite(density))) {
        return perp_fail(err, PERP_ERR_DATA,
                         "%s: density is %g, expected a positive number",
                         shape->type->name, density);
    }
    *m = density * volume;
    return PERP_OK;
}

/* Add a part, both moved to the common centre. */
static void mass_add(shape_mass *sum, double m, const double center[3], const double I[9])
{
    double total = sum->m + m;
    double both[3];
    double offset[3];
    double one[9];
    double two[9];

    vec3_subtract(center, sum->center, both);
    vec3_scale(m / total, both, offset);
    perp_inertia_shift(sum->m, sum->inertia, offset, one);
    vec3_add(sum->center, 1.0, offset, sum->center);
    vec3_subtract(center, sum->center, offset);
    perp_inertia_shift(m, I, offset, two);
    for (size_t k = 0; k < 9; k++) {
        sum->inertia[k] = one[k] + two[k];
    }
    sum->m = total;
}

void shape_turn(const perp_shape *shape, double R[9])
{
    static const double none[4] = {1.0, 0.0, 0.0, 0.0};
    static const double zero[4] = {0};

    perp_rotation_matrix(memcmp(shape->turn, zero, sizeof zero) == 0 ? none : shape->turn,
                         R);
}

perp_status shape_mass_add(shape_mass *sum, const perp_shape *shape, bool flat,
                           double density, perp_error *err)
{
    double m = 0.0;
    double center[3] = {0};
    double I[9] = {0};
    double R[9];
    double J[9];
    perp_status status = PERP_OK;

    if (!(flat ? shape->type->lamina : shape->type->inertia)) {
        return PERP_OK;
    }
    status = (flat ? shape->type->lamina : shape->type->inertia)(shape, density, &m,
                                                                 center, I, err);
    if (status == PERP_OK && m > 0.0) {
        shape_turn(shape, R);
        perp_inertia_rotate(I, R, J);
        mat3_apply(R, center, center);
        vec3_add(center, 1.0, shape->at, center);
        mass_add(sum, m, center, J);
    }
    return status;
}
