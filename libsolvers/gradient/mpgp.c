/* SPDX-License-Identifier: Apache-2.0
 * gradient/mpgp.c: conjugate gradients on the faces of a product of intervals, cones, disks.
 *
 *     min f(x) = 1/2 x.A x + b.x  over  x in K,   g = A x + b,   a = step/|A|
 *
 *     if |beta|^2 <= Gamma^2 phit.phi:             the free gradient dominates
 *         CG step x -= acg p inside the face, where it stays in K
 *         else the step to the boundary, then x = P_K(x - a g)          (expansion)
 *     else x = P_K(x - a g)                                             (proportioning)
 *
 * phi, phit, beta as in faces.h. The face of a point on a cone's boundary is its ray. R-linear
 * for positive definite A and 0 < step < 2 on bounds and spheres [dostal-2009, section 5.8;
 * dostal-kozubek-2012]; on cones a step that does not decrease f is undone and a is halved.
 *
 * kprgp is the same with expansions along the reduced free gradient and proportioning along
 * the reduced chopped gradient alone [kucera-2008]; a reduced step that does not descend is
 * followed by a full one. With block Jacobi the CG is preconditioned inside the face
 * (inface.h).
 *
 * A CG or proportioning step costs one product with A, an expansion two. Memory: 6 n reals
 * and, preconditioned, n and 12 per block. Warm start: any point, projected on K; a start near
 * the solution saves most of the steps, since its faces are mostly correct.
 *
 * Certificate: an unbounded direction of zero curvature, where it certifies infeasibility. Ends
 * stalled where it does not, where no projected step decreases f, or at NaN or infinity. */
#include <config.h>

#include "base/base.h"
#include "faces.h"
#include "inface.h"
#include "judge/judge.h"
#include "vectors.h"

enum {
    REFRESH = 25,  /* CG steps between recomputed gradients: drift stays below 25 ulp */
    HALVINGS = 40, /* of the step before giving up: a is rounding by then */
    FLAT_STEPS =
        100, /* steps along an unbounded direction of zero curvature before the end */
};

/* p.A p below this part of |A| |p|^2 is rounding, not curvature. */
static const double flat_curvature = 1e-13;

/* Least (|d|/|z|)^2 of a valid CG direction; below 1 since C has another norm. */
static const double shortest_direction = 1e-4;

typedef struct mpgp_state {
    const perp_problem *p;
    perp_faces faces;
    perp_inface inface;
    bool precondition;
    bool reduced; /* projected steps along the reduced gradients: kprgp */
    const char *name;
    double Gamma2, factor; /* proportioning^2; a |A| */
    double norm;           /* estimate of |A| */
    double a;              /* length of the projected steps */
    double *g, *phi, *d, *Ad, *spare, *back;
    double *z;        /* C phi; phi itself without preconditioner */
    perp_split split; /* at the current point */
    double gd, dd;    /* g.d, d.d of the direction d */
    size_t since;     /* CG steps since the gradient was recomputed */
    size_t halved, flat;
    bool refused; /* a reduced gradient did not descend */
} mpgp_state;

/* y := A x, counted. */
static void mpgp_product(const mpgp_state *s, const double *x, double *y, perp_result *r)
{
    perp_operator_apply(s->p->A, x, y);
    r->work.products += 1.0;
}

/* g := A x + b */
static void mpgp_gradient(const mpgp_state *s, const double *x, double *g, perp_result *r)
{
    mpgp_product(s, x, g, r);
    vec_add(s->p->n, 1.0, s->p->b, g);
}

/* phi and the sums at x, and C phi. */
static void mpgp_evaluate(mpgp_state *s, perp_result *r)
{
    perp_faces_split(&s->faces, s->a, r->z, s->g, s->phi, NULL, &s->split);
    r->work.projections += (double)s->faces.count;
    if (s->precondition && !s->split.outside) {
        perp_inface_apply(&s->inface, &s->faces, r->z, s->phi, s->z);
    }
}

/* d := z + conjugate d, with its sums. In exact arithmetic z is orthogonal to the old d, so d
 * is no shorter than z; where it is, only rounding is left of it and CG is restarted. */
