/* SPDX-License-Identifier: Apache-2.0
 * tests/dynamics/scene_errors.c: what can be wrong with a scene, each with its whole line. */
#include <config.h>

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "dynamics.h"

typedef struct wrong {
    const char *text, *message;
} wrong;

static void refused(const wrong *cases, size_t count)
{
    for (size_t k = 0; k < count; k++) {
        perp_scene *scene = NULL;
        perp_error err = {0};
        perp_status status = perp_scene_parse(&scene, cases[k].text,
                                              strlen(cases[k].text), "s.json", &err);

        if (status == PERP_OK || strcmp(err.text, cases[k].message) != 0) {
            test_note("%s", cases[k].text);
            test_note("says      %s", err.text);
            test_note("should be %s", cases[k].message);
        }
        CU_ASSERT(status != PERP_OK && err.status == status);
        CU_ASSERT_STRING_EQUAL(err.text, cases[k].message);
        CU_ASSERT_PTR_NULL(scene);
        perp_scene_free(scene);
    }
}

#define REFUSED(cases) refused(cases, sizeof(cases) / sizeof *(cases))

/* Two bodies, and a line of joints; a body, and a line of forces. */
#define JOINT(members)                                                                   \
    "{\"bodies\": [{\"name\": \"a\", \"mass\": 1, \"inertia\": [1, 1, 1]}, {\"name\": "  \
    "\"b\", \"motion\": \"static\"}],\n \"joints\": [{" members "}]}"
#define FORCE(members)                                                                   \
    "{\"bodies\": [{\"name\": \"a\", \"mass\": 1, \"inertia\": [1, 1, 1]}],\n "          \
    "\"forces\": "                                                                       \
    "[{" members "}]}"
#define BODY(members) "{\"bodies\": [{" members "}]}"
#define SHAPE(members)                                                                   \
    "{\"bodies\": [{\"motion\": \"static\", \"shapes\": [{" members "}]}]}"

static void what_is_no_json_is_said_with_its_place(void)
{
    static const wrong cases[] = {
        {"", "s.json:1:1: '[' or '{' expected near end of file, expected JSON"},
        {"{", "s.json:1:1: string or '}' expected near end of file, expected JSON"},
        {"[]", "s.json:1:1: the scene is an array of 0, expected an object"},
        {"3", "s.json:1:1: '[' or '{' expected near '3', expected JSON"},
        {"{\"time\": 1,}", "s.json:1:12: string or '}' expected near '}', expected JSON"},
        {"{\"time\": 1} x", "s.json:1:13: end of file expected near 'x', expected JSON"},
        {"{\"time\": 1, \"time\": 2}",
         "s.json:1:18: duplicate object key near '\"time\"', expected JSON"},
        {"{\"time\": 1e999}",
         "s.json:1:14: real number overflow near '1e999', expected JSON"},
        {"{\"time\": NaN}", "s.json:1:12: invalid token near 'NaN', expected JSON"},
        {"{\n /* open", "s.json:2:2: the comment is not closed, expected */"},
        {"{\"title\": \"open}",
         "s.json:1:16: premature end of input near '\"open}', expected JSON"},
        {"{\"title\": \"\\u0000\"}",
         "s.json:1:18: \\u0000 is not allowed without JSON_ALLOW_NUL near "
         "'\"\\u0000\"', expected JSON"},
    };

    REFUSED(cases);
}

static void an_unknown_member_has_its_nearest_name(void)
{
    static const wrong cases[] = {
        {"{\"tiem\": 3}", "s.json:1:2: tiem is not known, the nearest is time"},
        {BODY("\"masss\": 2"),
         "s.json:1:14: bodies[0].masss is not known, the nearest is mass"},
        {"{\"scheme\": {\"max-corection\": 1}}",
         "s.json:1:13: scheme.max-corection is not known, the nearest is max-correction"},
        {"{\"materials\": [{\"nam\": \"a\"}]}",
         "s.json:1:17: materials[0].nam is not known, the nearest is name"},
        {SHAPE("\"type\": \"sphere\", \"radus\": 1"),
         "s.json:1:64: bodies[0].shapes[0].radus is not known, the nearest is radius"},
        {SHAPE("\"type\": \"box\", \"radius\": 1"),
         "s.json:1:61: bodies[0].shapes[0].radius is not known, the nearest is size"},
        {"{\n  // über\n  \"títle\": \"x\"}",
         "s.json:3:3: títle is not known, the nearest is title"},
        {"{\"materials\": [{\"name\": \"m\", \"repeat\": {\"count\": 0}}]}",
         "s.json:1:30: materials[0].repeat is not known, the nearest is name"},
        {BODY("\"load\": {\"forces\": 1}"),
         "s.json:1:13: bodies[0].mass is missing, expected a mass or a density"},
        {"{\"a\\nb\": 1}", "s.json:1:2: a b is not known, the nearest is name"},
    };

    REFUSED(cases);
}

