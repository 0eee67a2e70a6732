/* SPDX-License-Identifier: Apache-2.0
 * tests/formats/ampl_nl.c: .nl files of AMPL, Pyomo and perp, text and binary, and what is refused. */
#include <config.h>

#include <math.h>

#include "files.h"

static const char *put(const char *text)
{
    const char *path = test_scratch("model.nl");

    files_put_text(path, text);
    return path;
}

static perp_problem *get(const char *path)
{
    perp_problem *p = NULL;
    perp_error err = {0};

    if (perp_problem_read(&p, path, NULL, NULL, &err) != PERP_OK) {
        test_note("%s", err.text);
        CU_FAIL_FATAL("not read");
    }
    return p;
}

/* The header of n variables and rows, and of nonzeros in J. */
#define HEAD(n, nonzeros)                                                                \
    "g3 1 1 0\t# problem two\n " n " " n                                                 \
    " 1 0 0\t# vars, constraints, objectives, ranges, eqns\n"                            \
    " 0 0 2 0 0 0\t# nonlinear constrs, objs; ccons: lin, nonlin, nd, nzlb\n"            \
    " 0 0\t# network constraints\n 0 0 0\n 0 0 0 1\t# arith\n 0 0 0 0 0\n " nonzeros     \
    " 0\n 0 0\n"                                                                         \
    " 0 0 0 0 0\n"

/* 0 <= z _|_ [2 1; 1 2] z + (-5, -6) >= 0. */
static void is_the_lcp(const perp_problem *p)
{
    static const double A[4] = {2, 1, 1, 2}, b[2] = {-5, -6};

    CU_ASSERT_EQUAL_FATAL(p->n, 2);
    for (size_t k = 0; k < 4; k++) {
        CU_ASSERT_EQUAL(perp_operator_entry(p->A, k / 2, k % 2), A[k]);
    }
    CU_ASSERT_EQUAL(perp_set_count(p->set, PERP_SET_NONNEG), 2);
    CU_ASSERT(memcmp(p->b, b, sizeof b) == 0);
}

/* The rows of AMPL stand in its own order, constants as expressions; a suffix and starting values. */
TEST(rows_are_those_of_their_variables)
{
    perp_problem *p =
        get(put(HEAD("2", "4") "C0\nn-6\nC1\no0\t# +\nn-3\nn-2\nO0 0\nn7\n"
                               "S0 1 sosno\n0 4\nd1\n0 1.5\nx2\n0 0.25\n1 3\n"
                               "r\n5 1 2\n5 1 1\nb\n2 0\n2 0\nk1\n2\n"
                               "J0 2\n0 1\n1 2\nJ1 2\n0 2\n1 1\n"));

    is_the_lcp(p);
    CU_ASSERT_STRING_EQUAL(p->name, "two");
    CU_ASSERT_EQUAL_FATAL(p->guess_count, 1);
    CU_ASSERT(p->guesses[0].z[0] == 0.25 && p->guesses[0].z[1] == 3.0);
}

/* Linear terms also in expressions: (2 z_0 - 5) + z_1 and -(6 - z_0 - z_1 2), sums and quotients. */
TEST(linear_expressions_are_added_up)
{
    is_the_lcp(
        get(put(HEAD("2", "4") "C0\no54\n3\no2\nn2\nv0\no3\nv1\nn1\nn-5\n"
                               "C1\no16\no1\no1\nn6\nv0\no2\nv1\nn2\n"
                               "r\n5 1 1\n5 1 2\nb\n2 0\n2 0\nk1\n2\nJ0 2\n0 0\n1 0\n"
                               "J1 2\n0 0\n1 0\n")));
}

/* Pyomo's `complements(M z + q >= 0, z >= 0)`: the row is a new free variable, which an equation defines. */
TEST(variables_that_equations_define_are_replaced)
{
    is_the_lcp(get(
        put(HEAD("4", "8") "C0\nn0\nC1\nn0\nC2\nn0\nC3\nn0\nO0 0\nn0\nx0\n"
                           "r\n4 -5\n4 -6\n5 1 1\n5 1 2\nb\n2 0\n2 0\n3\n3\nk3\n2\n4\n6\n"
                           "J0 3\n0 -2\n1 -1\n2 1\nJ1 3\n0 -1\n1 -2\n3 1\n"
                           "J2 1\n2 1\nJ3 1\n3 1\n")));
}

