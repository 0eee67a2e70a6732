/* SPDX-License-Identifier: Apache-2.0
 * perp/perp.h: problems, sets, options, solvers by name, results, files. 0 <= z _|_ w >= 0.
 * What extends the library, such as solvers of your own, is in <perp/extend.h>.
 *
 * Start with perp_lcp_solve (<perp/solver.h>) for an LCP of two arrays; with perp_problem
 * (<perp/problem.h>), perp_solver_parse and perp_solve for everything else.
 *
 * Ownership
 * - What a function ..._new or ..._read returns through its first argument belongs to
 *   the caller, who frees it by the function ..._free of its type; NULL is allowed there.
 * - Arguments are copied or only read. Nothing is kept after a call, except by the
 *   functions of the next two rules.
 * - perp_problem_new_take, perp_sequence_add and perp_reform_path_push take over what
 *   they are given, also when they fail: the caller no longer frees it.
 * - perp_reform_*, perp_reform_path_new, perp_judge_new, perp_operator_new_pairs and
 *   perp_solver_register borrow: what they are given must outlive what they make.
 * - Options are plain values and may be copied; they borrow their registry.
 * - Structs filled by hand on the stack borrow their parts; they are never freed.
 *
 * Errors
 * - A function that can fail returns a perp_status and takes a perp_error, which may be
 *   NULL and need not be initialised. After a failure it returns nothing else.
 * - NULL where an argument is required gives PERP_ERR_ARGUMENT, an unknown name
 *   PERP_ERR_OPTION or a neutral value that the function documents. The library does not
 *   abort, exit, print or install signal handlers.
 *
 * Stability
 * - Before version 1.0 there is no promise of binary compatibility between minor
 *   versions: structs may get more members, so that programs must be compiled again.
 * - Source compatibility is intended for perp_lcp_solve, perp_solve, perp_solver_parse,
 *   the functions perp_options_*, the constructors of problems, operators and sets,
 *   perp_result's z, w, outcome, reason, residual and residual_given, and the readers and
 *   writers of files.
 * - What solvers are made of may change with any version: perp_solver_type,
 *   perp_workspace, perp_judge and perp_reform_type. */
#ifndef PERP_PERP_H
#define PERP_PERP_H

#include <perp/base.h>
#include <perp/certificate.h>
#include <perp/determined.h>
#include <perp/formats.h>
#include <perp/labels.h>
#include <perp/operator.h>
#include <perp/options.h>
#include <perp/problem.h>
#include <perp/quantity.h>
#include <perp/random.h>
#include <perp/residual.h>
#include <perp/result.h>
#include <perp/sensitivity.h>
#include <perp/sequence.h>
#include <perp/set.h>
#include <perp/solutions.h>
#include <perp/solver.h>
#include <perp/triplets.h>

#endif
