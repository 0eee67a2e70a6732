/* SPDX-License-Identifier: Apache-2.0
 * view/encoder.c: pictures as a film, by ffmpeg.
 *
 * The pictures are sent to its standard input. The palette of a GIF needs all pictures before the
 * first one is written: they are kept in a file next to the film, and a second ffmpeg reads that
 * file twice, so that memory does not grow with the film. */
#include <config.h>

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/base.h"
#include "base/file.h"
#include "command/cli/take.h"
#include "command/view/encoder.h"
#include "web/child.h"

enum { ENCODER_WORDS = 48 };
/* Seconds that ffmpeg may take for one picture, and for its end after the last one. */
static const double encoder_picture_seconds = 120.0, encoder_end_seconds = 3600.0;

/* A format of films; each list of words is ended by NULL. */
typedef struct encoder_format {
    const char *extension;
    bool even;  /* colours are stored for squares of 2 x 2 pixels */
    bool twice; /* a palette from all pictures comes first */
    const char *words[20];
} encoder_format;

/* The matrix of colours is stated, since players assume different ones. */
#define ENCODER_COLOURS                                                                  \
    "-vf", "scale=out_color_matrix=bt709:out_range=tv,format=yuv420p", "-colorspace",    \
        "bt709", "-color_primaries", "bt709", "-color_trc", "bt709"

static const encoder_format encoder_formats[] = {
    {".mp4",
     true,
     false,
     {ENCODER_COLOURS, "-c:v", "libx264", "-preset", "medium", "-crf", "18", "-movflags",
      "+faststart", "-f", "mp4"}},
    {".webm",
     true,
     false,
     {ENCODER_COLOURS, "-c:v", "libvpx-vp9", "-crf", "30", "-b:v", "0", "-row-mt", "1",
      "-f", "webm"}},
    {".gif",
     false,
     true,
     {"-filter_complex",
      "[0:v]palettegen=stats_mode=diff[p];[1:v][p]paletteuse=dither=bayer:bayer_scale=5:"
      "diff_mode=rectangle",
      "-loop", "0", "-f", "gif"}},
};

struct encoder {
    child ffmpeg[2]; /* the second one for a film in two parts */
    size_t at_work;
    perp_file_out out;
    const encoder_format *format;
    char program[CHILD_PATH];
    char *kept;         /* file with the pictures of a GIF, or NULL */
    char *target;       /* "file:…" that the ffmpeg at work writes */
    char *source;       /* "file:…" of `kept` */
    const char *end[3]; /* what remains of a film that is given up */
    char rate[32];
};

static const encoder_format *encoder_format_of(const char *path)
{
    for (size_t k = 0; k < sizeof encoder_formats / sizeof *encoder_formats; k++) {
        if (perp_path_ends(path, encoder_formats[k].extension)) {
            return &encoder_formats[k];
        }
    }
    return NULL;
}

perp_status encoder_check(const char *path, int width, int height, perp_error *err)
{
    const encoder_format *format = encoder_format_of(path);
    char program[CHILD_PATH];

    if (!format) {
        return perp_fail(err, PERP_ERR_ARGUMENT,
                         "%s: the extension names no film, expected .mp4, .webm or .gif",
                         path);
    }
    if (format->even && (width % 2 != 0 || height % 2 != 0)) {
        return perp_fail(err, PERP_ERR_ARGUMENT,
                         "%s: the size is %d x %d, expected even numbers for %s", path,
                         width, height, format->extension);
    }
    return child_find("ffmpeg", program)
               ? PERP_OK
               : perp_fail(err, PERP_ERR_LIBRARY,
                           "%s: ffmpeg was not found (the Debian package ffmpeg)", path);
}

/* "WORD" in front of a path and "BEHIND" after it, on the heap. */
static char *encoder_text(const char *front, const char *path, const char *behind)
{
    size_t room = strlen(front) + strlen(path) + strlen(behind) + 1;
    char *text = take(1, room);

    snprintf(text, room, "%s%s%s", front, path, behind);
    return text;
}

static void encoder_add_words(const char **argv, size_t *count, const char *const *words)
{
    for (; *words; words++) {
        argv[(*count)++] = *words;
    }
}

/* Start an ffmpeg: `input` words, then what makes the file at `target`. */
static perp_status encoder_start(encoder *e, const char *const *input,
                                 const char *const *output, perp_error *err)
{
    static const char *const first[] = {"-hide_banner", "-loglevel", "error",
                                        "-nostdin",     "-y",        NULL};
    static const int sockets[] = {0, -1};
    const char *argv[ENCODER_WORDS];
    size_t count = 0;

    argv[count++] = e->program;
    encoder_add_words(argv, &count, first);
    encoder_add_words(argv, &count, input);
    encoder_add_words(argv, &count, output);
    argv[count++] = e->target;
    argv[count] = NULL;
    return child_start(
        &e->ffmpeg[e->at_work],
        &(child_orders){.argv = argv, .sockets = sockets, .leftover = e->end}, err);
}

