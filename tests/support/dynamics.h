/* SPDX-License-Identifier: Apache-2.0
 * tests/support/dynamics.h: golden values of the dynamics, worlds made of them, and small
 * worlds of the tests' own. Golden numbers agree when |x - y| <= tol max(1, |y|). */
#ifndef PERP_TEST_DYNAMICS_H
#define PERP_TEST_DYNAMICS_H

#include <jansson.h>

#include "arena_dynamics.h"
#include "support.h"

/** A case of a golden file. */
typedef struct golden_case {
    const char *name, *type; /* type: "" where there is none */
    const json_t *in, *out;
    double tol;
} golden_case;

/** Visit the cases of golden/FILE.json whose type is `type` (NULL: all); asserts that
 *  there is one, and returns how many. */
size_t golden_each(const char *file, const char *type,
                   void (*visit)(const golden_case *c));

/** Numbers under a key, nested arrays flattened; asserts that there are n. */
void golden_reals(const json_t *object, const char *key, size_t n, double *x);
/** How many numbers there are under a key, 0 when it is missing. */
size_t golden_count(const json_t *object, const char *key);
double golden_real(const json_t *object, const char *key);
/** x agrees with c->out[key], n numbers. */
void golden_agree(const golden_case *c, const char *key, const double *x, size_t n);
/** The same for any two vectors; `what` is printed where they differ. */
void test_agree(const char *what, const double *x, const double *y, size_t n, double tol);

/** Append a golden body {r, q, v, w, m, I_body}; m = 0 is static. Its inertia is taken as
 *  it is, triangle inequality or not. */
int32_t golden_body(perp_world *world, const char *name, const json_t *body);
/** A world without gravity with bodies in.i and in.j, named "i" and "j". */
perp_world *golden_pair(const golden_case *c);
/** The type that the golden files call `name`: they say ball, hinge and slider. */
const char *golden_joint_type(const char *name);
/** A joint, contact-free constraint of a golden file: anchors, axes, rest pose, theta as
 *  stored under `data`, on bodies i and j; erp = k_cor dt is left to the scheme. */
void golden_joint(perp_joint *joint, const char *type, const json_t *data, int32_t i,
                  int32_t j);

/** A world of n dynamic bodies at random poses and velocities in [-1, 1),
 *  masses 0.5 .. 2. */
perp_world *test_random_world(size_t n, uint64_t seed);
/** A new world; asserts. No gravity when g = 0, else along -z (-y in the plane). */
perp_world *test_world(unsigned dimension, double g);
/** Add a body that is a solid sphere; m = 0: static. Its number. */
int32_t test_ball(perp_world *world, const char *name, double m, double radius, double x,
                  double y, double z);
/** The rate of f(world) along u by central differences: poses moved by +-h u. */
double test_rate(perp_world *world, double (*f)(const perp_world *world, void *context),
                 void *context, double h);

#endif
