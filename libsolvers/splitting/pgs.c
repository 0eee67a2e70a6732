/* SPDX-License-Identifier: Apache-2.0
 * splitting/pgs.c: projected Gauss-Seidel.
 *
 *     for i = 1..n:   z_i <- clip( z_i - omega (A z + b)_i / A_ii, lo_i, hi_i )
 *
 * The bounds of friction rows follow the normal impulse as it stands, so that no outer loop is
 * needed. Contacts, rolling contacts and disks are solved exactly, one block after the other
 * (splitting/blocks.c).
 *
 * Converges for symmetric positive definite A and 0 < omega < 2 [cryer-1971], also where A is
 * semidefinite and a solution exists, and for H-matrices with positive diagonal and
 * omega <= 1 [mangasarian-1977]. On other matrices it may cycle indefinitely, as on
 * [1 2 0; 0 1 2; 2 0 1]. Convergence is slow where heavy bodies rest on light ones.
 *
 * Cost: one product with A per sweep, in factored form without forming A. Memory: one real per
 * row; with contacts five reals per row, in coloured or local order A once more, and for rows
 * that act on two bodies 12 reals more. A start near the solution saves sweeps.
 *
 * Orders (splitting/sweep.c): natural; alternating, forward and backward; shuffled, drawn from the
 * seed for every sweep; colored, where threads share a colour to the same bits; local, along a
 * walk through the bodies, the default for more than 20000 blocks on two bodies each whose stored
 * order jumps between distant bodies, which the solution path reports.
 *
 * Certificates: a row that must move although its diagonal entry is not positive; and the
 * direction of diverging iterates. Stalls when 2000 sweeps reduce the residual by less than 1 %. */
#include <config.h>

#include "base/base.h"
#include "core/solver_used.h"
#include "sweep.h"

typedef struct pgs_state {
    const perp_problem *p;
    double omega;
    double *inverse; /* n: 1/A_ii, or 0 where A_ii <= 0 and no step is defined */
    bool by_blocks; /* contacts, factored matrices and other orders are left to `sweep` */
    sweep sweep;
} pgs_state;

static void pgs_invert_diagonal(pgs_state *s)
{
    for (size_t i = 0; i < s->p->n; i++) {
        double d = perp_operator_diagonal(s->p->A, i);

        s->inverse[i] = d > 0.0 ? 1.0 / d : 0.0;
    }
}

static perp_status pgs_setup(void *vstate, const perp_problem *p, const perp_options *opt,
                             perp_workspace *ws, perp_result *r, perp_error *err)
{
    pgs_state *s = vstate;

    s->p = p;
    s->omega = perp_options_real(opt, "relaxation");
    s->by_blocks = perp_sweep_applies(p, opt);
    if (s->by_blocks) {
        s->sweep.blocks.proximal = LOCAL_PROXIMAL;
        return perp_sweep_setup(&s->sweep, perp_solver_pgs.name, p, opt, ws, r, err);
    }
    s->inverse = perp_workspace_reals(ws, p->n);
    TRY(perp_workspace_status(ws, err));
    pgs_invert_diagonal(s);
    return PERP_OK;
}

static perp_status pgs_iterate(void *vstate, perp_result *r, perp_error *err)
{
    pgs_state *s = vstate;
    const perp_problem *p = s->p;
    double *z = r->z;

    if (s->by_blocks) {
        return perp_sweep_iterate(&s->sweep, r, err);
    }
    for (size_t i = 0; i < p->n; i++) {
        double w = perp_operator_row_dot(p->A, i, z) + p->b[i];
        double x = z[i] - s->omega * s->inverse[i] * w;
        double lo = 0.0;
        double hi = 0.0;

        perp_block_bounds(&p->set->blocks[i], z, &lo, &hi);
        x = x < lo ? lo : (x > hi ? hi : x);
        if (s->inverse[i] == 0.0 && ((w < 0.0 && x < hi) || (w > 0.0 && x > lo))) {
            return perp_refuse_diagonal(r, i, err);
        }
        z[i] = x;
    }
    r->work.products += 1.0;
    r->work.projections += (double)p->n;
    return PERP_OK;
}

static perp_status pgs_resume(void *vstate, double shift, perp_result *r, perp_error *err)
{
    pgs_state *s = vstate;

    if (s->by_blocks) {
        return perp_sweep_resume(&s->sweep, shift, r, err);
    }
    if (shift != 0.0) {
        pgs_invert_diagonal(s);
    }
    return PERP_OK;
}

static const perp_option pgs_options[] = {
    PERP_REAL_OPEN("relaxation", 1.0, 0.0, 2.0, "factor omega; 1 is Gauss-Seidel"),
    PERP_SWEEP_ORDER_OPTION,
    PERP_SWEEP_THREADS_OPTION,
    PERP_OPTION_END,
};

const perp_solver_type perp_solver_pgs = {
    .name = "pgs",
    .summary = "projected Gauss-Seidel",
    .reference = "cryer-1971",
    .algorithm = "projected Gauss-Seidel [cryer-1971]",
    .additions = "contacts, rolling contacts and disks solved as blocks; "
                 "friction bounds follow the current normal impulse; orders of "
                 "the sweep, colouring",
    PERP_SWEEP_TYPE,
    .options = pgs_options,
    .state_size = sizeof(pgs_state),
    .setup = pgs_setup,
    .iterate = pgs_iterate,
    .resume = pgs_resume,
};
