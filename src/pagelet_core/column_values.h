/* The columns of programs, and what is computed value by value or only moved to other places.
 *
 * A column has lines of equal length in one block of memory. */

#include <math.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "clones.h"

enum { MASK = 0, INT = 1, REAL = 2 };

/* Why a program was stopped. */
enum { COLUMNS_OK = 0, COLUMNS_MEMORY = 1, COLUMNS_PLACE = 2, COLUMNS_SHAPE = 3 };

typedef struct {
    void *data;
    size_t room; /* bytes; 0 where the memory belongs to someone else */
    void *owned; /* memory of this column, kept for its next value */
    int64_t lines, length;
    int64_t least, largest; /* of its values, once they were looked for */
    int kind;
    int measured; /* whether they were */
} Column;

/* Whole and real numbers are as wide; where they are only moved they are words. */
#if defined(__GNUC__)
typedef int64_t __attribute__((may_alias)) Word;
#else
typedef int64_t Word;
#endif

static const size_t VALUE_BYTES[3] = {1, 8, 8};

#define OPERATIONS(X) \
    X(input) X(constant) X(store) X(add) X(subtract) X(multiply) X(divide) X(maximum) X(minimum) \
    X(less) X(less_equal) X(equal) X(not_equal) X(bit_and) X(bit_or) X(invert) X(convert) \
    X(root) X(either) X(stack) X(part) X(gather) X(shift) X(places) X(count) X(spread) X(sum) \
    X(running_sum) X(prefix) X(running_max) X(coming_min) X(any) X(first) X(least) X(numbered) \
    X(hashed) X(sum_by) X(max_by) X(count_by) X(span_by) X(nearest) X(or_above) X(max_above) \
    X(sum_above) X(or_by_part)

#define AS_NUMBER(name) op_##name,
#define AS_TEXT(name) #name,
enum { OPERATIONS(AS_NUMBER) OPERATION_COUNT };
static const char *const OPERATION_NAMES[] = {OPERATIONS(AS_TEXT)};

/* An instruction is so many numbers: operation, result, kind, lines, number, operands. */
enum { MOST_OPERANDS = 8, INSTRUCTION_NUMBERS = 6 + MOST_OPERANDS };

static int make_room(Column *column, int kind, int64_t lines, int64_t length) {
    size_t bytes = (size_t) lines * (size_t) length * VALUE_BYTES[kind];
    if (column->room < bytes || column->owned == NULL) {
        free(column->owned);
        column->room = bytes + bytes / 8 + 64;
        column->owned = malloc(column->room);
        if (column->owned == NULL) {
            column->room = 0;
            return COLUMNS_MEMORY;
        }
    }
    column->data = column->owned;
    column->measured = 0;
    column->kind = kind;
    column->lines = lines;
    column->length = length;
    return COLUMNS_OK;
}

/* -- value by value ---------------------------------------------------------------------------- */

#define PAIRWISE(name, T, R, expression) \
    CLONED static void name(R *out, const T *a, const T *b, int a_moves, int b_moves, \
                            int64_t n) { \
        if (a_moves && b_moves) { \
            for (int64_t i = 0; i < n; i++) { T x = a[i], y = b[i]; out[i] = (R) (expression); } \
        } else if (a_moves) { \
            T y = b[0]; \
            for (int64_t i = 0; i < n; i++) { T x = a[i]; out[i] = (R) (expression); } \
        } else if (b_moves) { \
            T x = a[0]; \
            for (int64_t i = 0; i < n; i++) { T y = b[i]; out[i] = (R) (expression); } \
        } else { \
            T x = a[0], y = b[0]; \
            for (int64_t i = 0; i < n; i++) out[i] = (R) (expression); \
        } \
    }

