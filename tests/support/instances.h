/* SPDX-License-Identifier: Apache-2.0
 * tests/support/instances.h: problems and numbers from the golden files and the datasets.
 * Whatever cannot be read ends the test with the reason. */
#ifndef PERP_TEST_INSTANCES_H
#define PERP_TEST_INSTANCES_H

#include <jansson.h>

#include "support.h"

/** The golden contact problems with symmetric W, ended by NULL; of walls and arches W is
 *  singular. */
extern const char *const test_golden_contacts[];

/** A set by words with commas: free, nonneg, LO..HI, cone2:MU, cone3:MU, rolling:MU:MU_ROLLING,
 *  disk:RADIUS, row:MU:NORMAL. */
perp_set *test_set(const char *words);
/** The problem in a file; opt and notes may be NULL. */
perp_problem *test_read(const char *path, const perp_read_options *opt,
                        perp_notes *notes);
/** Golden solver instance, by id, and under the associated law; file of the datasets, by its path
 *  there. */
perp_problem *test_golden_problem(const char *id);
perp_problem *test_associated(const char *id);
perp_problem *test_dataset(const char *name);
/** Call visit with the path of each file of the datasets that holds a problem; how many
 *  there were. */
size_t test_each_dataset(void (*visit)(const char *name));

/** Golden file as JSON: "friction_models". To be released. */
json_t *test_golden_json(const char *name);
/** What solvers/index.json has of a golden solver instance. To be released. */
json_t *test_golden_entry(const char *id);
/** The n numbers of an array; it must have as many. */
void test_json_reals(const json_t *array, size_t n, double *x);

/** Call visit for each golden solver instance, of one kind ("lcp") or of all (NULL), with its file and
 *  what solvers/index.json has of it; how many there were. */
size_t test_each_golden(const char *kind,
                        void (*visit)(const char *path, const json_t *entry));
/** Call visit for each contact of friction_models.json; how many there were. */
size_t test_each_friction_model(void (*visit)(size_t index, const json_t *in,
                                              const json_t *out));
/** The contact that the input of a friction model describes. */
perp_problem *test_friction_model(const json_t *in, perp_law law);
/** Asserts that the solver, with one "option=value", ends at one of the golden solutions of each
 *  contact of friction_models.json. */
void test_friction_models(const char *solver, const char *option, perp_law law);

#endif
