/* SPDX-License-Identifier: Apache-2.0
 * formats/matrix_market_write.c: a problem as a folder of Matrix Market files.
 *
 * The folder is written under another name, then renamed. An existing folder is replaced only
 * when it holds nothing but files of this format. */
#include <config.h>

#include "matrix_market.h"

static const char *const folder_names[] = {
    "A.mtx",          "M.mtx",      "H.mtx",      "G.mtx",  "b.mtx",        "f.mtx",
    "q.mtx",          "lo.mtx",     "hi.mtx",     "mu.mtx", "z.mtx",        "w.mtx",
    "mu_rolling.mtx", "radius.mtx", "findex.mtx", "v.mtx",  "problem.json",
};

/* Whether a file of this name belongs to the format. */
static bool folder_owns(const char *name)
{
    size_t number = 0;
    int end = 0;

    for (size_t i = 0; i < sizeof folder_names / sizeof folder_names[0]; i++) {
        if (strcmp(name, folder_names[i]) == 0) {
            return true;
        }
    }
    return sscanf(name, "guess_%zu.mtx%n", &number, &end) == 1 && end > 0 && !name[end];
}

typedef struct folder_writer {
    const char *folder;
    const perp_problem *p;
    perp_error *err;
    perp_status status; /* of the first failure; nothing is written after it */
} folder_writer;

/* "Capsules: friction of each contact" */
static void comment_on(const folder_writer *w, const char *what, char *comment,
                       size_t length)
{
    snprintf(comment, length, "%.120s: %s", w->p->name ? w->p->name : "a problem", what);
}

static void folder_write_matrix(folder_writer *w, const char *name,
                                const perp_operator *A, const char *what)
{
    char path[PERP_FILE_PATH_LENGTH];
    char comment[256];

    if (w->status != PERP_OK || !A) {
        return;
    }
    comment_on(w, what, comment, sizeof comment);
    w->status = perp_folder_path(path, w->folder, name, w->err);
    if (w->status == PERP_OK) {
        w->status = perp_mtx_write_matrix(path, A, comment, w->err);
    }
}

static void folder_write_vector(folder_writer *w, const char *name, const double *x,
                                size_t n, const char *what)
{
    char path[PERP_FILE_PATH_LENGTH];
    char comment[256];

    if (w->status != PERP_OK || !x) {
        return;
    }
    comment_on(w, what, comment, sizeof comment);
    w->status = perp_folder_path(path, w->folder, name, w->err);
    if (w->status == PERP_OK) {
        w->status = perp_mtx_write_vector(path, x, n, comment, w->err);
    }
}

/* One number for each block of `kinds` (rows false) or each row; no file without such blocks. */
static void folder_write_column(folder_writer *w, const char *name, unsigned kinds,
                                bool rows, double (*value)(const perp_block *k),
                                const char *what)
{
    const perp_set *set = w->p->set;
    double *x = NULL;
    size_t n = 0;

    if (w->status != PERP_OK || !(perp_set_kinds(set) & kinds)) {
        return;
    }
    x = perp_reals_new(set->n);
    if (!x) {
        w->status = perp_fail(w->err, PERP_ERR_MEMORY, "%s: no memory", w->folder);
        return;
    }
    for (size_t i = 0; i < set->count; i++) {
        for (unsigned d = 0; d < (rows ? set->blocks[i].dim : 1); d++) {
            if (rows || set->blocks[i].kind & kinds) {
                x[n++] = value(&set->blocks[i]);
            }
        }
    }
    folder_write_vector(w, name, x, n, what);
    free(x);
}

static double block_lo(const perp_block *k)
{
    return k->kind == PERP_SET_BOX ? k->lo : k->kind == PERP_SET_NONNEG ? 0.0 : -INFINITY;
}

static double block_hi(const perp_block *k)
{
    return k->kind == PERP_SET_BOX ? k->hi : INFINITY;
}

static double block_mu(const perp_block *k)
{
    return k->mu;
}

static double block_mu_rolling(const perp_block *k)
{
    return k->mu_rolling;
}

static double block_radius(const perp_block *k)
{
    return k->radius;
}

static double block_normal(const perp_block *k)
{
    return k->kind == PERP_SET_FRICTION ? (double)k->normal + 1.0 : 0.0;
}

static void folder_write_sets(folder_writer *w)
{
    const unsigned contacts = PERP_SET_CONE | PERP_SET_ROLLING | PERP_SET_FRICTION;

    folder_write_column(w, "lo.mtx", PERP_SET_BOX, true, block_lo,
                        "lower bound of each row");
    folder_write_column(w, "hi.mtx", PERP_SET_BOX, true, block_hi,
                        "upper bound of each row");
    folder_write_column(w, "mu.mtx", contacts, false, block_mu,
                        "friction of each contact");
    folder_write_column(w, "mu_rolling.mtx", PERP_SET_ROLLING, false, block_mu_rolling,
                        "rolling friction of each contact");
    folder_write_column(w, "radius.mtx", PERP_SET_DISK, false, block_radius,
                        "radius of each disk");
    folder_write_column(w, "findex.mtx", PERP_SET_FRICTION, true, block_normal,
                        "row of the normal of each friction row, 0 for others");
}

