/* SPDX-License-Identifier: Apache-2.0
 * tests/command/vary.c: what varies in a suite: its values, names, columns and runs. */
#include <config.h>

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/file.h"
#include "command/campaign/subject.h"
#include "command/campaign/suite_parts.h"
#include "command/campaign/suite_vary.h"
#include "support.h"

/* A suite and its runs, until the test ends it with plan_clear. */
typedef struct plan {
    suite *s;
    suite_run *runs;
    size_t count;
    perp_error err;
} plan;

static void plan_clear(plan *p)
{
    free(p->runs);
    suite_free(p->s);
}

/* Read the text of a suite, beside a file a.dat, and plan it. */
static plan plan_text(const char *text, suite_size size)
{
    char folder[1024], path[1100];
    plan p = {.s = NULL};
    FILE *f = NULL;

    snprintf(folder, sizeof folder, "%s", test_scratch("vary"));
    mkdir(folder, 0777);
    snprintf(path, sizeof path, "%s/a.dat", folder);
    f = fopen(path, "w");
    CU_ASSERT_PTR_NOT_NULL_FATAL(f);
    fclose(f);
    snprintf(path, sizeof path, "%s/suite.json", folder);
    f = fopen(path, "w");
    CU_ASSERT_PTR_NOT_NULL_FATAL(f);
    fputs(text, f);
    fclose(f);
    if (suite_read(&p.s, path, size, &p.err) == PERP_OK) {
        OK(suite_plan(p.s, &p.runs, &p.count, &p.err));
    }
    remove(path);
    return p;
}

/* One set around these members. */
static plan plan_set(const char *members)
{
    char text[2048];
    plan p;

    snprintf(text, sizeof text, "{\"name\": \"t\", \"sets\": [{\"name\": \"s\", %s}]}",
             members);
    p = plan_text(text, SUITE_FULL);
    if (!p.s) {
        test_note("%s: %s", members, p.err.text);
    }
    CU_ASSERT_PTR_NOT_NULL_FATAL(p.s);
    return p;
}

/* What varies in run i is this JSON, and so are its units. */
static void expect_vary(const plan *p, size_t i, const char *vary, const char *units)
{
    json_t *found = NULL, *found_units = NULL;
    char *text = NULL, *unit_text = NULL;

    CU_ASSERT_FATAL(i < p->count);
    suite_run_vary(&p->runs[i], &found, &found_units);
    text = json_dumps(found, JSON_COMPACT | JSON_SORT_KEYS);
    unit_text = json_dumps(found_units, JSON_COMPACT | JSON_SORT_KEYS);
    if (strcmp(text, vary) != 0 || strcmp(unit_text, units) != 0) {
        test_note("found %s %s, expected %s %s", text, unit_text, vary, units);
        CU_FAIL("something else varies");
    }
    free(text);
    free(unit_text);
    json_decref(found);
    json_decref(found_units);
}

/* Names and keys tell all runs apart. */
static void expect_distinct(const plan *p)
{
    for (size_t i = 0; i < p->count; i++) {
        for (size_t j = 0; j < i; j++) {
            const suite_run *a = &p->runs[i], *b = &p->runs[j];
            char one[256], two[256];

            a->entry->type->label(a, one, sizeof one);
            b->entry->type->label(b, two, sizeof two);
            CU_ASSERT_STRING_NOT_EQUAL(a->key, b->key);
            CU_ASSERT(a->tolerance != b->tolerance || strcmp(one, two) != 0 ||
                      strcmp(a->entry->name, b->entry->name) != 0);
        }
    }
}

static void refuse(const char *members, const char *expected)
{
    char text[2048];
    plan p;

    snprintf(text, sizeof text, "{\"name\": \"t\", \"sets\": [{\"name\": \"s\", %s}]}",
             members);
    p = plan_text(text, SUITE_FULL);
    if (p.s || !strstr(p.err.text, expected)) {
        test_note("%s: \"%s\"", members, p.s ? "accepted" : p.err.text);
        CU_FAIL("another message");
    }
    plan_clear(&p);
}

#define LEMKE   ", \"solvers\": [\"lemke\"]"
#define GEN(x)  "\"instances\": [" x "]"
#define VARY(x) ", \"vary\": {" x "}"

