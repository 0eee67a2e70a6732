/* SPDX-License-Identifier: Apache-2.0
 * pivoting/solutions.c: the search of enumerate.c, and the list of all solutions.
 *
 * Where A_FF is singular the solutions of a set are a polyhedron. A vertex of it with all of F between
 * the bounds has w = 0 in further rows, so many that z_F is determined: all choices of such rows
 * are tried. A vertex with less between its bounds is one of another set. An extreme ray d from a
 * vertex moves the rows R and keeps w = 0 there, and in so many further rows that d_R is determined but for its
 * length. Free rows whose columns depend on those before make lines: they stay at 0, with w = 0. */
#include <config.h>

#include <lapacke.h>
#include <stdlib.h>

#include "base/base.h"
#include "core/solvers.h"
#include "pivoting/echelon.h"
#include "pivoting/solutions.h"

enum { ROWS = PERP_SOLUTIONS_ROWS, MOST_LOG_SETS = 20 };

_Static_assert((int)ROWS <= (int)ECHELON_MOST, "an equation per row");

/* A pivot of A_FF below this, relative to its largest entry, is rounding. */
static const double singular = 1e-12;
/* Residual of what counts as a solution: a fresh solve leaves 1e-13 up to a condition of 1e6. */
static const double accepted = 1e-10;
/* Solutions closer than this, relative to the larger, are the same one from two sets. */
static const double same = 1e-8;

enum { AT_LOW, AT_HIGH, INSIDE, PINNED };

struct solution_search {
    const perp_problem *p;
    perp_judge *judge;
    size_t n;
    double lo[ROWS], hi[ROWS];
    unsigned char choices[3 * ROWS], choice_count[ROWS], digit[ROWS];
    size_t sets;           /* in all */
    double A[ROWS * ROWS]; /* by columns */
    double start[ROWS], nearest[ROWS], z[ROWS];
    double best; /* squared distance of the nearest */
    bool no_memory;
    size_t room, ray_room;
    perp_solutions found;
};

/* What an extension of a system looks for. */
typedef struct extension {
    solution_search *s;
    size_t k, target;        /* unknowns, and the rank that ends it */
    size_t column[ROWS];     /* of the unknowns */
    size_t row[ROWS], count; /* that may be added */
    bool ray;
    size_t vertex;   /* that the ray starts from */
    const double *w; /* there */
} extension;

const char *perp_solution_kind_text(perp_solution_kind kind)
{
    switch (kind) {
#define PERP_CASE(name, text)                                                            \
    case name:                                                                           \
        return text;
        PERP_SOLUTION_LIST(PERP_CASE)
#undef PERP_CASE
    }
    return "unknown";
}

static int search_state(const solution_search *s, size_t i)
{
    return s->choices[3 * i + s->digit[i]];
}

/* Room for one more of `width` numbers; false: no memory. */
static bool search_grow(double **array, size_t count, size_t *room, size_t width)
{
    if (count == *room) {
        const size_t more = 2 * *room + 16;
        double *grown = realloc(*array, more * width * sizeof **array);

        if (!grown) {
            return false;
        }
        *array = grown;
        *room = more;
    }
    return true;
}

/* Whether x is one of `count` points of n numbers. */
static bool search_is_known(const double *points, size_t count, const double *x, size_t n)
{
    for (size_t k = 0; k < count; k++) {
        double size = 0.0, distance = 0.0;

        for (size_t i = 0; i < n; i++) {
            size = fmax(size, fmax(fabs(points[k * n + i]), fabs(x[i])));
            distance = fmax(distance, fabs(points[k * n + i] - x[i]));
        }
        if (distance <= same * size) {
            return true;
        }
    }
    return false;
}

static void search_consider(solution_search *s)
{
    double distance = 0.0;

    for (size_t i = 0; i < s->n; i++) {
        distance += (s->z[i] - s->start[i]) * (s->z[i] - s->start[i]);
    }
    if (distance < s->best) {
        s->best = distance;
        memcpy(s->nearest, s->z, s->n * sizeof *s->z);
    }
}

/* Is z in its box, and a solution? What is outside by rounding is put on the bound. */
static bool search_solves(solution_search *s)
{
    double size = perp_largest(s->n, s->z);

    for (size_t i = 0; i < s->n; i++) {
        if (!(s->z[i] >= s->lo[i] - same * size && s->z[i] <= s->hi[i] + same * size)) {
            return false;
        }
        s->z[i] = fmin(fmax(s->z[i], s->lo[i]), s->hi[i]);
    }
    return perp_judge_residual(s->judge, s->z) <= accepted;
}

