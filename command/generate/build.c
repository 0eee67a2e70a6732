/* SPDX-License-Identifier: Apache-2.0
 * families/build.c: from a draft to a problem. */
#include <config.h>

#include "build.h"
#include "command/cli/take.h"

static void draft_vectors(family_draft *d, size_t n)
{
    d->n = n;
    d->b = take_reals(n);
    d->z = take_reals(n);
    d->w = take_reals(n);
}

perp_status family_dense(family_draft *d, size_t n, perp_error *err)
{
    memset(d, 0, sizeof *d);
    TRY(perp_operator_new_dense(&d->A, n, n, err));
    d->dense = perp_operator_arrays(d->A);
    draft_vectors(d, n);
    return PERP_OK;
}

void family_sparse(family_draft *d, size_t n, size_t capacity)
{
    memset(d, 0, sizeof *d);
    perp_triplets_init(&d->triplets, n, n, capacity);
    draft_vectors(d, n);
}

void family_drop(family_draft *d)
{
    perp_operator_free(d->A);
    perp_set_free(d->set);
    perp_triplets_free(&d->triplets);
    free(d->b);
    free(d->z);
    free(d->w);
    memset(d, 0, sizeof *d);
}

void family_entry(family_draft *d, size_t i, size_t j, double a)
{
    if (d->A) {
        *family_at(d, i, j) += a;
    } else {
        perp_triplets_add(&d->triplets, i, j, a);
    }
}

typedef struct row_sum {
    const double *z;
    double sum;
} row_sum;

static void add_term(void *context, size_t j, double a)
{
    row_sum *s = context;

    s->sum += a * s->z[j];
}

/* b := w - A z, each row summed in the order of its columns: the same bits everywhere. */
static void answer_makes_b(family_draft *d)
{
    for (size_t i = 0; i < d->n; i++) {
        row_sum s = {d->z, 0.0};

        perp_operator_row_visit(d->A, i, add_term, &s);
        d->b[i] = d->w[i] - s.sum;
    }
}

static void draft_store_solution(family_draft *d, perp_problem *p)
{
    p->solution = take(1, sizeof *p->solution);
    p->solution->z = d->z;
    p->solution->w = d->w;
    d->z = NULL;
    d->w = NULL;
}

perp_status family_finish(family_draft *d, family_answer answer, perp_problem **p,
                          perp_error *err)
{
    perp_status status = PERP_OK;

    *p = NULL;
    if (!d->A) {
        status = perp_triplets_finish(&d->A, &d->triplets, err);
    }
    if (status == PERP_OK && !d->set) {
        status = perp_set_new_uniform(&d->set, PERP_SET_NONNEG, d->n, err);
    }
    if (status != PERP_OK) {
        family_drop(d);
        return status;
    }
    if (answer == FAMILY_ANSWER_MAKES_B) {
        answer_makes_b(d);
    }
    status = perp_problem_new_take(p, d->A, d->b, d->set, d->law, err);
    d->A = NULL; /* the problem's now, or freed by it */
    d->b = NULL;
    d->set = NULL;
    if (status == PERP_OK && answer != FAMILY_NO_ANSWER) {
        draft_store_solution(d, *p);
    }
    if (status != PERP_OK) {
        perp_problem_free(*p);
        *p = NULL;
    }
    family_drop(d);
    return status;
}

/* Eight sums side by side, which the compiler turns into vector additions; the order is
 * fixed, so the bits are. */
static double dot(const double *x, const double *y, size_t m)
{
    double s[8] = {0};
    double tail = 0.0;
    size_t k = 0;

    for (; k + 8 <= m; k += 8) {
        for (size_t l = 0; l < 8; l++) {
            s[l] += x[k + l] * y[k + l];
        }
    }
    for (; k < m; k++) {
        tail += x[k] * y[k];
    }
    return ((s[0] + s[1]) + (s[2] + s[3])) + ((s[4] + s[5]) + (s[6] + s[7])) + tail;
}

void family_gram(family_draft *d, const double *B, size_t m, double divisor)
{
    for (size_t i = 0; i < d->n; i++) {
        for (size_t j = 0; j <= i; j++) {
            double a = dot(B + i * m, B + j * m, m) / divisor;

            *family_at(d, i, j) = a;
            *family_at(d, j, i) = a;
        }
    }
}

void family_roles(unsigned char *role, size_t n, const size_t *count, size_t kinds,
                  perp_random *g)
{
    size_t at = 0;

    for (size_t k = 0; k + 1 < kinds; k++) {
        for (size_t c = 0; c < count[k] && at < n; c++) {
            role[at++] = (unsigned char)k;
        }
    }
    while (at < n) {
        role[at++] = (unsigned char)(kinds - 1);
    }
    for (size_t i = n; i > 1; i--) { /* every order is equally likely */
        size_t j = (size_t)(perp_random_next(g) % i);
        unsigned char t = role[i - 1];

        role[i - 1] = role[j];
        role[j] = t;
    }
}
