/* SPDX-License-Identifier: Apache-2.0
 * tests/formats/registry.c: which format a path has, files whole or not there, and the
 * helpers that formats share. */
#include <config.h>

#include <dirent.h>
#include <float.h>
#include <locale.h>
#include <math.h>
#include <signal.h>
#include <stdlib.h>
#include <sys/resource.h>

#include "couples.h"
#include "files.h"
#include "formats/formats.h"
#include "instances.h"

TEST(every_format_is_found_by_its_name)
{
    size_t count = 0;
    const perp_format *const *formats = perp_formats(&count);
    const perp_format *format = NULL;
    perp_error err = {0};

    CU_ASSERT(count >= 3);
    CU_ASSERT_PTR_NULL(formats[count]);
    for (size_t i = 0; i < count; i++) {
        CU_ASSERT_PTR_EQUAL(perp_format_find(formats[i]->name), formats[i]);
        OK(perp_format_named(&format, formats[i]->name, NULL));
        CU_ASSERT_PTR_EQUAL(format, formats[i]);
        CU_ASSERT_TRUE(formats[i]->summary && formats[i]->extension);
    }
    CU_ASSERT_PTR_NULL(perp_format_find("word"));
    CU_ASSERT_PTR_NULL(perp_format_find(NULL));
    CU_ASSERT_EQUAL(perp_format_named(&format, "word", &err), PERP_ERR_OPTION);
    CU_ASSERT_PTR_NULL(format);
    CU_ASSERT_PTR_NOT_NULL(strstr(err.text, "format is \"word\", expected one of: "));
    CU_ASSERT_PTR_NOT_NULL(strstr(err.text, ", siconos, "));
}

TEST(a_format_that_is_only_written_says_so)
{
    static const perp_format_type *const types[] = {
#define PERP_FORMAT(name) &perp_format_##name,
        PERP_FORMAT_LIST(PERP_FORMAT)
#undef PERP_FORMAT
    };

    for (size_t i = 0; i < sizeof types / sizeof *types; i++) {
        CU_ASSERT_EQUAL(types[i]->format.reads, types[i]->read != NULL);
        CU_ASSERT_EQUAL(types[i]->format.reads, types[i]->detect != NULL);
        CU_ASSERT_EQUAL(types[i]->format.writes,
                        types[i]->write || types[i]->write_folder);
    }
    files_put_text(test_scratch("model.gms"), "set i /i1*i3/;\n");
    files_refused(test_scratch("model.gms"), "gams", "format gams can only be written");
    for (size_t i = 0; i < sizeof types / sizeof *types; i++) {
        char file[64], words[96];

        if (!types[i]->format.reads) {
            snprintf(file, sizeof file, "model%s", types[i]->format.extension);
            snprintf(words, sizeof words, "%s: format %s can only be written", file,
                     types[i]->format.name);
            files_put_text(test_scratch(file), "NAME model\n");
            files_refused(test_scratch(file), NULL, words);
        }
    }
}

#ifndef HAVE_MATIO
TEST(a_build_without_matio_says_so_of_matlab_files)
{
    static const char words[] = "some.mat: perp was built without matio, which reads";
    const char *path = test_scratch("some.mat");
    const double one = 1.0;
    perp_problem *p = test_lcp(1, &one, &one);
    const perp_format *format = NULL;
    perp_error err = {0};

    files_put_text(path, "MATLAB 5.0 MAT-file, Platform: GLNXA64");
    files_refused(path, NULL, words);
    files_refused(path, "mat", words);
    files_put_text(path, "Dear reader,\n");
    files_refused(path, NULL, words);
    CU_ASSERT_EQUAL(perp_problem_write(p, path, NULL, NULL, &err), PERP_ERR_UNSUITABLE);
    CU_ASSERT_PTR_NOT_NULL(strstr(err.text, words));
    perp_error_clear(&err);
    CU_ASSERT_PTR_NULL(perp_format_find("mat"));
    CU_ASSERT_EQUAL(perp_format_named(&format, "mat", &err), PERP_ERR_UNSUITABLE);
    CU_ASSERT_PTR_NOT_NULL(strstr(err.text, "mat: perp was built without matio"));
}
#endif

TEST(a_format_is_recognised_whatever_its_name)
{
    const double one = 1.0;
    perp_problem *p = test_lcp(1, &one, &one);

    OK(perp_problem_write(p, test_scratch("some.thing"), "json", NULL, NULL));
    test_read(test_scratch("some.thing"), NULL, NULL);
}

