/* SPDX-License-Identifier: Apache-2.0
 * matrix/pairs_make.c: construction, copies and comparison of matrices of rows on two bodies,
 * and their conversion to sparse factors. */
#include <config.h>

#include "base/base.h"
#include "matrix/storages.h"

void perp_pairs_free(perp_pair_rows *f)
{
    if (!f) {
        return;
    }
    free(f->J);
    free(f->frames);
    free(f->body);
    free(f->inverse_mass);
    free(f->inverse_inertia);
    if (!f->view) {
        free(f->C);
        free(f->left);
        free(f->right);
    }
    if (!f->borrows_lists) {
        free(f->start);
        free(f->touch);
    }
    free(f->v);
    free(f);
}

static perp_status pairs_check(const perp_pairs *pairs, perp_error *err)
{
    if (pairs->bodies > INT32_MAX / 6) {
        return perp_fail(err, PERP_ERR_DATA, "pairs: %zu bodies, expected at most %d",
                         pairs->bodies, INT32_MAX / 6);
    }
    if (pairs->frames_from > pairs->rows || (pairs->rows - pairs->frames_from) % 3 != 0) {
        return perp_fail(err, PERP_ERR_DATA,
                         "pairs: frames from row %zu of %zu on, expected three rows for "
                         "each",
                         pairs->frames_from, pairs->rows);
    }
    for (size_t i = 0; i < 2 * perp_pairs_body_count(pairs); i++) {
        if (pairs->body[i] < -1 || pairs->body[i] >= (int32_t)pairs->bodies) {
            size_t own = pairs->frames_from, k = i / 2;

            return perp_fail(err, PERP_ERR_DATA,
                             "pairs: row %zu acts on body %d, expected -1 or a number "
                             "below %zu",
                             k < own ? k : own + 3 * (k - own), (int)pairs->body[i],
                             pairs->bodies);
        }
    }
    return PERP_OK;
}

/* Around arrays that are checked; only C is copied. The factors of a scaling are not touched until
 * they are written. */
static perp_status pairs_new(perp_operator **A, const perp_pairs *pairs, perp_error *err)
{
    size_t n = pairs->rows;
    perp_status status = perp_operator_blank(A, &perp_operator_pairs, n, n, err);
    perp_pair_rows *f = NULL;

    if (status != PERP_OK) {
        return status;
    }
    f = (*A)->pairs = calloc(1, sizeof *f);
    if (f) {
        f->at = *pairs;
        f->at.C = NULL;
        f->nv = 6 * pairs->bodies;
        f->C = perp_reals_new(n);
        f->v = perp_reals_new(f->nv);
        f->left = perp_operator_array(n, 1, sizeof *f->left);
        f->right = perp_operator_array(n, 1, sizeof *f->right);
    }
    if (!f || !f->C || !f->v || !f->left || !f->right) {
        perp_operator_free(*A);
        *A = NULL;
        return perp_fail(err, PERP_ERR_MEMORY,
                         "no memory for a matrix of %zu rows on two bodies", n);
    }
    if (pairs->C && n > 0) {
        memcpy(f->C, pairs->C, n * sizeof *f->C);
    }
    (*A)->count = 12 * n;
    return PERP_OK;
}

/* All numbers are those of A; only the scratch is memory of its own. */
perp_status perp_pairs_view(perp_operator *out, const perp_operator *A, perp_error *err)
{
    perp_pair_rows *f = malloc(sizeof *f);
    double *v = perp_reals_new(A->pairs->nv);

    if (!f || !v) {
        free(f);
        free(v);
        return perp_fail(err, PERP_ERR_MEMORY,
                         "no memory for the scratch of %zu rows on two bodies", A->rows);
    }
    *f = *A->pairs;
    f->v = v;
    f->J = f->frames = f->inverse_mass = f->inverse_inertia = NULL;
    f->body = NULL;
    f->view = true;
    f->borrows_lists = f->start != NULL;
    out->pairs = f;
    return PERP_OK;
}

perp_status perp_operator_new_pairs(perp_operator **A, const perp_pairs *pairs,
                                    perp_error *err)
{
    if (perp_check_arguments(A && pairs, "perp_operator_new_pairs", err) != PERP_OK) {
        return PERP_ERR_ARGUMENT;
    }

    perp_pairs at = *pairs;

    *A = NULL;
    if (!at.frames) {
        at.frames_from = at.rows;
    }
    TRY(pairs_check(&at, err));
    return pairs_new(A, &at, err);
}

static void *pairs_array(const void *from, size_t a, size_t b, size_t size)
{
    void *to = perp_operator_array(a, b, size);

    if (to && a > 0) {
        memcpy(to, from, a * b * size);
    }
    return to;
}

