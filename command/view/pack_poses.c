/* SPDX-License-Identifier: Apache-2.0
 * view/pack_poses.c: positions, turns, speeds and energies of the bodies in numbers of 16 bits. */
#include <config.h>

#include <float.h>
#include <math.h>

#include <perp/dynamics/rotation.h>

#include "command/view/pack_arrays.h"

/* The pose of a body in a frame; one that is not finite, of a run that blew up, is that of the
 * last frame in which it was. */
static const double *pack_pose(const motion *m, size_t f, size_t b)
{
    const double *pose = NULL;
    bool finite = true;

    do {
        pose = m->poses + 7 * (f * m->body_count + b);
        finite = true;
        for (size_t k = 0; k < 7; k++) {
            finite = finite && isfinite(pose[k]);
        }
    } while (!finite && f-- > 0);
    return pose;
}

/* x = origin + scale q in single precision, with q in 0 .. 65535 for all frames. */
static void pack_range(const motion *m, size_t b, float origin[3], float *scale)
{
    double widest = 0.0;

    for (size_t k = 0; k < 3; k++) {
        double low = INFINITY;
        double high = -INFINITY;

        for (size_t f = 0; f < m->frame_count; f++) {
            double x = pack_pose(m, f, b)[k];

            low = fmin(low, x);
            high = fmax(high, x);
        }
        origin[k] = (float)low;
        if ((double)origin[k] > low) {
            origin[k] = nextafterf(origin[k], -FLT_MAX);
        }
        widest = fmax(widest, high - (double)origin[k]);
    }
    *scale = nextafterf((float)(widest / 65535.0), FLT_MAX);
}

static perp_status pack_positions(view_pack *pack, const motion *m, double *worst,
                                  perp_error *err)
{
    size_t bodies = m->body_count;
    size_t origin_at = 0;
    size_t scale_at = 0;
    float *origin = pack_array_add(pack, "origin", PACK_F32, bodies, 3, false, err);
    float *scale = NULL;
    uint16_t *q = NULL;

    if (!origin) {
        return err->status;
    }
    origin_at = (size_t)((unsigned char *)origin - pack->bytes);
    scale = pack_array_add(pack, "scale", PACK_F32, bodies, 1, false, err);
    if (!scale) {
        return err->status;
    }
    scale_at = (size_t)((unsigned char *)scale - pack->bytes);
    q = pack_array_add(pack, "position", PACK_U16, m->frame_count, 3 * bodies, true, err);
    if (!q) {
        return err->status;
    }
    origin = (float *)(void *)(pack->bytes + origin_at);
    scale = (float *)(void *)(pack->bytes + scale_at);
    for (size_t b = 0; b < bodies; b++) {
        pack_range(m, b, origin + 3 * b, scale + b);
        for (size_t i = 0; i < 3 * m->frame_count; i++) {
            double x = pack_pose(m, i / 3, b)[i % 3];
            double from = (double)origin[3 * b + i % 3];
            double k = fmin(fmax(round((x - from) / (double)scale[b]), 0.0), 65535.0);

            q[3 * (i / 3 * bodies + b) + i % 3] = (uint16_t)k;
            *worst = fmax(*worst, fabs(from + (double)scale[b] * k - x));
        }
    }
    pack_array_shuffle(pack, m->frame_count, 3 * bodies);
    return PERP_OK;
}

/* Angle between a unit quaternion and its packed form as the page reads it, normalised. */
static double pack_angle(const double *turn, const int16_t q[4])
{
    double sine[3];
    double scalar = 0.0;
    double size = 0.0;

    for (size_t k = 0; k < 4; k++) {
        size += (double)q[k] * q[k];
        scalar += turn[k] * q[k];
    }
    /* The vector part of conj(turn) q, times |q|. */
    sine[0] = turn[0] * q[1] - turn[1] * q[0] - turn[2] * q[3] + turn[3] * q[2];
    sine[1] = turn[0] * q[2] - turn[2] * q[0] - turn[3] * q[1] + turn[1] * q[3];
    sine[2] = turn[0] * q[3] - turn[3] * q[0] - turn[1] * q[2] + turn[2] * q[1];
    return size > 0.0 ? 2.0 * atan2(sqrt(sine[0] * sine[0] + sine[1] * sine[1] +
                                         sine[2] * sine[2]),
                                    fabs(scalar))
                      : 0.0;
}

