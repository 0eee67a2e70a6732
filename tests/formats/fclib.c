/* SPDX-License-Identifier: Apache-2.0
 * tests/formats/fclib.c: every form in which FCLIB files hold a problem, read. Faults are
 * in fclib_faults.c, writing is in fclib_write.c, the real files are in datasets.c. */
#include <config.h>

#include <math.h>

#include "fclib_made.h"

/* i are rows and p columns, whatever the comment in FCLIB's header says. */
TEST(three_storages_hold_one_matrix_and_explicit_zeros_stay)
{
    static const int csr_p[] = {0, 2, 5, 6, 7};
    static const int csr_i[] = {0, 1, 3, 1, 0, 2, 3}; /* row 1 unsorted */
    static const double csr_x[] = {4, 1, 5, 3, 0, 2, 1};
    static const int csc_p[] = {0, 2, 4, 5, 7};
    static const int csc_i[] = {0, 1, 0, 1, 2, 1, 3, 77, 88}; /* more than p ends at */
    static const double csc_x[] = {4, 0, 1, 3, 2, 5, 1, NAN, NAN};

    made_start_local();
    made_check_local(7);
    made_matrix("/fclib_local/W", 4, 4, -2, 5, csr_p, 7, csr_i, csr_x);
    made_check_local(7);
    made_matrix("/fclib_local/W", 4, 4, -1, 5, csc_p, 9, csc_i, csc_x);
    made_check_local(7);
}

/* Order is free; the count is nz, not nzmax nor the extent. */
TEST(triplets_may_repeat_and_their_count_is_nz)
{
    static const int p[] = {3, 1, 0, 1, 3, 2, 0, 3, 99};
    static const int i[] = {3, 1, 0, 0, 1, 2, 1, 1, 99};
    static const double x[] = {1, 3, 4, 1, 2, 2, 0, 3, NAN};

    made_start_local();
    made_matrix("/fclib_local/W", 4, 4, 8, 9, p, 9, i, x);
    made_check_local(7);
}

/* u = W r + V l + q, V^T r + R l + s = 0. */
TEST(mixed_problems_join_w_v_and_r)
{
    static const int V_p[] = {0, 0};
    static const int V_i[] = {0, 3};
    static const double V_x[] = {6, -7};
    static const int zero[] = {0};
    static const double R_x[] = {8};
    static const double s[] = {9};
    static const double A[] = {4, 1, 0, 0, 6, 0, 3,  0, 5, 0, 0,  0, 2,
                               0, 0, 0, 0, 0, 1, -7, 6, 0, 0, -7, 8};

    made_start_local();
    made_matrix("/fclib_local/V", 4, 1, 2, 2, V_p, 2, V_i, V_x);
    made_refused(PERP_ERR_FORMAT, ":/fclib_local/vectors/s: missing");
    made_reals("/fclib_local/vectors/s", 1, s);
    made_refused(PERP_ERR_FORMAT, ":/fclib_local/R/m: missing");
    made_matrix("/fclib_local/R", 1, 1, 1, 1, zero, 1, zero, R_x);
    perp_problem *p = made_read(NULL);
    files_entries_are(p->A, 5, 5, A);
    CU_ASSERT_EQUAL(p->b[4], 9.0);
    CU_ASSERT_EQUAL(p->set->blocks[2].kind, PERP_SET_FREE);
    files_come_back(p, test_scratch("mixed.hdf5"), "fclib", false);
}

TEST(global_problems_stay_as_given)
{
    static const double H[] = {1, 0, 0, 3, 5, 0};
    static const double r[] = {0.5, 0.25};
    static const double l[] = {-3};
    static const double v[] = {7, 8, 9};

    made_start_global();
    made_reals("/solution/r", 2, r);
    made_reals("/solution/u", 2, r);
    made_reals("/solution/l", 1, l);
    made_reals("/solution/v", 3, v);
    perp_problem *p = made_read(NULL);
    CU_ASSERT_PTR_NULL(p->A);
    CU_ASSERT_PTR_NOT_NULL_FATAL(p->global);
    CU_ASSERT_EQUAL(p->n, 3);
    files_entries_are(p->global->H, 3, 2, H);
    CU_ASSERT_EQUAL(p->global->f[2], 3.0);
    CU_ASSERT_EQUAL(p->b[2], 9.0);
    CU_ASSERT_EQUAL(p->set->blocks[1].kind, PERP_SET_FREE);
    CU_ASSERT_PTR_NOT_NULL_FATAL(p->solution);
    CU_ASSERT_EQUAL(p->solution->z[1], 0.25);
    CU_ASSERT_EQUAL(p->solution->z[2], -3.0);
    CU_ASSERT_EQUAL(p->solution->w[2], 0.0);
    CU_ASSERT_EQUAL(p->solution->v[2], 9.0);
    files_come_back(p, test_scratch("global.hdf5"), "fclib", false);
}

