/* SPDX-License-Identifier: Apache-2.0
 * tests/formats/fclib_faults.c: FCLIB files that must be refused, and in which words. */
#include <config.h>

#include <math.h>

#include "fclib_made.h"

TEST(bad_vectors_are_refused_with_their_place)
{
    static const double nan_q[] = {-1, NAN, -2, 0.25};
    static const double negative[] = {0.7, -0.3};

    made_start_local();
    made_reals("/fclib_local/vectors/mu", 1, made_mu);
    made_refused(PERP_ERR_FORMAT, ":/fclib_local/vectors/mu: extent 1, expected 2");
    made_reals("/fclib_local/vectors/mu", 2, negative);
    made_refused(PERP_ERR_DATA,
                 ":/fclib_local/vectors/mu: number 1 is -0.3, expected a number >= 0");
    made_reals("/fclib_local/vectors/q", 4, nan_q);
    made_refused(PERP_ERR_DATA,
                 ":/fclib_local/vectors/q: number 1 is nan, expected a finite number");
    made_reals("/fclib_local/vectors/q", 3, made_q);
    made_refused(
        PERP_ERR_FORMAT,
        ":/fclib_local/vectors/q: extent 3, expected a multiple of spacedim = 2");
    made_drop("/fclib_local/vectors/q");
    made_refused(PERP_ERR_FORMAT, ":/fclib_local/vectors/q: missing");
    made_int("/fclib_local/spacedim", 4);
    made_refused(PERP_ERR_FORMAT, ":/fclib_local/spacedim: 4, expected 2 or 3");
    made_reals("/fclib_local/spacedim", 1, made_mu);
    made_refused(PERP_ERR_FORMAT, ":/fclib_local/spacedim: holds no integers");
}

TEST(bad_matrices_are_refused_with_their_place)
{
    static const int far[] = {0, 1, 0, 1, 4, 2, 3};
    static const int minus[] = {0, 0, 1, -1, 1, 2, 3};
    static const int falling[] = {0, 2, 1, 5, 7};
    static const int late[] = {1, 2, 4, 5, 7};
    static const double infinite[] = {4, 1, 0, 3, INFINITY, 2, 1};

    made_start_local();
    made_int("/fclib_local/W/m", 5);
    made_refused(PERP_ERR_FORMAT, ":/fclib_local/W/m: 5, expected 4");
    made_matrix("/fclib_local/W", 4, 4, 7, 7, far, 7, made_W_i, made_W_x);
    made_refused(PERP_ERR_FORMAT, ":/fclib_local/W/p: index 4 is 4, expected 0 to 3");
    made_matrix("/fclib_local/W", 4, 4, 7, 7, made_W_p, 7, minus, made_W_x);
    made_refused(PERP_ERR_FORMAT, ":/fclib_local/W/i: index 3 is -1, expected 0 to 3");
    made_matrix("/fclib_local/W", 4, 4, 8, 7, made_W_p, 7, made_W_i, made_W_x);
    made_refused(PERP_ERR_FORMAT, ":/fclib_local/W/i: extent 7, expected 8");
    made_matrix("/fclib_local/W", 4, 4, -3, 7, made_W_p, 7, made_W_i, made_W_x);
    made_refused(PERP_ERR_FORMAT, ":/fclib_local/W/nz: -3, expected a count, -1");
    made_matrix("/fclib_local/W", 4, 4, 7, 7, made_W_p, 7, made_W_i, infinite);
    made_refused(PERP_ERR_DATA,
                 ":/fclib_local/W/x: number 4 is inf, expected a finite number");
    made_matrix("/fclib_local/W", 4, 4, -2, 5, falling, 7, made_W_i, made_W_x);
    made_refused(PERP_ERR_FORMAT,
                 ":/fclib_local/W/p: pointer 2 is 1, expected at least 2");
    made_matrix("/fclib_local/W", 4, 4, -2, 5, late, 7, made_W_i, made_W_x);
    made_refused(PERP_ERR_FORMAT, ":/fclib_local/W/p: pointer 0 is 1, expected 0");
    made_matrix("/fclib_local/W", 4, 4, -1, 4, falling, 7, made_W_i, made_W_x);
    made_refused(PERP_ERR_FORMAT, ":/fclib_local/W/p: extent 4, expected 5");
    made_matrix("/fclib_local/W", 4, 4, -2, 5, (const int[]){0, 2, 5, 6, 9}, 7, made_W_i,
                made_W_x);
    made_refused(PERP_ERR_FORMAT, ":/fclib_local/W/i: extent 7, expected 9");
}

