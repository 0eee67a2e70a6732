/* SPDX-License-Identifier: Apache-2.0
 * tests/command/suite.c: suites are read, checked and planned. */
#include <config.h>

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "command/campaign/subject.h"
#include "support.h"

/* A folder with two instances, a.dat and b.dat; a suite asks only that they are there. */
static const char *folder(void)
{
    static char path[1024];
    char file[1100];

    snprintf(path, sizeof path, "%s", test_scratch("suite"));
    mkdir(path, 0777);
    for (const char *name = "ab"; *name; name++) {
        FILE *f = NULL;

        snprintf(file, sizeof file, "%s/%c.dat", path, *name);
        f = fopen(file, "w");
        if (f) {
            fclose(f);
        }
    }
    return path;
}

/* Read a suite of this text; NULL with the message in err. */
static suite *read_text(const char *text, perp_error *err)
{
    char path[1100];
    FILE *f = NULL;
    suite *s = NULL;

    memset(err, 0, sizeof *err);
    snprintf(path, sizeof path, "%s/suite.json", folder());
    f = fopen(path, "w");
    CU_ASSERT_PTR_NOT_NULL_FATAL(f);
    fputs(text, f);
    fclose(f);
    suite_read(&s, path, SUITE_FULL, err);
    remove(path);
    return s;
}

/* One set around these members. */
static suite *read_set(const char *members, perp_error *err)
{
    char text[2048];

    snprintf(text, sizeof text, "{\"name\": \"t\", \"sets\": [{\"name\": \"s\", %s}]}",
             members);
    return read_text(text, err);
}

/* The message for these members holds `expected`. */
static void refuse(const char *members, const char *expected)
{
    perp_error err;
    suite *s = read_set(members, &err);

    CU_ASSERT_PTR_NULL(s);
    if (s || !strstr(err.text, expected)) {
        test_note("%s: \"%s\"", members, s ? "accepted" : err.text);
        CU_FAIL("another message");
    }
    suite_free(s);
}

#define FILES "\"instances\": [\"a.dat\", \"b.dat\"], "

static void keys_differ(const suite_run *runs, size_t count)
{
    for (size_t i = 0; i < count; i++) {
        for (size_t j = 0; j < i; j++) {
            CU_ASSERT_STRING_NOT_EQUAL(runs[i].key, runs[j].key);
        }
    }
}

TEST(plans_every_solver_on_every_instance)
{
    perp_error err;
    suite *s = read_set(FILES "\"solvers\": [\"pgs\", \"bpp\"], "
                              "\"tolerances\": [1e-4, 1e-8]",
                        &err);
    suite_run *runs = NULL;
    size_t count = 0;

    if (!s) {
        test_note("%s", err.text);
    }
    CU_ASSERT_PTR_NOT_NULL_FATAL(s);
    OK(suite_plan(s, &runs, &count, &err));
    CU_ASSERT_EQUAL_FATAL(count, 8);
    CU_ASSERT_STRING_EQUAL(runs[0].entry->name, "a");
    CU_ASSERT_STRING_EQUAL(runs[7].entry->name, "b");
    CU_ASSERT_STRING_EQUAL(runs[7].solver->label, "bpp");
    CU_ASSERT_EQUAL(runs[7].tolerance, 1e-8);
    keys_differ(runs, count);
    free(runs);
    suite_free(s);
}

TEST(gives_the_same_run_the_same_key_in_a_larger_suite)
{
    perp_error err;
    suite *small = read_set(FILES "\"solvers\": [\"lemke\"]", &err);
    suite *large = read_set(FILES "\"solvers\": [\"pgs\", \"lemke\"]", &err);
    suite_run *few = NULL, *many = NULL;
    size_t count = 0;

    CU_ASSERT_PTR_NOT_NULL_FATAL(small);
    CU_ASSERT_PTR_NOT_NULL_FATAL(large);
    OK(suite_plan(small, &few, &count, &err));
    OK(suite_plan(large, &many, &count, &err));
    CU_ASSERT_STRING_EQUAL(few[0].key, many[1].key);
    CU_ASSERT_STRING_EQUAL(few[1].key, many[3].key);
    free(few);
    free(many);
    suite_free(small);
    suite_free(large);
}

