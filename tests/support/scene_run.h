/* SPDX-License-Identifier: Apache-2.0
 * tests/support/scene_run.h: scenes of experiments/scenes, run and compared with their pages.
 *
 * A page docs/scenes/NAME.md has rows "| what | known | found |". The last cell is a
 * number, which holds to one unit of its last digit, or "< x",
 * which bounds a magnitude. */
#ifndef PERP_TEST_DYNAMICS_PLAY_H
#define PERP_TEST_DYNAMICS_PLAY_H

#include "world_run.h"

/** A scene at work; its world and stepper are in `run`. */
typedef struct play {
    run run;
    perp_scheme scheme;
    double time;      /* that the scene asks for [s] */
    double energy;    /* at the start [J] */
    double ledger;    /* all parts of all steps [J] */
    double largest;   /* energy or part of a ledger met [J] */
    double rise;      /* most that the energy grew in a step [J] */
    double tolerance; /* of the solver */
    double residual;  /* the greatest */
    double drift_length, drift_angle, penetration; /* greatest */
} play;

/** Read experiments/scenes/NAME.json; nothing moves yet,
 *  so that a test may change what it is. */
perp_scene *play_read(const char *name);
/** The same with parameters set. */
perp_scene *play_read_with(const char *name, const perp_scene_set *sets, size_t count);
/** The same in coordinates that it need not ask for. */
perp_scene *play_read_in(const char *name, perp_coordinates coordinates);
/** Start a scene (taken over) in its coordinates, by its own solver, or by `solver` when
 *  that is not NULL. */
play play_start(perp_scene *scene, const char *solver);
/** Both. */
play play_scene(const char *name);
/** n steps, each solved to 1e-8, with books that sum up; asserts. */
void play_steps(play *p, size_t n);
/** Steps until time t [s]. */
void play_until(play *p, double t);
/** Asserts that the books of the whole run sum to the change of energy; frees all. */
void play_end(play *p);

perp_world *play_world(const play *p);
/** Pose and velocity of a body by name, 7 and 6; asserts. */
double *play_pose(const play *p, const char *body);
double *play_velocity(const play *p, const char *body);
perp_joint *play_joint(const play *p, const char *name);
/** Coordinate of its first axis now [m or rad]. */
double play_axis(const play *p, const char *joint);
/** Impulse of the block of a joint in the last step over dt, `dim` of its rows [N,
 *  N m]. */
void play_force(const play *p, const char *joint, perp_role role, unsigned dim,
                double *force);
/** Angle of a body of plane motion about -y (in the plane: z), in (-pi, pi]. */
double play_angle(const play *p, const char *body);

/** Whether runs are to be short (PERP_TEST_BRIEF) or may be long (PERP_TEST_LONG). */
bool play_brief(void);
bool play_long(void);

/** The row `what` of the page docs/scenes/PAGE.md says what was found. */
void page_says(const char *page, const char *what, double found);

#endif