TEST(crosses_what_varies)
{
    plan p = plan_set(GEN("{\"generate\": \"stack\", \"n\": [2, 3], \"mu\": 0.3}")
                          VARY("\"ratio\": \"log 1 1e3 4\", \"solver.relaxation\": [1, "
                               "1.25]") ", \"solvers\": [\"nsgs\"]");

    CU_ASSERT_EQUAL_FATAL(p.count, 2 * 4 * 2);
    CU_ASSERT_STRING_EQUAL(p.runs[0].entry->name, "stack:n=2,mu=0.3,ratio=1");
    CU_ASSERT_STRING_EQUAL(p.runs[0].entry->problem, "stack:mu=0.3");
    CU_ASSERT_STRING_EQUAL(p.runs[0].solver->label, "nsgs relaxation=1");
    CU_ASSERT_STRING_EQUAL(p.runs[0].solver->plain, "nsgs");
    expect_vary(&p, 0, "{\"n\":2,\"ratio\":1,\"solver.relaxation\":1}", "{}");
    expect_vary(&p, 15, "{\"n\":3,\"ratio\":1000,\"solver.relaxation\":1.25}", "{}");
    CU_ASSERT_EQUAL(perp_options_real(&p.runs[15].solver->options, "relaxation"), 1.25);
    expect_distinct(&p);
    plan_clear(&p);
}

TEST(zips_lists_of_one_length)
{
    plan p = plan_set("\"scenes\": [\"pendulum\"]" VARY(
        "\"scheme.stabilize\": [\"none\", \"split\"], \"zip\": {\"dt\": [\"10 ms\", "
        "0.005], "
        "\"integrator\": [\"rk4\", \"explicit\"]}") LEMKE);

    CU_ASSERT_EQUAL_FATAL(p.count, 2 * 2);
    expect_vary(&p, 0,
                "{\"dt\":0.01,\"integrator\":\"rk4\",\"scheme.stabilize\":\"none\"}",
                "{\"dt\":\"s\"}");
    expect_vary(&p, 3,
                "{\"dt\":0.0050000000000000001,\"integrator\":\"explicit\","
                "\"scheme.stabilize\":\"split\"}",
                "{\"dt\":\"s\"}");
    CU_ASSERT_STRING_EQUAL(p.runs[0].entry->name, "pendulum:stabilize=none,dt=10ms");
    CU_ASSERT_STRING_EQUAL(p.runs[0].entry->problem, "pendulum");
    CU_ASSERT_EQUAL(p.runs[0].set->rules.dt, 0.01);
    CU_ASSERT_STRING_EQUAL(p.runs[3].integrator, "explicit");
    CU_ASSERT_STRING_EQUAL(json_string_value(json_object_get(
                               p.runs[3].set->rules.scheme.value, "stabilize")),
                           "split");
    expect_distinct(&p);
    plan_clear(&p);
}

/* Three runs of the file, which has neither mu nor dt, at three seeds of the solvers would be
 * runs of their own; at two values of mu it is one. */
TEST(makes_once_what_does_not_differ)
{
    plan p = plan_set(GEN("\"a.dat\", \"generate:incline\"") VARY(
        "\"mu\": [0.1, 0.3]") ", \"solvers\": [\"lemke\", \"nsgs\"]");

    CU_ASSERT_EQUAL(p.count, 2 + 2 * 2);
    expect_vary(&p, 0, "{}", "{}");
    expect_distinct(&p);
    plan_clear(&p);
    p = plan_set(GEN("\"a.dat\"") VARY(
        "\"solver.relaxation\": [1, 1.25, 1.5]") ", \"solvers\": [\"lemke\", \"pgs\"]");
    CU_ASSERT_EQUAL(p.count, 1 + 3);
    plan_clear(&p);
    p = plan_set(
        GEN("\"a.dat\"") ", \"scenes\": [\"pendulum\"]" VARY("\"dt\": [0.1, 0.2]") LEMKE);
    CU_ASSERT_EQUAL(p.count, 1 + 2);
    plan_clear(&p);
}

TEST(varies_a_seed_of_problems_and_of_solvers)
{
    plan p = plan_set(GEN("\"generate:spd:n=5\"") VARY("\"seed\": \"3..6\"") LEMKE);

    CU_ASSERT_EQUAL_FATAL(p.count, 4);
    CU_ASSERT_STRING_EQUAL(p.runs[0].entry->name, "spd:n=5,seed=3");
    CU_ASSERT_EQUAL(p.runs[3].set->rules.seed, 6);
    expect_vary(&p, 3, "{\"seed\":6}", "{}");
    plan_clear(&p);
}

