/* SPDX-License-Identifier: Apache-2.0
 * tests/command/film.c: pictures and films of a page by a headless Chromium and ffmpeg, on a
 * page of the test's own: a square of 20 pixels that is at x = 100 t and is red, or blue after
 * set({}). Where one of the two programs is missing, the tests that need it pass and say so. */
#include <config.h>

#include <dirent.h>
#include <math.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/base.h"
#include "base/file.h"
#include "command/view/film.h"
#include "support.h"
#include "web/browser.h"
#include "web/child.h"

static const char film_page[] =
    "<!DOCTYPE html><meta "
    "charset='utf-8'><style>body{margin:0}canvas{display:block}</style>"
    "<canvas></canvas><button>x</button><script>'use strict';\n"
    "const c = document.querySelector('canvas'), g = c.getContext('2d');\n"
    "let colour = '#ff0000', still = false;\n"
    "window.perpView = {\n"
    "  ready: new Promise(done => setTimeout(done, 50)), duration: [0.5, 1.5],\n"
    "  still() { still = true; document.querySelector('button').remove(); },\n"
    "  set(o) { colour = o.colour; },\n"
    "  async show(t) {\n"
    "    c.width = innerWidth; c.height = innerHeight;\n"
    "    g.fillStyle = still ? '#ffffff' : '#888888'; g.fillRect(0, 0, c.width, "
    "c.height);\n"
    "    g.fillStyle = colour; g.fillRect(100 * t, 10, 20, 20);\n"
    "    await new Promise(requestAnimationFrame);\n"
    "  }};\n"
    "</script>";

static const char *page_named(const char *name, const char *text)
{
    const char *path = test_scratch(name);
    FILE *f = fopen(path, "w");

    CU_ASSERT_PTR_NOT_NULL_FATAL(f);
    fputs(text, f);
    CU_ASSERT_EQUAL_FATAL(fclose(f), 0);
    return path;
}

static bool has_chromium(void)
{
    char path[CHILD_PATH];
    const char *chosen = getenv("PERP_CHROMIUM");
    bool there = child_find(chosen && *chosen ? chosen : "chromium", path);

    if (!there) {
        printf("# chromium is not installed\n");
    }
    return there;
}

static bool has_ffmpeg(void)
{
    char path[CHILD_PATH];
    bool there = child_find("ffmpeg", path) && child_find("ffprobe", path);

    if (!there) {
        printf("# ffmpeg is not installed\n");
    }
    return there;
}

/* The entries of the folder of temporary files, which is a new one for each test. */
static const char *temporary;
static size_t entries(const char *folder)
{
    DIR *d = opendir(folder);
    size_t count = 0;

    CU_ASSERT_PTR_NOT_NULL_FATAL(d);
    for (const struct dirent *e = readdir(d); e; e = readdir(d)) {
        count += e->d_name[0] != '.';
    }
    closedir(d);
    return count;
}

static void own_temporary_folder(void)
{
    static char folder[64]; /* short, as the path of a socket must be */

    snprintf(folder, sizeof folder, "%s/perp-film-XXXXXX", perp_folder_temporary_usual());
    temporary = mkdtemp(folder);
    CU_ASSERT_PTR_NOT_NULL_FATAL(temporary);
    setenv("TMPDIR", temporary, 1);
}

/* Nothing is left in it. */
static void temporary_folder_is_empty(void)
{
    CU_ASSERT_EQUAL(entries(temporary), 0);
    rmdir(temporary);
    unsetenv("TMPDIR");
}

/* What a program prints, its first 4 kB. */
static void output_of(const char *command, char text[4096])
{
    FILE *f = popen(command, "r");

    CU_ASSERT_PTR_NOT_NULL_FATAL(f);
    text[fread(text, 1, 4095, f)] = '\0';
    pclose(f);
}