static void a_value_of_another_kind_is_refused(void)
{
    static const wrong cases[] = {
        {"{\"time\": true}", "s.json:1:10: time is true, expected a positive number [s]"},
        {"{\"time\": null}", "s.json:1:10: time is null, expected a positive number [s]"},
        {"{\"time\": [1]}",
         "s.json:1:10: time is an array of 1, expected a positive number [s]"},
        {"{\"title\": 3}", "s.json:1:11: title is 3, expected a text"},
        {"{\"scheme\": 3}", "s.json:1:12: scheme is 3, expected an object"},
        {"{\"bodies\": {}}", "s.json:1:12: bodies is an object, expected an array"},
        {"{\"bodies\": [3]}", "s.json:1:13: bodies[0] is 3, expected an object"},
        {"{\"materials\": [[]]}",
         "s.json:1:16: materials[0] is an array of 0, expected an object"},
        {"{\"ground\": 3}",
         "s.json:1:12: ground is 3, expected an object, or an array of them"},
        {"{\"gravity\": [1, 2]}",
         "s.json:1:13: gravity is an array of 2, expected an array of 3 numbers"},
        {"{\"gravity\": 9.81}",
         "s.json:1:13: gravity is 9.81, expected an array of 3 numbers"},
        {"{\"dimension\": 4}",
         "s.json:1:15: dimension is 4, expected a whole number 2 .. 3"},
        {"{\"dimension\": 2.5}",
         "s.json:1:15: dimension is 2.5, expected a whole number 2 .. 3"},
        {"{\"dimension\": \"3d\"}",
         "s.json:1:15: dimension is \"3d\", which is no whole number or sum of "
         "indices, expected + - * of whole numbers and indices"},
        {"{\"solver\": \"lemk\"}",
         "s.json:1:12: solver: unknown solver \"lemk\", the nearest is \"lemke\""},
        {JOINT("\"type\": \"ball\", \"bodies\": [\"a\", \"b\"], \"at\": [0, 0, 0], "
               "\"exact\": 1"),
         "s.json:2:78: joints[0].exact is 1, expected true or false"},
        {"{\"dimension\": 2, \"bodies\": [{\"spin\": [1]}]}",
         "s.json:1:38: bodies[0].spin is an array of 1, expected a number about z, or "
         "three"},
        {"{\"dimension\": 2, \"bodies\": [{\"inertia\": [1]}]}",
         "s.json:1:41: bodies[0].inertia is an array of 1, expected a number about z, "
         "3 moments, or 9 numbers"},
        {"{\"dimension\": 2, \"bodies\": [{\"rotation\": [1]}]}",
         "s.json:1:42: bodies[0].rotation is an array of 1, expected an angle about z, "
         "or as in space"},
        {"{\"dimension\": 2, \"gravity\": [1]}",
         "s.json:1:29: gravity is an array of 1, expected an array of 2 or 3 numbers"},
    };

    REFUSED(cases);
}