TEST(sweeps_lists_of_option_values)
{
    perp_error err;
    suite *s = read_set(FILES "\"solvers\": [{\"solver\": \"pgs\", \"label\": \"gs\", "
                              "\"options\": {\"relaxation\": [0.5, 1.5], "
                              "\"max-iterations\": 7, \"scale\": [true, false]}}]",
                        &err);

    if (!s) {
        test_note("%s", err.text);
    }
    CU_ASSERT_PTR_NOT_NULL_FATAL(s);
    CU_ASSERT_EQUAL_FATAL(s->sets[0].solver_count, 4);
    CU_ASSERT_STRING_EQUAL(s->sets[0].solvers[0].label, "gs relaxation=0.5 scale=on");
    CU_ASSERT_STRING_EQUAL(s->sets[0].solvers[3].label, "gs relaxation=1.5 scale=off");
    CU_ASSERT_EQUAL(perp_options_real(&s->sets[0].solvers[3].options, "relaxation"), 1.5);
    CU_ASSERT_EQUAL(
        perp_options_integer(&s->sets[0].solvers[3].options, "max-iterations"), 7);
    CU_ASSERT(!perp_options_switch(&s->sets[0].solvers[3].options, "scale"));
    suite_free(s);
}

TEST(finds_files_by_globs_in_order)
{
    perp_error err;
    suite *s = read_set("\"instances\": [\"*.dat\"], \"solvers\": [\"lemke\"]", &err);

    CU_ASSERT_PTR_NOT_NULL_FATAL(s);
    CU_ASSERT_EQUAL_FATAL(s->sets[0].entry_count, 2);
    CU_ASSERT_STRING_EQUAL(s->sets[0].entries[0].path, "a.dat");
    CU_ASSERT_STRING_EQUAL(s->sets[0].entries[1].name, "b");
    suite_free(s);
}

TEST(hands_rules_down_to_the_sets)
{
    perp_error err;
    suite *s = read_text(
        "{\"name\": \"t\", \"repeats\": 3, \"limits\": {\"seconds\": 5}, \"sets\": ["
        "{\"name\": \"x\", " FILES "\"solvers\": [\"lemke\"]},"
        "{\"name\": \"y\", " FILES "\"solvers\": [\"lemke\"], \"repeats\": 1,"
        " \"limits\": {\"megabytes\": 512}, \"friction\": \"associated\","
        " \"start\": [\"cold\", \"guess\"]}]}",
        &err);

    if (!s) {
        test_note("%s", err.text);
    }
    CU_ASSERT_PTR_NOT_NULL_FATAL(s);
    CU_ASSERT_EQUAL(s->sets[0].rules.repeats, 3);
    CU_ASSERT_EQUAL(s->sets[0].rules.limits.seconds, 5.0);
    CU_ASSERT_EQUAL(s->sets[1].rules.repeats, 1);
    CU_ASSERT_EQUAL(s->sets[1].rules.limits.seconds, 5.0);
    CU_ASSERT_EQUAL(s->sets[1].rules.limits.megabytes, 512.0);
    CU_ASSERT_EQUAL(s->sets[1].rules.starts, 2);
    CU_ASSERT_PTR_NULL(s->sets[0].rules.friction);
    suite_free(s);
}