/* An extent of 10^12 that no file of a few kilobytes can hold: no memory is taken for
 * it. */
TEST(extents_beyond_the_file_are_refused)
{
    hsize_t size = 1000000000000U;
    hsize_t chunk = 1024;
    hid_t chunked = H5I_INVALID_HID;
    hid_t space = H5I_INVALID_HID;
    hid_t f = H5I_INVALID_HID;

    made_start_local();
    made_put("/fclib_local/vectors/q", H5T_IEEE_F64LE, H5T_NATIVE_DOUBLE,
             made_extent(size), NULL);
    made_refused(PERP_ERR_FORMAT,
                 ":/fclib_local/vectors/q: extent 1000000000000, more than");
    made_drop("/fclib_local/vectors/q");
    chunked = H5Pcreate(H5P_DATASET_CREATE);
    H5Pset_chunk(chunked, 1, &chunk);
    space = made_extent(size);
    f = made_open();
    H5Dclose(H5Dcreate2(f, "/fclib_local/vectors/q", H5T_IEEE_F64LE, space, H5P_DEFAULT,
                        chunked, H5P_DEFAULT));
    H5Sclose(space);
    H5Pclose(chunked);
    H5Fclose(f);
    made_refused(PERP_ERR_FORMAT,
                 ":/fclib_local/vectors/q: extent 1000000000000, more than");
}

/* Compact data stand in the header: 32 bytes of q, of which 8 are admitted. HDF5 would
 * read the other 24 from behind its buffer. */
TEST(compact_data_that_are_cut_are_refused)
{
    hid_t creation = H5Pcreate(H5P_DATASET_CREATE);
    hid_t space = made_extent(4);
    hid_t f = H5I_INVALID_HID;
    hid_t set = H5I_INVALID_HID;
    unsigned char layout[4 + sizeof made_q[0]] = {3, 0, 32,
                                                  0}; /* version, compact, size */
    size_t length = 0;

    made_start_local();
    made_drop("/fclib_local/vectors/q");
    H5Pset_layout(creation, H5D_COMPACT);
    f = made_open();
    set = H5Dcreate2(f, "/fclib_local/vectors/q", H5T_IEEE_F64LE, space, H5P_DEFAULT,
                     creation, H5P_DEFAULT);
    H5Dwrite(set, H5T_NATIVE_DOUBLE, H5S_ALL, H5S_ALL, H5P_DEFAULT, made_q);
    H5Dclose(set);
    H5Sclose(space);
    H5Pclose(creation);
    H5Fclose(f);
    made_check_local(7);
    memcpy(layout + 4, &made_q[0], sizeof made_q[0]);
    char *bytes = files_get(made_path, &length);
    char *found = memmem(bytes, length, layout, sizeof layout);
    CU_ASSERT_PTR_NOT_NULL_FATAL(found);
    found[2] = 8;
    files_put(made_path, bytes, length);
    f = made_open();
    H5E_BEGIN_TRY
    {
        set = H5Dopen2(f, "/fclib_local/vectors/q", H5P_DEFAULT);
    }
    H5E_END_TRY;
    if (set < 0) { /* HDF5 1.14 compares the sizes itself */
        H5Fclose(f);
        made_refused(PERP_ERR_FORMAT, "/q: not a dataset, or damaged: bad value from");
    } else {
        H5Dclose(set);
        H5Fclose(f);
        made_refused(PERP_ERR_READ, ":/fclib_local/vectors/q: damaged: 8 bytes of 32");
    }
}

