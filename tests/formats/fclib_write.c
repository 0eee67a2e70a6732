/* SPDX-License-Identifier: Apache-2.0
 * tests/formats/fclib_write.c: FCLIB files as they are written, and what cannot be. */
#include <config.h>

#include "fclib_made.h"

static void check_written(hid_t f, const char *name, hid_t type, size_t count)
{
    hid_t set = H5Dopen2(f, name, H5P_DEFAULT);
    hid_t creation = H5Dget_create_plist(set);
    hid_t space = H5Dget_space(set);
    hid_t stored = H5Dget_type(set);
    H5O_info_t info;

    CU_ASSERT_TRUE(H5Tequal(stored, type) > 0);
    CU_ASSERT_EQUAL(H5Pget_layout(creation), H5D_CONTIGUOUS);
    CU_ASSERT_EQUAL(H5Pget_nfilters(creation), 0);
    CU_ASSERT_EQUAL(H5Sget_simple_extent_ndims(space), 1);
    CU_ASSERT_EQUAL(H5Sget_simple_extent_npoints(space), (hssize_t)count);
    CU_ASSERT_TRUE(H5Oget_info2(set, &info, H5O_INFO_TIME) >= 0);
    CU_ASSERT_EQUAL(info.mtime, 0); /* or the bytes would change every second */
    H5Tclose(stored);
    H5Sclose(space);
    H5Pclose(creation);
    H5Dclose(set);
}

static int written_int(hid_t f, const char *name)
{
    hid_t set = H5Dopen2(f, name, H5P_DEFAULT);
    int value = 0;

    CU_ASSERT_TRUE(H5Dread(set, H5T_NATIVE_INT, H5S_ALL, H5S_ALL, H5P_DEFAULT, &value) >=
                   0);
    H5Dclose(set);
    return value;
}

/* Siconos reads nzmax entries of a triplet, and nothing but triplets in global files. */
TEST(triplets_with_nzmax_equal_to_nz_are_written_plainly)
{
    perp_problem *p = test_cones(2, 2, made_W, made_q, made_mu);
    hid_t f = H5I_INVALID_HID;

    made_path = test_scratch("plain.hdf5");
    OK(perp_problem_write(p, made_path, NULL, NULL, NULL));
    f = made_open();
    CU_ASSERT_EQUAL(written_int(f, "/fclib_local/spacedim"), 2);
    CU_ASSERT_EQUAL(written_int(f, "/fclib_local/W/nz"),
                    6); /* zeros of dense: left out */
    CU_ASSERT_EQUAL(written_int(f, "/fclib_local/W/nzmax"), 6);
    check_written(f, "/fclib_local/W/i", H5T_STD_I32LE, 6);
    check_written(f, "/fclib_local/W/p", H5T_STD_I32LE, 6);
    check_written(f, "/fclib_local/W/x", H5T_IEEE_F64LE, 6);
    check_written(f, "/fclib_local/vectors/mu", H5T_IEEE_F64LE, 2);
    check_written(f, "/fclib_local/spacedim", H5T_STD_I32LE, 1);
    H5Fclose(f);
    unlink(made_path);
}

/* A 5-row problem with the set given. */
static void set_not_written(perp_set *set, const char *words)
{
    perp_operator *A = test_spd(set->n, 1);
    double *b = test_reals(set->n);

    A->x[(set->n - 1) * A->ld] += 1.0; /* (0, last): no longer symmetric */
    perp_problem *p = test_new_problem(A, b, set, PERP_LAW_COULOMB);
    files_not_written(p, test_scratch("not-written.hdf5"), NULL, PERP_ERR_UNSUITABLE,
                      words);
}

static perp_set *new_set(void)
{
    return test_new_set(5);
}

TEST(what_the_format_cannot_hold_is_refused)
{
    const char *path = test_scratch("not-written.hdf5");
    perp_problem *cones = test_cones(2, 2, made_W, made_q, made_mu);
    perp_problem *lcp = test_lcp(2, made_W, made_q);
    perp_set *set = new_set();

    files_not_written(lcp, path, NULL, PERP_ERR_UNSUITABLE,
                      "contacts followed by free rows");
    files_not_written(cones, path, "gfc2d", PERP_ERR_UNSUITABLE, "needs M and H");
    cones->law = PERP_LAW_ASSOCIATED;
    files_not_written(cones, path, NULL, PERP_ERR_UNSUITABLE, "means Coulomb's law");
    perp_set_add_free(set);
    perp_set_add_cone(set, 3, 0.5);
    set_not_written(set, "contacts followed by free rows");
    set = new_set();
    perp_set_add_cone(set, 3, 0.5);
    perp_set_add_cone(set, 2, 0.5);
    set_not_written(set, "contacts of one dimension");
    set = new_set();
    perp_set_add_rolling(set, 0.5, 0.1);
    set_not_written(set, "no local form of rolling");
    set = new_set();
    perp_set_add_cone(set, 3, 0.5);
    perp_set_add_free(set);
    set_not_written(set, "not each other's transpose");
}

TEST(a_missing_folder_is_reported)
{
    perp_problem *p = test_cones(2, 2, made_W, made_q, made_mu);
    perp_error err = {0};

    CU_ASSERT_EQUAL(perp_problem_write(p, "no/such/folder/x.hdf5", NULL, NULL, &err),
                    PERP_ERR_WRITE);
    CU_ASSERT_PTR_NOT_NULL(strstr(err.text, "no/such/folder/x.hdf5"));
}

TEST_SETUP
{
    made_setup();
}
