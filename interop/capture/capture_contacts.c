/* SPDX-License-Identifier: Apache-2.0
 * capture/capture_contacts.c: numbers of objects, and of contacts, which engines find again in
 * every step without a name. A contact is found again by its two objects and its place. */
#include <config.h>

#include <math.h>
#include <pthread.h>
#include <search.h>
#include <stdlib.h>

#include "interop/capture/capture.h"
#include "interop/capture/capture_contacts.h"

typedef struct contact {
    const void *world;
    uint64_t a, b, number;
    double x[3];
    bool seen; /* in the present step of its world */
} contact;

typedef struct object {
    const void *address;
    uint64_t number;
} object;

static struct {
    pthread_mutex_t lock;
    contact *contacts;
    size_t count, capacity;
    void *objects; /* a tree of tsearch */
    uint64_t numbers;
} known = {.lock = PTHREAD_MUTEX_INITIALIZER};

static _Thread_local const void *present_world;

static int object_compare(const void *a, const void *b)
{
    const char *p = ((const object *)a)->address, *q = ((const object *)b)->address;

    return (p > q) - (p < q);
}

uint64_t capture_object(const void *address)
{
    object *added = NULL;
    void *node = NULL;
    uint64_t number = 0;

    if (!address || !(added = malloc(sizeof *added))) {
        return 0;
    }
    added->address = address;
    pthread_mutex_lock(&known.lock);
    added->number = known.numbers + 1;
    node = tsearch(added, &known.objects, object_compare);
    if (node) {
        number = (*(object **)node)->number;
    }
    known.numbers += number == added->number;
    if (!node || *(object **)node != added) {
        free(added);
    }
    pthread_mutex_unlock(&known.lock);
    return number;
}

void capture_contacts_start(const void *world)
{
    present_world = world;
}

static double contact_radius(void)
{
    const char *text = getenv("PERP_CAPTURE_RADIUS");
    double radius = text ? strtod(text, NULL) : 0.0;

    return radius > 0.0 ? radius : 0.02;
}

/* The nearest contact of the two that was not seen in this step, or NULL. */
static contact *contact_find(uint64_t a, uint64_t b, const double x[3])
{
    double least = contact_radius();
    contact *found = NULL;

    for (size_t k = 0; k < known.count; k++) {
        contact *c = &known.contacts[k];
        double d = 0.0;

        if (c->seen || c->a != a || c->b != b || c->world != present_world) {
            continue;
        }
        d = hypot(hypot(x[0] - c->x[0], x[1] - c->x[1]), x[2] - c->x[2]);
        if (d < least) {
            least = d;
            found = c;
        }
    }
    return found;
}

static contact *contact_add(uint64_t a, uint64_t b)
{
    size_t capacity = 2 * known.count + 64;
    contact *contacts = known.contacts;

    if (known.count == known.capacity) {
        contacts = realloc(contacts, capacity * sizeof *contacts);
        if (!contacts) {
            return NULL;
        }
        known.contacts = contacts;
        known.capacity = capacity;
    }
    contacts[known.count] =
        (contact){.world = present_world, .a = a, .b = b, .number = ++known.numbers};
    return &contacts[known.count++];
}

uint64_t capture_contact(uint64_t a, uint64_t b, const double x[3])
{
    uint64_t number = 0;
    contact *c = NULL;

    if (a > b) {
        uint64_t exchanged = a;

        a = b;
        b = exchanged;
    }
    pthread_mutex_lock(&known.lock);
    c = contact_find(a, b, x);
    if (!c) {
        c = contact_add(a, b);
    }
    if (c) {
        c->seen = true;
        for (int k = 0; k < 3; k++) {
            c->x[k] = x[k];
        }
        number = c->number;
    }
    pthread_mutex_unlock(&known.lock);
    return number;
}

void capture_contacts_end(void)
{
    size_t kept = 0;

    pthread_mutex_lock(&known.lock);
    for (size_t k = 0; k < known.count; k++) {
        contact *c = &known.contacts[k];

        if (c->world == present_world && !c->seen) {
            continue;
        }
        c->seen = c->seen && c->world != present_world;
        known.contacts[kept++] = *c;
    }
    known.count = kept;
    pthread_mutex_unlock(&known.lock);
}

uint64_t capture_key(uint64_t number, size_t part)
{
    return number == 0 || part > 255 ? 0 : (number << 8) | part;
}
