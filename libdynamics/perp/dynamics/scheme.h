/* SPDX-License-Identifier: Apache-2.0
 * perp/dynamics/scheme.h: discretisation of a step: models, laws, corrections,
 * integrators.
 *
 * A scheme is a plain struct that the rows, the formulation and the step read;
 * perp_scheme_default() fills it. Every choice is an enum with a text, so that options,
 * scenes and results use the same names. */
#ifndef PERP_DYNAMICS_SCHEME_H
#define PERP_DYNAMICS_SCHEME_H

#include <perp/dynamics/collide.h>
#include <perp/dynamics/rotation.h>
#include <perp/dynamics/world.h>
#include <perp/problem.h>

PERP_BEGIN_DECLS

/** Friction model of the problem. */
#define PERP_MODEL_LIST(X)                                                               \
    X(PERP_MODEL_CONE, "coulomb")          /* Coulomb's law on the cone */               \
    X(PERP_MODEL_ASSOCIATED, "associated") /* its convex relaxation */                   \
    X(PERP_MODEL_PYRAMID, "pyramid")       /* eta directions: an LCP */                  \
    X(PERP_MODEL_BOX, "box")               /* |z_T| <= mu z_N, each tangent apart */     \
    X(PERP_MODEL_FRICTIONLESS, "none")

/** Correction of position errors of contacts, limits and joints. */
#define PERP_STABILIZE_LIST(X)                                                           \
    X(PERP_STABILIZE_BAUMGARTE, "baumgarte") /* in the velocity: may add energy */       \
    X(PERP_STABILIZE_SPLIT, "split")         /* separate pseudo-velocities           */  \
    X(PERP_STABILIZE_PROJECT, "project")     /* positions projected after the step */    \
    X(PERP_STABILIZE_NONE, "none")

#define PERP_RESTITUTION_LIST(X)                                                         \
    X(PERP_RESTITUTION_NEWTON, "newton")   /* c_n+ >= -e c_n- where it approached */     \
    X(PERP_RESTITUTION_MOREAU, "moreau")   /* c_n+ + e c_n- complementary to z_N */      \
    X(PERP_RESTITUTION_POISSON, "poisson") /* e times the impulse of compression again */

/** Time integration of smooth forces. */
#define PERP_INTEGRATOR_LIST(X)                                                          \
    X(PERP_INTEGRATOR_SEMI_IMPLICIT, "semi-implicit") /* symplectic Euler */             \
    X(PERP_INTEGRATOR_EXPLICIT, "explicit")                                              \
    X(PERP_INTEGRATOR_IMPLICIT, "implicit") /* backward Euler */                         \
    X(PERP_INTEGRATOR_POSITION_VERLET, "position-verlet")                                \
    X(PERP_INTEGRATOR_VELOCITY_VERLET, "velocity-verlet")                                \
    X(PERP_INTEGRATOR_LEAPFROG, "leapfrog") /* half kick, drift, half kick */            \
    X(PERP_INTEGRATOR_MIDPOINT, "midpoint") /* explicit, RK2 */                          \
    X(PERP_INTEGRATOR_RK4, "rk4")                                                        \
    X(PERP_INTEGRATOR_MOMENTUM, "momentum") /* leapfrog in r, R, p, L: keeps L */

#define PERP_BIAS_LIST(X)                                                                \
    X(PERP_BIAS_MAX, "max") /* of correction and restitution: Newton's law holds */      \
    X(PERP_BIAS_SUM, "sum")

#define PERP_LIMITS_LIST(X)                                                              \
    X(PERP_LIMITS_IN_REACH, "in-reach") /* unless the gap is too wide for this step */   \
    X(PERP_LIMITS_ALWAYS, "always") /* a row with a speculative bias, all the time */    \
    X(PERP_LIMITS_ON_VIOLATION, "on-violation")

#define PERP_GYRO_SPLIT_LIST(X)                                                          \
    X(PERP_GYRO_SEQUENTIAL, "sequential") /* gyroscopic stage after the torque */        \
    X(PERP_GYRO_ADDED, "added")           /* both increments from the old omega */

