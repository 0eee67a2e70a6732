/* SPDX-License-Identifier: Apache-2.0
 * tests/dynamics/scene_parts.c: what can be wrong with bodies, shapes, joints and
 * forces of a scene and with their repetition, each with its whole line. */
#include <config.h>

#include "scenes.h"

static const wrong wrong_bodies[] = {
    {BODY(""), "s.json:1:13: bodies[0].mass is missing, expected a mass or a density"},
    {BODY("\"mass\": -2"),
     "s.json:1:22: bodies[0].mass is -2, expected a positive number [kg]"},
    {BODY("\"mass\": 0"),
     "s.json:1:22: bodies[0].mass is 0, expected a positive number [kg]"},
    {BODY("\"mass\": 1"), "s.json:1:13: bodies[0].inertia is missing, and the body has "
                          "no shape to compute it from"},
    {BODY("\"density\": 1"), "s.json:1:13: bodies[0].mass is missing, and the body has "
                             "no shape to compute it from"},
    {BODY("\"mass\": 1, \"density\": 1"),
     "s.json:1:13: bodies[0] has a mass and a density, expected one of them"},
    {BODY("\"mass\": 1, \"inertia\": [1, 1]"),
     "s.json:1:36: bodies[0].inertia is an array of 2, expected 3 moments, or a "
     "matrix of 9 numbers"},
    {BODY("\"mass\": 1, \"inertia\": [1, 1, 3]"),
     "s.json:1:13: bodies[0]: body \"body-0\": inertia: principal moments are 1, 1, 3, "
     "expected each at most the sum of the other two"},
    {BODY("\"mass\": 1, \"inertia\": [1, 1, -1]"),
     "s.json:1:13: bodies[0]: body \"body-0\": inertia: a principal moment is -1, "
     "expected a positive number [kg m^2]"},
    {BODY("\"motion\": \"moving\""),
     "s.json:1:24: bodies[0].motion is \"moving\", expected one of: dynamic, "
     "static, kinematic"},
    {BODY("\"motion\": \"static\", \"disabled\": 1"),
     "s.json:1:46: bodies[0].disabled is 1, expected true or false"},
    {BODY("\"motion\": \"static\", \"rotation\": [1, 0, 0, 1]"),
     "s.json:1:46: bodies[0].rotation has length 1.414214, expected 1 (within 1e-6)"},
    {BODY("\"motion\": \"static\", \"rotation\": [1, 0, 0]"),
     "s.json:1:46: bodies[0].rotation is an array of 3, expected [w, x, y, z], "
     "{\"axis\", \"angle\"}, {\"euler\"} or \"random\""},
    {BODY("\"rotation\": \"90 deg\""),
     "s.json:1:26: bodies[0].rotation is \"90 deg\", expected [w, x, y, z], "
     "{\"axis\", \"angle\"}, {\"euler\"} or \"random\""},
    {BODY("\"rotation\": {\"axis\": [0, 0, 0], \"angle\": 1}"),
     "s.json:1:35: bodies[0].rotation.axis has length 0, expected a direction"},
    {BODY("\"rotation\": {\"axis\": [0, 0, 1]}"),
     "s.json:1:26: bodies[0].rotation.angle is missing, expected angle about the axis, "
     "right-handed"},
    {BODY("\"rotation\": {\"axis\": [0, 0, 1], \"angle\": 1, \"about\": [0, 0, 0]}"),
     "s.json:1:58: bodies[0].rotation.about applies only in a repetition"},
    {BODY("\"rotation\": {\"euler\": 3}"),
     "s.json:1:36: bodies[0].rotation.euler is 3, expected an array of {\"axis\", "
     "\"angle\"} and no other member"},
    {BODY("\"rotation\": {\"euler\": [{\"axis\": [0, 0, 1], \"angel\": 1}]}"),
     "s.json:1:57: bodies[0].rotation.euler[0].angel is not known, the nearest is "
     "angle"},
    {BODY("\"name\": \"a\", \"motion\": \"static\"},\n {\"name\": \"a\", "
          "\"motion\": \"static\""),
     "s.json:2:2: bodies[1]: body \"a\": another body has this name"},
    {BODY("\"name\": \"\", \"motion\": \"static\""),
     "s.json:1:13: bodies[0]: body: no name"},
    {BODY("\"motion\": \"static\", \"load\": 3"),
     "s.json:1:42: bodies[0].load is 3, expected an object"},
    {"{\"dimension\": 2, \"bodies\": [{\"motion\": \"static\", \"position\": [0, "
     "0, 1]}]}",
     "s.json:1:29: bodies[0]: body \"body-0\": a component along z is 1, expected "
     "0 in two dimensions"},
};

