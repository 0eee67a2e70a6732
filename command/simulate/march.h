/* SPDX-License-Identifier: Apache-2.0
 * simulate/march.h: the one loop over the steps of a scene. Whoever keeps something of a
 * run, files or measures, looks on. */
#ifndef PERP_SIMULATE_MARCH_H
#define PERP_SIMULATE_MARCH_H

#include <perp/dynamics/scene.h>

#include "command/simulate/settings.h"
#include "command/simulate/summary.h"

/** Why a run ends before its last step: the value of `stop`. */
enum { SIM_STOP_INTERRUPTED = 1, SIM_STOP_LATE = 2 };

/** A scene at work. */
struct sim_march {
    const sim_settings *settings;
    sim_summary *summary;
    sim_end *end;
    const volatile int *
        stop; /**< SIM_STOP_...: end; a solution at work is given up, its step not made */
    double limit; /**< seconds that all steps of a call may take; 0: any */
    perp_world *world;
    perp_state *state;
    perp_stepper *stepper;
    size_t step;    /**< the last one made */
    double dt;      /**< its length [s] */
    double seconds; /**< that it took */
    double *s, *u;  /**< poses and velocities before it: 7 and 6 per body */
};

/** Called after each step, which the summary holds already. */
typedef perp_status sim_observer(void *context, const sim_march *m,
                                 const perp_report *report, perp_error *err);

/** Make the stepper of `scene`, in the coordinates of the settings, and start its
 *  summary; what *m holds of orders (summary, end, stop, limit) stays. Close it also
 *  after a failure. */
perp_status sim_march_open(sim_march *m, perp_scene *scene, const sim_settings *settings,
                           perp_error *err);
/** Steps up to those of the settings, or to one that cannot be made, or until it is
 *  stopped; how it ended is in m->end. A state that is not finite is an early end and no
 *  failure. */
perp_status sim_march_run(sim_march *m, sim_observer *look, void *context,
                          perp_error *err);
void sim_march_close(sim_march *m); /* no-op when it is zero */

#endif
