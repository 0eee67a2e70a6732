/* SPDX-License-Identifier: Apache-2.0
 * formats/fclib_read.c: read an FCLIB file: local, mixed local, global, rolling.
 *
 *     local    A = [W V; V^T R], b = (q, s): m rows of cones, then p free rows
 *     global   M, H, G, f as given, b = (w, b): condensing is the caller's choice
 *
 * Sizes come from the extents of the vectors; what the file declares is compared with them
 * before anything is allocated by it. */
#include <config.h>

#include "base/base.h"
#include "fclib.h"
#include "meta_hdf5.h"

/* A vector of finite numbers of the problem. */
static perp_status read_vector(fclib_reading *r, const char *name, size_t expected,
                               size_t *count, double **x)
{
    char group[PERP_H5_PATH];
    char inside[PERP_H5_PATH];
    size_t found = 0;
    perp_status status = perp_h5_reals(
        &r->f, perp_h5_join(inside, perp_h5_join(group, r->root, "vectors"), name),
        expected, &found, x);

    if (status == PERP_OK) {
        status = perp_h5_check_finite(&r->f, inside, *x, found);
    }
    if (count) {
        *count = found;
    }
    return status;
}

/* mu or mu_r. */
static perp_status read_friction(fclib_reading *r, const char *name, size_t expected,
                                 size_t *count, double **mu)
{
    char inside[PERP_H5_PATH];
    size_t found = 0;
    perp_status status = read_vector(r, name, expected, &found, mu);

    for (size_t k = 0; status == PERP_OK && k < found; k++) {
        if ((*mu)[k] < 0.0) {
            snprintf(inside, sizeof inside, "%s/vectors/%s", r->root, name);
            status =
                perp_h5_fail(&r->f, PERP_ERR_DATA, inside,
                             "number %zu is %g, expected a number >= 0", k, (*mu)[k]);
        }
    }
    if (count) {
        *count = found;
    }
    return status;
}

/* q (or w) must hold dim numbers for each mu. */
static perp_status read_normal_vector(fclib_reading *r, const char *name, double **x)
{
    size_t found = 0;
    char inside[PERP_H5_PATH];
    perp_status status = read_vector(r, name, PERP_H5_ANY, &found, x);

    snprintf(inside, sizeof inside, "%s/vectors/%s", r->root, name);
    if (status == PERP_OK && found % r->dim != 0) {
        return perp_h5_fail(&r->f, PERP_ERR_FORMAT, inside,
                            "extent %zu, expected a multiple of spacedim = %zu", found,
                            r->dim);
    }
    r->m = found;
    r->contacts = found / r->dim;
    return status;
}

/* Both parts of b in one vector. */
static perp_status join_b(fclib_reading *r, const double *cones, const double *free_rows)
{
    perp_problem *p = r->problem;

    p->n = r->m + r->p;
    p->b = perp_reals_new(p->n);
    if (!p->b) {
        return perp_h5_fail(&r->f, PERP_ERR_MEMORY, r->root, "no memory for %zu rows",
                            p->n);
    }
    memcpy(p->b, cones, r->m * sizeof(double));
    if (free_rows) {
        memcpy(p->b + r->m, free_rows, r->p * sizeof(double));
    }
    return PERP_OK;
}

static perp_status read_set(fclib_reading *r)
{
    double *mu = NULL;
    double *mu_r = NULL;
    perp_set *set = NULL;
    perp_status status = read_friction(r, "mu", r->contacts, NULL, &mu);

    if (status == PERP_OK && r->form == FCLIB_ROLLING) {
        status = read_friction(r, "mu_r", r->contacts, NULL, &mu_r);
    }
    if (status == PERP_OK) {
        status = perp_set_new(&r->problem->set, r->contacts + r->p, r->f.err);
    }
    set = r->problem->set;
    for (size_t k = 0; status == PERP_OK && k < r->contacts; k++) {
        if (mu_r) {
            perp_set_add_rolling(set, mu[k], mu_r[k]);
        } else {
            perp_set_add_cone(set, (unsigned)r->dim, mu[k]);
        }
    }
    for (size_t k = 0; status == PERP_OK && k < r->p; k++) {
        perp_set_add_free(set);
    }
    free(mu);
    free(mu_r);
    return status;
}

/* A matrix being filled row by row from parts of others. */
typedef struct assembly {
    perp_operator *A;
    size_t next;  /* entry to fill */
    size_t shift; /* of the columns of the current part */
} assembly;

static void assemble_entry(void *context, size_t j, double a)
{
    assembly *q = context;

    q->A->col[q->next] = (int32_t)(j + q->shift);
    q->A->x[q->next++] = a;
}

