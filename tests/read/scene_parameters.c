/* SPDX-License-Identifier: Apache-2.0
 * tests/read/scene_parameters.c: numbers by names, expressions, random numbers that
 * belong to their places, shapes in copies. */
#include <config.h>

#include <locale.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "scarce.h"
#include "scene_text.h"

#define SETS(list) (list), sizeof(list) / sizeof *(list)

static const double pi = 3.14159265358979323846;

static perp_scene *parse_with(const char *text, const perp_scene_set *sets, size_t count)
{
    perp_scene *scene = NULL;
    perp_error err = {0};

    if (perp_scene_parse_with(&scene, text, strlen(text), "test.json", sets, count,
                              &err) != PERP_OK) {
        test_note("%s", err.text);
    }
    CU_ASSERT_PTR_NOT_NULL_FATAL(scene);
    return scene;
}

/* The x of the first body of a scene whose place is an expression. */
static double value_of(const char *expression)
{
    char text[1024];
    perp_scene *s = NULL;
    double x = 0.0;

    snprintf(text, sizeof text,
             "{\"parameters\": {\"a\": 3, \"half\": 0.5, \"r\": \"2 cm\"}, \"bodies\": "
             "[{\"motion\": \"static\", \"position\": [\"%s\", 0, 0]}]}",
             expression);
    s = scene_text(text);
    x = perp_body_pose(s->world->start, 0)[0];
    return x;
}

TEST(expressions_have_the_values_of_their_formulas)
{
    static const struct {
        const char *text;
        double value;
    } cases[] = {
        {"{1+2*3}", 7.0},
        {"{(1+2)*3}", 9.0},
        {"{7-2-1}", 4.0},
        {"{12/3/2}", 2.0},
        {"{-2^2}", -4.0},
        {"{2^3^2}", 512.0},
        {"{2^-1}", 0.5},
        {"{--a - -a + +1}", 7.0},
        {"{a*half}", 1.5},
        {"{r}", 0.02},
        {"{30+a} cm", 0.33},
        {"{a}/{4} m", 0.75},
        {"{1.5e1 + 0.5*0 + 2E-1}", 15.2},
        {"{sqrt(16) + abs(-2)}", 6.0},
        {"{floor(2.7) + ceil(2.2) + round(2.5)}", 8.0},
        {"{mod(7, 3) + mod(-1, 3)}", 3.0},
        {"{min(3, 1, 2) + max(3, 1, 2, 9)}", 10.0},
        {"{log(exp(2))}", 2.0},
        {"{ sin( pi / 6 ) }", 0.5},
        {"{cos(pi/3) + tan(pi/4)}", 1.5},
        {"{asin(1) + acos(1)}", 1.57079632679489662},
        {"{atan(1) + atan(-1, -1)}", -1.57079632679489662},
        {"{0.1}", 0.1},
        {"{1/3}", 1.0 / 3.0},
        {"{123456789012345678}", 123456789012345678.0},
        {"{0*-1}", 0.0},
    };

    for (size_t k = 0; k < sizeof cases / sizeof *cases; k++) {
        double x = value_of(cases[k].text);

        /* a few operations on numbers near 1 */
        if (!(fabs(x - cases[k].value) <= 1e-15 * fmax(4.0, fabs(cases[k].value)))) {
            test_note("%s is %.17g", cases[k].text, x);
            CU_FAIL("an expression of another value");
        }
    }
    /* what is computed is read back to the last bit */
    CU_ASSERT_EQUAL(value_of("{1/3}"), 1.0 / 3.0);
    CU_ASSERT_EQUAL(value_of("{pi}"), pi);
    CU_ASSERT_EQUAL(value_of("{2^0.5*1e-9}"), pow(2.0, 0.5) * 1e-9);
}