static void mpgp_update_direction(mpgp_state *s, double conjugate)
{
    size_t n = s->p->n;
    double zz = vec_dot(n, s->z, s->z);

    if (conjugate != 0.0) {
        vec_combine(n, s->z, conjugate, s->d, s->d);
        s->dd = vec_dot(n, s->d, s->d);
        s->gd = vec_dot(n, s->phi, s->d);
    }
    if (conjugate == 0.0 || !(s->gd > 0.0) || !(s->dd > shortest_direction * zz)) {
        memcpy(s->d, s->z, n * sizeof *s->d);
        s->dd = zz;
        s->gd = vec_dot(n, s->phi, s->z);
    }
}

/* Project the start, then its gradient, face and direction. */
static void mpgp_start(mpgp_state *s, perp_result *r)
{
    memset(s->phi, 0, s->p->n * sizeof *s->phi);
    perp_faces_step(&s->faces, 0.0, s->phi, r->z, s->spare);
    mpgp_gradient(s, r->z, s->g, r);
    s->since = s->halved = s->flat = 0;
    s->refused = false;
    mpgp_evaluate(s, r);
    mpgp_update_direction(s, 0.0);
}

static perp_status mpgp_setup_named(mpgp_state *s, const perp_problem *p,
                                    const perp_options *opt, perp_workspace *ws,
                                    perp_result *r, perp_error *err)
{
    double Gamma = perp_options_real(opt, "proportioning");
    double **vectors[] = {&s->g, &s->phi, &s->d, &s->Ad, &s->spare, &s->back};

    s->p = p;
    s->precondition = perp_options_choice(opt, "preconditioner") == 1;
    s->Gamma2 = Gamma * Gamma;
    s->factor = perp_options_real(opt, "step");
    for (size_t k = 0; k < sizeof vectors / sizeof *vectors; k++) {
        *vectors[k] = perp_workspace_reals(ws, p->n);
    }
    s->z = s->precondition ? perp_workspace_reals(ws, p->n) : s->phi;
    TRY(perp_workspace_status(ws, err));
    if (!perp_faces_init(&s->faces, p->set, ws) ||
        (s->precondition && !perp_inface_init(&s->inface, &s->faces, ws)) ||
        !perp_norm_estimate(p->A, ws, &s->norm, r)) {
        return perp_fail(err, PERP_ERR_MEMORY, "%s: no memory for %zu rows", s->name,
                         p->n);
    }
    s->a = s->norm > 0.0 ? s->factor / s->norm : 1.0;
    if (s->precondition) {
        perp_inface_factor(&s->inface, &s->faces, p->A);
    }
    mpgp_start(s, r);
    return PERP_OK;
}

static perp_status mpgp_setup(void *vstate, const perp_problem *p,
                              const perp_options *opt, perp_workspace *ws, perp_result *r,
                              perp_error *err)
{
    mpgp_state *s = vstate;

    s->name = "mpgp";
    return mpgp_setup_named(s, p, opt, ws, r, err);
}

static perp_status kprgp_setup(void *vstate, const perp_problem *p,
                               const perp_options *opt, perp_workspace *ws,
                               perp_result *r, perp_error *err)
{
    mpgp_state *s = vstate;

    s->name = "kprgp";
    s->reduced = true;
    return mpgp_setup_named(s, p, opt, ws, r, err);
}

static perp_status mpgp_resume(void *vstate, double shift, perp_result *r,
                               perp_error *err)
{
    mpgp_state *s = vstate;
    (void)err; /* nothing is taken */

    perp_faces_read(&s->faces, s->p->set);
    if (shift != 0.0) {
        s->norm += shift;
        if (s->precondition) {
            perp_inface_factor(&s->inface, &s->faces, s->p->A);
        }
    }
    s->a = s->norm > 0.0 ? s->factor / s->norm : 1.0;
    mpgp_start(s, r);
    return PERP_OK;
}

/* The rounding error of a change of f over a move. Rounding moves a projected point by ulps
 * across the boundary, where the gradient does not vanish: f cannot judge the last digits of x,
 * and steps that change only these are accepted. */
static double mpgp_rounding(const mpgp_state *s, const double *x, double moved)
{
    size_t n = s->p->n;
    double x_norm = sqrt(vec_dot(n, x, x));
    double g_norm = sqrt(vec_dot(n, s->g, s->g));
    double b_norm = sqrt(vec_dot(n, s->p->b, s->p->b));

    return 16.0 * DBL_EPSILON * (x_norm * g_norm + moved * (s->norm * x_norm + b_norm));
}

/* The full gradient descends for a sufficiently small a. A reduced one need not on cones, and is
 * followed by a full one. */
static void mpgp_refuse_step(mpgp_state *s, const double *dir)
{
    if (dir == s->g) {
        s->a *= 0.5;
        s->halved++;
    } else {
        s->refused = true;
    }
}