/* The instance that ends a call stays at its end. */
TEST(varies_parameters_of_sequences)
{
    plan p = plan_set("\"sequences\": [\"generate:parametric:steps=2,"
                      "instance=generate:spd:n=5\"], \"policies\": [\"cold\"]" VARY(
                          "\"change\": [0.1, 0.2]") LEMKE);

    CU_ASSERT_EQUAL_FATAL(p.count, 2);
    CU_ASSERT_STRING_EQUAL(p.runs[1].entry->path,
                           "generate:parametric:steps=2,change=0.2,"
                           "instance=generate:spd:n=5");
    plan_clear(&p);
}

TEST(varies_the_scene_of_a_step)
{
    plan p = plan_set(GEN("\"scene:towers:boxes=1\"") VARY("\"step\": \"1..2\"") LEMKE);

    CU_ASSERT_EQUAL_FATAL(p.count, 2);
    CU_ASSERT_STRING_EQUAL(p.runs[1].entry->path, "scene:towers:boxes=1,step=2");
    CU_ASSERT_STRING_EQUAL(p.runs[1].entry->problem, "towers:boxes=1");
    plan_clear(&p);
}

TEST(knows_the_unit_of_a_parameter_of_a_scene)
{
    plan p = plan_set("\"scenes\": [\"pendulum-chain:links=2\"]" VARY(
        "\"length\": [\"20 cm\", 0.5]") LEMKE);

    CU_ASSERT_EQUAL_FATAL(p.count, 2);
    CU_ASSERT_STRING_EQUAL(p.runs[0].entry->name, "pendulum-chain:links=2,length=20cm");
    expect_vary(&p, 0, "{\"length\":0.20000000000000001}", "{\"length\":\"m\"}");
    expect_vary(&p, 1, "{\"length\":0.5}", "{\"length\":\"m\"}");
    plan_clear(&p);
}

TEST(takes_what_varies_in_the_suite_for_all_sets)
{
    plan p = plan_text("{\"name\": \"t\", \"vary\": {\"mu\": [0.1, 0.2], \"n\": [2, 3]}, "
                       "\"sets\": [{\"name\": \"x\", " GEN("\"generate:stack\"") LEMKE
                       "},"
                       "{\"name\": \"y\", " GEN("\"generate:spd\"") LEMKE
                       "},"
                       "{\"name\": \"z\", " GEN("\"generate:stack\"") LEMKE
                       ", \"vary\": {\"mu\": [0.5]}}]}",
                       SUITE_FULL);

    CU_ASSERT_PTR_NOT_NULL_FATAL(p.s);
    CU_ASSERT_EQUAL_FATAL(p.count, 4 + 2 + 1); /* spd has n, and no mu */
    CU_ASSERT_STRING_EQUAL(p.runs[6].entry->name, "stack:mu=0.5");
    plan_clear(&p);
}

TEST(makes_short_names)
{
    plan p = plan_set(
        GEN("{\"generate\": \"stack\", \"mu\": [0.1, 1e-7], \"ratio\": 1e-3}")
            VARY("\"noise\": [0.01]") ", \"sequences\": [\"generate:wall\"]" LEMKE);

    CU_ASSERT_STRING_EQUAL(p.runs[0].entry->name, "stack:mu=0.1,ratio=0.001");
    CU_ASSERT_STRING_EQUAL(p.runs[1].entry->name, "stack:mu=1e-7,ratio=0.001");
    plan_clear(&p);
    p = plan_set(GEN("\"generate:stack\"") VARY("\"ratio\": \"log 1 100 4\", "
                                                "\"mu\": \"lin 0 1 4\"") LEMKE);
    CU_ASSERT_EQUAL_FATAL(p.count, 16);
    CU_ASSERT_STRING_EQUAL(p.runs[5].entry->name, "stack:ratio=4.64,mu=0.333");
    plan_clear(&p);
}

