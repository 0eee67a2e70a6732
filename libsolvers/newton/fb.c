/* SPDX-License-Identifier: Apache-2.0
 * newton/fb.c: semismooth Newton on the penalised Fischer-Burmeister equation.
 *
 *     Phi_i(z) = phi(z_i, w_i/d_i) = 0,   V = Da + Db A,   V d = -Phi,   z <- z + t d
 *
 * with phi of newton/fischer.c and the d of the residual. Rows that are free ask w = 0, rows
 * between two bounds nest phi. Psi = |Phi|^2/2 is smooth, its gradient V^T Phi: the longest
 * t = 1, 1/2, ... is taken that brings Psi sufficiently below the greatest of the last points.
 * Where V is singular or d is no direction of descent, A gets ever more of the identity; in the
 * end the gradient leads. Near a solution a step of the min-map finds the active set and with
 * it the solution to rounding.
 *
 * For P0 matrices every stationary point of Psi is a solution [deluca-facchinei-kanzow-1996];
 * on others it starts again elsewhere when it gets stuck. 5 to 15 steps are usual, 30 on
 * singular A. A step costs a factorisation (Cholesky of A + Da/Db where A is symmetric and
 * allows it, else LU) of the rows whose z is not known already, and three products; memory:
 * that of the matrix and two factors. A matrix in factors, J M^-1 J^T + C, is not formed: V is
 * solved through S = M + J^T (C + Da/Db)^-1 J, which has the sparsity of the graph of bodies. Starts
 * warm. A stationary Psi > 0 and a point that grows
 * without bound are tried as certificates that there is no solution. References:
 * [chen-chen-kanzow-2000], [billups-1995], [fischer-1992]. */
#include <config.h>

#include "base/base.h"
#include "fischer.h"
#include "judge/judge.h"
#include "map.h"
#include "step.h"

enum {
    MEMORY = 8,    /* merits of past points in the line search: kinks must be crossed */
    HALVINGS = 30, /* t = 1e-9: shorter steps are no progress */
    MOST_STALLED = 40,  /* steps without a tenth off the best merit that end a start */
    CERTIFY_EVERY = 10, /* such steps between two trials of certificates */
    STARTS = 6,
    POLISH = 5, /* steps of the min-map, which solves most problems in that many */
};

static const double armijo = 1e-4;
static const double good = 0.5; /* of Psi after a full step: taken, whatever its slope */

/* A direction of descent: grad.d <= -1e-10 |d|^2.1 [deluca-facchinei-kanzow-1996]. */
static const double descent = 1e-10;
static const double descent_power = 2.1;

static const double corner = 1e-10; /* Db/(Da + Db) below which a row knows its z */
static const double near_solution =
    1e-4; /* the residual below which the min-map is tried */
static const double shifts[] = {0.0, 1e-8, 1e-5, 1e-2}; /* times max |A| */

typedef struct fb_state {
    const perp_problem *p;
    newton_system system;
    perp_judge *judge;
    double lambda;
    bool symmetric;
    double *x, *w;         /* n: the point, A x + b */
    double *y, *v;         /* n: a trial point, A y + b; scratch */
    double *Ad;            /* n: A d */
    double *start;         /* n: where this start began */
    double *Da, *Db, *phi; /* n: at the point */
    double *gradient;      /* n: of Psi */
    double merit;          /* Psi */
    double past[MEMORY];   /* of the last points */
    double largest;        /* max |A| */
    double best;           /* merit when progress was last noted, */
    size_t since;          /* steps since then */
    size_t steps, starts;
} fb_state;

/* Psi at (z, w), with Phi and its derivatives. */
static double fb_evaluate(fb_state *s, const double *z, const double *w)
{
    const perp_set *set = s->p->set;
    double sum = 0.0;

    for (size_t i = 0; i < set->count; i++) {
        double d = perp_judge_scale(s->judge, i);
        newton_fischer f =
            perp_newton_fischer_row(s->lambda, &set->blocks[i], z[i], w[i] / d);

        s->phi[i] = f.phi;
        s->Da[i] = f.a;
        s->Db[i] = f.b / d;
        sum += f.phi * f.phi;
    }
    return 0.5 * sum;
}

/* The point x: its w by a product of its own, so that rounding does not accumulate; the residual of its projection,
 * which becomes the answer so far. */
