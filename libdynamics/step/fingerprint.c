/* SPDX-License-Identifier: Apache-2.0
 * step/fingerprint.c: a hash of all data of a world that determine its contacts, except
 * poses and velocities.
 *
 *     h <- (h xor word) c, h <- h xor (h >> 32)   over words of 64 bits
 *
 * of shapes, parts, materials, rules, gravity, motions, disabled and removed items, and pairs of
 * bodies without contacts because of joints. Two worlds have the same number by a chance
 * of about 2^-64. Cost: a word or so per nanosecond, far below a search. */
#include <config.h>

#include "perp/dynamics/joint.h"
#include "perp/dynamics/shape.h"
#include "step/stepper.h"

static uint64_t fingerprint_word(uint64_t h, uint64_t word)
{
    h = (h ^ word) * UINT64_C(0x9e3779b97f4a7c15);
    return h ^ h >> 32;
}

static uint64_t fingerprint_real(uint64_t h, double x)
{
    uint64_t word = 0;

    memcpy(&word, &x, sizeof word);
    return fingerprint_word(h, word);
}

static uint64_t fingerprint_reals(uint64_t h, const double *x, size_t n)
{
    for (size_t k = 0; k < n; k++) {
        h = fingerprint_real(h, x[k]);
    }
    return h;
}

static uint64_t fingerprint_pair(uint64_t h, uint32_t a, uint32_t b)
{
    return fingerprint_word(h, (uint64_t)a << 32 | b);
}

static uint64_t fingerprint_shape(uint64_t h, const perp_shape *s)
{
    h = fingerprint_word(h, (uint64_t)(uintptr_t)s->type);
    h = fingerprint_word(h, (uint64_t)(uintptr_t)s->polytope);
    h = fingerprint_word(h, (uint64_t)(uintptr_t)s->mesh);
    h = fingerprint_pair(h, (uint32_t)s->body, (uint32_t)s->material);
    h = fingerprint_pair(h, s->group, s->mask);
    h = fingerprint_reals(h, s->at, 3);
    h = fingerprint_reals(h, s->turn, 4);
    h = fingerprint_reals(h, s->size, 3);
    h = fingerprint_word(h, s->part_count);
    h = fingerprint_word(h, s->id);
    for (size_t k = 0; k < s->part_count; k++) {
        h = fingerprint_shape(h, &s->parts[k]);
    }
    return h;
}

uint64_t step_fingerprint(const perp_world *w)
{
    uint64_t h = fingerprint_pair(w->shape_count, (uint32_t)w->combine_mu,
                                  (uint32_t)w->combine_restitution);

    h = fingerprint_word(h, (uint64_t)w->combine_erp);
    h = fingerprint_word(h, w->removals);
    h = fingerprint_reals(h, w->gravity, 3);
    for (size_t k = 0; k < w->body_count; k++) {
        h = fingerprint_pair(h, (uint32_t)w->motion[k], w->disabled[k]);
    }
    for (size_t k = 0; k < w->material_count; k++) {
        const perp_material *m = &w->materials[k];

        h = fingerprint_real(h, m->mu);
        h = fingerprint_real(h, m->restitution);
        h = fingerprint_real(h, m->mu_rolling);
        h = fingerprint_real(h, m->erp);
        h = fingerprint_real(h, m->cfm);
    }
    for (size_t k = 0; k < w->shape_count; k++) {
        h = fingerprint_shape(h, &w->shapes[k]);
    }
    for (size_t k = 0; k < w->joint_count; k++) {
        h = fingerprint_pair(h, (uint32_t)w->joints[k].i, (uint32_t)w->joints[k].j);
        h = fingerprint_pair(h, w->joints[k].collide, w->joints[k].disabled);
    }
    return h;
}
