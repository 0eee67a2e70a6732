/* SPDX-License-Identifier: Apache-2.0
 * pivoting/enumerate.c: all solutions of a small problem, by all of its active sets.
 *
 *     each row is at its lower bound, at its upper bound, or in F, where w = 0:
 *     z_F = -A_FF^-1 (b + A z_rest)_F, a solution if z_F is in its box and w has the signs
 *
 * Takes any A. 2^n sets for an LCP, three choices for a two-sided row, one for a free or a
 * fixed one; problems with more than 2^20 sets are refused. A set costs an LU of A_FF, so
 * n = 20 takes some seconds. Memory: n^2 reals and up to 1024 solutions.
 *
 * Where A_FF is singular the set may hold a segment or a face of solutions: the point of
 * least norm on it is tested, and the solution path reports how many such sets hold solutions. The
 * ends of a segment are solutions of other sets as a rule, so that nothing is missed but a
 * face none of whose vertices is basic.
 *
 * Of all solutions the one nearest to the start is returned, from z = 0 that of least norm;
 * the start saves no work. When there is none, an LCP whose constraints contradict each
 * other gets its certificate, from the linear program by Keller's method; otherwise the
 * answer is that no set gives a solution, for which the table of sets is the only certificate.
 * [murty-1988, section 1.3] */
#include <config.h>

#include <lapacke.h>

#include "base/base.h"
#include "core/solver_used.h"
#include "core/solvers.h"

enum {
    most_rows = 20, /* of F at once */
    most_log_sets = 20,
    sets_a_step = 1024, /* some milliseconds */
    most_kept = 1024,
};

/* A pivot of A_FF below this, relative to its largest entry, is rounding. */
static const double singular = 1e-12;

/* Residual of what counts as a solution: a fresh solve leaves 1e-13 up to a condition of 1e6. */
static const double accepted = 1e-10;

/* Solutions closer than this, relative to the larger, are the same one from two sets. */
static const double same = 1e-8;

enum { AT_LOW, AT_HIGH, INSIDE };

typedef struct enumeration {
    const perp_problem *p;
    perp_judge *judge;
    size_t n;
    double *lo, *hi;
    unsigned char *choices; /* n x 3: the states a row may take, */
    unsigned char *count;   /* n: how many, */
    unsigned char *digit;   /* n: and which it has */
    size_t sets, seen;
    double *A;     /* n x n, by columns */
    double *start; /* n: nearest to it is best */
    double *kept;  /* solutions, one after the other */
    double *z;
    size_t solutions, singular_blocks, faces;
    double best;
} enumeration;

static int enumerate_state(const enumeration *s, size_t i)
{
    return s->choices[3 * i + s->digit[i]];
}

/* Solve K x = rhs, k rows by columns, in place. False if K is singular. */
static bool enumerate_lu(size_t k, double *K, double *x)
{
    double largest = perp_largest(k * k, K);

    for (size_t c = 0; c < k; c++) {
        size_t best = c;

        for (size_t i = c + 1; i < k; i++) {
            best = fabs(K[i + c * k]) > fabs(K[best + c * k]) ? i : best;
        }
        if (!(fabs(K[best + c * k]) > singular * largest)) {
            return false;
        }
        for (size_t j = 0; j < k && best != c; j++) {
            double t = K[c + j * k];

            K[c + j * k] = K[best + j * k];
            K[best + j * k] = t;
        }
        if (best != c) {
            double t = x[c];

            x[c] = x[best];
            x[best] = t;
        }
        for (size_t i = c + 1; i < k; i++) {
            K[i + c * k] /= K[c + c * k];
            x[i] -= K[i + c * k] * x[c];
        }
        for (size_t j = c + 1; j < k; j++) {
            for (size_t i = c + 1; i < k; i++) {
                K[i + j * k] -= K[i + c * k] * K[c + j * k];
            }
        }
    }
    for (size_t c = k; c-- > 0;) {
        x[c] /= K[c + c * k];
        for (size_t i = 0; i < c; i++) {
            x[i] -= K[i + c * k] * x[c];
        }
    }
    return true;
}

