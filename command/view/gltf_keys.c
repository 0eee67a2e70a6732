/* SPDX-License-Identifier: Apache-2.0
 * view/gltf_keys.c: the frames between which poses may be interpolated, by the algorithm of
 * Ramer, Douglas and Peucker along time. */
#include <config.h>

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "command/cli/take.h"
#include "command/view/gltf_keys.h"

void gltf_keys_new(gltf_keys *k, size_t frames)
{
    memset(k, 0, sizeof *k);
    k->frame = take(frames, sizeof *k->frame);
    k->chosen = take(frames, sizeof *k->chosen);
    k->stack = take(2 * frames, sizeof *k->stack);
}

void gltf_keys_free(gltf_keys *k)
{
    free(k->frame);
    free(k->chosen);
    free(k->stack);
    memset(k, 0, sizeof *k);
}

static const double *keys_pose(const motion *m, size_t frame, size_t body)
{
    return m->poses + 7 * (frame * m->body_count + body);
}

/* Angle between two orientations [rad], exact for small ones. */
static double keys_angle(const double *p, const double *q)
{
    double sum = 0.0;
    double difference = 0.0;

    for (size_t c = 0; c < 4; c++) {
        sum += (p[c] + q[c]) * (p[c] + q[c]);
        difference += (p[c] - q[c]) * (p[c] - q[c]);
    }
    return 4.0 * atan2(sqrt(fmin(sum, difference)), sqrt(fmax(sum, difference)));
}

/* The point of the shorter great arc from p to q at the share s. */
static void keys_slerp(const double *p, const double *q, double s, double out[4])
{
    double dot = p[0] * q[0] + p[1] * q[1] + p[2] * q[2] + p[3] * q[3];
    double sign = dot < 0.0 ? -1.0 : 1.0;
    double half = 0.5 * keys_angle(p, q);
    double sine = sin(half);
    double a = sine > 1e-9 ? sin((1.0 - s) * half) / sine : 1.0 - s;
    double b = sine > 1e-9 ? sin(s * half) / sine : s;

    for (size_t c = 0; c < 4; c++) {
        out[c] = a * p[c] + sign * b * q[c];
    }
}

/* Distance of a frame from the interpolation between two others. */
static double keys_error(const motion *m, size_t body, gltf_path path, size_t from,
                         size_t to, size_t at)
{
    const double *p = keys_pose(m, from, body);
    const double *q = keys_pose(m, to, body);
    const double *x = keys_pose(m, at, body);
    double span = m->time[to] - m->time[from];
    double s = span > 0.0 ? (m->time[at] - m->time[from]) / span : 0.0;
    double square = 0.0;

    if (path == GLTF_ROTATION) {
        double between[4];

        keys_slerp(p + 3, q + 3, s, between);
        return keys_angle(between, x + 3);
    }
    for (size_t c = 0; c < 3; c++) {
        double d = x[c] - (1.0 - s) * p[c] - s * q[c];

        square += d * d;
    }
    return sqrt(square);
}

static bool keys_stays(const motion *m, size_t body, gltf_path path, double error,
                       const size_t *usable, size_t count)
{
    for (size_t k = 1; k < count; k++) {
        if (keys_error(m, body, path, usable[0], usable[0], usable[k]) > error) {
            return false;
        }
    }
    return true;
}

void gltf_keys_choose(gltf_keys *k, const motion *m, size_t body, gltf_path path,
                      double error, const size_t *usable, size_t count)
{
    size_t depth = 0;

    memset(k->chosen, 0, count * sizeof *k->chosen);
    k->count = 0;
    k->chosen[0] = true;
    if (!keys_stays(m, body, path, error, usable, count)) {
        k->chosen[count - 1] = true;
        k->stack[depth++] = 0;
        k->stack[depth++] = count - 1;
    }
    while (depth > 0) {
        size_t last = k->stack[--depth];
        size_t first = k->stack[--depth];
        size_t worst = first;
        double most = error;

        for (size_t i = first + 1; i < last; i++) {
            double e = keys_error(m, body, path, usable[first], usable[last], usable[i]);

            worst = e > most ? i : worst;
            most = fmax(most, e);
        }
        if (worst > first) { /* at most one range per frame waits */
            k->chosen[worst] = true;
            k->stack[depth++] = first;
            k->stack[depth++] = worst;
            k->stack[depth++] = worst;
            k->stack[depth++] = last;
        }
    }
    for (size_t i = 0; i < count; i++) {
        if (k->chosen[i]) {
            k->frame[k->count++] = usable[i];
        }
    }
}