/* Solvers x coordinates x integrators, of a scene and of a swept parameter. */
TEST(plans_scenes_in_every_way)
{
    perp_error err;
    suite *s = read_set("\"scenes\": [\"pendulum\", {\"scene\": \"hopper\", "
                        "\"count\": [5, 10]}], \"coordinates\": [\"maximal\", "
                        "\"reduced\"], \"integrators\": [\"semi-implicit\", \"rk4\"], "
                        "\"steps\": 7, \"dt\": 0.25, \"scheme\": {\"erp\": 0.5}, "
                        "\"solvers\": [\"pgs\", \"lemke\"]",
                        &err);
    suite_run *runs = NULL;
    size_t count = 0;

    if (!s) {
        test_note("%s", err.text);
    }
    CU_ASSERT_PTR_NOT_NULL_FATAL(s);
    OK(suite_plan(s, &runs, &count, &err));
    CU_ASSERT_EQUAL_FATAL(count, 3 * 2 * 2 * 2);
    CU_ASSERT(runs[0].entry->type == &subject_scene && !*runs[0].entry->parameters);
    CU_ASSERT_STRING_EQUAL(runs[23].entry->name, "hopper:count=10");
    CU_ASSERT_STRING_EQUAL(runs[23].entry->parameters, "count=10");
    CU_ASSERT_STRING_EQUAL(runs[23].coordinates, "reduced");
    CU_ASSERT_STRING_EQUAL(runs[22].integrator, "semi-implicit");
    CU_ASSERT_EQUAL(runs[0].set->rules.steps, 7);
    CU_ASSERT_EQUAL(runs[0].set->rules.dt, 0.25);
    keys_differ(runs, count);
    free(runs);
    suite_free(s);
}

/* Whatever decides on a run decides on its key, so that a resume makes it again. */
TEST(gives_a_scene_stepped_otherwise_another_key)
{
    static const char *const ways[] = {
        "",
        ", \"coordinates\": [\"reduced\"]",
        ", \"integrators\": [\"rk4\"]",
        ", \"dt\": 0.25",
        ", \"time\": 2",
        ", \"steps\": 2",
        ", \"scheme\": {\"erp\": 0.5}",
        ", \"scheme\": {\"erp\": 0.25}",
    };
    enum { WAYS = sizeof ways / sizeof *ways };
    char keys[WAYS][17];

    for (size_t k = 0; k < WAYS; k++) {
        char members[256];
        perp_error err;
        suite *s = NULL;
        suite_run *runs = NULL;
        size_t count = 0;

        snprintf(members, sizeof members,
                 "\"scenes\": [\"pendulum\"], \"solvers\": [\"lemke\"]%s", ways[k]);
        s = read_set(members, &err);
        CU_ASSERT_PTR_NOT_NULL_FATAL(s);
        OK(suite_plan(s, &runs, &count, &err));
        CU_ASSERT_EQUAL_FATAL(count, 1);
        snprintf(keys[k], sizeof keys[k], "%s", runs[0].key);
        for (size_t j = 0; j < k; j++) {
            CU_ASSERT_STRING_NOT_EQUAL(keys[k], keys[j]);
        }
        free(runs);
        suite_free(s);
    }
}

