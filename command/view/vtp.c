/* SPDX-License-Identifier: Apache-2.0
 * view/vtp.c: one .vtp file of VTK: the head as XML, the arrays behind it as raw bytes, each
 * after its size in 64 bits. */
#include <config.h>

#include <stdint.h>
#include <string.h>

#include "base/number.h"
#include "command/view/vtp.h"

void vtp_start(vtp_file *v, FILE *f, double time)
{
    char text[PERP_NUMBER_LENGTH];

    memset(v, 0, sizeof *v);
    v->f = f;
    perp_number_format(text, time);
    fprintf(f,
            "<?xml version=\"1.0\"?>\n"
            "<VTKFile type=\"PolyData\" version=\"1.0\" byte_order=\"%s\" "
            "header_type=\"UInt64\">\n"
            "<PolyData>\n"
            "<FieldData>\n"
            "<DataArray type=\"Float64\" Name=\"TimeValue\" NumberOfTuples=\"1\" "
            "format=\"ascii\">%s</DataArray>\n",
            __BYTE_ORDER__ == __ORDER_LITTLE_ENDIAN__ ? "LittleEndian" : "BigEndian",
            text);
}

/* Bytes of texts as numbers, a 0 after each: the form that VTK reads. */
void vtp_names(vtp_file *v, const char *title, size_t count, const char *const *names)
{
    if (count == 0) {
        return;
    }
    fprintf(v->f,
            "<Array type=\"String\" Name=\"%s\" NumberOfTuples=\"%zu\" "
            "format=\"ascii\">\n",
            title, count);
    for (size_t k = 0; k < count; k++) {
        for (const char *c = names[k]; *c; c++) {
            fprintf(v->f, "%d ", (unsigned char)*c);
        }
        fputs("0\n", v->f);
    }
    fputs("</Array>\n", v->f);
}

void vtp_piece(vtp_file *v, const vtp_counts *counts)
{
    fprintf(v->f,
            "</FieldData>\n"
            "<Piece NumberOfPoints=\"%zu\" NumberOfVerts=\"%zu\" NumberOfLines=\"%zu\" "
            "NumberOfStrips=\"0\" NumberOfPolys=\"%zu\">\n",
            counts->points, counts->vertices, counts->lines, counts->polygons);
}

void vtp_open(vtp_file *v, const char *element, const char *normals)
{
    fprintf(v->f, normals ? "<%s Normals=\"%s\">\n" : "<%s>\n", element, normals);
}

void vtp_close(vtp_file *v, const char *element)
{
    fprintf(v->f, "</%s>\n", element);
}

void vtp_array(vtp_file *v, const char *name, vtp_type type, size_t width, size_t count,
               const void *data)
{
    static const char *const names[] = {
        [VTP_U8] = "UInt8",
        [VTP_I32] = "Int32",
        [VTP_F32] = "Float32",
        [VTP_F64] = "Float64",
    };
    static const size_t sizes[] = {
        [VTP_U8] = 1, [VTP_I32] = 4, [VTP_F32] = 4, [VTP_F64] = 8};

    fprintf(v->f,
            "<DataArray type=\"%s\" Name=\"%s\" NumberOfComponents=\"%zu\" "
            "format=\"appended\" offset=\"%zu\"/>\n",
            names[type], name, width, v->offset);
    v->data[v->count] = data;
    v->bytes[v->count] = count * width * sizes[type];
    v->offset += v->bytes[v->count] + sizeof(uint64_t);
    v->count++;
}

void vtp_cells(vtp_file *v, const char *element, size_t count, const int32_t *corners,
               size_t corner_count, const int32_t *ends)
{
    vtp_open(v, element, NULL);
    vtp_array(v, "connectivity", VTP_I32, 1, corner_count, corners);
    vtp_array(v, "offsets", VTP_I32, 1, count, ends);
    vtp_close(v, element);
}

void vtp_end(vtp_file *v)
{
    fputs("</Piece>\n</PolyData>\n<AppendedData encoding=\"raw\">\n_", v->f);
    for (size_t k = 0; k < v->count; k++) {
        const uint64_t size = v->bytes[k];

        fwrite(&size, sizeof size, 1, v->f);
        if (size > 0) {
            fwrite(v->data[k], 1, size, v->f);
        }
    }
    fputs("\n</AppendedData>\n</VTKFile>\n", v->f);
}
