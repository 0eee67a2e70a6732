/* SPDX-License-Identifier: Apache-2.0
 * tests/formats/arrays_refused.c: named arrays that are no problem, or that a reader would have to
 * guess about, each with its message. */
#include <config.h>

#include "files.h"
#include "instances.h"

static const struct {
    const char *text, *words;
} json_cases[] = {
    {"{", ":1:1: "},
    {"{\"A\": [[1]], \"b\": [1]", ":1:"},
    {"{\"A\": [[1]],\n \"b\": [1],\n}", ":3:"},
    {"{\"A\": [[1,2],\n[3,4]],\n \"b\": [1, 2] \"c\": 3}", ":3:"},
    {"{\"A\": [[1]], \"A\": [[1]], \"b\": [1]}", "duplicate"},
    {"{\"A\": [[1]]}", ": b is missing, expected an array of numbers"},
    {"{\"M\": [[1]]}", ": q is missing, expected an array of numbers"},
    {"{\"q\": [1]}", ": M is missing, expected an array of rows, or an object"},
    {"{\"b\": [1]}", ": A is missing, expected an array of rows, or an object"},
    {"{\"A\": [[1]], \"b\": 1}", ": b is a number, expected an array of numbers"},
    {"{\"A\": [[1]], \"b\": [[1]]}", ":1: b: found [1, expected a number"},
    {"{\"A\": [1], \"b\": [1]}", ":1: A: found 1, expected an array of numbers"},
    {"{\"A\": [[1]],\n\"b\": [\n1, x]}", ":3: b: found x, expected a number"},
    {"{\"A\": [[1]], \"b\": [01]}", "found 01, expected a number"},
    {"{\"A\": [[1]], \"b\": [+1]}", "found +1, expected a number"},
    {"{\"A\": [[1]], \"b\": [1.]}", "found 1., expected a number"},
    {"{\"A\": [[1]], \"b\": [.5]}", "found .5, expected a number"},
    {"{\"A\": [[1]], \"b\": [NaN]}", "found NaN, expected a number"},
    {"{\"A\": [[1]], \"b\": [Infinity]}", "found Infinity, expected a number"},
    {"{\"A\": [[1]], \"b\": [1e999]}", "found 1e999, expected a finite number"},
    {"{\"A\": [[1]], \"b\": [1,]}", "found ], expected a number"},
    {"{\"A\": [[1]], \"b\": [1 2]}", "found 2, expected a comma or ]"},
    {"{\"A\": [[1]], \"b\": [1}}", "found }, expected a comma or ]"},
    {"{\"A\": [[1,2],[3]], \"b\": [1,2]}", "found ], expected rows of one length"},
    {"{\"A\": [[1,2],[3,4,5]], \"b\": [1,2]}", "found 5, expected the end of the row"},
    {"{\"A\": [[1,2],[3,4],[5,6]], \"b\": [1,2]}",
     "found ,[5, expected the end of the rows"},
    {"{\"A\": [[1,2]], \"b\": [1,2]}", "found ], expected another row"},
    {"{\"A\": [[1,2,3],[4,5,6]], \"b\": [1,2]}", "A is 2 x 3, expected 2 x 2"},
    {"{\"A\": {\"row\": [0]}, \"b\": [1]}", "a sparse matrix without shape"},
    {"{\"A\": {\"shape\": [1]}, \"b\": [1]}", "1 size, expected 2"},
    {"{\"A\": {\"shape\": [1.5, 1]}, \"b\": [1]}", "1.5, expected a size"},
    {"{\"A\": {\"shape\": [1, 1], \"data\": [1]}, \"b\": [1]}",
     "has 0 numbers for its rows, 0 for its columns, expected 1 and 1"},
    {"{\"A\": {\"shape\": [1, 1], \"row\": [1], \"col\": [0], \"data\": [1]},"
     "\"b\": [1]}",
     "entry 0 is 1 at row 1, column 0, expected a finite number inside 1 x 1"},
    {"{\"A\": {\"shape\": [1, 1], \"indptr\": [0, 2], \"indices\": [0],"
     "\"data\": [1]}, \"b\": [1]}",
     "indptr goes from 0 to 2, expected 0 to 1"},
    {"{\"A\": {\"shape\": [2, 2], \"indptr\": [0, 3, 1], \"indices\": [0],"
     "\"data\": [1]}, \"b\": [1, 1]}",
     "indptr does not ascend"},
    {"{\"format\": \"x\", \"A\": [[1]], \"b\": [1]}",
     "format is \"x\", expected \"perp-json\" or none"},
    {"{\"version\": 2, \"A\": [[1]], \"b\": [1]}", "version is 2, expected 1"},
    {"{\"A\": [[1]], \"b\": [1], \"lo\": [2], \"hi\": [1]}", "expected lo <= hi"},
    {"{\"A\": [[1]], \"b\": [1], \"lo\": [\"inf\"], \"hi\": [\"inf\"]}",
     "lo[0] is inf and hi[0] is inf, expected lo < inf and hi > -inf"},
    {"{\"A\": [[1]], \"b\": [1], \"mu\": [0.5, 0.5]}", "no contacts"},
    {"{\"M\": [[1]], \"G\": [[1]], \"b\": [1]}", "G is of no use without H"},
    {"{\"M\": [[1]], \"H\": [[1]], \"f\": [1], \"b\": [1], \"A\": [[1]]}",
     "A is of no use beside H"},
    {"{\"A\": [[1]], \"b\": [1], \"n\": 2}", "n is 2, expected 1, the number of rows"},
    {"{\"A\": [[1]], \"b\": [1], \"guess_1\": [1], \"guesses\": 0}",
     "guess_1 is there, expected guess_1 and so on, of which there are 0"},
    {"{\"A\": [[1]], \"b\": [1], \"guess_2\": [1]}",
     "guess_2 is there, expected guess_1 and so on, of which there are 0"},
    {"{\"A\": [[1]], \"b\": [1], \"guess_0\": [1], \"guess_1\": [1]}",
     "guess_0 is there, expected guess_1 and so on, of which there are 1"},
    {"{\"A\": [[1]], \"b\": [1], \"guess_1\": [1, 2]}", "guess_1 has 2 numbers"},
    {"{\"A\": [[1]], \"b\": [1], \"lo\": [5], \"sets\": [{\"kind\": \"nonneg\"}]}",
     "lo: number 1 is 5, expected 0 as the set of this row has it"},
    {"{\"A\": [[1]], \"b\": [1], \"hi\": [5], \"sets\": [{\"kind\": \"free\"}]}",
     "hi: number 1 is 5, expected inf as the set of this row has it"},
    {"{\"A\": [[1]], \"b\": [1], \"lo\": [0, 0], \"sets\": [{\"kind\": \"nonneg\"}]}",
     "lo: it has 2 numbers, expected 1, one per row"},
    {"{\"A\": [[1]], \"b\": [1], \"findex\": [0], \"sets\": [{\"kind\": "
     "\"nonneg\"}]}",
     "findex: number 1 is 0, expected -1 as the set of this row has it"},
    {"{\"A\": [[1]], \"M\": [[1]], \"b\": [1]}", "A and M are names of one array"},
    {"{\"A\": [[1]], \"b\": [1], \"q\": [1]}", "b and q are names of one array"},
    {"{\"A\": {\"shape\": [1, 1], \"indptr\": [0, 1], \"indices\": [0], \"row\": [0],"
     "\"data\": [1]}, \"b\": [1]}",
     "row or col beside indptr"},
    {"{\"A\": [[1]], \"b\": [1], \"kind\": \"foo\"}", "kind is \"foo\", expected one"},
    {"{\"A\": [[1]], \"b\": [1], \"kind\": \"lcp\", \"mu\": [1]}",
     "mu: it has 1 number, but no row is a contact"},
    {"{\"A\": [[1]], \"b\": [1], \"radius\": [1]}",
     "sets is missing, expected a list for rolling contacts and disks"},
    {"{\"A\": [[1,0],[0,1]], \"b\": [1, 1], \"mu\": [0.5], \"hi\": [1, 1]}",
     "hi: it has 2 numbers, but no row is a box"},
    {"{\"A\": [[1,0],[0,1]], \"b\": [1, 1], \"mu\": [0.5], \"findex\": [-1, 2]}",
     "findex: number 2 is 2, expected a row from 0 to 1"},
    {"{\"A\": [[1,0],[0,1]], \"b\": [1, 1], \"findex\": [-1, 0]}",
     "mu: missing or empty, expected 1 number, one per friction row"},
    {"{\"A\": [[1]], \"b\": [1], \"low\": [1]}",
     "refused.json: unknown member \"low\", the nearest is \"lo\""},
    {"{\"A\": [[1]], \"b\": [1], \"comment\": \"x\"}",
     "unknown member \"comment\", expected one of: A, M, H, G, b, q, f, lo, hi, "},
    {"{\"A\": {\"shape\": [1, 1], \"row\": [0], \"col\": [0], \"data\": [1],"
     "\"values\": [2]}, \"b\": [1]}",
     "refused.json: A: unknown member \"values\", expected one of: shape, row"},
    {"{\"A\": [[1]], \"b\": [1], \"sets\": [{\"kind\": \"box\", \"lo\": 1}]}",
     "refused.json: unknown member \"sets[0].lo\", expected one of: kind, dim, "
     "count"},
    {"{\"A\": [[1]], \"b\": [1], \"law\": \"newton\"}",
     "law is \"newton\", expected \"coulomb\" or \"associated\""},
    {"{\"A\": [[1]], \"b\": [1], \"sets\": []}", "sets covers 0 rows, expected 1"},
    {"{\"A\": [[1]], \"b\": [1], \"sets\": [{\"kind\": \"sphere\"}]}",
     "sets[0].kind is \"sphere\", expected free, nonneg, box, friction, cone, rolling or "
     "disk"},
    {"{\"A\": [[1]], \"b\": [1], \"sets\": [{\"kind\": \"free\", \"count\": 9}]}",
     "sets[0].count is 9, blocks of 1 row, but only 1 row left"},
    {"{\"A\": [[1]], \"b\": [1], \"sets\": [{\"kind\": \"cone\", \"dim\": 4}]}",
     "sets[0].dim is 4, expected 2 or 3 for a cone"},
    {"{\"A\": [[1]], \"b\": [1], \"sets\": [3]}",
     "sets[0] is a number, expected an object"},
    {"{\"A\": [[1]], \"b\": [1], \"kind\": \"lcp\", \"kind\": \"lcp\"}", "duplicate"},
    {"{\"A\": [[1]], \"b\": [1], \"lo\": [-1e999]}",
     "found -1e999, expected a finite number"},
};