TEST(tells_what_is_wrong_with_a_scene_by_its_place)
{
#define SCENE        "\"scenes\": [\"pendulum\"], \"solvers\": [\"lemke\"]"
#define SCENES(list) "\"scenes\": [" list "], \"solvers\": [\"lemke\"]"
    refuse(SCENES("\"pendulun\""),
           "sets[0].scenes[0]: no scene \"pendulun\", the nearest is \"pendulum\"");
    refuse(SCENES("\"nowhere/a.json\""), "nowhere/a.json: ");
    refuse(SCENES("\"hopper:cnt=4\""), "sets[0].scenes[0]: ");
    refuse(SCENES("\"hopper:cnt=4\""),
           "parameter cnt is not known, expected one of: seed, count");
    refuse(SCENES("\"hopper:count\""),
           "sets[0].scenes[0]: found \"count\", expected NAME=VALUE");
    refuse(SCENES("\"hopper:count=-4\""), "is -4, expected a number 1 .. 1000000");
    refuse(SCENES("{\"scene\": \"hopper\", \"count\": [1, []]}"),
           "sets[0].scenes[0].count[1]: found an array, expected a number");
    refuse(SCENES("3"), "sets[0].scenes[0]: found a number, expected a string");
    refuse(SCENES(""), "sets[0].scenes: found no scene");
    refuse(SCENES("\"pendulum\", \"pendulum\""),
           "sets[0].scenes[1]: the scene \"pendulum\" is listed twice");
    refuse(SCENE ", \"coordinates\": [\"reducd\"]",
           "sets[0].coordinates[0]: found \"reducd\", expected one of maximal|reduced");
    refuse(SCENE ", \"coordinates\": [\"reduced\", \"reduced\"]",
           "sets[0].coordinates[1]: reduced is listed twice");
    refuse(SCENE ", \"integrators\": [\"rk5\"]",
           "sets[0].integrators[0]: found \"rk5\", expected one of semi-implicit|");
    refuse(SCENE ", \"dt\": -1", "sets[0].dt: found -1, expected a number");
    refuse(SCENE ", \"steps\": 1.5", "sets[0].steps: found 1.5, expected an integer");
    refuse(SCENE ", \"steps\": 5, \"time\": 1",
           "sets[0].steps: found next to time, expected one of them");
    refuse(SCENE ", \"scheme\": {\"dt\": 1}",
           "sets[0].scheme: \"dt\" is a rule of its own, or none");
    refuse(SCENE ", \"scheme\": {\"stabilise\": \"none\"}",
           "unknown option --stabilise, the nearest is --stabilize");
    refuse(SCENE ", \"scheme\": {\"stabilize\": \"nine\"}",
           "option --stabilize is \"nine\", the nearest is \"none\"");
    refuse(SCENE ", \"scheme\": {\"erp\": [1]}",
           "sets[0].scheme.erp: found an array, expected a number");
    refuse(SCENE ", \"scheme\": 3", "sets[0].scheme: expected an object of options");
}

TEST(tells_a_syntax_error_by_line_and_column)
{
    perp_error err;
    suite *s = read_text("{\"name\": \"t\",\n  \"sets\": [}\n", &err);

    CU_ASSERT_PTR_NULL(s);
    CU_ASSERT_EQUAL(err.status, PERP_ERR_FORMAT);
    CU_ASSERT_PTR_NOT_NULL(strstr(err.text, "suite.json:2:12: "));
    suite_free(s);
}

