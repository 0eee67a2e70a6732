/* SPDX-License-Identifier: Apache-2.0
 * tests/support/instances.c: golden files and datasets, read or the test ends. */
#include <config.h>

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "answers.h"
#include "instances.h"

const char *const test_golden_contacts[] = {
    "arch12_thin",          "arch8_thick",      "cradle3_simultaneous",
    "cradle5_simultaneous", "incline_slip",     "incline_stick",
    "rand_fc_12",           "rand_fc_8",        "stack_4_ratio_10",
    "stack_6_ratio_0.1",    "table_push_slide", "table_push_stick",
    "table_rest",           "wall_2x2",         NULL,
};

static void add_block(perp_set *set, const char *word)
{
    const char *value = strchr(word, ':');
    char *end = NULL;
    double x = strtod(value ? value + 1 : word, &end);

    if (strcmp(word, "free") == 0) {
        perp_set_add_free(set);
    } else if (strcmp(word, "nonneg") == 0) {
        perp_set_add_nonneg(set);
    } else if (strncmp(word, "cone", 4) == 0) {
        perp_set_add_cone(set, word[4] == '2' ? 2 : 3, x);
    } else if (strncmp(word, "disk", 4) == 0) {
        perp_set_add_disk(set, x);
    } else if (strncmp(word, "rolling", 7) == 0) {
        perp_set_add_rolling(set, x, strtod(end + 1, NULL));
    } else if (strncmp(word, "row", 3) == 0) {
        perp_set_add_friction(set, x, strtoul(end + 1, NULL, 10));
    } else {
        const char *dots = strstr(word, "..");

        CU_ASSERT_PTR_NOT_NULL_FATAL(dots);
        perp_set_add_box(set, strtod(word, NULL), strtod(dots + 2, NULL));
    }
}

perp_set *test_set(const char *words)
{
    perp_set *set = NULL;
    char word[64];

    OK(perp_set_new(&set, strlen(words), NULL));
    while (*words) {
        size_t length = strcspn(words, ",");

        snprintf(word, sizeof word, "%.*s", (int)length, words);
        add_block(set, word);
        words += length + (words[length] == ',');
    }
    return set;
}

perp_problem *test_read(const char *path, const perp_read_options *opt, perp_notes *notes)
{
    perp_problem *p = NULL;
    perp_error err = {0};

    if (perp_problem_read(&p, path, opt, notes, &err) != PERP_OK) {
        test_note("%s", err.text);
    }
    CU_ASSERT_PTR_NOT_NULL_FATAL(p);
    return p;
}

perp_problem *test_golden_problem(const char *id)
{
    char path[1024];

    snprintf(path, sizeof path, "%s/solvers/%s.json", test_golden(), id);
    return test_read(path, NULL, NULL);
}

perp_problem *test_associated(const char *id)
{
    perp_problem *p = test_golden_problem(id);

    p->law = PERP_LAW_ASSOCIATED;
    return p;
}

perp_problem *test_dataset(const char *name)
{
    char path[1024];

    snprintf(path, sizeof path, "%s/%s", test_datasets(), name);
    return test_read(path, NULL, NULL);
}

/* The lines of the index after its first begin with the name of a file. */
size_t test_each_dataset(void (*visit)(const char *name))
{
    char line[2048];
    size_t count = 0, mark = test_mark();
    FILE *index = NULL;

    snprintf(line, sizeof line, "%s/index.tsv", test_datasets());
    index = fopen(line, "r");
    CU_ASSERT_PTR_NOT_NULL_FATAL(index);
    while (fgets(line, sizeof line, index)) {
        line[strcspn(line, "\t\n")] = '\0';
        if (strchr(line, '/') && !strstr(line, "Rectangular")) {
            visit(line);
            test_release(mark);
            count++;
        }
    }
    fclose(index);
    return count;
}

static json_t *read_json(const char *path)
{
    json_error_t error;
    json_t *root = json_load_file(path, 0, &error);

    if (!root) {
        test_note("%s:%d: %s", path, error.line, error.text);
    }
    CU_ASSERT_PTR_NOT_NULL_FATAL(root);
    return root;
}

json_t *test_golden_json(const char *name)
{
    char path[1024];

    snprintf(path, sizeof path, "%s/%s.json", test_golden(), name);
    return read_json(path);
}

