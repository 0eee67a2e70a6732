/* SPDX-License-Identifier: Apache-2.0
 * simulate/settings.h: how a scene is run: as the scene says, changed by the options. */
#ifndef PERP_SIMULATE_SETTINGS_H
#define PERP_SIMULATE_SETTINGS_H

#include <perp/dynamics/scene.h>
#include <perp/solver.h>

#include "command/cli/args.h"

typedef struct sim_settings {
    perp_scheme scheme;
    const perp_solver_type *solver;
    perp_options opt;           /**< of the solver */
    char solver_name[CLI_NAME]; /**< as it would be typed */
    perp_coordinates coordinates;
    perp_reduction reduction; /**< how, where they are reduced */
    bool warm;
    size_t every;      /**< steps between two frames of the trajectory */
    size_t steps;      /**< how long the run is, from its start */
    size_t short_step; /**< the last step of a time that dt does not divide; 0: none */
    double short_dt;   /**< its length [s] */
    const perp_scene *scene; /**< borrowed: its parameters */
} sim_settings;

/* A member of the scheme as an option: the kind of its value, and its unit behind the help. */
#define SIM_TEXT(name, text)        text "|"
#define SIM_WORD_POSITIVE(list)     "X"
#define SIM_WORD_NOT_NEGATIVE(list) "X"
#define SIM_WORD_SHARE(list)        "X"
#define SIM_WORD_SPEED(list)        "X"
#define SIM_WORD_CHOICE(list)       PERP_##list##_LIST(SIM_TEXT)
#define SIM_WORD_SWITCH(list)       "off|on"
#define SIM_WORD_COUNT(list)        "N"
#define SIM_WORD_MODEL(list)        PERP_##list##_LIST(SIM_TEXT) "pyramid:N"
#define SIM_WORD_GYRO(list)         "own|" PERP_##list##_LIST(SIM_TEXT)
#define SIM_WORD_STORAGE(list)      "dense|csr|bsr|factored"
#define SIM_WORD_BROAD(list)        "BROAD"
#define SIM_WORD_NARROW(list)       "NARROW"
#define SIM_NOTE_POSITIVE(unit)     " [" unit "]"
#define SIM_NOTE_NOT_NEGATIVE(unit) " [" unit "]"
#define SIM_NOTE_SHARE(unit)        ""
#define SIM_NOTE_SPEED(unit)        " [" unit "]"
#define SIM_NOTE_CHOICE(unit)       ""
#define SIM_NOTE_SWITCH(unit)       ""
#define SIM_NOTE_COUNT(unit)        ""
#define SIM_NOTE_MODEL(unit)        ""
#define SIM_NOTE_GYRO(unit)         ""
#define SIM_NOTE_STORAGE(unit)      ""
#define SIM_NOTE_BROAD(unit)        "; see perp info broad"
#define SIM_NOTE_NARROW(unit)       "; see perp info narrow"
#define SIM_SCHEME_OPTION(kind, member, list, name, unit, help)                          \
    {name, 0, SIM_WORD_##kind(list), help SIM_NOTE_##kind(unit)},

/** Rows of the table of a verb that runs scenes. What is not given is as in the scene. */
#define SIM_SETTINGS_OPTIONS                                                             \
    {"solver", 's', "SOLVER|sequential-impulses",                                        \
     "solver, see perp info solvers [the scene's]"},                                     \
        PERP_SCHEME_LIST(SIM_SCHEME_OPTION){"time", 0, "S",                              \
                                            "length of the run, from its start [s]"},    \
        {"steps", 0, "N", "length of the run in steps"},                                 \
        {"coordinates", 0, "maximal|reduced", "coordinates of bodies with joints"},      \
        {"rotations", 0, "exponential|euler", "reduced coordinates of ball joints"},     \
        {"chart-switch", 0, "off|on",                                                    \
         "exchange reduced coordinates before they become singular"},                    \
        {"threads", 0, "N",                                                              \
         "number of threads that search contacts, and that sweep one colour where the "  \
         "solver has this option [1; 1 .. 1024]"},                                       \
        {"cold", 0, NULL, "start each solve from 0, not from the last impulses"},        \
    {                                                                                    \
        "every", 'e', "N", "steps between two frames of the trajectory [1]"              \
    }

/** Their names without "solver", "every", "friction": "|dt|model…", for cli_args_refuse. */
#define SIM_NAME(kind, member, list, name, unit, help) SIM_NAME_##kind(name)
#define SIM_NAME_POSITIVE(name)                        "|" name
#define SIM_NAME_NOT_NEGATIVE(name)                    "|" name
#define SIM_NAME_SHARE(name)                           "|" name
#define SIM_NAME_SPEED(name)                           "|" name
#define SIM_NAME_CHOICE(name)                          "|" name
#define SIM_NAME_SWITCH(name)                          "|" name
#define SIM_NAME_COUNT(name)                           "|" name
#define SIM_NAME_GYRO(name)                            "|" name
#define SIM_NAME_STORAGE(name)                         "|" name
#define SIM_NAME_BROAD(name)                           "|" name
#define SIM_NAME_NARROW(name)                          "|" name
#define SIM_NAME_MODEL(name)                           ""
#define SIM_SETTINGS_NAMES                                                               \
    PERP_SCHEME_LIST(SIM_NAME)                                                           \
    "|time|steps|coordinates|rotations|chart-switch|threads|cold"

/** The settings of a scene and what was typed over it. */
perp_status sim_settings_read(sim_settings *s, const cli_args *args,
                              const perp_scene *scene, perp_error *err);
/** The length of this step, from 1 [s]: dt, or what is left of the time in the last one. */
double sim_settings_dt(const sim_settings *s, size_t step);
/** What stands before the name of a parameter of the scene in the text of settings. */
#define SIM_SETTINGS_SET "--set "
/** All that determines the bits of a run, one line each, "name = value"; on the heap. */
char *sim_settings_text(const sim_settings *s);
/** PERP_ERR_OPTION with the first line that differs: "`path`: dt is 0.02,
 *  the stored run has 0.01". */
perp_status sim_settings_same(const char *path, const char *then, const char *now,
                              perp_error *err);

#endif