/* Names of files: those that ffmpeg writes, and those that do not outlive a failure. */
static void encoder_name_files(encoder *e)
{
    const char *written = e->out.temporary;

    if (e->format->twice) {
        e->kept = encoder_text("", e->out.temporary, ".pictures");
        e->source = encoder_text("file:", e->kept, "");
        written = e->kept;
    }
    /* "file:" since a path may look like an option or a protocol */
    e->target = encoder_text("file:", written, "");
    e->end[0] = e->out.temporary;
    e->end[1] = e->kept;
}

perp_status encoder_open(encoder **e, const char *path, double rate, perp_error *err)
{
    static const char *const keep[] = {"-c:v", "copy", "-f", "matroska", NULL};
    perp_status status = PERP_OK;

    *e = take(1, sizeof **e);
    (*e)->format = encoder_format_of(path);
    if (!(*e)->format || !child_find("ffmpeg", (*e)->program)) {
        status = encoder_check(path, 2, 2, err);
    }
    if (status == PERP_OK) {
        status = perp_file_create(&(*e)->out, path, err);
    }
    if (status == PERP_OK) {
        encoder_name_files(*e);
        const char *const input[] = {
            "-f", "image2pipe", "-framerate", (*e)->rate, "-c:v", "png", "-i", "-", NULL};

        snprintf((*e)->rate, sizeof(*e)->rate, "%.6f", rate);
        status = encoder_start(*e, input, (*e)->kept ? keep : (*e)->format->words, err);
    }
    if (status != PERP_OK) {
        encoder_free(*e);
        *e = NULL;
    }
    return status;
}

/* Why the ffmpeg that is at work failed: its last line, or what this side saw. */
static perp_status encoder_failed(encoder *e, const char *reason, perp_error *err)
{
    child *c = &e->ffmpeg[e->at_work];
    char line[300] = "";

    if (!child_wait(c, perp_clock() + 1.0)) {
        return perp_fail(err, PERP_ERR_LIBRARY, "%s: ffmpeg: %s", e->out.path, reason);
    }
    if (c->state == CHILD_NOT_STARTED) {
        return perp_fail(err, PERP_ERR_LIBRARY, "%s: %s cannot be started", e->out.path,
                         e->program);
    }
    child_last_line(c, "", line, sizeof line);
    return perp_fail(err, PERP_ERR_LIBRARY, "%s: ffmpeg has ended (%s %d): %s",
                     e->out.path, c->state < 0 ? "signal" : "status", abs(c->state),
                     *line ? line : "it gave no reason");
}

perp_status encoder_add(encoder *e, const unsigned char *png, size_t size,
                        perp_error *err)
{
    perp_error reason = {0};

    return child_send(&e->ffmpeg[0], png, size, perp_clock() + encoder_picture_seconds,
                      &reason) == PERP_OK
               ? PERP_OK
               : encoder_failed(e, reason.text, err);
}

static perp_status encoder_wait(encoder *e, perp_error *err)
{
    child *c = &e->ffmpeg[e->at_work];

    child_close_input(c);
    if (!child_wait(c, perp_clock() + encoder_end_seconds)) {
        return perp_fail(err, PERP_ERR_LIBRARY, "%s: ffmpeg does not end", e->out.path);
    }
    return c->state == 0 ? PERP_OK : encoder_failed(e, "", err);
}

/* The second ffmpeg of a film in two parts. The first one stays until encoder_free, since its end
 * removes the files. */
static perp_status encoder_again(encoder *e, perp_error *err)
{
    const char *const input[] = {"-i", e->source, "-i", e->source, NULL};

    free(e->target);
    e->target = encoder_text("file:", e->out.temporary, "");
    e->at_work = 1;
    return encoder_start(e, input, e->format->words, err);
}

perp_status encoder_finish(encoder *e, perp_error *err)
{
    perp_status status = encoder_wait(e, err);

    if (status == PERP_OK && e->format->twice) {
        status = encoder_again(e, err);
        status = status == PERP_OK ? encoder_wait(e, err) : status;
    }
    return status == PERP_OK ? perp_file_commit(&e->out, err) : status;
}

void encoder_free(encoder *e)
{
    if (!e) {
        return;
    }
    child_end(&e->ffmpeg[0]);
    child_end(&e->ffmpeg[1]);
    perp_file_abandon(&e->out);
    free(e->kept);
    free(e->source);
    free(e->target);
    free(e);
}