TEST(what_no_format_knows_is_refused)
{
    const char *path = test_scratch("letter.txt");
    const double one = 1.0;
    perp_problem *p = test_lcp(1, &one, &one);
    perp_error err = {0};

    files_put_text(path, "Dear reader,\n");
    files_refused(path, NULL,
                  "no format of an instance is recognised, expected one of: ");
    files_refused(path, "word", "format is \"word\", expected one of: ");
    files_refused(test_scratch("nowhere.json"), NULL, "cannot open: No such file");
    files_refused(test_scratch("nowhere.json"), "json", "cannot open");
    CU_ASSERT_EQUAL(perp_problem_write(p, path, NULL, NULL, &err), PERP_ERR_OPTION);
    CU_ASSERT_PTR_NOT_NULL(strstr(err.text, "its extension belongs to no format"));
}

TEST(the_extension_of_a_file_in_a_folder_names_the_folder_format)
{
    static const struct {
        const char *file, *message;
    } cases[] = {
        {"p.mtx",
         "p.mtx: Matrix Market is a folder of files here: give a folder, or --to "
         "matrix-market"},
        {"p.csv", "p.csv: CSV is a folder of files here: give a folder, or --to csv"},
        {"p.npy", "p.npy: npy is a folder of files here: give a folder, or --to npy"},
    };
    const double one = 1.0;
    perp_problem *p = test_lcp(1, &one, &one);

    for (size_t k = 0; k < sizeof cases / sizeof *cases; k++) {
        const char *path = test_scratch(cases[k].file);
        perp_error err = {0};

        CU_ASSERT_EQUAL(perp_problem_write(p, path, NULL, NULL, &err), PERP_ERR_OPTION);
        CU_ASSERT_PTR_NOT_NULL(strstr(err.text, cases[k].message));
        CU_ASSERT_NOT_EQUAL(access(path, F_OK), 0);
    }
    files_come_back(p, test_scratch("p.mtx"), "matrix-market",
                    true); /* named: a folder */
}

TEST(a_bad_problem_is_not_written)
{
    const double one = 1.0;
    const double nan = strtod("nan", NULL);
    perp_problem *p = test_lcp(1, &one, &nan);

    CU_ASSERT_EQUAL(perp_problem_write(p, test_scratch("nan.json"), NULL, NULL, NULL),
                    PERP_ERR_DATA);
    CU_ASSERT_NOT_EQUAL(access(test_scratch("nan.json"), F_OK), 0);
}

/* Where the machine has such a locale, a comma must not get into the numbers. */
TEST(numbers_do_not_follow_the_language)
{
    const double half = 0.5;
    perp_problem *p = test_lcp(1, &half, &half);

    p->name = perp_text_new("half");
    if (setlocale(LC_NUMERIC, "de_DE.UTF-8") || setlocale(LC_NUMERIC, "fr_FR.UTF-8")) {
        test_note("locale %s", setlocale(LC_NUMERIC, NULL));
    }
    files_come_back(p, test_scratch("locale.json"), NULL, false);
    files_come_back(p, test_scratch("locale-folder"), NULL, true);
    setlocale(LC_NUMERIC, "C");
}

/* Rows on two bodies, contacts with friction alone, as NAME; sums of 12 products of size 1. */
TEST(a_matrix_in_factors_is_written_multiplied_out)
{
    static const unsigned dims[] = {3, 3, 3, 3, 3, 3, 0};
    static const char *const formats[] = {"json", "matrix-market", "siconos", "fclib",
                                          "npz"};
    perp_random g = {3};
    couples drawn;

    couples_draw(&drawn, COUPLES_ARMS, dims, 3);
    perp_operator *A = test_new_pairs(&drawn.pairs);
    perp_set *set = test_new_set(6);
    for (size_t k = 0; k < 6; k++) {
        perp_set_add_cone(set, 3, 0.5);
    }
    perp_problem *p = test_problem(A, set, PERP_LAW_COULOMB, &g);
    for (size_t f = 0; f < sizeof formats / sizeof *formats; f++) {
        const char *path = test_scratch(formats[f]);
        const perp_read_options opt = {.format = formats[f]};
        perp_error err = {0};

        test_note("%s", formats[f]);
        OK(perp_problem_write(p, path, formats[f], NULL, &err));
        test_note("%s", err.text);
        perp_problem *q = test_read(path, &opt, NULL);
        CU_ASSERT_FALSE(perp_operator_in_factors(q->A));
        for (size_t i = 0; i < p->n * p->n; i++) {
            CU_ASSERT_DOUBLE_EQUAL(perp_operator_entry(q->A, i / p->n, i % p->n),
                                   perp_operator_entry(p->A, i / p->n, i % p->n), 1e-13);
        }
    }
}