TEST(a_body_that_cannot_be_is_refused)
{
    REFUSED(wrong_bodies);
}

static const wrong wrong_shapes[] = {
    {SHAPE(""),
     "s.json:1:45: bodies[0].shapes[0].type is missing, expected a type of shape"},
    {SHAPE("\"type\": \"ball\""),
     "s.json:1:54: bodies[0].shapes[0].type is \"ball\", expected one of: sphere, "
     "..."},
    {SHAPE("\"type\": \"sphere\""),
     "s.json:1:45: bodies[0].shapes[0].radius is missing, expected a size of a "
     "sphere"},
    {SHAPE("\"type\": \"box\""),
     "s.json:1:45: bodies[0].shapes[0].half-extents is missing, expected a size of "
     "a box"},
    {SHAPE("\"type\": \"box\", \"size\": [1, 2]"),
     "s.json:1:69: bodies[0].shapes[0].size is an array of 2, expected 3 sizes of "
     "a box"},
    {SHAPE("\"type\": \"box\", \"size\": 1"),
     "s.json:1:69: bodies[0].shapes[0].size is 1, expected 3 sizes of a box"},
    {SHAPE("\"type\": \"sphere\", \"size\": 0"),
     "s.json:1:72: bodies[0].shapes[0].size is 0, expected a positive number [m]"},
    {SHAPE("\"type\": \"sphere\", \"radius\": \"-1 cm\""),
     "s.json:1:74: bodies[0].shapes[0].radius is \"-1 cm\", expected a positive "
     "number [m]"},
    {SHAPE("\"type\": \"hull\""),
     "s.json:1:45: bodies[0].shapes[0].corners is missing, a hull needs it or a file"},
    {SHAPE("\"type\": \"hull\", \"corners\": [[0, 0, 0], [1, 0]]"),
     "s.json:1:85: bodies[0].shapes[0].corners[1] is an array of 2, expected an "
     "array of 3 numbers"},
    {SHAPE("\"type\": \"hull\", \"corners\": [[0, 0, 0], [1, 0, 0], [0, 1, 0], [1, "
           "1, 0]]"),
     "s.json:1:73: bodies[0].shapes[0].corners: hull: 4 points lie in one plane, "
     "expected points that span a volume"},
    {SHAPE("\"type\": \"plane\", \"material\": \"ice\""),
     "s.json:1:75: bodies[0].shapes[0].material is \"ice\", expected the name of a "
     "material, the nearest is default"},
    {"{\"ground\": {\"material\": \"defaul\"}}",
     "s.json:1:25: ground.material is \"defaul\", expected the name of a material, "
     "the nearest is default"},
    {"{\"ground\": {\"normal\": [0, 0, 0]}}",
     "s.json:1:23: ground.normal has length 0, expected a direction"},
};

TEST(a_shape_that_cannot_be_is_refused)
{
    REFUSED(wrong_shapes);
}