static void a_value_out_of_range_is_refused(void)
{
    static const wrong cases[] = {
        {"{\"time\": 0}", "s.json:1:10: time is 0, expected a positive number [s]"},
        {"{\"time\": \"-1 s\"}",
         "s.json:1:10: time is \"-1 s\", expected a positive number [s]"},
        {"{\"scheme\": {\"dt\": 0}}",
         "s.json:1:19: scheme.dt is 0, expected a positive number [s]"},
        {"{\"scheme\": {\"erp\": 1.5}}",
         "s.json:1:20: scheme.erp is 1.5, expected a number 0 .. 1"},
        {"{\"scheme\": {\"slop\": -1}}",
         "s.json:1:21: scheme.slop is -1, expected a number >= 0 [m]"},
        {"{\"scheme\": {\"max-correction\": -1}}",
         "s.json:1:31: scheme.max-correction is -1, expected a positive number or "
         "\"infinite\" [m/s]"},
        {"{\"scheme\": {\"max-correction\": 0}}",
         "s.json:1:31: scheme.max-correction is 0, expected a positive number or "
         "\"infinite\" [m/s]"},
        {"{\"scheme\": {\"model\": \"pyramid:7\"}}",
         "s.json:1:22: scheme.model is \"pyramid:7\", expected an even number of "
         "directions from 4 to 64"},
        {"{\"scheme\": {\"model\": \"pyramid:\"}}",
         "s.json:1:22: scheme.model is \"pyramid:\", expected an even number of "
         "directions from 4 to 64"},
        {"{\"scheme\": {\"model\": \"cube\"}}",
         "s.json:1:22: scheme.model is \"cube\", expected one of: cone, associated, "
         "pyramid, box, frictionless"},
        {"{\"scheme\": {\"integrator\": \"rk5\"}}",
         "s.json:1:27: scheme.integrator is \"rk5\", expected one of: semi-implicit, "
         "explicit, implicit, position-verlet, velocity-verlet, leapfrog, midpoint, rk4"},
        {"{\"scheme\": {\"storage\": 3}}",
         "s.json:1:24: scheme.storage is 3, expected one of: dense, csr, bsr, factored"},
        {"{\"combine\": {\"friction\": \"mean\"}}",
         "s.json:1:26: combine.friction is \"mean\", expected one of: product, "
         "geometric-mean, min, max, average"},
        {"{\"materials\": [{\"friction\": 1}]}",
         "s.json:1:16: materials[0].name is missing, expected a name of its own"},
        {"{\"materials\": [{\"name\": \"default\"}]}",
         "s.json:1:16: materials[0]: material \"default\": expected a name of its own"},
        {"{\"materials\": [{\"name\": "
         "\"mmmmmmmmmmmmmmmmmmmmmmmmmmmmmmmmmmmmmmmmmmmmmmmm\"}]}",
         "s.json:1:25: materials[0].name has 48 bytes, expected at most 47"},
        {"{\"materials\": [{\"name\": \"m\", \"friction\": -0.1}]}",
         "s.json:1:42: materials[0].friction is -0.1, expected a number >= 0"},
        {"{\"materials\": [{\"name\": \"m\", \"restitution\": 1.1}]}",
         "s.json:1:45: materials[0].restitution is 1.1, expected a number 0 .. 1"},
    };

    REFUSED(cases);
}

static void a_unit_must_fit_its_place(void)
{
    static const wrong cases[] = {
        {"{\"time\": \"3 m\"}",
         "s.json:1:10: time is \"3 m\", expected a unit of: s, ms, us, min, h"},
        {"{\"time\": \"3 parsec\"}",
         "s.json:1:10: time is \"3 parsec\", expected a unit of: s, ms, us, min, h"},
        {"{\"time\": \"soon\"}",
         "s.json:1:10: time is \"soon\", expected a positive number [s], or one with a "
         "unit"},
        {"{\"time\": \"\"}",
         "s.json:1:10: time is \"\", expected a positive number [s], or one with a unit"},
        {"{\"time\": \"1/0 s\"}",
         "s.json:1:10: time is \"1/0 s\", expected a positive number [s]"},
        {"{\"time\": \"1/ s\"}",
         "s.json:1:10: time is \"1/ s\", expected a positive number [s], or one with a "
         "unit"},
        {"{\"time\": \"1e999 s\"}",
         "s.json:1:10: time is \"1e999 s\", expected a positive number [s], or one "
         "with a unit"},
        {"{\"scheme\": {\"erp\": \"3 kg\"}}",
         "s.json:1:20: scheme.erp is \"3 kg\", expected a number without a unit, or in "
         "%"},
        {BODY("\"mass\": \"1 m^9\""),
         "s.json:1:22: bodies[0].mass is \"1 m^9\", expected a unit of: kg, g, t"},
        {BODY("\"velocity\": [\"1 m\", 0, 0]"),
         "s.json:1:27: bodies[0].velocity[0] is \"1 m\", expected a unit of: m/s"},
        {BODY("\"inertia\": [\"1 kg\", 1, 1]"),
         "s.json:1:26: bodies[0].inertia[0] is \"1 kg\", expected a unit of: kg m^2"},
        {BODY("\"spin\": [\"3 1/s\", 0, 0]"),
         "s.json:1:23: bodies[0].spin[0] is \"3 1/s\", expected a unit of: rpm, rad/s"},
        {BODY("\"mass\": \"1 kg m/m m/m m/m\""),
         "s.json:1:22: bodies[0].mass is \"1 kg m/m m/m m/m\", expected a unit of: kg, "
         "g, t"},
    };

    REFUSED(cases);
}