static double fb_evaluate_point(fb_state *s, perp_result *r)
{
    size_t n = s->p->n;
    double residual = 0.0;

    memcpy(r->z, s->x, n * sizeof *r->z);
    perp_set_project_all(s->p->set, r->z);
    residual = perp_judge_residual(s->judge, r->z);
    perp_operator_apply(s->p->A, s->x, s->w);
    r->work.products += 2.0;
    r->work.projections += (double)n;
    for (size_t i = 0; i < n; i++) {
        s->w[i] += s->p->b[i];
    }
    s->merit = fb_evaluate(s, s->x, s->w);
    return residual;
}

/* From the point x. */
static void fb_start(fb_state *s, perp_result *r)
{
    memcpy(s->start, s->x, s->p->n * sizeof *s->start);
    fb_evaluate_point(s, r);
    for (size_t i = 0; i < MEMORY; i++) {
        s->past[i] = s->merit;
    }
    s->best = s->merit;
    s->since = 0;
}

/* max |A|; a symmetric matrix in factors is semidefinite and has it on the diagonal. */
static double fb_largest(const perp_operator *A)
{
    double most = 0.0;

    if (!perp_operator_in_factors(A)) {
        return perp_operator_max(A);
    }
    for (size_t i = 0; i < A->rows; i++) {
        most = fmax(most, fabs(perp_operator_diagonal(A, i)));
    }
    return most;
}

static perp_status fb_setup(void *vstate, const perp_problem *p, const perp_options *opt,
                            perp_workspace *ws, perp_result *r, perp_error *err)
{
    fb_state *s = vstate;
    double **arrays[] = {&s->x,  &s->w,     &s->y,  &s->v,  &s->gradient,
                         &s->Ad, &s->start, &s->Da, &s->Db, &s->phi};

    s->p = p;
    s->lambda = perp_options_real(opt, "lambda");
    s->symmetric = perp_operator_is_symmetric(p->A);
    s->largest = fb_largest(p->A);
    for (size_t i = 0; i < sizeof arrays / sizeof *arrays; i++) {
        *arrays[i] = perp_workspace_reals(ws, p->n);
    }
    TRY(perp_workspace_status(ws, err));
    TRY(perp_newton_system_setup(&s->system, p, s->symmetric, ws, err));
    TRY(perp_judge_new(&s->judge, p, err));
    memcpy(s->x, r->z, p->n * sizeof *s->x);
    fb_start(s, r);
    return PERP_OK;
}

static void fb_gradient(fb_state *s, perp_result *r)
{
    for (size_t i = 0; i < s->p->n; i++) {
        s->y[i] = s->Db[i] * s->phi[i];
    }
    perp_operator_apply_transposed(s->p->A, s->y, s->gradient);
    r->work.products += 1.0;
    for (size_t i = 0; i < s->p->n; i++) {
        s->gradient[i] += s->Da[i] * s->phi[i];
    }
}

/* V d = -Phi; where A is symmetric, divided by Db. */
static void fb_fill(fb_state *s)
{
    newton_system *system = &s->system;

    for (size_t i = 0; i < s->p->n; i++) {
        double a = s->Da[i];
        double b = s->Db[i];
        bool known = !(b > corner * (a + b));
        double scale = s->symmetric && !known ? b : 1.0;

        system->f[i] = s->phi[i] / scale;
        system->L[i] = known ? 0.0 : b / scale;
        system->H[i] = a / scale;
    }
}

static double fb_slope(const fb_state *s)
{
    double sum = 0.0;

    for (size_t i = 0; i < s->p->n; i++) {
        sum += s->gradient[i] * s->system.d[i];
    }
    return sum;
}

static bool fb_descends(const fb_state *s)
{
    double size = 0.0;

    for (size_t i = 0; i < s->p->n; i++) {
        size += s->system.d[i] * s->system.d[i];
    }
    return fb_slope(s) <= -descent * pow(size, 0.5 * descent_power);
}

/* x + t d with its w into y, v; Psi there. */
static double fb_trial(fb_state *s, double t)
{
    for (size_t i = 0; i < s->p->n; i++) {
        s->y[i] = s->x[i] + t * s->system.d[i];
        s->v[i] = s->w[i] + t * s->Ad[i];
    }
    return fb_evaluate(s, s->y, s->v);
}

/* A full step along d that halves Psi, or along a direction of descent the longest part that
 * brings it below the last points. */