/* Only an infinity means no bound: the same problem, with its hash, from every format. */
TEST(a_finite_bound_stays_finite_however_large)
{
    static const double bounds[][2] = {
        {1e300, 1e300}, {-1e300, 1e301}, {-DBL_MAX, INFINITY}, {-INFINITY, DBL_MAX}};
    const double A[16] = {1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1};
    const double b[4] = {-1, 2, 3, 4};
    perp_problem *p = test_lcp(4, A, b);
    size_t count = 0;
    size_t held = 0;
    const perp_format *const *formats = perp_formats(&count);

    perp_set_free(p->set);
    OK(perp_set_new(&p->set, 4, NULL));
    for (size_t i = 0; i < 4; i++) {
        perp_set_add_box(p->set, bounds[i][0], bounds[i][1]);
    }
    OK(perp_problem_seal(p, NULL));
    for (size_t f = 0; f < count; f++) {
        const char *name = formats[f]->name;
        const char *path = test_scratch(name);
        const perp_read_options opt = {.format = name};

        if (!formats[f]->reads ||
            perp_problem_write(p, path, name, NULL, NULL) != PERP_OK) {
            continue;
        }
        held++;
        test_note("%s", name);
        perp_problem *q = test_read(path, &opt, NULL);
        CU_ASSERT_TRUE(files_same_set(p->set, q->set));
        CU_ASSERT_EQUAL(perp_problem_hash(p), perp_problem_hash(q));
    }
    CU_ASSERT(held >= 7);
}

/* The note on what a format leaves out; "": nothing. */
static void expect_left_out(const perp_problem *p, const char *path, const char *expected)
{
    perp_notes notes = {0};

    perp_problem_left_out(p, path, NULL, &notes);
    CU_ASSERT_EQUAL(notes.count, *expected != '\0');
    CU_ASSERT_STRING_EQUAL(notes.line[0], expected);
}

TEST(what_a_format_has_no_place_for_is_named)
{
    perp_problem *p = files_every_set(PERP_STORAGE_CSR, PERP_LAW_COULOMB);

    p->description = perp_text_new("two sentences");
    p->math_info = perp_text_new("a remark");
    expect_left_out(p, "x.json", "");
    expect_left_out(p, "x.hdf5", "");
    expect_left_out(
        p, "x.mod",
        "left out, since ampl has no place for it: 1 starting point, the answer");
    expect_left_out(p, "x.dat",
                    "left out, since siconos has no place for it: 1 starting point, the "
                    "answer, title, description, math_info");
    expect_left_out(
        p, "x.contactbench.npz",
        "left out, since contactbench has no place for it: the answer, title, "
        "description, math_info");
    expect_left_out(p, "x.unknown", "");
}

static size_t entries_in_scratch(const char *prefix)
{
    char folder[1024];
    size_t found = 0;

    snprintf(folder, sizeof folder, "%s", test_scratch(prefix));
    char *slash = strrchr(folder, '/');
    *slash = '\0';
    DIR *d = opendir(folder);
    CU_ASSERT_PTR_NOT_NULL_FATAL(d);
    for (struct dirent *e = readdir(d); e; e = readdir(d)) {
        found += strncmp(e->d_name, slash + 1, strlen(slash + 1)) == 0;
    }
    closedir(d);
    return found;
}

TEST(an_abandoned_file_leaves_nothing)
{
    const char *path = test_scratch("abandoned");
    perp_file_out out = {0};

    perp_file_abandon(&out); /* a zeroed one is allowed */
    OK(perp_file_create(&out, path, NULL));
    fputs("half", out.f);
    CU_ASSERT_EQUAL(entries_in_scratch("abandoned"), 1);
    CU_ASSERT_NOT_EQUAL(access(path, F_OK), 0);
    perp_file_abandon(&out);
    CU_ASSERT_EQUAL(entries_in_scratch("abandoned"), 0);
}

TEST(a_file_appears_whole_and_replaces_the_old_one)
{
    const char *path = test_scratch("whole");
    perp_file_out out = {0};
    char *text = NULL;
    size_t length = 0;

    files_put_text(path, "old");
    OK(perp_file_create(&out, path, NULL));
    fputs("new and longer", out.f);
    OK(perp_file_slurp(path, &text, &length, NULL));
    CU_ASSERT_STRING_EQUAL(text, "old");
    free(text);
    OK(perp_file_commit(&out, NULL));
    OK(perp_file_slurp(path, &text, &length, NULL));
    CU_ASSERT_STRING_EQUAL(text, "new and longer");
    CU_ASSERT_EQUAL(length, 14);
    free(text);
    CU_ASSERT_EQUAL(entries_in_scratch("whole"), 1);
}