static const wrong wrong_joints[] = {
    {JOINT(""), "s.json:2:13: joints[0].type is missing, expected a type of joint"},
    {JOINT("\"type\": \"hing\""),
     "s.json:2:22: joints[0].type is \"hing\", expected one of: spherical, ..."},
    {"{\"dimension\": 2, \"bodies\": [{\"name\": \"a\", \"motion\": \"static\"}], "
     "\"joints\": "
     "[{\"type\": \"prismatic\", \"bodies\": [\"world\", \"a\"]}]}",
     "s.json:1:76: joints[0].axis is missing, a joint of type prismatic needs it"},
    {"{\"dimension\": 2, \"bodies\": [{\"name\": \"a\", \"motion\": \"static\"}], "
     "\"joints\": "
     "[{\"type\": \"cylindrical\", \"at\": [0, 0], \"bodies\": [\"world\", \"a\"]}]}",
     "s.json:1:76: joints[0].axis is missing, a joint of type cylindrical needs it"},
    {JOINT("\"type\": \"spherical\", \"bodies\": [\"a\", \"b\"], \"at\": [0, 0, 0], "
           "\"axes\": "
           "[3]"),
     "s.json:2:83: joints[0].axes[0] is 3, expected an object"},
    {JOINT("\"type\": \"spherical\""),
     "s.json:2:13: joints[0].bodies is missing, expected the names of two bodies"},
    {JOINT("\"type\": \"spherical\", \"bodies\": [\"a\"], \"at\": [0, 0, 0]"),
     "s.json:2:45: joints[0].bodies is an array of 1, expected the names of two "
     "bodies"},
    {JOINT("\"type\": \"spherical\", \"bodies\": [\"a\", \"c\"], \"at\": [0, 0, 0]"),
     "s.json:2:51: joints[0].bodies[1] is \"c\", expected the name of a body, the "
     "nearest is a"},
    {JOINT("\"type\": \"spherical\", \"bodies\": [\"a\", 3], \"at\": [0, 0, 0]"),
     "s.json:2:51: joints[0].bodies[1] is 3, expected the name of a body"},
    {JOINT("\"type\": \"spherical\", \"bodies\": [\"a\", \"a\"], \"at\": [0, 0, 0]"),
     "s.json:2:13: joints[0]: joint \"spherical-0\": joins body \"a\" with itself, "
     "expected two different bodies"},
    {JOINT("\"type\": \"spherical\", \"bodies\": [\"a\", \"b\"]"),
     "s.json:2:13: joints[0].at is missing, a joint of type spherical needs it"},
    {JOINT("\"type\": \"spherical\", \"at\": [0, 0, 0], \"bodies\": [\"a\", \"b\"], "
           "\"axis\": [0, 0, 1]"),
     "s.json:2:74: joints[0].axis does not apply to a joint of type spherical"},
    {JOINT("\"type\": \"revolute\", \"at\": [0, 0, 0], \"bodies\": [\"a\", \"b\"], "
           "\"name\": \"h\""),
     "s.json:2:13: joints[0].axis is missing, a joint of type revolute needs it"},
    {JOINT("\"type\": \"revolute\", \"at\": [0, 0, 0], \"bodies\": [\"a\", \"b\"], "
           "\"axis\": [0, 0, 0]"),
     "s.json:2:13: joints[0]: joint \"revolute-0\": axis on body i has length zero, "
     "expected a direction"},
    {JOINT("\"type\": \"revolute\", \"at\": [0, 0, 0], \"bodies\": [\"a\", \"b\"], "
           "\"axis\": [0, 0, 1], \"length\": 1"),
     "s.json:2:92: joints[0].length does not apply to a joint of type revolute"},
    {JOINT("\"type\": \"rope\", \"bodies\": [\"a\", \"b\"], \"anchors\": [[0, 0, 0]]"),
     "s.json:2:63: joints[0].anchors is an array of 1, expected a point on each of "
     "its two bodies"},
    {JOINT("\"type\": \"user\", \"bodies\": [\"a\", \"b\"]"),
     "s.json:2:22: joints[0].type is \"user\", expected one of: spherical, ..."},
    {JOINT("\"type\": \"revolute\", \"at\": [0, 0, 0], \"bodies\": [\"a\", \"b\"], "
           "\"axis\": [0, 0, 1], \"limits\": {\"lower\": 2, \"upper\": 1}"),
     "s.json:2:13: joints[0]: joint \"revolute-0\": lower limit 2 of axis 0 is above the "
     "upper limit 1"},
    {JOINT("\"type\": \"revolute\", \"at\": [0, 0, 0], \"bodies\": [\"a\", \"b\"], "
           "\"axis\": [0, 0, 1], \"limits\": {\"lower\": \"2 m\"}"),
     "s.json:2:112: joints[0].limits.lower is \"2 m\", expected a unit of: rad, "
     "deg, mrad, rev"},
    {JOINT("\"type\": \"prismatic\", \"bodies\": [\"a\", \"b\"], \"axis\": [0, 0, 1], "
           "\"motor\": {\"kind\": \"velocity\", \"target\": \"2 m\"}"),
     "s.json:2:116: joints[0].motor.target is \"2 m\", expected a unit of: m/s"},
    {JOINT("\"type\": \"prismatic\", \"bodies\": [\"a\", \"b\"], \"axis\": [0, 0, 1], "
           "\"motor\": {\"kind\": \"servo\", \"max-force\": -1}"),
     "s.json:2:116: joints[0].motor.max-force is -1, expected a number >= 0 or "
     "\"infinite\" [N]"},
    {JOINT("\"type\": \"prismatic\", \"bodies\": [\"a\", \"b\"], \"axis\": [0, 0, 1], "
           "\"motor\": {\"kind\": \"pump\"}"),
     "s.json:2:94: joints[0].motor.kind is \"pump\", expected one of: velocity, "
     "friction, servo"},
    {JOINT("\"type\": \"prismatic\", \"bodies\": [\"a\", \"b\"], \"axis\": [0, 0, 1], "
           "\"motor\": {}"),
     "s.json:2:85: joints[0].motor.kind is missing, expected velocity, friction or "
     "servo"},
    {JOINT("\"type\": \"fixed\", \"bodies\": [\"a\", \"b\"], \"motor\": {\"kind\": "
           "\"servo\"}"),
     "s.json:2:13: joints[0] sets 1 free axes, expected at most 0 on a joint of "
     "type fixed"},
    {JOINT("\"type\": \"revolute\", \"at\": [0, 0, 0], \"bodies\": [\"a\", \"b\"], "
           "\"axis\": [0, 0, 1], \"axes\": [{}, {}]"),
     "s.json:2:100: joints[0].axes sets 2 free axes, expected at most 1 on a joint "
     "of type revolute"},
    {JOINT("\"type\": \"revolute\", \"at\": [0, 0, 0], \"bodies\": [\"a\", \"b\"], "
           "\"axis\": [0, 0, 1], \"axes\": [{}], \"limits\": {}"),
     "s.json:2:100: joints[0].axes is given together with limits, motor, spring or "
     "armature, expected one of the two"},
    {JOINT("\"type\": \"prismatic\", \"bodies\": [\"a\", \"b\"], \"axis\": [0, 0, 1], "
           "\"armature\": -1"),
     "s.json:2:88: joints[0].armature is -1, expected a number >= 0 [kg]"},
    {JOINT("\"type\": \"prismatic\", \"bodies\": [\"a\", \"b\"], \"axis\": [0, 0, 1], "
           "\"axes\": [{\"armature\": \"1 kg m^2\"}]"),
     "s.json:2:98: joints[0].axes[0].armature is \"1 kg m^2\", expected a unit of: kg, "
     "g, "
     "t"},
    {JOINT("\"type\": \"spherical\", \"at\": [0, 0, 0], \"name\": \"x\", \"repeat\": "
           "{\"count\": 2}, \"bodies\": [\"a\", \"b\"]"),
     "s.json:2:13: joints[0] (copy k=1): joint \"x\": another joint has this name"},
    {JOINT("\"type\": \"spherical\", \"at\": [0, 0, 0], \"erp\": 2, \"bodies\": [\"a\", "
           "\"b\"]"),
     "s.json:2:59: joints[0].erp is 2, expected a number 0 .. 1"},
    {JOINT("\"type\": \"spherical\", \"at\": [0, 0, 0], \"cfm\": -1, \"bodies\": [\"a\", "
           "\"b\"]"),
     "s.json:2:59: joints[0].cfm is -1, expected a number >= 0 [m/s/N]"},
    {JOINT("\"type\": \"spherical\", \"at\": [0, 0, 0], \"stiffness\": \"1 N m/rad\", "
           "\"bodies\": [\"a\", \"b\"]"),
     "s.json:2:65: joints[0].stiffness is \"1 N m/rad\", expected a unit of: N/m"},
    {JOINT("\"type\": \"cone\", \"name\": \"c\", \"axis\": [0, 0, 1], \"axis2\": [1, 0, "
           "0], "
           "\"angle\": 2, \"stiffness\": 4, \"bodies\": [\"a\", \"b\"]"),
     "s.json:2:13: joints[0]: joint \"c\": stiffness is 4, but all rows of type cone in "
     "3 dimensions are angles, expected angular stiffness"},
    {JOINT("\"type\": \"spherical\", \"at\": [0, 0, 0], \"bodies\": [\"a\", \"wrld\"]"),
     "s.json:2:68: joints[0].bodies[1] is \"wrld\", expected the name of a body, "
     "the nearest is world"},
    {JOINT("\"type\": \"rope\", \"bodies\": [\"a\", \"b\"]"),
     "s.json:2:13: joints[0].at is missing, a joint of type rope needs it"},
    {JOINT("\"type\": \"revolute\", \"bodies\": [\"a\", \"b\"], \"at\": [0, 0, 0], "
           "\"axis\": [0, 0, 1], \"axes\": [{\"motor\": {\"kind\": \"velocity\", "
           "\"target\": \"1 m/s\"}}]"),
     "s.json:2:142: joints[0].axes[0].motor.target is \"1 m/s\", expected a unit "
     "of: rad/s, rpm"},
    {JOINT("\"type\": \"revolute\", \"bodies\": [\"a\", \"b\"], \"at\": [0, 0, 0], "
           "\"axis\": [0, 0, 1], \"spring\": {\"stiffness\": \"3 N/m\"}"),
     "s.json:2:116: joints[0].spring.stiffness is \"3 N/m\", expected a unit of: N "
     "m/rad"},
};

