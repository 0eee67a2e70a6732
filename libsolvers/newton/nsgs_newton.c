/* SPDX-License-Identifier: Apache-2.0
 * newton/nsgs_newton.c: sweeps over the contacts, then Newton: the default for friction.
 *
 *     k = 10;  repeat:   k sweeps of nsgs from z
 *                        prox-newton from there; kept when the residual fell
 *                        k = max(4 k, as many sweeps as 0.3 of that Newton costs)
 *
 * A few sweeps find which contacts are open and bring Newton's method near the solution; where
 * it fails, more sweeps follow, so that in the long run both halves get equal work. A sweep
 * counts as 2 flops per entry of A and 150 per block. From a start with a residual of at most
 * 1e-6 and A in factors, Newton's method begins.
 *
 * For Coulomb's law and A positive semidefinite, symmetric or not, singular or not; the
 * associated law and friction rows of boxes too. Ten sweeps and 1 to 20 steps are usual. Cost
 * and memory: those of nsgs and prox-newton, one iteration being a sweep or a step; of a matrix
 * in factors neither half forms W. A start near the solution saves most of both. Where nsgs
 * takes a kind of row not, or meets a row it cannot move, Newton works alone. No certificate but
 * that of prox-newton. References: [acary-bremond-huber-2018], [alart-curnier-1991],
 * [jean-1999]. */
#include <config.h>

#include <stdio.h>

#include "base/base.h"
#include "core/solver_used.h"
#include "judge/judge.h"
#include "step.h"

enum {
    FIRST = 10,          /* sweeps of the first round */
    GROWTH = 4,          /* of the sweeps from round to round */
    SWEEPS_MOST = 20000, /* by the price of Newton; growth may lead further */
    FRUITLESS = 3,       /* rounds in a row without a smaller residual until the end */
};

static const double near = 1e-6;         /* residual of a start that Newton takes */
static const double share = 0.3;         /* of Newton's cost, spent on sweeps */
static const double block_flops = 150.0; /* of a local problem */

typedef struct nsgs_newton_state {
    const perp_problem *p;
    perp_options opts[2]; /* of the sweeps, of Newton */
    perp_result *half[2];
    perp_run runs[2];
    perp_judge *judge;
    perp_workspace *ws;
    double tolerance;
    double residual; /* of r->z at the start of the phase at work */
    bool sweeps;     /* nsgs can work here */
    bool newton;     /* which half is at work */
    size_t goal;     /* sweeps of this round */
    size_t count;    /* sweeps or steps of the phase at work */
    size_t total[2]; /* of all rounds */
    size_t fruitless, rounds;
    size_t ran;           /* index of our line in the solution path */
    size_t logged;        /* lines of the inner path that are copied there */
    double factor_flops;  /* of this round of Newton */
    double best_residual; /* when a round last brought something new */
} nsgs_newton_state;

enum { SWEEPS, NEWTON };

static void nsgs_newton_add_work(perp_result *from, perp_result *r)
{
    perp_work_add(&r->work, &from->work);
    from->work = (perp_work){0};
}

static void nsgs_newton_report(const nsgs_newton_state *s, perp_result *r)
{
    if (s->ran < PERP_PATH_MAX) {
        snprintf(r->path.step[s->ran], PERP_PATH_LENGTH,
                 "nsgs+newton: %zu sweep%s and %zu step%s in %zu round%s",
                 s->total[SWEEPS], s->total[SWEEPS] == 1 ? "" : "s", s->total[NEWTON],
                 s->total[NEWTON] == 1 ? "" : "s", s->rounds, s->rounds == 1 ? "" : "s");
    }
}

static double nsgs_newton_judge(nsgs_newton_state *s, const double *z, perp_result *r)
{
    r->work.products += 1.0;
    return perp_judge_residual(s->judge, z);
}

/* The options both halves know, with their own names. */
static perp_status nsgs_newton_options(nsgs_newton_state *s, const perp_options *opt,
                                       perp_error *err)
{
    const perp_solver_type *types[] = {&perp_solver_nsgs, &perp_solver_prox_newton};

    for (size_t i = 0; i < 2; i++) {
        TRY(perp_options_init(&s->opts[i], types[i], NULL, err));
        s->opts[i].interrupt = opt->interrupt;
        TRY(perp_options_set_real(&s->opts[i], "tolerance", s->tolerance, err));
    }
    return perp_options_set_real(&s->opts[NEWTON], "eps", perp_options_real(opt, "eps"),
                                 err);
}

