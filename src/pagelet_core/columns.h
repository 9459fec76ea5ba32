/* Programs over columns, the twin of pagelet/models/columns/numpy_engine.py. */

#include "column_sums.h"

CLONED static int store_lines(float *table, int64_t width, const Column *a) {
    if (a->length != width && a->length != 1) return COLUMNS_SHAPE;
#define STORE(T) { \
    const T *value = a->data; \
    if (a->length == width) { \
        for (int64_t i = 0; i < a->lines * width; i++) table[i] = (float) value[i]; \
    } else { \
        for (int64_t line = 0; line < a->lines; line++) { \
            float one = (float) value[line]; \
            for (int64_t i = 0; i < width; i++) table[line * width + i] = one; \
        } \
    } }
    if (a->kind == REAL) STORE(double)
    else if (a->kind == INT) STORE(int64_t)
    else STORE(uint8_t)
    return COLUMNS_OK;
}

/* Run one instruction that reads and writes registers only. */
static int run_operation(const int32_t *code, Column *out, Column *const *in) {
    int operation = code[0], kind = code[2];
    Pairwise pairwise = find_pairwise(operation, in[0]->kind);
    if (pairwise != NULL) return run_pairwise(pairwise, out, kind, in[0], in[1]);
    switch (operation) {
        case op_invert: return run_invert(out, in[0]);
        case op_convert: return run_convert(out, kind, in[0]);
        case op_root: return run_root(out, in[0]);
        case op_either: return run_either(out, kind, in[0], in[1], in[2]);
        case op_stack: return run_stack(out, kind, in, code[5]);
        case op_part: return run_part(out, in[0], code[3], code[4]);
        case op_gather: return run_gather(out, in[0], in[1]);
        case op_shift: return run_shift(out, in[0], code[4]);
        case op_places: return run_places(out, in[0]->length);
        case op_count: return set_number(out, INT, in[0]->length);
        case op_spread: return run_spread(out, in[0], in[1], in[2]);
        case op_sum: case op_running_sum: case op_prefix: case op_running_max: case op_coming_min:
            return run_along(operation, out, in[0]);
        case op_any: return set_number(out, MASK, find_first(in[0]) >= 0);
        case op_first: {
            int64_t first = find_first(in[0]);
            return set_number(out, INT, first < 0 ? 0 : first);
        }
        case op_least: return set_number(out, INT, find_least(in[0], in[1]));
        case op_numbered: return run_numbered(out, in[0]);
        case op_hashed: return run_hashed(out, in[0]);
        case op_sum_by: case op_max_by: return run_values_by_group(operation, out, in[0], in[1]);
        case op_count_by: case op_span_by: return run_places_by_group(operation, out, in[0]);
        case op_nearest: case op_or_above: case op_max_above:
            return run_above(operation, out, in[0], in[1]);
        case op_sum_above: return run_sum_above(out, in[0], in[1]);
        case op_or_by_part: return run_or_by_part(out, in[0], in[1]);
    }
    return COLUMNS_SHAPE;
}

/* Run a program; inputs and constants are columns that are only read. */
static int run_program(const int32_t *code, int64_t instructions, Column *registers,
                       const Column *inputs, const Column *constants, float *table,
                       int64_t width) {
    Column *in[MOST_OPERANDS];
    for (int64_t at = 0; at < instructions; at++, code += INSTRUCTION_NUMBERS) {
        int failed = COLUMNS_OK;
        for (int i = 0; i < code[5]; i++) in[i] = &registers[code[6 + i]];
        if (code[0] == op_store) {
            failed = store_lines(table + code[1] * width, width, in[0]);
        } else if (code[0] == op_input || code[0] == op_constant) {
            Column *out = &registers[code[1]];
            const Column *from = code[0] == op_input ? &inputs[code[4]] : &constants[code[4]];
            out->data = from->data;
            out->measured = 0;
            out->kind = from->kind;
            out->lines = from->lines;
            out->length = from->length;
        } else {
            failed = run_operation(code, &registers[code[1]], in);
        }
        if (failed) return failed;
    }
    return COLUMNS_OK;
}
