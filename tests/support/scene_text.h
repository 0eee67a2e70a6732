/* SPDX-License-Identifier: Apache-2.0
 * tests/support/scene_text.h: scenes and worlds from JSON, in which ' may stand for ". */
#ifndef PERP_TEST_SCENE_TEXT_H
#define PERP_TEST_SCENE_TEXT_H

#include "dynamics.h"

/* Products and sums of a handful of numbers near 1. */
#define ROUNDING 1e-12

/** Pairs {found, expected} agree: AGREE(ROUNDING, {a->lower, -1.0}, {a->upper, 2.0}). */
#define AGREE(tol, ...)                                                                  \
    agree_pairs((const double[][2]){__VA_ARGS__},                                        \
                sizeof((const double[][2]){__VA_ARGS__}) / sizeof(double[2]), tol,       \
                #__VA_ARGS__, __LINE__)
void agree_pairs(const double (*pair)[2], size_t count, double tol, const char *pairs,
                 int line);

/** A scene called "test"; asserts. */
perp_scene *scene_text(const char *text);
/** The same of that name. */
perp_scene *scene_text_named(const char *name, const char *text);
/** The world of a scene. */
perp_world *world_text(const char *text);

#endif