/* z_0 between -1 and 2, z_1 at most 3, z_2 free without a row: 2 z_0 - z_2 = 4. */
TEST(bounds_and_equations_become_rows)
{
    perp_problem *p =
        get(put(HEAD("3", "6") "C0\nn1\nC1\nn2\nC2\nn0\nr\n5 3 1\n5 2 2\n4 4\n"
                               "b\n0 -1 2\n1 3\n3\nk2\n1\n2\n"
                               "J0 2\n0 1\n2 5\nJ1 2\n1 1\n2 1\nJ2 2\n0 2\n2 -1\n"));

    /* z_2 = 2 z_0 - 4 */
    CU_ASSERT_EQUAL_FATAL(p->n, 2);
    CU_ASSERT_EQUAL(perp_operator_entry(p->A, 0, 0), 11.0);
    CU_ASSERT_EQUAL(perp_operator_entry(p->A, 1, 0), 2.0);
    CU_ASSERT(p->b[0] == -19.0 && p->b[1] == -2.0);
    CU_ASSERT(p->set->blocks[0].lo == -1.0 && p->set->blocks[0].hi == 2.0);
    CU_ASSERT(p->set->blocks[1].lo == -INFINITY && p->set->blocks[1].hi == 3.0);
}

/* Two equations of two free variables each define neither. */
TEST(equations_of_free_variables_are_free_rows)
{
    perp_problem *p =
        get(put(HEAD("2", "4") "C0\nn0\nC1\nn1\nr\n4 3\n4 0\nb\n3\n3\nk1\n2\n"
                               "J0 2\n0 1\n1 1\nJ1 2\n0 1\n1 -1\n"));

    CU_ASSERT_EQUAL(perp_set_count(p->set, PERP_SET_FREE), 2);
    CU_ASSERT(p->b[0] == -3.0 && p->b[1] == 1.0);
    CU_ASSERT_EQUAL(perp_operator_entry(p->A, 1, 1), -1.0);
}

/* Free, nonnegative, bounded rows; the file is the problem again, bit by bit, read from memory too. */
TEST(what_is_written_is_read_again)
{
    for (uint64_t seed = 1; seed <= 20; seed++) {
        perp_random g = {seed};
        const char *path = test_scratch("again.nl");
        size_t size = 0;
        perp_set *set = test_new_set(6);

        perp_set_add_free(set);
        perp_set_add_nonneg(set);
        perp_set_add_box(set, -2.5, INFINITY);
        perp_set_add_box(set, -INFINITY, 0.3);
        perp_set_add_box(set, -0.1, 0.7);
        perp_set_add_nonneg(set);
        perp_problem *p = test_problem(test_spd(6, seed), set, PERP_LAW_COULOMB, &g);
        p->A->x[1] += 0.3; /* not symmetric */
        p->A->x[3] = 0.0;
        remove(path);
        OK(perp_problem_write(p, path, NULL, NULL, NULL));
        perp_problem *q = get(path);
        CU_ASSERT(memcmp(p->b, q->b, 6 * sizeof *p->b) == 0);
        CU_ASSERT(files_same_set(p->set, q->set));
        for (size_t k = 0; k < 36; k++) {
            CU_ASSERT_EQUAL(perp_operator_entry(p->A, k / 6, k % 6),
                            perp_operator_entry(q->A, k / 6, k % 6));
        }
        char *bytes = files_get(path, &size);
        for (size_t cut = 0; cut + 1 < size; cut++) {
            const perp_read_options opt = {.format = "ampl-nl"};
            perp_problem *r = NULL;

            /* the last number may be shorter */
            CU_ASSERT(perp_problem_read_memory(&r, bytes, cut, &opt, NULL, NULL) !=
                          PERP_OK ||
                      cut + 20 > size);
        }
    }
}

/* What the text of rows_are_those_of_their_variables says, as bytes. */
typedef struct binary {
    char bytes[1024];
    size_t size;
} binary;

static void add(binary *b, const void *bytes, size_t size)
{
    memcpy(b->bytes + b->size, bytes, size);
    b->size += size;
}

static void letter(binary *b, char c)
{
    add(b, &c, 1);
}

static void integer(binary *b, int32_t k)
{
    add(b, &k, sizeof k);
}

static void real(binary *b, double x)
{
    add(b, &x, sizeof x);
}

static void entries(binary *b, int32_t row, double x, double y)
{
    letter(b, 'J');
    integer(b, row);
    integer(b, 2);
    integer(b, 0);
    real(b, x);
    integer(b, 1);
    real(b, y);
}