/* x := P_K(x - a dir) when that decreases f; else x stays and a is halved. The change of f is
 * (g + g_new).move/2, precise also where f itself has no digits left. */
static perp_status mpgp_project(mpgp_state *s, const double *dir, perp_result *r)
{
    size_t n = s->p->n;
    double *move = s->Ad; /* free here: no CG step follows on the old direction */
    double *g_new = s->spare;
    double change = 0.0;

    memcpy(s->back, r->z, n * sizeof *r->z);
    perp_faces_step(&s->faces, s->a, dir, r->z, move);
    r->work.projections += (double)s->faces.count;
    mpgp_gradient(s, r->z, g_new, r);
    change = 0.5 * (vec_dot(n, s->g, move) + vec_dot(n, g_new, move));
    if (change <= mpgp_rounding(s, r->z, sqrt(vec_dot(n, move, move)))) {
        s->spare = s->g;
        s->g = g_new;
        s->since = 0;
    } else if (!isfinite(change)) {
        return perp_result_end(r, PERP_STALLED, "%s: the gradient is not finite",
                               s->name);
    } else if (s->halved > HALVINGS) {
        return perp_result_end(r, PERP_STALLED,
                               "%s: no projected step decreases the objective", s->name);
    } else {
        memcpy(r->z, s->back, n * sizeof *r->z);
        perp_faces_restore(&s->faces);
        mpgp_refuse_step(s, dir);
    }
    mpgp_evaluate(s, r);
    mpgp_update_direction(s, 0.0);
    return PERP_OK;
}

/* The part of the gradient that a projected step follows: all of it, or as KPRGP has it the
 * free part in an expansion and the chopped part in proportioning. */
static perp_status mpgp_projected_step(mpgp_state *s, bool expansion, perp_result *r)
{
    if (!s->reduced || s->refused) {
        s->refused = false;
        return mpgp_project(s, s->g, r);
    }
    perp_faces_split(&s->faces, s->a, r->z, s->g, s->phi, s->d, &s->split);
    for (size_t i = 0; i < s->p->n; i++) {
        s->d[i] = expansion ? s->phi[i] : s->d[i] / s->a;
    }
    return mpgp_project(s, s->d, r);
}

/* The step to the boundary and, from there, a projected one. */
static perp_status mpgp_expand(mpgp_state *s, double room, perp_result *r)
{
    vec_add(s->p->n, -room, s->d, r->z);
    vec_add(s->p->n, -room, s->Ad, s->g);
    return mpgp_projected_step(s, true, r);
}

/* No curvature along d and no boundary ahead: f is unbounded below where -d certifies it. */
static perp_status mpgp_unbounded(mpgp_state *s, perp_result *r, perp_error *err)
{
    size_t n = s->p->n;
    double largest = perp_largest(n, s->d);
    perp_status status = PERP_OK;

    for (size_t i = 0; i < n && largest > 0.0; i++) {
        s->spare[i] = -s->d[i] / largest;
    }
    if (largest > 0.0) {
        status = perp_result_certify_direction(r, s->p, s->spare, err);
    }
    if (status != PERP_OK) {
        return status;
    }
    if (r->certificate.kind == PERP_CERTIFICATE_INFEASIBLE) {
        return perp_result_end(
            r, PERP_INFEASIBLE,
            "%s: the objective is unbounded below along the certificate", s->name);
    }
    if (++s->flat > FLAT_STEPS) {
        return perp_result_end(
            r, PERP_STALLED,
            "%s: unbounded direction of zero curvature, but it does not "
            "certify infeasibility",
            s->name);
    }
    return mpgp_projected_step(s, false, r);
}