/* Keep z, a vertex; whether it is new. */
static bool search_keep(solution_search *s)
{
    perp_solutions *f = &s->found;

    search_consider(s);
    if (search_is_known(f->z, f->count, s->z, s->n)) {
        return false;
    }
    if (f->count == PERP_SOLUTIONS_MOST) {
        f->complete = false;
        return false;
    }
    if (!search_grow(&f->z, f->count, &s->room, s->n)) {
        s->no_memory = true;
        return false;
    }
    memcpy(f->z + s->n * f->count++, s->z, s->n * sizeof *s->z);
    return true;
}

/* Row i of A at the unknowns, and the right side: -b less what the rest of z adds; 0 of rays. */
static void search_equation(const extension *x, size_t i, double *out)
{
    const solution_search *s = x->s;

    out[x->k] = x->ray ? 0.0 : -s->p->b[i];
    for (size_t j = 0; j < s->n && !x->ray; j++) {
        out[x->k] -= s->A[i + j * s->n] * s->z[j];
    }
    for (size_t j = 0; j < x->k; j++) {
        out[j] = s->A[i + x->column[j] * s->n];
    }
}

/* w of a direction in row i, and the sum of the magnitudes that make it. */
static double search_rate(const solution_search *s, size_t i, const double *d,
                          double *size)
{
    double sum = 0.0;

    *size = 0.0;
    for (size_t j = 0; j < s->n; j++) {
        sum += s->A[i + j * s->n] * d[j];
        *size += fabs(s->A[i + j * s->n] * d[j]);
    }
    return sum;
}

static bool search_is_low(const solution_search *s, const double *z, size_t i)
{
    return z[i] <= s->lo[i] + same * perp_largest(s->n, z);
}

static bool search_is_high(const solution_search *s, const double *z, size_t i)
{
    return z[i] >= s->hi[i] - same * perp_largest(s->n, z);
}

/* Whether row i may move up, or down, without end, from where it is. */
static bool search_may_move(const solution_search *s, const double *z, const double *w,
                            size_t i, bool up)
{
    double size = 0.0;

    (void)search_rate(s, i, z, &size);
    return s->choices[3 * i] != PINNED &&
           fabs(w[i]) <= same * (fabs(s->p->b[i]) + size) &&
           (up ? isinf(s->hi[i]) : isinf(s->lo[i]));
}

/* Keep direction d (n) of the vertex if it is a ray. */
static void search_keep_ray(const extension *x, double *d)
{
    solution_search *s = x->s;
    perp_solutions *f = &s->found;
    const double *z = f->z + s->n * x->vertex;
    const double most = perp_largest(s->n, d);
    double size = 0.0;

    for (size_t i = 0; i < s->n; i++) {
        d[i] /= most;
    }
    for (size_t j = 0; j < x->k; j++) {
        const size_t i = x->column[j];

        if (fabs(d[i]) <= same || !search_may_move(s, z, x->w, i, d[i] > 0.0)) {
            return;
        }
    }
    for (size_t i = 0; i < s->n; i++) {
        const double rate = search_rate(s, i, d, &size);
        const bool low = search_is_low(s, z, i), high = search_is_high(s, z, i);

        if (!(low && high) && (low    ? rate < -same * size
                               : high ? rate > same * size
                                      : fabs(rate) > same * size)) {
            return;
        }
    }
    for (size_t k = 0; k < f->ray_count; k++) {
        if (f->ray_of[k] == x->vertex && search_is_known(f->ray + s->n * k, 1, d, s->n)) {
            return;
        }
    }
    if (f->ray_count == PERP_SOLUTIONS_MOST) {
        f->complete = false;
        return;
    }
    if (f->ray_count == s->ray_room) {
        size_t *of = realloc(f->ray_of, (2 * s->ray_room + 16) * sizeof *of);

        f->ray_of = of ? of : f->ray_of;
        s->no_memory = s->no_memory || !of;
    }
    if (s->no_memory || !search_grow(&f->ray, f->ray_count, &s->ray_room, s->n)) {
        s->no_memory = true;
        return;
    }
    f->ray_of[f->ray_count] = x->vertex;
    memcpy(f->ray + s->n * f->ray_count++, d, s->n * sizeof *d);
}