static bool fb_search(fb_state *s, perp_result *r)
{
    bool down = fb_descends(s);
    double slope = fb_slope(s);
    double most = 0.0;
    double t = 1.0;

    for (size_t i = 0; i < MEMORY; i++) {
        most = fmax(most, s->past[i]);
    }
    perp_operator_apply(s->p->A, s->system.d, s->Ad);
    r->work.products += 1.0;
    for (size_t k = 0; k < (down ? HALVINGS : 1); k++, t *= 0.5) {
        double merit = fb_trial(s, t);

        if ((down && merit <= most + armijo * t * slope) ||
            (k == 0 && merit <= good * s->merit)) {
            memcpy(s->x, s->y, s->p->n * sizeof *s->x);
            return true;
        }
    }
    s->merit = fb_evaluate(s, s->x, s->w); /* the derivatives of the point again */
    return false;
}

/* One step along the first direction that leads down. */
static perp_status fb_step(fb_state *s, perp_result *r, bool *moved, perp_error *err)
{
    perp_status status = PERP_OK;

    *moved = false;
    fb_gradient(s, r);
    for (size_t i = 0; i < sizeof shifts / sizeof *shifts && !*moved; i++) {
        bool done = false;

        fb_fill(s);
        status = perp_newton_solve(&s->system, shifts[i] * s->largest, s->symmetric, r,
                                   &done, err);
        if (status != PERP_OK) {
            return status;
        }
        *moved = done && fb_search(s, r);
    }
    if (!*moved) {
        for (size_t i = 0; i < s->p->n; i++) {
            s->system.d[i] = -s->gradient[i];
        }
        *moved = fb_search(s, r);
    }
    return status;
}

/* The step of the min-map from (x, w). */
static perp_status fb_minmap(fb_state *s, perp_result *r, bool *done, perp_error *err)
{
    newton_system *system = &s->system;
    const perp_set *set = s->p->set;

    for (size_t i = 0; i < set->count; i++) {
        newton_steps rho = {.n = 1.0 / perp_judge_scale(s->judge, i)};

        perp_newton_map_block(&set->blocks[i], s->p->law, NEWTON_ALART_CURNIER, &rho,
                              s->x + i, s->w + i, system->f + i, system->L + i,
                              system->H + i);
    }
    return perp_newton_solve(system, 0.0, false, r, done, err);
}

/* A few steps of the min-map, kept when the residual falls: the first one mostly ends at the solution,
 * the others correct rows whose state was still undecided. */
static perp_status fb_polish(fb_state *s, double residual, perp_result *r,
                             perp_error *err)
{
    size_t size = s->p->n * sizeof *s->x;
    bool done = true;
    perp_status status = PERP_OK;

    memcpy(s->y, s->x, size);
    for (size_t k = 0; k < POLISH; k++) {
        status = fb_minmap(s, r, &done, err);
        if (status != PERP_OK || !done) {
            break;
        }
        for (size_t i = 0; i < s->p->n; i++) {
            s->x[i] += s->system.d[i];
        }
        if (fb_evaluate_point(s, r) < residual) {
            return PERP_OK;
        }
    }
    memcpy(s->x, s->y, size);
    fb_evaluate_point(s, r);
    return status;
}

/* Starts one after the other: all rows a little off their bounds, then far, then drawn at random; in units
 * of the largest |b_i|/d_i. */
static void fb_restart(fb_state *s, perp_result *r)
{
    static const double distances[] = {1e-3, 1.0, 0.1, 1.0, 10.0};
    perp_random g = {s->starts};
    double unit = 0.0;

    for (size_t i = 0; i < s->p->n; i++) {
        unit = fmax(unit, fabs(s->p->b[i]) / perp_judge_scale(s->judge, i));
    }
    unit *= distances[s->starts % (sizeof distances / sizeof *distances)];
    for (size_t i = 0; i < s->p->n; i++) {
        double offset = s->starts < 2 ? 1.0 : perp_random_unit(&g);
        const perp_block *block = &s->p->set->blocks[i];
        bool upper = !isfinite(block->lo) && isfinite(block->hi);

        s->x[i] = block->kind == PERP_SET_FREE ? 0.0
                  : upper                      ? block->hi - offset * unit
                  : isfinite(block->lo)        ? block->lo + offset * unit
                                               : 0.0;
        perp_set_project(s->p->set, i, s->x);
    }
    s->starts++;
    r->work.rounds += 1.0;
    perp_result_log(r, "fb: stuck at |Phi| = %.2e, start %zu", sqrt(2.0 * s->merit),
                    s->starts + 1);
    fb_start(s, r);
}

