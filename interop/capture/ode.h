/* SPDX-License-Identifier: Apache-2.0
 * interop/capture/ode.h: dWorldQuickStep, between the two files of the shim of ODE. */
#ifndef PERP_COMMAND_CAPTURE_ODE_H
#define PERP_COMMAND_CAPTURE_ODE_H

#include <ode/ode.h>

#include "interop/capture/capture.h"

/** The rows of a joint as getInfo2 wrote them; strides in numbers. */
typedef struct ode_rows {
    dJointID joint;
    perp_label_kind kind;
    uint64_t number; /* of the joint or contact */
    const double *J1, *J2, *rhs, *bounds;
    const int *findex; /* rows of the joint, or -1 */
    size_t stride, pair_stride;
} ode_rows;

/** The next call of getInfo2 for this joint writes `count` rows. */
void ode_quick_count(dJointID joint, size_t count);
/** Keep the rows, when a quick step is captured on this thread. */
void ode_quick_rows(const ode_rows *rows);

#endif
