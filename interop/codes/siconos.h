/* SPDX-License-Identifier: Apache-2.0
 * codes/siconos.h: a run of a solver of Siconos, and the kinds of problems it is called for. */
#ifndef PERP_CODES_SICONOS_H
#define PERP_CODES_SICONOS_H

#include <FrictionContactProblem.h>
#include <Friction_cst.h>
#include <GlobalFrictionContactProblem.h>
#include <GlobalRollingFrictionContactProblem.h>
#include <LinearComplementarityProblem.h>
#include <MLCP_Solvers.h>
#include <MixedLinearComplementarityProblem.h>
#include <NonSmoothDrivers.h>
#include <NumericsMatrix.h>
#include <RelayProblem.h>
#include <RollingFrictionContactProblem.h>
#include <SolverOptions.h>
#include <lcp_cst.h>
#include <mlcp_cst.h>
#include <relay_cst.h>

#include "interop/codes/code.h"

typedef enum siconos_end {
    SICONOS_SOLVED, /* the driver has returned */
    SICONOS_UNSUITABLE,
    SICONOS_FAILED
} siconos_end;

typedef struct siconos_run {
    const code_task *task;
    code_answer *answer;
    int id; /* of the solver */
    SolverOptions *options;
    double *w; /* n: velocities */
    int info;  /* what the driver returned */
} siconos_run;

/* One per kind of problem: make the problem, call the driver, take the time; answer->z is the
 * start and becomes the answer. Else `message` says why not. */
siconos_end siconos_lcp(siconos_run *run);
siconos_end siconos_mlcp(siconos_run *run);
siconos_end siconos_relay(siconos_run *run);
siconos_end siconos_contacts(siconos_run *run);
siconos_end siconos_rolling(siconos_run *run);
siconos_end siconos_global(siconos_run *run);
siconos_end siconos_soclcp(siconos_run *run);
siconos_end siconos_generic(siconos_run *run);

#endif