/* Set up one half from its own start. Newton's method is set up when it is first needed. */
static perp_status nsgs_newton_open(nsgs_newton_state *s, size_t which, perp_result *r,
                                    perp_error *err)
{
    const perp_solver_type *types[] = {&perp_solver_nsgs, &perp_solver_prox_newton};
    perp_status status = perp_run_start(&s->runs[which], types[which], s->p,
                                        &s->opts[which], s->ws, s->half[which], err);

    nsgs_newton_add_work(s->half[which], r);
    return status;
}

static perp_status nsgs_newton_start(nsgs_newton_state *s, perp_result *r,
                                     perp_error *err)
{
    TRY(perp_judge_new_in(&s->judge, s->p, s->ws, err));
    for (size_t i = 0; i < 2; i++) {
        TRY(perp_result_new_without_history(&s->half[i], s->p->n, err));
        memcpy(s->half[i]->z, r->z, s->p->n * sizeof *r->z);
    }
    s->residual = s->best_residual = nsgs_newton_judge(s, r->z, r);
    s->newton = !s->sweeps || (s->residual <= near && perp_operator_in_factors(s->p->A));
    if (s->sweeps) {
        TRY(nsgs_newton_open(s, SWEEPS, r, err));
    }
    return s->newton ? nsgs_newton_open(s, NEWTON, r, err) : PERP_OK;
}

static perp_status nsgs_newton_setup(void *vstate, const perp_problem *p,
                                     const perp_options *opt, perp_workspace *ws,
                                     perp_result *r, perp_error *err)
{
    nsgs_newton_state *s = vstate;

    s->p = p;
    s->tolerance = newton_claim(opt);
    s->goal = (size_t)perp_options_integer(opt, "sweeps");
    s->sweeps =
        s->goal > 0 && !(perp_set_kinds(p->set) & ~perp_solver_nsgs.sets.set_bits);
    s->ws = ws;
    TRY(nsgs_newton_options(s, opt, err));
    TRY(nsgs_newton_start(s, r, err));
    s->rounds = 1;
    s->ran = r->path.count;
    perp_result_log(r, "nsgs+newton");
    nsgs_newton_report(s, r);
    return PERP_OK;
}

/* Start a phase at the point z. */
static perp_status nsgs_newton_start_phase(nsgs_newton_state *s, size_t which,
                                           const double *z, perp_result *r,
                                           perp_error *err)
{
    perp_result *half = s->half[which];
    perp_status status = PERP_OK;

    s->newton = which == NEWTON;
    s->count = 0;
    s->logged = 0;
    s->factor_flops = 0.0;
    perp_result_restart(half);
    memcpy(half->z, z, s->p->n * sizeof *z);
    if (!s->runs[which].state) {
        return nsgs_newton_open(s, which, r, err);
    }
    status = perp_run_resume(&s->runs[which], 0.0, err);
    nsgs_newton_add_work(half, r);
    return status;
}

/* Newton is over: keep its point if that is better, and decide how many sweeps it was worth. */
static perp_status nsgs_newton_next_round(nsgs_newton_state *s, perp_result *r,
                                          perp_error *err)
{
    perp_result *half = s->half[NEWTON];
    double residual = nsgs_newton_judge(s, half->z, r);
    double sweep = 2.0 * (double)perp_operator_nonzeros(s->p->A) +
                   block_flops * (double)s->p->set->count;
    double worth = fmin(share * s->factor_flops / sweep, SWEEPS_MOST);
    bool better = residual < s->residual;
    perp_status status = PERP_OK;

    if (better) {
        s->residual = residual;
        memcpy(r->z, half->z, s->p->n * sizeof *r->z);
    } else {
        memcpy(r->z, s->half[SWEEPS]->z, s->p->n * sizeof *r->z);
    }
    if (residual <= s->tolerance || half->outcome == PERP_INFEASIBLE) {
        if (half->certificate.kind == PERP_CERTIFICATE_INFEASIBLE) {
            status = perp_result_certify_infeasible(r, half->certificate.y, err);
        }
        if (status != PERP_OK) {
            return status;
        }
        return perp_result_end(r, half->outcome, "nsgs+newton: %.200s", half->reason);
    }
    s->fruitless = s->residual < s->best_residual ? 0 : s->fruitless + 1;
    s->best_residual = fmin(s->best_residual, s->residual);
    if (!s->sweeps || (s->fruitless >= FRUITLESS && s->goal >= SWEEPS_MOST)) {
        return perp_result_end(r, PERP_STALLED,
                               "nsgs+newton: %.120s; residual %.2e after "
                               "%zu round%s",
                               half->reason, s->best_residual, s->rounds,
                               perp_plural(s->rounds));
    }
    s->rounds++;
    s->goal = GROWTH * s->goal > (size_t)worth ? GROWTH * s->goal : (size_t)worth;
    return nsgs_newton_start_phase(s, SWEEPS, r->z, r, err);
}