static perp_status mpgp_conjugate_step(mpgp_state *s, perp_result *r, perp_error *err)
{
    size_t n = s->p->n;
    double curvature = 0.0;
    double length = 0.0;
    double room = 0.0;

    mpgp_product(s, s->d, s->Ad, r);
    curvature = vec_dot(n, s->d, s->Ad);
    if (!(curvature > flat_curvature * s->norm * s->dd)) {
        if (!isfinite(curvature)) {
            return perp_result_end(r, PERP_STALLED, "%s: the direction is not finite",
                                   s->name);
        }
        room = perp_faces_step_length(&s->faces, r->z, s->d);
        return isfinite(room) ? mpgp_expand(s, room, r) : mpgp_unbounded(s, r, err);
    }
    /* Take the step; the evaluation of the new point shows whether it has left K. */
    length = s->gd / curvature;
    memcpy(s->back, r->z, n * sizeof *r->z);
    vec_add(n, -length, s->d, r->z);
    if (++s->since >= REFRESH) {
        mpgp_gradient(s, r->z, s->g, r);
        s->since = 0;
    } else {
        vec_add(n, -length, s->Ad, s->g);
    }
    mpgp_evaluate(s, r);
    if (s->split.outside) {
        memcpy(r->z, s->back, n * sizeof *r->z);
        vec_add(n, length, s->Ad, s->g);
        perp_faces_restore(&s->faces);
        return mpgp_expand(s, fmin(length, perp_faces_step_length(&s->faces, r->z, s->d)),
                           r);
    }
    mpgp_update_direction(s,
                          s->split.changed ? 0.0 : -vec_dot(n, s->z, s->Ad) / curvature);
    return PERP_OK;
}

static perp_status mpgp_iterate(void *vstate, perp_result *r, perp_error *err)
{
    mpgp_state *s = vstate;

    if (s->split.chopped == 0.0 && s->split.free == 0.0) {
        return perp_result_end(r, PERP_SOLVED, "%s: the projected gradient is zero",
                               s->name);
    }
    if (s->split.chopped <= s->Gamma2 * s->a * s->split.free) {
        return mpgp_conjugate_step(s, r, err);
    }
    return mpgp_projected_step(s, false, r);
}

static const perp_option mpgp_options[] = {
    PERP_REAL_OPEN("proportioning", 1.0, 0.0, 1e6,
                   "factor Gamma by which the chopped gradient may exceed the free one"),
    PERP_CHOICE("preconditioner", 0, "none|block-jacobi",
                "preconditioner of the conjugate gradients within a face"),
    PERP_REAL_OPEN("step", 1.9, 0.0, 2.0, "length of projected steps, relative to 1/|A|"),
    PERP_OPTION_END,
};

const perp_solver_type perp_solver_mpgp = {
    .name = "mpgp",
    .family = "gradient",
    .summary = "conjugate gradients with proportioning on boxes, cones and disks",
    .reference = "dostal-kozubek-2012",
    .algorithm = "modified proportioning with gradient projections [dostal-2009] "
                 "[dostal-kozubek-2012]",
    .additions = "faces of cones are rays; a step that does not decrease the "
                 "objective is repeated with half the length; optional "
                 "preconditioner",
    .sets = PERP_SETS(FREE, NONNEG, BOX, CONE, DISK),
    .laws = PERP_LAWS(ASSOCIATED),
    .storages = PERP_STORAGES(DENSE, CSR, BSR, FACTORED, PAIRS),
    .demands = PERP_DEMANDS(SYMMETRIC, POSITIVE_SEMIDEFINITE),
    .flags = PERP_FLAGS(USES_START, RESUME_READS_SET),
    .certificates = PERP_CERTIFICATES(INFEASIBLE),
    .check_every = 10,
    .options = mpgp_options,
    .state_size = sizeof(mpgp_state),
    .setup = mpgp_setup,
    .iterate = mpgp_iterate,
    .resume = mpgp_resume, /* no close: all its memory is in the workspace */
};

/* mpgp with another setup: projected steps along the reduced gradients. */
const perp_solver_type perp_solver_kprgp = {
    .name = "kprgp",
    .family = "gradient",
    .summary = "mpgp with projected steps along the reduced gradients",
    .reference = "kucera-2008",
    .algorithm = "proportioning with reduced gradient projections [kucera-2008]",
    .additions = "cones as in mpgp; a full step after a reduced step that does "
                 "not descend",
    .sets = PERP_SETS(FREE, NONNEG, BOX, CONE, DISK),
    .laws = PERP_LAWS(ASSOCIATED),
    .storages = PERP_STORAGES(DENSE, CSR, BSR, FACTORED, PAIRS),
    .demands = PERP_DEMANDS(SYMMETRIC, POSITIVE_SEMIDEFINITE),
    .flags = PERP_FLAGS(USES_START, RESUME_READS_SET),
    .certificates = PERP_CERTIFICATES(INFEASIBLE),
    .check_every = 10,
    .options = mpgp_options,
    .state_size = sizeof(mpgp_state),
    .setup = kprgp_setup,
    .iterate = mpgp_iterate,
    .resume = mpgp_resume, /* no close: all its memory is in the workspace */
};