TEST(a_joint_that_cannot_be_is_refused)
{
    REFUSED(wrong_joints);
}

static const wrong wrong_repetitions[] = {
    {BODY("\"motion\": \"static\", \"repeat\": 3"),
     "s.json:1:44: bodies[0].repeat is 3, expected an object, or an array of 1 .. "
     "3 of them"},
    {BODY("\"motion\": \"static\", \"repeat\": []"),
     "s.json:1:44: bodies[0].repeat is an array of 0, expected an object, or an "
     "array of 1 .. 3 of them"},
    {BODY("\"motion\": \"static\", \"repeat\": [{}, {}, {}, {}]"),
     "s.json:1:44: bodies[0].repeat is an array of 4, expected an object, or an "
     "array of 1 .. 3 of them"},
    {BODY("\"motion\": \"static\", \"repeat\": {}"),
     "s.json:1:44: bodies[0].repeat.count is missing, expected number of copies, or an "
     "expression"},
    {BODY("\"motion\": \"static\", \"repeat\": {\"count\": \"--2*-1\"}"),
     "s.json:1:54: bodies[0].repeat.count is \"--2*-1\" = -2, expected a whole number 0 "
     ".. 1000000"},
    {BODY("\"motion\": \"static\", \"repeat\": {\"count\": \"{2\"}"),
     "s.json:1:54: bodies[0].repeat.count is \"{2\", column 3: the end, expected an "
     "operator or '}'"},
    {BODY("\"motion\": \"static\", \"repeat\": {\"count\": \"5/2\"}"),
     "s.json:1:54: bodies[0].repeat.count is \"5/2\" = 2.5, expected a whole number 0 .. "
     "1000000"},
    {BODY("\"motion\": \"static\", \"repeat\": {\"count\": -1}"),
     "s.json:1:54: bodies[0].repeat.count is -1, expected a whole number 0 .. "
     "1000000"},
    {BODY("\"motion\": \"static\", \"repeat\": {\"count\": 1.5}"),
     "s.json:1:54: bodies[0].repeat.count is 1.5, expected a whole number 0 .. "
     "1000000"},
    {BODY("\"motion\": \"static\", \"repeat\": {\"count\": \"3-\"}"),
     "s.json:1:54: bodies[0].repeat.count is \"3-\", column 3: the end, expected a "
     "number, "
     "a name or '('"},
    {BODY("\"motion\": \"static\", \"repeat\": {\"count\": \"n\"}"),
     "s.json:1:54: bodies[0].repeat.count is \"n\", column 1: unknown name \"n\""},
    {BODY("\"motion\": \"static\", \"repeat\": {\"count\": \"3*4-13\"}"),
     "s.json:1:54: bodies[0].repeat.count is \"3*4-13\" = -1, expected a whole "
     "number 0 .. 1000000"},
    {BODY("\"motion\": \"static\", \"repeat\": {\"count\": \"999999*999999\"}"),
     "s.json:1:54: bodies[0].repeat.count is \"999999*999999\" = 9.99998e+11, "
     "expected a whole number 0 .. 1000000"},
    {BODY("\"motion\": \"static\", \"repeat\": {\"count\": 1000001}"),
     "s.json:1:54: bodies[0].repeat.count is 1000001, expected a whole number 0 .. "
     "1000000"},
    {BODY("\"name\": \"x\", \"motion\": \"static\", \"repeat\": {\"count\": 2}"),
     "s.json:1:13: bodies[0] (copy k=1): body \"x\": another body has this name"},
    {BODY("\"name\": \"x{q}\", \"motion\": \"static\", \"repeat\": {\"count\": 2}"),
     "s.json:1:22: bodies[0].name (copy k=0) is \"x{q}\", column 3: unknown "
     "name \"q\", the nearest is \"k\""},
    {BODY("\"name\": \"x{k\", \"motion\": \"static\", \"repeat\": {\"count\": 2}"),
     "s.json:1:22: bodies[0].name (copy k=0) is \"x{k\", column 4: the end, "
     "expected an operator or '}'"},
    {BODY("\"name\": \"x{(k}\", \"motion\": \"static\", \"repeat\": {\"count\": 2}"),
     "s.json:1:22: bodies[0].name (copy k=0) is \"x{(k}\", column 5: found '}', "
     "expected an operator or ')'"},
    {BODY("\"name\": \"x{k}\", \"mass\": \"{1-k} kg\", \"inertia\": [1, 1, 1], "
          "\"repeat\": [{\"count\": 2, \"index\": \"n\"}, {\"count\": 3}]"),
     "s.json:1:38: bodies[0].mass (copy n=0, k=1) is \"0 kg\", expected a positive "
     "number [kg]"},
    {BODY("\"motion\": \"static\", \"repeat\": {\"count\": 2, \"turn\": {\"axis\": "
          "[0, 0, 0], \"angle\": 1}}"),
     "s.json:1:74: bodies[0].repeat.turn.axis has length 0, expected a direction"},
    {BODY("\"motion\": \"static\", \"repeat\": {\"count\": "
          "\"((((((((((((((((((((((((((((((((((1\"}"),
     "s.json:1:54: bodies[0].repeat.count is "
     "\"((((((((((((((((((((((((((((((((((1\", column 33: nested deeper "
     "than 32"},
    {BODY("\"motion\": \"static\", \"repeat\": [{\"count\": 1000, \"index\": "
          "\"n\"}, {\"count\": \"k\"}]"),
     "s.json:1:86: bodies[0].repeat[1].count (copy n=0) is \"k\", column 1: unknown "
     "name \"k\", the nearest is \"n\""},
};

