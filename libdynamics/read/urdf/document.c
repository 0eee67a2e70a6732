/* SPDX-License-Identifier: Apache-2.0
 * read/urdf/document.c: XML as elements with their attributes and lines, by the callbacks
 * of libxml2's parser.
 *
 * A document type is refused, so that no entity can be declared and nothing is fetched.
 * libxml2 prints messages without a parser, such as those of encodings, unless the thread
 * has a handler: this reader sets one during a parse and restores the former one. */
#include <config.h>

#include <libxml/parser.h>
#include <libxml/xmlerror.h>
#include <stdio.h>
#include <string.h>

#include "read/urdf/urdf.h"

typedef struct decoder {
    urdf_reader *rd;
    xmlParserCtxtPtr parser;
    urdf_element *root, *open;
    size_t count;
    perp_status status; /* the first failure */
} decoder;

perp_status urdf_no_memory(urdf_reader *rd)
{
    return perp_fail(rd->err, PERP_ERR_MEMORY, "%s: no memory to read it", rd->file);
}

void *urdf_alloc(urdf_reader *rd, size_t count, size_t size)
{
    const size_t grain = sizeof(max_align_t);
    size_t bytes = 0;
    void *out = NULL;

    if (size > 0 && count > (SIZE_MAX - grain) / size) {
        return NULL;
    }
    bytes = (count * size + grain - 1) / grain * grain;
    if (bytes > URDF_CHUNK / 4) {
        return perp_workspace_alloc(rd->ws, bytes, 1);
    }
    if (bytes > rd->chunk_left) {
        rd->chunk = perp_workspace_alloc(rd->ws, URDF_CHUNK, 1);
        rd->chunk_left = rd->chunk ? URDF_CHUNK : 0;
    }
    out = rd->chunk;
    if (rd->chunk) {
        rd->chunk += bytes;
        rd->chunk_left -= bytes;
    }
    return out;
}

/* No more callbacks; the first failure stays. */
static void decode_stop(decoder *d, perp_status status)
{
    d->status = d->status == PERP_OK ? status : d->status;
    xmlStopParser(d->parser);
}

static size_t decode_line(const decoder *d)
{
    return d->parser && d->parser->input ? (size_t)d->parser->input->line : 0;
}

/* "PREFIX:NAME" of a name and `length` bytes, copied. */
static const char *decode_text(urdf_reader *rd, const xmlChar *prefix,
                               const xmlChar *from, size_t length)
{
    size_t before = prefix ? strlen((const char *)prefix) + 1 : 0;
    char *text = urdf_alloc(rd, before + length + 1, 1);

    if (text) {
        if (prefix) {
            memcpy(text, prefix, before - 1);
            text[before - 1] = ':';
        }
        memcpy(text + before, from, length);
    }
    return text;
}

/* Five pointers an attribute: name, prefix, namespace, value, its end. */
static bool decode_attributes(urdf_reader *rd, urdf_element *e, size_t count,
                              const xmlChar **from)
{
    e->attribute_count = count;
    e->attribute = urdf_alloc(rd, count, sizeof *e->attribute);
    for (size_t k = 0; e->attribute && k < count; k++, from += 5) {
        urdf_attribute *a = &e->attribute[k];

        a->name = decode_text(rd, from[1], from[0], strlen((const char *)from[0]));
        a->value = decode_text(rd, NULL, from[3], (size_t)(from[4] - from[3]));
        if (!a->name || !a->value) {
            return false;
        }
    }
    return e->attribute != NULL;
}

static void document_on_start(void *context, const xmlChar *name, const xmlChar *prefix,
                              const xmlChar *uri, int namespaces,
                              const xmlChar **namespace, int attributes, int defaulted,
                              const xmlChar **attribute)
{
    decoder *d = context;
    urdf_element *e = NULL;

    (void)uri, (void)namespaces, (void)namespace, (void)defaulted;
    if (d->status != PERP_OK) {
        return;
    }
    if (++d->count > URDF_ELEMENTS) {
        decode_stop(d, perp_fail(d->rd->err, PERP_ERR_FORMAT,
                                 "%s:%zu: more than %d elements", d->rd->file,
                                 decode_line(d), URDF_ELEMENTS));
        return;
    }
    e = urdf_alloc(d->rd, 1, sizeof *e);
    if (e) {
        e->name = decode_text(d->rd, prefix, name, strlen((const char *)name));
        e->line = decode_line(d);
        e->up = d->open;
    }
    if (!e || !e->name || !decode_attributes(d->rd, e, (size_t)attributes, attribute)) {
        decode_stop(d, urdf_no_memory(d->rd));
        return;
    }
    if (d->open && d->open->last) {
        d->open->last->next = e;
    } else if (d->open) {
        d->open->first = e;
    } else {
        d->root = e;
    }
    if (d->open) {
        d->open->last = e;
    }
    d->open = e;
}

static void document_on_end(void *context, const xmlChar *name, const xmlChar *prefix,
                            const xmlChar *uri)
{
    decoder *d = context;

    (void)name, (void)prefix, (void)uri;
    d->open = d->open ? d->open->up : NULL;
}

