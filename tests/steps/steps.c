/* SPDX-License-Identifier: Apache-2.0
 * tests/steps/steps.c: each line of steps.tsv says that a solver ends on a problem in a certain way,
 * within so many iterations. Every pair of a solver and a problem of a line is a test of its own.
 *
 * Columns: solvers | options | problems | as | end | residual | iterations | more | why.
 *   problems    golden id, file of the datasets, call of a family, `contacts` (the golden
 *               ones), or by hand: rows of A | b | sets (nonneg unless said)
 *   as          how it is changed: associated, dense, csr, bsr (bsr3: in blocks of 3), factors,
 *               unsymmetric-factors
 *   end         outcome, or unsuitable; residual: most, computed again from z, of an answer called
 *               solved
 *   iterations  most, or =N
 *   more        what else holds, separated by ;
 *               pivots<=9      a number of COUNTS against another one (= < > <= >=)
 *               z=1,* to 1e-9  entries of z (w, y of the certificate); golden: of the file
 *               ran WORDS, not ran WORDS, reason WORDS: in the path, in the last sentence
 *               certificate KIND: it is one and proves what it says; unproven: none of "no"
 *               csr w to 1e-9 of b, bsr iterations: stored otherwise it ends alike
 *               memory WORDS: too little of it is refused in these words
 *               unsymmetric: A is
 * The option `start` gives z; "-" is nothing. */
#include <config.h>

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "answers.h"
#include "instances.h"
#include "steps.h"

enum { SOLVERS, OPTIONS, PROBLEMS, AS, END, RESIDUAL, ITERATIONS, MORE, WHY, COLUMNS };
enum { MOST_LINES = 800, MOST_STEPS = 2000 };

typedef struct line {
    int number;
    char text[2 * LENGTH];
    const char *column[COLUMNS];
} line;

typedef struct step {
    const line *of;
    char solver[40], problem[LENGTH / 2], name[LENGTH / 2];
} step;

/* A step at work. */
typedef struct trial {
    const step *of;
    perp_problem *p;
    const perp_solver_type *type;
    perp_options opt;
    perp_result *r;
    perp_status status; /* of perp_solve; what it says is in r->reason */
} trial;

static line lines[MOST_LINES];
static step steps[MOST_STEPS];
static size_t line_count, step_count;

/* ---- a run ---- */

static void prepare(trial *t, const step *of, perp_problem *p)
{
    const char *options = of->of->column[OPTIONS];
    perp_error err = {0};
    char option[LENGTH];

    *t = (trial){.of = of, .p = p};
    OK(perp_solver_parse(of->solver, &t->type, &t->opt, &err));
    OK(perp_result_new(&t->r, p->n, NULL));
    while (steps_next(&options, ' ', option, sizeof option)) {
        char *equals = strchr(option, '=');

        CU_ASSERT_PTR_NOT_NULL_FATAL(equals);
        *equals = '\0';
        if (strcmp(option, "start") == 0) {
            CU_ASSERT_EQUAL_FATAL(steps_numbers(equals + 1, t->r->z, p->n), p->n);
        } else if (perp_options_set(&t->opt, option, equals + 1, &err) != PERP_OK) {
            test_note("%s", err.text);
            CU_FAIL_FATAL("no such option");
        }
    }
}

