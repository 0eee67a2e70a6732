/* SPDX-License-Identifier: Apache-2.0
 * tests/step/gyro_study.c: the energy study of docs/gyro.md: free bodies, and a top
 * that spins on ice, by the variants of the gyroscopic term. */
#include <config.h>

#include <math.h>

#include "math/vec3.h"
#include "scene_run.h"

static const double seconds = 50.0;

typedef struct study {
    const char *name;
    double I[3], w[3], dt;
} study;

static const study studies[] = {
    {"box", {1, 2, 3}, {1, 2, 0.5}, 1.0 / 60.0},
    {"box, 1/240 s", {1, 2, 3}, {1, 2, 0.5}, 1.0 / 240.0},
    {"box, near the middle axis", {1, 2, 3}, {0.1, 3, 0.1}, 1.0 / 60.0},
    {"disc", {1, 1, 1.9}, {1, 2, 0.5}, 1.0 / 60.0},
    {"rod", {0.1, 1, 1.05}, {1, 2, 0.5}, 1.0 / 60.0},
    {"near a sphere, 20 rad/s", {1, 1.01, 1.02}, {0.3, 20, 0.3}, 1.0 / 60.0},
    {"box, 20 rad/s", {1, 2, 3}, {0.3, 20, 0.3}, 1.0 / 60.0},
};

static perp_world *study_world(const study *s, perp_gyro gyro)
{
    perp_world *w = test_world(3, 0.0);
    perp_body b = {.name = "body", .mass = 1.0, .gyro = gyro};

    for (int c = 0; c < 3; c++) {
        b.inertia[4 * c] = s->I[c];
        b.w[c] = s->w[c];
    }
    OK(perp_world_add_body(w, &b, NULL, NULL));
    return w;
}

/* Relative change of the energy at the end, and the farthest that L was from its start. */
static void study_run(const study *s, perp_gyro gyro, double *energy, double *momentum)
{
    perp_world *w = study_world(s, gyro);
    perp_free_motion motion = {0};
    perp_scheme scheme;
    double L0[3];
    const double E0 = perp_world_kinetic(w, w->start);

    perp_scheme_default(&scheme);
    scheme.dt = s->dt;
    perp_world_angular_momentum(w, w->start, L0);
    *momentum = 0.0;
    for (long k = lrint(seconds / s->dt); k > 0; k--) {
        double u[6];
        double L[3];

        OK(perp_free_motion_run(&motion, w, w->start, &scheme, NULL));
        memcpy(u, motion.u, sizeof u);
        perp_free_motion_finish(&motion, w, w->start, u, &scheme, NULL);
        perp_world_angular_momentum(w, w->start, L);
        vec3_subtract(L, L0, L);
        *momentum = fmax(*momentum, vec3_length(L) / vec3_length(L0));
    }
    *energy = perp_world_kinetic(w, w->start) / E0 - 1.0;
    perp_free_motion_clear(&motion);
}

static void study_says(const char *gyro, const char *body, const char *what, double x)
{
    char row[160];

    snprintf(row, sizeof row, "%s, %s: %s", gyro, body, what);
    page_says("../gyro", row, x);
}

TEST(free_bodies_are_as_the_page_says)
{
    static const perp_gyro variants[] = {PERP_GYRO_MIDPOINT, PERP_GYRO_EXPLICIT,
                                         PERP_GYRO_IMPLICIT_BODY, PERP_GYRO_CONVERGED};

    for (size_t v = 0; v < sizeof variants / sizeof *variants; v++) {
        for (size_t k = 0; k < sizeof studies / sizeof *studies; k++) {
            const study *s = &studies[k];
            double energy = 0.0;
            double momentum = 0.0;

            if (variants[v] == PERP_GYRO_EXPLICIT && k == 6) {
                continue; /* it leaves the range of numbers */
            }
            study_run(s, variants[v], &energy, &momentum);
            study_says(perp_gyro_names[variants[v]], s->name, "energy", energy);
            study_says(perp_gyro_names[variants[v]], s->name, "momentum", momentum);
            if (variants[v] == PERP_GYRO_MIDPOINT) {
                CU_ASSERT(fabs(energy) <= 1e-11); /* 12000 steps of rounding */
            }
        }
    }
}

static const char top[] =
    "{\"scheme\": {\"dt\": \"1/240 s\"}, \"materials\": [{\"name\": \"ice\", "
    "\"friction\": 0}], \"ground\": {\"material\": \"ice\"}, \"bodies\": [{\"name\": "
    "\"top\", \"mass\": 1, \"inertia\": [0.006, 0.006, 0.003], \"position\": [0, 0, "
    "0.1066], \"rotation\": {\"axis\": [1, 0, 0], \"angle\": \"30 deg\"}, \"spin\": [0, "
    "-50, 86.6], \"shapes\": [{\"type\": \"sphere\", \"radius\": 0.02, \"at\": [0, 0, "
    "-0.1], \"material\": \"ice\"}]}]}";

TEST(a_top_on_ice_is_as_the_page_says)
{
    static const perp_gyro variants[] = {PERP_GYRO_MIDPOINT, PERP_GYRO_EXPLICIT,
                                         PERP_GYRO_IMPLICIT_BODY, PERP_GYRO_CONVERGED};

    for (size_t v = 0; v < sizeof variants / sizeof *variants; v++) {
        perp_scene *scene = NULL;
        play p;

        OK(perp_scene_parse(&scene, top, sizeof top - 1, "top", NULL));
        scene->scheme.override_gyro = true;
        scene->scheme.gyro = variants[v];
        p = play_start(scene, NULL);
        play_until(&p, 2.0);
        if (variants[v] == PERP_GYRO_EXPLICIT) {
            CU_ASSERT(p.run.energy > 10.0 * p.energy);
        } else {
            study_says(perp_gyro_names[variants[v]], "top on ice, 2 s", "energy",
                       p.run.energy / p.energy - 1.0);
        }
        play_end(&p);
    }
}

/* A body added without a variant, and a scene that names none, take the midpoint rule. */
TEST(the_default_is_the_variant_that_keeps_energy)
{
    const perp_body zero = {0};
    perp_scheme scheme;
    perp_scene *scene = NULL;

    perp_scheme_default(&scheme);
    CU_ASSERT_EQUAL(zero.gyro, PERP_GYRO_MIDPOINT);
    CU_ASSERT_FALSE(scheme.override_gyro);
    OK(perp_scene_parse(&scene, top, sizeof top - 1, "top", NULL));
    CU_ASSERT_EQUAL(scene->world->gyro[0], PERP_GYRO_MIDPOINT);
}
