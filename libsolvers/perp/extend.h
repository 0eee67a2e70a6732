/* SPDX-License-Identifier: Apache-2.0
 * perp/extend.h: perp/perp.h, and what extends the library: types of solvers and their workspace,
 * judges, reformulations, plugins, other codes, threads of BLAS. */
#ifndef PERP_EXTEND_H
#define PERP_EXTEND_H

#include <perp/blas.h>
#include <perp/external.h>
#include <perp/judge.h>
#include <perp/perp.h>
#include <perp/plugin.h>
#include <perp/reform.h>
#include <perp/solver_type.h>
#include <perp/workspace.h>

#endif