TEST(numbers_do_not_depend_on_the_locale)
{
    double before = value_of("{a/7 + 0.25}");

    if (!setlocale(LC_NUMERIC, "de_DE.UTF-8")) {
        setlocale(LC_NUMERIC, "fr_FR.UTF-8");
    }
    CU_ASSERT_EQUAL(value_of("{a/7 + 0.25}"), before);
    setlocale(LC_NUMERIC, "C");
}

static const char pile[] =
    "{\"parameters\": {\"seed\": 1, \"count\": {\"value\": 4, \"min\": 1, \"max\": 10, "
    "\"help\": \"balls\"},\n \"radius\": \"1 cm\", \"gap\": \"{2.5*radius}\", "
    "\"speed\": \"36 km/h\", \"tilt\": \"90 deg\", \"share\": \"5 %\"},\n"
    " \"title\": \"{count} balls of {radius} m\", \"time\": \"{count} s\",\n"
    " \"materials\": [{\"name\": \"m{count}\", \"friction\": \"{share}\"}],\n"
    " \"bodies\": [{\"name\": \"ball {k+1} of {count}\", \"mass\": \"{k+1} g\",\n"
    "  \"position\": [\"{gap*k}\", \"{random(0, 1)}\", \"{normal(0, 1)}\"],\n"
    "  \"rotation\": {\"axis\": [0, 0, 1], \"angle\": \"{tilt}\"},\n"
    "  \"shapes\": [{\"type\": \"sphere\", \"radius\": \"{radius}\", \"material\": "
    "\"m{count}\"}],\n"
    "  \"repeat\": {\"count\": \"count\"}}]}";

TEST(parameters_stand_for_their_values)
{
    perp_scene *s = scene_text(pile);
    const perp_scene_parameter *p = s->parameters;

    CU_ASSERT_EQUAL_FATAL(s->parameter_count, 7);
    CU_ASSERT_STRING_EQUAL(p[1].name, "count");
    CU_ASSERT_STRING_EQUAL(p[1].help, "balls");
    CU_ASSERT(p[1].value == 4.0 && p[1].least == 1.0 && p[1].most == 10.0);
    CU_ASSERT_STRING_EQUAL(p[1].unit, "1");
    CU_ASSERT(p[2].value == 0.01 && isinf(p[2].least) && isinf(p[2].most));
    CU_ASSERT_STRING_EQUAL(p[2].unit, "m");
    CU_ASSERT_DOUBLE_EQUAL(p[3].value, 0.025, 1e-17);
    CU_ASSERT_DOUBLE_EQUAL(p[4].value, 10.0, 1e-14); /* km/h */
    CU_ASSERT_STRING_EQUAL(p[4].unit, "m/s");
    CU_ASSERT_STRING_EQUAL(p[5].unit, "rad");
    CU_ASSERT(p[6].value == 0.05 && strcmp(p[6].unit, "1") == 0);
    CU_ASSERT_STRING_EQUAL(s->title, "4 balls of 0.01 m");
    CU_ASSERT_EQUAL(s->time, 4.0);
    CU_ASSERT_EQUAL(s->world->materials[1].mu, 0.05);
    CU_ASSERT_EQUAL_FATAL(s->world->body_count, 4);
    CU_ASSERT_STRING_EQUAL(s->world->name[3], "ball 4 of 4");
    CU_ASSERT_EQUAL(s->world->mass[3], 4e-3);
    CU_ASSERT_DOUBLE_EQUAL(perp_body_pose(s->world->start, 3)[0], 0.075, ROUNDING);
    CU_ASSERT_DOUBLE_EQUAL(perp_body_pose(s->world->start, 3)[6], sqrt(0.5), ROUNDING);
}