/* The red, green and blue of a pixel of a picture, or of frame `frame` of a film. */
static void pixel(const char *path, int frame, int x, int y, unsigned char colour[3])
{
    char command[1024];
    FILE *f = NULL;

    snprintf(
        command, sizeof command,
        "ffmpeg -v error -i 'file:%s' -vf 'select=eq(n\\,%d),crop=1:1:%d:%d:exact=1' "
        "-frames:v 1 -f rawvideo -pix_fmt rgb24 -",
        path, frame, x, y);
    f = popen(command, "r");
    CU_ASSERT_PTR_NOT_NULL_FATAL(f);
    CU_ASSERT_EQUAL(fread(colour, 1, 3, f), 3);
    CU_ASSERT_EQUAL(pclose(f), 0);
}

/* Films are lossy: the colours of a film of flat squares stay within 40 of 255. */
static bool is_colour(const unsigned char *c, int r, int g, int b)
{
    return abs(c[0] - r) < 40 && abs(c[1] - g) < 40 && abs(c[2] - b) < 40;
}

/* The first error is kept: a new one needs an empty place. */
static perp_error *fresh(perp_error *err)
{
    if (err->text[0]) {
        test_note("%s", err->text);
    }
    *err = (perp_error){0};
    return err;
}

static film_orders orders_of(const char *page)
{
    return (film_orders){.page = page,
                         .width = 300,
                         .height = 100,
                         .at = 1.0,
                         .end = INFINITY,
                         .rate = 10.0,
                         .speed = 1.0};
}

TEST(a_script_returns_its_value_and_an_exception_its_message)
{
    const char *page = page_named("film value #1 %.html", film_page);
    browser *b = NULL;
    perp_error err = {0};
    json_t *value = NULL;
    char long_script[70000];

    if (!has_chromium()) {
        return;
    }
    own_temporary_folder();
    OK(browser_open(&b, &(browser_orders){.file = page, .width = 321, .height = 123},
                    fresh(&err)));
    OK(browser_evaluate(b, "[innerWidth, innerHeight, devicePixelRatio]", &value,
                        fresh(&err)));
    CU_ASSERT_EQUAL(json_integer_value(json_array_get(value, 0)), 321);
    CU_ASSERT_EQUAL(json_integer_value(json_array_get(value, 1)), 123);
    CU_ASSERT_EQUAL(json_number_value(json_array_get(value, 2)), 1.0);
    json_decref(value);
    OK(browser_evaluate(b, "undefined", &value, fresh(&err)));
    CU_ASSERT(json_is_null(value));
    CU_ASSERT_EQUAL(browser_evaluate(b, "Promise.reject(new Error('no such\\nbody'))",
                                     NULL, fresh(&err)),
                    PERP_ERR_LIBRARY);
    CU_ASSERT_STRING_EQUAL(err.text, "Error: no such");
    /* longer than what one message of the socket holds */
    memset(long_script, ' ', sizeof long_script);
    memcpy(long_script + sizeof long_script - 5, "6*7", 4);
    OK(browser_evaluate(b, long_script, &value, fresh(&err)));
    CU_ASSERT_EQUAL(json_integer_value(value), 42);
    json_decref(value);
    OK(browser_evaluate(b, "'a'.repeat(3e6)", &value, fresh(&err)));
    CU_ASSERT_EQUAL(json_string_length(value), 3000000);
    json_decref(value);
    CU_ASSERT_EQUAL(browser_evaluate(b, "\xff", NULL, fresh(&err)), PERP_ERR_ARGUMENT);
    CU_ASSERT_EQUAL(entries(temporary), 1);
    browser_close(b);
    temporary_folder_is_empty();
    CU_ASSERT(waitpid(-1, NULL, WNOHANG) < 0); /* no child of any kind is left */
}

TEST(a_script_without_end_is_out_of_time)
{
    const char *page = page_named("film-endless.html", film_page);
    browser *b = NULL;
    perp_error err = {0};
    double started = 0.0;

    if (!has_chromium()) {
        return;
    }
    own_temporary_folder();
    OK(browser_open(
        &b, &(browser_orders){.file = page, .width = 100, .height = 100, .seconds = 20.0},
        fresh(&err)));
    browser_set_seconds(b, 0.5);
    started = perp_clock();
    CU_ASSERT_EQUAL(browser_evaluate(b, "for (;;) {}", NULL, fresh(&err)),
                    PERP_ERR_LIBRARY);
    CU_ASSERT(perp_clock() - started >= 0.5);
    CU_ASSERT_STRING_EQUAL(err.text, "chromium: Runtime.evaluate: no answer in time");
    browser_close(b);
    temporary_folder_is_empty();
}