static void a_body_that_cannot_be_is_refused(void)
{
    static const wrong cases[] = {
        {BODY(""),
         "s.json:1:13: bodies[0].mass is missing, expected a mass or a density"},
        {BODY("\"mass\": -2"),
         "s.json:1:22: bodies[0].mass is -2, expected a positive number [kg]"},
        {BODY("\"mass\": 0"),
         "s.json:1:22: bodies[0].mass is 0, expected a positive number [kg]"},
        {BODY("\"mass\": 1"),
         "s.json:1:13: bodies[0].inertia is missing, and there is no shape to find it "
         "from"},
        {BODY("\"density\": 1"),
         "s.json:1:13: bodies[0].mass is missing, and there is no shape to find it from"},
        {BODY("\"mass\": 1, \"density\": 1"),
         "s.json:1:13: bodies[0] has a mass and a density, expected one of them"},
        {BODY("\"mass\": 1, \"inertia\": [1, 1]"),
         "s.json:1:36: bodies[0].inertia is an array of 2, expected 3 moments, or a "
         "matrix of 9 numbers"},
        {BODY("\"mass\": 1, \"inertia\": [1, 1, 3]"),
         "s.json:1:13: bodies[0]: body \"body-0\": inertia: principal moments 1, 1, 3: "
         "expected none above the sum of the others"},
        {BODY("\"mass\": 1, \"inertia\": [1, 1, -1]"),
         "s.json:1:13: bodies[0]: body \"body-0\": inertia: a principal moment is -1, "
         "expected positive ones [kg m^2]"},
        {BODY("\"motion\": \"moving\""),
         "s.json:1:24: bodies[0].motion is \"moving\", expected one of: dynamic, "
         "static, kinematic"},
        {BODY("\"motion\": \"static\", \"rotation\": [1, 0, 0, 1]"),
         "s.json:1:46: bodies[0].rotation has length 1.414214, expected 1 (within 1e-6)"},
        {BODY("\"motion\": \"static\", \"rotation\": [1, 0, 0]"),
         "s.json:1:46: bodies[0].rotation is an array of 3, expected [w, x, y, z], "
         "{\"axis\", \"angle\"} or {\"euler\"}"},
        {BODY("\"rotation\": \"90 deg\""),
         "s.json:1:26: bodies[0].rotation is \"90 deg\", expected [w, x, y, z], "
         "{\"axis\", \"angle\"} or {\"euler\"}"},
        {BODY("\"rotation\": {\"axis\": [0, 0, 0], \"angle\": 1}"),
         "s.json:1:35: bodies[0].rotation.axis has length 0, expected a direction"},
        {BODY("\"rotation\": {\"axis\": [0, 0, 1]}"),
         "s.json:1:26: bodies[0].rotation.angle is missing, expected an angle about "
         "it, right-handed"},
        {BODY("\"rotation\": {\"axis\": [0, 0, 1], \"angle\": 1, \"about\": [0, 0, 0]}"),
         "s.json:1:58: bodies[0].rotation.about is not known here, only in a repetition"},
        {BODY("\"rotation\": {\"euler\": 3}"),
         "s.json:1:36: bodies[0].rotation.euler is 3, expected an array of {\"axis\", "
         "\"angle\"} and nothing beside it"},
        {BODY("\"rotation\": {\"euler\": [{\"axis\": [0, 0, 1], \"angel\": 1}]}"),
         "s.json:1:57: bodies[0].rotation.euler[0].angel is not known, the nearest is "
         "angle"},
        {BODY("\"name\": \"a\", \"motion\": \"static\"},\n {\"name\": \"a\", "
              "\"motion\": \"static\""),
         "s.json:2:2: bodies[1]: body \"a\": another body has this name"},
        {BODY("\"name\": \"\", \"motion\": \"static\""),
         "s.json:1:13: bodies[0]: a body without a name"},
        {BODY("\"motion\": \"static\", \"load\": 3"),
         "s.json:1:42: bodies[0].load is 3, expected an object"},
        {"{\"dimension\": 2, \"bodies\": [{\"motion\": \"static\", \"position\": [0, "
         "0, 1]}]}",
         "s.json:1:29: bodies[0]: body \"body-0\": a component along z is 1, expected "
         "0 in two dimensions"},
    };

    REFUSED(cases);
}

