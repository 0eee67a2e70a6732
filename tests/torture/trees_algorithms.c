/* SPDX-License-Identifier: Apache-2.0
 * tests/torture/trees_algorithms.c: algorithms of articulated bodies against each other.
 *
 *     H = J^T M J + rotors,  H qdd + c = tau + J^T f,  L^T D L = H,  H^-1 by factors
 *
 * with J from velocities of unit rates. What is compared is bounded by the sizes that
 * were added up, |H| |qdd| + |c| + |tau| + |J^T f|, so that no condition enters. */
#include <config.h>

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "reference.h"
#include "trees.h"

/* Sums of hundreds of products. */
static const double rounding = 1e-12;

typedef struct algebra {
    perp_articulation *tree;
    size_t n, rows; /* coordinates, 6 a link */
    double *J, *H;  /* rows x n, n x n, column-major */
    double *tau, *f, *JTf, *c, *qdd, *other, *a, *b;
    double size; /* of a force */
} algebra;

static bool open_algebra(algebra *s, perp_articulation *tree)
{
    const size_t n = tree->n;
    const size_t rows = 6 * tree->count;

    s->tree = tree;
    s->n = n;
    s->rows = rows;
    s->J = calloc(rows * n + 2 * n * n + 5 * n + 3 * rows + 1, sizeof *s->J);
    if (!s->J) {
        return false;
    }
    s->H = s->J + rows * n;
    s->tau = s->H + 2 * n * n;
    s->JTf = s->tau + n;
    s->c = s->JTf + n;
    s->qdd = s->c + n;
    s->other = s->qdd + n;
    s->f = s->other + n;
    s->a = s->f + rows;
    s->b = s->a + rows;
    return true;
}

static void columns(algebra *s)
{
    for (size_t c = 0; c < s->n; c++) {
        s->other[c] = 1.0;
        perp_articulation_velocities(s->tree, s->other, false, s->J + c * s->rows);
        s->other[c] = 0.0;
        for (size_t r = 0; r < s->rows; r++) {
            s->JTf[c] += s->J[c * s->rows + r] * s->f[r];
        }
    }
}

/* y := H x, and the sum of the sizes of what it adds into *most. */
static void apply(const algebra *s, const double *x, double *y, double *most)
{
    for (size_t i = 0; i < s->n; i++) {
        double sum = 0.0;
        double sizes = 0.0;

        for (size_t j = 0; j < s->n; j++) {
            sum += s->H[i + j * s->n] * x[j];
            sizes += fabs(s->H[i + j * s->n] * x[j]);
        }
        y[i] = sum;
        *most = fmax(*most, sizes);
    }
}

/* M times the columns of J, link by link, into b. */
static void weigh(const algebra *s, const double *u)
{
    for (size_t k = 0; k < s->tree->count; k++) {
        const perp_link *link = &s->tree->links[k];
        const double *R = s->tree->E[k].R;
        double own[3];
        double turned[3];

        for (int c = 0; c < 3; c++) {
            own[c] =
                R[c] * u[6 * k + 3] + R[3 + c] * u[6 * k + 4] + R[6 + c] * u[6 * k + 5];
            s->b[6 * k + (size_t)c] = link->mass * u[6 * k + (size_t)c];
        }
        for (int r = 0; r < 3; r++) {
            turned[r] = link->inertia[3 * r] * own[0] +
                        link->inertia[3 * r + 1] * own[1] +
                        link->inertia[3 * r + 2] * own[2];
        }
        for (int r = 0; r < 3; r++) {
            s->b[6 * k + 3 + (size_t)r] = R[3 * r] * turned[0] +
                                          R[3 * r + 1] * turned[1] +
                                          R[3 * r + 2] * turned[2];
        }
    }
}

static void check_crba(forest_trial *t, algebra *s)
{
    double worst = 0.0;

    perp_articulation_crba(s->tree, s->H);
    for (size_t j = 0; j < s->n; j++) {
        weigh(s, s->J + j * s->rows);
        for (size_t i = 0; i < s->n; i++) {
            double sum = -s->H[i + j * s->n];

            for (size_t r = 0; r < s->rows; r++) {
                sum += s->J[i * s->rows + r] * s->b[r];
            }
            for (size_t k = 0; i == j && k < s->tree->count; k++) {
                if (i >= s->tree->first[k] && i < s->tree->first[k + 1]) {
                    sum += s->tree->links[k].armature[i - s->tree->first[k]];
                }
            }
            worst = fmax(worst, fabs(sum));
        }
    }
    torture_within(t, "CRBA and J^T M J", worst, rounding,
                   torture_largest(s->H, s->n * s->n));
}

/* H x = right side, whatever made x. */
static void check_solution(forest_trial *t, algebra *s, const char *what, const double *x)
{
    double size = s->size;
    double worst = 0.0;

    apply(s, x, s->a, &size);
    for (size_t c = 0; c < s->n; c++) {
        worst = fmax(worst, fabs(s->a[c] + s->c[c] - s->tau[c] - s->JTf[c]));
    }
    torture_within(t, what, worst, rounding, size);
}

