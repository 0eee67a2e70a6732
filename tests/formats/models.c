/* SPDX-License-Identifier: Apache-2.0
 * tests/formats/models.c: optimisation models: what is refused and in which words, texts that
 * stay comments, the same bytes from every storage, scarce memory. tests/interop/models.sh
 * reads the models again. */
#include <config.h>

#include <math.h>

#include "files.h"
#include "scarce.h"

static const struct {
    const char *name, *extension, *mark;
} models[] = {{"ampl", ".mod", "#"}, {"ampl-nl", ".nl", NULL}, {"gams", ".gms", "*"},
              {"mps", ".mps", "*"},  {"lp", ".lp", "\\"},      {"qps", ".qps", "*"}};
enum { MODELS = sizeof models / sizeof *models, QPS = MODELS - 1 };

/* "new.mod" of model k. */
static const char *model_path(size_t k)
{
    char name[16];

    snprintf(name, sizeof name, "new%s", models[k].extension);
    return test_scratch(name);
}

static char *model_text(const perp_problem *p, size_t k)
{
    char *bytes = NULL;
    size_t size = 0;
    perp_error err = {0};

    if (perp_problem_write_memory(p, models[k].name, NULL, &bytes, &size, &err) !=
        PERP_OK) {
        test_note("%s", err.text);
        CU_FAIL_FATAL("not written");
    }
    bytes = realloc(bytes, size + 1);
    CU_ASSERT_PTR_NOT_NULL_FATAL(bytes);
    bytes[size] = '\0';
    return test_keep(bytes, free);
}

static void model_refused(const perp_problem *p, size_t k, const char *kind,
                          const char *words)
{
    files_not_written(p, model_path(k), kind, PERP_ERR_UNSUITABLE, words);
}

static void all_refuse(const perp_problem *p, const char *kind, const char *words)
{
    for (size_t k = 0; k < MODELS; k++) {
        model_refused(p, k, kind, words);
    }
}

/* Symmetric positive definite rows: FREE, NONNEG, a lower bound, an upper one, both. */
static perp_problem *every_row(void)
{
    static const double rows[] = {4, 1,     0,   -1, 0.5, /**/ 1, 5,       0, 0,
                                  2, 0,     0,   3,  0.1, 0,      /**/ -1, 0, 0.1,
                                  6, 1e-17, 0.5, 2,  0,   1e-17,  7};
    static const double b[] = {-1, 2, -0.1, 5e-324, 3};
    perp_problem *p = test_lcp(5, rows, b);
    perp_set *set = test_new_set(5);

    perp_set_add_free(set);
    perp_set_add_nonneg(set);
    perp_set_add_box(set, -1.0 / 3.0, INFINITY);
    perp_set_add_box(set, -INFINITY, -2.5);
    perp_set_add_box(set, -1, 1e10);
    test_give_set(p, set);
    return p;
}

static const double identity[] = {1, 0, 0, 0, 1, 0, 0, 0, 1};

static perp_problem *three_rows(void (*add)(perp_set *set))
{
    static const double b[] = {-1, 1, 1};
    perp_problem *p = test_lcp(3, identity, b);
    perp_set *set = test_new_set(3);

    add(set);
    test_give_set(p, set);
    return p;
}

static void add_cone(perp_set *set)
{
    perp_set_add_cone(set, 3, 0.5);
}

static void add_disk(perp_set *set)
{
    perp_set_add_nonneg(set);
    perp_set_add_disk(set, 0.5);
}

static void add_friction(perp_set *set)
{
    perp_set_add_nonneg(set);
    perp_set_add_friction(set, 0.5, 0);
    perp_set_add_friction(set, 0.0, 0);
}

