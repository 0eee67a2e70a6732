/* SPDX-License-Identifier: Apache-2.0
 * runner/call.h: generator calls, "spd:n=100,seed=3": a family and its parameters. */
#ifndef PERP_RUNNER_CALL_H
#define PERP_RUNNER_CALL_H

#include <perp/perp.h>

/** Fail unless the family and its parameters are known and in range. */
perp_status call_check(const char *call, perp_error *err);
/** Make the problem of a call. */
perp_status call_make(perp_problem **p, const char *call, perp_error *err);

#endif