/* Files of this process may have no byte: the write fails at the flush. */
TEST(a_write_that_fails_is_an_error_and_the_old_file_stays)
{
    const char *path = test_scratch("full");
    perp_file_out out = {0};
    perp_error err = {0};
    struct rlimit before, none;

    files_put_text(path, "old");
    CU_ASSERT_EQUAL_FATAL(getrlimit(RLIMIT_FSIZE, &before), 0);
    none = (struct rlimit){0, before.rlim_max};
    CU_ASSERT_NOT_EQUAL_FATAL(signal(SIGXFSZ, SIG_IGN), SIG_ERR);
    OK(perp_file_create(&out, path, NULL));
    CU_ASSERT_EQUAL_FATAL(setrlimit(RLIMIT_FSIZE, &none), 0);
    fputs("new", out.f);
    CU_ASSERT_EQUAL(perp_file_commit(&out, &err), PERP_ERR_WRITE);
    CU_ASSERT_EQUAL_FATAL(setrlimit(RLIMIT_FSIZE, &before), 0);
    CU_ASSERT_PTR_NOT_NULL(strstr(err.text, "File too large"));
    CU_ASSERT_EQUAL(entries_in_scratch("full"), 1);
}

TEST(a_folder_that_is_not_there_cannot_be_written_to)
{
    perp_file_out out = {0};
    perp_error err = {0};

    CU_ASSERT_EQUAL(perp_file_create(&out, "/nowhere/at/all", &err), PERP_ERR_WRITE);
    CU_ASSERT_PTR_NOT_NULL(strstr(err.text, "/nowhere/at/all: cannot create"));
}

/* HDF5 writes by name. */
TEST(a_library_writes_to_the_temporary_file_by_name)
{
    const char *path = test_scratch("installed");
    perp_file_out out = {0};
    char *text = NULL;
    size_t length = 0;

    OK(perp_file_create(&out, path, NULL));
    files_put_text(out.temporary, "bytes");
    OK(perp_file_commit(&out, NULL));
    OK(perp_file_slurp(path, &text, &length, NULL));
    CU_ASSERT_STRING_EQUAL(text, "bytes");
    free(text);
    CU_ASSERT_EQUAL(entries_in_scratch("installed"), 1);
}

TEST(a_file_that_was_removed_cannot_be_committed)
{
    const char *path = test_scratch("removed");
    perp_file_out out = {0};

    OK(perp_file_create(&out, path, NULL));
    unlink(out.temporary);
    CU_ASSERT_EQUAL(perp_file_commit(&out, NULL), PERP_ERR_WRITE);
    CU_ASSERT_EQUAL(entries_in_scratch("removed"), 0);
}

/* A limit stops the reading of what never ends. */
TEST(a_long_file_is_read_little_beyond_the_limit)
{
    char *text = NULL;
    size_t length = 0;

    OK(perp_file_slurp_most("/dev/zero", 100000, &text, &length, NULL));
    CU_ASSERT_TRUE(length > 100000 && length < 1000000);
    free(text);
}

static void expect_valid(const char *bytes, size_t length, const char *expected)
{
    char *text = perp_text_valid(bytes, length);

    CU_ASSERT_PTR_NOT_NULL_FATAL(text);
    CU_ASSERT_STRING_EQUAL(text, expected);
    free(text);
}

TEST(text_is_made_valid_utf8)
{
    expect_valid("plain", 5, "plain");
    expect_valid("cut\0off", 7, "cut");
    expect_valid("\xC2\xB5 \xE2\x82\xAC \xF0\x9F\x98\x80", 11,
                 "\xC2\xB5 \xE2\x82\xAC \xF0\x9F\x98\x80");
    expect_valid("\xB5m", 2, "\\xb5m");                 /* Latin-1 */
    expect_valid("\xC0\xAF", 2, "\\xc0\\xaf");          /* overlong */
    expect_valid("\xED\xA0\x80", 3, "\\xed\\xa0\\x80"); /* surrogate */
    expect_valid("\xF4\x90\x80\x80", 4, "\\xf4\\x90\\x80\\x80");
    expect_valid("\xE2\x82", 2, "\\xe2\\x82"); /* cut off */
    expect_valid("", 0, "");
}

static void expect_stem(const char *path, const char *expected)
{
    char *stem = perp_path_stem(path);

    CU_ASSERT_PTR_NOT_NULL_FATAL(stem);
    CU_ASSERT_STRING_EQUAL(stem, expected);
    free(stem);
}

TEST(a_stem_is_the_name_without_folder_and_extension)
{
    expect_stem("a/b/Capsules-i100.hdf5", "Capsules-i100");
    expect_stem("x.hdf5.dat", "x.hdf5");
    expect_stem("folder/", "folder");
    expect_stem(".hidden", ".hidden");
    expect_stem("plain", "plain");
    expect_stem("/", "");
    expect_stem("", "");
}

TEST(notes_beyond_the_room_are_dropped)
{
    perp_notes notes = {0};

    perp_note(NULL, "nobody listens");
    for (int i = 0; i < 20; i++) {
        perp_note(&notes, "note %d", i);
    }
    CU_ASSERT_EQUAL(notes.count, 8);
    CU_ASSERT_STRING_EQUAL(notes.line[7], "note 7");
}