/* A = [W V; V^T R], row by row. */
static perp_status join_mixed(fclib_reading *r, const perp_operator *W,
                              const perp_operator *V, const perp_operator *R)
{
    perp_operator *T = NULL;
    size_t n = r->m + r->p;
    assembly q = {0};
    perp_status status = perp_operator_transpose(&T, V, r->f.err);

    if (status == PERP_OK) {
        status = perp_operator_new_sparse(&r->problem->A, n, n, 1,
                                          W->count + 2 * V->count + R->count, r->f.err);
    }
    q.A = r->problem->A;
    for (size_t i = 0; status == PERP_OK && i < n; i++) {
        const perp_operator *left = i < r->m ? W : T;
        const perp_operator *right = i < r->m ? V : R;
        size_t row = i < r->m ? i : i - r->m;

        q.shift = 0;
        perp_operator_row_visit(left, row, assemble_entry, &q);
        q.shift = r->m;
        perp_operator_row_visit(right, row, assemble_entry, &q);
        q.A->ptr[i + 1] = q.next;
    }
    perp_operator_free(T);
    return status;
}

static perp_status read_mixed(fclib_reading *r, perp_operator *W)
{
    char inside[PERP_H5_PATH];
    perp_operator *V = NULL;
    perp_operator *R = NULL;
    perp_status status =
        perp_fclib_read_matrix(&r->f, perp_h5_join(inside, r->root, "V"), r->m, r->p,
                               FCLIB_AS_STORED, &V, r->notes);

    if (status == PERP_OK) {
        status = perp_fclib_read_matrix(&r->f, perp_h5_join(inside, r->root, "R"), r->p,
                                        r->p, FCLIB_AS_STORED, &R, r->notes);
    }
    if (status == PERP_OK) {
        status = join_mixed(r, W, V, R);
    }
    perp_operator_free(V);
    perp_operator_free(R);
    return status;
}

static perp_status find(const fclib_reading *r, const char *name, bool *there)
{
    char inside[PERP_H5_PATH];

    return perp_h5_exists(&r->f, perp_h5_join(inside, r->root, name), there);
}

static perp_status read_local(fclib_reading *r)
{
    char inside[PERP_H5_PATH];
    double *q = NULL;
    double *s = NULL;
    perp_operator *W = NULL;
    bool mixed = false;
    perp_status status = find(r, "V", &mixed);

    if (status == PERP_OK && !mixed) {
        status = find(r, "R", &mixed);
    }
    if (status == PERP_OK) {
        status = read_normal_vector(r, "q", &q);
    }
    if (status == PERP_OK && mixed) {
        status = read_vector(r, "s", PERP_H5_ANY, &r->p, &s);
    }
    if (status == PERP_OK) {
        status = read_set(r);
    }
    if (status == PERP_OK) {
        status = join_b(r, q, s);
    }
    if (status == PERP_OK) {
        status = perp_fclib_read_matrix(&r->f, perp_h5_join(inside, r->root, "W"), r->m,
                                        r->m, FCLIB_AS_STORED, &W, r->notes);
    }
    if (status == PERP_OK && mixed) {
        status = read_mixed(r, W);
    } else if (status == PERP_OK) {
        r->problem->A = W;
        W = NULL;
    }
    perp_operator_free(W);
    free(q);
    free(s);
    return status;
}

static perp_status read_global_matrices(fclib_reading *r, bool symmetric_upper)
{
    char inside[PERP_H5_PATH];
    perp_global *g = r->problem->global;
    bool equalities = false;

    TRY(perp_fclib_read_matrix(&r->f, perp_h5_join(inside, r->root, "M"), r->n_v, r->n_v,
                               symmetric_upper ? FCLIB_UPPER : FCLIB_AS_STORED, &g->M,
                               r->notes));
    TRY(perp_fclib_read_matrix(&r->f, perp_h5_join(inside, r->root, "H"), r->n_v, r->m,
                               FCLIB_AS_STORED, &g->H, NULL));
    TRY(find(r, "G", &equalities));
    if (equalities) {
        TRY(perp_fclib_read_matrix(&r->f, perp_h5_join(inside, r->root, "G"), r->n_v,
                                   r->p, FCLIB_AS_STORED, &g->G, NULL));
    }
    return PERP_OK;
}

static perp_status read_global(fclib_reading *r, bool symmetric_upper)
{
    double *w = NULL;
    double *b = NULL;
    bool equalities = false;
    perp_global *g = calloc(1, sizeof *g);
    perp_status status = PERP_OK;

    r->problem->global = g;
    if (!g) {
        return perp_h5_fail(&r->f, PERP_ERR_MEMORY, r->root, "no memory");
    }
    status = read_vector(r, "f", PERP_H5_ANY, &r->n_v, &g->f);
    if (status == PERP_OK) {
        status = read_normal_vector(r, "w", &w);
    }
    if (status == PERP_OK) {
        status = find(r, "G", &equalities);
    }
    if (status == PERP_OK && equalities) {
        status = read_vector(r, "b", PERP_H5_ANY, &r->p, &b);
    }
    if (status == PERP_OK) {
        status = read_set(r);
    }
    if (status == PERP_OK) {
        status = join_b(r, w, b);
    }
    if (status == PERP_OK) {
        status = read_global_matrices(r, symmetric_upper);
    }
    free(w);
    free(b);
    return status;
}

