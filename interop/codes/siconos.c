/* SPDX-License-Identifier: Apache-2.0
 * codes/siconos.c: runs the numerics library of Siconos: its solvers by name, their options and
 * what they say at their end. The problems are in siconos_problems.c. */
#include <config.h>

#include <dlfcn.h>
#include <sn_error_handling.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "interop/codes/siconos.h"

typedef siconos_end (*siconos_driver)(siconos_run *run);

typedef struct siconos_method {
    const char *name;
    int id; /* of the solver in Siconos */
    siconos_driver drive;
} siconos_method;

/* SOCLCP and generic problems: their headers are not installed. */
enum { SOCLCP_NSGS = 1100, SOCLCP_VI_FPP = 1106, SOCLCP_VI_EG = 1107, GMP_NSGS = 2000 };

static const siconos_method methods[] = {
    {"lcp-lemke", SICONOS_LCP_LEMKE, siconos_lcp},
    {"lcp-nsgs-sbm", SICONOS_LCP_NSGS_SBM, siconos_lcp},
    {"lcp-pgs", SICONOS_LCP_PGS, siconos_lcp},
    {"lcp-cpg", SICONOS_LCP_CPG, siconos_lcp},
    {"lcp-latin", SICONOS_LCP_LATIN, siconos_lcp},
    {"lcp-latin-w", SICONOS_LCP_LATIN_W, siconos_lcp},
    {"lcp-newton-min", SICONOS_LCP_NEWTONMIN, siconos_lcp},
    {"lcp-newton-fb", SICONOS_LCP_NEWTON_FB_FBLSA, siconos_lcp},
    {"lcp-newton-min-fb", SICONOS_LCP_NEWTON_MIN_FBLSA, siconos_lcp},
    {"lcp-psor", SICONOS_LCP_PSOR, siconos_lcp},
    {"lcp-rpgs", SICONOS_LCP_RPGS, siconos_lcp},
    {"lcp-enum", SICONOS_LCP_ENUM, siconos_lcp},
    {"lcp-avi-caoferris", SICONOS_LCP_AVI_CAOFERRIS, siconos_lcp},
    {"lcp-pivot", SICONOS_LCP_PIVOT, siconos_lcp},
    {"lcp-bard", SICONOS_LCP_BARD, siconos_lcp},
    {"lcp-murty", SICONOS_LCP_MURTY, siconos_lcp},
    {"lcp-pathsearch", SICONOS_LCP_PATHSEARCH, siconos_lcp},
    {"lcp-pivot-lumod", SICONOS_LCP_PIVOT_LUMOD, siconos_lcp},
    {"lcp-convexqp-pg", SICONOS_LCP_CONVEXQP_PG, siconos_lcp},
    {"mlcp-pgs", SICONOS_MLCP_PGS, siconos_mlcp},
    {"mlcp-rpgs", SICONOS_MLCP_RPGS, siconos_mlcp},
    {"mlcp-enum", SICONOS_MLCP_ENUM, siconos_mlcp},
    {"mlcp-direct-enum", SICONOS_MLCP_DIRECT_ENUM, siconos_mlcp},
    {"mlcp-fb", SICONOS_MLCP_FB, siconos_mlcp},
    {"mlcp-direct-fb", SICONOS_MLCP_DIRECT_FB, siconos_mlcp},
    {"mlcp-lcp-lemke", SICONOS_MLCP_LCP_LEMKE, siconos_mlcp},
    {"relay-pgs", SICONOS_RELAY_PGS, siconos_relay},
    {"relay-enum", SICONOS_RELAY_ENUM, siconos_relay},
    {"relay-lemke", SICONOS_RELAY_LEMKE, siconos_relay},
    {"relay-avi-caoferris", SICONOS_RELAY_AVI_CAOFERRIS, siconos_relay},
    {"fc2d-nsgs", SICONOS_FRICTION_2D_NSGS, siconos_contacts},
    {"fc2d-cpg", SICONOS_FRICTION_2D_CPG, siconos_contacts},
    {"fc2d-lemke", SICONOS_FRICTION_2D_LEMKE, siconos_contacts},
    {"fc2d-enum", SICONOS_FRICTION_2D_ENUM, siconos_contacts},
    {"fc3d-nsgs", SICONOS_FRICTION_3D_NSGS, siconos_contacts},
    {"fc3d-prox", SICONOS_FRICTION_3D_PROX, siconos_contacts},
    {"fc3d-tfp", SICONOS_FRICTION_3D_TFP, siconos_contacts},
    {"fc3d-nsn-ac", SICONOS_FRICTION_3D_NSN_AC, siconos_contacts},
    {"fc3d-nsn-fb", SICONOS_FRICTION_3D_NSN_FB, siconos_contacts},
    {"fc3d-dsfp", SICONOS_FRICTION_3D_DSFP, siconos_contacts},
    {"fc3d-vi-fpp", SICONOS_FRICTION_3D_VI_FPP, siconos_contacts},
    {"fc3d-vi-eg", SICONOS_FRICTION_3D_VI_EG, siconos_contacts},
    {"fc3d-fpp", SICONOS_FRICTION_3D_FPP, siconos_contacts},
    {"fc3d-eg", SICONOS_FRICTION_3D_EG, siconos_contacts},
    {"fc3d-aclmfp", SICONOS_FRICTION_3D_ACLMFP, siconos_contacts},
    {"fc3d-soclcp", SICONOS_FRICTION_3D_SOCLCP, siconos_contacts},
    {"fc3d-admm", SICONOS_FRICTION_3D_ADMM, siconos_contacts},
    {"rfc3d-nsgs", SICONOS_ROLLING_FRICTION_3D_NSGS, siconos_rolling},
    {"rfc3d-admm", SICONOS_ROLLING_FRICTION_3D_ADMM, siconos_rolling},
    {"gfc3d-nsgs-wr", SICONOS_GLOBAL_FRICTION_3D_NSGS_WR, siconos_global},
    {"gfc3d-prox-wr", SICONOS_GLOBAL_FRICTION_3D_PROX_WR, siconos_global},
    {"gfc3d-dsfp-wr", SICONOS_GLOBAL_FRICTION_3D_DSFP_WR, siconos_global},
    {"gfc3d-tfp-wr", SICONOS_GLOBAL_FRICTION_3D_TFP_WR, siconos_global},
    {"gfc3d-nsn-ac", SICONOS_GLOBAL_FRICTION_3D_NSN_AC, siconos_global},
    {"gfc3d-nsn-ac-wr", SICONOS_GLOBAL_FRICTION_3D_NSN_AC_WR, siconos_global},
    {"gfc3d-vi-fpp", SICONOS_GLOBAL_FRICTION_3D_VI_FPP, siconos_global},
    {"gfc3d-vi-eg", SICONOS_GLOBAL_FRICTION_3D_VI_EG, siconos_global},
    {"gfc3d-aclmfp", SICONOS_GLOBAL_FRICTION_3D_ACLMFP, siconos_global},
    {"gfc3d-admm", SICONOS_GLOBAL_FRICTION_3D_ADMM, siconos_global},
    {"gfc3d-admm-wr", SICONOS_GLOBAL_FRICTION_3D_ADMM_WR, siconos_global},
    {"gfc3d-ipm", SICONOS_GLOBAL_FRICTION_3D_IPM, siconos_global},
    {"grfc3d-nsgs-wr", SICONOS_GLOBAL_ROLLING_FRICTION_3D_NSGS_WR, siconos_global},
    {"soclcp-nsgs", SOCLCP_NSGS, siconos_soclcp},
    {"soclcp-vi-fpp", SOCLCP_VI_FPP, siconos_soclcp},
    {"soclcp-vi-eg", SOCLCP_VI_EG, siconos_soclcp},
    {"gmp-nsgs", GMP_NSGS, siconos_generic},
};

