/* SPDX-License-Identifier: Apache-2.0
 * pivoting/lemke.c: Lemke's complementary pivoting with the lexicographic ratio test.
 *
 *     w = q + M z + d z0:  z0 enters, and the complement of whatever leaves enters next,
 *     until z0 leaves (solved) or nothing blocks (a ray)
 *
 * Takes any LCP. Finds a solution, or a ray that proves there is none, when M is
 * copositive plus (so also positive semidefinite, symmetric or not, of any rank) or a
 * P-matrix [cottle-pang-stone-2009, section 4.4]; elsewhere a ray means nothing. A pivot
 * costs at most an update of rank one of an n x n matrix; typically n/2 .. n of them on
 * contact problems, 2^n at worst [murty-1988].
 *
 * Memory: n^2 reals as a tableau, 2 n^2 in the kernel form (option form), dense whatever the
 * storage of A.
 *
 * In doubles a path can take a wrong turn, so where it ends, and where z0 is nearly zero,
 * it is judged: the basis is factored afresh, and what does not check is tried again with a
 * larger zero tolerance and with a random covering vector, which leads along another path.
 * (A vector close to (1,..,1) leads along the same one.) A start z with the right support
 * costs no pivot: the path then begins at the basis of that support, by a principal pivot
 * transform.
 *
 * Certificates: of «infeasible» the direction of the ray, where it proves that; else the ray
 * itself, a half line of points with z0 > 0 that solve the problem with z0 added. Ends with
 * the limit of pivots, or stalled, when no path leads to a point that the judge accepts. */
#include <config.h>

#include <cblas.h>
#include <lapacke.h>
#include <stdio.h>

#include "lemke.h"

/* The ladder of attempts: each tolerance first with d = 1, then with d = 1 + unit(). */
static const double ladder[] = {1e-11, 1e-9, 1e-7};

enum { rungs = 6, warm_rung = -1 };

/* A point of the path solves the problem with q + d z0, so that its RES is about z0 over
 * the data. It is judged when z0 falls below `nearly`, and after each tenth of that, since
 * where M is singular the path may never get to zero: below z0 = 1e-14 its turns are
 * decided by the rounding of M. It ends where RES is at most `there`. */
static const double nearly = 1e-7;
static const double there = 1e-13;

/* The first path is left for one with a random covering vector where more variables than
 * this block together: the lexicographic choice among them is made with pivots of any
 * size, and piles that are symmetric lose their path at such points. A random vector has
 * no ties before z0 is nearly zero. */
enum { crowd = 16 };

/* Parts of the start below this, relative to its largest, are not in its support. */
static const double support = 1e-12;

/* Values of the first basis below this, relative to the largest, are rounding. */
static const double rounding = 1e-12;

static bool lemke_draws(int rung)
{
    return rung > 0 && rung % 2 == 1;
}

/* Entry i > 0 of the covering vector that was asked for. */
static double lemke_cover(lemke *s, size_t i)
{
    double d = 1.0;

    switch (s->cover) {
    case COVER_ROWS:
        d = perp_operator_row_max(s->p->A, i);
        break;
    case COVER_DATA:
        d = 0.01 + fabs(s->p->b[i]) / s->size;
        break;
    case COVER_RANDOM:
        d = 1.0 + perp_random_unit(&s->random);
        break;
    default:
        break;
    }
    return d > 0.0 ? d : 1.0;
}

/* Put the basis where this attempt begins; false if it has no such basis. */
static bool lemke_begin(lemke *s)
{
    double largest = s->size;

    s->zero = ladder[s->rung < 0 ? 0 : s->rung / 2];
    for (int i = 0; i < s->n; i++) {
        s->d[i] = lemke_cover(s, (size_t)i) *
                  (lemke_draws(s->rung) ? 1.0 + perp_random_unit(&s->random) : 1.0);
        s->swapped[i] = s->rung == warm_rung && s->swapped[i];
    }
    s->pivots = 0.0;
    s->covered = false;
    s->near = nearly * s->size;
    s->patience = INFINITY;
    s->entering = 2 * s->n;
    if (!s->form->start(s)) {
        return false;
    }
    if (s->rung == warm_rung) {
        largest = fmax(largest, fabs(s->c[cblas_idamax(s->n, s->c, 1)]));
        for (int i = 0; i < s->n; i++) {
            s->c[i] = fabs(s->c[i]) <= rounding * largest ? 0.0 : s->c[i];
        }
    }
    return true;
}