TEST(tells_a_wrong_value_by_its_place)
{
#define SOLVERS "\"solvers\": [\"lemke\"]"
    refuse(FILES "\"solver\": [\"lemke\"]",
           "sets[0]: unknown key \"solver\", the nearest is \"solvers\"");
    refuse(FILES "\"solvers\": [\"lemkee\"]",
           "sets[0].solvers[0]: unknown solver \"lemkee\", the nearest is \"lemke\"");
    refuse(FILES "\"solvers\": []", "sets[0].solvers: found no solver");
    refuse(FILES "\"solvers\": [\"lemke\", \"lemke\"]",
           "sets[0].solvers[1]: the label \"lemke\" occurs twice");
    refuse(FILES "\"solvers\": [{\"solver\": \"pgs\", \"options\": {\"relaxaton\": 1}}]",
           "sets[0].solvers[0].options.relaxaton: unknown option \"relaxaton\" of pgs, "
           "the nearest is \"relaxation\"");
    refuse(FILES "\"solvers\": [{\"solver\": \"pgs\", "
                 "\"options\": {\"relaxation\": [1.0, 2.5]}}]",
           "sets[0].solvers[0].options.relaxation[1]: ");
    refuse(FILES "\"solvers\": [{\"solver\": \"pgs\", \"options\": {\"tolerance\": 1}}]",
           "sets[0].solvers[0].options.tolerance: ");
    refuse(FILES SOLVERS ", \"tolerances\": [2]", "sets[0].tolerances[0]: found 2");
    refuse(FILES SOLVERS ", \"limits\": {\"second\": 1}",
           "sets[0].limits: unknown key \"second\"");
    refuse(FILES SOLVERS ", \"limits\": {\"seconds\": -1}",
           "sets[0].limits.seconds: found -1");
    refuse(FILES SOLVERS ", \"start\": \"warm\"", "sets[0].start: found \"warm\"");
    refuse(FILES SOLVERS ", \"friction\": \"tresca\"", "sets[0].friction: ");
    refuse(FILES SOLVERS ", \"repeats\": 1.5", "sets[0].repeats: found 1.5");
    refuse(FILES SOLVERS ", \"friction\": \"pyramd:8\"", "sets[0].friction: ");
    refuse(FILES "\"friction\": \"box\", \"solvers\": [{\"solver\": \"lemke\", "
                 "\"friction\": \"pyramid:8\"}]",
           "sets[0].solvers[0]: a law of friction of the solver, where the set has one, "
           "too");
    refuse("\"instances\": [\"c.dat\"], " SOLVERS, "sets[0].instances[0]: no such file");
    refuse("\"instances\": [\"c*.dat\"], " SOLVERS,
           "sets[0].instances[0]: no file matches");
    refuse("\"instances\": [\"a.dat\", \"a.dat\"], " SOLVERS,
           "sets[0].instances[1]: the instance \"a.dat\" is listed twice");
    refuse("\"instances\": [{\"file\": \"a.dat\", \"frmat\": \"x\"}], " SOLVERS,
           "sets[0].instances[0]: unknown key \"frmat\", the nearest is \"format\"");
    refuse("\"instances\": [\"generate:nofamily:n=3\"], " SOLVERS,
           "sets[0].instances[0]: ");
    refuse("\"instances\": [\"generate:spd:n=9..x\"], " SOLVERS,
           "sets[0].instances[0]: found \"generate:spd:n=9..x\", expected a range");
    refuse("\"instances\": [\"generate:spd:n=3,seed=-9223372036854775808.."
           "9223372036854775807\"], " SOLVERS,
           "expected a range such as seed=1..9");
    refuse("\"instances\": [\"generate:spd:n=1..999,seed=1..999\"], " SOLVERS,
           "sets[0].instances[0]: more than 10000 instances in a set");
    refuse("\"instances\": \"a.dat\", " SOLVERS,
           "sets[0].instances: found a string, expected an array");
}

TEST(expands_lists_of_parameters_of_a_generator)
{
    perp_error err;
    suite *s = read_set("\"instances\": [{\"generate\": \"spd\", \"n\": [10, 20], "
                        "\"seed\": [1, 2]}], " SOLVERS,
                        &err);

    if (!s) {
        test_note("%s", err.text);
    }
    CU_ASSERT_PTR_NOT_NULL_FATAL(s);
    CU_ASSERT_EQUAL_FATAL(s->sets[0].entry_count, 4);
    CU_ASSERT_STRING_EQUAL(s->sets[0].entries[0].name, "spd:n=10,seed=1");
    CU_ASSERT_STRING_EQUAL(s->sets[0].entries[3].path, "generate:spd:n=20,seed=2");
    suite_free(s);
    s = read_set("\"instances\": [\"generate:spd:n=10..12,seed=1..2\"], " SOLVERS, &err);
    CU_ASSERT_PTR_NOT_NULL_FATAL(s);
    CU_ASSERT_EQUAL_FATAL(s->sets[0].entry_count, 6);
    CU_ASSERT_STRING_EQUAL(s->sets[0].entries[0].name, "spd:n=10,seed=1");
    CU_ASSERT_STRING_EQUAL(s->sets[0].entries[5].name, "spd:n=12,seed=2");
    suite_free(s);
}

