/* SPDX-License-Identifier: Apache-2.0
 * tests/read/scene_write.c: scenes that are written and read again: the same bits,
 * the same motion, and what is refused. */
#include <config.h>

#include <dirent.h>
#include <jansson.h>
#include <math.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <unistd.h>

#include <perp/dynamics/scene.h>
#include <perp/dynamics/urdf.h>

#include "same_world.h"
#include "scarce.h"
#include "scene_text.h"

enum { PATH = 4096, STEPS = 10 };

/* So many steps by sequential impulses, in the coordinates of the scene. */
static void run(perp_scene *scene, int steps)
{
    perp_stepper *stepper = NULL;
    perp_report report;
    perp_error err = {0};
    perp_status status = PERP_OK;

    if (scene->coordinates == PERP_COORDINATES_REDUCED && !scene->world->reduced) {
        status = perp_world_reduce(scene->world, &scene->reduction, &err);
    }
    if (status == PERP_OK) {
        status =
            perp_stepper_new(&stepper, scene->world, &scene->scheme,
                             &(perp_stepper_options){.state = scene->world->start}, &err);
    }
    for (int k = 0; k < steps && status == PERP_OK; k++) {
        status = perp_stepper_step(stepper, &report, &err);
    }
    if (status != PERP_OK) {
        test_note("%s: %s", scene->name, err.text);
    }
    OK(status);
}

/* The scene as it is read after it was written. */
static perp_scene *again(const perp_scene *scene, const perp_state *state)
{
    perp_scene *read = NULL;
    char *text = NULL;
    perp_error err = {0};
    perp_status status = perp_scene_print(scene, state, &text, &err);

    if (status == PERP_OK) {
        status = perp_scene_parse(&read, text, strlen(text), "again.json", &err);
    }
    if (status != PERP_OK) {
        test_note("%s: %s", scene->name, err.text);
    }
    CU_ASSERT_PTR_NOT_NULL_FATAL(read);
    free(text);
    return read;
}

/* Written, read, and run side by side. */
static void check_scene(perp_scene *scene, const char *name)
{
    perp_scene *copy = again(scene, NULL);

    if (!same_scenes(name, scene, copy)) {
        test_note("%s is not the same", name);
        CU_FAIL("a scene is read otherwise than it was written");
    }
    if (scene->world->body_count <= 1000) { /* or a second each */
        run(scene, STEPS);
        run(copy, STEPS);
        CU_ASSERT(same_states(name, scene->world->start, copy->world->start));
    }
}

static void scenes_folder(char path[PATH], const char *name)
{
    snprintf(path, PATH, "%s/experiments/scenes/%s", getenv("PERP_SOURCE"), name);
}

static perp_scene *read_scene(const char *path)
{
    perp_scene *scene = NULL;
    perp_error err = {0};

    if (perp_scene_read(&scene, path, &err) != PERP_OK) {
        test_note("%s", err.text);
    }
    CU_ASSERT_PTR_NOT_NULL_FATAL(scene);
    return scene;
}

TEST(every_scene_is_read_again_with_the_same_bits)
{
    char path[PATH];
    DIR *folder = NULL;
    const struct dirent *entry = NULL;
    int count = 0;

    scenes_folder(path, "");
    folder = opendir(path);
    CU_ASSERT_PTR_NOT_NULL_FATAL(folder);
    while ((entry = readdir(folder))) {
        if (strstr(entry->d_name, ".json")) {
            perp_scene *scene = NULL;

            scenes_folder(path, entry->d_name);
            scene = read_scene(path);
            check_scene(scene, entry->d_name);
            perp_scene_free(scene);
            count++;
        }
    }
    closedir(folder);
    CU_ASSERT(count > 50);
}

TEST(robots_are_read_again_with_the_same_bits)
{
    static const char *const robots[] = {"urdf/arm.urdf", "urdf/quadruped.urdf"};

    for (size_t k = 0; k < 2; k++) {
        char path[PATH], text[1 << 16];
        perp_scene *scene = NULL;
        perp_error err = {0};
        FILE *f = NULL;
        size_t length = 0;

        scenes_folder(path, robots[k]);
        f = fopen(path, "r");
        CU_ASSERT_PTR_NOT_NULL_FATAL(f);
        length = fread(text, 1, sizeof text, f);
        fclose(f);
        OK(perp_urdf_scene(&scene, text, length, path, NULL, NULL, 0, &err));
        check_scene(scene, robots[k]);
    }
}

