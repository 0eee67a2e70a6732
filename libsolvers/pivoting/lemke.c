/* SPDX-License-Identifier: Apache-2.0
 * pivoting/lemke.c: Lemke's complementary pivoting with the lexicographic ratio test.
 *
 *     w = q + M z + d z0:  z0 enters, and the complement of whatever leaves enters next,
 *     until z0 leaves (solved) or nothing blocks (a ray)
 *
 * Takes any LCP. Finds a solution, or a ray which is a certificate that there is none, when M is
 * copositive plus (so also positive semidefinite, symmetric or not, of any rank) or a
 * P-matrix [cottle-pang-stone-2009, section 4.4]; elsewhere a ray means nothing. A pivot
 * costs at most an update of rank one of an n x n matrix; typically n/2 .. n of them on
 * contact problems, 2^n at worst [murty-1988]. Memory: n^2 reals as a tableau, 2 n^2 in the kernel
 * form (option form), dense whatever the storage of A.
 *
 * In doubles a path can take a wrong turn. Where it ends its point is judged and its basis factored
 * again; if the point is not good enough, further paths with other zero tolerances and random
 * covering vectors follow (lemke_attempts.c); attempts=1 is Lemke's method alone. A start with the
 * right support costs no pivot: a path begins at the basis of that support (warm=off: it does not).
 *
 * Bimatrix games, M = [0 A; B^T 0] with A, B > 0 and q < 0, have no such path; with
 * rule=lemke-howson each label of a player begins one to an equilibrium (lemke_howson.c).
 *
 * Certificates: if infeasible, the direction of the ray; else the ray itself, a half line of
 * points with z0 > 0 that solve the problem with z0 added. Ends with the limit of pivots, or
 * stalled, when no path leads to a point that the judge accepts. */
#include <config.h>

#include <cblas.h>
#include <stdio.h>

#include "base/base.h"
#include "judge/judge.h"
#include "lemke.h"

/* The path is left where the residual is at most this. */
static const double there = 1e-13;

/* The first of several attempts is left when more variables than this tie in the ratio test: the
 * lexicographic choice among them is made with pivots of any size, and piles that are symmetric
 * lose their path at such points. A random vector has no ties before z0 is nearly zero. */
enum { MOST_TIES = 16 };

enum { START_COVER, START_HOWSON };

/* Parts of the start below this, relative to its largest, are not in its support. */
static const double support = 1e-12;

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

/* z0 has left the basis, or is as good as zero. */
static perp_status lemke_at_solution(lemke *s, perp_result *r, perp_error *err)
{
    perp_lemke_path_point(s, s->z);
    perp_lemke_judge_point(s, s->z, r);
    return perp_lemke_end_path(s, r, err);
}

/* z0 is small: the path may be left as soon as the point is good enough, and must be some
 * time after it is as good as asked for. */
static perp_status lemke_near_solution(lemke *s, perp_result *r, perp_error *err)
{
    const double before = s->best;

    perp_lemke_path_point(s, s->z);
    perp_lemke_judge_point(s, s->z, r);
    s->judge_below = 0.1 * perp_lemke_path_covering(s);
    if (s->best <= fmin(there, s->tolerance)) {
        return perp_lemke_end_path(s, r, err);
    }
    if (s->best < before && s->best <= s->tolerance) {
        s->leave_after = s->pivots + 100.0 + 0.05 * s->n;
    }
    return PERP_OK;
}

/* A path ended on a ray: a certificate that there is no solution, or not. */
static perp_status lemke_at_ray(lemke *s, perp_result *r, perp_error *err)
{
    bool is_z = s->entering >= s->n;
    double dz0 = 0.0;

    if (s->best <= s->tolerance) {
        return perp_lemke_end_path(s, r, err);
    }

    dz0 = perp_lemke_path_ray(s, s->z);
    r->work.products += 1.0;
    if (perp_certificate_infeasible(s->p, s->z)) {
        perp_status status = perp_result_certify_infeasible(r, s->z, err);

        return status != PERP_OK
                   ? status
                   : perp_result_end(r, PERP_INFEASIBLE,
                                     "a ray after %g pivot%s is a certificate that there "
                                     "is no solution",
                                     s->pivots, perp_plural((size_t)s->pivots));
    }
    if (!s->ray[0]) {
        snprintf(
            s->ray, sizeof s->ray,
            "secondary ray after %g pivot%s, %c[%d] entering, which is no certificate",
            s->pivots, perp_plural((size_t)s->pivots), is_z ? 'z' : 'w',
            is_z ? s->entering - s->n : s->entering);
    }
    if (!s->has_ray &&
        s->attempt != LEMKE_WARM) { /* whose covering vector may not be > 0 */
        s->has_ray = true;
        perp_lemke_path_point(s, s->ray_z);
        s->ray_z0 = perp_lemke_path_covering(s);
        s->ray_dz0 = dz0;
        memcpy(s->ray_dz, s->z, r->n * sizeof *s->z);
        memcpy(s->ray_cover, s->d, r->n * sizeof *s->d);
    }
    return perp_lemke_next_attempt(s, r, err);
}