TEST(json_that_is_no_problem_is_refused)
{
    const char *path = test_scratch("refused.json");

    for (size_t k = 0; k < sizeof json_cases / sizeof *json_cases; k++) {
        files_put_text(path, json_cases[k].text);
        files_refused(path, "json", json_cases[k].words);
    }
}

/* A.csv and b.csv in a folder of their own. */
static const char *csv_folder(const char *A, const char *b)
{
    static char folder[1024];
    char path[1100];

    snprintf(folder, sizeof folder, "%s", test_scratch("csv-in"));
    mkdir(folder, 0755);
    snprintf(path, sizeof path, "%s/A.csv", folder);
    files_put_text(path, A);
    snprintf(path, sizeof path, "%s/b.csv", folder);
    files_put_text(path, b);
    return folder;
}

TEST(csv_is_read_as_others_write_it)
{
    static const char *const A[] = {"2,1\n1.5,2\n", " 2.0e+00 ,1\r\n+1.5, 2",
                                    "# A\n\n2,1 # first\n\n1.5,2\n\n"};
    static const char *const b[] = {"-1\n-1\n", "-1,-1\n", "# b\n-1\n\n-1"};

    for (size_t k = 0; k < 3; k++) {
        perp_problem *p = NULL;
        perp_error err = {0};
        char file[1100];

        snprintf(file, sizeof file, "%s/A.csv", csv_folder(A[k], b[k]));
        (void)perp_problem_read(&p, file, NULL, NULL, &err);
        test_note("%s", err.text);
        CU_ASSERT_PTR_NOT_NULL_FATAL(p);
        CU_ASSERT_EQUAL(perp_operator_entry(p->A, 1, 0), 1.5);
        CU_ASSERT_EQUAL(perp_operator_entry(p->A, 0, 1), 1.0);
        CU_ASSERT_EQUAL(p->b[1], -1.0);
        CU_ASSERT_EQUAL(p->set->blocks[1].kind, PERP_SET_NONNEG);
    }
}