/* K := A_FF. */
static void enumerate_block(const enumeration *s, const size_t *F, size_t k, double *K)
{
    for (size_t j = 0; j < k; j++) {
        for (size_t i = 0; i < k; i++) {
            K[i + j * k] = s->A[F[i] + F[j] * s->n];
        }
    }
}

/* The point of least norm with least |K x - rhs|; x holds rhs before. */
static bool enumerate_least_norm(size_t k, double *K, double *x)
{
    double work[most_rows * 8];
    lapack_int order[most_rows] = {0};
    lapack_int rank = 0;
    const lapack_int m = (lapack_int)k;

    return LAPACKE_dgelsy_work(LAPACK_COL_MAJOR, m, m, 1, K, m, x, m, order, singular,
                               &rank, work,
                               (lapack_int)(sizeof work / sizeof *work)) == 0;
}

/* z of the present set; `block` says whether A_FF was singular. */
static bool enumerate_point(enumeration *s, perp_result *r, bool *block)
{
    double K[most_rows * most_rows], x[most_rows], rhs[most_rows];
    size_t F[most_rows];
    size_t k = 0;

    for (size_t i = 0; i < s->n; i++) {
        int state = enumerate_state(s, i);

        s->z[i] = state == AT_LOW ? s->lo[i] : state == AT_HIGH ? s->hi[i] : 0.0;
        if (state == INSIDE) {
            F[k++] = i;
        }
    }
    for (size_t j = 0; j < k; j++) {
        rhs[j] = -s->p->b[F[j]];
        for (size_t i = 0; i < s->n; i++) {
            rhs[j] -= s->A[F[j] + i * s->n] * s->z[i];
        }
        x[j] = rhs[j];
    }
    enumerate_block(s, F, k, K);
    r->work.factorizations += 1.0;
    r->work.flops_factor += 2.0 / 3.0 * (double)(k * k * k);
    *block = k > 0 && !enumerate_lu(k, K, x);
    if (*block) {
        enumerate_block(s, F, k, K);
        memcpy(x, rhs, sizeof x);
        if (!enumerate_least_norm(k, K, x)) {
            return false;
        }
    }
    for (size_t j = 0; j < k; j++) {
        s->z[F[j]] = x[j];
    }
    return true;
}

/* Is z in its box? What is outside by rounding is put on the bound. */
static bool enumerate_in_box(enumeration *s)
{
    double size = perp_largest(s->n, s->z);

    for (size_t i = 0; i < s->n; i++) {
        if (!(s->z[i] >= s->lo[i] - same * size && s->z[i] <= s->hi[i] + same * size)) {
            return false;
        }
        s->z[i] = fmin(fmax(s->z[i], s->lo[i]), s->hi[i]);
    }
    return true;
}

/* The point has been found from another set before. */
static bool enumerate_known(const enumeration *s)
{
    const size_t kept = s->solutions < most_kept ? s->solutions : most_kept;

    for (size_t k = 0; k < kept; k++) {
        double size = 0.0, distance = 0.0;

        for (size_t i = 0; i < s->n; i++) {
            double z = s->kept[k * s->n + i];

            size = fmax(size, fmax(fabs(z), fabs(s->z[i])));
            distance = fmax(distance, fabs(z - s->z[i]));
        }
        if (distance <= same * size) {
            return true;
        }
    }
    return false;
}

/* z is a solution: count it, and keep it as the answer if it is the nearest. */
static void enumerate_record(enumeration *s, perp_result *r, bool block)
{
    double distance = 0.0;

    for (size_t i = 0; i < s->n; i++) {
        distance += (s->z[i] - s->start[i]) * (s->z[i] - s->start[i]);
    }
    if (distance < s->best) {
        s->best = distance;
        memcpy(r->z, s->z, s->n * sizeof *s->z);
    }
    s->faces += block;
    if (!block && !enumerate_known(s)) {
        if (s->solutions < most_kept) {
            memcpy(s->kept + s->solutions * s->n, s->z, s->n * sizeof *s->z);
        }
        s->solutions++;
    }
}

