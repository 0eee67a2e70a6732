/* SPDX-License-Identifier: Apache-2.0
 * experiments/bench/formats.c: writing and reading about 100 MB, dense and sparse, in each
 * format: the seconds of work of this thread against those of the aim, 200 MB/s for binary
 * files and 50 MB/s for text. The megabytes are those of the files. */
#include <config.h>

#include <dirent.h>
#include <stdio.h>
#include <sys/stat.h>
#include <unistd.h>

#include "experiments/bench/measure.h"

enum { SPARSE_ROW = 30, TIMES = 3 };

/* A format, its aim, and the rows of problems whose files have about 100 MB. */
typedef struct format_case {
    const char *name;
    double aim;    /* [bytes/s] */
    size_t dense;  /* rows, of 3 by contact */
    size_t sparse; /* rows of SPARSE_ROW entries */
    bool folder;
} format_case;

static const format_case cases[] = {
    {"fclib", 200e6, 2400, 180000, false},
    {"npz", 200e6, 3600, 270000, false},
    {"npy", 200e6, 3600, 270000, true},
    {"mat", 200e6, 3600, 270000, false},
    {"matrix-market", 50e6, 2250, 96000, true},
    {"json", 50e6, 2250, 96000, false},
    {"csv", 50e6, 2250, 0, true},
    {"siconos", 50e6, 2250, 0, false},
};

static double *drawn(size_t n)
{
    perp_random g = {1};
    double *x = filled(n);

    for (size_t i = 0; i < n; i++) {
        x[i] = perp_random_uniform(&g, -1.0, 1.0);
    }
    return x;
}

/* A band of 842 columns. */
static perp_operator *sparse_operator(size_t n)
{
    perp_random g = {2};
    perp_triplets t;
    perp_operator *A = NULL;
    perp_error err = {0};

    perp_triplets_init(&t, n, n, n * SPARSE_ROW);
    for (size_t i = 0; i < n; i++) {
        for (size_t k = 0; k < SPARSE_ROW; k++) {
            perp_triplets_add(&t, i, (i + k * k) % n, perp_random_uniform(&g, -1.0, 1.0));
        }
    }
    if (perp_triplets_finish(&A, &t, &err) != PERP_OK) {
        give_up("formats", &err);
    }
    perp_triplets_free(&t);
    return A;
}

/* Contacts, which every format holds. */
static perp_problem *contacts_problem(size_t n, bool sparse)
{
    perp_operator *A = NULL;
    perp_set *set = NULL;
    perp_problem *p = NULL;
    perp_error err = {0};
    double *x = NULL;
    double *mu = filled(n / 3);

    if (sparse) {
        A = sparse_operator(n);
    } else {
        x = drawn(n * n);
        if (perp_operator_new_from_dense(&A, n, n, x, n, PERP_COPY, &err) != PERP_OK) {
            give_up("formats", &err);
        }
    }
    if (perp_set_new_cones(&set, 3, n / 3, mu, &err) != PERP_OK ||
        perp_problem_new_take(&p, A, drawn(n), set, PERP_LAW_COULOMB, &err) != PERP_OK) {
        give_up("formats", &err);
    }
    free(x);
    free(mu);
    return p;
}

/* Bytes of a file, or of those of a folder, which `remove` removes. */
static double bytes_at(const char *path, bool remove)
{
    char file[512];
    struct stat st;
    double bytes = 0.0;
    DIR *d = opendir(path);

    if (!d) {
        bytes = stat(path, &st) == 0 ? (double)st.st_size : 0.0;
        return remove ? unlink(path), bytes : bytes;
    }
    for (struct dirent *e = readdir(d); e; e = readdir(d)) {
        snprintf(file, sizeof file, "%s/%.200s", path, e->d_name);
        bytes += e->d_name[0] != '.' ? bytes_at(file, remove) : 0.0;
    }
    closedir(d);
    return remove ? rmdir(path), bytes : bytes;
}

static void report_rate(const format_case *f, const char *what, bool sparse,
                        double seconds, double bytes)
{
    char line[96];

    snprintf(line, sizeof line, "%s %s, %.0f MB, %.0f MB/s", what, f->name, 1e-6 * bytes,
             1e-6 * bytes / seconds);
    snprintf(line + strlen(line), sizeof line - strlen(line), sparse ? ", sparse" : "");
    report(line, seconds, bytes / f->aim, 1.0);
}

static void bench_format(const format_case *f, size_t rows, bool sparse)
{
    char path[64];
    perp_problem *p = contacts_problem(rows, sparse);
    perp_read_options opt = {.format = f->name};
    double write = INFINITY;
    double read = INFINITY;
    double bytes = 0.0;
    perp_error err = {0};

    snprintf(path, sizeof path, "bench-formats-%ld", (long)getpid());
    for (int k = 0; k < TIMES; k++) {
        perp_problem *q = NULL;
        double begin = work_clock();

        if (perp_problem_write(p, path, f->name, NULL, &err) != PERP_OK) {
            give_up(f->name, &err);
        }
        write = fmin(write, work_clock() - begin);
        begin = work_clock();
        if (perp_problem_read(&q, path, &opt, NULL, &err) != PERP_OK) {
            give_up(f->name, &err);
        }
        read = fmin(read, work_clock() - begin);
        if (perp_problem_hash(p) != perp_problem_hash(q)) {
            give_up(f->name, &(perp_error){.text = "other bits than were written"});
        }
        perp_problem_free(q);
        bytes = bytes_at(path, true);
    }
    report_rate(f, "write", sparse, write, bytes);
    report_rate(f, "read", sparse, read, bytes);
    perp_problem_free(p);
}

void bench_formats(void)
{
    for (size_t k = 0; k < sizeof cases / sizeof *cases; k++) {
        bench_format(&cases[k], cases[k].dense, false);
        if (cases[k].sparse > 0) {
            bench_format(&cases[k], cases[k].sparse, true);
        }
    }
}
