/* SPDX-License-Identifier: Apache-2.0
 * math/rotation.c: quaternions, their rates, turns and frames.
 *
 *     dq/dt = (0, omega) q / 2 = Q(q) omega,   omega_body = 2 G(q) dq/dt
 *
 * References: [diebel-2006]; turns by the exponential map: [grassia-1998]. */
#include <config.h>

#include <float.h>

#include <perp/dynamics/rotation.h>

#include "math/math.h"

/* Below this angle sin(x/2)/x is 1/2 - x^2/48 to 1e-16: the next term is x^4/3840. */
static const double small_angle = 1e-3;

void perp_cross_matrix(const double a[3], double X[9])
{
    const double x[9] = {0.0, -a[2], a[1], a[2], 0.0, -a[0], -a[1], a[0], 0.0};

    memcpy(X, x, sizeof x);
}

void perp_rotation_matrix(const double q[4], double R[9])
{
    double w = q[0];
    double x = q[1];
    double y = q[2];
    double z = q[3];

    vec3_set(R, 1 - 2 * (y * y + z * z), 2 * (x * y - w * z), 2 * (x * z + w * y));
    vec3_set(R + 3, 2 * (x * y + w * z), 1 - 2 * (x * x + z * z), 2 * (y * z - w * x));
    vec3_set(R + 6, 2 * (x * z - w * y), 2 * (y * z + w * x), 1 - 2 * (x * x + y * y));
}

void perp_quat_multiply(const double p[4], const double q[4], double pq[4])
{
    const double out[4] = {
        p[0] * q[0] - p[1] * q[1] - p[2] * q[2] - p[3] * q[3],
        p[0] * q[1] + q[0] * p[1] + p[2] * q[3] - p[3] * q[2],
        p[0] * q[2] + q[0] * p[2] + p[3] * q[1] - p[1] * q[3],
        p[0] * q[3] + q[0] * p[3] + p[1] * q[2] - p[2] * q[1],
    };

    memcpy(pq, out, sizeof out);
}

void perp_quat_conjugate(const double q[4], double out[4])
{
    out[0] = q[0];
    vec3_scale(-1.0, q + 1, out + 1);
}

double perp_quat_normalize(double q[4])
{
    double length = sqrt(q[0] * q[0] + q[1] * q[1] + q[2] * q[2] + q[3] * q[3]);

    if (length > 0.0) {
        for (int k = 0; k < 4; k++) {
            q[k] /= length;
        }
    }
    return length;
}

double math_quat_settle(double q[4])
{
    /* sums of four squares, a root and quotients lose so much */
    const double rounding = 4.0 * DBL_EPSILON;
    double unit[4];
    double length = 0.0;

    memcpy(unit, q, sizeof unit);
    length = perp_quat_normalize(unit);
    if (!(fabs(length - 1.0) <= rounding)) {
        memcpy(q, unit, sizeof unit);
    }
    return length;
}

/* a + 2 v x (v x a + w a): cheaper than R and exact for a unit q. */
static void quat_turn_vector(double w, const double v[3], const double a[3],
                             double out[3])
{
    double c[3];
    double d[3];

    vec3_cross(v, a, c);
    vec3_add(c, w, a, c);
    vec3_cross(v, c, d);
    vec3_add(a, 2.0, d, out);
}

void perp_quat_rotate(const double q[4], const double a[3], double out[3])
{
    quat_turn_vector(q[0], q + 1, a, out);
}

void perp_quat_rotate_back(const double q[4], const double a[3], double out[3])
{
    quat_turn_vector(-q[0], q + 1, a, out);
}

void perp_quat_rate(const double q[4], const double omega[3], double rate[4])
{
    const double pure[4] = {0.0, 0.5 * omega[0], 0.5 * omega[1], 0.5 * omega[2]};

    perp_quat_multiply(pure, q, rate);
}

void perp_quat_exp(const double phi[3], double q[4])
{
    double angle = vec3_length(phi);
    double factor =
        angle < small_angle ? 0.5 - angle * angle / 48.0 : sin(0.5 * angle) / angle;

    q[0] = cos(0.5 * angle);
    vec3_scale(factor, phi, q + 1);
}

void perp_quat_log(const double q[4], double phi[3])
{
    double sign = q[0] < 0.0 ? -1.0 : 1.0; /* q and -q: the shorter way */
    double sine = vec3_length(q + 1);
    double angle = 2.0 * atan2(sine, sign * q[0]);
    /* atan2(s, c)/s -> 1/c + O(s^2), where s^2 is below rounding */
    double factor = sine > 1e-8 ? angle / sine : 2.0 / (sign * q[0]);

    vec3_scale(sign * factor, q + 1, phi);
}

static void quat_turn_linear(double q[4], const double omega[3], double dt)
{
    double rate[4];

    perp_quat_rate(q, omega, rate);
    for (int k = 0; k < 4; k++) {
        q[k] += dt * rate[k];
    }
}

static void quat_turn_exponential(double q[4], const double omega[3], double dt)
{
    double phi[3];
    double turn[4];

    vec3_scale(dt, omega, phi);
    perp_quat_exp(phi, turn);
    perp_quat_multiply(turn, q, q);
}

void perp_quat_turn(double q[4], const double omega[3], double dt, perp_turn turn,
                    const double axis[3], double most)
{
    double angle = fabs(dt) * vec3_length(omega);
    double w[3];

    vec3_scale(most > 0.0 && angle > most ? most / angle : 1.0, omega, w);
    if (turn == PERP_TURN_LINEAR) {
        quat_turn_linear(q, w, dt);
    } else if (axis && (turn == PERP_TURN_AXIS || turn == PERP_TURN_AUTO)) {
        double along[3];
        double across[3];

        vec3_scale(vec3_dot(w, axis), axis, along);
        vec3_subtract(w, along, across);
        quat_turn_exponential(q, along, dt);
        if (turn == PERP_TURN_AXIS) {
            quat_turn_linear(q, across, dt);
        } else {
            quat_turn_exponential(q, across, dt);
        }
    } else {
        quat_turn_exponential(q, w, dt);
    }
    perp_quat_normalize(q);
}

void perp_tangents(const double n[3], double t1[3], double t2[3])
{
    vec3_tangents(n, t1, t2);
}