void test_json_reals(const json_t *array, size_t n, double *x)
{
    CU_ASSERT_EQUAL_FATAL(json_array_size(array), n);
    for (size_t i = 0; i < n; i++) {
        x[i] = json_number_value(json_array_get(array, i));
    }
}

json_t *test_golden_entry(const char *id)
{
    json_t *index = test_golden_json("solvers/index");
    json_t *found = NULL, *entry = NULL;
    size_t k = 0;

    json_array_foreach(json_object_get(index, "instances"), k, entry)
    {
        if (strcmp(json_string_value(json_object_get(entry, "id")), id) == 0) {
            found = json_incref(entry);
        }
    }
    json_decref(index);
    CU_ASSERT_PTR_NOT_NULL_FATAL(found);
    return found;
}

size_t test_each_golden(const char *kind,
                        void (*visit)(const char *path, const json_t *entry))
{
    json_t *index = test_golden_json("solvers/index");
    const json_t *entry = NULL;
    size_t visited = 0, k = 0, mark = test_mark();

    json_array_foreach(json_object_get(index, "instances"), k, entry)
    {
        const char *its = json_string_value(json_object_get(entry, "kind"));
        char path[2048];

        snprintf(path, sizeof path, "%s/solvers/%s.json", test_golden(),
                 json_string_value(json_object_get(entry, "id")));
        if (!kind || strcmp(its, kind) == 0) {
            visit(path, entry);
            test_release(mark);
            visited++;
        }
    }
    json_decref(index);
    return visited;
}

size_t test_each_friction_model(void (*visit)(size_t index, const json_t *in,
                                              const json_t *out))
{
    json_t *root = test_golden_json("friction_models");
    const json_t *cases = json_object_get(root, "cases");
    size_t count = json_array_size(cases), mark = test_mark();

    for (size_t i = 0; i < count; i++) {
        const json_t *one = json_array_get(cases, i);

        visit(i, json_object_get(one, "in"), json_object_get(one, "out"));
        test_release(mark);
    }
    json_decref(root);
    return count;
}

perp_problem *test_friction_model(const json_t *in, perp_law law)
{
    double W[9], b[3];
    double mu = json_number_value(json_object_get(in, "mu"));
    perp_problem *p = NULL;

    test_json_reals(json_object_get(in, "W"), 9, W);
    test_json_reals(json_object_get(in, "b"), 3, b);
    p = test_cones(3, 1, W, b, &mu);
    p->law = law;
    return p;
}

/* Distance to the nearest of the golden solutions: Coulomb's law may have several. */
static double nearest_velocity(const json_t *solutions, const double *u)
{
    double least = INFINITY;
    const json_t *one = NULL;
    size_t index = 0;

    json_array_foreach(solutions, index, one)
    {
        double golden_u[3];

        test_json_reals(one, 3, golden_u);
        least = fmin(least, test_distance(3, golden_u, u));
    }
    return least;
}

static void check_friction_model(size_t index, const json_t *in, const json_t *out,
                                 const char *solver, const char *option, perp_law law)
{
    perp_problem *p = test_friction_model(in, law);
    perp_result *r = test_solve(p, solver, option, NULL);
    double gamma[3], off = 0.0, most = 0.0;

    if (law == PERP_LAW_COULOMB) {
        off = nearest_velocity(json_object_get(out, "coulomb_u"), r->w);
        /* golden values to 1e-9, times the condition of the block */
        most = 1e-7 * fmax(test_largest(3, p->b), 1.0);
    } else {
        test_json_reals(json_object_get(out, "ccp_gamma"), 3, gamma);
        off = test_distance(3, r->z, gamma);
        /* condition of these blocks below 1e3, golden values to 1e-9 */
        most = 1e-8 * fmax(test_largest(3, gamma), 1.0);
    }
    if (r->outcome != PERP_SOLVED || !(off <= most)) {
        test_note("case %zu: off by %.2e; %s", index, off, r->reason);
        CU_FAIL("not one of the golden solutions");
    }
}

void test_friction_models(const char *solver, const char *option, perp_law law)
{
    json_t *root = test_golden_json("friction_models");
    const json_t *one = NULL;
    size_t index = 0;

    json_array_foreach(json_object_get(root, "cases"), index, one)
    {
        check_friction_model(index, json_object_get(one, "in"),
                             json_object_get(one, "out"), solver, option, law);
    }
    CU_ASSERT(index >= 12);
    json_decref(root);
}