TEST(csv_that_is_no_problem_is_refused)
{
    static const struct {
        const char *A, *b, *words;
    } cases[] = {
        {"1,2\n3,4\n", "", "A.csv is 0 x 2, expected 0 x 0"},
        {"", "1\n", "A.csv is 1 x 0, expected 1 x 1"},
        {"1,2\n3,4\n", "1\n2\n3\n", "A.csv is 3 x 2, expected 3 x 3"},
        {"1,2\n3,4\n5,6\n", "1\n2\n", "A.csv:2: it goes on after 2 rows"},
        {"1,2\n3,4\n", "1,2\n3\n", "b.csv:2: found \"\", expected numbers one per line"},
        {"1,2\n3,4,5\n", "1\n2\n", "A.csv:2: found \"5\", expected a comma or the end"},
        {"1,2\n3\n", "1\n2\n", "A.csv:2: row 2 has 1 number, expected 2"},
        {"1,2\n3,\n", "1\n2\n", "A.csv:2: found \"\", expected a number"},
        {"x,y\n1,2\n3,4\n", "1\n2\n", "A.csv:1: found \"x,y\", expected a number"},
        {"1;2\n3;4\n", "1\n", "A.csv:1: found \";2\", expected a comma"},
        {"nan\n", "1\n", "A.csv:1: found \"nan\", expected a finite number"},
        {"1\n", "-inf\n", "b.csv:1: found \"-inf\", expected a finite number"},
        {"0x10\n", "1\n", "A.csv:1: found \"x10\", expected a comma"},
        {"1\n", "1e999\n", "b.csv:1: found \"1e999\", expected a finite number"},
    };

    for (size_t k = 0; k < sizeof cases / sizeof *cases; k++) {
        files_refused(csv_folder(cases[k].A, cases[k].b), NULL, cases[k].words);
    }
    files_refused(test_scratch("csv-in"), "npy", "expected a folder with A.npy");
    files_refused(test_scratch("refused.json"), "csv", "expected a folder with A.csv");
}