TEST(plans_problems_of_steps_of_scenes)
{
    perp_error err;
    suite *s = read_set("\"instances\": [\"scene:stack:step=3\", {\"scene\": \"towers\", "
                        "\"towers\": [2, 3], \"by\": \"nsgs\"}], " SOLVERS,
                        &err);

    if (!s) {
        test_note("%s", err.text);
    }
    CU_ASSERT_PTR_NOT_NULL_FATAL(s);
    CU_ASSERT_EQUAL_FATAL(s->sets[0].entry_count, 3);
    CU_ASSERT_STRING_EQUAL(s->sets[0].entries[0].name, "stack:step=3");
    CU_ASSERT_STRING_EQUAL(s->sets[0].entries[2].name, "towers:towers=3,by=nsgs");
    CU_ASSERT_STRING_EQUAL(s->sets[0].entries[2].path, "scene:towers:towers=3,by=nsgs");
    suite_free(s);
    refuse("\"instances\": [\"scene:stak\"], " SOLVERS,
           "sets[0].instances[0]: scene:stak: no scene \"stak\", the nearest is");
    refuse("\"instances\": [{\"scene\": \"towers\", \"floors\": 2}], " SOLVERS,
           "sets[0].instances[0]: scene:towers:floors=2: ");
}

TEST(reads_the_suites_that_come_with_perp)
{
    static const char *const names[] = {"quick",       "full", "large",
                                        "large-brief", "warm", "machines"};

    for (size_t k = 0; k < sizeof names / sizeof *names; k++) {
        char path[1024];
        perp_error err = {0};
        suite *s = NULL;

        snprintf(path, sizeof path, "%s/experiments/suites/%s.json", test_source(),
                 names[k]);
        if (suite_read(&s, path, SUITE_FULL, &err) != PERP_OK) {
            test_note("%s", err.text);
        }
        CU_ASSERT_PTR_NOT_NULL_FATAL(s);
        CU_ASSERT(s->set_count >= 2);
        suite_free(s);
    }
}

/* Whether a set in both coordinates has that scene, with other parameters or without. */
static bool has_scene(const suite *s, const char *name)
{
    const size_t length = strlen(name);

    for (size_t k = 0; k < s->set_count; k++) {
        const suite_set *set = &s->sets[k];

        for (size_t i = 0; set->rules.coordinate_systems == 2 && i < set->entry_count;
             i++) {
            const suite_entry *in = &set->entries[i];

            if (in->type == &subject_scene && strncmp(in->name, name, length) == 0 &&
                (in->name[length] == '\0' || in->name[length] == ':')) {
                return true;
            }
        }
    }
    return false;
}

/* What the comparison of coordinates is about. */
TEST(runs_each_machine_in_both_coordinates)
{
    static const char *const machines[] = {"double-pendulum",
                                           "triple-pendulum",
                                           "pendulum-chain:links=5",
                                           "pendulum-chain:links=10",
                                           "pendulum-chain:links=20",
                                           "pendulum-chain:links=50",
                                           "pendulum-chain:links=100",
                                           "pendulum-chain:links=200",
                                           "quadruped",
                                           "humanoid",
                                           "arm-gripper",
                                           "five-bar",
                                           "stewart",
                                           "tree",
                                           "hanging-bridge"};
    char path[1024];
    perp_error err = {0};
    suite *s = NULL;

    snprintf(path, sizeof path, "%s/experiments/suites/machines.json", test_source());
    OK(suite_read(&s, path, SUITE_FULL, &err));
    for (size_t k = 0; k < sizeof machines / sizeof *machines; k++) {
        if (!has_scene(s, machines[k])) {
            test_note("%s", machines[k]);
            CU_FAIL("a machine is missing");
        }
    }
    suite_free(s);
}

TEST_SETUP
{
    setenv("PERP_DATA_DIR", test_source(), 1);
}