TEST(parameters_are_set_from_outside)
{
    static const perp_scene_set sets[] = {
        {"count", "9"},     {"radius", "2 cm"}, {"count", "6"},
        {"tilt", "{pi/4}"}, {"speed", "1 m/s"},
    };
    perp_scene *s = parse_with(pile, SETS(sets));

    CU_ASSERT_EQUAL(s->world->body_count, 6); /* the last one holds */
    CU_ASSERT(s->parameters[1].value == 6.0 && s->parameters[1].usual == 4.0);
    CU_ASSERT_STRING_EQUAL(s->title, "6 balls of 0.02 m");
    CU_ASSERT_DOUBLE_EQUAL(perp_body_pose(s->world->start, 1)[0], 0.05,
                           ROUNDING); /* of gap */
    CU_ASSERT_DOUBLE_EQUAL(perp_body_pose(s->world->start, 1)[6], sin(pi / 8.0),
                           ROUNDING);
    CU_ASSERT_EQUAL(s->parameters[4].value, 1.0);
}

TEST(what_cannot_be_set_is_refused)
{
    static const struct {
        perp_scene_set set;
        const char *message;
    } cases[] = {
        {{"cuont", "3"},
         "s.json: parameter cuont is not known, the nearest is \"count\""},
        {{"count", "11"},
         "s.json:1:47: parameters.count.value is 11, expected a number 1 .. 10"},
        {{"count", "many"},
         "s.json:1:47: parameters.count.value is \"many\", expected a number, or one "
         "with "
         "a unit"},
        {{"count", "2.5"},
         "s.json:9:23: bodies[0].repeat.count is \"count\" = 2.5, expected a whole "
         "number "
         "0 .. 1000000"},
        {{"radius", "1 kg"},
         "s.json:2:12: parameters.radius is \"1 kg\", expected a unit of: m, mm, cm, km, "
         "um"},
        {{"seed", "0.5"}, "s.json:1:25: parameters.seed is 0.5, expected a whole number"},
    };

    for (size_t k = 0; k < sizeof cases / sizeof *cases; k++) {
        perp_scene *s = NULL;
        perp_error err = {0};

        CU_ASSERT(perp_scene_parse_with(&s, pile, strlen(pile), "s.json", &cases[k].set,
                                        1, &err) != PERP_OK);
        if (strcmp(err.text, cases[k].message) != 0) {
            test_note("says      %s", err.text);
            test_note("should be %s", cases[k].message);
        }
        CU_ASSERT_STRING_EQUAL(err.text, cases[k].message);
        CU_ASSERT_PTR_NULL(s);
    }
}

TEST(a_scene_without_parameters_takes_none)
{
    static const perp_scene_set set = {"count", "3"};
    perp_scene *s = NULL;
    perp_error err = {0};

    CU_ASSERT_EQUAL(perp_scene_parse_with(&s, "{}", 2, "s.json", &set, 1, &err),
                    PERP_ERR_OPTION);
    CU_ASSERT_STRING_EQUAL(err.text,
                           "s.json: parameter count is set, but the scene has none");
}

static double drawn(const perp_scene *s, const char *body, size_t k)
{
    int32_t index = perp_world_find_body(s->world, body);

    CU_ASSERT_FATAL(index >= 0);
    return perp_body_pose(s->world->start, (size_t)index)[k];
}