static void write_program(const char *path, const char *script)
{
    FILE *f = fopen(path, "w");

    CU_ASSERT_PTR_NOT_NULL_FATAL(f);
    fprintf(f, "#!/bin/sh\n%s\n", script);
    CU_ASSERT_EQUAL_FATAL(fclose(f), 0);
    CU_ASSERT_EQUAL_FATAL(chmod(path, 0755), 0);
}

TEST(what_keeps_chromium_from_its_work_is_named)
{
    const char *page = page_named("film-broken.html", "<p>no motion</p>");
    const char *gone = test_scratch("film-not-there.html");
    const char *picture = test_scratch("film-broken.png");
    film_orders orders = orders_of(page);
    perp_error err = {0};
    char program[256];

    own_temporary_folder();
    setenv("PERP_CHROMIUM", "no-such-browser", 1);
    CU_ASSERT_EQUAL(film_picture(&orders, picture, fresh(&err)), PERP_ERR_LIBRARY);
    CU_ASSERT_STRING_EQUAL(err.text, "PERP_CHROMIUM is \"no-such-browser\", expected a "
                                     "program that can be started");
    setenv("PERP_CHROMIUM", "/bin/false", 1);
    CU_ASSERT_EQUAL(film_picture(&orders, picture, fresh(&err)), PERP_ERR_LIBRARY);
    CU_ASSERT_STRING_EQUAL(err.text, "chromium has ended (status 1): it gave no reason");
    snprintf(program, sizeof program, "%s/chromium", temporary);
    write_program(program, "echo 'a FATAL line' >&2; echo more >&2; kill -9 $$");
    setenv("PERP_CHROMIUM", program, 1);
    CU_ASSERT_EQUAL(film_picture(&orders, picture, fresh(&err)), PERP_ERR_LIBRARY);
    CU_ASSERT_STRING_EQUAL(err.text, "chromium has ended (signal 9): a FATAL line");
    remove(program);
    unsetenv("PERP_CHROMIUM");
    temporary_folder_is_empty();
    if (!has_chromium()) {
        return;
    }
    own_temporary_folder();
    CU_ASSERT_EQUAL(film_picture(&orders, picture, fresh(&err)), PERP_ERR_LIBRARY);
    CU_ASSERT(strstr(err.text, "the page shows no motion") != NULL);
    orders.page = gone;
    CU_ASSERT_EQUAL(film_picture(&orders, picture, fresh(&err)), PERP_ERR_READ);
    CU_ASSERT(strstr(err.text, "No such file or directory") != NULL);
    CU_ASSERT(access(picture, F_OK) != 0);
    temporary_folder_is_empty();
}

TEST(a_chromium_that_is_not_installed_is_named_with_its_package)
{
    const char *page = page_named("film-absent.html", film_page);
    const char *path = getenv("PATH");
    char *before = strdup(path ? path : "");
    film_orders orders = orders_of(page);
    perp_error err = {0};

    own_temporary_folder();
    setenv("PATH", temporary, 1);
    CU_ASSERT_EQUAL(film_picture(&orders, test_scratch("film-absent.png"), fresh(&err)),
                    PERP_ERR_LIBRARY);
    CU_ASSERT(strstr(err.text, "the Debian package chromium") != NULL);
    CU_ASSERT_EQUAL(film_write(&orders, test_scratch("film-absent.mp4"), fresh(&err)),
                    PERP_ERR_LIBRARY);
    CU_ASSERT(strstr(err.text, "the Debian package ffmpeg") != NULL);
    setenv("PATH", before, 1);
    free(before);
    temporary_folder_is_empty();
}

