/* SPDX-License-Identifier: Apache-2.0
 * pivoting/lemke_howson.c: the start rule of lemke for bimatrix games [lemke-howson-1964],
 * [cottle-pang-stone-2009, section 4.4].
 *
 *     M = [0 A; B^T 0],  A, B > 0,  q < 0
 *
 * No covering vector d > 0 leads anywhere here: the path ends on a ray after one pivot. Instead z_k of one
 * player enters until w of the other is >= 0, and z_r of the row r that was last until w of the first is;
 * from this basis, complementary but for the pair k, the complement of what left enters, until w_k or z_k
 * leaves. Each label k gives a path to an equilibrium, mostly of some n pivots; where one is lost in doubles, or longer than 20 n,
 * the next label is tried, and all again with more pivots. Ties
 * are broken lexicographically, with the first basis disturbed. */
#include <config.h>

#include <lapacke.h>

#include "base/base.h"
#include "lemke.h"

static const double rounding =
    1e-11; /* of a rate, relative to the largest of its column */

/* A dictionary: basic = c + T nonbasic; L: the disturbance of c, by rows. */
struct lemke_howson {
    size_t n, label;
    bool again;            /* all labels were tried with few pivots */
    double *c, *T, *L;     /* n, n x n by rows, n x n by rows */
    int *basic, *nonbasic; /* n: w_i = i, z_i = n + i */
};

bool perp_problem_is_game(const perp_problem *p)
{
    bool is = p->n >= 2 && p->A && perp_set_kinds(p->set) == PERP_SET_NONNEG &&
              perp_operator_entry(p->A, 0, 0) == 0.0;

    for (size_t i = 0; i < p->n && is; i++) {
        is = p->b[i] < 0.0;
    }
    for (size_t i = 0; i < p->n && is; i++) {
        const bool side = perp_operator_entry(p->A, 0, i) != 0.0;

        for (size_t j = 0; j < p->n && is; j++) {
            const bool other = perp_operator_entry(p->A, 0, j) != 0.0;
            const double a = perp_operator_entry(p->A, i, j);

            is = side == other ? a == 0.0 : a > 0.0;
        }
    }
    return is;
}

/* The variables of row r and column e change places. */
static void howson_pivot(lemke_howson *h, size_t r, size_t e)
{
    const size_t n = h->n;
    double *row = h->T + r * n;
    const double pivot = row[e];
    const int label = h->basic[r];

    for (size_t j = 0; j < n; j++) {
        row[j] = j == e ? 1.0 / pivot : -row[j] / pivot;
        h->L[r * n + j] /= -pivot;
    }
    h->c[r] /= -pivot;
    for (size_t i = 0; i < n; i++) {
        double *other = h->T + i * n;
        const double f = other[e];

        if (i == r || f == 0.0) {
            continue;
        }
        for (size_t j = 0; j < n; j++) {
            other[j] = j == e ? f * row[e] : other[j] + f * row[j];
            h->L[i * n + j] += f * h->L[r * n + j];
        }
        h->c[i] += f * h->c[r];
    }
    h->basic[r] = h->nonbasic[e];
    h->nonbasic[e] = label;
}

/* Is the ratio of row i less than that of row k, in c and then in each column of L? */
static bool howson_before(const lemke_howson *h, size_t i, size_t k, size_t e)
{
    const double a = -h->T[i * h->n + e], b = -h->T[k * h->n + e];
    double x = h->c[i] / a, y = h->c[k] / b;

    for (size_t j = 0; fabs(x - y) <= rounding * fmax(fabs(x), fabs(y)) && j < h->n;
         j++) {
        x = h->L[i * h->n + j] / a;
        y = h->L[k * h->n + j] / b;
    }
    return x < y;
}

/* The row that blocks column e; n: none. */
static size_t howson_block(const lemke_howson *h, size_t e)
{
    size_t found = h->n;
    double largest = 0.0;

    for (size_t i = 0; i < h->n; i++) {
        largest = fmax(largest, fabs(h->T[i * h->n + e]));
    }
    for (size_t i = 0; i < h->n; i++) {
        if (h->T[i * h->n + e] < -rounding * largest &&
            (found == h->n || howson_before(h, i, found, e))) {
            found = i;
        }
    }
    return found;
}

/* The column of a nonbasic variable. */
static size_t howson_column(const lemke_howson *h, int variable)
{
    size_t e = 0;

    while (h->nonbasic[e] != variable) {
        e++;
    }
    return e;
}

/* The row of the other player that z of column e makes >= 0 last. */
static size_t howson_last(const lemke_howson *h, size_t e)
{
    size_t last = h->n;

    for (size_t i = 0; i < h->n; i++) {
        const double a = h->T[i * h->n + e];

        if (h->c[i] < 0.0 && a > 0.0 &&
            (last == h->n || h->c[i] / a < h->c[last] / h->T[last * h->n + e])) {
            last = i;
        }
    }
    return last;
}

