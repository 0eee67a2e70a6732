/* SPDX-License-Identifier: Apache-2.0
 * perp/perp.h: all of libperp-solvers. 0 <= z _|_ w >= 0. */
#ifndef PERP_PERP_H
#define PERP_PERP_H

#include <perp/base.h>
#include <perp/certificate.h>
#include <perp/formats.h>
#include <perp/operator.h>
#include <perp/options.h>
#include <perp/problem.h>
#include <perp/random.h>
#include <perp/reform.h>
#include <perp/residual.h>
#include <perp/result.h>
#include <perp/sensitivity.h>
#include <perp/sequence.h>
#include <perp/set.h>
#include <perp/solver.h>
#include <perp/triplets.h>
#include <perp/workspace.h>

#endif