/* Lemke's pivots do not depend on the tolerance; bpp may stop earlier, pgs does. */
TEST(runs_an_exact_solver_at_the_tightest_tolerance)
{
    static const char *const ways[] = {", \"tolerances\": [1e-4, 1e-8, 1e-6]",
                                       VARY("\"tolerance\": [1e-4, 1e-8, 1e-6]"),
                                       VARY("\"solver.tolerance\": [1e-4, 1e-8, 1e-6]")};

    for (size_t k = 0; k < sizeof ways / sizeof *ways; k++) {
        char members[256];
        plan p;

        snprintf(members, sizeof members,
                 "%s, \"solvers\": [\"lemke\", \"bpp\", \"pgs\", \"prox:lemke\"]%s",
                 GEN("\"a.dat\""), ways[k]);
        p = plan_set(members);
        CU_ASSERT_EQUAL_FATAL(p.count, 1 + 3 + 3 + 3);
        CU_ASSERT(p.runs[0].exact && p.runs[0].tolerance == 1e-8);
        CU_ASSERT(!p.runs[1].exact && p.runs[1].tolerance == 1e-4);
        expect_vary(&p, 1,
                    k == 0   ? "{}"
                    : k == 1 ? "{\"tolerance\":0.0001}"
                             : "{\"solver.tolerance\":0.0001}",
                    "{}");
        expect_distinct(&p);
        plan_clear(&p);
    }
}

static const char quick_text[] =
    "{\"name\": \"t\", \"repeats\": 3, \"quick\": {\"repeats\": null, "
    "\"limits\": {\"seconds\": 1}}, \"limits\": {\"seconds\": 9, \"megabytes\": 500}, "
    "\"figures\": [\"profile\"], "
    "\"sets\": [{\"name\": \"x\", " GEN("\"generate:stack\"") LEMKE
    ", \"vary\": {\"mu\": [0.1, 0.2], \"n\": [2, 3]}, \"quick\": {\"vary\": {\"n\": "
    "[2]}}, "
    "\"figures\": []}]}";

TEST(merges_the_quick_size)
{
    plan p = plan_text(quick_text, SUITE_FULL);

    CU_ASSERT_PTR_NOT_NULL_FATAL(p.s);
    CU_ASSERT_EQUAL(p.count, 4);
    CU_ASSERT_EQUAL(p.s->sets[0].rules.repeats, 3);
    CU_ASSERT_EQUAL(p.s->sets[0].rules.limits.seconds, 9.0);
    CU_ASSERT_STRING_EQUAL(p.s->text, quick_text);
    plan_clear(&p);
    p = plan_text(quick_text, SUITE_QUICK);
    CU_ASSERT_PTR_NOT_NULL_FATAL(p.s);
    CU_ASSERT_EQUAL(p.count, 2);
    CU_ASSERT_EQUAL(p.s->sets[0].rules.repeats, 1);
    CU_ASSERT_EQUAL(p.s->sets[0].rules.limits.seconds, 1.0);
    CU_ASSERT_EQUAL(p.s->sets[0].rules.limits.megabytes, 500.0);
    CU_ASSERT_PTR_NULL(strstr(p.s->text, "quick"));
    plan_clear(&p);
    p = plan_text("{\"name\": \"t\", \"sets\": []}", SUITE_QUICK);
    CU_ASSERT_PTR_NULL(p.s);
    CU_ASSERT_PTR_NOT_NULL(strstr(p.err.text, "contains no \"quick\""));
    plan_clear(&p);
}

TEST(reads_quantities_of_rules)
{
    plan p =
        plan_set("\"scenes\": [{\"scene\": \"pendulum-chain\", \"length\": [0.5, 1]}], "
                 "\"dt\": \"5 ms\", \"time\": \"1 min\"" LEMKE);

    CU_ASSERT_EQUAL(p.s->sets[0].rules.dt, 0.005);
    CU_ASSERT_EQUAL(p.s->sets[0].rules.time, 60.0);
    expect_vary(&p, 0, "{\"length\":0.5}", "{\"length\":\"m\"}");
    plan_clear(&p);
    refuse("\"scenes\": [\"pendulum\"], \"dt\": \"5 mm\"" LEMKE,
           "sets[0].dt: found \"5mm\", expected a number of seconds");
    refuse("\"scenes\": [\"pendulum\"], \"dt\": \"-5 ms\"" LEMKE,
           "sets[0].dt: found -0.005, expected a number from");
}

