/* SPDX-License-Identifier: Apache-2.0
 * tests/command/recipe.c: the problem of a step of a scene, by its call: the same bits
 * for the same call, from a run or from a kept file, and one line for what is wrong. */
#include <config.h>

#include <glob.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "command/campaign/instance.h"
#include "command/simulate/recipe.h"
#include "support.h"

/* The problem of a call, sealed; asserts. */
static perp_problem *made(const char *call, bool global)
{
    perp_problem *p = NULL;
    perp_error err = {0};

    if (recipe_make(call, global, &p, &err) != PERP_OK) {
        test_note("%s", err.text);
    }
    CU_ASSERT_PTR_NOT_NULL_FATAL(p);
    OK(perp_problem_seal(p, &err));
    return test_keep(p, test_free_problem);
}

static uint64_t hash_of(const char *call, bool global)
{
    perp_problem *p = made(call, global);
    return perp_problem_hash(p);
}

TEST(a_call_gives_the_same_bits_each_time)
{
    static const char call[] = "scene:stack:step=3,by=nsgs,iterations=20";

    unsetenv("PERP_CAPTURES");
    CU_ASSERT_EQUAL(hash_of(call, false), hash_of(call, false));
    CU_ASSERT_NOT_EQUAL(hash_of(call, false),
                        hash_of("scene:stack:step=4,by=nsgs,iterations=20", false));
    CU_ASSERT_NOT_EQUAL(hash_of(call, false),
                        hash_of("scene:stack:step=3,by=nsgs,iterations=10", false));
}

/* Three levels have 4 * 3^2 contacts. */
TEST(a_call_names_scene_parameters_step_and_solver)
{
    perp_problem *p =
        made("scene:box-pyramid:levels=3,friction=0.25,step=2,by=nsgs+newton", true);
    const perp_set *set = p->set;

    CU_ASSERT_STRING_EQUAL(p->name,
                           "box-pyramid:levels=3,friction=0.25,step=2,by=nsgs+newton");
    CU_ASSERT_EQUAL(perp_problem_contacts(p), 36);
    CU_ASSERT_PTR_NOT_NULL(p->global); /* with its masses */
    CU_ASSERT_EQUAL(set->count, 36);
    for (size_t k = 0; k < set->count; k++) {
        CU_ASSERT_EQUAL(set->blocks[k].mu, 0.25);
    }
    perp_problem_free(p);
    p = made("scene:box-pyramid,levels=3,step=2,friction=associated", false);
    CU_ASSERT_EQUAL(p->law, PERP_LAW_ASSOCIATED);
}

/* The number of kept files, which are removed. */
static size_t kept(const char *dir)
{
    char pattern[1200];
    glob_t found = {0};

    snprintf(pattern, sizeof pattern, "%s/*.hdf5", dir);
    glob(pattern, 0, NULL, &found);
    size_t count = found.gl_pathc;
    for (size_t k = 0; k < found.gl_pathc; k++) {
        remove(found.gl_pathv[k]);
    }
    globfree(&found);
    return count;
}

TEST(a_call_gives_labels_and_its_origin)
{
    static const char call[] = "scene:towers:towers=1,boxes=2,step=2";
    const char *dir = test_scratch("labelled");

    for (int k = 0; k < 3; k++) { /* from a run, kept, from the file */

        k == 0 ? unsetenv("PERP_CAPTURES") : setenv("PERP_CAPTURES", dir, 1);
        perp_problem *p = made(call, k != 2);
        CU_ASSERT_PTR_NOT_NULL_FATAL(p->labels);
        CU_ASSERT_EQUAL(p->labels->count, 8);
        CU_ASSERT_EQUAL(p->labels->at[0].kind, PERP_LABEL_CONTACT);
        CU_ASSERT_PTR_NOT_NULL(strstr(p->labels->at[0].name, "contact "));
        CU_ASSERT_STRING_EQUAL(p->origin->source, call);
        CU_ASSERT_EQUAL(p->origin->step, 2);
        CU_ASSERT_EQUAL(p->origin->time, 2 * p->origin->dt);
        CU_ASSERT_EQUAL(p->origin->hash, perp_problem_hash(p));
    }
    unsetenv("PERP_CAPTURES");
    CU_ASSERT_EQUAL(kept(dir), 1);
    rmdir(dir);
}

/* The ropes of a net have no global form, rows of joints another order there. */
TEST(what_has_no_global_form_is_local)
{
    perp_problem *p = made("scene:ring:links=5", true);

    CU_ASSERT_PTR_NULL(p->global);
    CU_ASSERT_EQUAL(p->n, 45);
    p = made("scene:chain-net:rows=2,columns=2", true);

    CU_ASSERT_PTR_NULL(p->global);
    CU_ASSERT_EQUAL(p->n, 6);
}