static void attribute(const char *object, const char *name, hid_t type, hid_t space,
                      hid_t memory, const void *value)
{
    hid_t f = made_open();
    hid_t a = H5Acreate_by_name(f, object, name, type, space, H5P_DEFAULT, H5P_DEFAULT,
                                H5P_DEFAULT);

    CU_ASSERT_TRUE_FATAL(a >= 0);
    CU_ASSERT_TRUE(H5Awrite(a, memory, value) >= 0);
    H5Aclose(a);
    H5Sclose(space);
    H5Fclose(f);
}

TEST(attributes_are_tolerated)
{
    const int64_t count = 99;
    const double cond = 1e9;
    const int minus_one = -1;

    made_start_local();
    made_put("/fclib_local/info/title", H5T_C_S1, H5T_C_S1, H5Screate(H5S_SCALAR), "");
    attribute("/fclib_local/info", "numberOfInvolvedDS", H5T_STD_I64LE,
              H5Screate(H5S_SCALAR), H5T_NATIVE_INT64, &count);
    attribute("/fclib_local/info", "numberOfDegreeOfFreedom", H5T_STD_I32LE,
              made_extent(1), H5T_NATIVE_INT, &minus_one);
    attribute("/fclib_local/W", "cond", H5T_IEEE_F64LE, H5Screate(H5S_SCALAR),
              H5T_NATIVE_DOUBLE, &cond);
    made_drop("/fclib_local/info/title");
    made_check_local(7);
}

/* A dialect: lower triangle of a symmetric W, by columns. */
TEST(symmetric_packed_is_honoured)
{
    static const int p[] = {0, 2, 3, 4, 5};
    static const int i[] = {0, 1, 1, 2, 3};
    static const double x[] = {4, 1, 3, 2, 5};
    static const double S[] = {4, 1, 0, 0, 1, 3, 0, 0, 0, 0, 2, 0, 0, 0, 0, 5};
    static const int cols[] = {1, 0, 0, 1, 2, 3, 3};
    static const int rows[] = {0, 1, 0, 1, 2, 3, 3};
    const int64_t one = 1;
    perp_notes notes = {0};

    made_start_local();
    made_matrix("/fclib_local/W", 4, 4, -1, 5, p, 5, i, x);
    attribute("/fclib_local/W", "symmetric_packed", H5T_STD_I64LE, H5Screate(H5S_SCALAR),
              H5T_NATIVE_INT64, &one);
    perp_problem *problem = made_read(&notes);
    files_entries_are(problem->A, 4, 4, S);
    CU_ASSERT_EQUAL_FATAL(notes.count, 1);
    CU_ASSERT_PTR_NOT_NULL(strstr(notes.line[0], "symmetric_packed"));
    made_matrix("/fclib_local/W", 4, 4, 7, 7, cols, 7, rows, made_W_x);
    made_refused(PERP_ERR_FORMAT,
                 ":/fclib_local/W: symmetric_packed is 1, but there are entries on both");
}

