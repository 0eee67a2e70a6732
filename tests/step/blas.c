/* SPDX-License-Identifier: Apache-2.0
 * tests/step/blas.c: steps have the same bits whatever number of BLAS threads the caller has
 * set, and leave that number as it was. */
#include <config.h>

#include <cblas.h>
#include <stdlib.h>
#include <string.h>

#include "scene_run.h"

enum { STEPS = 10 };

/* Poses of the bodies after some steps; the caller frees them. */
static double *walk(const char *name, int threads, size_t *count)
{
    play p;
    const perp_state *state = NULL;
    double *s = NULL;

    openblas_set_num_threads(threads);
    p = play_scene(name);
    play_steps(&p, STEPS);
    CU_ASSERT_EQUAL(openblas_get_num_threads(), threads);
    openblas_set_num_threads(1);
    state = p.run.world->start;
    *count = 7 * state->body_count;
    s = malloc(*count * sizeof *s);
    CU_ASSERT_PTR_NOT_NULL_FATAL(s);
    memcpy(s, state->s, *count * sizeof *s);
    play_end(&p);
    return s;
}

static void expect_same(const char *name)
{
    size_t one_count = 0, two_count = 0;
    double *one = walk(name, 1, &one_count), *two = walk(name, 2, &two_count);

    CU_ASSERT_EQUAL_FATAL(one_count, two_count);
    CU_ASSERT_EQUAL(memcmp(one, two, one_count * sizeof *one), 0);
    free(one);
    free(two);
}

TEST(steps_of_contacts_have_the_same_bits)
{
    expect_same("card-house");
}

TEST(steps_of_joints_have_the_same_bits)
{
    expect_same("four-bar");
}
