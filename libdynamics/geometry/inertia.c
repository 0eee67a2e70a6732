/* SPDX-License-Identifier: Apache-2.0
 * geometry/inertia.c: inertia of solids in closed form, about another point, in other axes,
 * and whether a matrix can be one.
 *
 *     I_a = I + m (a.a E - a a^T),   I_1 <= I_2 <= I_3 <= I_1 + I_2
 *
 * A capsule is a cylinder of mass m_c and two half balls of mass m_s together. */
#include <config.h>

#include <lapacke.h>
#include <math.h>

#include <perp/dynamics/inertia.h>

#include "base/base.h"
#include "math/math.h"

/* How far beyond the sum of the others a moment may lie: thin plates in numbers of six digits, as files of
 * CAD programs have them. */
static const double triangle_tolerance = 1e-5;
/* A moment this much smaller than the largest is 0 but for rounding. */
static const double no_moment = 1e-14;

static void inertia_diagonal(double A[9], double x, double y, double z)
{
    const double out[9] = {x, 0, 0, 0, y, 0, 0, 0, z};

    memcpy(A, out, sizeof out);
}

void perp_inertia_sphere(double m, double radius, double A[9])
{
    double x = 0.4 * m * radius * radius;

    inertia_diagonal(A, x, x, x);
}

void perp_inertia_box(double m, const double half[3], double A[9])
{
    double x = half[0] * half[0];
    double y = half[1] * half[1];
    double z = half[2] * half[2];

    inertia_diagonal(A, m / 3.0 * (y + z), m / 3.0 * (x + z), m / 3.0 * (x + y));
}

void perp_inertia_cylinder(double m, double radius, double length, double A[9])
{
    double across = m * (3.0 * radius * radius + length * length) / 12.0;

    inertia_diagonal(A, across, across, 0.5 * m * radius * radius);
}

void perp_inertia_capsule(double m, double radius, double length, double A[9])
{
    double r2 = radius * radius;
    double share = length / (length + 4.0 / 3.0 * radius); /* of the cylinder */
    double m_c = m * share;
    double m_s = m - m_c;
    double across = m_c * (length * length / 12.0 + r2 / 4.0) +
                    m_s * (0.4 * r2 + length * length / 4.0 + 0.375 * length * radius);

    inertia_diagonal(A, across, across, 0.5 * m_c * r2 + 0.4 * m_s * r2);
}

void perp_inertia_cone(double m, double radius, double length, double A[9])
{
    double across = m * (3.0 / 20.0 * radius * radius + 3.0 / 80.0 * length * length);

    inertia_diagonal(A, across, across, 0.3 * m * radius * radius);
}

void perp_inertia_ellipsoid(double m, const double semi[3], double A[9])
{
    double x = semi[0] * semi[0];
    double y = semi[1] * semi[1];
    double z = semi[2] * semi[2];

    inertia_diagonal(A, 0.2 * m * (y + z), 0.2 * m * (x + z), 0.2 * m * (x + y));
}

double perp_inertia_disc(double m, double radius)
{
    return 0.5 * m * radius * radius;
}

double perp_inertia_rectangle(double m, double width, double height)
{
    return m * (width * width + height * height) / 12.0;
}

void perp_inertia_shift(double m, const double A[9], const double a[3], double out[9])
{
    double a2 = vec3_dot(a, a);

    for (int i = 0; i < 3; i++) {
        for (int j = 0; j < 3; j++) {
            out[3 * i + j] = A[3 * i + j] + m * ((i == j ? a2 : 0.0) - a[i] * a[j]);
        }
    }
}

void perp_inertia_rotate(const double A[9], const double R[9], double out[9])
{
    mat3_congruence(R, A, out);
}

perp_status perp_inertia_principal(const double A[9], double moments[3], double R[9],
                                   perp_error *err)
{
    double V[9];
    int info = 0;

    /* symmetric: its rows are its columns; the vectors come back as columns of V */
    memcpy(V, A, sizeof V);
    info = LAPACKE_dsyev(LAPACK_ROW_MAJOR, 'V', 'U', 3, V, 3, moments);
    if (info == LAPACK_WORK_MEMORY_ERROR || info == LAPACK_TRANSPOSE_MEMORY_ERROR) {
        return perp_fail(err, PERP_ERR_MEMORY, "inertia: no memory for its axes");
    }
    if (info != 0) {
        return perp_fail(err, PERP_ERR_LIBRARY, "inertia: no principal axes found");
    }
    if (mat3_determinant(V) < 0.0) {
        for (int i = 0; i < 3; i++) {
            V[3 * i] = -V[3 * i];
        }
    }
    memcpy(R, V, sizeof V);
    return PERP_OK;
}

perp_status perp_inertia_check(const double A[9], perp_error *err)
{
    double moments[3];
    double R[9];
    double most = 0.0;

    if (!math_finite(A, 9)) {
        return perp_fail(err, PERP_ERR_DATA, "inertia: an entry is not finite");
    }
    for (int k = 0; k < 9; k++) {
        most = fmax(most, fabs(A[k]));
    }
    if (fabs(A[1] - A[3]) > 1e-12 * most || fabs(A[2] - A[6]) > 1e-12 * most ||
        fabs(A[5] - A[7]) > 1e-12 * most) {
        return perp_fail(err, PERP_ERR_DATA, "inertia: not symmetric");
    }
    TRY(perp_inertia_principal(A, moments, R, err));
    if (!(moments[0] > no_moment * most)) {
        return perp_fail(
            err, PERP_ERR_DATA,
            "inertia: a principal moment is %g, expected a positive number [kg m^2]",
            fabs(moments[0]) > no_moment * most ? moments[0] : 0.0);
    }
    if (moments[2] > (moments[0] + moments[1]) * (1.0 + triangle_tolerance)) {
        return perp_fail(
            err, PERP_ERR_DATA,
            "inertia: principal moments are %.9g, %.9g, %.9g, expected each at "
            "most the sum of the other two",
            moments[0], moments[1], moments[2]);
    }
    return PERP_OK;
}