TEST(a_triangle_is_noted_and_an_upper_one_mirrored_on_request)
{
    static const int cols[] = {0, 1, 2, 2};
    static const int rows[] = {0, 1, 2, 0};
    static const double x[] = {1, 2, 4, 0.5};
    perp_read_options upper = {.symmetric_upper = true};
    perp_notes notes = {0};

    made_start_global();
    made_matrix("/fclib_global/M", 3, 3, 4, 4, cols, 4, rows, x);
    perp_problem *p = made_read(&notes);
    CU_ASSERT_EQUAL(perp_operator_entry(p->global->M, 2, 0), 0.0);
    CU_ASSERT_EQUAL_FATAL(notes.count, 1);
    CU_ASSERT_PTR_NOT_NULL(strstr(notes.line[0], "upper triangular and not diagonal"));
    OK(perp_problem_read(&p, made_path, &upper, NULL, NULL));
    CU_ASSERT_EQUAL(perp_operator_entry(p->global->M, 2, 0), 0.5);
    made_matrix("/fclib_global/M", 3, 3, 4, 4, rows, 4, cols, x);
    made_refused_with(
        &upper, PERP_ERR_DATA,
        ":/fclib_global/M: 1 entries below the diagonal, expected the upper");
}

static void put_text(const char *name, hid_t type, const void *value)
{
    made_put(name, type, type, H5Screate(H5S_SCALAR), value);
    H5Tclose(type);
}

static hid_t text_type(size_t size, H5T_str_t pad, H5T_cset_t set)
{
    hid_t type = H5Tcopy(H5T_C_S1);

    H5Tset_size(type, size);
    H5Tset_strpad(type, pad);
    H5Tset_cset(type, set);
    return type;
}

TEST(texts_of_every_make_are_read)
{
    const char *variable = "of variable length, \xC2\xB5 = 0.7";

    made_start_local();
    put_text("/fclib_local/info/title", text_type(8, H5T_STR_SPACEPAD, H5T_CSET_ASCII),
             "padded  ");
    put_text("/fclib_local/info/description",
             text_type(H5T_VARIABLE, H5T_STR_NULLTERM, H5T_CSET_UTF8), &variable);
    put_text("/fclib_local/info/math_info",
             text_type(6, H5T_STR_NULLTERM, H5T_CSET_ASCII), "a\xA8\nb\0");
    perp_problem *p = made_read(NULL);
    CU_ASSERT_STRING_EQUAL(p->title, "padded");
    CU_ASSERT_STRING_EQUAL(p->description, variable);
    CU_ASSERT_STRING_EQUAL(p->math_info, "a\\xa8\nb");
    files_come_back(p, test_scratch("texts.hdf5"), "fclib", false);
    made_int("/fclib_local/info/title", 3);
    made_refused(PERP_ERR_FORMAT, ":/fclib_local/info/title: expected one string");
}

/* Labels and origin, which are a text of ours. */
static void put_meta(const char *text)
{
    put_text("/perp/meta", text_type(strlen(text) + 1, H5T_STR_NULLTERM, H5T_CSET_UTF8),
             text);
}

TEST(labels_are_read_from_a_text_and_refused_with_their_place)
{

    made_start_local();
    put_meta("{\"format\": \"perp-meta\", \"labels\": [{\"kind\": \"contact\"}, {}],"
             " \"origin\": {\"source\": \"\xC2\xB5\"}}");
    perp_problem *p = made_read(NULL);
    CU_ASSERT_PTR_NOT_NULL_FATAL(p->labels);
    CU_ASSERT_EQUAL(p->labels->at[0].kind, PERP_LABEL_CONTACT);
    CU_ASSERT_STRING_EQUAL(p->origin->source, "\xC2\xB5");
    put_meta("{\"format\": \"perp-meta\", \"labels\": [{}]}");
    made_refused(PERP_ERR_FORMAT,
                 ":/perp/meta: labels has 1 entries, expected one for each of 2 blocks");
    put_meta("{\"format\": \"fclib-meta\"}");
    made_refused(PERP_ERR_FORMAT,
                 ":/perp/meta: format is \"fclib-meta\", expected \"perp-meta\"");
    put_meta("{\"format\": \"perp-meta\", \"version\": 2}");
    made_refused(PERP_ERR_FORMAT, ":/perp/meta: version is 2, expected 1");
    put_meta("{\"format\":\n");
    made_refused(PERP_ERR_FORMAT, ":/perp/meta:2:");
    made_int("/perp/meta", 3);
    made_refused(PERP_ERR_FORMAT, ":/perp/meta: expected one string");
}