static void enumerate_set(enumeration *s, perp_result *r)
{
    bool block = false;
    bool found = enumerate_point(s, r, &block) && enumerate_in_box(s);

    s->singular_blocks += block;
    if (found) {
        r->work.products += 1.0;
        if (perp_judge_residual(s->judge, s->z) <= accepted) {
            enumerate_record(s, r, block);
        }
    }
    for (size_t i = 0; i < s->n && ++s->digit[i] == s->count[i]; i++) {
        s->digit[i] = 0;
    }
    s->seen++;
}

/* {z >= 0, b + A z >= 0} as the optimality conditions of a linear program: of rows (z, y),
 * M = [0 -A^T; A 0], q = (0, b). Its certificate ends in that of the problem. */
static perp_status enumerate_prove(enumeration *s, perp_result *r, perp_error *err)
{
    const size_t n = s->n;
    perp_problem lp = {.n = 2 * n, .b = perp_reals_new(2 * n)};
    perp_result *answer = NULL;
    perp_status status = perp_operator_new_dense(&lp.A, 2 * n, 2 * n, err);

    if (status == PERP_OK) {
        status = perp_set_new_uniform(&lp.set, PERP_SET_NONNEG, 2 * n, err);
    }
    if (status == PERP_OK) {
        status = perp_result_new(&answer, 2 * n, err);
    }
    if (status == PERP_OK && !lp.b) {
        status = perp_fail(err, PERP_ERR_MEMORY, "enumerate: no memory for %zu rows", n);
    }
    if (status == PERP_OK) {
        for (size_t j = 0; j < n; j++) {
            lp.b[n + j] = s->p->b[j];
            for (size_t i = 0; i < n; i++) {
                lp.A->x[n + i + j * lp.A->ld] = s->A[i + j * n];
                lp.A->x[j + (n + i) * lp.A->ld] = -s->A[i + j * n];
            }
        }
        status = perp_solve(&perp_solver_keller, &lp, NULL, answer, err);
    }
    if (status == PERP_OK && answer->outcome == PERP_INFEASIBLE &&
        answer->certificate.kind == PERP_CERTIFICATE_INFEASIBLE &&
        perp_certificate_infeasible(s->p, answer->certificate.y + n)) {
        status = perp_result_certify_infeasible(r, answer->certificate.y + n, err);
    }
    perp_result_free(answer);
    perp_set_free(lp.set);
    perp_operator_free(lp.A);
    free(lp.b);
    return status;
}

static perp_status enumerate_end(enumeration *s, perp_result *r, perp_error *err)
{
    const bool lcp = (perp_set_kinds(s->p->set) & ~(unsigned)PERP_SET_NONNEG) == 0;
    perp_status status = PERP_OK;

    perp_result_log(r,
                    "enumerate: %zu active set%s, %zu%s basic solutions, %zu singular "
                    "blocks of which %zu hold solution%s",
                    s->sets, perp_plural(s->sets),
                    s->solutions < most_kept ? s->solutions : most_kept,
                    s->solutions > most_kept ? " or more" : "", s->singular_blocks,
                    s->faces, perp_plural(s->faces));
    if (isfinite(s->best)) {
        return perp_result_end(r, PERP_SOLVED, "the nearest of %zu solution%s",
                               s->solutions + s->faces,
                               perp_plural(s->solutions + s->faces));
    }
    status = lcp ? enumerate_prove(s, r, err) : PERP_OK;
    if (status == PERP_OK && r->certificate.kind == PERP_CERTIFICATE_INFEASIBLE) {
        return perp_result_end(r, PERP_INFEASIBLE,
                               "none of %zu active set%s gives a solution, and the "
                               "constraints contradict each other",
                               s->sets, perp_plural(s->sets));
    }
    return status == PERP_OK
               ? perp_result_end(r, PERP_STALLED,
                                 "none of %zu active set%s gives a solution, %zu of them "
                                 "with a singular block",
                                 s->sets, perp_plural(s->sets), s->singular_blocks)
               : status;
}