#define PERP_ENUM(name, text) name,
/** What friction is. */
typedef enum perp_model { PERP_MODEL_LIST(PERP_ENUM) } perp_model;
/** How position errors are corrected. */
typedef enum perp_stabilize { PERP_STABILIZE_LIST(PERP_ENUM) } perp_stabilize;
/** The law of impacts. */
typedef enum perp_restitution { PERP_RESTITUTION_LIST(PERP_ENUM) } perp_restitution;
/** How the free motion is integrated. */
typedef enum perp_integrator { PERP_INTEGRATOR_LIST(PERP_ENUM) } perp_integrator;
/** What the bias of a contact is made of. */
typedef enum perp_bias { PERP_BIAS_LIST(PERP_ENUM) } perp_bias;
/** When a limit of a joint has a row. */
typedef enum perp_limits { PERP_LIMITS_LIST(PERP_ENUM) } perp_limits;
/** In which order torques and the gyroscopic stage act. */
typedef enum perp_gyro_split { PERP_GYRO_SPLIT_LIST(PERP_ENUM) } perp_gyro_split;
#undef PERP_ENUM

/** How a step is discretised; perp_scheme_default fills it. */
typedef struct perp_scheme {
    double dt; /**< [s] > 0 */

    perp_model model;
    unsigned eta; /**< directions of the pyramid, even, >= 4 */
    perp_restitution restitution;
    perp_bias bias;
    double threshold; /**< slower approach has no restitution [m/s] */

    perp_stabilize stabilize;
    double erp;            /**< share of an error removed per step, 0 .. 1 */
    double slop;           /**< penetration that is not corrected [m] */
    double max_correction; /**< fastest correction of a penetration [m/s]; INFINITY
                            *   allowed */
    double margin;         /**< largest gap of a contact [m] */
    perp_limits limits;

    const perp_broad_type *broad;   /**< NULL: the first of the registry */
    const perp_narrow_type *narrow; /**< for pairs that it supports; NULL: the first type
                                     *   that supports the pair */
    unsigned reduce;  /**< most contacts of a pair of shapes, >= 4; 0: all */
    bool speculative; /**< margins grow by the distance that may close in a step at
                       *   present velocities */
    /** Number of threads that search contacts and write their rows, at most
     *  PERP_SCHEME_THREADS; 0: one. The result has the same bits for every number, so the
     *  list below leaves it out. */
    unsigned threads;

    perp_integrator integrator;
    perp_turn turn;
    double max_angle; /**< largest rotation of a body in a step [rad]; 0: no bound */
    perp_gyro_split gyro_split;
    bool override_gyro; /**< `gyro` replaces the flags of all bodies */
    perp_gyro gyro;

    /** Storage of A: dense, CSR, BSR (if all blocks have one size), or in factors: PAIRS
     *  for rows on two bodies, FACTORED for reduced coordinates or with gears. */
    perp_storage storage;
} perp_scheme;

/** The members of a scheme: X(KIND, member, LIST, "name", "unit", "help"). The members of
 *  scenes, the options of perp simulate and the functions below are made from this list.
 *  KIND is
 *
 *      POSITIVE, NOT_NEGATIVE, SHARE, SPEED   a number > 0; >= 0; 0 .. 1; > 0 or infinite
 *      CHOICE                                 a text of PERP_LIST_LIST
 *      SWITCH, COUNT                          off or on; a whole number
 *      MODEL, GYRO, STORAGE, BROAD, NARROW    texts, see perp_scheme_choice */