TEST(a_nl_file_states_each_row_by_the_bounds_of_its_variable)
{
    static const double rows[] = {2, 0, 1, 0, 3, 0, 0, 0, 0};
    static const double b[] = {-1, 0.5, 4};
    perp_problem *p = test_lcp(3, rows, b);
    perp_set *set = test_new_set(3);

    perp_set_add_nonneg(set);
    perp_set_add_box(set, -1, 2);
    perp_set_add_free(set);
    test_give_set(p, set);
    p->name = perp_text_new("two\tparts\nlines");
    char *text = model_text(p, 1);
    CU_ASSERT_STRING_EQUAL(
        text, "g3 0 1 0\t# problem two parts\n"
              " 3 3 0 0 0\t# vars, constraints, objectives, ranges, eqns\n"
              " 0 0 3 0 1 1\t# nonlinear constrs, objs; ccons: lin, nonlin, nd, nzlb\n"
              " 0 0\t# network constraints: nonlinear, linear\n"
              " 0 0 0\t# nonlinear vars in constraints, objectives, both\n"
              " 0 0 0 1\t# linear network variables; functions; arith, flags\n"
              " 0 0 0 0 0\t# discrete variables: binary, integer, nonlinear (b,c,o)\n"
              " 3 0\t# nonzeros in Jacobian, gradients\n"
              " 0 0\t# max name lengths: constraints, variables\n"
              " 0 0 0 0 0\t# common exprs: b,c,o,c1,o1\n"
              "C0\nn-1\nC1\nn0.5\nC2\nn4\n"
              "r\n5 1 1\n5 3 2\n5 0 3\n"
              "b\n2 0\n0 -1 2\n3\n"
              "k2\n1\n2\n"
              "J0 2\n0 2\n2 1\nJ1 1\n1 3\n");
}

TEST(cones_are_refused_with_the_option_that_replaces_them)
{
    perp_problem *p = three_rows(add_cone);
    perp_reform *pyramid = NULL;
    perp_error err = {0};

    all_refuse(p, NULL, "holds no cones; --friction pyramid:8 writes an LCP");
    OK(perp_reform_named(&pyramid, p, "pyramid:8", NULL));
    for (size_t k = 0; k < QPS; k++) {
        model_text(pyramid->to, k);
    }
    model_refused(pyramid->to, QPS, NULL, "qps needs a symmetric A");
    /* nothing is opened: the folder is not there */
    CU_ASSERT_EQUAL(perp_problem_write(p, "/nowhere/new.mod", NULL, NULL, &err),
                    PERP_ERR_UNSUITABLE);
    CU_ASSERT_STRING_EQUAL(
        err.text,
        "/nowhere/new.mod: ampl holds no cones; --friction pyramid:8 writes an LCP");
}

TEST(sets_that_nothing_replaces_are_refused_with_the_formats_that_hold_them)
{
    perp_problem *every = files_every_set(PERP_STORAGE_CSR, PERP_LAW_COULOMB);
    perp_problem *friction = three_rows(add_friction);

    all_refuse(three_rows(add_disk), NULL, "holds no disks; json and npz hold them");
    for (size_t k = 0; k < QPS; k++) {
        model_refused(every, k, NULL, "holds no rolling cones; json and npz hold them");
        model_text(friction, k);
    }
    model_refused(friction, QPS, NULL, "qps holds no rows of box friction");
}

TEST(a_global_problem_is_refused_with_the_option_that_condenses_it)
{
    perp_problem *p = every_row();
    perp_reform *local = NULL;

    p->global = calloc(1, sizeof *p->global);
    CU_ASSERT_PTR_NOT_NULL_FATAL(p->global);
    p->global->M = p->A;
    p->global->f = perp_reals_new(5);
    p->A = NULL;
    OK(perp_operator_copy(&p->global->H, p->global->M, NULL));
    all_refuse(p, NULL,
               "holds no global problem (M, H); --condense writes its local form");
    OK(perp_reform_condense(&local, p, NULL));
    for (size_t k = 0; k < QPS; k++) { /* its A may be asymmetric by rounding */
        model_text(local->to, k);
    }
}

TEST(another_kind_and_no_rows_are_refused)
{
    const double none = 0.0;

    all_refuse(every_row(), "lcp", "kind is \"lcp\", but the problem is \"blcp\"");
    all_refuse(test_lcp(0, &none, &none), NULL, "the problem has 0 rows");
    for (size_t k = 0; k < MODELS; k++) {
        OK(perp_problem_write(every_row(), model_path(k), NULL, "blcp", NULL));
        unlink(model_path(k));
    }
}

TEST(numbers_that_gams_takes_for_infinite_are_refused)
{
    perp_problem *p = every_row();

    p->b[1] = -1.0001e299;
    p->sealed = false;
    model_refused(p, 2, NULL, "gams holds no numbers beyond 1e299");
    p->b[1] = 1e299;
    p->set->blocks[4].hi = 1e300;
    model_refused(p, 2, NULL, "gams holds no numbers beyond 1e299");
    p->set->blocks[4].hi = INFINITY;
    p->A->x[0] = 1e300;
    model_refused(p, 2, NULL, "gams holds no numbers beyond 1e299");
    p->A->x[0] = 1e299;
    model_text(p, 2);
}