void code_version(char *text, size_t length)
{
    int (*driver)(LinearComplementarityProblem *, double *, double *, SolverOptions *) =
        linearComplementarity_driver;
    void *address = NULL;
    Dl_info info;
    char *path = NULL;

    memcpy(&address, &driver, sizeof address);
    if (dladdr(address, &info) && info.dli_fname) {
        path = realpath(info.dli_fname, NULL);
    }
    snprintf(text, length, "Siconos%s%s", path ? ", " : "",
             path ? strrchr(path, '/') + 1 : "");
    free(path);
}

/* The options of the solver: its own defaults, with the tolerance and iterations of the task. */
static SolverOptions *options_of(const siconos_method *m, const code_task *task)
{
    SolverOptions *o = solver_options_create(m->id);

    if (o) {
        o->dparam[SICONOS_DPARAM_TOL] = task->tolerance;
        if (task->max_iterations > 0 && task->max_iterations < INT32_MAX) {
            o->iparam[SICONOS_IPARAM_MAX_ITER] = (int)task->max_iterations;
        }
    }
    return o;
}

/* What Siconos says: 0 is success, the meaning of others depends on the solver. */
static void conclude(const siconos_run *run, const SolverOptions *o)
{
    int iterations = o->iparam[SICONOS_IPARAM_ITER_DONE];
    int most = o->iparam[SICONOS_IPARAM_MAX_ITER];
    code_answer *a = run->answer;

    a->iterations = iterations > 0 ? (size_t)iterations : 0;
    a->claim = run->info == 0                         ? "solved"
               : iterations > 0 && iterations >= most ? "iteration limit"
                                                      : "failed";
    snprintf(a->message, sizeof a->message, "status %d, error %.3g", run->info,
             o->dparam[SICONOS_DPARAM_RESIDU]);
}

static code_end run_method(const siconos_method *m, const code_task *task,
                           code_answer *answer)
{
    siconos_run run = {.task = task, .answer = answer, .id = m->id};
    siconos_end end = SICONOS_SOLVED;

    run.options = options_of(m, task);
    run.w = perp_reals_new(task->p->n);
    if (!run.options || !run.w) {
        return code_no_memory(answer, task->p->n);
    }
    /* Its fatal errors come here, with a message in memory that is no more; others exit or
     * abort, which ends the program. */
    if (SN_SETJMP_EXTERNAL_START) {
        snprintf(answer->message, sizeof answer->message, "a fatal error of Siconos");
        return CODE_FAILED;
    }
    end = m->drive(&run);
    SN_SETJMP_EXTERNAL_STOP
    free(run.w);
    if (end == SICONOS_SOLVED) {
        conclude(&run, run.options);
    }
    return end == SICONOS_SOLVED       ? CODE_ANSWERED
           : end == SICONOS_UNSUITABLE ? CODE_UNSUITABLE
                                       : CODE_FAILED;
}

code_end code_solve(const code_task *task, code_answer *answer)
{
    for (size_t k = 0; k < sizeof methods / sizeof *methods; k++) {
        if (strcmp(methods[k].name, task->method) == 0) {
            return run_method(&methods[k], task, answer);
        }
    }
    snprintf(answer->message, sizeof answer->message, "no method \"%.60s\"",
             task->method);
    return CODE_FAILED;
}
