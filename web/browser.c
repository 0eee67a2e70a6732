/* SPDX-License-Identifier: Apache-2.0
 * web/browser.c: a page in a headless Chromium, over the DevTools protocol on a pipe.
 *
 * A call is an object of JSON with a number; the answer has the same number, and events, which
 * have none, come between. Chromium's descriptors 3 (calls) and 4 (answers) are both its end of
 * one socket. */
#include <config.h>

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/base.h"
#include "base/json.h"
#include "web/browser.h"
#include "web/browser_start.h"

enum { BROWSER_ROOM = 1 << 16 };
/* Seconds of a call unless the caller says otherwise. */
static const double browser_seconds = 60.0;

struct browser {
    child chromium;
    int width, height;
    double seconds;
    int number;      /* of the last call */
    json_t *session; /* that of the page, a text; NULL before */
    char *text;      /* received: `length` bytes of `room`, of which `taken` are done */
    size_t length, room, taken;
};

/* --- Calls. */

/* What ended a conversation: Chromium's own last words, where it has ended. */
static perp_status browser_lost(browser *b, const char *method, const char *reason,
                                perp_error *err)
{
    char line[240];

    if (!child_wait(&b->chromium, perp_clock() + 0.2)) {
        return perp_fail(err, PERP_ERR_LIBRARY, "chromium: %s: %s", method, reason);
    }
    if (b->chromium.state == CHILD_NOT_STARTED) {
        return perp_fail(err, PERP_ERR_LIBRARY, "chromium cannot be started");
    }
    child_last_line(&b->chromium, "FATAL", line, sizeof line);
    return perp_fail(err, PERP_ERR_LIBRARY, "chromium has ended (%s %d): %s",
                     b->chromium.state < 0 ? "signal" : "status", abs(b->chromium.state),
                     *line ? line : "it gave no reason");
}

static perp_status browser_grow(browser *b, perp_error *err)
{
    if (b->taken > 0) {
        b->length -= b->taken;
        memmove(b->text, b->text + b->taken, b->length);
        b->taken = 0;
    }
    if (b->room - b->length < BROWSER_ROOM) {
        size_t room = 2 * b->room + 2 * (size_t)BROWSER_ROOM;
        char *text = realloc(b->text, room);

        if (!text) {
            return perp_fail(err, PERP_ERR_MEMORY,
                             "chromium: no memory for an answer of %zu bytes", room);
        }
        b->text = text;
        b->room = room;
    }
    return PERP_OK;
}

/* The next message, a new reference. */
static perp_status browser_receive(browser *b, const char *method, double until,
                                   json_t **message, perp_error *err)
{
    size_t seen = b->taken, got = 0;
    char *end = NULL;
    perp_error reason = {0};
    perp_status status = PERP_OK;

    while (
        !(end = b->length > seen ? memchr(b->text + seen, 0, b->length - seen) : NULL)) {
        seen = b->length - b->taken;
        status = browser_grow(b, err);
        if (status != PERP_OK) {
            return status;
        }
        status = child_receive(&b->chromium, b->text + b->length, b->room - b->length,
                               until, &got, &reason);
        if (status != PERP_OK || got == 0) {
            return browser_lost(b, method,
                                got == 0 && status == PERP_OK ? "it has closed its pipe"
                                                              : reason.text,
                                err);
        }
        b->length += got;
    }
    got = (size_t)(end - b->text) - b->taken;
    *message = json_loadb(b->text + b->taken, got, JSON_ALLOW_NUL, NULL);
    b->taken += got + 1;
    return *message ? PERP_OK
                    : perp_fail(err, PERP_ERR_LIBRARY,
                                "chromium: %s: the answer is not JSON", method);
}

/* What an event says about the page; `waited`: the name of the event that ends a wait. */
static perp_status browser_event(const json_t *message, const char *waited, bool *found,
                                 perp_error *err)
{
    const char *name = json_string_value(json_object_get(message, "method"));

    if (name && strcmp(name, "Inspector.targetCrashed") == 0) {
        return perp_fail(err, PERP_ERR_LIBRARY, "chromium: the page has crashed");
    }
    *found = name && waited && strcmp(name, waited) == 0;
    return PERP_OK;
}

static perp_status browser_send(browser *b, const char *method, json_t *params,
                                double until, perp_error *err)
{
    json_t *call = json_pack("{s:i, s:s, s:o*}", "id", ++b->number, "method", method,
                             "params", params);
    char *text = NULL;
    perp_error reason = {0};
    perp_status status = PERP_OK;

    if (call && b->session) {
        json_object_set(call, "sessionId", b->session);
    }
    text = call ? json_dumps(call, JSON_COMPACT) : NULL;
    json_decref(call);
    if (!text) {
        return perp_fail(err, PERP_ERR_MEMORY, "chromium: %s: no memory", method);
    }
    /* the 0 at the end is sent, too */
    if (child_send(&b->chromium, text, strlen(text) + 1, until, &reason) != PERP_OK) {
        status = browser_lost(b, method, reason.text, err);
    }
    free(text);
    return status;
}

