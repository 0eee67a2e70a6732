/* SPDX-License-Identifier: Apache-2.0
 * tests/steps/steps.c: each line of steps.tsv says that a solver ends on a problem in a certain way,
 * within so many iterations. Every pair of a solver and a problem of a line is a test of its own.
 *
 * Columns: solvers | options | problems | as | end | residual | iterations | more | why.
 *   problems    golden id, file of the datasets, call of a family, `contacts` (the golden
 *               ones), or by hand: rows of A | b | sets (nonneg unless said)
 *   as          how it is changed: associated, dense, csr, bsr, factors, unsymmetric-factors
 *   end         outcome; residual: most, computed again from z, of an answer called solved
 *   iterations  most, or =N
 *   more        what else holds, separated by ;  (see `checks` and `counts` below)
 * The option `start` gives z; "-" is nothing. */
#include <config.h>

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "answers.h"
#include "families.h"
#include "instances.h"

enum { SOLVERS, OPTIONS, PROBLEMS, AS, END, RESIDUAL, ITERATIONS, MORE, WHY, COLUMNS };
enum { MOST_LINES = 800, MOST_STEPS = 2000, LENGTH = 400, ROWS = 16 };

typedef struct line {
    int number;
    char text[2 * LENGTH];
    const char *column[COLUMNS];
} line;

typedef struct step {
    const line *of;
    char solver[40], problem[LENGTH / 2], name[LENGTH / 2];
} step;

static line lines[MOST_LINES];
static step steps[MOST_STEPS];
static size_t line_count, step_count;

/* ---- text ---- */

/* The next part of *text up to a separator; NULL after the last. */
static const char *next(const char **text, char separator, char *part, size_t room)
{
    size_t length = 0;

    while (**text == ' ') {
        ++*text;
    }
    if (**text == '\0' || strcmp(*text, "-") == 0) {
        return NULL;
    }
    length = strcspn(*text, (const char[]){separator, '\0'});
    snprintf(part, room, "%.*s", (int)length, *text);
    *text += length + ((*text)[length] != '\0');
    return part;
}

/* The text behind `words`, or NULL where it begins otherwise. */
static const char *after(const char *text, const char *words)
{
    size_t length = strlen(words);

    return strncmp(text, words, length) == 0 ? text + length : NULL;
}

/* Numbers with commas; NAN for "*". How many there are. */
static size_t read_numbers(const char *text, double *x, size_t most)
{
    char part[LENGTH];
    size_t count = 0;

    while (next(&text, ',', part, sizeof part)) {
        CU_ASSERT_FATAL(count < most);
        x[count++] = strcmp(part, "*") == 0 ? NAN : strtod(part, NULL);
    }
    return count;
}

/* ---- problems ---- */

/* free, nonneg, LO..HI, cone2:MU, cone3:MU, disk:RADIUS, row:MU:NORMAL */
static void add_block(perp_set *set, const char *kind)
{
    const char *dots = strstr(kind, "..");
    const char *value = strchr(kind, ':');
    char *end = NULL;
    double x = value ? strtod(value + 1, &end) : 0.0;

    if (strcmp(kind, "free") == 0) {
        perp_set_add_free(set);
    } else if (strcmp(kind, "nonneg") == 0) {
        perp_set_add_nonneg(set);
    } else if (after(kind, "cone")) {
        perp_set_add_cone(set, kind[4] == '2' ? 2 : 3, x);
    } else if (after(kind, "disk")) {
        perp_set_add_disk(set, x);
    } else if (after(kind, "row")) {
        perp_set_add_friction(set, x, strtoul(end + 1, NULL, 10));
    } else {
        CU_ASSERT_PTR_NOT_NULL_FATAL(dots);
        perp_set_add_box(set, strtod(kind, NULL), strtod(dots + 2, NULL));
    }
}

static perp_problem *by_hand(const char *text)
{
    char part[LENGTH] = "", sets[LENGTH] = "";
    double A[ROWS * ROWS], b[ROWS];
    perp_set *set = NULL;
    perp_problem *p = NULL;
    const char *kinds = sets;
    size_t n = 0, entries = 0;

    entries =
        next(&text, '|', part, sizeof part) ? read_numbers(part, A, ROWS * ROWS) : 0;
    n = next(&text, '|', part, sizeof part) ? read_numbers(part, b, ROWS) : 0;
    CU_ASSERT_EQUAL_FATAL(entries, n * n);
    p = test_lcp(n, A, b);
    if (next(&text, '|', sets, sizeof sets)) {
        CU_ASSERT_EQUAL_FATAL(perp_set_new(&set, n, NULL), PERP_OK);
        while (next(&kinds, ',', part, sizeof part)) {
            add_block(set, part);
        }
        test_give_set(p, set);
    }
    return p;
}