/* An array of NumPy with this header and so many bytes of numbers. */
static void put_npy(const char *folder, const char *file, const char *type,
                    const char *shape, const void *numbers, size_t size)
{
    char path[1200];
    char bytes[512] = "\x93NUMPY\x01";

    bytes[8] = 118;
    snprintf(bytes + 10, 118, "{'descr': '%s', 'fortran_order': False, 'shape': %s, }",
             type, shape);
    memset(bytes + 10 + strlen(bytes + 10), ' ', 128 - 10 - strlen(bytes + 10));
    memcpy(bytes + 128, numbers, size);
    snprintf(path, sizeof path, "%s/%s", folder, file);
    files_put(path, bytes, 128 + size);
}

TEST(an_array_in_two_forms_is_refused)
{
    const double one[1] = {1.0};
    char folder[1024];
    char path[1100];

    snprintf(folder, sizeof folder, "%s", test_scratch("npy-twice"));
    mkdir(folder, 0755);
    put_npy(folder, "A.npy", "<f8", "(1, 1)", one, 8);
    put_npy(folder, "b.npy", "<f8", "(1,)", one, 8);
    put_npy(folder, "A_data.npy", "<f8", "(1,)", one, 8);
    files_refused(folder, NULL,
                  "npy-twice/A.npy: A_data.npy is also there, expected one of them");
    snprintf(path, sizeof path, "%s/A_data.npy", folder);
    unlink(path);
    snprintf(path, sizeof path, "%s/b.npz", folder);
    files_put_text(path, "PK");
    files_refused(folder, NULL, "npy-twice/b.npy: b.npz is also there");
}

/* 2^53 + 1 lies between two doubles. */
TEST(an_integer_that_no_double_holds_is_refused)
{
    const double one[1] = {1.0};
    const int64_t odd[1] = {(INT64_C(1) << 53) + 1};
    const int64_t even[1] = {(INT64_C(1) << 53) + 2};
    const int64_t largest[1] = {INT64_MAX};
    char folder[1024];

    snprintf(folder, sizeof folder, "%s", test_scratch("npy-long"));
    mkdir(folder, 0755);
    put_npy(folder, "A.npy", "<f8", "(1, 1)", one, 8);
    put_npy(folder, "b.npy", "<i8", "(1,)", odd, 8);
    files_refused(folder, NULL,
                  "npy-long/b.npy[0] is 9007199254740993, expected an integer");
    put_npy(folder, "b.npy", "<i8", "(1,)", largest, 8);
    files_refused(folder, NULL, "npy-long/b.npy[0] is 9223372036854775807, expected");
    put_npy(folder, "b.npy", ">u8", "(1,)", "\xff\xff\xff\xff\xff\xff\xff\xff", 8);
    files_refused(folder, NULL, "npy-long/b.npy[0] is 18446744073709551615, expected");
    put_npy(folder, "b.npy", "<i8", "(1,)", even, 8);
    perp_problem *p = test_read(folder, NULL, NULL);
    CU_ASSERT_EQUAL(p->b[0], 0x1p53 + 2.0);
}

/* Bytes as numpy.save writes them. Of 16 bits: be00 is -1.5, 0001 is 2^-24, 7bff is 65504, the
 * largest, and 3555 is the one nearest to 1/3. */
