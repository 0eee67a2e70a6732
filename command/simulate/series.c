/* SPDX-License-Identifier: Apache-2.0
 * simulate/series.c: a run over time in at most two hundred samples.
 *
 * After a sample that ended at step k comes one of max(1, min(k g, steps/100)) steps, rounded up,
 * g = log(1 + steps)/90: about 90 samples grow geometrically, about 100 have equal lengths. */
#include <config.h>

#include <math.h>
#include <string.h>

#include "command/cli/answer.h"
#include "command/simulate/series.h"

size_t sim_series_end(size_t from, size_t steps)
{
    double growth = log1p((double)steps) / 90.0;
    double width = fmin((double)from * growth, (double)steps / 100.0);

    return from + (size_t)fmax(1.0, ceil(width));
}

static double series_length(const double x[3])
{
    return sqrt(x[0] * x[0] + x[1] * x[1] + x[2] * x[2]);
}

static double series_distance(const double x[3], const double y[3])
{
    const double d[3] = {x[0] - y[0], x[1] - y[1], x[2] - y[2]};

    return series_length(d);
}

void sim_series_start(sim_series *s, const perp_world *world, const perp_state *state,
                      size_t steps)
{
    memset(s, 0, sizeof *s);
    s->steps = steps;
    s->energy = perp_world_kinetic(world, state) + perp_world_potential(world, state) +
                perp_world_stored(world, state);
    perp_world_momentum(world, state, s->momentum);
    perp_world_angular_momentum(world, state, s->angular);
    for (size_t k = 0; k < world->body_count; k++) {
        for (size_t i = 0; i < 3; i++) {
            s->weight[i] += world->mass[k] * world->gravity_scale[k] * world->gravity[i];
        }
    }
}

/* The sample to which the step belongs. More steps than expected belong to the last one. */
static sim_sample *series_sample(sim_series *s, size_t step)
{
    if (s->count == 0 || (step > s->end && s->count < SIM_SERIES_MOST)) {
        s->end = sim_series_end(step - 1, s->steps);
        s->sample[s->count++] = (sim_sample){0};
    }
    return &s->sample[s->count - 1];
}

/* Keep the energy with the largest error of the sample; without known work the largest change. */
static void series_add_energy(sim_sample *at, double energy, double work)
{
    double error = fabs(energy - work), before = fabs(at->energy - at->work);

    if (isnan(error)) {
        error = fabs(energy);
        before = fabs(at->energy);
    }
    if (at->t == 0.0 || error >= before) {
        at->energy = energy;
        at->work = work;
    }
}

void sim_series_add(sim_series *s, const perp_report *r, double work)
{
    sim_sample *at = series_sample(s, r->step);
    double expected[3], impulse[3];

    for (size_t i = 0; i < 3; i++) {
        impulse[i] = s->weight[i] * r->t;
        expected[i] = s->momentum[i] + impulse[i];
    }
    s->momentum_scale =
        fmax(s->momentum_scale, fmax(series_length(r->momentum), series_length(impulse)));
    s->angular_scale = fmax(s->angular_scale, series_length(r->angular_momentum));
    series_add_energy(at, r->kinetic + r->potential + r->stored - s->energy, work);
    at->t = r->t;
    at->drift = fmax(at->drift, r->drift_length);
    at->angle = fmax(at->angle, r->drift_angle);
    at->penetration = fmax(at->penetration, r->penetration);
    at->momentum = fmax(at->momentum, series_distance(r->momentum, expected));
    at->angular = fmax(at->angular, series_distance(r->angular_momentum, s->angular));
}

/* One member: the numbers at `offset` of the samples, divided by `scale`. */
static void series_member(json_t *o, const char *name, const sim_series *s, size_t offset,
                          double scale)
{
    json_t *list = json_array();

    for (size_t k = 0; k < s->count; k++) {
        double x = 0.0;

        memcpy(&x, (const char *)&s->sample[k] + offset, sizeof x);
        json_array_append_new(list, answer_real(x / scale));
    }
    answer_add(o, name, list);
}

static void series_energy(json_t *o, const sim_series *s, bool conservative, double scale)
{
    json_t *list = json_array();

    for (size_t k = 0; k < s->count; k++) {
        const sim_sample *at = &s->sample[k];
        double error = conservative ? at->energy : at->energy - at->work;

        json_array_append_new(list, answer_real(error / scale));
    }
    answer_add(o, "energy", list);
}

json_t *sim_series_json(const sim_series *s, bool conservative, double scale)
{
    static const struct {
        const char *name;
        size_t offset;
    } plain[] = {
        {"t", offsetof(sim_sample, t)},
        {"drift", offsetof(sim_sample, drift)},
        {"angle", offsetof(sim_sample, angle)},
        {"penetration", offsetof(sim_sample, penetration)},
    };
    json_t *o = json_object();

    for (size_t k = 0; k < sizeof plain / sizeof *plain; k++) {
        series_member(o, plain[k].name, s, plain[k].offset, 1.0);
    }
    series_energy(o, s, conservative, scale);
    series_member(o, "momentum", s, offsetof(sim_sample, momentum), s->momentum_scale);
    series_member(o, "angular_momentum", s, offsetof(sim_sample, angular),
                  s->angular_scale);
    return o;
}