/* A state in the midst of a run goes on with the same bits: bodies have left the poses in
 * which joints were attached, and wheels have turned more than once. */
TEST(a_run_goes_on_from_where_it_was_written)
{
    static const char *const names[] = {
        "four-wheeled-car.json", "slider-crank.json", "rag-doll.json",
        "five-bar.json",         "stack.json",        "gear-motor.json"};

    for (size_t k = 0; k < sizeof names / sizeof *names; k++) {
        char path[PATH];
        perp_scene *scene = NULL;
        perp_scene *copy = NULL;

        scenes_folder(path, names[k]);
        scene = read_scene(path);
        scene->coordinates = PERP_COORDINATES_MAXIMAL;
        run(scene, 100);
        copy = again(scene, scene->world->start);
        CU_ASSERT(same_states(names[k], scene->world->start, copy->world->start));
        run(scene, STEPS); /* both without impulses of the step before */
        run(copy, STEPS);
        CU_ASSERT(same_states(names[k], scene->world->start, copy->world->start));
    }
}

/* A world of C: shapes in another order than bodies, groups, a compound, a material and
 * names that JSON escapes, a joint that has turned. */
static perp_world *world_of_c(void)
{
    perp_world *w = test_world(3, 9.81);
    const perp_material ice = {"ice \"{x}\" \t", 0.01, 0.25, 1e-3, 0.125, 1e-4};
    perp_shape parts[2] = {{.type = perp_shape_type_find("box"), .size = {0.1, 0.2, 0.3}},
                           {.type = perp_shape_type_find("capsule"), .size = {0.1, 1.0}}};
    perp_shape box = {.type = perp_shape_type_find("box"), .size = {0.3, 0.2, 0.1}};
    perp_shape compound = {.type = perp_shape_type_find("compound"), .part_count = 2};
    perp_joint hinge = {.type = perp_joint_type_find("revolute"), .name = "h{"};
    perp_force spring = {.type = perp_force_type_find("spring"), .name = "\\", .j = 1};
    const double at[3] = {0.1, 0.2, 0.3};
    const double along[3] = {0.3, -0.7, 0.2};

    CU_ASSERT_EQUAL(test_ball(w, "first \"of\" {all}", 1.0, 0.1, 0.0, 0.0, 1.0), 0);
    CU_ASSERT_EQUAL(test_ball(w, "\303\251tage\n", 2.0, 0.2, 1.0 / 3.0, 0.0, -0.0), 1);
    OK(perp_world_add_material(w, &ice, &box.material, NULL));
    box.body = 1;
    box.group = 5;
    box.mask = 0x80000001u;
    parts[1].material = box.material;
    parts[0].at[0] = 1.0 / 3.0;
    compound.parts = parts;
    OK(perp_world_add_shape(w, &box, NULL, NULL));
    OK(perp_world_add_shape(w, &compound, NULL, NULL));
    hinge.j = 1;
    hinge.axes[0].motor = PERP_MOTOR_SERVO;
    hinge.axes[0].target = 0.1;
    hinge.axes[0].max_force = INFINITY;
    hinge.axes[0].has_upper = true;
    hinge.axes[0].upper = 20.0;
    hinge.axes[0].limit_cfm = 1.0 / 3.0;
    hinge.axes[0].motor_cfm = 1e-9;
    hinge.axes[0].value = 13.0; /* two turns and more: brought to what the poses allow */
    OK(perp_joint_attach(&hinge, w, w->start, at, along, NULL, NULL));
    OK(perp_world_add_joint(w, &hinge, NULL, NULL));
    spring.value[0] = 100.0;
    spring.value[1] = 1.0 / 7.0;
    OK(perp_world_add_force(w, &spring, NULL));
    w->start->load[3] = 1e-300;
    perp_body_velocity(w->start, 0)[4] = -0.0;
    w->combine_mu = PERP_COMBINE_MAX;
    return w;
}