TEST(a_condition_selects_the_first_step_where_it_holds)
{
    perp_problem *p = made("scene:bouncing-ball:when=contacts>0", false);
    perp_problem *none = NULL;
    perp_error err = {0};

    CU_ASSERT_EQUAL(perp_problem_contacts(p), 1);
    CU_ASSERT_EQUAL(
        recipe_make("scene:towers:towers=1,boxes=1,when=t>9", false, &none, &err),
        PERP_ERR_DATA);
    CU_ASSERT_STRING_EQUAL(err.text, "scene:towers:towers=1,boxes=1,when=t>9: \"t>9\" "
                                     "holds in none of 400 steps");
    memset(&err, 0, sizeof err);
    CU_ASSERT_EQUAL(recipe_make("scene:projectile", false, &none, &err), PERP_ERR_DATA);
    CU_ASSERT_STRING_EQUAL(err.text, "scene:projectile: step 1 has no rows");
    CU_ASSERT_PTR_NULL(none);
}

TEST(a_kept_problem_has_the_bits_of_the_run)
{
    static const char *const calls[] = {"scene:stack:step=2", "scene:chain-net:rows=2",
                                        "scene:ring:links=6,step=2"};
    const char *dir = test_scratch("recipe");

    kept(dir); /* of an earlier run of this test */
    for (size_t k = 0; k < 3; k++) {
        uint64_t run = 0, first = 0;

        for (int global = 0; global < 2; global++) {
            unsetenv("PERP_CAPTURES");
            run = hash_of(calls[k], global);
            setenv("PERP_CAPTURES", dir, 1);
            first = hash_of(calls[k], global);
            CU_ASSERT_EQUAL(first, run);
            CU_ASSERT_EQUAL(hash_of(calls[k], global), run);
        }
    }
    unsetenv("PERP_CAPTURES");
    CU_ASSERT_EQUAL(kept(dir), 3);
    rmdir(dir);
}

TEST(what_is_wrong_is_one_line)
{
    static const char *const wrong[][2] = {
        {"scene:stak", "scene:stak: no scene \"stak\", the nearest is \"stack\""},
        {"scene:stack:by=nsg",
         "scene:stack:by=nsg: unknown solver \"nsg\", the nearest is \"nsgs\""},
        {"scene:stack:step=0",
         "scene:stack:step=0: step is \"0\", expected a whole number from 1 on"},
        {"scene:stack:step=1,when=t>1",
         "scene:stack:step=1,when=t>1: step or when is given twice"},
        {"scene:stack:fast", "scene:stack:fast: found \"fast\", expected NAME=VALUE"},
        {"scene:stack:friction=cube",
         "scene:stack:friction=cube: perp simulate: option --friction"},
        {"scene:stack:when=contact>1", "scene:stack:when=contact>1: "},
        {"scene:towers:floors=3",
         "parameter floors is not known, expected one of: towers, boxes"},
    };

    for (size_t k = 0; k < sizeof wrong / sizeof *wrong; k++) {
        perp_error err = {0};

        CU_ASSERT_NOT_EQUAL(recipe_check(wrong[k][0], &err), PERP_OK);
        if (!strstr(err.text, wrong[k][1])) {
            test_note("says \"%s\", should be \"%s\"", err.text, wrong[k][1]);
        }
        CU_ASSERT_PTR_NOT_NULL(strstr(err.text, wrong[k][1]));
    }
}

TEST(an_instance_opens_it_condensed_or_in_factors)
{
    const double g = 9.81;
    instance_request request = {.path = "scene:towers:towers=1,boxes=2"};
    instance *in = NULL;
    int falling = 0, resting = 0;

    OK(instance_open(&in, &request, NULL));
    CU_ASSERT_STRING_EQUAL(in->name, "towers:towers=1,boxes=2");
    CU_ASSERT_EQUAL(in->problem->n, 24);
    /* the boxes fall together: four contacts of the floor approach, four between them rest */
    for (size_t k = 0; k < 24; k += 3) {
        falling += fabs(in->problem->b[k] + g * 0.005) <= 1e-15;
        resting += fabs(in->problem->b[k]) <= 1e-15;
    }
    CU_ASSERT_EQUAL(falling, 4);
    CU_ASSERT_EQUAL(resting, 4);
    instance_free(in);
    request.global = PERP_GLOBAL_FACTORED;
    OK(instance_open(&in, &request, NULL));
    CU_ASSERT_EQUAL(in->problem->A->type->storage, PERP_STORAGE_FACTORED);
    instance_free(in);
}

static perp_storage storage_of(const char *path)
{
    const instance_request request = {.path = path, .global = PERP_GLOBAL_AUTO};
    instance *in = NULL;

    OK(instance_open(&in, &request, NULL));
    perp_storage storage = in->problem->A->type->storage;
    instance_free(in);
    return storage;
}

/* Boxes on each other touch at four points: 12 rows for 6 velocities. */
TEST(more_than_20_contacts_with_many_rows_stay_in_factors)
{
    CU_ASSERT_EQUAL(storage_of("scene:towers:towers=1,boxes=5"), PERP_STORAGE_BSR);
    CU_ASSERT_EQUAL(storage_of("scene:towers:towers=1,boxes=6"), PERP_STORAGE_FACTORED);
    /* of joints: W alone */
    CU_ASSERT_EQUAL(storage_of("scene:chain:step=2"), PERP_STORAGE_CSR);
}

TEST_SETUP
{
    setenv("PERP_DATA_DIR", test_source(), 1);
}