static void a_shape_that_cannot_be_is_refused(void)
{
    static const wrong cases[] = {
        {SHAPE(""),
         "s.json:1:45: bodies[0].shapes[0].type is missing, expected a type of shape"},
        {SHAPE("\"type\": \"ball\""),
         "s.json:1:54: bodies[0].shapes[0].type is \"ball\", expected one of: sphere, "
         "box, cylinder, capsule, ellipsoid, hull, plane"},
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
         "s.json:1:45: bodies[0].shapes[0]: hull: 0 corners, expected at least 4"},
        {SHAPE("\"type\": \"hull\", \"corners\": [[0, 0, 0], [1, 0]]"),
         "s.json:1:85: bodies[0].shapes[0].corners[1] is an array of 2, expected an "
         "array of 3 numbers"},
        {SHAPE("\"type\": \"hull\", \"corners\": [[0, 0, 0], [1, 0, 0], [0, 1, 0], [1, "
               "1, 0]]"),
         "s.json:1:45: bodies[0].shapes[0]: hull: 4 points in one plane, expected some "
         "that span a volume"},
        {SHAPE("\"type\": \"plane\", \"material\": \"ice\""),
         "s.json:1:75: bodies[0].shapes[0].material is \"ice\", expected the name of a "
         "material, the nearest is default"},
        {"{\"ground\": {\"material\": \"defaul\"}}",
         "s.json:1:25: ground.material is \"defaul\", expected the name of a material, "
         "the nearest is default"},
        {"{\"ground\": {\"normal\": [0, 0, 0]}}",
         "s.json:1:23: ground.normal has length 0, expected a direction"},
    };

    REFUSED(cases);
}