static void check_dynamics(forest_trial *t, algebra *s)
{
    perp_error err = {0};
    double size = 0.0;

    perp_articulation_rnea(s->tree, NULL, NULL, s->c);
    s->size = torture_largest(s->tau, s->n) + torture_largest(s->JTf, s->n) +
              torture_largest(s->c, s->n);
    if (perp_articulation_aba(s->tree, s->tau, s->f, s->qdd, &err) != PERP_OK) {
        torture_fault(t, "ABA: %s", err.text);
        return;
    }
    check_solution(t, s, "ABA and CRBA", s->qdd);
    perp_articulation_rnea(s->tree, s->qdd, s->f, s->other);
    size = s->size;
    apply(s, s->qdd, s->a, &size);
    torture_within(t, "RNEA of ABA", torture_apart(s->other, s->tau, s->n), rounding,
                   size);
}

static void check_factors(forest_trial *t, algebra *s)
{
    double *L = s->H + s->n * s->n;
    double size = s->size;
    perp_error err = {0};

    memcpy(L, s->H, s->n * s->n * sizeof *L);
    if (!perp_articulation_ltdl(s->tree, L)) {
        torture_fault(t, "LTDL: a pivot is not positive");
        return;
    }
    for (size_t c = 0; c < s->n; c++) {
        s->other[c] = s->tau[c] + s->JTf[c] - s->c[c];
    }
    perp_articulation_ltdl_solve(s->tree, L, s->other);
    check_solution(t, s, "LTDL", s->other);
    if (perp_articulation_factor(s->tree, 0.0, &err) != PERP_OK) {
        torture_fault(t, "factor: %s", err.text);
        return;
    }
    perp_articulation_solve_mass(s->tree, s->tau, s->f, s->qdd, s->a);
    perp_articulation_velocities(s->tree, s->qdd, false, s->b);
    torture_within(t, "velocities of a response", torture_apart(s->a, s->b, s->rows),
                   rounding, t->told.lengths * torture_largest(s->b, s->rows) + 1e-3);
    memset(s->c, 0, s->n * sizeof *s->c);
    s->size = size;
    check_solution(t, s, "response of factors", s->qdd);
}

void torture_check_algorithms(forest_trial *t, perp_world *reduced)
{
    algebra s = {0};
    perp_random g = {t->seed + 17 * t->index};

    if (!open_algebra(&s, reduced->start->trees)) {
        torture_fault(t, "no memory");
        return;
    }
    for (size_t c = 0; c < s.n; c++) {
        s.tau[c] = perp_random_uniform(&g, -10.0, 10.0);
    }
    for (size_t r = 0; r < s.rows; r++) {
        s.f[r] = perp_random_uniform(&g, -10.0, 10.0);
    }
    columns(&s);
    check_crba(t, &s);
    check_dynamics(t, &s);
    check_factors(t, &s);
    free(s.J);
}

/* Rotations of links that have charts, more than half a turn from where they began. */
static size_t turn_far(perp_articulation *tree, perp_random *g)
{
    size_t count = 0;

    for (size_t k = 0; k < tree->count; k++) {
        double *q = tree->q + tree->first[k];
        double length = 0.0;
        double reach = perp_random_uniform(g, M_PI + 0.01, 2.0 * M_PI - 0.2);

        for (int c = 0; tree->links[k].mobilizer->switch_chart && c < 3; c++) {
            q[c] = perp_random_uniform(g, -1.0, 1.0) + (c == 0 ? 2.0 : 0.0);
            length = hypot(length, q[c]);
        }
        for (int c = 0; length > 0.0 && c < 3; c++) {
            q[c] *= reach / length;
        }
        count += length > 0.0;
    }
    return count;
}

void torture_check_charts(forest_trial *t, perp_world *reduced)
{
    perp_articulation *tree = reduced->start->trees;
    const size_t n = reduced->body_count;
    double *kept = calloc(13 * n + tree->n + 1, sizeof *kept);
    perp_random g = {t->seed + 29 * t->index};
    perp_error err = {0};
    double size = 0.0;
    bool ok = kept != NULL;

    t->at->charts += turn_far(tree, &g);
    tree->switch_chart = false;
    ok = ok && perp_world_forward_kinematics(reduced, reduced->start, &err) == PERP_OK;
    if (ok) {
        memcpy(kept, reduced->start->s, 7 * n * sizeof *kept);
        memcpy(kept + 7 * n, reduced->start->u, 6 * n * sizeof *kept);
        memcpy(kept + 13 * n, tree->q, tree->n * sizeof *kept);
        size = 1.0 + torture_largest(reduced->start->u, 6 * n);
        tree->switch_chart = true;
        ok = perp_world_forward_kinematics(reduced, reduced->start, &err) == PERP_OK;
    }
    if (!ok) {
        torture_fault(t, "charts: %s", err.text);
    } else {
        for (size_t k = 0; k < tree->count; k++) {
            const size_t first = tree->first[k];

            if (tree->links[k].mobilizer->switch_chart &&
                torture_apart(tree->q + first, kept + 13 * n + first, 3) < 1.0) {
                torture_fault(t, "link %s keeps its chart", tree->links[k].name);
            }
        }
        /* 0.2 rad from a singularity digits of rates go by 1/0.2^2, a link after
         * another */
        torture_within(t, "poses of another chart",
                       torture_apart(reduced->start->s, kept, 7 * n), 1e-12,
                       t->told.lengths + torture_largest(kept, 7 * n));
        torture_within(t, "velocities of another chart",
                       torture_apart(reduced->start->u, kept + 7 * n, 6 * n), 1e-11,
                       size);
    }
    free(kept);
}