static void document_on_type(void *context, const xmlChar *name, const xmlChar *external,
                             const xmlChar *system)
{
    decoder *d = context;

    (void)name, (void)external, (void)system;
    decode_stop(d, perp_fail(d->rd->err, PERP_ERR_FORMAT,
                             "%s:%zu: found a document type declaration, expected none",
                             d->rd->file, decode_line(d)));
}

#if LIBXML_VERSION >= 21200
typedef const xmlError *decode_fault;
#else
typedef xmlErrorPtr decode_fault;
#endif

/* What libxml2 says, on one line. Undeclared prefixes and the like do no harm. */
static void document_on_error(void *context, decode_fault fault)
{
    decoder *d = context;
    char text[192];

    if (d->status != PERP_OK || !fault || fault->level < XML_ERR_FATAL) {
        return;
    }
    if (fault->code == XML_ERR_NO_MEMORY) {
        d->status = urdf_no_memory(d->rd);
        return;
    }
    snprintf(text, sizeof text, "%s", fault->message ? fault->message : "malformed");
    for (size_t k = strlen(text); k > 0 && (unsigned char)text[k - 1] <= ' '; k--) {
        text[k - 1] = '\0';
    }
    for (char *c = text; *c; c++) {
        *c = (unsigned char)*c < ' ' || *c == 127 ? ' ' : *c;
    }
    d->status = perp_fail(d->rd->err, PERP_ERR_FORMAT, "%s:%zu: %s, expected XML",
                          d->rd->file, decode_line(d), text);
}

static void decode_listen(decoder *d)
{
    const xmlSAXHandler handler = {
        .initialized = XML_SAX2_MAGIC,
        .internalSubset = document_on_type,
        .startElementNs = document_on_start,
        .endElementNs = document_on_end,
        .serror = document_on_error,
    };

    *d->parser->sax = handler;
    d->parser->userData = d;
}

/* With a parser of its own. */
static void decode_run(decoder *d, const char *text, size_t length)
{
    xmlDocPtr document = NULL;

    d->parser = xmlNewParserCtxt();
    if (!d->parser) {
        d->status = urdf_no_memory(d->rd);
        return;
    }
    decode_listen(d);
    document = xmlCtxtReadMemory(d->parser, text, (int)length, NULL, NULL,
                                 XML_PARSE_NONET | XML_PARSE_COMPACT);
    xmlFreeDoc(document); /* there is none, since no callback makes it */
    if (d->status == PERP_OK && (!d->parser->wellFormed || !d->root || d->open)) {
        d->status =
            perp_fail(d->rd->err, PERP_ERR_FORMAT, "%s:%zu: malformed, expected XML",
                      d->rd->file, decode_line(d));
    }
    xmlFreeParserCtxt(d->parser);
}

perp_status urdf_decode(urdf_reader *rd, const char *text, size_t length,
                        urdf_element **root)
{
    xmlStructuredErrorFunc before = NULL;
    void *before_context = NULL;
    decoder d = {.rd = rd};

    *root = NULL;
    if (length > URDF_BYTES) {
        return perp_fail(rd->err, PERP_ERR_FORMAT, "%s: more than %d MB", rd->file,
                         URDF_BYTES >> 20);
    }
    if (length == 0) {
        return perp_fail(rd->err, PERP_ERR_FORMAT, "%s:1: empty, expected XML", rd->file);
    }
    before = xmlStructuredError;
    before_context = xmlStructuredErrorContext;
    xmlSetStructuredErrorFunc(
        &d, document_on_error); /* a parser that is not made tells, too */
    xmlInitParser();            /* under its lock, whoever is first */
    decode_run(&d, text, length);
    xmlSetStructuredErrorFunc(before_context, before);
    *root = d.status == PERP_OK ? d.root : NULL;
    return d.status;
}

/* Behind blanks, declarations and comments. */
bool perp_urdf_detect(const char *text, size_t length)
{
    static const char name[] = "<robot";
    const char *p = text;
    const char *end = text + length;

    if (length >= 3 && memcmp(text, "\xEF\xBB\xBF", 3) == 0) {
        p += 3; /* the mark of UTF-8 */
    }
    for (;;) {
        const char *close = NULL;
        bool comment = false;

        while (p < end && strchr(" \t\r\n", *p) && *p) {
            p++;
        }
        if (end - p < 2 || p[0] != '<' || (p[1] != '?' && p[1] != '!')) {
            break;
        }
        comment = end - p >= 4 && memcmp(p, "<!--", 4) == 0;
        close = p + 1;
        do {
            close = memchr(close + 1, '>', (size_t)(end - close - 1));
        } while (close && comment && (close - p < 6 || memcmp(close - 2, "--", 2) != 0));
        if (!close) {
            return false;
        }
        p = close + 1;
    }
    return (size_t)(end - p) > sizeof name - 1 && memcmp(p, name, sizeof name - 1) == 0 &&
           strchr(" \t\r\n/>", p[sizeof name - 1]) && p[sizeof name - 1];
}