static void a_joint_that_cannot_be_is_refused(void)
{
    static const wrong cases[] = {
        {JOINT(""), "s.json:2:13: joints[0].type is missing, expected a type of joint"},
        {JOINT("\"type\": \"hing\""),
         "s.json:2:22: joints[0].type is \"hing\", expected one of: ball, hinge, "
         "slider, wheel, universal, fixed, angle, cone, rope, rod, user"},
        {JOINT("\"type\": \"ball\""),
         "s.json:2:13: joints[0].bodies is missing, expected the names of two bodies"},
        {JOINT("\"type\": \"ball\", \"bodies\": [\"a\"], \"at\": [0, 0, 0]"),
         "s.json:2:40: joints[0].bodies is an array of 1, expected the names of two "
         "bodies"},
        {JOINT("\"type\": \"ball\", \"bodies\": [\"a\", \"c\"], \"at\": [0, 0, 0]"),
         "s.json:2:46: joints[0].bodies[1] is \"c\", expected the name of a body, the "
         "nearest is a"},
        {JOINT("\"type\": \"ball\", \"bodies\": [\"a\", 3], \"at\": [0, 0, 0]"),
         "s.json:2:46: joints[0].bodies[1] is 3, expected the name of a body"},
        {JOINT("\"type\": \"ball\", \"bodies\": [\"a\", \"a\"], \"at\": [0, 0, 0]"),
         "s.json:2:13: joints[0]: joint \"ball-0\": joins body \"a\" with itself, "
         "expected two"},
        {JOINT("\"type\": \"ball\", \"bodies\": [\"a\", \"b\"]"),
         "s.json:2:13: joints[0].at is missing, a joint of type ball needs it"},
        {JOINT("\"type\": \"ball\", \"at\": [0, 0, 0], \"bodies\": [\"a\", \"b\"], "
               "\"axis\": [0, 0, 1]"),
         "s.json:2:69: joints[0].axis has no use on a joint of type ball"},
        {JOINT("\"type\": \"hinge\", \"at\": [0, 0, 0], \"bodies\": [\"a\", \"b\"], "
               "\"name\": \"h\""),
         "s.json:2:13: joints[0].axis is missing, a joint of type hinge needs it"},
        {JOINT("\"type\": \"hinge\", \"at\": [0, 0, 0], \"bodies\": [\"a\", \"b\"], "
               "\"axis\": [0, 0, 0]"),
         "s.json:2:13: joints[0]: joint \"hinge-0\": axis on body i has length zero, "
         "expected a direction"},
        {JOINT("\"type\": \"hinge\", \"at\": [0, 0, 0], \"bodies\": [\"a\", \"b\"], "
               "\"axis\": [0, 0, 1], \"length\": 1"),
         "s.json:2:89: joints[0].length has no use on a joint of type hinge"},
        {JOINT(
             "\"type\": \"rope\", \"bodies\": [\"a\", \"b\"], \"anchors\": [[0, 0, 0]]"),
         "s.json:2:63: joints[0].anchors is an array of 1, expected a point on each of "
         "its two bodies"},
        {JOINT("\"type\": \"user\", \"bodies\": [\"a\", \"b\"]"),
         "s.json:2:22: joints[0].type is \"user\", which needs a function and cannot "
         "stand in a scene"},
        {JOINT("\"type\": \"hinge\", \"at\": [0, 0, 0], \"bodies\": [\"a\", \"b\"], "
               "\"axis\": [0, 0, 1], \"limits\": {\"lower\": 2, \"upper\": 1}"),
         "s.json:2:13: joints[0]: joint \"hinge-0\": lower limit 2 of axis 0 is above "
         "the upper, 1"},
        {JOINT("\"type\": \"hinge\", \"at\": [0, 0, 0], \"bodies\": [\"a\", \"b\"], "
               "\"axis\": [0, 0, 1], \"limits\": {\"lower\": \"2 m\"}"),
         "s.json:2:109: joints[0].limits.lower is \"2 m\", expected a unit of: rad, "
         "deg, mrad, rev"},
        {JOINT("\"type\": \"slider\", \"bodies\": [\"a\", \"b\"], \"axis\": [0, 0, 1], "
               "\"motor\": {\"kind\": \"velocity\", \"target\": \"2 m\"}"),
         "s.json:2:113: joints[0].motor.target is \"2 m\", expected a unit of: m/s"},
        {JOINT("\"type\": \"slider\", \"bodies\": [\"a\", \"b\"], \"axis\": [0, 0, 1], "
               "\"motor\": {\"kind\": \"servo\", \"max-force\": -1}"),
         "s.json:2:113: joints[0].motor.max-force is -1, expected a number >= 0 or "
         "\"infinite\" [N]"},
        {JOINT("\"type\": \"slider\", \"bodies\": [\"a\", \"b\"], \"axis\": [0, 0, 1], "
               "\"motor\": {\"kind\": \"pump\"}"),
         "s.json:2:91: joints[0].motor.kind is \"pump\", expected one of: velocity, "
         "friction, servo"},
        {JOINT("\"type\": \"slider\", \"bodies\": [\"a\", \"b\"], \"axis\": [0, 0, 1], "
               "\"motor\": {}"),
         "s.json:2:82: joints[0].motor.kind is missing, expected velocity, friction or "
         "servo"},
        {JOINT("\"type\": \"fixed\", \"bodies\": [\"a\", \"b\"], \"motor\": {\"kind\": "
               "\"servo\"}"),
         "s.json:2:13: joints[0] sets 1 free axes, expected at most 0 on a joint of "
         "type fixed"},
        {JOINT("\"type\": \"hinge\", \"at\": [0, 0, 0], \"bodies\": [\"a\", \"b\"], "
               "\"axis\": [0, 0, 1], \"axes\": [{}, {}]"),
         "s.json:2:97: joints[0].axes sets 2 free axes, expected at most 1 on a joint "
         "of type hinge"},
        {JOINT("\"type\": \"hinge\", \"at\": [0, 0, 0], \"bodies\": [\"a\", \"b\"], "
               "\"axis\": [0, 0, 1], \"axes\": [{}], \"limits\": {}"),
         "s.json:2:97: joints[0].axes stands beside limits, motor or spring, expected "
         "one of the two"},
        {JOINT("\"type\": \"ball\", \"at\": [0, 0, 0], \"name\": \"x\", \"repeat\": "
               "{\"count\": 2}, \"bodies\": [\"a\", \"b\"]"),
         "s.json:2:13: joints[0] (copy k=1): joint \"x\": another joint has this name"},
        {JOINT("\"type\": \"ball\", \"at\": [0, 0, 0], \"erp\": 2, \"bodies\": [\"a\", "
               "\"b\"]"),
         "s.json:2:54: joints[0].erp is 2, expected a number 0 .. 1"},
        {JOINT("\"type\": \"ball\", \"at\": [0, 0, 0], \"cfm\": -1, \"bodies\": [\"a\", "
               "\"b\"]"),
         "s.json:2:54: joints[0].cfm is -1, expected a number >= 0 [m/s/N]"},
        {JOINT("\"type\": \"ball\", \"at\": [0, 0, 0], \"bodies\": [\"a\", \"wrld\"]"),
         "s.json:2:63: joints[0].bodies[1] is \"wrld\", expected the name of a body, "
         "the nearest is a"},
        {JOINT("\"type\": \"rope\", \"bodies\": [\"a\", \"b\"]"),
         "s.json:2:13: joints[0].at is missing, a joint of type rope needs it"},
        {JOINT("\"type\": \"hinge\", \"bodies\": [\"a\", \"b\"], \"at\": [0, 0, 0], "
               "\"axis\": [0, 0, 1], \"axes\": [{\"motor\": {\"kind\": \"velocity\", "
               "\"target\": \"1 m/s\"}}]"),
         "s.json:2:139: joints[0].axes[0].motor.target is \"1 m/s\", expected a unit "
         "of: rpm, rad/s"},
        {JOINT("\"type\": \"hinge\", \"bodies\": [\"a\", \"b\"], \"at\": [0, 0, 0], "
               "\"axis\": [0, 0, 1], \"spring\": {\"stiffness\": \"3 N/m\"}"),
         "s.json:2:113: joints[0].spring.stiffness is \"3 N/m\", expected a unit of: "
         "J, kJ, N m/rad"},
    };

    REFUSED(cases);
}