perp_status perp_pairs_copy(perp_operator **out, const perp_operator *A, bool transposed,
                            perp_error *err)
{
    const perp_pair_rows *f = A->pairs;
    perp_pairs at = f->at;
    perp_pair_rows *copy = NULL;

    at.C = f->C;
    TRY(pairs_new(out, &at, err));
    copy = (*out)->pairs;
    copy->at.J = copy->J = pairs_array(f->at.J, at.frames_from, 12, sizeof(double));
    copy->at.frames = copy->frames =
        pairs_array(f->at.frames, perp_pairs_contact(&at, at.rows), 15, sizeof(double));
    copy->at.body = copy->body =
        pairs_array(f->at.body, perp_pairs_body_count(&at), 2, sizeof(int32_t));
    copy->at.inverse_mass = copy->inverse_mass =
        pairs_array(f->at.inverse_mass, at.bodies, 1, sizeof(double));
    copy->at.inverse_inertia = copy->inverse_inertia =
        pairs_array(f->at.inverse_inertia, at.bodies, 9, sizeof(double));
    if (!copy->J || !copy->frames || !copy->body || !copy->inverse_mass ||
        !copy->inverse_inertia) {
        perp_operator_free(*out);
        *out = NULL;
        return perp_fail(err, PERP_ERR_MEMORY, "no memory to copy %zu rows", at.rows);
    }
    copy->scaled = f->scaled;
    if (f->scaled) {
        memcpy(copy->left, transposed ? f->right : f->left, at.rows * sizeof *copy->left);
        memcpy(copy->right, transposed ? f->left : f->right,
               at.rows * sizeof *copy->right);
    }
    return PERP_OK;
}

bool perp_pairs_lists(const perp_pairs *p, size_t e, size_t **start_out,
                      int32_t **touch_out)
{
    size_t *start = calloc(p->bodies + 2, sizeof *start);
    int32_t *touch = perp_operator_array(p->rows / e, 2, sizeof *touch);

    if (!start || !touch) {
        free(start);
        free(touch);
        return false;
    }
    for (int pass = 0; pass < 2; pass++) { /* count, then write */
        for (size_t i = 0; i < p->rows / e; i++) {
            const int32_t *two = perp_pairs_body(p, e * i);

            for (size_t side = 0; side < 2; side++) {
                if (two[side] < 0 || (side == 1 && two[1] == two[0])) {
                    continue;
                }
                if (pass == 0) {
                    start[two[side] + 2]++;
                } else { /* start[b+1] moves from the first to the end */
                    touch[start[two[side] + 1]++] = (int32_t)i;
                }
            }
        }
        for (size_t k = 0; pass == 0 && k < p->bodies; k++) {
            start[k + 2] += start[k + 1];
        }
    }
    *start_out = start;
    *touch_out = touch;
    return true;
}

bool perp_pairs_index(perp_pair_rows *f)
{
    return f->start || perp_pairs_lists(&f->at, 1, &f->start, &f->touch);
}

/* J and M^-1 as sparse matrices. */
typedef struct written {
    perp_operator *J, *Minv;
} written;

/* Columns of two bodies in one row, ascending; of one body named twice, their sum. */
static size_t write_row(const perp_pairs *p, size_t i, int32_t *col, double *x)
{
    const int32_t *two = perp_pairs_body(p, i);
    int32_t a = two[0], b = two[1];
    double made[12];
    const double *row = perp_pairs_row(p, i, made);
    size_t first = b >= 0 && (a < 0 || b < a), count = 0;

    for (size_t pass = 0; pass < 2; pass++) {
        size_t side = first ^ pass;
        int32_t body = two[side];
        const double *J = row + 6 * side;

        if (body >= 0 && pass == 1 && a == b) {
            for (size_t k = 0; k < 6; k++) {
                x[k] += J[k];
            }
        } else if (body >= 0) {
            for (size_t k = 0; k < 6; k++, count++) {
                col[count] = 6 * body + (int32_t)k;
                x[count] = J[k];
            }
        }
    }
    return count;
}

