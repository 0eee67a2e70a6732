/* SPDX-License-Identifier: Apache-2.0
 * experiments/bench/engines.h: what a physics engine does in the comparison of steps.
 *
 * Each is given the same world: boxes and spheres of mass 1, planes of a static body, friction of
 * the world's default material. Time step and sweeps are those below, bodies never sleep, one
 * thread, double precision; all else is the engine's default: margins, warm starts, correction. */
#ifndef PERP_BENCH_ENGINES_H
#define PERP_BENCH_ENGINES_H

#include <perp/dynamics/shape.h>
#include <perp/dynamics/world.h>

PERP_BEGIN_DECLS

enum { ENGINE_SWEEPS = 10 };
#define ENGINE_DT (1.0 / 60.0) /* [s] */

typedef struct engine {
    const char *name; /**< with its version and sweeps */
    /** The world as it is now; ends the program where there is no memory. It may be kept and
     *  moved until `stop`. */
    void *(*start)(perp_world *world);
    void (*step)(void *state);
    /** Points of contact of the last step. */
    size_t (*contacts)(void *state);
    /** Centre of body k, numbered as in the world [m]. */
    void (*place)(void *state, size_t k, double r[3]);
    void (*stop)(void *state);
} engine;

extern const engine engine_perp;
extern const engine engine_bullet; /**< linked where HAVE_BULLET */
extern const engine engine_ode;    /**< linked where HAVE_ODE */

PERP_END_DECLS

#endif