TEST(a_picture_has_the_size_and_the_time_that_were_ordered)
{
    const char *page = page_named("film-picture.html", film_page);
    const char *picture = test_scratch("film-picture.png");
    film_orders orders = orders_of(page);
    perp_error err = {0};
    unsigned char c[3] = {0};
    char text[4096], command[1024];

    if (!has_chromium() || !has_ffmpeg()) {
        return;
    }
    own_temporary_folder();
    orders.width = 301; /* a picture may have an odd size */
    orders.setup = "perpView.set({colour: '#0000ff'})";
    OK(film_picture(&orders, picture, fresh(&err)));
    snprintf(command, sizeof command,
             "ffprobe -v error -show_entries stream=width,height -of csv=p=0 '%s'",
             picture);
    output_of(command, text);
    CU_ASSERT_STRING_EQUAL(text, "301,100\n");
    pixel(picture, 0, 110, 20, c);
    CU_ASSERT(c[0] == 0 && c[1] == 0 && c[2] == 255);
    pixel(picture, 0, 90, 20, c);
    CU_ASSERT(c[0] == 255 && c[1] == 255 && c[2] == 255);
    orders.at = INFINITY; /* the end */
    OK(film_picture(&orders, picture, fresh(&err)));
    pixel(picture, 0, 160, 20, c);
    CU_ASSERT(c[0] == 0 && c[1] == 0 && c[2] == 255);
    temporary_folder_is_empty();
}

TEST(a_time_outside_of_the_motion_is_refused_and_the_old_picture_stays)
{
    const char *page = page_named("film-outside.html", film_page);
    const char *picture = page_named("film-outside.png", "old");
    film_orders orders = orders_of(page);
    perp_error err = {0};
    struct stat st;

    if (!has_chromium()) {
        return;
    }
    orders.at = 1.6;
    CU_ASSERT_EQUAL(film_picture(&orders, picture, fresh(&err)), PERP_ERR_ARGUMENT);
    CU_ASSERT_STRING_EQUAL(err.text,
                           "the time is 1.6 s, expected one from 0.5 s to 1.5 s");
    orders.at = NAN;
    CU_ASSERT_EQUAL(film_picture(&orders, picture, fresh(&err)), PERP_ERR_ARGUMENT);
    CU_ASSERT_EQUAL(stat(picture, &st), 0);
    CU_ASSERT_EQUAL(st.st_size, 3);
}

static void makes_a_film(const char *name, const char *codec)
{
    const char *page = page_named("film-film.html", film_page);
    const char *path = test_scratch(name);
    film_orders orders = orders_of(page);
    perp_error err = {0};
    unsigned char c[3] = {0};
    char text[4096], command[1024];

    if (!has_chromium() || !has_ffmpeg()) {
        return;
    }
    own_temporary_folder();
    orders.at = 0.5;
    OK(film_write(&orders, path, fresh(&err)));
    snprintf(
        command, sizeof command,
        "ffprobe -v error -count_frames -show_entries "
        "stream=codec_name,width,height,r_frame_rate,nb_read_frames -of csv=p=0 '%s'",
        path);
    output_of(command, text);
    CU_ASSERT_STRING_EQUAL(text, codec);
    for (int k = 0; k <= 10; k += 5) { /* x = 50 + 10 k */
        pixel(path, k, 50 + 10 * k + 10, 20, c);
        CU_ASSERT(is_colour(c, 255, 0, 0));
        pixel(path, k, 50 + 10 * k + 40, 20, c);
        CU_ASSERT(is_colour(c, 255, 255, 255));
    }
    remove(path);
    temporary_folder_is_empty();
}

TEST(a_film_of_h264_has_every_frame)
{
    makes_a_film("film.mp4", "h264,300,100,10/1,11\n");
}

TEST(a_film_of_vp9_has_every_frame)
{
    makes_a_film("film.webm", "vp9,300,100,10/1,11\n");
}

TEST(a_gif_has_every_frame)
{
    makes_a_film("film.gif", "gif,300,100,10/1,11\n");
}