static binary binary_lcp(void)
{
    static const double minus_six = -6.0;
    binary b = {.size = 0};

    add(&b, HEAD("2", "4"), strlen(HEAD("2", "4")));
    b.bytes[0] = 'b';
    letter(&b, 'C');
    integer(&b, 0);
    letter(&b, 'n');
    add(&b, &minus_six, 8);
    letter(&b, 'C');
    integer(&b, 1);
    letter(&b, 'o');
    integer(&b, 0);
    letter(&b, 's');
    add(&b, &(int16_t){-3}, 2);
    letter(&b, 'n');
    real(&b, -2.0);
    letter(&b, 'S');
    integer(&b, 0);
    integer(&b, 1);
    integer(&b, 5);
    add(&b, "sosno", 5);
    integer(&b, 0);
    integer(&b, 4);
    letter(&b, 'r');
    letter(&b, '5');
    integer(&b, 1);
    integer(&b, 2);
    letter(&b, '5');
    integer(&b, 1);
    integer(&b, 1);
    letter(&b, 'b');
    letter(&b, '2');
    real(&b, 0.0);
    letter(&b, '2');
    real(&b, 0.0);
    letter(&b, 'k');
    integer(&b, 1);
    integer(&b, 2);
    entries(&b, 0, 1.0, 2.0);
    entries(&b, 1, 2.0, 1.0);
    return b;
}

TEST(the_binary_form_is_the_same)
{
    const char *path = test_scratch("binary.nl");
    binary b = binary_lcp();

    files_put(path, b.bytes, b.size);
    is_the_lcp(get(path));
    for (size_t cut = strlen(HEAD("2", "4")) + 1; cut < b.size; cut++) {
        perp_problem *p = NULL;

        files_put(path, b.bytes, cut);
        CU_ASSERT_NOT_EQUAL(perp_problem_read(&p, path, NULL, NULL, NULL), PERP_OK);
    }
}

TEST(what_is_no_linear_complementarity_problem_is_refused_with_its_row)
{
    static const char tail[] =
        "r\n5 1 1\n5 1 2\nb\n2 0\n2 0\nk1\n1\nJ0 1\n0 1\nJ1 1\n1 1\n";
    static const struct {
        const char *text, *words;
        bool whole;
    } cases[] = {
        {"C0\nn0\nC1\no2\nv0\nv1\n", "row 1 has a product of variables, expected linear",
         false},
        {"C0\no5\nv0\nn2\n", "row 0 has the operator o5, expected linear rows", false},
        {"C0\no3\nn1\nv0\n", "row 0 has a division by a variable", false},
        {"O0 0\nv0\n", "the objective has variables, expected none", false},
        {"C0\nn0\nO0 0\nn0\nG0 1\n0 2\n", "the objective has variables", false},
        {"V2 0 0\nn1\n", "a defined variable (V)", false},
        {"F0 1 1 f\n", "a function (F)", false},
        {"C5\nn0\n", "a row is 5, expected an integer 0 .. 1", false},
        {"C0\nnnan\n", "a constant is nan, expected a finite number", false},
        {"C0\nn\n", "expected", false},
        {"Q0\n", "found a segment \"Q\"", false},
        {"r\n1 3\n5 1 2\nb\n2 0\n2 0\n",
         "row 0 is an inequality that complements no variable", true},
        {"r\n5 1 2\n5 1 2\nb\n2 0\n2 0\n", "rows 0 and 1 complement variable 1", true},
        {"r\n5 2 1\n5 1 2\nb\n2 0\n2 0\n",
         "row 0 has the sides 2 of variable 0, expected 1", true},
        {"r\n5 1 1\n4 0\nb\n2 0\n2 0\n", "variable 1 has bounds 0, inf, and no row",
         true},
        {"r\n5 1 1\n3\nb\n2 0\n3\n", "variable 1 has no row", true},
        {"r\n5 1 0\n5 1 2\nb\n2 0\n2 0\n", "complements variable 0, expected one from 1",
         true},
        {"r\n5 1 1\n5 1 2\nb\n0 3 2\n2 0\n", "bounds 3 and 2, expected lower <= upper",
         true},
        {"r\n5 1 1\n", "the file ends, expected more", true},
    };

    for (size_t k = 0; k < sizeof cases / sizeof *cases; k++) {
        char text[2048];

        snprintf(text, sizeof text, "%s%s%s",
                 cases[k].whole ? HEAD("2", "0") : HEAD("2", "2"), cases[k].text,
                 cases[k].whole ? "" : tail);
        files_refused(put(text), NULL, cases[k].words);
    }
    files_refused(put("g3 0 1 0\n 9999999 1 0 0 0\n"), NULL,
                  "model.nl:2: expected the numbers");
}