TEST(tells_what_cannot_vary)
{
#define SCENES(x) "\"scenes\": [\"pendulum-chain\"], \"vary\": {" x "}" LEMKE
    refuse(SCENES("\"mo\": [1]"),
           "sets[0].vary.mo: nothing in the set has \"mo\", expected a "
           "parameter (links, length, mass, angle, each), a rule");
    refuse(SCENES("\"dt\": [0.1, \"10 m\"]"),
           "sets[0].vary.dt[1]: found \"10m\", expected a number or a quantity in s");
    refuse(SCENES("\"dt\": [0.1, -1]"),
           "sets[0].vary.dt[1]: found -1, expected a number");
    refuse(SCENES("\"links\": [3, -2]"), "sets[0].vary.links[1]: ");
    refuse(SCENES("\"scheme.gyroscopic\": [true]"),
           "sets[0].vary.scheme.gyroscopic[0]: perp simulate has no option");
    refuse(SCENES("\"scheme.erp\": [0.2, 3]"),
           "sets[0].vary.scheme.erp[1]: erp is \"3\", expected a number 0 .. 1");
    refuse(SCENES("\"scheme.slop\": [\"1 s\"]"), "expected a number or a quantity in m");
    refuse(SCENES("\"solver.pivot\": [1]"),
           "sets[0].vary.solver.pivot: no solver of the set has the option \"pivot\"");
    refuse(SCENES("\"solver.max-iterations\": [5, -1]"),
           "sets[0].vary.solver.max-iterations[1]: ");
    refuse(SCENES("\"start\": [\"cold\"]"),
           "\"start\" concerns instances, and the set has none");
    refuse(SCENES("\"zip\": {\"dt\": [1, 2], \"time\": [1]}"),
           "sets[0].vary.zip.time: found 1 value, expected 2");
    refuse(SCENES("\"dt\": [1], \"zip\": {\"dt\": [1]}"), "\"dt\" varies twice");
    refuse(SCENES("\"zip\": {}"), "expected an object of lists of one length");
    refuse(SCENES("\"dt\": \"log 1 2\""), "expected \"log FROM TO COUNT\"");
    refuse(SCENES("\"dt\": \"log 0 2 3\""), "expected \"log FROM TO COUNT\"");
    refuse(SCENES("\"dt\": \"lin 1 2 1\""), "expected \"lin FROM TO COUNT\"");
    refuse(SCENES("\"steps\": \"1..x\""), "expected a range such as 1..9");
    refuse(SCENES("\"steps\": \"1..9999\""), "at most 1000 numbers");
    refuse(SCENES("\"dt\": []"), "an empty list, expected values");
    refuse(SCENES("\"dt\": [[1]]"), "sets[0].vary.dt[0]: found an array");
    refuse("\"scenes\": [\"pendulum-chain:links=2\"], \"vary\": {\"links\": [3]}" LEMKE,
           "\"links\" is given here and in sets[0].vary.links, expected one place");
    refuse("\"scenes\": [\"pendulum\"], \"vary\": []" LEMKE,
           "sets[0].vary: expected an object of names and their values");
    refuse(SCENES("\"dt\": \"lin 0.1 1 1000\", \"time\": \"lin 1 2 1000\""),
           "more than 10000 combinations of what varies");
    refuse("\"quick\": 3, \"scenes\": [\"pendulum\"]" LEMKE,
           "sets[0].quick: expected an object of members to replace");
}

/* The schema says where a key belongs. */
TEST(names_the_schema_for_an_unknown_key)
{
#define CHAIN "\"scenes\": [\"pendulum-chain\"]"
    refuse(
        CHAIN ", \"solvers\": [{\"solver\": \"psor\", \"relaxation\": 1.5}]",
        "sets[0].solvers[0]: unknown key \"relaxation\", expected one of: solver, label, "
        "friction, options; see perp info --schema suite");
    refuse(CHAIN LEMKE ", \"stabilize\": \"none\"", "see perp info --schema suite");
    refuse(CHAIN LEMKE ", \"links\": 3", "sets[0]: unknown key \"links\"");
    refuse("\"scenes\": [{\"scene\": \"pendulum-chain\", \"dt\": 1}]" LEMKE,
           "parameter dt is not known");
    refuse(GEN("{\"file\": \"a.dat\", \"friction\": \"coulomb\"}") LEMKE,
           "sets[0].instances[0]: unknown key \"friction\"");
    refuse(GEN("\"a.dat\"") LEMKE ", \"\": 1", "sets[0]: unknown key \"\"");
}