static void a_repetition_that_cannot_be_is_refused(void)
{
    static const wrong cases[] = {
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
         "s.json:1:44: bodies[0].repeat.count is missing, expected how many, or an "
         "expression of outer indices"},
        {BODY("\"motion\": \"static\", \"repeat\": {\"count\": -1}"),
         "s.json:1:54: bodies[0].repeat.count is -1, expected a whole number 0 .. "
         "1000000"},
        {BODY("\"motion\": \"static\", \"repeat\": {\"count\": 1.5}"),
         "s.json:1:54: bodies[0].repeat.count is 1.5, expected a whole number 0 .. "
         "1000000"},
        {BODY("\"motion\": \"static\", \"repeat\": {\"count\": \"3-\"}"),
         "s.json:1:54: bodies[0].repeat.count is \"3-\", which is no whole number or "
         "sum of indices, expected + - * of whole numbers and indices"},
        {BODY("\"motion\": \"static\", \"repeat\": {\"count\": \"n\"}"),
         "s.json:1:54: bodies[0].repeat.count is \"n\", which names an index that does "
         "not count here, expected + - * of whole numbers and indices"},
        {BODY("\"motion\": \"static\", \"repeat\": {\"count\": \"3*4-13\"}"),
         "s.json:1:54: bodies[0].repeat.count is \"3*4-13\" = -1, expected a whole "
         "number 0 .. 1000000"},
        {BODY("\"motion\": \"static\", \"repeat\": {\"count\": \"999999*999999\"}"),
         "s.json:1:54: bodies[0].repeat.count is \"999999*999999\", which grows beyond "
         "1e9, expected + - * of whole numbers and indices"},
        {BODY("\"motion\": \"static\", \"repeat\": {\"count\": 1000001}"),
         "s.json:1:54: bodies[0].repeat.count is 1000001, expected a whole number 0 .. "
         "1000000"},
        {BODY("\"name\": \"x\", \"motion\": \"static\", \"repeat\": {\"count\": 2}"),
         "s.json:1:13: bodies[0] (copy k=1): body \"x\": another body has this name"},
        {BODY("\"name\": \"x{q}\", \"motion\": \"static\", \"repeat\": {\"count\": 2}"),
         "s.json:1:22: bodies[0].name (copy k=0) is \"x{q}\", which names an index "
         "that does not count here, expected + - * of whole numbers and indices"},
        {BODY("\"name\": \"x{k\", \"motion\": \"static\", \"repeat\": {\"count\": 2}"),
         "s.json:1:22: bodies[0].name (copy k=0) is \"x{k\", which is no whole number "
         "or sum of indices, expected + - * of whole numbers and indices"},
        {BODY("\"name\": \"x{(k}\", \"motion\": \"static\", \"repeat\": {\"count\": 2}"),
         "s.json:1:22: bodies[0].name (copy k=0) is \"x{(k}\", which lacks a bracket, "
         "expected + - * of whole numbers and indices"},
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
         "\"((((((((((((((((((((((((((((((((((1\", which is no whole number or sum of "
         "indices, expected + - * of whole numbers and indices"},
        {BODY("\"motion\": \"static\", \"repeat\": [{\"count\": 1000, \"index\": "
              "\"n\"}, {\"count\": \"k\"}]"),
         "s.json:1:86: bodies[0].repeat[1].count (copy n=0) is \"k\", which names an "
         "index that does not count here, expected + - * of whole numbers and indices"},
    };

    REFUSED(cases);
}