/* Judge the sweeps, and let nsgs know, which watches for circles. */
static void nsgs_newton_judge_sweeps(nsgs_newton_state *s, perp_result *r)
{
    perp_result *half = s->half[SWEEPS];

    s->residual = nsgs_newton_judge(s, r->z, r);
    if (s->residual < half->run.best_residual) {
        half->run.best_residual = s->residual;
        half->run.best_iteration = half->iterations;
    }
}

static perp_status nsgs_newton_sweep(nsgs_newton_state *s, perp_result *r,
                                     perp_error *err)
{
    perp_result *half = s->half[SWEEPS];
    perp_status status = perp_run_step(&s->runs[SWEEPS], err);
    bool over = half->outcome != PERP_RUNNING;

    if (status != PERP_OK) {
        return status;
    }
    nsgs_newton_add_work(half, r);
    s->total[SWEEPS]++;
    s->count++;
    memcpy(r->z, half->z, s->p->n * sizeof *r->z);
    while (s->logged < half->path.count) {
        perp_result_log(r, "%s", half->path.step[s->logged++]);
    }
    if (half->outcome == PERP_SINGULAR_BLOCK) {
        perp_result_log(r, "nsgs+newton: no sweeps: %.100s", half->reason);
        s->sweeps = false;
    }
    over = over || s->count >= s->goal;
    if (over || (s->count & (s->count - 1)) == 0) { /* after 1, 2, 4, ... sweeps */
        nsgs_newton_judge_sweeps(s, r);
    }
    if (s->residual <= s->tolerance) {
        return perp_result_end(r, PERP_SOLVED, "nsgs+newton: solved by sweeps");
    }
    return over ? nsgs_newton_start_phase(s, NEWTON, r->z, r, err) : PERP_OK;
}

static perp_status nsgs_newton_step(nsgs_newton_state *s, perp_result *r, perp_error *err)
{
    perp_result *half = s->half[NEWTON];
    perp_status status = perp_run_step(&s->runs[NEWTON], err);

    s->factor_flops += half->work.flops_factor;
    nsgs_newton_add_work(half, r);
    s->total[NEWTON]++;
    s->count++;
    if (status != PERP_OK) {
        return status;
    }
    memcpy(r->z, half->z, s->p->n * sizeof *r->z);
    if (half->outcome != PERP_RUNNING ||
        s->count >= perp_solver_prox_newton.max_iterations) {
        return nsgs_newton_next_round(s, r, err);
    }
    return PERP_OK;
}

static perp_status nsgs_newton_iterate(void *vstate, perp_result *r, perp_error *err)
{
    nsgs_newton_state *s = vstate;
    perp_status status =
        s->newton ? nsgs_newton_step(s, r, err) : nsgs_newton_sweep(s, r, err);

    nsgs_newton_report(s, r);
    return status;
}

static void nsgs_newton_close(void *vstate)
{
    nsgs_newton_state *s = vstate;

    for (size_t i = 2; i-- > 0;) {
        perp_run_end(&s->runs[i]);
        perp_result_free(s->half[i]);
    }
}

static const perp_option nsgs_newton_options_table[] = {
    PERP_INTEGER("sweeps", FIRST, 0, 1e9, "of the first round; 0: Newton alone"),
    PERP_REAL_CLOSED("eps", 0.0, 0.0, 1.0,
                     "Newton's first proximal term, times |A|; 0: 1e-2 from z = 0, else "
                     "1e-4"),
    PERP_OPTION_END,
};

const perp_solver_type perp_solver_nsgs_newton = {
    .name = "nsgs+newton",
    .family = "newton",
    .summary = "sweeps over contacts, then proximal Newton, alternately",
    .reference = "acary-bremond-huber-2018",
    .algorithm = "a hybrid of nonsmooth Gauss-Seidel and Newton "
                 "[acary-bremond-huber-2018]",
    .additions = "prox-newton as Newton's method; both halves get equal work",
    .sets = PERP_SETS(FREE, NONNEG, BOX, FRICTION, CONE, ROLLING, DISK),
    .laws = PERP_LAWS(COULOMB, ASSOCIATED),
    .storages = PERP_STORAGES(DENSE, CSR, BSR, FACTORED, PAIRS),
    .demands = PERP_DEMANDS(POSITIVE_SEMIDEFINITE),
    .flags = PERP_FLAGS(USES_START),
    .certificates = PERP_CERTIFICATES(INFEASIBLE),
    .check_every = 10,
    .max_iterations = 1000000,
    .options = nsgs_newton_options_table,
    .state_size = sizeof(nsgs_newton_state),
    .setup = nsgs_newton_setup,
    .iterate = nsgs_newton_iterate,
    .close = nsgs_newton_close,
};