/* What the system determines: a point or, of both signs, a direction. */
static void search_determined(const extension *x, const echelon *e)
{
    solution_search *s = x->s;
    double unknown[ROWS], d[ROWS], kept[ROWS];

    echelon_solve(e, x->ray ? 1.0 : 0.0, unknown);
    if (!x->ray) {
        memcpy(kept, s->z, s->n * sizeof *kept);
        for (size_t j = 0; j < x->k; j++) {
            s->z[x->column[j]] = unknown[j];
        }
        if (search_solves(s)) {
            s->found.faces += search_keep(s);
        }
        memcpy(s->z, kept, s->n * sizeof *kept);
        return;
    }
    for (int sign = -1; sign <= 1; sign += 2) {
        memset(d, 0, s->n * sizeof *d);
        for (size_t j = 0; j < x->k; j++) {
            d[x->column[j]] = sign * unknown[j];
        }
        search_keep_ray(x, d);
    }
}

/* Add rows from the `next` one on until the system has the rank, in every way. */
static void search_extend(const extension *x, const echelon *e, size_t next)
{
    if (e->rank == x->target) {
        search_determined(x, e);
        return;
    }
    for (size_t k = next; k + (x->target - e->rank) <= x->count; k++) {
        double equation[ROWS + 1];
        echelon more = *e;

        search_equation(x, x->row[k], equation);
        if (echelon_add(&more, equation)) {
            search_extend(x, &more, k + 1);
        }
    }
}

/* From the rows that hold in any case on; nothing where all rows together do not determine it. */
static void search_complete(const extension *x, const size_t *row, size_t count)
{
    double equation[ROWS + 1];
    echelon e = {.k = x->k};
    echelon all;

    for (size_t k = 0; k < count; k++) {
        search_equation(x, row[k], equation);
        echelon_add(&e, equation);
    }
    all = e;
    for (size_t k = 0; k < x->count; k++) {
        search_equation(x, x->row[k], equation);
        echelon_add(&all, equation);
    }
    if (e.rank <= x->target && all.rank >= x->target) {
        search_extend(x, &e, 0);
    }
}

/* Vertices of a set whose block is singular; z_F is 0. */
static void search_vertices(solution_search *s, const size_t *F, size_t k)
{
    extension x = {.s = s, .k = k, .target = k};
    size_t row[ROWS];
    size_t count = k;

    memcpy(x.column, F, k * sizeof *F);
    memcpy(row, F, k * sizeof *F);
    for (size_t i = 0; i < s->n; i++) {
        const int state = search_state(s, i);

        if (state == PINNED) {
            row[count++] = i;
        } else if (state != INSIDE) {
            x.row[x.count++] = i;
        }
    }
    search_complete(&x, row, count);
}

/* The rays of vertex v that move just the rows R, of those that may move. */
static void search_rays_of(solution_search *s, size_t v, const double *w, const size_t *R,
                           size_t k)
{
    extension x = {.s = s, .k = k, .target = k - 1, .ray = true, .vertex = v, .w = w};
    const double *z = s->found.z + s->n * v;
    size_t row[ROWS];
    size_t count = 0;

    memcpy(x.column, R, k * sizeof *R);
    for (size_t i = 0; i < s->n; i++) {
        bool moves = s->choices[3 * i] == PINNED ||
                     !(search_is_low(s, z, i) || search_is_high(s, z, i));

        for (size_t j = 0; j < k; j++) {
            moves = moves || R[j] == i;
        }
        if (moves) {
            row[count++] = i;
        } else {
            x.row[x.count++] = i;
        }
    }
    search_complete(&x, row, count);
}

static void search_rays(solution_search *s, size_t v)
{
    const double *z = s->found.z + s->n * v;
    size_t may[ROWS], R[ROWS];
    size_t count = 0;
    double w[ROWS], size = 0.0;

    for (size_t i = 0; i < s->n; i++) {
        w[i] = s->p->b[i] + search_rate(s, i, z, &size);
    }
    for (size_t i = 0; i < s->n; i++) {
        if (search_may_move(s, z, w, i, true) || search_may_move(s, z, w, i, false)) {
            may[count++] = i;
        }
    }
    for (size_t bits = 1; bits < (size_t)1 << count && s->found.complete; bits++) {
        size_t k = 0;

        for (size_t i = 0; i < count; i++) {
            if (bits >> i & 1u) {
                R[k++] = may[i];
            }
        }
        search_rays_of(s, v, w, R, k);
    }
}

