/* SPDX-License-Identifier: Apache-2.0
 * tests/support/robots.h: pieces of robots as text, and robots that are read. */
#ifndef PERP_TEST_ROBOTS_H
#define PERP_TEST_ROBOTS_H

#include <string.h>

#include <perp/dynamics/urdf.h>

#include "dynamics.h"

/* A line each. */
#define ROBOT(inner) "<robot name=\"r\">\n" inner "</robot>\n"
#define INERTIA(a, b, c)                                                                 \
    "<inertia ixx=\"" #a "\" ixy=\"0\" ixz=\"0\" iyy=\"" #b "\" iyz=\"0\" izz=\"" #c     \
    "\"/>"
#define MASS(m) "<mass value=\"" #m "\"/>"
#define LINK(name)                                                                       \
    "<link name=\"" name "\"><inertial>" MASS(1) INERTIA(1, 1, 1) "</inertial></link>\n"
#define EMPTY(name) "<link name=\"" name "\"/>\n"
#define JOINT(name, type, parent, child, inner)                                          \
    "<joint name=\"" name "\" type=\"" type "\"><parent link=\"" parent                  \
    "\"/><child link=\"" child "\"/>" inner "</joint>\n"
/* A link "a" with something in it, and a joint "j" between it and "b". */
#define WITHIN(inner)        ROBOT("<link name=\"a\">" inner "</link>\n")
#define SHAPE(inner)         WITHIN("<collision><geometry>" inner "</geometry></collision>")
#define BETWEEN(type, inner) ROBOT(LINK("a") LINK("b") JOINT("j", type, "a", "b", inner))
#define LIMIT                "<limit lower=\"-1\" upper=\"1\" effort=\"3\" velocity=\"4\"/>"

/* A new world with the robot of a text in it; asserts. */
static inline perp_world *robot_world(const char *text, const perp_urdf_options *opt,
                                      perp_urdf **robot)
{
    perp_world *w = test_world(3, 9.81);
    perp_error err = {0};

    if (perp_urdf_parse(w, text, strlen(text), "r.urdf", opt, robot, &err) != PERP_OK) {
        test_note("%s", err.text);
        CU_FAIL_FATAL("a robot");
    }
    return w;
}

#endif
