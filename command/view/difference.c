/* SPDX-License-Identifier: Apache-2.0
 * view/difference.c: where and when two motions differ most. */
#include <config.h>

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "command/cli/take.h"
#include "command/view/difference.h"

/* A body of both motions. */
typedef struct pair_of_bodies {
    size_t a, b;
} pair_of_bodies;

typedef struct named_body {
    const char *name;
    size_t body;
} named_body;

/* The largest difference so far. */
typedef struct difference_most {
    double length, angle, time, at[3];
    const char *body;
} difference_most;

static int named_order(const void *x, const void *y)
{
    return strcmp(((const named_body *)x)->name, ((const named_body *)y)->name);
}

/* The bodies of `a` that `b` has under the same name, of which one moves; of several of one name
 * in `b`, any. */
static perp_status difference_pairs(const motion *a, const motion *b,
                                    pair_of_bodies **pairs, size_t *count,
                                    perp_error *err)
{
    named_body *names = take(b->body_count + 1, sizeof *names);

    *count = 0;
    *pairs = take(a->body_count + 1, sizeof **pairs);
    for (size_t k = 0; k < b->body_count; k++) {
        names[k] = (named_body){b->bodies[k].name, k};
    }
    qsort(names, b->body_count, sizeof *names, named_order);
    for (size_t k = 0; k < a->body_count; k++) {
        const named_body key = {a->bodies[k].name, k};
        const named_body *found =
            bsearch(&key, names, b->body_count, sizeof *names, named_order);

        if (found && !(a->bodies[k].fixed && b->bodies[found->body].fixed)) {
            (*pairs)[(*count)++] = (pair_of_bodies){k, found->body};
        }
    }
    free(names);
    return *count ? PERP_OK
                  : perp_fail(err, PERP_ERR_DATA,
                              "%s and %s have no moving body of the same name", a->source,
                              b->source);
}

/* The frame of `m` before or at time t, from `f` on, and the share of the way to the next. */
static size_t difference_frame(const motion *m, size_t f, double t, double *share)
{
    while (f + 1 < m->frame_count && m->time[f + 1] <= t) {
        f++;
    }
    *share = f + 1 < m->frame_count
                 ? fmax((t - m->time[f]) / (m->time[f + 1] - m->time[f]), 0.0)
                 : 0.0;
    return f;
}

/* The pose between two frames; the turn as the normalised mean of the two. */
static void difference_pose(const motion *m, size_t f, double share, size_t body,
                            double pose[7])
{
    const double *from = m->poses + 7 * (f * m->body_count + body);
    const double *to = share > 0.0 ? from + 7 * m->body_count : from;
    double along = 0.0;
    double size = 0.0;

    for (size_t k = 3; k < 7; k++) {
        along += from[k] * to[k];
    }
    for (size_t k = 0; k < 7; k++) {
        double sign = k >= 3 && along < 0.0 ? -1.0 : 1.0;

        pose[k] = from[k] + share * (sign * to[k] - from[k]);
        size += k >= 3 ? pose[k] * pose[k] : 0.0;
    }
    for (size_t k = 3; k < 7; k++) {
        pose[k] /= sqrt(size);
    }
}

/* Angle between two turns [rad], well conditioned for small ones. */
static double difference_angle(const double p[4], const double q[4])
{
    double less = 0.0;
    double more = 0.0;

    for (size_t k = 0; k < 4; k++) {
        less += (p[k] - q[k]) * (p[k] - q[k]);
        more += (p[k] + q[k]) * (p[k] + q[k]);
    }
    return 4.0 * atan2(sqrt(fmin(less, more)), sqrt(fmax(less, more)));
}

/* One frame of `a`: its largest distance, and what it adds to the largest of all. */
static double difference_at(const motion *a, size_t fa, const motion *b, size_t fb,
                            double share, const pair_of_bodies *pairs, size_t count,
                            difference_most *most)
{
    double largest = 0.0;

    for (size_t k = 0; k < count; k++) {
        const double *pose = a->poses + 7 * (fa * a->body_count + pairs[k].a);
        double other[7], d[3], length = 0.0;

        difference_pose(b, fb, share, pairs[k].b, other);
        for (size_t i = 0; i < 3; i++) {
            d[i] = pose[i] - other[i];
        }
        length = hypot(hypot(d[0], d[1]), d[2]);
        largest = fmax(largest, length);
        most->angle = fmax(most->angle, difference_angle(pose + 3, other + 3));
        if (length > most->length || !most->body) {
            most->length = length;
            most->time = a->time[fa];
            most->body = a->bodies[pairs[k].a].name;
            memcpy(most->at, pose, sizeof most->at);
        }
    }
    return largest;
}

perp_status motion_difference(const motion *a, const motion *b, json_t **difference,
                              perp_error *err)
{
    pair_of_bodies *pairs = NULL;
    size_t count = 0;
    size_t fb = 0;
    double last = b->time[b->frame_count - 1];
    difference_most most = {.length = 0.0};
    json_t *series = json_array();
    perp_status status = difference_pairs(a, b, &pairs, &count, err);

    *difference = NULL;
    for (size_t fa = 0; fa < a->frame_count && status == PERP_OK; fa++) {
        double t = a->time[fa];
        double share = 0.0;

        if (t < b->time[0] || t > last * (1.0 + 1e-12)) {
            continue;
        }
        fb = difference_frame(b, fb, t, &share);
        json_array_append_new(
            series, json_pack("[f,f]", t,
                              difference_at(a, fa, b, fb, share, pairs, count, &most)));
    }
    if (status == PERP_OK && !most.body) {
        status = perp_fail(err, PERP_ERR_DATA, "%s and %s have no time in common",
                           a->source, b->source);
    }
    if (status == PERP_OK) {
        *difference = json_pack(
            "{s:f, s:f, s:s, s:f, s:[f,f,f], s:I, s:O}", "length", most.length, "angle",
            most.angle, "body", most.body, "time", most.time, "at", most.at[0],
            most.at[1], most.at[2], "bodies", (json_int_t)count, "series", series);
        status = *difference ? PERP_OK
                             : perp_fail(err, PERP_ERR_DATA,
                                         "%s and %s: the difference is not finite",
                                         a->source, b->source);
    }
    json_decref(series);
    free(pairs);
    return status;
}