TEST(orders_of_films_are_checked)
{
    const char *page = page_named("film-orders.html", film_page);
    film_orders orders = orders_of(page);
    perp_error err = {0};

    CU_ASSERT_EQUAL(film_write(&orders, "a.avi", fresh(&err)), PERP_ERR_ARGUMENT);
    CU_ASSERT_STRING_EQUAL(
        err.text, "a.avi: the extension names no film, expected .mp4, .webm or .gif");
    orders.width = 301;
    CU_ASSERT_EQUAL(film_write(&orders, "a.mp4", fresh(&err)), PERP_ERR_ARGUMENT);
    CU_ASSERT_STRING_EQUAL(
        err.text, "a.mp4: the size is 301 x 100, expected even numbers for .mp4");
    orders.width = 300;
    orders.rate = 0.0;
    CU_ASSERT_EQUAL(film_write(&orders, "a.mp4", fresh(&err)), PERP_ERR_ARGUMENT);
    CU_ASSERT_STRING_EQUAL(err.text, "a.mp4: the rate is 0, expected a positive number");
    orders.rate = 10.0;
    orders.end = 0.7;
    if (has_chromium() && has_ffmpeg()) {
        CU_ASSERT_EQUAL(film_write(&orders, "a.mp4", fresh(&err)), PERP_ERR_ARGUMENT);
        CU_ASSERT_STRING_EQUAL(
            err.text, "a.mp4: the film ends at 0.7 s, expected a time after 1 s");
    }
}

/* The folder of a film holds "film-killed.mp4" or nothing once it is given up. */
static void killed_by(int number)
{
    const char *page = page_named("film-killed.html", film_page);
    const char *folder = test_scratch("film-killed");
    char path[1024];
    pid_t pid = 0;
    double until = perp_clock() + 60.0;

    if (!has_chromium() || !has_ffmpeg()) {
        return;
    }
    own_temporary_folder();
    mkdir(folder, 0777);
    snprintf(path, sizeof path, "%s/film.mp4", folder);
    fflush(NULL);
    pid = fork();
    if (pid == 0) {
        film_orders orders = orders_of(page);
        perp_error err = {0};

        orders.speed = 1e-6; /* a million pictures */
        film_write(&orders, path, &err);
        _exit(0);
    }
    while (entries(folder) == 0 && perp_clock() < until) {
        usleep(10000);
    }
    usleep(300000);
    CU_ASSERT_EQUAL(entries(folder), 1); /* the temporary file */
    kill(pid, number);
    CU_ASSERT_EQUAL(waitpid(pid, NULL, 0), pid);
    until = perp_clock() + 10.0; /* the keeper may take five seconds */
    while (entries(folder) + entries(temporary) > 0 && perp_clock() < until) {
        usleep(10000);
    }
    CU_ASSERT_EQUAL(entries(folder), 0);
    temporary_folder_is_empty();
}

TEST(an_interrupt_leaves_nothing_behind)
{
    killed_by(SIGINT);
}

TEST(a_kill_leaves_nothing_behind)
{
    killed_by(SIGKILL);
}

TEST(a_film_that_cannot_be_written_is_explained_and_leaves_nothing)
{
    const char *page = page_named("film-full.html", film_page);
    const char *folder = test_scratch("film-full");
    char path[1024];
    film_orders orders = orders_of(page);
    perp_error err = {0};

    if (!has_chromium() || !has_ffmpeg()) {
        return;
    }
    own_temporary_folder();
    mkdir(folder, 0777);
    CU_ASSERT_EQUAL(film_write(&orders, "/no/such/folder/a.mp4", fresh(&err)),
                    PERP_ERR_WRITE);
    CU_ASSERT(strstr(err.text, "No such file or directory") != NULL);
    /* an ffmpeg that fails after it has read something */
    snprintf(path, sizeof path, "%s/ffmpeg", temporary);
    write_program(path, "head -c 100 >/dev/null; echo first >&2\n"
                        "echo 'No space left on device' >&2; exit 28");
    {
        char *before = strdup(getenv("PATH"));
        char with[4096];

        snprintf(with, sizeof with, "%s:%s", temporary, before);
        setenv("PATH", with, 1);
        snprintf(path, sizeof path, "%s/film.mp4", folder);
        CU_ASSERT_EQUAL(film_write(&orders, path, fresh(&err)), PERP_ERR_LIBRARY);
        CU_ASSERT(strstr(err.text, "ffmpeg has ended (status 28): No space left on "
                                   "device") != NULL);
        setenv("PATH", before, 1);
        free(before);
    }
    snprintf(path, sizeof path, "%s/ffmpeg", temporary);
    remove(path);
    CU_ASSERT_EQUAL(entries(folder), 0);
    temporary_folder_is_empty();
}