/* Two directions that are tried as certificates of infeasibility. */
static perp_status fb_certify(fb_state *s, perp_result *r, perp_error *err)
{
    perp_status status = PERP_OK;

    for (size_t i = 0; i < s->p->n; i++) {
        s->y[i] = -s->Db[i] * s->phi[i]; /* A^T y = Da Phi where Psi is stationary */
    }
    status = perp_result_certify_direction(r, s->p, s->y, err);
    if (status != PERP_OK || r->certificate.kind == PERP_CERTIFICATE_INFEASIBLE) {
        perp_result_end(r, PERP_INFEASIBLE,
                        "fb: Psi is stationary at |Phi| = %.2e along the certificate",
                        sqrt(2.0 * s->merit));
        return status;
    }
    for (size_t i = 0; i < s->p->n; i++) {
        s->y[i] = s->x[i] - s->start[i];
    }
    if (perp_all_finite(s->y, s->p->n)) {
        status = perp_result_certify_direction(r, s->p, s->y, err);
    }
    if (status == PERP_OK && r->certificate.kind == PERP_CERTIFICATE_INFEASIBLE) {
        perp_result_end(r, PERP_INFEASIBLE,
                        "fb: z grows without bound along the certificate");
    }
    return status;
}

/* No step decreases Psi: another start, or the end. */
static void fb_end_start(fb_state *s, perp_result *r)
{
    if (s->starts + 1 < STARTS) {
        fb_restart(s, r);
        return;
    }
    perp_result_end(r, PERP_STALLED,
                    "fb: stuck at |Phi| = %.2e after %zu step%s from %zu start%s",
                    sqrt(2.0 * s->merit), s->steps, perp_plural(s->steps), s->starts + 1,
                    perp_plural(s->starts + 1));
}

static perp_status fb_iterate(void *vstate, perp_result *r, perp_error *err)
{
    fb_state *s = vstate;
    bool moved = false;
    double residual = 0.0;
    perp_status status = PERP_OK;

    TRY(fb_step(s, r, &moved, err));
    s->steps++;
    s->since++;
    if (moved) {
        residual = fb_evaluate_point(s, r);
        status = residual <= near_solution && residual > 0.0
                     ? fb_polish(s, residual, r, err)
                     : PERP_OK;
        s->past[s->steps % MEMORY] = s->merit;
    }
    if (s->merit < 0.9 * s->best) {
        s->best = s->merit;
        s->since = 0;
    }
    if (status != PERP_OK || (moved && s->since % CERTIFY_EVERY != 0)) {
        return status;
    }
    if (s->since > 0) {
        status = fb_certify(s, r, err);
    }
    if (s->since > 0 && status == PERP_OK && r->outcome == PERP_RUNNING &&
        (!moved || s->since >= MOST_STALLED || !isfinite(s->merit))) {
        fb_end_start(s, r);
    }
    return status;
}

static perp_status fb_resume(void *vstate, double shift, perp_result *r, perp_error *err)
{
    fb_state *s = vstate;

    (void)shift; /* every step reads A again, and so does the judge */
    perp_judge_free(s->judge);
    TRY(perp_judge_new(&s->judge, s->p, err));
    s->starts = 0;
    memcpy(s->x, r->z, s->p->n * sizeof *s->x);
    fb_start(s, r);
    return PERP_OK;
}

static void fb_close(void *vstate)
{
    fb_state *s = vstate;

    perp_newton_system_close(&s->system);
    perp_judge_free(s->judge);
}

static const perp_option fb_options[] = {
    PERP_REAL_CLOSED("lambda", 0.95, 0.5, 1.0,
                     "weight of the Fischer-Burmeister function; 1: no penalty"),
    PERP_OPTION_END,
};

const perp_solver_type perp_solver_fb = {
    .name = "fb",
    .family = "newton",
    .summary = "semismooth Newton on the penalised Fischer-Burmeister equation",
    .reference = "chen-chen-kanzow-2000",
    .algorithm = "semismooth Newton on the penalised Fischer-Burmeister equation "
                 "[chen-chen-kanzow-2000] [deluca-facchinei-kanzow-1996]",
    .additions = "nested functions for two bounds [billups-1995]; regularised "
                 "and gradient steps; restarts; final step on the min map",
    .sets = PERP_SETS(FREE, NONNEG, BOX),
    .storages = PERP_STORAGES(DENSE, CSR, BSR, FACTORED, PAIRS),
    .flags = PERP_FLAGS(USES_START),
    .certificates = PERP_CERTIFICATES(INFEASIBLE),
    .check_every = 1,
    .max_iterations = 1000,
    .options = fb_options,
    .state_size = sizeof(fb_state),
    .setup = fb_setup,
    .iterate = fb_iterate,
    .resume = fb_resume,
    .close = fb_close,
};