/* Solve K x = rhs, k rows by columns, in place. False if K is singular. */
static bool search_lu(size_t k, double *K, double *x)
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
static void search_block(const solution_search *s, const size_t *F, size_t k, double *K)
{
    for (size_t j = 0; j < k; j++) {
        for (size_t i = 0; i < k; i++) {
            K[i + j * k] = s->A[F[i] + F[j] * s->n];
        }
    }
}

/* The point of least norm with least |K x - rhs|; x holds rhs before. */
static bool search_least_norm(size_t k, double *K, double *x)
{
    double work[ROWS * 8];
    lapack_int order[ROWS] = {0};
    lapack_int rank = 0;
    const lapack_int m = (lapack_int)k;

    return LAPACKE_dgelsy_work(LAPACK_COL_MAJOR, m, m, 1, K, m, x, m, order, singular,
                               &rank, work,
                               (lapack_int)(sizeof work / sizeof *work)) == 0;
}

/* z of the set, 0 in F, whose rows are listed; their number. */
static size_t search_stand(solution_search *s, size_t *F)
{
    size_t k = 0;

    for (size_t i = 0; i < s->n; i++) {
        const int state = search_state(s, i);

        s->z[i] = state == AT_LOW ? s->lo[i] : state == AT_HIGH ? s->hi[i] : 0.0;
        if (state == INSIDE) {
            F[k++] = i;
        }
    }
    return k;
}

static void search_set(solution_search *s, perp_work *work)
{
    double K[ROWS * ROWS], x[ROWS], rhs[ROWS];
    size_t F[ROWS];
    size_t k = search_stand(s, F);
    bool block = false;

    for (size_t j = 0; j < k; j++) {
        rhs[j] = -s->p->b[F[j]];
        for (size_t i = 0; i < s->n; i++) {
            rhs[j] -= s->A[F[j] + i * s->n] * s->z[i];
        }
        x[j] = rhs[j];
    }
    search_block(s, F, k, K);
    work->factorizations += 1.0;
    work->flops_factor += 2.0 / 3.0 * (double)(k * k * k);
    block = k > 0 && !search_lu(k, K, x);
    if (block) {
        s->found.singular++;
        search_vertices(s, F, k);
        search_block(s, F, k, K);
        memcpy(x, rhs, sizeof x);
        if (!search_least_norm(k, K, x)) {
            return;
        }
    }
    for (size_t j = 0; j < k; j++) {
        s->z[F[j]] = x[j];
    }
    work->products += 1.0;
    if (search_solves(s)) {
        if (block) {
            search_consider(s);
        } else {
            search_keep(s);
        }
    }
}

perp_status solution_search_step(solution_search *s, size_t sets, perp_work *work,
                                 bool *more, perp_error *err)
{
    for (size_t k = 0; k < sets && s->found.sets < s->sets; k++) {
        search_set(s, work);
        for (size_t i = 0; i < s->n && ++s->digit[i] == s->choice_count[i]; i++) {
            s->digit[i] = 0;
        }
        s->found.sets++;
    }
    *more = s->found.sets < s->sets;
    return s->no_memory ? perp_fail(err, PERP_ERR_MEMORY, "no memory for %zu solutions",
                                    s->found.count + 1)
                        : PERP_OK;
}

const perp_solutions *solution_search_found(const solution_search *s)
{
    return &s->found;
}

const double *solution_search_nearest(const solution_search *s)
{
    return isfinite(s->best) ? s->nearest : NULL;
}

/* Free rows whose columns depend on those before stay at 0. */
static void search_pin(solution_search *s)
{
    echelon e = {.k = s->n};

    for (size_t j = 0; j < s->n; j++) {
        double column[ROWS + 1] = {0};

        memcpy(column, s->A + j * s->n, s->n * sizeof *column);
        if (isinf(s->lo[j]) && isinf(s->hi[j]) && !echelon_add(&e, column)) {
            s->choices[3 * j] = PINNED;
            s->found.lines++;
        }
    }
}

/* The states of each row, and how many sets they make; false beyond 2^20. */
static bool search_states(solution_search *s)
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
        s->choice_count[i] = (unsigned char)count;
        s->sets *= count;
        if (s->sets > (size_t)1 << MOST_LOG_SETS) {
            return false;
        }
    }
    return true;
}