static void solve(trial *t)
{
    perp_error err = {0};

    t->status = perp_solve(t->type, t->p, &t->opt, t->r, &err);
    if (t->status != PERP_OK) {
        snprintf(t->r->reason, sizeof t->r->reason, "%.*s", (int)sizeof t->r->reason - 1,
                 err.text);
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
    return steps_after(text, "<=")   ? found <= expected
           : steps_after(text, ">=") ? found >= expected
           : *text == '<'            ? found < expected
           : *text == '>'            ? found > expected
                                     : found == expected;
}

/* "0.5,* to 1e-15", or " to 1e-9 of z" of the reference; of max(|z|, 1), "of |z|", or "of b": |b|. */
static bool check_vector(const perp_problem *p, const double *x, const char *text,
                         const double *reference)
{
    const char *to = strstr(text, " to ");
    double expected[ROWS], most = 0.0, scale = 1.0, off = 0.0;
    char part[LENGTH];
    size_t count = p->n;

    CU_ASSERT_FATAL(to && x);
    most = strtod(to + 4, NULL);
    if (to == text) {
        CU_ASSERT_PTR_NOT_NULL_FATAL(reference);
        scale = strstr(to, " of z")     ? fmax(test_largest(p->n, reference), 1.0)
                : strstr(to, " of |z|") ? test_largest(p->n, reference)
                : strstr(to, " of b")   ? test_largest(p->n, p->b)
                                        : 1.0;
    } else {
        snprintf(part, sizeof part, "%.*s", (int)(to - text), text);
        count = steps_numbers(part, expected, ROWS);
        reference = expected;
    }
    CU_ASSERT_EQUAL_FATAL(count, p->n);
    for (size_t i = 0; i < count; i++) {
        if (!isnan(reference[i])) {
            double d = fabs(x[i] - reference[i]);

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

/* "csr iterations", "bsr w to 1e-9 of b": the same problem stored otherwise ends alike. */
static bool check_stored(const trial *t, const char *text)
{
    const char *rest = strchr(text, ' ') + 1;
    char storage[LENGTH];
    perp_problem *copy = NULL;
    trial x;
    bool good = false;

    snprintf(storage, sizeof storage, "%.*s", (int)(rest - 1 - text), text);
    OK(perp_problem_copy(&copy, t->p, NULL));
    prepare(&x, t->of, copy);
    steps_change(x.p, storage);
    solve(&x);
    good = x.status == PERP_OK && x.r->outcome == t->r->outcome &&
           (*rest == 'i'   ? x.r->iterations == t->r->iterations
            : *rest == 'z' ? check_vector(t->p, x.r->z, rest + 1, t->r->z)
                           : check_vector(t->p, x.r->w, rest + 1, t->r->w));
    return good;
}

static bool check_golden(const perp_problem *p, const perp_result *r, const char *text)
{
    CU_ASSERT_PTR_NOT_NULL_FATAL(p->solution);
    return *text == 'z'
               ? check_vector(p, r->z, text + strlen("z=golden"), p->solution->z)
               : check_vector(p, r->w, text + strlen("w=golden"), p->solution->w);
}

static bool check(const trial *t, const char *text)
{
    const perp_problem *p = t->p;
    const perp_result *r = t->r;
    const char *rest = NULL;

    if (steps_after(text, "z=golden") || steps_after(text, "w=golden")) {
        return check_golden(p, r, text);
    }
    if (steps_after(text, "csr ") || steps_after(text, "bsr")) {
        return check_stored(t, text);
    }
    return (rest = steps_after(text, "z="))   ? check_vector(p, r->z, rest, NULL)
           : (rest = steps_after(text, "w=")) ? check_vector(p, r->w, rest, NULL)
           : (rest = steps_after(text, "y="))
               ? check_vector(p, r->certificate.y, rest, NULL)
           : (rest = steps_after(text, "ran "))         ? ran(r, rest)
           : (rest = steps_after(text, "not ran "))     ? !test_ran(r, rest)
           : (rest = steps_after(text, "reason "))      ? strstr(r->reason, rest) != NULL
           : (rest = steps_after(text, "certificate ")) ? check_certificate(p, r, rest)
           : (rest = steps_after(text, "memory "))
               ? test_memory_needed(p, t->type, &t->opt, rest) > 1
           : strcmp(text, "unproven") == 0
               ? r->certificate.kind != PERP_CERTIFICATE_INFEASIBLE
           : strcmp(text, "unsymmetric") == 0 ? !perp_operator_is_symmetric(p->A)
                                              : check_count(r, text);
}

/* ---- a step ---- */

/* The outcome, with its proof or its residual: the judge's, computed again. */
static bool check_end(const trial *t)
{
    const perp_result *r = t->r;
    const char *ends = t->of->of->column[END], *most = t->of->of->column[RESIDUAL];
    const char *outcome =
        t->status == PERP_ERR_UNSUITABLE ? "unsuitable" : perp_outcome_text(r->outcome);
    double residual =
        t->p->A ? perp_residual(t->p, r->z) : fmax(r->residual, r->residual_given);
    char end[LENGTH];
    bool good = false;

    test_note("%s, residual %.2e, allowed %s: %s", outcome, residual, most, r->reason);
    while (steps_next(&ends, '|', end, sizeof end)) {
        good = good || strcmp(end, outcome) == 0;
    }
    if (t->status != PERP_OK) {
        return good && t->status == PERP_ERR_UNSUITABLE;
    }
    if (r->outcome == PERP_INFEASIBLE) {
        test_infeasible(t->p, r);
    }
    return good && (!t->p->A || r->residual == residual) &&
           (r->outcome == PERP_SOLVED ? residual <= strtod(most, NULL)
                                      : *r->reason != '\0');
}

static void run_step(void)
{
    const step *s = &steps[test_number()];
    const char *most = s->of->column[ITERATIONS], *more = s->of->column[MORE];
    char text[LENGTH];
    trial t;

    test_note("steps.tsv:%d", s->of->number);
    prepare(&t, s, steps_problem(s->problem));
    steps_change(t.p, s->of->column[AS]);
    solve(&t);
    CU_ASSERT(check_end(&t));
    test_note("%zu iterations, allowed %s", t.r->iterations, most);
    CU_ASSERT(*most == '-'   ? true
              : *most == '=' ? t.r->iterations == strtoul(most + 1, NULL, 10)
                             : t.r->iterations <= strtoul(most, NULL, 10));
    while (steps_next(&more, ';', text, sizeof text)) {
        if (!check(&t, text)) {
            test_note("does not hold: %s", text);
            CU_FAIL("something else does not hold");
        }
    }
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
    test_add(__FILE__, s->name, run_step);
    step_count++;
    return true;
}

static bool add_steps(const line *of)
{
    const char *solvers = of->column[SOLVERS];
    char solver[LENGTH], problem[LENGTH];

    while (steps_next(&solvers, ' ', solver, sizeof solver)) {
        const char *problems = of->column[PROBLEMS];

        while (steps_next(&problems, ' ', problem, sizeof problem)) {
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

TEST_SETUP
{
    if (!read_table()) {
        exit(99);
    }
}
