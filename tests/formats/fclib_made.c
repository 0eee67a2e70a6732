/* SPDX-License-Identifier: Apache-2.0
 * tests/formats/fclib_made.c: FCLIB files made with HDF5 itself, entry by entry. */
#include <config.h>

#include "fclib_made.h"

const char *made_path;

hid_t made_open(void)
{
    hid_t f = H5Fopen(made_path, H5F_ACC_RDWR, H5P_DEFAULT);

    CU_ASSERT_TRUE_FATAL(f >= 0);
    return f;
}

void made_put(const char *name, hid_t type, hid_t memory, hid_t space, const void *values)
{
    hid_t f = made_open();
    hid_t links = H5Pcreate(H5P_LINK_CREATE);
    hid_t set = H5I_INVALID_HID;

    H5Pset_create_intermediate_group(links, 1);
    H5E_BEGIN_TRY
    {
        H5Ldelete(f, name, H5P_DEFAULT);
    }
    H5E_END_TRY
    set = H5Dcreate2(f, name, type, space, links, H5P_DEFAULT, H5P_DEFAULT);
    CU_ASSERT_TRUE_FATAL(set >= 0);
    if (values) {
        CU_ASSERT_TRUE(H5Dwrite(set, memory, H5S_ALL, H5S_ALL, H5P_DEFAULT, values) >= 0);
    }
    H5Dclose(set);
    H5Pclose(links);
    H5Sclose(space);
    H5Fclose(f);
}

hid_t made_extent(size_t n)
{
    hsize_t size = n;

    return H5Screate_simple(1, &size, NULL);
}

void made_ints(const char *name, size_t n, const int *values)
{
    made_put(name, H5T_STD_I32LE, H5T_NATIVE_INT, made_extent(n), values);
}

void made_int(const char *name, int value)
{
    made_ints(name, 1, &value);
}

void made_reals(const char *name, size_t n, const double *values)
{
    made_put(name, H5T_IEEE_F64LE, H5T_NATIVE_DOUBLE, made_extent(n), values);
}

void made_drop(const char *name)
{
    hid_t f = made_open();

    CU_ASSERT_TRUE(H5Ldelete(f, name, H5P_DEFAULT) >= 0);
    H5Fclose(f);
}

void made_matrix(const char *group, int m, int n, int nz, size_t p_count, const int *p,
                 size_t count, const int *i, const double *x)
{
    char name[100];

    snprintf(name, sizeof name, "%s/m", group);
    made_int(name, m);
    snprintf(name, sizeof name, "%s/n", group);
    made_int(name, n);
    snprintf(name, sizeof name, "%s/nz", group);
    made_int(name, nz);
    snprintf(name, sizeof name, "%s/nzmax", group);
    made_int(name, 4711); /* never to be believed */
    snprintf(name, sizeof name, "%s/p", group);
    made_ints(name, p_count, p);
    snprintf(name, sizeof name, "%s/i", group);
    made_ints(name, count, i);
    snprintf(name, sizeof name, "%s/x", group);
    made_reals(name, count, x);
}

void made_start(void)
{
    hid_t f = H5I_INVALID_HID;

    made_path = test_scratch("made.hdf5");
    f = H5Fcreate(made_path, H5F_ACC_TRUNC, H5P_DEFAULT, H5P_DEFAULT);
    CU_ASSERT_TRUE_FATAL(f >= 0);
    H5Fclose(f);
}

const double made_W[] = {4, 1, 0, 0, 0, 3, 0, 5, 0, 0, 2, 0, 0, 0, 0, 1};
const double made_q[] = {-1, 0.5, -2, 0.25};
const double made_mu[] = {0.7, 0.3};
const int made_W_p[] = {0, 1, 0, 1, 3, 2, 3}; /* columns */
const int made_W_i[] = {0, 0, 1, 1, 1, 2, 3}; /* rows */
const double made_W_x[] = {4, 1, 0, 3, 5, 2, 1};

void made_start_local(void)
{
    made_start();
    made_int("/fclib_local/spacedim", 2);
    made_matrix("/fclib_local/W", 4, 4, 7, 7, made_W_p, 7, made_W_i, made_W_x);
    made_reals("/fclib_local/vectors/q", 4, made_q);
    made_reals("/fclib_local/vectors/mu", 2, made_mu);
}

void made_start_global(void)
{
    static const int d[] = {0, 1, 2};
    static const double M_x[] = {1, 2, 4};
    static const int H_p[] = {0, 1, 0};
    static const double H_x[] = {1, 3, 5};
    static const int G_p[] = {0};
    static const int G_i[] = {2};
    static const double G_x[] = {7};
    static const double f[] = {1, 2, 3};
    static const double w[] = {-1, 0.5};
    static const double b[] = {9};

    made_start();
    made_int("/fclib_global/spacedim", 2);
    made_matrix("/fclib_global/M", 3, 3, 3, 3, d, 3, d, M_x);
    made_matrix("/fclib_global/H", 3, 2, 3, 3, H_p, 3, d, H_x);
    made_matrix("/fclib_global/G", 3, 1, 1, 1, G_p, 1, G_i, G_x);
    made_reals("/fclib_global/vectors/f", 3, f);
    made_reals("/fclib_global/vectors/w", 2, w);
    made_reals("/fclib_global/vectors/b", 1, b);
    made_reals("/fclib_global/vectors/mu", 1, made_mu);
}

perp_problem *made_read(perp_notes *notes)
{
    return test_read(made_path, NULL, notes);
}

void made_refused_with(const perp_read_options *opt, perp_status status,
                       const char *words)
{
    files_refused_as(made_path, opt, status, words);
    CU_ASSERT_EQUAL(H5Fget_obj_count(H5F_OBJ_ALL, H5F_OBJ_ALL), 0);
}

void made_refused(perp_status status, const char *words)
{
    made_refused_with(NULL, status, words);
}

void made_check_local(size_t count)
{
    perp_problem *p = made_read(NULL);

    CU_ASSERT_EQUAL(perp_problem_kind(p), PERP_KIND_FC2D);
    CU_ASSERT_EQUAL(p->A->type->storage, PERP_STORAGE_CSR);
    CU_ASSERT_EQUAL(p->A->count, count);
    files_entries_are(p->A, 4, 4, made_W);
    CU_ASSERT_TRUE(files_same_reals(p->b, made_q, 4));
    CU_ASSERT_EQUAL(p->set->blocks[1].mu, 0.3);
    CU_ASSERT_PTR_NULL(p->title);
}

static void remove_made(void)
{
    if (made_path) {
        unlink(made_path);
    }
}

void made_setup(void)
{
    atexit(remove_made);
}