#define NUMERIC(name, expression) \
    PAIRWISE(name##_ints, int64_t, int64_t, expression) \
    PAIRWISE(name##_reals, double, double, expression)
#define COMPARING(name, expression) \
    PAIRWISE(name##_ints, int64_t, uint8_t, expression) \
    PAIRWISE(name##_reals, double, uint8_t, expression)
#define BITWISE(name, expression) \
    PAIRWISE(name##_masks, uint8_t, uint8_t, expression) \
    PAIRWISE(name##_ints, int64_t, int64_t, expression)

NUMERIC(add, x + y)
NUMERIC(subtract, x - y)
NUMERIC(multiply, x * y)
NUMERIC(maximum, x > y ? x : y)
NUMERIC(minimum, x < y ? x : y)
COMPARING(less, x < y)
COMPARING(less_equal, x <= y)
COMPARING(equal, x == y)
COMPARING(not_equal, x != y)
BITWISE(bit_and, x & y)
BITWISE(bit_or, x | y)
PAIRWISE(divide_reals, double, double, x / y)

typedef void (*Pairwise)(void *, const void *, const void *, int, int, int64_t);
#define AS_PAIRWISE(name) ((Pairwise) (void (*)(void)) name)

static Pairwise find_pairwise(int operation, int kind) {
#define NUMBERS(name) \
    case op_##name: \
        return kind == REAL ? AS_PAIRWISE(name##_reals) : AS_PAIRWISE(name##_ints);
#define BITS(name) \
    case op_##name: \
        return kind == MASK ? AS_PAIRWISE(name##_masks) : AS_PAIRWISE(name##_ints);
    switch (operation) {
        NUMBERS(add) NUMBERS(subtract) NUMBERS(multiply) NUMBERS(maximum) NUMBERS(minimum)
        NUMBERS(less) NUMBERS(less_equal) NUMBERS(equal) NUMBERS(not_equal)
        BITS(bit_and) BITS(bit_or)
    case op_divide:
        return AS_PAIRWISE(divide_reals);
    }
    return NULL;
}

/* The lines or the length that two columns make together; -1 if they do not fit. */
static int64_t meet(int64_t one, int64_t other) {
    return one == 1 || one == other ? other : other == 1 ? one : -1;
}

static int run_pairwise(Pairwise each, Column *out, int kind, const Column *a, const Column *b) {
    int64_t lines = meet(a->lines, b->lines), length = meet(a->length, b->length);
    size_t bytes = VALUE_BYTES[a->kind];
    if (lines < 0 || length < 0 || a->kind != b->kind) return COLUMNS_SHAPE;
    if (make_room(out, kind, lines, length)) return COLUMNS_MEMORY;
    int a_moves = a->length == length, b_moves = b->length == length;
    if ((a_moves || a->lines == 1) && (b_moves || b->lines == 1) &&
        (a->lines == lines || !a_moves) && (b->lines == lines || !b_moves)) {
        each(out->data, a->data, b->data, a_moves, b_moves, lines * length);
        return COLUMNS_OK;
    }
    for (int64_t line = 0; line < lines; line++) {
        const char *one = (const char *) a->data, *two = (const char *) b->data;
        if (a->lines > 1) one += (size_t) (line * a->length) * bytes;
        if (b->lines > 1) two += (size_t) (line * b->length) * bytes;
        char *to = (char *) out->data + (size_t) (line * length) * VALUE_BYTES[kind];
        each(to, one, two, a_moves, b_moves, length);
    }
    return COLUMNS_OK;
}

static int run_invert(Column *out, const Column *a) {
    if (make_room(out, MASK, a->lines, a->length)) return COLUMNS_MEMORY;
    const uint8_t *from = a->data;
    uint8_t *to = out->data;
    for (int64_t i = 0; i < a->lines * a->length; i++) to[i] = !from[i];
    return COLUMNS_OK;
}

static int run_root(Column *out, const Column *a) {
    if (a->kind != REAL) return COLUMNS_SHAPE;
    if (make_room(out, REAL, a->lines, a->length)) return COLUMNS_MEMORY;
    const double *from = a->data;
    double *to = out->data;
    for (int64_t i = 0; i < a->lines * a->length; i++) to[i] = sqrt(from[i]);
    return COLUMNS_OK;
}

CLONED static int run_convert(Column *out, int kind, const Column *a) {
    if (make_room(out, kind, a->lines, a->length)) return COLUMNS_MEMORY;
    int64_t n = a->lines * a->length;
    if (a->kind == MASK && kind == INT) {
        const uint8_t *from = a->data;
        for (int64_t i = 0; i < n; i++) ((int64_t *) out->data)[i] = from[i];
    } else if (a->kind == MASK && kind == REAL) {
        const uint8_t *from = a->data;
        for (int64_t i = 0; i < n; i++) ((double *) out->data)[i] = from[i];
    } else if (a->kind == INT && kind == REAL) {
        const int64_t *from = a->data;
        for (int64_t i = 0; i < n; i++) ((double *) out->data)[i] = (double) from[i];
    } else {
        return COLUMNS_SHAPE;
    }
    return COLUMNS_OK;
}

/* One of two words for each place; what moves is told apart outside the loops. */
CLONED static void choose_words(Word *to, const uint8_t *mask, const Word *yes, const Word *no,
                                int64_t m, int64_t p, int64_t q, int64_t n) {
    if (!m) {
        const Word *from = mask[0] ? yes : no;
        if (mask[0] ? p : q) memcpy(to, from, (size_t) n * 8);
        else for (int64_t i = 0; i < n; i++) to[i] = from[0];
    } else if (p && q) {
        for (int64_t i = 0; i < n; i++) to[i] = mask[i] ? yes[i] : no[i];
    } else if (p) {
        Word other = no[0];
        for (int64_t i = 0; i < n; i++) to[i] = mask[i] ? yes[i] : other;
    } else if (q) {
        Word one = yes[0];
        for (int64_t i = 0; i < n; i++) to[i] = mask[i] ? one : no[i];
    } else {
        Word one = yes[0], other = no[0];
        for (int64_t i = 0; i < n; i++) to[i] = mask[i] ? one : other;
    }
}

CLONED static int run_either(Column *out, int kind, const Column *which, const Column *a, const Column *b) {
    int64_t lines = meet(which->lines, meet(a->lines, b->lines));
    int64_t length = meet(which->length, meet(a->length, b->length));
    if (lines < 0 || length < 0 || a->kind != kind || b->kind != kind) return COLUMNS_SHAPE;
    if (make_room(out, kind, lines, length)) return COLUMNS_MEMORY;
    int64_t m = which->length == length, p = a->length == length, q = b->length == length;
    for (int64_t line = 0; line < lines; line++) {
        const uint8_t *mask = (const uint8_t *) which->data + (which->lines > 1) * line * which->length;
        int64_t one = (a->lines > 1) * line * a->length, two = (b->lines > 1) * line * b->length;
        int64_t to = line * length;
        if (kind == MASK) {
            const uint8_t *yes = (const uint8_t *) a->data + one, *no = (const uint8_t *) b->data + two;
            uint8_t *result = (uint8_t *) out->data + to;
            for (int64_t i = 0; i < length; i++) result[i] = mask[i * m] ? yes[i * p] : no[i * q];
        } else {
            choose_words((Word *) out->data + to, mask, (const Word *) a->data + one,
                         (const Word *) b->data + two, m, p, q, length);
        }
    }
    return COLUMNS_OK;
}

/* -- places ------------------------------------------------------------------------------------ */

/* Lines of a column, not copied: their program keeps it until they are no longer needed. */
static int run_part(Column *out, const Column *a, int64_t lines, int64_t first) {
    if (first < 0 || first + lines > a->lines) return COLUMNS_SHAPE;
    out->data = (char *) a->data + (size_t) (first * a->length) * VALUE_BYTES[a->kind];
    out->measured = 0;
    out->kind = a->kind;
    out->lines = lines;
    out->length = a->length;
    return COLUMNS_OK;
}

/* Look for the least of some places, or 0, and for the largest; columns are places many times. */
CLONED static void measure_places(Column *place) {
    const int64_t *at = place->data;
    int64_t least = 0, largest = -1;
    for (int64_t i = 0; i < place->lines * place->length; i++) {
        if (at[i] < least) least = at[i];
        if (at[i] > largest) largest = at[i];
    }
    place->least = least;
    place->largest = largest;
    place->measured = 1;
}

CLONED static int run_gather(Column *out, const Column *a, Column *place) {
    int64_t n = place->lines * place->length, most = a->length;
    const int64_t *at = place->data;
    if (place->kind != INT) return COLUMNS_SHAPE;
    if (make_room(out, a->kind, a->lines * place->lines, place->length)) return COLUMNS_MEMORY;
    if (!place->measured) measure_places(place);
    int64_t least = place->least;
    if (place->largest >= most || least < -most) return COLUMNS_PLACE;
    for (int64_t line = 0; line < a->lines; line++) {
        if (a->kind == MASK) {
            const uint8_t *from = (const uint8_t *) a->data + line * most;
            uint8_t *to = (uint8_t *) out->data + line * n;
            if (least < 0)
                for (int64_t i = 0; i < n; i++) to[i] = from[at[i] < 0 ? at[i] + most : at[i]];
            else
                for (int64_t i = 0; i < n; i++) to[i] = from[at[i]];
        } else {
            const Word *from = (const Word *) a->data + line * most;
            Word *to = (Word *) out->data + line * n;
            if (least < 0)
                for (int64_t i = 0; i < n; i++) to[i] = from[at[i] < 0 ? at[i] + most : at[i]];
            else
                for (int64_t i = 0; i < n; i++) to[i] = from[at[i]];
        }
    }
    return COLUMNS_OK;
}

static int run_shift(Column *out, const Column *a, int64_t by) {
    if (make_room(out, a->kind, a->lines, a->length)) return COLUMNS_MEMORY;
    int64_t n = a->length, gap = by < 0 ? -by : by;
    size_t bytes = VALUE_BYTES[a->kind];
    if (gap > n) gap = n;
    for (int64_t line = 0; line < a->lines; line++) {
        const char *from = (const char *) a->data + (size_t) (line * n) * bytes;
        char *to = (char *) out->data + (size_t) (line * n) * bytes;
        size_t moved = (size_t) (n - gap) * bytes, empty = (size_t) gap * bytes;
        memset(by > 0 ? to : to + moved, 0, empty);
        memcpy(by > 0 ? to + empty : to, by > 0 ? from : from + empty, moved);
    }
    return COLUMNS_OK;
}

static int run_stack(Column *out, int kind, Column *const *columns, int count) {
    int64_t lines = 0, length = columns[0]->length;
    for (int i = 0; i < count; i++) {
        if (columns[i]->length != length || columns[i]->kind != kind) return COLUMNS_SHAPE;
        lines += columns[i]->lines;
    }
    if (make_room(out, kind, lines, length)) return COLUMNS_MEMORY;
    char *to = out->data;
    for (int i = 0; i < count; i++) {
        size_t bytes = (size_t) (columns[i]->lines * length) * VALUE_BYTES[kind];
        memcpy(to, columns[i]->data, bytes);
        to += bytes;
    }
    return COLUMNS_OK;
}

static int run_places(Column *out, int64_t length) {
    if (make_room(out, INT, 1, length)) return COLUMNS_MEMORY;
    for (int64_t i = 0; i < length; i++) ((int64_t *) out->data)[i] = i;
    return COLUMNS_OK;
}

static int set_number(Column *out, int kind, int64_t number) {
    if (make_room(out, kind, 1, 1)) return COLUMNS_MEMORY;
    if (kind == MASK) *(uint8_t *) out->data = (uint8_t) number;
    else *(int64_t *) out->data = number;
    return COLUMNS_OK;
}

CLONED static int run_spread(Column *out, const Column *a, const Column *place, const Column *like) {
    int64_t length = like->length, n = place->length;
    const int64_t *at = place->data;
    if (a->length != n || place->lines != 1 || a->kind == MASK || place->kind != INT)
        return COLUMNS_SHAPE;
    if (make_room(out, a->kind, a->lines, length)) return COLUMNS_MEMORY;
    memset(out->data, 0, (size_t) (a->lines * length) * 8);
    for (int64_t i = 0; i < n; i++)
        if (at[i] < 0 || at[i] >= length) return COLUMNS_PLACE;
    for (int64_t line = 0; line < a->lines; line++) {
        const Word *from = (const Word *) a->data + line * n;
        Word *to = (Word *) out->data + line * length;
        for (int64_t i = 0; i < n; i++) to[at[i]] = from[i];
    }
    return COLUMNS_OK;
}