/* Of the two quaternions of a turn, the one nearer to that of the frame before. */
static perp_status pack_turns(view_pack *pack, const motion *m, double *worst,
                              perp_error *err)
{
    size_t bodies = m->body_count;
    int16_t *q =
        pack_array_add(pack, "turn", PACK_I16, m->frame_count, 4 * bodies, true, err);

    if (!q) {
        return err->status;
    }
    for (size_t i = 0; i < m->frame_count * bodies; i++) {
        const double *turn = pack_pose(m, i / bodies, i % bodies) + 3;
        double along = 0.0;

        for (size_t k = 0; k < 4 && i >= bodies; k++) {
            along += turn[k] * q[4 * (i - bodies) + k];
        }
        for (size_t k = 0; k < 4; k++) {
            double x = fmin(fmax(turn[k], -1.0), 1.0);

            q[4 * i + k] = (int16_t)lround(32767.0 * (along < 0.0 ? -x : x));
        }
        *worst = fmax(*worst, pack_angle(turn, q + 4 * i));
    }
    pack_array_shuffle(pack, m->frame_count, 4 * bodies);
    return PERP_OK;
}

/* 0, or the place of x among 65535 steps from 1e-6 to 1e6 with equal ratios. */
static uint16_t pack_logarithm(double x)
{
    double place = x > 0.0 ? (log10(x) + 6.0) / 12.0 : 0.0;

    return !(x > 0.0) ? 0
                      : (uint16_t)(1.0 + round(65534.0 * fmin(fmax(place, 0.0), 1.0)));
}

static double pack_speed(const motion *m, size_t f, size_t b)
{
    const double *v = m->velocity + 6 * (f * m->body_count + b);

    return sqrt(v[0] * v[0] + v[1] * v[1] + v[2] * v[2]);
}

/* m v^2/2 + w R I R^T w/2 [J]. */
static double pack_energy(const motion *m, size_t f, size_t b)
{
    const double *pose = pack_pose(m, f, b);
    const double *w = m->velocity + 6 * (f * m->body_count + b) + 3;
    const double *I = m->bodies[b].inertia;
    double v = pack_speed(m, f, b);
    double R[9], own[3];
    double sum = m->bodies[b].mass * v * v;

    if (m->bodies[b].fixed) {
        return 0.0;
    }
    perp_rotation_matrix(pose + 3, R);
    for (size_t k = 0; k < 3; k++) {
        own[k] = R[k] * w[0] + R[3 + k] * w[1] + R[6 + k] * w[2];
    }
    for (size_t k = 0; k < 9; k++) {
        sum += own[k / 3] * I[k] * own[k % 3];
    }
    return 0.5 * sum;
}

static perp_status pack_scalars(view_pack *pack, const motion *m, const char *name,
                                double (*value)(const motion *m, size_t f, size_t b),
                                perp_error *err)
{
    uint16_t *q =
        pack_array_add(pack, name, PACK_U16, m->frame_count, m->body_count, true, err);

    if (!q) {
        return err->status;
    }
    for (size_t i = 0; i < m->frame_count * m->body_count; i++) {
        q[i] = pack_logarithm(value(m, i / m->body_count, i % m->body_count));
    }
    pack_array_shuffle(pack, m->frame_count, m->body_count);
    return PERP_OK;
}

static bool pack_has_masses(const motion *m)
{
    for (size_t b = 0; b < m->body_count; b++) {
        if (m->bodies[b].mass > 0.0) {
            return true;
        }
    }
    return false;
}

perp_status pack_poses(view_pack *pack, const motion *m, perp_error *err)
{
    double length = 0.0;
    double angle = 0.0;
    perp_status status = PERP_OK;

    if (m->body_count) {
        status = pack_positions(pack, m, &length, err);
    }
    if (status == PERP_OK && m->body_count) {
        status = pack_turns(pack, m, &angle, err);
    }
    if (status == PERP_OK && m->body_count) {
        status = pack_scalars(pack, m, "speed", pack_speed, err);
    }
    if (status == PERP_OK && pack_has_masses(m)) {
        status = pack_scalars(pack, m, "energy", pack_energy, err);
    }
    json_object_set_new(pack->head, "errors",
                        json_pack("{s:f, s:f}", "position", length, "angle", angle));
    return status;
}
