/* SPDX-License-Identifier: Apache-2.0
 * articulation/quasi.c: quasi-velocities nu = N(q) qd, motion along them, and rates from
 * velocities of the links.
 *
 * Rates are computed from the base outwards: for each joint the qd that minimises
 * |S qd - u_rel|, where u_rel is the velocity of the link relative to its parent at the
 * centre of mass of the link. Columns of S are made orthogonal by Gram-Schmidt, twice
 * [giraud-langou-rozloznik-eshof-2005]. */
#include <config.h>

#include "articulation/articulated.h"

/* Least length of a column after orthogonalisation, in shares of the longest column. */
static const double rank_least = 1e-10;

void perp_articulation_quasi(const perp_articulation *tree, const double *qd, double *nu)
{
    for (size_t k = 0; k < tree->count; k++) {
        const perp_link *link = &tree->links[k];
        const size_t first = tree->first[k];
        const unsigned dof = link->mobilizer->dof;
        double N[36];
        double out[PERP_MOBILIZER_DOF] = {0};

        if (!link->mobilizer->quasi) {
            memmove(nu + first, qd + first, dof * sizeof *nu);
            continue;
        }
        link->mobilizer->quasi(link->axes, tree->q + first, NULL, N, NULL);
        for (unsigned j = 0; j < dof; j++) {
            for (unsigned i = 0; i < dof; i++) {
                out[i] += N[dof * j + i] * qd[first + j];
            }
        }
        memcpy(nu + first, out, dof * sizeof *nu);
    }
}

void perp_articulation_quasi_rate(const perp_articulation *tree, const double *qdd,
                                  double *nu_dot)
{
    for (size_t k = 0; k < tree->count; k++) {
        const perp_link *link = &tree->links[k];
        const size_t first = tree->first[k];
        const unsigned dof = link->mobilizer->dof;
        double N[36];
        double Ndot[36];
        double out[PERP_MOBILIZER_DOF] = {0};

        if (!link->mobilizer->quasi) {
            memmove(nu_dot + first, qdd + first, dof * sizeof *nu_dot);
            continue;
        }
        link->mobilizer->quasi(link->axes, tree->q + first, tree->qd + first, N, Ndot);
        for (unsigned j = 0; j < dof; j++) {
            for (unsigned i = 0; i < dof; i++) {
                out[i] += N[dof * j + i] * qdd[first + j] +
                          Ndot[dof * j + i] * tree->qd[first + j];
            }
        }
        memcpy(nu_dot + first, out, dof * sizeof *nu_dot);
    }
}

static perp_status quasi_fail(const perp_link *link, perp_error *err)
{
    return perp_fail(
        err, PERP_ERR_DATA,
        "joint \"%s\": %s at its singularity, velocities do not determine the rates",
        link->joint, link->mobilizer->name);
}

/* Length of the longest column of A, m x n. */
static double quasi_longest(unsigned m, unsigned n, const double *A)
{
    double longest = 0.0;

    for (unsigned j = 0; j < n; j++) {
        double square = 0.0;

        for (unsigned i = 0; i < m; i++) {
            square += A[(size_t)m * j + i] * A[(size_t)m * j + i];
        }
        longest = fmax(longest, square);
    }
    return sqrt(longest);
}

/* x := the least-squares solution of A x = b, A m x n column-major, and b are
 * overwritten. False: a column depends on the columns before it. */
static bool quasi_least_squares(unsigned m, unsigned n, double *A, double *b, double *x)
{
    double R[PERP_MOBILIZER_DOF][PERP_MOBILIZER_DOF] = {{0}};
    const double longest = quasi_longest(m, n, A);

    for (unsigned j = 0; j < n; j++) {
        double *a = A + (size_t)m * j;
        double after = 0.0;

        for (int pass = 0; pass < 2; pass++) {
            for (unsigned k = 0; k < j; k++) {
                double dot = 0.0;

                for (unsigned i = 0; i < m; i++) {
                    dot += A[(size_t)m * k + i] * a[i];
                }
                for (unsigned i = 0; i < m; i++) {
                    a[i] -= dot * A[(size_t)m * k + i];
                }
                R[k][j] += dot;
            }
        }
        for (unsigned i = 0; i < m; i++) {
            after += a[i] * a[i];
        }
        if (!(sqrt(after) > rank_least * longest)) {
            return false;
        }
        R[j][j] = sqrt(after);
        x[j] = 0.0;
        for (unsigned i = 0; i < m; i++) {
            a[i] /= R[j][j];
            x[j] += a[i] * b[i];
        }
        for (unsigned i = 0; i < m; i++) {
            b[i] -= x[j] * a[i];
        }
    }
    for (unsigned j = n; j-- > 0;) {
        for (unsigned k = j + 1; k < n; k++) {
            x[j] -= R[j][k] * x[k];
        }
        x[j] /= R[j][j];
    }
    return true;
}