TEST(numbers_that_quadratic_programs_take_for_infinite_are_refused)
{
    perp_problem *p = every_row();

    p->set->blocks[4].hi = 1e20;
    p->sealed = false;
    model_refused(p, QPS, NULL, "qps holds no numbers beyond 1e19");
    p->set->blocks[4].hi = 1e19;
    model_text(p, QPS);
}

static perp_problem *diagonal(size_t n, bool above)
{
    perp_triplets t;
    perp_operator *A = NULL;
    perp_random g = {7};

    perp_triplets_init(&t, n, n, n);
    for (size_t i = 0; i < n; i++) {
        perp_triplets_add(&t, i, i, 1.0);
    }
    OK(perp_triplets_finish(&A, &t, NULL));
    perp_triplets_free(&t);
    perp_set *set = test_new_set(n);
    for (size_t i = 0; i < n; i++) {
        if (above && i == 0) {
            perp_set_add_box(set, 0.0, 1.0);
        } else {
            perp_set_add_nonneg(set);
        }
    }
    return test_problem(A, set, PERP_LAW_COULOMB, &g);
}

TEST(more_bounds_than_can_be_enumerated_are_refused)
{
    perp_problem *most = diagonal(200, false);
    perp_problem *more = diagonal(200, true);

    for (size_t k = 3; k < 5; k++) {
        model_text(most, k);
        model_refused(more, k, NULL,
                      "enumerates at most 200 binaries, and this problem needs 201");
    }
}

TEST(the_scales_of_mixed_integer_forms_are_finite)
{
    static const double sizes[] = {1.7e308, 0.0, 5e-324};

    for (size_t i = 0; i < 9; i++) {
        perp_problem *p = test_lcp(1, &sizes[i / 3], &sizes[i % 3]);
        char *text = model_text(p, 3);

        CU_ASSERT_PTR_NOT_NULL(strstr(text, "* sigma = "));
        CU_ASSERT_PTR_NULL(strstr(text, "inf\n"));
        CU_ASSERT_PTR_NULL(strstr(text, " 0\n"));
    }
}

TEST(a_quadratic_program_that_is_not_convex_is_refused)
{
    static const double b[] = {1, 1};
    static const double skew[] = {1, 1, -1, 1};
    static const double indefinite[] = {1, 2, 2, 1};
    static const double barely[] = {1, 1 + 1e-11, 1 + 1e-11, 1};
    static const double singular[] = {1, 1, 1, 1};
    static const double zero[] = {0, 0, 0, 0};

    model_refused(test_lcp(2, skew, b), QPS, NULL,
                  "qps needs a symmetric A, and max|A - A^T|/max|A| is 2");
    model_refused(test_lcp(2, indefinite, b), QPS, NULL,
                  "qps needs a positive semidefinite A, and the leading 2 rows");
    model_refused(test_lcp(2, barely, b), QPS, NULL, "positive semidefinite");
    model_text(test_lcp(2, singular, b), QPS);
    model_text(test_lcp(2, zero, b), QPS);
    model_refused(diagonal(2001, false), QPS, NULL, "qps holds at most 2000 rows");
}

/* Each line before `last` starts with the mark. */
static void check_comments(const char *text, const char *mark, const char *last)
{
    const char *line = text;

    for (; line && strncmp(line, last, strlen(last)) != 0;) {
        CU_ASSERT_EQUAL(strncmp(line, mark, strlen(mark)), 0);
        line = strchr(line, '\n');
        line = line ? line + 1 : NULL;
    }
    CU_ASSERT_PTR_NOT_NULL(line);
}