TEST(a_random_number_belongs_to_its_place)
{
    static const perp_scene_set more[] = {{"count", "9"}, {"radius", "5 cm"}};
    static const perp_scene_set other[] = {{"seed", "2"}};
    static const char two[] =
        "{\"parameters\": {\"seed\": 1, \"count\": 4},\n"
        " \"bodies\": [{\"name\": \"another\", \"motion\": \"static\", \"position\": "
        "[\"{random(0, 1)}\", 0, 0]}, {\"name\": \"ball {k+1} of {count}\", \"motion\": "
        "\"static\", \"position\": [7, \"{random(0, 1)}\", \"{random(0, 1)}\"],\n"
        "  \"repeat\": {\"count\": 5}}]}";
    perp_scene *a = scene_text(pile);
    perp_scene *b = scene_text(pile);
    perp_scene *c = parse_with(pile, SETS(more));
    perp_scene *d = parse_with(pile, SETS(other));
    perp_scene *e = scene_text(two);

    for (size_t k = 0; k < 4; k++) {
        const double *p = perp_body_pose(a->world->start, k);

        CU_ASSERT(p[1] >= 0.0 && p[1] < 1.0);
        CU_ASSERT_EQUAL(p[1], perp_body_pose(b->world->start, k)[1]);
        CU_ASSERT_EQUAL(p[1], perp_body_pose(c->world->start, k)[1]); /* more copies */
        CU_ASSERT_NOT_EQUAL(p[1], perp_body_pose(d->world->start, k)[1]);
        CU_ASSERT_EQUAL(p[1],
                        perp_body_pose(e->world->start, k + 1)[1]); /* a body before it */
    }
    CU_ASSERT_NOT_EQUAL(drawn(a, "ball 1 of 4", 1), drawn(a, "ball 2 of 4", 1));
    CU_ASSERT_NOT_EQUAL(drawn(e, "ball 1 of 4", 1), drawn(e, "ball 1 of 4", 2));
}

TEST(a_numbered_random_number_is_the_same_everywhere)
{
    perp_scene *s =
        scene_text("{'bodies': [{'name': 'a{k}', 'motion': 'static', 'position': "
                   "['{random(0, 1, 5)}', '{random(0, 1, 5) + 1}', '{random(0, 1, 6)}'], "
                   "'repeat': {'count': 3}}, {'name': 'b{n}', 'motion': 'static', "
                   "'position': ['{random(0, 1, 5)}', 0, 0], 'repeat': {'count': 3, "
                   "'index': 'n'}}]}");

    for (size_t k = 0; k < 3; k++) {
        const double *a = perp_body_pose(s->world->start, k);

        CU_ASSERT_DOUBLE_EQUAL(a[1], a[0] + 1.0, 1e-15);
        CU_ASSERT_NOT_EQUAL(a[2], a[0]);
        CU_ASSERT_EQUAL(a[0], perp_body_pose(s->world->start, 3 + k)[0]);
        CU_ASSERT(k == 0 || a[0] != perp_body_pose(s->world->start, k - 1)[0]);
    }
}

/* Means of n draws lie within 4 deviations of what they should be: once in 16000, and the
 * seed is fixed. */
TEST(random_numbers_are_distributed_as_they_should)
{
    enum { N = 4000 };
    perp_scene *s = scene_text("{'bodies': [{'motion': 'static', 'position': "
                               "['{random(2, 4)}', '{normal(1, 3)}', '{random(0, 1) - "
                               "random(0, 1)}'], 'rotation': 'random', 'repeat': "
                               "{'count': 4000}}]}");
    double mean[2] = {0};
    double square[2] = {0};
    double turn[9] = {0};
    const double n = sqrt(N);
    size_t same = 0;

    CU_ASSERT_EQUAL_FATAL(s->world->body_count, N);
    for (size_t k = 0; k < N; k++) {
        const double *p = perp_body_pose(s->world->start, k);
        double R[9];

        for (size_t i = 0; i < 2; i++) {
            mean[i] += p[i] / N;
            square[i] += p[i] * p[i] / N;
        }
        same += p[2] == 0.0; /* two calls in one text are two numbers */
        perp_rotation_matrix(p + 3, R);
        for (size_t i = 0; i < 9; i++) {
            turn[i] += R[i] / N;
        }
    }
    CU_ASSERT_EQUAL(same, 0);
    CU_ASSERT_DOUBLE_EQUAL(mean[0], 3.0, 4.0 * sqrt(1.0 / 3.0) / n);
    CU_ASSERT_DOUBLE_EQUAL(square[0], 28.0 / 3.0, 4.0 * sqrt(12.1) / n); /* 4/3 + 8 */
    CU_ASSERT_DOUBLE_EQUAL(mean[1], 1.0, 4.0 * 3.0 / n);
    CU_ASSERT_DOUBLE_EQUAL(square[1] - mean[1] * mean[1], 9.0, 4.0 * 9.0 * sqrt(2.0) / n);
    for (size_t i = 0; i < 9; i++) { /* each entry of a uniform rotation: 0, 1/3 */
        CU_ASSERT_DOUBLE_EQUAL(turn[i], 0.0, 4.0 * sqrt(1.0 / 3.0) / n);
    }
}