static perp_problem *problem_of(const char *text)
{
    perp_problem *p = NULL;

    if (strchr(text, '|')) {
        return by_hand(text);
    }
    if (strchr(text, ':')) {
        CU_ASSERT_EQUAL_FATAL(perp_family_make(text, &p, NULL), PERP_OK);
        return p;
    }
    return strchr(text, '/') ? test_dataset(text) : test_golden_problem(text);
}

static void change(perp_problem *p, const char *as)
{
    size_t edge = perp_set_block_size(p->set);
    char how[LENGTH];

    while (next(&as, ' ', how, sizeof how)) {
        if (strcmp(how, "associated") == 0) {
            p->law = PERP_LAW_ASSOCIATED;
        } else if (strcmp(how, "dense") == 0) {
            test_store(p, PERP_STORAGE_DENSE, 1);
        } else if (strcmp(how, "csr") == 0) {
            test_store(p, PERP_STORAGE_CSR, 1);
        } else if (strcmp(how, "bsr") == 0) {
            test_store(p, PERP_STORAGE_BSR, edge);
        } else if (strcmp(how, "factors") == 0) {
            test_store_as_factors(p);
        } else {
            CU_ASSERT_STRING_EQUAL_FATAL(how, "unsymmetric-factors");
            test_store_as_unsymmetric_factors(p);
        }
    }
}

/* ---- checks ---- */

#define COUNTS(X)                                                                        \
    X(iterations, r->iterations)                                                         \
    X(pivots, r->work.pivots)                                                            \
    X(rounds, r->work.rounds)                                                            \
    X(products, r->work.products)                                                        \
    X(factorizations, r->work.factorizations)                                            \
    X(residual, r->residual)                                                             \
    X(associated, r->measures.residual_associated)                                       \
    X(row, r->singular_row)                                                              \
    X(path, r->path.count)                                                               \
    X(z0, r->certificate.z0)