static void howson_start(lemke_howson *h, const perp_problem *p)
{
    const size_t n = h->n;

    for (size_t i = 0; i < n; i++) {
        h->c[i] = p->b[i];
        h->basic[i] = (int)i;
        h->nonbasic[i] = (int)(n + i);
        for (size_t j = 0; j < n; j++) {
            h->T[i * n + j] = perp_operator_entry(p->A, i, j);
        }
    }
}

/* The path of label k; false where it is lost. */
static bool howson_path(lemke_howson *h, const perp_problem *p, double most,
                        double *pivots)
{
    const size_t n = h->n, k = h->label;
    size_t r = 0, s = 0;
    int entering = 0;

    howson_start(h, p);
    r = howson_last(h, k);
    if (r == n) {
        return false;
    }
    howson_pivot(h, r, k);
    s = howson_last(h, r); /* z_r is in column r still */
    if (s == n) {
        return false;
    }
    howson_pivot(h, s, r);
    memset(h->L, 0, n * n * sizeof *h->L);
    for (size_t i = 0; i < n; i++) {
        h->L[i * n + i] = 1.0;
    }
    *pivots += 2.0;
    for (entering = (int)(n + s); s != k;) {
        const size_t e = howson_column(h, entering);
        const size_t row = howson_block(h, e);
        int leaving = 0;

        if (row == n || *pivots >= most) {
            return false;
        }
        leaving = h->basic[row];
        howson_pivot(h, row, e);
        *pivots += 1.0;
        if (leaving == (int)k || leaving == (int)(n + k)) {
            break;
        }
        entering = leaving < (int)n ? leaving + (int)n : leaving - (int)n;
    }
    return true;
}

/* z of the basis, by a fresh factorisation of M_FF; of the dictionary where that is singular. */
static void howson_point(lemke *s, const lemke_howson *h, double *z)
{
    int count = 0;

    memset(z, 0, h->n * sizeof *z);
    for (size_t i = 0; i < h->n; i++) {
        if (h->basic[i] >= s->n) {
            z[h->basic[i] - s->n] = fmax(h->c[i], 0.0);
            s->basic[count++] = h->basic[i] - s->n;
        }
    }
    for (int j = 0; j < count; j++) {
        for (int i = 0; i < count; i++) {
            h->L[j * count + i] =
                perp_operator_entry(s->p->A, (size_t)s->basic[i], (size_t)s->basic[j]);
        }
        s->polish[j] = -s->p->b[s->basic[j]];
    }
    if (LAPACKE_dgesv_work(LAPACK_COL_MAJOR, count, 1, h->L, count, s->ipiv, s->polish,
                           count) == 0) {
        for (int j = 0; j < count; j++) {
            z[s->basic[j]] = fmax(s->polish[j], 0.0);
        }
    }
}

perp_status perp_lemke_howson_setup(lemke *s, perp_workspace *ws, perp_error *err)
{
    const size_t n = s->p->n;
    lemke_howson *h = perp_workspace_alloc(ws, 1, sizeof *h);

    if (h) {
        *h = (lemke_howson){.n = n,
                            .c = perp_workspace_reals(ws, n),
                            .T = perp_workspace_reals(ws, n * n),
                            .L = perp_workspace_reals(ws, n * n),
                            .basic = perp_workspace_ints(ws, n),
                            .nonbasic = perp_workspace_ints(ws, n)};
    }
    if (perp_workspace_status(ws, err) != PERP_OK) {
        return PERP_ERR_MEMORY;
    }
    s->howson = h;
    return perp_problem_is_game(s->p)
               ? PERP_OK
               : perp_fail(
                     err, PERP_ERR_UNSUITABLE,
                     "rule=lemke-howson takes bimatrix games, M = [0 A; B^T 0] with A, "
                     "B > 0 and q < 0; a constant that is added to the payoffs of a "
                     "player "
                     "changes no equilibrium");
}

perp_status perp_lemke_howson_iterate(lemke *s, perp_result *r, perp_error *err)
{
    lemke_howson *h = s->howson;
    double pivots = 0.0;
    const double few = fmin(s->max_pivots, 100.0 + 20.0 * s->n);
    const bool ended = howson_path(h, s->p, h->again ? s->max_pivots : few, &pivots);

    (void)err;
    r->work.pivots += pivots;
    s->pivots += pivots;
    if (ended) {
        howson_point(s, h, s->z);
        perp_lemke_judge_point(s, s->z, r);
        r->work.factorizations += 1.0;
    }
    if (s->best <= s->tolerance) {
        perp_result_log(r, "lemke: Lemke-Howson, label %zu", h->label);
        return perp_result_end(r, PERP_SOLVED, "an equilibrium after %g pivot%s",
                               s->pivots, perp_plural((size_t)s->pivots));
    }
    if (++h->label == h->n && !h->again) {
        h->label = 0;
        h->again = true;
    }
    return h->label < h->n
               ? PERP_OK
               : perp_result_end(
                     r, PERP_STALLED,
                     "the paths of all %zu labels were lost, the best residual %.2e",
                     h->n, s->best);
}