/* Call a method; takes `params`. *result is a new reference; NULL: not wanted. */
static perp_status browser_call(browser *b, const char *method, json_t *params,
                                json_t **result, perp_error *err)
{
    double until = perp_clock() + b->seconds;
    perp_status status = browser_send(b, method, params, until, err);
    bool found = false;

    while (status == PERP_OK && !found) {
        json_t *message = NULL;
        const json_t *error = NULL;

        status = browser_receive(b, method, until, &message, err);
        if (status == PERP_OK &&
            json_integer_value(json_object_get(message, "id")) == b->number) {
            found = true;
            error = json_object_get(message, "error");
            if (error) {
                const char *text = json_string_value(json_object_get(error, "message"));

                status = perp_fail(err, PERP_ERR_LIBRARY, "chromium: %s: %s", method,
                                   text ? text : "it failed");
            } else if (result) {
                *result = json_incref(json_object_get(message, "result"));
            }
        } else if (status == PERP_OK) {
            status = browser_event(message, NULL, &found, err);
        }
        json_decref(message);
    }
    return status;
}

static perp_status browser_await(browser *b, const char *event, perp_error *err)
{
    double until = perp_clock() + b->seconds;
    perp_status status = PERP_OK;
    bool found = false;

    while (status == PERP_OK && !found) {
        json_t *message = NULL;

        status = browser_receive(b, event, until, &message, err);
        if (status == PERP_OK) {
            status = browser_event(message, event, &found, err);
        }
        json_decref(message);
    }
    return status;
}

/* --- The page. */

/* "/a b.html" -> "file:///a%20b.html", on the heap. */
static char *browser_address(const char *path)
{
    static const char plain[] = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz"
                                "0123456789-._~/";
    char *text = malloc(3 * strlen(path) + sizeof "file://");
    char *end = text;

    if (text) {
        end += sprintf(end, "file://");
        for (; *path; path++) {
            end += sprintf(end, strchr(plain, *path) ? "%c" : "%%%02X",
                           (unsigned char)*path);
        }
    }
    return text;
}

/* A session with a page of the size that was ordered. */
static perp_status browser_attach(browser *b, perp_error *err)
{
    json_t *made = NULL, *attached = NULL;
    perp_status status = browser_call(
        b, "Target.createTarget", json_pack("{s:s}", "url", "about:blank"), &made, err);

    if (status == PERP_OK) {
        json_t *id = json_object_get(made, "targetId");

        status = browser_call(b, "Target.attachToTarget",
                              json_pack("{s:O*, s:b}", "targetId", id, "flatten", 1),
                              &attached, err);
    }
    if (status == PERP_OK) {
        b->session = json_incref(json_object_get(attached, "sessionId"));
        status = json_is_string(b->session)
                     ? PERP_OK
                     : perp_fail(err, PERP_ERR_LIBRARY,
                                 "chromium: Target.attachToTarget: no session");
    }
    json_decref(made);
    json_decref(attached);
    if (status == PERP_OK) {
        status = browser_call(b, "Page.enable", NULL, NULL, err);
    }
    if (status == PERP_OK) {
        status = browser_call(b, "Inspector.enable", NULL, NULL, err);
    }
    if (status == PERP_OK) {
        status =
            browser_call(b, "Emulation.setDeviceMetricsOverride",
                         json_pack("{s:i, s:i, s:i, s:b}", "width", b->width, "height",
                                   b->height, "deviceScaleFactor", 1, "mobile", 0),
                         NULL, err);
    }
    return status;
}

static perp_status browser_load(browser *b, const char *file, perp_error *err)
{
    char *path = realpath(file, NULL);
    char *address = path ? browser_address(path) : NULL;
    json_t *result = NULL;
    const char *reason = NULL;
    perp_status status = PERP_OK;

    if (!path || access(path, R_OK) != 0) {
        status = perp_fail(err, PERP_ERR_READ, "%s: %s", file, strerror(errno));
    } else if (!address) {
        status = perp_fail(err, PERP_ERR_MEMORY, "%s: no memory", file);
    } else {
        status = browser_call(b, "Page.navigate", json_pack("{s:s}", "url", address),
                              &result, err);
    }
    reason = json_string_value(json_object_get(result, "errorText"));
    if (status == PERP_OK && reason) {
        status = perp_fail(err, PERP_ERR_READ, "%s: chromium: %s", file, reason);
    } else if (status == PERP_OK) {
        status = browser_await(b, "Page.loadEventFired", err);
    }
    json_decref(result);
    free(address);
    free(path);
    return status;
}