TEST(numbers_of_every_type_of_numpy_are_read)
{
    static const struct {
        const char *type, *bytes;
        size_t size;
        double b[2];
    } cases[] = {
        {"|i1", "\xfd\2", 2, {-3, 2}},
        {"<i2", "\xfd\xff\2\0", 4, {-3, 2}},
        {">i2", "\xff\xfd\0\2", 4, {-3, 2}},
        {">i4", "\xff\xff\xff\xfd\0\0\0\2", 8, {-3, 2}},
        {">i8", "\xff\xff\xff\xff\xff\xff\xff\xfd\0\0\0\0\0\0\0\2", 16, {-3, 2}},
        {"|u1", "\xfd\2", 2, {253, 2}},
        {"<u2", "\xfd\xff\2\0", 4, {65533, 2}},
        {"<u4", "\xfd\xff\xff\xff\2\0\0\0", 8, {4294967293, 2}},
        {">u8", "\0\x20\0\0\0\0\0\0\0\0\0\0\0\0\0\2", 16, {0x1p53, 2}},
        {"|b1", "\1\0", 2, {1, 0}},
        {"<f2", "\0\xbe\1\0", 4, {-1.5, 0x1p-24}},
        {">f2", "\x7b\xff\x35\x55", 4, {65504, 0.333251953125}},
        {">f4", "\xbf\xc0\0\0\x40\0\0\0", 8, {-1.5, 2}},
        {">f8", "\xbf\xf8\0\0\0\0\0\0\x40\0\0\0\0\0\0\0", 16, {-1.5, 2}},
    };
    char folder[1024];

    snprintf(folder, sizeof folder, "%s", test_scratch("npy-types"));
    mkdir(folder, 0755);
    put_npy(folder, "A.npy", "|b1", "(2, 2)", "\1\0\1\1", 4);
    for (size_t k = 0; k < sizeof cases / sizeof *cases; k++) {
        perp_problem *p = NULL;
        perp_error err = {0};

        put_npy(folder, "b.npy", cases[k].type, "(2,)", cases[k].bytes, cases[k].size);
        (void)perp_problem_read(&p, folder, NULL, NULL, &err);
        test_note("%s %s", cases[k].type, err.text);
        CU_ASSERT_PTR_NOT_NULL_FATAL(p);
        CU_ASSERT_EQUAL(perp_operator_entry(p->A, 1, 0), 1.0);
        CU_ASSERT_EQUAL(perp_operator_entry(p->A, 0, 1), 0.0);
        CU_ASSERT_EQUAL(p->b[0], cases[k].b[0]);
        CU_ASSERT_EQUAL(p->b[1], cases[k].b[1]);
    }
    put_npy(folder, "b.npy", "<f2", "(2,)", "\0\x7c\0\0", 4);
    files_refused(folder, NULL, "npy-types/b.npy[0] is inf, expected a finite number");
    put_npy(folder, "b.npy", "|O", "(1,)", "", 0);
    files_refused(folder, NULL, "numbers are '|O', expected floating point numbers of 2");
    put_npy(folder, "b.npy", "<M8[ns]", "(1,)", "", 0);
    files_refused(folder, NULL, "numbers are '<M8[ns]', expected floating point");
}

/* Spreadsheets and editors put a mark before a text; what is in UTF-16 is named. */
TEST(a_mark_of_utf_8_is_skipped_and_utf_16_is_refused)
{
    static const char wide[] = "\xff\xfe{\0\"\0";
    const char *path = test_scratch("mark.json");

    files_put_text(path, "\xef\xbb\xbf{\"A\": [[2]], \"b\": [1]}");
    perp_problem *p = test_read(path, NULL, NULL);
    CU_ASSERT_EQUAL(perp_operator_entry(p->A, 0, 0), 2.0);
    OK(perp_problem_read(&p,
                         csv_folder("\xef\xbb\xbf"
                                    "3\n",
                                    "1\n"),
                         NULL, NULL, NULL));
    CU_ASSERT_EQUAL(perp_operator_entry(p->A, 0, 0), 3.0);
    files_put(path, wide, sizeof wide - 1);
    files_refused(path, NULL, "mark.json: a text in UTF-16, expected UTF-8");
    files_refused(path, "json", "mark.json: a text in UTF-16, expected UTF-8");
    files_refused(csv_folder("\xfe\xff", "1\n"), NULL, "A.csv: a text in UTF-16");
}