static perp_status enumerate_iterate(void *vstate, perp_result *r, perp_error *err)
{
    enumeration *s = vstate;

    for (int k = 0; k < sets_a_step && s->seen < s->sets; k++) {
        enumerate_set(s, r);
    }
    return s->seen < s->sets ? PERP_OK : enumerate_end(s, r, err);
}

/* The states of each row, and how many sets they make; false beyond 2^20. */
static bool enumerate_states(enumeration *s)
{
    s->sets = 1;
    for (size_t i = 0; i < s->n; i++) {
        unsigned char *choice = s->choices + 3 * i;
        size_t count = 0;

        perp_block_bounds(&s->p->set->blocks[i], NULL, &s->lo[i], &s->hi[i]);
        if (isfinite(s->lo[i])) {
            choice[count++] = AT_LOW;
        }
        if (isfinite(s->hi[i]) && s->hi[i] > s->lo[i]) {
            choice[count++] = AT_HIGH;
        }
        if (s->hi[i] > s->lo[i]) {
            choice[count++] = INSIDE;
        }
        s->count[i] = (unsigned char)count;
        s->sets *= count;
        if (s->sets > (size_t)1 << most_log_sets) {
            return false;
        }
    }
    return true;
}

static perp_status enumerate_setup(void *vstate, const perp_problem *p,
                                   const perp_options *opt, perp_workspace *ws,
                                   perp_result *r, perp_error *err)
{
    enumeration *s = vstate;
    const size_t n = p->n;
    perp_status status = PERP_OK;

    (void)opt;
    s->p = p;
    s->n = n;
    s->best = INFINITY;
    if (n > most_rows) {
        return perp_fail(err, PERP_ERR_UNSUITABLE,
                         "enumerate takes at most %d rows, found %zu", most_rows, n);
    }
    s->lo = perp_workspace_reals(ws, n);
    s->hi = perp_workspace_reals(ws, n);
    s->choices = perp_workspace_alloc(ws, n, 3);
    s->count = perp_workspace_alloc(ws, n, 1);
    s->digit = perp_workspace_alloc(ws, n, 1);
    s->A = perp_workspace_reals(ws, n * n);
    s->start = perp_workspace_reals(ws, n);
    s->z = perp_workspace_reals(ws, n);
    s->kept = perp_workspace_reals(ws, most_kept * n);
    status = perp_workspace_status(ws, err);
    if (status != PERP_OK) {
        return perp_fail_in(err, status, "enumerate");
    }
    if (!enumerate_states(s)) {
        return perp_fail(err, PERP_ERR_UNSUITABLE,
                         "enumerate takes at most 2^%d active sets; these %zu row%s have "
                         "more",
                         most_log_sets, n, perp_plural(n));
    }
    for (size_t j = 0; j < n; j++) {
        for (size_t i = 0; i < n; i++) {
            s->A[i + j * n] = perp_operator_entry(p->A, i, j);
        }
    }
    memcpy(s->start, r->z, n * sizeof *s->start);
    return perp_judge_new(&s->judge, p, err);
}

static void enumerate_close(void *vstate)
{
    enumeration *s = vstate;

    perp_judge_free(s->judge);
    s->judge = NULL;
}

static const perp_option enumerate_options[] = {PERP_OPTION_END};

const perp_solver_type perp_solver_enumerate = {
    .name = "enumerate",
    .family = "pivoting",
    .summary = "all solutions by all active sets, up to 2^20 of them",
    .reference = "murty-1988",
    .algorithm = "enumeration of the complementary bases [murty-1988, section "
                 "1.3]",
    .additions = "bounds on both sides; least-norm points of singular bases; "
                 "certificate of infeasibility by Keller's method",
    .sets = PERP_SETS(FREE, NONNEG, BOX),
    .storages = PERP_STORAGES(DENSE, CSR, BSR),
    .certificates = PERP_CERTIFICATES(INFEASIBLE),
    .max_iterations = ((size_t)1 << most_log_sets) / sets_a_step + 1,
    .options = enumerate_options,
    .state_size = sizeof(enumeration),
    .setup = enumerate_setup,
    .iterate = enumerate_iterate,
    .close = enumerate_close,
};