TEST(a_random_rotation_in_the_plane_is_about_z)
{
    perp_scene *s = scene_text("{'dimension': 2, 'bodies': [{'motion': 'static', "
                               "'rotation': 'random', 'repeat': {'count': 2}}]}");
    const double *q = perp_body_pose(s->world->start, 0) + 3;

    CU_ASSERT(q[1] == 0.0 && q[2] == 0.0 && q[3] != 0.0);
    CU_ASSERT_DOUBLE_EQUAL(q[0] * q[0] + q[3] * q[3], 1.0, ROUNDING);
    CU_ASSERT_NOT_EQUAL(q[3], perp_body_pose(s->world->start, 1)[6]);
}

/* Three levels of a body, of a shape in it and of a part of that, and 64 parameters: all of them
 * are names in an expression, and the nearest of them is told. */
TEST(nine_levels_and_all_parameters_are_known_at_once)
{
    static const char repeat[] =
        "[{\"count\": 1, \"index\": \"%c1\"}, {\"count\": 1, \"index\": \"%c2\"}, "
        "{\"count\": 1, \"index\": \"%c3\"}]";
    static const char *const values[] = {"{a1+b2+c3+p63+pi*0}", "{p64}"};

    for (int bad = 0; bad < 2; bad++) {
        char text[8192], levels[3][160];
        size_t used = 0;
        perp_scene *s = NULL;
        perp_error err = {0};

        for (int k = 0; k < 3; k++) {
            snprintf(levels[k], sizeof levels[k], repeat, 'a' + k, 'a' + k, 'a' + k);
        }
        used = (size_t)snprintf(text, sizeof text, "{\"parameters\": {");
        for (int k = 0; k < 64; k++) {
            used += (size_t)snprintf(text + used, sizeof text - used, "%s\"p%d\": %d",
                                     k ? ", " : "", k, k);
        }
        snprintf(text + used, sizeof text - used,
                 "}, \"bodies\": [{\"motion\": \"static\", \"shapes\": [{\"type\": "
                 "\"compound\", \"parts\": [{\"type\": \"sphere\", \"radius\": 1, "
                 "\"at\": [\"%s\", 0, 0], \"repeat\": %s}], \"repeat\": %s}], "
                 "\"repeat\": %s}]}",
                 values[bad], levels[2], levels[1], levels[0]);
        CU_ASSERT_EQUAL(
            perp_scene_parse(&s, text, strlen(text), "test.json", &err) == PERP_OK, !bad);
        if (bad) {
            CU_ASSERT_PTR_NOT_NULL(strstr(err.text, "unknown name \"p64\""));
        } else if (s) {
            CU_ASSERT_DOUBLE_EQUAL(s->world->shapes[0].parts[0].at[0], 63.0, ROUNDING);
        } else {
            test_note("%s", err.text);
        }
    }
}

static perp_status parse_scarce(void *context, perp_error *err)
{
    static const perp_scene_set sets[] = {{"count", "2"}, {"radius", "3 mm"}};
    perp_scene *s = NULL;
    perp_status status =
        perp_scene_parse_with(&s, context, strlen(context), "c.json", SETS(sets), err);

    CU_ASSERT_EQUAL(s != NULL, status == PERP_OK);
    return status;
}

TEST(failing_memory_is_survived)
{
    static char text[sizeof pile];

    memcpy(text, pile, sizeof pile);
    scarce_everywhere(parse_scarce, text, "parameters");
}