/* b := A^-1 b, A n x n column-major and overwritten, by elimination with column pivots.
 * False: a pivot is negligible relative to the longest column. */
static bool quasi_solve(unsigned n, double *A, double *b)
{
    const double longest = quasi_longest(n, n, A);

    for (unsigned j = 0; j < n; j++) {
        const double *a = A + (size_t)n * j;
        unsigned pivot = j;

        for (unsigned i = j + 1; i < n; i++) {
            pivot = fabs(a[i]) > fabs(a[pivot]) ? i : pivot;
        }
        if (!(fabs(a[pivot]) > rank_least * longest)) {
            return false;
        }
        for (unsigned c = j; pivot != j && c < n; c++) {
            const double x = A[(size_t)n * c + j];

            A[(size_t)n * c + j] = A[(size_t)n * c + pivot];
            A[(size_t)n * c + pivot] = x;
        }
        if (pivot != j) {
            const double x = b[j];

            b[j] = b[pivot];
            b[pivot] = x;
        }
        for (unsigned i = j + 1; i < n; i++) {
            const double f = a[i] / a[j];

            for (unsigned c = j + 1; f != 0.0 && c < n; c++) {
                A[(size_t)n * c + i] -= f * A[(size_t)n * c + j];
            }
            b[i] -= f * b[j];
        }
    }
    for (unsigned j = n; j-- > 0;) {
        b[j] /= A[(size_t)n * j + j];
        for (unsigned i = 0; i < j; i++) {
            b[i] -= A[(size_t)n * j + i] * b[j];
        }
    }
    return true;
}

/* qd := N(q)^-1 nu of one link, dof numbers each; in place allowed. */
static perp_status quasi_rates(const perp_link *link, const double *q, const double *nu,
                               double *qd, perp_error *err)
{
    const unsigned dof = link->mobilizer->dof;
    double N[36];
    double b[PERP_MOBILIZER_DOF];

    if (!link->mobilizer->quasi) {
        memmove(qd, nu, dof * sizeof *qd);
        return PERP_OK;
    }
    memcpy(b, nu, dof * sizeof *b);
    link->mobilizer->quasi(link->axes, q, NULL, N, NULL);
    if (!quasi_solve(dof, N, b)) {
        return quasi_fail(link, err);
    }
    memcpy(qd, b, dof * sizeof *qd);
    return PERP_OK;
}

perp_status perp_articulation_rates(const perp_articulation *tree, const double *nu,
                                    double *qd, perp_error *err)
{
    perp_status status = PERP_OK;

    for (size_t k = 0; k < tree->count && status == PERP_OK; k++) {
        const size_t first = tree->first[k];

        status =
            quasi_rates(&tree->links[k], tree->q + first, nu + first, qd + first, err);
    }
    return status;
}

perp_status perp_articulation_drift(perp_articulation *tree, const double *nu, double dt,
                                    perp_error *err)
{
    for (size_t k = 0; k < tree->count; k++) {
        const perp_link *link = &tree->links[k];
        const size_t first = tree->first[k];
        double *q = tree->q + first;
        perp_status status = PERP_OK;

        if (link->mobilizer->drift) {
            link->mobilizer->drift(link->axes, q, nu + first, dt);
        } else {
            for (unsigned i = 0; i < link->mobilizer->dof; i++) {
                q[i] += dt * nu[first + i];
            }
        }
        status = quasi_rates(link, q, nu + first, tree->qd + first, err);
        if (status != PERP_OK) {
            return status;
        }
    }
    return perp_articulation_update(tree, err);
}

perp_status articulated_fit_rates(const perp_articulation *tree, const double *u,
                                  double *qd, perp_error *err)
{
    const articulated_own *own = articulated_of(tree);

    for (size_t k = 0; k < tree->count; k++) {
        articulated_link *link = &own->links[k];
        const double *S = own->S + 6 * link->first;
        const double *above = tree->base_u + 6 * k;
        double x[PERP_MOBILIZER_DOF];
        double A[36];
        double b[6];

        if (link->parent >= 0) {
            above = own->links[link->parent].a;
        }
        six_outward(link->d, above, link->a);
        articulated_at_mass(link, link->a, b);
        vec3_subtract(u + 6 * k, b, b);
        vec3_subtract(u + 6 * k + 3, b + 3, b + 3);
        for (uint32_t i = 0; i < link->dof; i++) {
            articulated_at_mass(link, S + 6 * i, A + 6 * i);
        }
        if (link->dof == 1) {
            x[0] = six_dot(A, b) / six_dot(A, A);
        } else if (!quasi_least_squares(6, link->dof, A, b, x)) {
            return quasi_fail(&tree->links[k], err);
        }
        for (uint32_t i = 0; i < link->dof; i++) {
            qd[link->first + i] = x[i];
            vec3_add(link->a, x[i], S + 6 * i, link->a);
            vec3_add(link->a + 3, x[i], S + 6 * i + 3, link->a + 3);
        }
    }
    return PERP_OK;
}
