/* SPDX-License-Identifier: Apache-2.0
 * simulate/recipe.h: the problem of one step of a scene, by a call that says how to make it.
 *
 *     scene:box-pyramid:levels=14,step=3,by=nsgs
 *     scene:sphere-pack:count=1000,model=cone,by=nsgs,iterations=30,when=step>99 && contacts>2500
 *
 * The name of a scene or its file, then parameters of the scene and of the run:
 *
 *     step=N        the problem of step N, from 1 [1]
 *     when=WHEN     that of the first step where the condition holds (see condition.h)
 *     by=SOLVER     the solver of the steps before it [the scene's]
 *     iterations=N  most iterations of that solver in each step [its own limit]
 *     model=MODEL   of friction, as of perp simulate [the scene's]
 *
 * These words go before a parameter of the scene that has the same name.
 * The same call gives the same bits. Where the variable PERP_CAPTURES of the environment
 * names a folder, the problem is kept there and read when it is asked for again. */
#ifndef PERP_SIMULATE_RECIPE_H
#define PERP_SIMULATE_RECIPE_H

#include <perp/perp.h>

/** "scene:…": such a call. */
bool recipe_is_call(const char *path);
/** What follows "scene:" in a call. */
const char *recipe_call(const char *path);
/** Read the scene and the settings of its run, and run nothing. */
perp_status recipe_check(const char *path, perp_error *err);
/** The problem of a call, named after the call: its W in blocks, or, if asked for and where
 *  it has that form, global (M, H), of the same rows. Only problems of contacts alone have
 *  it. */
perp_status recipe_make(const char *path, bool global, perp_problem **p, perp_error *err);

#endif