static perp_status search_open(solution_search *s, const perp_problem *p, perp_error *err)
{
    const unsigned takes = PERP_SET_FREE | PERP_SET_NONNEG | PERP_SET_BOX;

    s->p = p;
    s->n = p->n;
    s->best = INFINITY;
    s->found.n = p->n;
    s->found.complete = true;
    if (p->n > ROWS) {
        return perp_fail(err, PERP_ERR_UNSUITABLE,
                         "enumerate takes at most %d rows, found %zu", ROWS, p->n);
    }
    if (perp_set_kinds(p->set) & ~takes) {
        return perp_fail(err, PERP_ERR_UNSUITABLE,
                         "enumerate takes rows free, nonneg and box alone");
    }
    if (!search_states(s)) {
        return perp_fail(
            err, PERP_ERR_UNSUITABLE,
            "enumerate takes at most 2^%d active sets; these %zu row%s have more",
            MOST_LOG_SETS, p->n, perp_plural(p->n));
    }
    for (size_t j = 0; j < p->n; j++) {
        for (size_t i = 0; i < p->n; i++) {
            s->A[i + j * p->n] = perp_operator_entry(p->A, i, j);
        }
    }
    search_pin(s);
    return perp_judge_new(&s->judge, p, err);
}

perp_status solution_search_new(solution_search **search, const perp_problem *p,
                                const double *start, perp_error *err)
{
    solution_search *s = calloc(1, sizeof *s);
    perp_status status = s ? search_open(s, p, err)
                           : perp_fail(err, PERP_ERR_MEMORY, "no memory for a search");

    *search = NULL;
    if (status != PERP_OK) {
        solution_search_free(s);
        return status;
    }
    for (size_t i = 0; start && i < p->n; i++) {
        s->start[i] = start[i];
    }
    *search = s;
    return PERP_OK;
}

static void solutions_clear(perp_solutions *f)
{
    free(f->z);
    free(f->kind);
    free(f->joined);
    free(f->ray);
    free(f->ray_of);
}

void solution_search_free(solution_search *s)
{
    if (s) {
        perp_judge_free(s->judge);
        solutions_clear(&s->found);
        free(s);
    }
}

void perp_solutions_free(perp_solutions *s)
{
    if (s) {
        solutions_clear(s);
        free(s);
    }
}

/* What lies around each: the middle between two solves if both are on one face. */
static void search_kinds(solution_search *s)
{
    perp_solutions *f = &s->found;

    for (size_t k = 0; k < f->count; k++) {
        f->kind[k] = f->lines > 0 ? PERP_SOLUTION_UNBOUNDED : PERP_SOLUTION_ISOLATED;
    }
    for (size_t k = 0; k < f->count; k++) {
        for (size_t l = 0; l < k; l++) {
            for (size_t i = 0; i < s->n; i++) {
                s->z[i] = 0.5 * f->z[k * s->n + i] + 0.5 * f->z[l * s->n + i];
            }
            if (perp_judge_residual(s->judge, s->z) <= accepted) {
                f->joined[k * f->count + l] = f->joined[l * f->count + k] = true;
                f->kind[k] = f->kind[k] == PERP_SOLUTION_ISOLATED ? PERP_SOLUTION_ON_FACE
                                                                  : f->kind[k];
                f->kind[l] = f->kind[l] == PERP_SOLUTION_ISOLATED ? PERP_SOLUTION_ON_FACE
                                                                  : f->kind[l];
            }
        }
    }
    for (size_t k = 0; k < f->ray_count; k++) {
        f->kind[f->ray_of[k]] = PERP_SOLUTION_UNBOUNDED;
    }
}

perp_status solution_search_all(const perp_problem *p, perp_solutions **out,
                                perp_error *err)
{
    perp_work work = {0};
    solution_search *s = NULL;
    bool more = true;
    perp_status status = PERP_OK;

    *out = NULL;
    status = solution_search_new(&s, p, NULL, err);
    while (status == PERP_OK && more) {
        status = solution_search_step(s, 1024, &work, &more, err);
    }
    if (status == PERP_OK) {
        perp_solutions *f = &s->found;

        for (size_t k = 0; k < f->count && !s->no_memory; k++) {
            search_rays(s, k);
        }
        f->kind = calloc(f->count + 1, sizeof *f->kind);
        f->joined = calloc(f->count * f->count + 1, sizeof *f->joined);
        *out = malloc(sizeof **out);
        if (!f->kind || !f->joined || !*out || s->no_memory) {
            free(*out);
            *out = NULL;
            status =
                perp_fail(err, PERP_ERR_MEMORY, "no memory for %zu solutions", f->count);
        }
    }
    if (status == PERP_OK) {
        search_kinds(s);
        **out = s->found;
        s->found = (perp_solutions){0};
    }
    solution_search_free(s);
    return status;
}