TEST(a_world_of_c_is_read_with_the_same_bits)
{
    perp_world *w = world_of_c();
    perp_scene scene = {.world = w};
    perp_scene *copy = NULL;

    perp_scheme_default(&scene.scheme);
    scene.scheme.model = PERP_MODEL_PYRAMID;
    scene.scheme.eta = 12;
    scene.scheme.override_gyro = true;
    scene.scheme.gyro = PERP_GYRO_CONVERGED;
    scene.scheme.broad = perp_broad_types(NULL)[1];
    scene.scheme.narrow = perp_narrow_find("gjk");
    scene.scheme.reduce = 5;
    copy = again(&scene, NULL);
    CU_ASSERT(w->start->axes[0] > 12.0);
    CU_ASSERT(same_worlds("c", w, copy->world));
    CU_ASSERT(same_states("c", w->start, copy->world->start));
    CU_ASSERT(same_schemes(&scene.scheme, &copy->scheme));
    CU_ASSERT_EQUAL(copy->scheme.eta, 12);
    CU_ASSERT_STRING_EQUAL(copy->solver, "auto");
}

/* Two pendulums and two balls, of each pair one is disabled: the pendulum without its joint
 * falls, the ball stays in the air with its velocity. All of it is written, too. */
TEST(what_is_disabled_is_read_and_written)
{
    static const char text[] =
        "{\"gravity\": [0, 0, -10], \"bodies\": [{\"name\": \"a{k}\", \"mass\": 1, "
        "\"inertia\": [1, 1, 1], \"position\": [1, \"{k}\", 0], \"repeat\": {\"count\": "
        "2}}, {\"name\": \"b\", \"mass\": 1, \"inertia\": [1, 1, 1], \"velocity\": [1, "
        "0, 0], \"disabled\": true}, {\"name\": \"c\", \"mass\": 1, \"inertia\": [1, 1, "
        "1], \"disabled\": false}], \"joints\": [{\"type\": \"rod\", \"name\": \"free\", "
        "\"bodies\": [\"world\", \"a0\"], \"at\": [1, 0, 1], \"disabled\": true}, "
        "{\"type\": \"rod\", \"name\": \"tied\", \"bodies\": [\"world\", \"a1\"], "
        "\"at\": [1, 1, 1], \"disabled\": false}]}";
    perp_scene *scene = NULL;
    const double *s = NULL;

    OK(perp_scene_parse(&scene, text, strlen(text), "disabled.json", NULL));
    CU_ASSERT(!scene->world->disabled[0] && scene->world->disabled[2] &&
              !scene->world->disabled[3]);
    CU_ASSERT(scene->world->joints[0].disabled && !scene->world->joints[1].disabled);
    check_scene(scene, "disabled.json"); /* runs it, too */
    s = scene->world->start->s;
    CU_ASSERT(s[2] < -0.01);
    CU_ASSERT_DOUBLE_EQUAL(s[7 + 2], 0.0, 1e-9);
    CU_ASSERT(s[7 * 2] == 0.0 && s[7 * 2 + 2] == 0.0);
    CU_ASSERT_EQUAL(scene->world->start->u[6 * 2], 1.0);
    CU_ASSERT(s[7 * 3 + 2] < -0.01);
}

static void whatever(void *context, const perp_world *world, const perp_state *state,
                     double *f)
{
    (void)context;
    (void)world;
    (void)state;
    (void)f;
}

static double no_limit(void *context, const perp_world *world, const perp_state *state,
                       const perp_joint *joint, double J[12])
{
    (void)context;
    (void)world;
    (void)state;
    (void)joint;
    J[0] = 1.0;
    return 1.0;
}

/* The line that the writer refuses a world with. */
static void refuses(const perp_scene *scene, const char *line)
{
    perp_error err = {0};
    char *text = NULL;
    perp_status status = perp_scene_print(scene, NULL, &text, &err);

    if (status == PERP_OK || strcmp(err.text, line) != 0) {
        test_note("says      %s", err.text);
        test_note("should be %s", line);
    }
    CU_ASSERT(status != PERP_OK && status == err.status);
    CU_ASSERT_STRING_EQUAL(err.text, line);
    CU_ASSERT_PTR_NULL(text);
}