/* The start's support into s->swapped; the number of pairs in it. */
static int lemke_support(lemke *s, const double *z)
{
    double largest = 0.0;
    int count = 0;

    for (int i = 0; i < s->n; i++) {
        largest = fmax(largest, z[i]);
    }
    for (int i = 0; i < s->n; i++) {
        s->swapped[i] = z[i] > support * largest;
        count += s->swapped[i];
    }
    return count;
}

/* The next attempt: down the ladder until one can begin. False at its end. */
static bool lemke_next(lemke *s, perp_result *r)
{
    while (++s->rung < rungs) {
        r->work.rounds += 1.0;
        perp_result_log(r, "lemke: again, zero tolerance %.0e, %s covering vector",
                        ladder[s->rung / 2],
                        lemke_draws(s->rung) || s->cover == COVER_RANDOM ? "random"
                        : s->cover == COVER_ONES                         ? "constant"
                                                                         : "the same");
        if (lemke_begin(s)) {
            return true;
        }
    }
    return false;
}

/* No attempt is left: say what stood in the way. */
static perp_status lemke_give_up(const lemke *s, perp_result *r, perp_error *err)
{
    if (s->ray[0]) {
        perp_status status =
            s->has_ray ? perp_result_certify_ray(r, s->ray_z, s->ray_z0, s->ray_dz,
                                                 s->ray_dz0, s->ray_cover, err)
                       : PERP_OK;

        return status == PERP_OK ? perp_result_end(r, PERP_RAY, "%s", s->ray) : status;
    }
    if (s->limited) {
        return perp_result_end(r, PERP_ITERATION_LIMIT,
                               "every path was left after at most %g pivots",
                               s->max_pivots);
    }
    return perp_result_end(r, PERP_STALLED,
                           "no path ended below RES = %.1e; the best at %.2e",
                           s->tolerance, s->best);
}

static perp_status lemke_retry(lemke *s, perp_result *r, perp_error *err)
{
    return lemke_next(s, r) ? PERP_OK : lemke_give_up(s, r, err);
}

/* z_F = -M_FF^-1 q_F into s->polish on the final F, by a fresh factorisation and one step
 * of refinement. False if M_FF is singular. */
static bool lemke_polish(lemke *s, perp_result *r)
{
    const perp_operator *M = s->p->A;
    double *x = s->polish, *correction = s->c; /* the path has ended: c is free */
    int k = 0;

    for (int i = 0; i < s->n; i++) {
        if (s->label[i] >= s->n && s->label[i] < 2 * s->n) {
            s->basic[k++] = s->label[i] - s->n;
        }
    }
    if (k == 0) {
        return false;
    }
    for (int j = 0; j < k; j++) {
        const double *column = M->x + (size_t)s->basic[j] * M->ld;

        for (int i = 0; i < k; i++) {
            s->scratch[(size_t)j * (size_t)k + (size_t)i] = column[s->basic[i]];
        }
        x[j] = -s->p->b[s->basic[j]];
    }
    r->work.factorizations += 1.0;
    r->work.flops_factor += 2.0 / 3.0 * k * (double)k * k;
    if (LAPACKE_dgetrf_work(LAPACK_COL_MAJOR, k, k, s->scratch, k, s->ipiv) != 0) {
        return false;
    }
    LAPACKE_dgetrs_work(LAPACK_COL_MAJOR, 'N', k, 1, s->scratch, k, s->ipiv, x, k);
    for (int i = 0; i < k; i++) {
        correction[i] = -s->p->b[s->basic[i]];
    }
    for (int j = 0; j < k; j++) {
        const double *column = M->x + (size_t)s->basic[j] * M->ld;

        for (int i = 0; i < k; i++) {
            correction[i] -= column[s->basic[i]] * x[j];
        }
    }
    LAPACKE_dgetrs_work(LAPACK_COL_MAJOR, 'N', k, 1, s->scratch, k, s->ipiv, correction,
                        k);
    for (int i = k - 1; i >= 0; i--) {
        correction[i] += x[i];
    }
    memset(x, 0, (size_t)s->n * sizeof *x);
    for (int i = 0; i < k; i++) {
        x[s->basic[i]] = correction[i] > 0.0 ? correction[i] : 0.0;
    }
    return true;
}

/* Judge s->z, and keep it if it is the best so far. */
static void lemke_judge(lemke *s, const double *z, perp_result *r)
{
    double residual = perp_judge_residual(s->judge, z);

    r->work.products += 1.0;
    if (residual < s->best) {
        s->best = residual;
        memcpy(r->z, z, r->n * sizeof *z);
    }
}

