/* SPDX-License-Identifier: Apache-2.0
 * tests/support/contact_scene.h: scenes of contacts at work: changed before they start, and
 * measured by how far things have come and who carries what.
 *
 * Usual runs are cut short. PERP_TEST_LONG=1 runs each scene for its time;
 * PERP_TEST_BRIEF=1 cuts further, for builds that are slow. */
#ifndef PERP_TEST_DYNAMICS_SHOW_H
#define PERP_TEST_DYNAMICS_SHOW_H

#include "scene_run.h"

/** A scene to change, then its play. */
typedef struct show {
    char name[48];
    perp_scene *scene; /* until it begins */
    perp_world *world; /* of the scene, then of the play */
    play play;
    double *start; /* poses at the beginning */
    double rise;   /* most that the energy was above that at the beginning [J] */
} show;

/** Read experiments/scenes/NAME.json; asserts. */
show show_open(const char *name);
/** The same with parameters set. */
show show_open_with(const char *name, const perp_scene_set *sets, size_t count);
/** From text. */
show show_parse(const char *name, const char *text);
/** Set up its play by a solver and settings, "nsgs tolerance=1e-12";
 *  NULL: recommended. */
void show_begin(show *s, const char *solver);
void show_end(show *s);
/** At its start, in those coordinates, by its own solver. */
show show_begin_in(const char *name, perp_coordinates c, const perp_scene_set *sets,
                   size_t count);
/** Its model of friction, named as in a scene. */
void show_model(show *s, const char *model);
/** Friction of all its materials. */
void show_friction(show *s, double mu);

/** Seconds to run: `usual`, a tenth of it when brief, the scene's own when long. */
double show_seconds(const show *s, double usual);
/** Steps, each solved to 1e-8. */
void show_steps(show *s, size_t n);
void show_for(show *s, double seconds);

/** The number of a body; asserts that there is one. */
size_t show_body(const show *s, const char *name);
/** Where it is, (x, q), and its velocity, (v, w). */
const double *show_pose(const show *s, const char *name);
const double *show_twist(const show *s, const char *name);
/** The farthest that a centre of mass has come from where it was [m]. */
double show_drift(const show *s);
/** The impulse of the last step by which contacts push body j from body i, its normal
 *  parts alone or with friction [N s]. */
void show_push(const show *s, size_t i, size_t j, bool friction, double sum[3]);

/** A check in maximal, then in reduced coordinates. */
void show_in_both(void (*check)(perp_coordinates c));
/** The row "maximal: WHAT" or "reduced: WHAT" of its page. */
void show_says(const show *s, const char *what, double found);
/** In reduced coordinates, joints of trees hold to rounding; asserts. */
void show_holds(const show *s);
/** A point given in the axes of a body at `pose`; where it is seen from there. */
void show_point(const double *pose, const double at[3], double p[3]);
void show_seen_from(const double *pose, const double p[3], double at[3]);

#endif