perp_status browser_open(browser **b, const browser_orders *orders, perp_error *err)
{
    perp_status status = PERP_OK;

    *b = NULL;
    if (orders->width < 1 || orders->height < 1) {
        return perp_fail(err, PERP_ERR_ARGUMENT,
                         "the size of a picture is %d x %d, expected positive numbers",
                         orders->width, orders->height);
    }
    *b = calloc(1, sizeof **b);
    if (!*b) {
        return perp_fail(err, PERP_ERR_MEMORY, "no memory for a browser");
    }
    (*b)->width = orders->width;
    (*b)->height = orders->height;
    (*b)->seconds = orders->seconds > 0.0 ? orders->seconds : browser_seconds;
    status = browser_start(&(*b)->chromium, (*b)->width, (*b)->height, err);
    if (status == PERP_OK) {
        status = browser_attach(*b, err);
    }
    if (status == PERP_OK) {
        status = browser_load(*b, orders->file, err);
    }
    if (status != PERP_OK) {
        browser_close(*b);
        *b = NULL;
    }
    return status;
}

void browser_set_seconds(browser *b, double seconds)
{
    b->seconds = seconds;
}

perp_status browser_evaluate(browser *b, const char *script, json_t **value,
                             perp_error *err)
{
    json_t *result = NULL;
    const json_t *details = NULL;
    json_t *params = json_pack("{s:s, s:b, s:b, s:b}", "expression", script,
                               "awaitPromise", 1, "returnByValue", 1, "userGesture", 1);
    perp_status status =
        params ? browser_call(b, "Runtime.evaluate", params, &result, err)
               : perp_fail(err, PERP_ERR_ARGUMENT, "the script is not valid UTF-8");

    details = json_object_get(result, "exceptionDetails");
    if (status == PERP_OK && details) {
        const json_t *thrown = json_object_get(details, "exception");
        const char *text = json_string_value(json_object_get(thrown, "description"));

        text = text ? text : json_string_value(json_object_get(thrown, "value"));
        text = text ? text : json_string_value(json_object_get(details, "text"));
        text = text ? text : "an exception without a text";
        /* the stack below the first line is of no use to a reader */
        status = perp_fail(err, PERP_ERR_LIBRARY, "%.*s", (int)strcspn(text, "\n"), text);
    } else if (status == PERP_OK && value) {
        json_t *found = json_object_get(json_object_get(result, "result"), "value");

        *value = found ? json_incref(found) : json_null();
    }
    json_decref(result);
    return status;
}

/* --- Pictures. */

/* The bytes of a base64 text, on the heap; NULL: no memory, or another character. */
static unsigned char *browser_decode(const char *text, size_t length, size_t *size)
{
    static const char letters[] =
        "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
    unsigned char place[256], *bytes = malloc(length / 4 * 3 + 4);
    unsigned long bits = 0;
    size_t count = 0, held = 0;

    memset(place, 64, sizeof place);
    for (size_t k = 0; k < 64; k++) {
        place[(unsigned char)letters[k]] = (unsigned char)k;
    }
    for (size_t k = 0; bytes && k < length && text[k] != '='; k++) {
        unsigned char value = place[(unsigned char)text[k]];

        if (value == 64) {
            free(bytes);
            return NULL;
        }
        bits = (bits << 6 | value) & 0xffffff;
        held += 6;
        if (held >= 8) {
            held -= 8;
            bytes[count++] = (unsigned char)(bits >> held & 0xff);
        }
    }
    *size = count;
    return bytes;
}

/* Width and height of a PNG are the first numbers of its first chunk. */
static bool browser_has_size(const browser *b, const unsigned char *png, size_t size)
{
    const int wanted[2] = {b->width, b->height};

    for (size_t k = 0; size >= 24 && k < 2; k++) {
        const unsigned char *n = png + 16 + 4 * k;

        if (((unsigned long)n[0] << 24 | (unsigned long)n[1] << 16 |
             (unsigned long)n[2] << 8 | n[3]) != (unsigned long)wanted[k]) {
            return false;
        }
    }
    return size >= 24 && memcmp(png, "\x89PNG\r\n\x1a\n", 8) == 0;
}

perp_status browser_screenshot(browser *b, unsigned char **png, size_t *size,
                               perp_error *err)
{
    json_t *result = NULL;
    const json_t *data = NULL;
    perp_status status = browser_call(b, "Page.captureScreenshot",
                                      json_pack("{s:s}", "format", "png"), &result, err);

    *png = NULL;
    data = json_object_get(result, "data");
    if (status == PERP_OK) {
        *png = browser_decode(json_is_string(data) ? json_string_value(data) : "?",
                              json_is_string(data) ? json_string_length(data) : 1, size);
        if (!*png || !browser_has_size(b, *png, *size)) {
            free(*png);
            *png = NULL;
            status = perp_fail(err, PERP_ERR_LIBRARY,
                               "chromium: Page.captureScreenshot: expected a PNG of "
                               "%d x %d pixels",
                               b->width, b->height);
        }
    }
    json_decref(result);
    return status;
}

void browser_close(browser *b)
{
    if (!b) {
        return;
    }
    child_end(&b->chromium); /* removes its profile */
    json_decref(b->session);
    free(b->text);
    free(b);
}