TEST(a_repetition_that_cannot_be_is_refused)
{
    REFUSED(wrong_repetitions);
}

static const wrong wrong_forces[] = {
    {FORCE("\"type\": \"sprin\""),
     "s.json:2:22: forces[0].type is \"sprin\", expected one of: spring, ..."},
    {FORCE("\"type\": \"spring\""),
     "s.json:2:13: forces[0].bodies is missing, expected the names of one or two bodies"},
    {FORCE("\"type\": \"spring\", \"bodies\": [\"a\"]"),
     "s.json:2:42: forces[0].bodies is an array of 1, expected the names of two "
     "bodies"},
    {FORCE("\"type\": \"spring\", \"bodies\": [\"a\", \"world\"], \"stifness\": 1"),
     "s.json:2:58: forces[0].stifness is not known, the nearest is stiffness"},
    {FORCE("\"type\": \"spring\", \"bodies\": [\"a\", \"world\"], \"stiffness\": "
           "\"1 N\""),
     "s.json:2:71: forces[0].stiffness is \"1 N\", expected a unit of: N/m"},
    {FORCE("\"type\": \"spring\", \"bodies\": [\"a\", \"world\"], \"stiffness\": -1"),
     "s.json:2:13: forces[0]: force \"spring-0\": stiffness is -1, expected a "
     "number >= 0 [N/m]"},
    {FORCE("\"type\": \"spring\", \"bodies\": [\"a\", \"a\"], \"stiffness\": 1"),
     "s.json:2:13: forces[0]: force \"spring-0\": from body \"a\" to itself, expected "
     "two different bodies"},
    {FORCE("\"type\": \"user\", \"bodies\": [\"a\"]"),
     "s.json:2:22: forces[0].type is \"user\", expected one of: spring, ..."},
    {FORCE("\"type\": \"drag\", \"bodies\": [\"a\"], \"anchors\": [[0, 0, 0], [0, "
           "0, 0]]"),
     "s.json:2:58: forces[0].anchors is an array of 2, expected a point on its body"},
    {FORCE("\"type\": \"drag\", \"bodies\": []"),
     "s.json:2:40: forces[0].bodies is an array of 0, expected the names of one or "
     "two bodies"},
    {FORCE("\"type\": \"drag\", \"bodies\": [\"a\", \"world\", \"a\"]"),
     "s.json:2:40: forces[0].bodies is an array of 3, expected the names of one or "
     "two bodies"},
    {FORCE("\"type\": \"constant\", \"bodies\": [\"a\"]"),
     "s.json:2:13: forces[0]: force \"constant-0\": axis has length 0, expected a "
     "direction"},
    {FORCE("\"type\": \"torsion-spring\", \"bodies\": [\"a\", \"world\"], \"axis\": "
           "[0, 0, 1], \"rest-angle\": \"1 m\""),
     "s.json:2:99: forces[0].rest-angle is \"1 m\", expected a unit of: rad, deg, "
     "mrad, rev"},
};

TEST(a_force_that_cannot_be_is_refused)
{
    REFUSED(wrong_forces);
}

TEST_MAIN("scene_parts")
