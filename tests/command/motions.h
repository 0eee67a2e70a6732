/* SPDX-License-Identifier: Apache-2.0
 * tests/command/motions.h: the motion of a short run, for the tests of motions. */
#ifndef PERP_TEST_MOTIONS_H
#define PERP_TEST_MOTIONS_H

#include "command/view/motion.h"
#include "simulations.h"

#define NAME_50  "a-very-long-name-of-a-body-that-is-not-to-be-cut--"
#define NAME_200 NAME_50 NAME_50 NAME_50 NAME_50

/* The motion of a run with these words; fails the test where there is none. */
static inline motion *moved(const char *name, const char *text, int argc, char **argv)
{
    const char *dir = fresh(name);
    sim_summary s;
    motion *m = NULL;
    perp_error err = {0};

    if (run_into(dir, text, argc, argv, &s, &err) != PERP_OK ||
        motion_read(&m, dir, &err) != PERP_OK) {
        test_note("%s: %s", name, err.text);
    }
    CU_ASSERT_PTR_NOT_NULL_FATAL(m);
    return m;
}

#endif