static perp_status write_parts(written *w, const perp_pairs *p, perp_error *err)
{
    size_t nv = 6 * p->bodies, next = 0;
    perp_status status =
        perp_operator_new_sparse(&w->J, p->rows, nv, 1, 12 * p->rows, err);

    for (size_t i = 0; status == PERP_OK && i < p->rows; i++) {
        next += write_row(p, i, w->J->col + next, w->J->x + next);
        w->J->ptr[i + 1] = next;
        w->J->count = next;
    }
    if (status == PERP_OK) {
        status = perp_operator_new_sparse(&w->Minv, nv, nv, 1, 2 * nv, err);
    }
    for (size_t i = 0; status == PERP_OK && i < nv; i++) {
        size_t body = i / 6, k = i % 6, at = w->Minv->ptr[i];

        for (size_t m = k < 3 ? k : 3; m < (k < 3 ? k + 1 : 6); m++, at++) {
            size_t low = k < m ? k - 3 : m - 3, high = k < m ? m - 3 : k - 3;

            w->Minv->col[at] = (int32_t)(6 * body + m);
            w->Minv->x[at] = k < 3 ? p->inverse_mass[body]
                                   : p->inverse_inertia[9 * body + 3 * low + high];
        }
        w->Minv->ptr[i + 1] = at;
    }
    return status;
}

perp_status perp_pairs_expand(perp_operator **out, const perp_operator *A,
                              perp_error *err)
{
    const perp_pair_rows *f = A->pairs;
    written w = {0};
    perp_status status = write_parts(&w, &f->at, err);

    *out = NULL;
    if (status == PERP_OK) {
        status = perp_operator_new_factored(out, w.J, w.Minv, NULL, err);
    }
    if (status == PERP_OK && f->scaled) {
        perp_operator_scale(*out, f->left, f->right);
    }
    if (status == PERP_OK && A->rows > 0) {
        memcpy((*out)->factored->C, f->C, A->rows * sizeof(double));
    }
    perp_operator_free(w.J);
    perp_operator_free(w.Minv);
    return status;
}

perp_status perp_pairs_symmetric_part(perp_operator **out, const perp_operator *A,
                                      perp_error *err)
{
    perp_operator *sparse = NULL;
    perp_status status = PERP_OK;

    *out = NULL;
    if (!A->pairs->scaled || perp_operator_is_symmetric(A)) {
        return perp_pairs_copy(out, A, false, err);
    }
    status = perp_pairs_expand(&sparse, A, err); /* scaled from two unequal sides */
    if (status == PERP_OK) {
        status = perp_factored_symmetric_part(out, sparse, err);
    }
    perp_operator_free(sparse);
    return status;
}

static bool pairs_equal(const void *x, const void *y, size_t n, size_t size)
{
    return n == 0 || memcmp(x, y, n * size) == 0;
}

bool perp_pairs_same(const perp_operator *A, const perp_operator *B)
{
    const perp_pair_rows *f = A->pairs;
    const perp_pair_rows *g = B->pairs;
    size_t n = A->rows, bodies = f->at.bodies;
    const size_t real = sizeof(double);

    return bodies == g->at.bodies && f->scaled == g->scaled &&
           f->at.frames_from == g->at.frames_from &&
           pairs_equal(f->at.J, g->at.J, 12 * f->at.frames_from, real) &&
           pairs_equal(f->at.frames, g->at.frames, 15 * perp_pairs_contact(&f->at, n),
                       real) &&
           pairs_equal(f->at.body, g->at.body, 2 * perp_pairs_body_count(&f->at),
                       sizeof(int32_t)) &&
           pairs_equal(f->C, g->C, n, real) &&
           pairs_equal(f->at.inverse_mass, g->at.inverse_mass, bodies, real) &&
           pairs_equal(f->at.inverse_inertia, g->at.inverse_inertia, 9 * bodies, real) &&
           (!f->scaled || (pairs_equal(f->left, g->left, n, real) &&
                           pairs_equal(f->right, g->right, n, real)));
}

/* Without function calls, which would cost as much as a sweep; false when there is a NaN. */
static bool pairs_below(const double *x, size_t n, double most)
{
    bool below = true;

    for (size_t i = 0; i < n; i++) {
        below &= fabs(x[i]) <= most;
    }
    return below;
}

/* An entry is a sum of at most 4 x 18 products of three numbers, and two factors; a number of a
 * frame's row one of two products of two. */
bool perp_pairs_bounded(const perp_operator *A)
{
    const perp_pair_rows *f = A->pairs;
    const double most = 1e50;

    return perp_all_finite(A->pairs->C, A->rows) &&
           pairs_below(f->at.J, 12 * f->at.frames_from, most) &&
           pairs_below(f->at.frames, 15 * perp_pairs_contact(&f->at, A->rows), 1e25) &&
           pairs_below(f->at.inverse_mass, f->at.bodies, most) &&
           pairs_below(f->at.inverse_inertia, 9 * f->at.bodies, most) &&
           (!f->scaled || (pairs_below(f->left, A->rows, most) &&
                           pairs_below(f->right, A->rows, most)));
}