static void folder_write_points(folder_writer *w)
{
    const perp_problem *p = w->p;
    size_t dofs = p->global ? p->global->M->rows : 0;

    for (size_t i = 0; i < p->guess_count; i++) {
        char name[48];

        snprintf(name, sizeof name, "guess_%zu.mtx", i + 1);
        folder_write_vector(w, name, p->guesses[i].z, p->n, "a starting point");
    }
    if (p->solution) {
        folder_write_vector(w, "z.mtx", p->solution->z, p->n, "an answer z");
        folder_write_vector(w, "w.mtx", p->solution->w, p->n, "its w = A z + b");
        folder_write_vector(w, "v.mtx", p->global ? p->solution->v : NULL, dofs,
                            "its velocities v");
    }
}

static void folder_write_description(folder_writer *w)
{
    char path[PERP_FILE_PATH_LENGTH];
    const perp_problem *p = w->p;
    size_t block_size = p->A ? p->A->block_size : 1;
    perp_file_out out;

    if (w->status == PERP_OK) {
        w->status = perp_folder_path(path, w->folder, "problem.json", w->err);
    }
    if (w->status == PERP_OK) {
        w->status = perp_file_create(&out, path, w->err);
    }
    if (w->status != PERP_OK) {
        return;
    }
    fputs("{\n  \"format\": \"perp-matrix-market\",\n  \"version\": 1,\n", out.f);
    perp_json_print_texts(out.f, p);
    fprintf(out.f, "  \"kind\": \"%s\",\n", perp_kind_name(perp_problem_kind(p)));
    fprintf(out.f, "  \"law\": \"%s\",\n",
            p->law == PERP_LAW_ASSOCIATED ? "associated" : "coulomb");
    fputs("  \"order\": \"normal-first\",\n", out.f);
    if (block_size > 1) {
        fprintf(out.f, "  \"edge\": %zu,\n", block_size);
    }
    if (p->guess_count > 0) {
        fprintf(out.f, "  \"guesses\": %zu,\n", p->guess_count);
    }
    fprintf(out.f, "  \"n\": %zu,\n  \"sets\": ", p->n);
    perp_json_print_sets(out.f, p->set, false);
    fputs("\n}\n", out.f);
    w->status = perp_file_commit(&out, w->err);
}

static perp_status folder_write_all(const char *folder, const perp_problem *p,
                                    perp_error *err)
{
    folder_writer w = {folder, p, err, PERP_OK};

    if (p->global) {
        folder_write_matrix(&w, "M.mtx", p->global->M, "mass matrix M");
        folder_write_matrix(&w, "H.mtx", p->global->H, "H of M v = H r + G l + f");
        folder_write_matrix(&w, "G.mtx", p->global->G, "G of G^T v + b = 0");
        folder_write_vector(&w, "f.mtx", p->global->f, p->global->M->rows,
                            "applied impulses f");
    } else {
        folder_write_matrix(&w, "A.mtx", p->A, "A of w = A z + b");
    }
    folder_write_vector(&w, "b.mtx", p->b, p->n, "b of w = A z + b, the free velocity");
    folder_write_sets(&w);
    folder_write_points(&w);
    folder_write_description(&w);
    return w.status;
}

perp_status perp_folder_write(const char *path, const perp_problem *p, const char *kind,
                              perp_error *err)
{
    char place[PERP_FILE_PATH_LENGTH];
    char fresh[PERP_FILE_PATH_LENGTH + 64];
    bool there = false;
    perp_status status = PERP_OK;

    if (kind && strcmp(kind, perp_kind_name(perp_problem_kind(p))) != 0) {
        return perp_fail(err, PERP_ERR_UNSUITABLE,
                         "%s: kind is \"%s\", but the problem is \"%s\"", path, kind,
                         perp_kind_name(perp_problem_kind(p)));
    }
    status = perp_folder_path(place, path, "", err); /* ends in one slash */
    if (status == PERP_OK) {
        place[strlen(place) - 1] = '\0';
        status = perp_folder_check(place, folder_owns, "problem", &there, err);
    }
    if (status == PERP_OK) {
        status = perp_folder_create(fresh, sizeof fresh, place, "tmp", err);
    }
    if (status != PERP_OK) {
        return status;
    }
    status = folder_write_all(fresh, p, err);
    if (status == PERP_OK) {
        status = perp_folder_install(fresh, place, there, folder_owns, err);
    }
    if (status != PERP_OK) {
        perp_folder_remove(fresh, folder_owns);
    }
    return status;
}