static void a_force_that_cannot_be_is_refused(void)
{
    static const wrong cases[] = {
        {FORCE("\"type\": \"sprin\""),
         "s.json:2:22: forces[0].type is \"sprin\", expected one of: spring, "
         "torsion-spring, damper, drag, constant, user"},
        {FORCE("\"type\": \"spring\""),
         "s.json:2:13: forces[0].bodies is missing, expected the names of its bodies, "
         "one or two"},
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
         "s.json:2:13: forces[0]: force \"spring-0\": from body \"a\" to itself, "
         "expected two bodies"},
        {FORCE("\"type\": \"user\", \"bodies\": [\"a\"]"),
         "s.json:2:13: forces[0]: force \"user-0\": expected a function to call"},
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
         "s.json:2:13: forces[0]: force \"constant-0\": its axis has length 0, "
         "expected a direction"},
        {FORCE("\"type\": \"torsion-spring\", \"bodies\": [\"a\", \"world\"], \"axis\": "
               "[0, 0, 1], \"rest-angle\": \"1 m\""),
         "s.json:2:99: forces[0].rest-angle is \"1 m\", expected a unit of: rad, deg, "
         "mrad, rev"},
    };

    REFUSED(cases);
}

static void a_file_that_cannot_be_read_is_named(void)
{
    perp_scene *scene = NULL;
    perp_error err = {0};

    CU_ASSERT_EQUAL(perp_scene_read(&scene, "no/such.json", &err), PERP_ERR_READ);
    CU_ASSERT_STRING_EQUAL(err.text,
                           "no/such.json: cannot open: No such file or directory");
    perp_error_clear(&err);
    CU_ASSERT_EQUAL(perp_scene_read(&scene, test_source(), &err), PERP_ERR_READ);
    CU_ASSERT_PTR_NOT_NULL(strstr(err.text, ": cannot read: Is a directory"));
    CU_ASSERT_PTR_NULL(scene);
}

static void a_text_beyond_64_megabytes_is_refused(void)
{
    perp_scene *scene = NULL;
    perp_error err = {0};

    /* the length is looked at first: no such text is needed */
    CU_ASSERT_EQUAL(
        perp_scene_parse(&scene, "{}", ((size_t)64 << 20) + 1, "s.json", &err),
        PERP_ERR_FORMAT);
    CU_ASSERT_STRING_EQUAL(err.text, "s.json: more than 64 MB");
}

static void the_names_of_one_copy_have_a_limit(void)
{
    enum { LENGTH = 9000 };
    char *text = calloc(LENGTH + 128, 1);
    perp_scene *scene = NULL;
    perp_error err = {0};
    int start = 0;

    CU_ASSERT_PTR_NOT_NULL_FATAL(text);
    start =
        sprintf(text, "{\"bodies\": [{\"motion\": \"static\", \"repeat\": {\"count\": "
                      "1}, \"name\": \"{k}");
    memset(text + start, 'x', LENGTH);
    strcpy(text + start + LENGTH, "\"}]}");
    CU_ASSERT_EQUAL(perp_scene_parse(&scene, text, strlen(text), "s.json", &err),
                    PERP_ERR_DATA);
    CU_ASSERT_STRING_EQUAL(err.text,
                           "s.json:1:71: bodies[0].name (copy k=0): texts with indices "
                           "have more than 8192 bytes in one item");
    free(text);
}

static void a_deep_document_is_refused(void)
{
    enum { DEPTH = 100000 };
    char *text = malloc(DEPTH);
    perp_scene *scene = NULL;
    perp_error err = {0};

    CU_ASSERT_PTR_NOT_NULL_FATAL(text);
    memset(text, '[', DEPTH);
    CU_ASSERT_EQUAL(perp_scene_parse(&scene, text, DEPTH, "s.json", &err),
                    PERP_ERR_FORMAT);
    CU_ASSERT_PTR_NOT_NULL(strstr(err.text, "maximum parsing depth reached"));
    free(text);
}

static const test_case cases_of_all[] = {
    TEST(what_is_no_json_is_said_with_its_place),
    TEST(an_unknown_member_has_its_nearest_name),
    TEST(a_value_of_another_kind_is_refused),
    TEST(a_value_out_of_range_is_refused),
    TEST(a_unit_must_fit_its_place),
    TEST(a_body_that_cannot_be_is_refused),
    TEST(a_shape_that_cannot_be_is_refused),
    TEST(a_joint_that_cannot_be_is_refused),
    TEST(a_repetition_that_cannot_be_is_refused),
    TEST(a_force_that_cannot_be_is_refused),
    TEST(a_file_that_cannot_be_read_is_named),
    TEST(a_text_beyond_64_megabytes_is_refused),
    TEST(the_names_of_one_copy_have_a_limit),
    TEST(a_deep_document_is_refused),
    TEST_END,
};

int main(int argc, char **argv)
{
    return test_run(argc, argv, "scene_errors", cases_of_all);
}