static perp_status read_info(fclib_reading *r)
{
    char group[PERP_H5_PATH];
    char inside[PERP_H5_PATH];
    perp_problem *p = r->problem;

    perp_h5_join(group, r->root, "info");
    TRY(perp_h5_text(&r->f, perp_h5_join(inside, group, "title"), &p->title));
    TRY(perp_h5_text(&r->f, perp_h5_join(inside, group, "description"), &p->description));
    return perp_h5_text(&r->f, perp_h5_join(inside, group, "math_info"), &p->math_info);
}

/* The group that holds the problem, or the first of several. */
static perp_status find_form(fclib_reading *r)
{
    size_t found = 0;

    for (fclib_form k = FCLIB_FORMS; k-- > FCLIB_LOCAL;) {
        bool there = false;
        perp_status status = perp_h5_exists(&r->f, fclib_roots[k], &there);

        if (status != PERP_OK) {
            return status;
        }
        r->form = there ? k : r->form;
        found += there;
    }
    if (found == 0) {
        return perp_fail(r->f.err, PERP_ERR_FORMAT,
                         "%s: no group /fclib_local, /fclib_global or "
                         "/fclib_global_rolling",
                         r->f.path);
    }
    r->root = fclib_roots[r->form];
    if (found > 1) {
        perp_note(r->notes, "the file holds several problems; %s was read", r->root + 1);
    }
    return PERP_OK;
}

static perp_status read_spacedim(fclib_reading *r, const char *kind)
{
    static const struct {
        const char *kind;
        fclib_form form;
        size_t dim;
    } kinds[] = {{"fc2d", FCLIB_LOCAL, 2},
                 {"fc3d", FCLIB_LOCAL, 3},
                 {"gfc2d", FCLIB_GLOBAL, 2},
                 {"gfc3d", FCLIB_GLOBAL, 3},
                 {"rolling", FCLIB_ROLLING, 5}};
    char inside[PERP_H5_PATH];
    int64_t dim = 0;

    TRY(perp_h5_integer(&r->f, perp_h5_join(inside, r->root, "spacedim"), &dim));
    if (r->form == FCLIB_ROLLING && dim == 3) {
        return perp_h5_fail(&r->f, PERP_ERR_UNSUITABLE, inside,
                            "3: rolling in a plane has no set here, expected 5");
    }
    if (r->form == FCLIB_ROLLING ? dim != 5 : dim != 2 && dim != 3) {
        return perp_h5_fail(&r->f, PERP_ERR_FORMAT, inside, "%lld, expected %s",
                            (long long)dim, r->form == FCLIB_ROLLING ? "5" : "2 or 3");
    }
    r->dim = (size_t)dim;
    for (size_t k = 0; kind && k < sizeof kinds / sizeof kinds[0]; k++) {
        if (kinds[k].form == r->form && kinds[k].dim == r->dim &&
            strcmp(kind, kinds[k].kind) != 0) {
            return perp_fail(r->f.err, PERP_ERR_OPTION,
                             "%s: kind is \"%s\", but the file holds %s", r->f.path, kind,
                             kinds[k].kind);
        }
    }
    return PERP_OK;
}

static perp_status read_all(fclib_reading *r, const perp_read_options *opt)
{
    TRY(find_form(r));
    TRY(read_spacedim(r, opt->kind));
    if (opt->symmetric_upper && r->form == FCLIB_LOCAL) {
        TRY(perp_fail(r->f.err, PERP_ERR_OPTION,
                      "%s: symmetric-upper is for M of a global problem, but the "
                      "file holds a local one",
                      r->f.path));
    }
    TRY(r->form == FCLIB_LOCAL ? read_local(r) : read_global(r, opt->symmetric_upper));
    TRY(read_info(r));
    TRY(perp_meta_h5_read(&r->f, PERP_META_H5, r->problem, NULL));
    return perp_fclib_read_points(r);
}

perp_status perp_fclib_read(perp_source *from, const perp_read_options *opt,
                            perp_problem **p, perp_notes *notes, perp_error *err)
{
    fclib_reading r = {.notes = notes};
    perp_status status = perp_h5_open(&r.f, from, err);

    if (status == PERP_OK) {
        status = perp_problem_new(p, err);
    }
    if (status == PERP_OK) {
        r.problem = *p;
        r.problem->name = perp_path_stem(from->name);
        status = r.problem->name
                     ? read_all(&r, opt)
                     : perp_fail(err, PERP_ERR_MEMORY, "%s: no memory", from->name);
    }
    perp_h5_close(&r.f);
    return status;
}