/* External storage would let a file name any other file. */
TEST(data_kept_in_other_files_are_refused)
{
    hid_t creation = H5Pcreate(H5P_DATASET_CREATE);
    hid_t space = made_extent(4);
    hid_t f = H5I_INVALID_HID;

    made_start_local();
    made_drop("/fclib_local/vectors/q");
    f = made_open();
    H5Pset_external(creation, "elsewhere.raw", 0, 32);
    H5Dclose(H5Dcreate2(f, "/fclib_local/vectors/q", H5T_IEEE_F64LE, space, H5P_DEFAULT,
                        creation, H5P_DEFAULT));
    H5Sclose(space);
    H5Pclose(creation);
    H5Fclose(f);
    made_refused(PERP_ERR_FORMAT,
                 ":/fclib_local/vectors/q: its data are in another file");
}

/* The other file is there: the file itself, by its name. */
TEST(links_to_other_files_are_refused)
{
    for (int way = 0; way < 3; way++) {
        static const char *const refused[] = {":/fclib_local/vectors/q", ":/fclib_local",
                                              ":/fclib_local/vectors/q"};
        const char *place = way == 1 ? "/fclib_local" : "/fclib_local/vectors/q";
        char message[160];
        hid_t f = H5I_INVALID_HID;

        made_start_local();
        f = made_open();
        H5Lmove(f, place, f, "/moved", H5P_DEFAULT, H5P_DEFAULT);
        H5Lcreate_external(made_path, "/moved", f, way == 2 ? "/by" : place, H5P_DEFAULT,
                           H5P_DEFAULT);
        if (way == 2) {
            H5Lcreate_soft("/by", f, place, H5P_DEFAULT, H5P_DEFAULT);
        }
        H5Fclose(f);
        snprintf(message, sizeof message,
                 "%s: it is in another file, expected it in this one", refused[way]);
        made_refused(PERP_ERR_FORMAT, message);
    }
}

TEST(files_that_are_not_fclib_are_refused)
{
    perp_read_options opt = {.format = "fclib"};

    made_start();
    made_refused(PERP_ERR_FORMAT, ": no group /fclib_local, /fclib_global or");
    files_put_text(made_path, "3\n0\n3\n3\n");
    made_refused_with(&opt, PERP_ERR_FORMAT, ": not an HDF5 file");
    unlink(made_path);
    made_refused_with(&opt, PERP_ERR_READ, ": cannot open: No such file");
}

TEST(a_truncated_file_is_refused_at_every_length)
{
    size_t length = 0;

    made_start_local();
    char *bytes = files_get(made_path, &length);
    files_put(made_path, bytes, length / 2);
    made_refused(PERP_ERR_READ, ": damaged HDF5 file: truncated file");
    for (size_t cut = 8; cut < length; cut += 61) {
        files_put(made_path, bytes, cut);
        made_refused(PERP_ERR_READ, ": damaged HDF5 file: ");
    }
}

TEST(kind_and_file_must_agree)
{
    perp_read_options opt = {.kind = "fc2d"};

    made_start_local();
    test_read(made_path, &opt, NULL);
    opt.kind = "gfc3d";
    made_refused_with(&opt, PERP_ERR_OPTION,
                      ": kind is \"gfc3d\", but the file holds fc2d");
    opt = (perp_read_options){.symmetric_upper = true};
    made_refused_with(&opt, PERP_ERR_OPTION,
                      ": symmetric-upper is for M of a global problem, but the file "
                      "holds a local one");
}

TEST(rolling_in_a_plane_is_refused)
{
    made_start();
    made_int("/fclib_global_rolling/spacedim", 3);
    made_refused(PERP_ERR_UNSUITABLE,
                 ":/fclib_global_rolling/spacedim: 3: rolling in a plane");
}

/* perp alone reports errors; HDF5 prints none, and its setting is the same afterwards. */
TEST(hdf5_prints_as_before_after_a_failure)
{
    H5E_auto2_t before = NULL;
    H5E_auto2_t after = NULL;
    void *data = NULL;

    made_start();
    H5Eget_auto2(H5E_DEFAULT, &before, &data);
    made_refused(PERP_ERR_FORMAT, "no group");
    H5Eget_auto2(H5E_DEFAULT, &after, &data);
    CU_ASSERT_TRUE(before == after);
    CU_ASSERT_TRUE(before != NULL);
}

TEST_SETUP
{
    made_setup();
}
