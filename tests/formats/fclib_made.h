/* SPDX-License-Identifier: Apache-2.0
 * tests/formats/fclib_made.h: FCLIB files made for a test with HDF5 itself, so that they
 * can hold what perp would never write. */
#ifndef PERP_TEST_FCLIB_MADE_H
#define PERP_TEST_FCLIB_MADE_H

#include <hdf5.h>

#include "files.h"
#include "instances.h"

/* The file at work; tests change it in place. */
extern const char *made_path;

/* Two contacts in a plane, as triplets by rows made_W_i and columns made_W_p:
 *     W = [4 1 . .; 0 3 . 5; . . 2 .; . . . 1]   (0 is stored, . is not) */
extern const double made_W[16];
extern const double made_q[4];
extern const double made_mu[2];
extern const int made_W_p[7];
extern const int made_W_i[7];
extern const double made_W_x[7];

/* Begin an empty file; one with that problem; one with the global problem
 * M = diag(1, 2, 4), H = [1 0; 0 3; 5 0], G = (0 0 7)^T. */
void made_start(void);
void made_start_local(void);
void made_start_global(void);

/* The file opened by HDF5; an extent of one dimension. */
hid_t made_open(void);
hid_t made_extent(size_t n);

/* Put a dataset in place of one that may be there; groups are made on the way. */
void made_put(const char *name, hid_t type, hid_t memory, hid_t space,
              const void *values);
void made_ints(const char *name, size_t n, const int *values);
void made_int(const char *name, int value);
void made_reals(const char *name, size_t n, const double *values);
void made_matrix(const char *group, int m, int n, int nz, size_t p_count, const int *p,
                 size_t count, const int *i, const double *x);
void made_drop(const char *name);

/* The problem in the file at work. */
perp_problem *made_read(perp_notes *notes);
/* It is that of made_start_local, with so many stored entries. */
void made_check_local(size_t count);
/* Reading the file at work fails so; the message names the file and the place. */
void made_refused_with(const perp_read_options *opt, perp_status status,
                       const char *words);
void made_refused(perp_status status, const char *words);

/* For TEST_SETUP: the file is removed when the program ends. */
void made_setup(void);

#endif
