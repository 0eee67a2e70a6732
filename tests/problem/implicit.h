/* SPDX-License-Identifier: Apache-2.0
 * tests/problem/implicit.h: the scheme of the tests of implicit forces. */
#ifndef PERP_TEST_IMPLICIT_H
#define PERP_TEST_IMPLICIT_H

#include "dynamics.h"
#include "world_run.h"

static inline perp_scheme implicit_scheme(void)
{
    perp_scheme scheme = run_scheme_by(PERP_INTEGRATOR_IMPLICIT, 0.01);

    scheme.override_gyro = true;
    scheme.gyro = PERP_GYRO_NONE;
    return scheme;
}

#endif
