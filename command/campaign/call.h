/* SPDX-License-Identifier: Apache-2.0
 * runner/call.h: generator calls, "spd:n=100,seed=3": a family and its parameters. */
#ifndef PERP_RUNNER_CALL_H
#define PERP_RUNNER_CALL_H

#include <jansson.h>

#include <perp/perp.h>

/** The problem of a call, named after it. A parameter with a unit in its help, "push [N]", may be
 *  given with any unit of its kind: "table:force-x=2 kN". */
perp_status call_make(perp_problem **p, const char *call, perp_error *err);

/** Fail unless the family and its parameters are known and in range. */
perp_status call_check(const char *call, perp_error *err);

/** Parameters of the family of a call as {name: ""}, a new reference; with `sequence` those of
 *  its sequence, too. NULL: there is no such family. */
json_t *call_parameters(const char *call, bool sequence);

/** The same for sequences: "wall:nx=3,steps=40" of any family; and any instance in
 *  time: "parametric:steps=50,change=0.1,instance=WHERE", where WHERE, which ends the
 *  call, is a file or "generate:…". */
perp_status call_check_sequence(const char *call, perp_error *err);
perp_status call_make_sequence(perp_sequence **s, const char *call, perp_error *err);
/** Where WHERE begins in such a call, or NULL. */
const char *call_instance(const char *call);

/** A sequence from "generate:CALL", or from a file or folder. */
perp_status call_open_sequence(perp_sequence **s, const char *path, perp_error *err);

#endif