TEST(what_no_scene_can_say_is_refused_by_its_name)
{
    perp_world *w = world_of_c();
    perp_scene scene = {.world = w};
    perp_force own = {.type = perp_force_type_find("user"), .name = "mine"};
    perp_joint user = {.type = perp_joint_type_find("user"), .name = "wall", .j = 1};
    perp_shape_type ball = *perp_shape_type_find("sphere");
    const perp_shape_type *kept = w->shapes[0].type;
    perp_broad_type broad = *perp_broad_types(NULL)[0];

    perp_scheme_default(&scene.scheme);
    w->mass[1] = NAN;
    refuses(&scene, "scene: body \"\303\251tage\\n\": mass is nan, expected a finite "
                    "number");
    w->mass[1] = 2.0;
    w->start->s[2] = INFINITY;
    refuses(&scene,
            "scene: body \"first \"of\" {all}\": holds inf, expected finite numbers");
    w->start->s[2] = 1.0;
    w->materials[0].mu = 0.75;
    refuses(&scene, "scene: material \"default\": differs from the material that every "
                    "world has, expected another name");
    w->materials[0].mu = 0.5;
    broad.name = "mine";
    scene.scheme.broad = &broad;
    refuses(
        &scene,
        "scene: its scheme: broad \"mine\" is defined by the user and cannot be written");
    scene.scheme.broad = NULL;
    scene.title = "\377";
    refuses(&scene, "scene: its head: the text \"\\xff\" is not UTF-8");
    scene.title = NULL;
    w->shapes[0].type = &ball;
    refuses(&scene, "scene: body \"\303\251tage\\n\": shape type \"sphere\" is "
                    "defined by the user and cannot be written");
    w->shapes[0].type = kept;
    own.call = whatever;
    OK(perp_world_add_force(w, &own, NULL));
    refuses(&scene, "scene: force \"mine\": type \"user\" is defined by the user and "
                    "cannot be written");
    user.call = no_limit;
    OK(perp_world_add_joint(w, &user, NULL, NULL));
    refuses(&scene, "scene: joint \"wall\": type \"user\" is defined by the user and "
                    "cannot be written");
}

/* A path that cannot be, and a file that may not grow: nothing is left behind. */
TEST(a_file_is_whole_or_not_there)
{
    const char *dir = test_scratch("scene_write");
    perp_world *w = world_of_c();
    perp_scene scene = {.world = w};
    perp_scene *copy = NULL;
    perp_error err = {0};
    char path[PATH];
    struct rlimit before, few;

    perp_scheme_default(&scene.scheme);
    CU_ASSERT_EQUAL(perp_scene_write(&scene, NULL, "/none/such/x.json", &err),
                    PERP_ERR_WRITE);
    CU_ASSERT_PTR_NOT_NULL(strstr(err.text, "/none/such/x.json"));
    mkdir(dir, 0700);
    snprintf(path, sizeof path, "%s/x.json", dir);
    getrlimit(RLIMIT_FSIZE, &before);
    few = before;
    few.rlim_cur = 512; /* bytes that a file may have: as on a disk that is full */
    signal(SIGXFSZ, SIG_IGN);
    setrlimit(RLIMIT_FSIZE, &few);
    err = (perp_error){0};
    CU_ASSERT_EQUAL(perp_scene_write(&scene, NULL, path, &err), PERP_ERR_WRITE);
    setrlimit(RLIMIT_FSIZE, &before);
    CU_ASSERT_NOT_EQUAL(access(path, F_OK), 0);
    OK(perp_scene_write(&scene, NULL, path, NULL));
    copy = read_scene(path);
    CU_ASSERT(same_worlds("file", w, copy->world));
    CU_ASSERT_STRING_EQUAL(copy->name, "x");
}

static perp_status print_it(void *context, perp_error *err)
{
    char *text = NULL;
    perp_status status = perp_scene_print(context, NULL, &text, err);

    CU_ASSERT_EQUAL(text != NULL, status == PERP_OK);
    free(text);
    return status;
}

TEST(no_memory_is_told)
{
    perp_scene scene = {.world = world_of_c()};

    perp_scheme_default(&scene.scheme);
    json_set_alloc_funcs(malloc, free);
    scarce_everywhere(print_it, &scene, "scene");
}