TEST(texts_of_any_content_stay_comments)
{
    static const char *const first[MODELS] = {"param n", NULL,       "$offDigit",
                                              "NAME",    "Maximize", "NAME"};
    perp_problem *p = every_row();

    p->name = perp_text_new("name\r;\tend;");
    p->title = perp_text_new("");
    p->description = perp_text_new("two\n$include lines\n\nand one\x01more\n");
    p->math_info = perp_text_new("\xC2\xB5");
    for (size_t k = 0; k < MODELS; k++) {
        char *text = model_text(p, k);

        if (models[k].mark) {
            check_comments(text, models[k].mark, first[k]);
            CU_ASSERT_PTR_NOT_NULL(strstr(text, " name ; end;\n"));
            CU_ASSERT_PTR_NOT_NULL(strstr(text, " $include lines\n"));
            CU_ASSERT_PTR_NOT_NULL(strstr(text, " and one more\n"));
            CU_ASSERT_PTR_NOT_NULL(strstr(text, " \xC2\xB5\n"));
        } else {
            CU_ASSERT_EQUAL(strncmp(text, "g3 0 1 0\t# problem name ; end;\n 5 5", 34),
                            0);
        }
    }
}

TEST(the_origin_is_a_comment)
{
    perp_problem *p = every_row();

    OK(perp_origin_new(&p->origin, NULL));
    p->origin->source = perp_text_new("scene:wall\nn=3");
    p->origin->units = perp_text_new("z N s, w m/s");
    p->origin->timed = true;
    p->origin->time = 0.5;
    p->origin->dt = 0.25;
    p->origin->hash = 0x1F;
    char *text = model_text(p, 2);
    CU_ASSERT_PTR_NOT_NULL(strstr(text, "* source: scene:wall\n* units: z N s, w m/s\n"
                                        "* time: 0.5 s, step length 0.25 s\n"
                                        "* hash: 000000000000001f\n"));
    CU_ASSERT_PTR_NULL(strstr(text, "[N s]"));
    p->origin->step = 7;
    text = model_text(p, 4);
    CU_ASSERT_PTR_NOT_NULL(strstr(text, "\\ step: 7\n"));
}

/* 199 bytes, then a character of three. */
TEST(a_long_text_is_cut_between_characters)
{
    perp_problem *p = every_row();
    char line[204];

    memset(line, 'x', 199);
    memcpy(line + 199, "\xE2\x82\xAC!", 5);
    p->title = perp_text_new(line);
    p->name = perp_text_new(line);
    char *text = model_text(p, 0);
    CU_ASSERT_PTR_NOT_NULL(strstr(text, "xx\n# \xE2\x82\xAC!\n"));
    text = model_text(p, 1);
    CU_ASSERT_EQUAL(strcspn(text, "\n"), strlen("g3 0 1 0\t# problem ") + 48);
}

TEST(a_model_beyond_the_limits_of_path_says_so)
{
    static const char words[] = "PATH solves at most 300 variables and 2000 nonzeros";
    perp_problem *small = diagonal(300, false);
    perp_problem *large = diagonal(301, false);

    for (size_t k = 0; k < 3; k += 2) {
        char *with = model_text(large, k);
        char *without = model_text(small, k);

        CU_ASSERT_PTR_NOT_NULL(strstr(with, words));
        CU_ASSERT_PTR_NOT_NULL(strstr(with, " 301 variables and 301 nonzeros."));
        CU_ASSERT_PTR_NULL(strstr(without, "PATH"));
    }
}

TEST(every_storage_gives_the_same_bytes)
{
    static const perp_storage storages[] = {PERP_STORAGE_CSR, PERP_STORAGE_DENSE};
    perp_problem *p = every_row();

    for (size_t k = 0; k < MODELS; k++) {
        char *text = model_text(p, k);

        for (size_t s = 0; s < 2; s++) {
            perp_problem *q = test_stored(p, storages[s], 1);
            char *other = model_text(q, k);

            CU_ASSERT_STRING_EQUAL(text, other);
        }
    }
}

typedef struct writing {
    const perp_problem *p;
    const char *path;
} writing;

static perp_status write_once(void *context, perp_error *err)
{
    const writing *w = context;

    unlink(w->path);
    perp_status status = perp_problem_write(w->p, w->path, NULL, NULL, err);
    CU_ASSERT_EQUAL(access(w->path, F_OK) == 0, status == PERP_OK);
    return status;
}

TEST(scarce_memory_leaves_no_half_model)
{
    for (size_t k = 0; k < MODELS; k++) {
        writing w = {k == QPS ? every_row() : three_rows(add_friction), model_path(k)};

        scarce_everywhere(write_once, &w, models[k].name);
        unlink(w.path);
    }
}