#define PERP_SCHEME_LIST(X)                                                              \
    X(POSITIVE, dt, NONE, "dt", "s", "length of a step")                                 \
    X(MODEL, model, MODEL, "friction", "",                                               \
      "law of friction; pyramid:8 has eight directions")                                 \
    X(CHOICE, stabilize, STABILIZE, "stabilize", "", "correction of position errors")    \
    X(SHARE, erp, NONE, "erp", "", "share of a position error removed in a step")        \
    X(NOT_NEGATIVE, slop, NONE, "slop", "m", "penetration that is not corrected")        \
    X(SPEED, max_correction, NONE, "max-correction", "m/s",                              \
      "fastest correction of a penetration")                                             \
    X(NOT_NEGATIVE, margin, NONE, "margin", "m",                                         \
      "largest gap at which contacts are found")                                         \
    X(SWITCH, speculative, NONE, "speculative", "",                                      \
      "increase the margin by the distance that may close in a step")                    \
    X(BROAD, broad, NONE, "broad", "",                                                   \
      "algorithm that finds overlapping boxes; the result is the same")                  \
    X(NARROW, narrow, NONE, "narrow", "",                                                \
      "algorithm that finds contacts; other pairs, and all with auto, take the first "   \
      "algorithm that supports them")                                                    \
    X(COUNT, reduce, NONE, "reduce", "",                                                 \
      "most contacts of a pair of shapes, at least 4; 0: all")                           \
    X(NOT_NEGATIVE, threshold, NONE, "threshold", "m/s",                                 \
      "approach speed below which there is no restitution")                              \
    X(CHOICE, restitution, RESTITUTION, "restitution", "", "law of impact")              \
    X(CHOICE, bias, BIAS, "bias", "", "combination of correction and restitution")       \
    X(CHOICE, limits, LIMITS, "limits", "", "when the limit of a joint has a row")       \
    X(CHOICE, integrator, INTEGRATOR, "integrator", "", "integrator of smooth forces")   \
    X(CHOICE, turn, TURN, "turn", "", "update of orientations")                          \
    X(NOT_NEGATIVE, max_angle, NONE, "max-angle", "rad",                                 \
      "largest rotation of a body in a step; 0: no bound")                               \
    X(GYRO, gyro, GYRO, "gyro", "",                                                      \
      "gyroscopic torque of all bodies; own: as each body says")                         \
    X(CHOICE, gyro_split, GYRO_SPLIT, "gyro-split", "",                                  \
      "order of the gyroscopic stage and the torque")                                    \
    X(STORAGE, storage, NONE, "storage", "", "storage of the matrix A")

/** Fill with the defaults: dt 1/60, cone, Newton's restitution above 0.01 m/s, Baumgarte
 *  with erp 0.2, slop 0, margin 0.01, all contacts of each pair, semi-implicit
 *  integrator, automatic update of orientations, the gyroscopic flags of the bodies,
 *  storage in factors. */
void perp_scheme_default(perp_scheme *scheme);
/** Check all members. PERP_ERR_OPTION, with the name of the member, the value found and
 *  the value expected. */
perp_status perp_scheme_check(const perp_scheme *scheme, perp_error *err);

/** The k-th possible text of the member `name`, without "pyramid:N"; NULL after the last
 *  text, for a number and for an unknown name. */
const char *perp_scheme_choice(const char *name, size_t k);
/** Set a member from its text: "dt" from "0.01", "friction" from "pyramid:8".
 *  PERP_ERR_OPTION: an unknown name or a text that is not allowed; the message reads: erp
 *  is "2", expected a number 0 .. 1. */
perp_status perp_scheme_set(perp_scheme *scheme, const char *name, const char *text,
                            perp_error *err);
/** Print a member as perp_scheme_set reads it, "" for an unknown name; at most `length`
 *  bytes including the terminating 0. */
void perp_scheme_print(const perp_scheme *scheme, const char *name, char *text,
                       size_t length);

/** Texts of the choices in the order of the enum, terminated by NULL: "cone",
 *  "associated", … */
extern const char *const perp_model_names[];
extern const char *const perp_stabilize_names[];
extern const char *const perp_restitution_names[];
extern const char *const perp_integrator_names[];
extern const char *const perp_turn_names[];
/** Index of `name` in such a list, or -1. */
int perp_choice_find(const char *const *names, const char *name);

PERP_END_DECLS

#endif