/* h5py stores 64 bits and big endian as one likes. */
TEST(integers_of_any_width_are_read)
{
    static const int64_t dim[] = {2};
    static const short m[] = {4};

    made_start_local();
    made_put("/fclib_local/spacedim", H5T_STD_I64BE, H5T_NATIVE_INT64,
             H5Screate(H5S_SCALAR), dim);
    made_put("/fclib_local/W/m", H5T_STD_U16LE, H5T_NATIVE_SHORT, made_extent(1), m);
    made_check_local(7);
}

TEST(an_integer_that_no_double_holds_is_refused)
{
    static const int64_t q[] = {1, 2, (INT64_C(1) << 53) + 1, 4};
    static const uint64_t mu[] = {UINT64_MAX, 1};

    made_start_local();
    made_put("/fclib_local/vectors/q", H5T_STD_I64LE, H5T_NATIVE_INT64, made_extent(4),
             q);
    made_refused(PERP_ERR_DATA, ":/fclib_local/vectors/q: number 2 is 9007199254740993, "
                                "expected an integer that a double holds");
    made_start_local();
    made_put("/fclib_local/vectors/mu", H5T_STD_U64LE, H5T_NATIVE_UINT64, made_extent(2),
             mu);
    made_refused(PERP_ERR_DATA, ":/fclib_local/vectors/mu: number 0 is ");
}

TEST(guesses_count_from_one_and_bad_points_are_left_out)
{
    static const double good[] = {1, 2, 3, 4};
    static const double bad[] = {1, NAN, 3, 4};
    perp_notes notes = {0};

    made_start_local();
    made_reals("/solution/r", 4, bad);
    made_reals("/solution/u", 4, good);
    made_int("/guesses/number_of_guesses", -3);
    made_refused(PERP_ERR_FORMAT,
                 ":/guesses/number_of_guesses: -3, expected a number from 0");
    made_int("/guesses/number_of_guesses", 2);
    made_reals("/guesses/1/r", 4, good);
    made_refused(PERP_ERR_FORMAT, ":/guesses/2: missing, expected 2 guesses");
    made_reals("/guesses/2/r", 4, good);
    made_reals("/guesses/2/u", 4, good);
    perp_problem *p = made_read(&notes);
    CU_ASSERT_PTR_NULL(p->solution);
    CU_ASSERT_EQUAL_FATAL(notes.count, 2);
    CU_ASSERT_STRING_EQUAL(notes.line[0],
                           "/fclib_local/W is upper triangular and not diagonal: perhaps "
                           "only half of a symmetric matrix");
    CU_ASSERT_EQUAL(strncmp(notes.line[1], "/solution was left out", 22), 0);
    CU_ASSERT_EQUAL_FATAL(p->guess_count, 2);
    CU_ASSERT_PTR_NULL(p->guesses[0].w);
    CU_ASSERT_EQUAL(p->guesses[1].w[3], 4.0);
    files_come_back(p, test_scratch("guesses.hdf5"), "fclib", false);
    made_reals("/guesses/2/u", 3, good);
    made_refused(PERP_ERR_FORMAT, ":/guesses/2/u: extent 3, expected 4");
}

TEST(of_several_problems_the_first_is_read_and_that_is_noted)
{
    perp_notes notes = {0};

    made_start_global();
    made_int("/fclib_local/spacedim", 2);
    made_matrix("/fclib_local/W", 4, 4, 7, 7, made_W_p, 7, made_W_i, made_W_x);
    made_reals("/fclib_local/vectors/q", 4, made_q);
    made_reals("/fclib_local/vectors/mu", 2, made_mu);
    perp_problem *p = made_read(&notes);
    CU_ASSERT_PTR_NULL(p->global);
    CU_ASSERT_STRING_EQUAL(notes.line[0],
                           "the file holds several problems; fclib_local was read");
}

TEST(problems_without_contacts_come_back)
{

    made_start_local();
    made_reals("/fclib_local/vectors/q", 0, made_q);
    made_reals("/fclib_local/vectors/mu", 0, made_mu);
    made_matrix("/fclib_local/W", 0, 0, 0, 0, made_W_p, 0, made_W_i, made_W_x);
    perp_problem *p = made_read(NULL);
    CU_ASSERT_EQUAL(p->n, 0);
    files_come_back(p, test_scratch("none.hdf5"), "fclib", false);
}

TEST_SETUP
{
    made_setup();
}