/* A path has ended, at a point or near one. */
static perp_status lemke_at_end(lemke *s, perp_result *r, perp_error *err)
{
    if (s->best > 0.0 && lemke_polish(s, r)) {
        lemke_judge(s, s->polish, r);
    }
    if (s->best <= s->tolerance) {
        return perp_result_end(r, PERP_SOLVED, "the path ended after %g pivots",
                               s->pivots);
    }
    return lemke_retry(s, r, err);
}

/* z0 has left the basis, or is as good as zero. */
static perp_status lemke_at_solution(lemke *s, perp_result *r, perp_error *err)
{
    perp_lemke_path_point(s, s->z);
    lemke_judge(s, s->z, r);
    return lemke_at_end(s, r, err);
}

/* z0 is small: the path may be left as soon as the point is good enough, and must be some
 * time after it is as good as asked for. */
static perp_status lemke_near_solution(lemke *s, perp_result *r, perp_error *err)
{
    const double before = s->best;

    perp_lemke_path_point(s, s->z);
    lemke_judge(s, s->z, r);
    s->near = 0.1 * perp_lemke_path_covering(s);
    if (s->best <= fmin(there, s->tolerance)) {
        return lemke_at_end(s, r, err);
    }
    if (s->best < before && s->best <= s->tolerance) {
        s->patience = s->pivots + 100.0 + 0.05 * s->n;
    }
    return PERP_OK;
}

/* A path ended on a ray: a proof that there is no solution, or nothing. */
static perp_status lemke_at_ray(lemke *s, perp_result *r, perp_error *err)
{
    bool is_z = s->entering >= s->n;
    double dz0 = 0.0;

    if (s->best <= s->tolerance) {
        return lemke_at_end(s, r, err);
    }

    dz0 = perp_lemke_path_ray(s, s->z);
    r->work.products += 1.0;
    if (perp_certificate_infeasible(s->p, s->z)) {
        perp_status status = perp_result_certify_infeasible(r, s->z, err);

        return status != PERP_OK
                   ? status
                   : perp_result_end(
                         r, PERP_INFEASIBLE,
                         "a ray after %g pivots proves that there is no solution",
                         s->pivots);
    }
    if (!s->ray[0]) {
        snprintf(s->ray, sizeof s->ray,
                 "secondary ray after %g pivots, %c[%d] entering, which proves nothing",
                 s->pivots, is_z ? 'z' : 'w', is_z ? s->entering - s->n : s->entering);
    }
    if (!s->has_ray && s->rung != warm_rung) { /* whose covering vector may not be > 0 */
        s->has_ray = true;
        perp_lemke_path_point(s, s->ray_z);
        s->ray_z0 = perp_lemke_path_covering(s);
        s->ray_dz0 = dz0;
        memcpy(s->ray_dz, s->z, r->n * sizeof *s->z);
        memcpy(s->ray_cover, s->d, r->n * sizeof *s->d);
    }
    return lemke_retry(s, r, err);
}

static perp_status lemke_iterate(void *vstate, perp_result *r, perp_error *err)
{
    lemke *s = vstate;
    lemke_step step = LEMKE_GOES_ON;
    const double before = s->pivots;

    if (s->pivots == 0.0 && perp_lemke_path_is_feasible(s)) {
        return lemke_at_solution(s, r, err);
    }
    if (s->pivots >= s->max_pivots) {
        s->limited = true;
        return lemke_retry(s, r, err);
    }
    step = perp_lemke_path_step(s, &s->pivots);
    r->work.pivots += s->pivots - before;
    r->work.factorizations += s->factorizations;
    r->work.flops_factor += s->flops;
    s->factorizations = s->flops = 0.0;
    switch (step) {
    case LEMKE_AT_SOLUTION:
        return lemke_at_solution(s, r, err);
    case LEMKE_AT_RAY:
        return lemke_at_ray(s, r, err);
    case LEMKE_STUCK:
        return lemke_at_end(s, r, err);
    default:
        break;
    }
    if (s->pivots > s->patience) {
        return lemke_at_end(s, r, err);
    }
    if (perp_lemke_path_covering(s) <= s->near) {
        return lemke_near_solution(s, r, err);
    }
    return s->rung == 0 && s->ties > crowd ? lemke_retry(s, r, err) : PERP_OK;
}