static perp_status lemke_iterate(void *vstate, perp_result *r, perp_error *err)
{
    lemke *s = vstate;
    lemke_step step = LEMKE_GOES_ON;
    const double before = s->pivots;

    if (s->howson) {
        return perp_lemke_howson_iterate(s, r, err);
    }
    if (s->pivots == 0.0 && perp_lemke_path_is_feasible(s)) {
        return lemke_at_solution(s, r, err);
    }
    if (s->pivots >= s->max_pivots) {
        s->limited = true;
        return perp_lemke_next_attempt(s, r, err);
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
        return perp_lemke_end_path(s, r, err);
    default:
        break;
    }
    if (s->pivots > s->leave_after) {
        return perp_lemke_end_path(s, r, err);
    }
    if (perp_lemke_path_covering(s) <= s->judge_below) {
        return lemke_near_solution(s, r, err);
    }
    return s->attempt == 0 && s->attempts > 1 && s->ties > MOST_TIES
               ? perp_lemke_next_attempt(s, r, err)
               : PERP_OK;
}

static perp_status lemke_memory(lemke *s, perp_workspace *ws, perp_error *err)
{
    size_t n = (size_t)s->n;
    double **reals[] = {&s->c,      &s->a,     &s->d,      &s->z,        &s->ratio,
                        &s->polish, &s->ray_z, &s->ray_dz, &s->ray_cover};
    int **ints[] = {&s->label, &s->candidate, &s->tied, &s->basic, &s->ipiv};
    perp_status status = PERP_OK;

    for (size_t i = 0; i < sizeof reals / sizeof *reals; i++) {
        *reals[i] = perp_workspace_reals(ws, n);
    }
    for (size_t i = 0; i < sizeof ints / sizeof *ints; i++) {
        *ints[i] = perp_workspace_ints(ws, n);
    }
    s->place = perp_workspace_ints(ws, 2 * n + 1);
    s->swapped = perp_workspace_alloc(ws, n, 1);
    s->is_tied = perp_workspace_alloc(ws, n, 1);
    status = perp_workspace_status(ws, err);
    return status == PERP_OK ? s->form->setup(s, ws, err) : status;
}

static perp_status lemke_setup(void *vstate, const perp_problem *p,
                               const perp_options *opt, perp_workspace *ws,
                               perp_result *r, perp_error *err)
{
    lemke *s = vstate;
    const size_t choice = perp_options_choice(opt, "form");
    double limit = (double)perp_options_integer(opt, "max-pivots");
    int columns = 0, swaps = 0; /* 2n+1 variables are numbered */

    TRY(perp_blas_int(2 * p->n + 8, &columns, err));
    TRY(perp_judge_new(&s->judge, p, err));
    s->p = p;
    s->n = (int)p->n;
    s->form = choice == 1 || (choice == 0 && p->n <= 64) ? &perp_lemke_tableau
                                                         : &perp_lemke_kernel;
    s->tolerance = perp_options_real(opt, "tolerance");
    s->attempts = (int)perp_options_integer(opt, "attempts");
    s->cover = (int)perp_options_choice(opt, "cover");
    s->random.state = (uint64_t)perp_options_integer(opt, "seed");
    s->max_pivots = limit > 0.0 ? limit : fmax(1000.0, 100.0 * s->n);
    s->best = INFINITY;
    for (int i = 0; i < s->n; i++) {
        s->size = fmax(s->size, -p->b[i]);
    }
    s->size = s->size > 0.0 ? s->size : 1.0;
    TRY(lemke_memory(s, ws, err));
    if (perp_options_choice(opt, "rule") == START_HOWSON) {
        return perp_lemke_howson_setup(s, ws, err);
    }

    /* Start at the basis of the start's support, or where that is singular, at w = q. */
    swaps = perp_options_switch(opt, "warm") ? lemke_support(s, r->z) : 0;
    s->attempt = swaps > 0 ? LEMKE_WARM : 0;
    if (!perp_lemke_start_path(s) && s->attempt == LEMKE_WARM) {
        swaps = 0;
        s->attempt = 0;
        perp_lemke_start_path(s); /* w = q: it cannot fail */
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
    PERP_CHOICE(
        "rule", START_COVER, "cover|lemke-howson",
        "how a path starts: with a covering vector, or in bimatrix games with a label"),
    PERP_CHOICE("form", 0, "auto|tableau|kernel",
                "how a basis is kept; auto: the tableau up to n = 64"),
    PERP_CHOICE("cover", COVER_ONES, "ones|rows|data|random",
                "the covering vector d: ones, the largest entry of each row, 0.01 + "
                "|q|/max|q|, or 1 + random"),
    PERP_SWITCH("warm", 1, "start at the basis of the start's support"),
    PERP_INTEGER("max-pivots", 0, 0, 1e15,
                 "most pivots of one path; 0: the larger of 1000 and 100 n"),
    PERP_INTEGER(
        "attempts", LEMKE_ATTEMPTS, 1, LEMKE_ATTEMPTS,
        "most paths from w = q, with other covering vectors and zero tolerances"),
    PERP_OPTION_END,
};

const perp_solver_type perp_solver_lemke = {
    .name = "lemke",
    .family = "pivoting",
    .summary = "Lemke's complementary pivoting, lexicographic",
    .reference = "cottle-pang-stone-2009",
    .algorithm = "Lemke's complementary pivot algorithm with the lexicographic "
                 "ratio test [cottle-pang-stone-2009, section 4.4]",
    .additions = "start at the basis of a given support; kernel form of the "
                 "basis; further attempts with other zero tolerances and random "
                 "covering vectors (option attempts)",
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