TEST(answers_an_old_word_with_the_new_one)
{
    refuse(GEN("\"a.dat\"") LEMKE ", \"law\": \"associated\"",
           "sets[0]: \"law\" is now \"friction\"");
    refuse(GEN("\"a.dat\"") ", \"solvers\": [{\"solver\": \"lemke\", \"formulation\": "
                            "\"box\"}]",
           "sets[0].solvers[0]: \"formulation\" is now \"friction\"");
}

TEST(advises_a_name_without_blanks)
{
    plan p = plan_text("{\"name\": \"t\", \"sets\": [{\"name\": \"mu x ratio\"}]}",
                       SUITE_FULL);

    CU_ASSERT_PTR_NULL(p.s);
    CU_ASSERT_PTR_NOT_NULL(strstr(p.err.text, "such as \"mu-x-ratio\""));
    plan_clear(&p);
    p = plan_text("{\"name\": \"t\", \"solvers\": [\"lemke\"]}", SUITE_FULL);
    CU_ASSERT_PTR_NOT_NULL(strstr(p.err.text, "unknown key \"solvers\""));
    plan_clear(&p);
}

/* Runs picked by a pattern, and the place of the first of them among all. */
static void expect_picked(const char *pattern, size_t count, size_t place)
{
    plan p = plan_set(GEN("{\"generate\": \"stack\", \"n\": [2, 3]}") VARY(
        "\"solver.relaxation\": [1, 1.25]") ", \"solvers\": [\"lemke\", \"nsgs\"]");
    suite_run *runs = NULL;
    size_t found = 0;

    OK(suite_only(p.s, pattern, &p.err));
    OK(suite_plan(p.s, &runs, &found, &p.err));
    if (found != count) {
        test_note("%s picks %zu, expected %zu", pattern, found, count);
        CU_FAIL("other runs");
    }
    CU_ASSERT(found == 0 || runs[0].place == place);
    free(runs);
    plan_clear(&p);
}

TEST(picks_runs_by_globs)
{
    plan p = plan_set(GEN("\"a.dat\"") LEMKE);

    expect_picked("s", 6, 0);
    expect_picked("s/nsgs", 4, 1);
    expect_picked("*/*=1.25", 2, 4);
    expect_picked("s/lemke/stack:n=3", 1, 2);
    expect_picked("//stack", 6, 0);
    CU_ASSERT_EQUAL(suite_only(p.s, "s/pgs", &p.err), PERP_ERR_OPTION);
    CU_ASSERT_PTR_NOT_NULL(strstr(p.err.text, "picks no run"));
    CU_ASSERT_PTR_NOT_NULL(strstr(p.err.text, "sets: s; solvers: lemke"));
    plan_clear(&p);
}

/* Each of "a|b|c" occurs in the file between these marks. */
static void expect_names(const char *names, const char *file, const char *mark)
{
    char list[1024], path[1100], *save = NULL, *text = NULL;
    size_t length = 0;
    perp_error err = {0};

    snprintf(path, sizeof path, "%s/%s", test_source(), file);
    OK(perp_file_slurp(path, &text, &length, &err));
    snprintf(list, sizeof list, "%s", names);
    for (char *name = strtok_r(list, "|", &save); name;
         name = strtok_r(NULL, "|", &save)) {
        char quoted[96];

        snprintf(quoted, sizeof quoted, "%s%s%s", mark, name, mark);
        if (!strstr(text, quoted)) {
            test_note("%s lacks %s", file, quoted);
            CU_FAIL("a key that is not described");
        }
    }
    free(text);
}

TEST(describes_every_key)
{
    char rules[512], varied[512];

    suite_rule_names(rules, sizeof rules);
    suite_vary_names(varied, sizeof varied);
    expect_names(rules, "docs/suites.md", "`");
    expect_names(rules, "command/schemas/suite.json", "\"");
    expect_names(varied, "docs/suites.md", "`");
    for (size_t k = 0; subjects[k]; k++) {
        expect_names(subjects[k]->list, "docs/suites.md", "`");
        expect_names(subjects[k]->list, "command/schemas/suite.json", "\"");
    }
}

TEST_SETUP
{
    setenv("PERP_DATA_DIR", test_source(), 1);
}