/* "pivots=15", "rounds<=10", "row<n", "residual<inf" */
static bool check_count(const perp_result *r, const char *text)
{
    size_t name = strcspn(text, "<>=");
    size_t sign = strspn(text + name, "<>=");
    const char *number = text + name + sign;
    double expected = *number == 'n' ? (double)r->n : strtod(number, NULL), found = NAN;

#define COUNT(key, value)                                                                \
    if (name == strlen(#key) && memcmp(text, #key, name) == 0) {                         \
        found = (double)(value);                                                         \
    }
    COUNTS(COUNT)
#undef COUNT
    test_note("%.*s: %g", (int)name, text, found);
    text += name;
    return after(text, "<=")   ? found <= expected
           : after(text, ">=") ? found >= expected
           : *text == '<'      ? found < expected
           : *text == '>'      ? found > expected
                               : found == expected;
}

/* "0.5,* to 1e-15", or "golden to 1e-9 of z": of max(|z|, 1) of the golden z; "of b": of |b|. */
static bool check_vector(const perp_problem *p, const double *x, const char *text,
                         const double *golden)
{
    const char *to = strstr(text, " to ");
    double expected[ROWS], most = 0.0, scale = 1.0, off = 0.0;
    char part[LENGTH];
    size_t count = p->n;

    CU_ASSERT_FATAL(to && x);
    most = strtod(to + 4, NULL);
    if (after(text, "golden")) {
        CU_ASSERT_PTR_NOT_NULL_FATAL(golden);
        scale = strstr(to, " of z")   ? fmax(test_largest(p->n, golden), 1.0)
                : strstr(to, " of b") ? test_largest(p->n, p->b)
                                      : 1.0;
    } else {
        snprintf(part, sizeof part, "%.*s", (int)(to - text), text);
        count = read_numbers(part, expected, ROWS);
        golden = expected;
    }
    CU_ASSERT_EQUAL_FATAL(count, p->n);
    for (size_t i = 0; i < count; i++) {
        if (!isnan(golden[i])) {
            double d = fabs(x[i] - golden[i]);

            off = isnan(d) || d > off ? d : off;
        }
    }
    test_note("off by %g", off);
    return off <= most * scale;
}

/* Whether a step of the path has these words, {rounds} being their number. */
static bool ran(const perp_result *r, const char *words)
{
    char filled[LENGTH];
    const char *at = strstr(words, "{rounds}");

    if (!at) {
        return test_ran(r, words);
    }
    snprintf(filled, sizeof filled, "%.*s%.0f%s", (int)(at - words), words,
             r->work.rounds, at + strlen("{rounds}"));
    return test_ran(r, filled);
}

/* One that is of this kind and proves what it says. */
static bool check_certificate(const perp_problem *p, const perp_result *r,
                              const char *kind)
{
    char why[200] = "";
    bool good = strcmp(perp_certificate_name(r->certificate.kind), kind) == 0;

    if (good && r->certificate.kind != PERP_CERTIFICATE_NONE) {
        good = perp_certificate_check(&r->certificate, p, why, sizeof why);
        test_note("%s", why);
    }
    return good;
}

static bool check(const perp_problem *p, const perp_result *r, const char *text)
{
    const char *rest = NULL;

    return (rest = after(text, "z="))
               ? check_vector(p, r->z, rest, p->solution ? p->solution->z : NULL)
           : (rest = after(text, "w="))
               ? check_vector(p, r->w, rest, p->solution ? p->solution->w : NULL)
           : (rest = after(text, "y="))   ? check_vector(p, r->certificate.y, rest, NULL)
           : (rest = after(text, "ran ")) ? ran(r, rest)
           : (rest = after(text, "not ran "))     ? !test_ran(r, rest)
           : (rest = after(text, "reason "))      ? strstr(r->reason, rest) != NULL
           : (rest = after(text, "certificate ")) ? check_certificate(p, r, rest)
           : strcmp(text, "unproven") == 0
               ? r->certificate.kind != PERP_CERTIFICATE_INFEASIBLE
           : strcmp(text, "unsymmetric") == 0 ? !perp_operator_is_symmetric(p->A)
                                              : check_count(r, text);
}

/* ---- a step ---- */

static perp_result *solve(const step *s, const perp_problem *p)
{
    const char *options = s->of->column[OPTIONS];
    const perp_solver_type *type = NULL;
    perp_options opt;
    perp_result *r = NULL;
    perp_error err = {0};
    char option[LENGTH];

    CU_ASSERT_EQUAL_FATAL(perp_solver_parse(s->solver, &type, &opt, &err), PERP_OK);
    CU_ASSERT_EQUAL_FATAL(perp_result_new(&r, p->n, NULL), PERP_OK);
    while (next(&options, ' ', option, sizeof option)) {
        char *equals = strchr(option, '=');

        CU_ASSERT_PTR_NOT_NULL_FATAL(equals);
        *equals = '\0';
        if (strcmp(option, "start") == 0) {
            CU_ASSERT_EQUAL_FATAL(read_numbers(equals + 1, r->z, p->n), p->n);
        } else if (perp_options_set(&opt, option, equals + 1, &err) != PERP_OK) {
            test_note("%s", err.text);
            CU_FAIL_FATAL("no such option");
        }
    }
    if (perp_solve(type, p, &opt, r, &err) != PERP_OK) {
        test_note("%s", err.text);
        CU_FAIL("the solver does not run");
    }
    return r;
}

/* The outcome, with its proof or its residual: the judge's, computed again. */
static bool check_end(const step *s, const perp_problem *p, const perp_result *r)
{
    const char *ends = s->of->column[END];
    double residual =
        p->A ? perp_residual(p, r->z) : fmax(r->residual, r->residual_given);
    char end[LENGTH];
    bool good = false;

    while (next(&ends, '|', end, sizeof end)) {
        good = good || strcmp(end, perp_outcome_text(r->outcome)) == 0;
    }
    if (r->outcome == PERP_INFEASIBLE) {
        test_infeasible(p, r);
    }
    good = good &&
           (r->outcome == PERP_SOLVED ? residual <= strtod(s->of->column[RESIDUAL], NULL)
                                      : *r->reason != '\0');
    good = good && r->residual == (p->A ? residual : r->residual);
    test_note("%s, residual %.2e, allowed %s: %s", perp_outcome_text(r->outcome),
              residual, s->of->column[RESIDUAL], r->reason);
    return good;
}

static void run_step(void)
{
    const step *s = &steps[test_number()];
    const char *most = s->of->column[ITERATIONS], *more = s->of->column[MORE];
    perp_problem *p = problem_of(s->problem);
    perp_result *r = NULL;
    char text[LENGTH];

    test_note("steps.tsv:%d", s->of->number);
    change(p, s->of->column[AS]);
    r = solve(s, p);
    CU_ASSERT(check_end(s, p, r));
    test_note("%zu iterations, allowed %s", r->iterations, most);
    CU_ASSERT(*most == '-'   ? true
              : *most == '=' ? r->iterations == strtoul(most + 1, NULL, 10)
                             : r->iterations <= strtoul(most, NULL, 10));
    while (next(&more, ';', text, sizeof text)) {
        if (!check(p, r, text)) {
            test_note("does not hold: %s", text);
            CU_FAIL("something else does not hold");
        }
    }
    perp_result_free(r);
    perp_problem_free(p);
}

/* ---- the table ---- */

static void append(char *name, size_t room, const char *word, const char *text)
{
    size_t length = strlen(name);

    if (strcmp(text, "-") != 0) {
        snprintf(name + length, room - length, "%s%s", word, text);
    }
}

/* "lemke form=kernel on siconos-lcp/lcp_mmc.dat in 5 iterations" */
static bool add_step(const line *of, const char *solver, const char *problem)
{
    step *s = &steps[step_count];
    const char *most = of->column[ITERATIONS];

    if (step_count == MOST_STEPS) {
        return false;
    }
    s->of = of;
    snprintf(s->solver, sizeof s->solver, "%s", solver);
    snprintf(s->problem, sizeof s->problem, "%s", problem);
    append(s->name, sizeof s->name, "", solver);
    append(s->name, sizeof s->name, " ", of->column[OPTIONS]);
    append(s->name, sizeof s->name, " on ", problem);
    append(s->name, sizeof s->name, " as ", of->column[AS]);
    if (strcmp(of->column[END], "solved") != 0) {
        append(s->name, sizeof s->name, ": ", of->column[END]);
    }
    if (*most != '-') {
        append(s->name, sizeof s->name, " in ", most + (*most == '='));
        append(s->name, sizeof s->name, " ",
               strcmp(most, "=1") ? "iterations" : "iteration");
    }
    for (size_t i = 0; i < step_count; i++) {
        if (strcmp(steps[i].name, s->name) == 0) {
            return false;
        }
    }
    test_add(s->name, run_step);
    step_count++;
    return true;
}

static bool add_steps(const line *of)
{
    const char *solvers = of->column[SOLVERS];
    char solver[LENGTH], problem[LENGTH];

    while (next(&solvers, ' ', solver, sizeof solver)) {
        const char *problems = of->column[PROBLEMS];

        while (next(&problems, ' ', problem, sizeof problem)) {
            if (strcmp(problem, "contacts") != 0) {
                if (!add_step(of, solver, problem)) {
                    return false;
                }
                continue;
            }
            for (size_t k = 0; test_golden_contacts[k]; k++) {
                if (!add_step(of, solver, test_golden_contacts[k])) {
                    return false;
                }
            }
        }
    }
    return true;
}

static bool read_line(line *l)
{
    char *at = l->text;

    at[strcspn(at, "\n")] = '\0';
    for (size_t k = 0; k < COLUMNS; k++) {
        l->column[k] = at;
        at = at ? strchr(at, '\t') : NULL;
        if (at) {
            *at++ = '\0';
        } else if (k + 1 < COLUMNS) {
            return false;
        }
    }
    return !at && add_steps(l);
}

static bool read_table(void)
{
    char path[1024];
    FILE *table = NULL;
    bool good = true;

    snprintf(path, sizeof path, "%s/tests/steps/steps.tsv", test_source());
    table = fopen(path, "r");
    good = table != NULL;
    for (int number = 1; good && line_count < MOST_LINES; number++) {
        line *l = &lines[line_count];

        if (!fgets(l->text, sizeof l->text, table)) {
            break;
        }
        l->number = number;
        if (l->text[0] != '#') {
            good = read_line(l);
            line_count++;
        }
        if (!good) {
            printf(
                "Bail out! %s:%d: expected %d columns and a step that is not there yet\n",
                path, number, COLUMNS);
        }
    }
    if (table) {
        fclose(table);
    }
    return good && step_count > 0 && line_count < MOST_LINES;
}

int main(int argc, char **argv)
{
    return read_table() ? test_run(argc, argv, "steps") : 99;
}