static perp_status lemke_take(lemke *s, perp_workspace *ws, perp_error *err)
{
    size_t n = (size_t)s->n;

    s->c = perp_workspace_reals(ws, n);
    s->a = perp_workspace_reals(ws, n);
    s->d = perp_workspace_reals(ws, n);
    s->z = perp_workspace_reals(ws, n);
    s->ratio = perp_workspace_reals(ws, n);
    s->polish = perp_workspace_reals(ws, n);
    s->ray_z = perp_workspace_reals(ws, n);
    s->ray_dz = perp_workspace_reals(ws, n);
    s->ray_cover = perp_workspace_reals(ws, n);
    s->label = perp_workspace_ints(ws, n);
    s->place = perp_workspace_ints(ws, 2 * n + 1);
    s->candidate = perp_workspace_ints(ws, n);
    s->tied = perp_workspace_ints(ws, n);
    s->basic = perp_workspace_ints(ws, n);
    s->ipiv = perp_workspace_ints(ws, n);
    s->swapped = perp_workspace_take(ws, n, 1);
    s->is_tied = perp_workspace_take(ws, n, 1);
    if (!s->ray_z || !s->ray_dz || !s->ray_cover || !s->c || !s->a || !s->d || !s->z ||
        !s->ratio || !s->polish || !s->label || !s->place || !s->candidate || !s->tied ||
        !s->basic || !s->ipiv || !s->swapped || !s->is_tied) {
        return perp_fail(err, PERP_ERR_MEMORY, "lemke: no memory for %zu rows", n);
    }
    return s->form->setup(s, ws, err);
}

static perp_status lemke_setup(void *vstate, const perp_problem *p,
                               const perp_options *opt, perp_workspace *ws,
                               perp_result *r, perp_error *err)
{
    lemke *s = vstate;
    const size_t choice = perp_options_choice(opt, "form");
    double limit = (double)perp_options_integer(opt, "max-pivots");
    int columns = 0, swaps = 0; /* 2n+1 variables are numbered */
    perp_status status = perp_blas_int(2 * p->n + 8, &columns, err);

    if (status == PERP_OK) {
        status = perp_judge_new(&s->judge, p, err);
    }
    if (status != PERP_OK) {
        return status;
    }
    s->p = p;
    s->n = (int)p->n;
    s->form = choice == 1 || (choice == 0 && p->n <= 64) ? &perp_lemke_tableau
                                                         : &perp_lemke_kernel;
    s->tolerance = perp_options_real(opt, "tolerance");
    s->cover = (int)perp_options_choice(opt, "cover");
    s->random.state = (uint64_t)perp_options_integer(opt, "seed");
    s->max_pivots = limit > 0.0 ? limit : fmax(1000.0, 100.0 * s->n);
    s->best = INFINITY;
    s->size = s->n > 0 ? fabs(p->b[cblas_idamax(s->n, p->b, 1)]) : 0.0;
    s->size = s->size > 0.0 ? s->size : 1.0;
    status = lemke_take(s, ws, err);
    if (status != PERP_OK) {
        return status;
    }

    /* Begin at the basis of the start's support, or where that is singular, at w = q. */
    swaps = perp_options_switch(opt, "warm") ? lemke_support(s, r->z) : 0;
    s->rung = swaps > 0 ? warm_rung : 0;
    if (!lemke_begin(s) && s->rung == warm_rung) {
        swaps = 0;
        s->rung = 0;
        lemke_begin(s); /* w = q: it cannot fail */
    }
    perp_result_log(r, "lemke: %s form, n = %d%s", s->form->name, s->n,
                    swaps > 0 ? ", from the basis of the start" : "");
    return PERP_OK;
}

static void lemke_close(void *vstate)
{
    lemke *s = vstate;

    perp_judge_free(s->judge);
    s->judge = NULL;
}

static const perp_option lemke_options[] = {
    PERP_CHOICE("form", 0, "auto|tableau|kernel",
                "how a basis is kept; auto: the tableau up to n = 64"),
    PERP_CHOICE("cover", COVER_ONES, "ones|rows|data|random",
                "the covering vector d: ones, the largest entry of each row, 0.01 + "
                "|q|/max|q|, or 1 + random"),
    PERP_SWITCH("warm", 1, "begin at the basis of the start's support"),
    PERP_INTEGER("max-pivots", 0, 0, 1e15,
                 "of one path; 0: the larger of 1000 and 100 n"),
    PERP_OPTION_END,
};

const perp_solver_type perp_solver_lemke = {
    .name = "lemke",
    .family = "pivoting",
    .summary = "Lemke's complementary pivoting, lexicographic",
    .reference = "cottle-pang-stone-2009",
    .sets = PERP_SETS(NONNEG),
    .storages = PERP_STORAGES(DENSE),
    .flags = PERP_FLAGS(USES_START),
    .certificates = PERP_CERTIFICATES(INFEASIBLE, RAY),
    .max_iterations = 1000000000, /* each path has a limit of its own */
    .options = lemke_options,
    .state_size = sizeof(lemke),
    .setup = lemke_setup,
    .iterate = lemke_iterate,
    .close = lemke_close,
};
