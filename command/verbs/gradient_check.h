/* SPDX-License-Identifier: Apache-2.0
 * verbs/gradient_check.h: the derivative of a step against differences of steps. */
#ifndef PERP_VERBS_GRADIENT_CHECK_H
#define PERP_VERBS_GRADIENT_CHECK_H

#include <perp/dynamics/gradient.h>

#include "command/simulate/settings.h"

/** A step, its derivative, and the worst of its columns. */
typedef struct gradient_check {
    const perp_world *world;
    const perp_state *state; /**< at which it is taken */
    const sim_settings *settings;
    perp_step_gradient *gradient;
    const double *matrix; /**< of n coordinates, 2n x 3n by columns */
    double worst;         /**< out: largest error over max(1, |difference|) */
    size_t directions;    /**< out: that were compared */
    size_t kinks;         /**< out: of them, with other derivatives on their two sides */
    char where[96];       /**< out: the direction of the worst */
} gradient_check;

/** Central differences of steps, over the best of four lengths, along each coordinate, each velocity, and each
 *  force and torque on a body of a tree, against the derivatives from both sides; where
 *  these agree, the matrix against them as well. PERP_ERR_DATA: a step that was
 *  not solved. */
perp_status gradient_check_run(gradient_check *c, perp_error *err);

#endif
