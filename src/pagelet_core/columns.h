/* The operations of column programs, the twin of pagelet/models/columns/numpy_engine.py.
 *
 * A column has lines of equal length in one block of memory. Sums are added up in the order of
 * places, as numpy adds them up there, so that both engines give the same bits. */

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

/* -- sums and extremes ------------------------------------------------------------------------- */

#define ALONG_LINES(T, body) \
    for (int64_t line = 0; line < a->lines; line++) { \
        const T *from = (const T *) a->data + line * n; \
        T *to = (T *) out->data + line * width; \
        (void) from; \
        body \
    }
#define BY_KIND(body) \
    if (a->kind == REAL) { ALONG_LINES(double, body(double)) } \
    else { ALONG_LINES(int64_t, body(int64_t)) }

#define SUM(T) { T sum = 0; for (int64_t i = 0; i < n; i++) sum += from[i]; to[0] = sum; }
#define RUNNING_SUM(T) { \
    if (n) to[0] = from[0]; \
    for (int64_t i = 1; i < n; i++) to[i] = to[i - 1] + from[i]; }
#define PREFIX(T) { \
    to[0] = 0; \
    if (n) to[1] = from[0]; \
    for (int64_t i = 1; i < n; i++) to[i + 1] = to[i] + from[i]; }
#define RUNNING_MAX(T) { \
    if (n) to[0] = from[0]; \
    for (int64_t i = 1; i < n; i++) to[i] = from[i] > to[i - 1] ? from[i] : to[i - 1]; }
#define COMING_MIN(T) { \
    if (n) to[n - 1] = from[n - 1]; \
    for (int64_t i = n - 2; i >= 0; i--) to[i] = from[i] < to[i + 1] ? from[i] : to[i + 1]; }

/* Prefix sums of real numbers, four lines together, as an addition takes some time. */
static inline void prefix_lines(double *to, const double *from, int64_t lines, int64_t n) {
    int64_t line = 0, width = n + 1;
    for (; line + 4 <= lines; line += 4, to += 4 * width, from += 4 * n) {
        double one = 0, two = 0, three = 0, four = 0;
        to[0] = to[width] = to[2 * width] = to[3 * width] = 0;
        for (int64_t i = 0; i < n; i++) {
            to[i + 1] = one = i ? one + from[i] : from[i];
            to[width + i + 1] = two = i ? two + from[n + i] : from[n + i];
            to[2 * width + i + 1] = three = i ? three + from[2 * n + i] : from[2 * n + i];
            to[3 * width + i + 1] = four = i ? four + from[3 * n + i] : from[3 * n + i];
        }
    }
    for (; line < lines; line++, to += width, from += n) PREFIX(double)
}

CLONED static int run_along(int operation, Column *out, const Column *a) {
    int64_t n = a->length, width = operation == op_sum ? 1 : operation == op_prefix ? n + 1 : n;
    if (a->kind == MASK) return COLUMNS_SHAPE;
    if (make_room(out, a->kind, a->lines, width)) return COLUMNS_MEMORY;
    switch (operation) {
        case op_sum: BY_KIND(SUM) break;
        case op_running_sum: BY_KIND(RUNNING_SUM) break;
        case op_prefix:
            if (a->kind == REAL) prefix_lines(out->data, a->data, a->lines, n);
            else { ALONG_LINES(int64_t, PREFIX(int64_t)) }
            break;
        case op_running_max: BY_KIND(RUNNING_MAX) break;
        case op_coming_min: BY_KIND(COMING_MIN) break;
    }
    return COLUMNS_OK;
}

/* The first place that is marked, or -1. */
static int64_t find_first(const Column *a) {
    const uint8_t *found = memchr(a->data, 1, (size_t) a->length);
    return found == NULL ? -1 : found - (const uint8_t *) a->data;
}

static int64_t find_least(const Column *marked, const Column *values) {
    const uint8_t *mask = marked->data;
    const int64_t *value = values->data;
    int64_t least = -1;
    for (int64_t i = 0; i < marked->length; i++)
        if (mask[i] && (least < 0 || value[i] < value[least])) least = i;
    return least < 0 ? 0 : least;
}

/* -- groups ------------------------------------------------------------------------------------ */

static uint64_t mix(uint64_t bits) {
    bits = (bits ^ (bits >> 30)) * 0xBF58476D1CE4E5B9ULL;
    bits = (bits ^ (bits >> 27)) * 0x94D049BB133111EBULL;
    return bits ^ (bits >> 31);
}

static int run_hashed(Column *out, const Column *a) {
    if (make_room(out, REAL, a->lines, a->length)) return COLUMNS_MEMORY;
    const int64_t *from = a->data;
    for (int64_t i = 0; i < a->lines * a->length; i++)
        ((double *) out->data)[i] =
            (double) (mix((uint64_t) from[i] + 0x9E3779B97F4A7C15ULL) >> 24);
    return COLUMNS_OK;
}

static int run_numbered(Column *out, const Column *a) {
    int64_t n = a->length, groups = 0;
    size_t slots = 16;
    while (slots < 2 * (size_t) n) slots *= 2;
    if (make_room(out, INT, 1, n)) return COLUMNS_MEMORY;
    if (n > INT32_MAX) return COLUMNS_SHAPE;
    int32_t *first = malloc(slots * sizeof(int32_t)); /* a place that has the value, or -1 */
    if (first == NULL) return COLUMNS_MEMORY;
    memset(first, -1, slots * sizeof(int32_t));
    const Word *value = a->data; /* equal real numbers have equal bits: none is -0 */
    int64_t *number = out->data;
    for (int64_t i = 0; i < n; i++) {
        size_t slot = (size_t) mix((uint64_t) value[i]) & (slots - 1);
        while (first[slot] >= 0 && value[first[slot]] != value[i]) slot = (slot + 1) & (slots - 1);
        if (first[slot] < 0) {
            first[slot] = (int32_t) i;
            number[i] = groups++;
        } else {
            number[i] = number[first[slot]];
        }
    }
    free(first);
    return COLUMNS_OK;
}

/* The number of groups; -1 if a number of a group is negative or above all places. */
static int64_t count_groups(const Column *group) {
    const int64_t *number = group->data;
    int64_t most = -1;
    for (int64_t i = 0; i < group->length; i++) {
        if (number[i] < 0 || number[i] > group->length) return -1;
        if (number[i] > most) most = number[i];
    }
    return most + 1;
}

enum { LINES_TOGETHER = 4 }; /* lines that are summed together, as an addition takes some time */

/* Sums over groups, in the order of places; the sums of the group at hand are kept at hand. */
static inline void sum_lines_by(double *to, const double *value, const int64_t *number, int64_t n,
                                int64_t groups, int lines) {
    double sum[LINES_TOGETHER] = {0};
    int64_t current = n ? number[0] : 0;
    for (int64_t i = 0; i < n; i++) {
        if (number[i] != current) {
            for (int line = 0; line < lines; line++) {
                to[line * groups + current] = sum[line];
                sum[line] = to[line * groups + number[i]];
            }
            current = number[i];
        }
        for (int line = 0; line < lines; line++) sum[line] += value[line * n + i];
    }
    for (int line = 0; n && line < lines; line++) to[line * groups + current] = sum[line];
}

/* The sum of each line over each group, or the largest value, at least 0. */
CLONED static int run_values_by_group(int operation, Column *out, const Column *a,
                                      const Column *group) {
    int64_t groups = count_groups(group), n = group->length;
    const int64_t *number = group->data;
    if (groups < 0) return COLUMNS_PLACE;
    if (a->length != n || a->kind != REAL) return COLUMNS_SHAPE;
    if (make_room(out, REAL, a->lines, groups)) return COLUMNS_MEMORY;
    memset(out->data, 0, (size_t) (a->lines * groups) * 8);
    for (int64_t line = 0; line < a->lines;) {
        const double *value = (const double *) a->data + line * n;
        double *to = (double *) out->data + line * groups;
        int together = a->lines - line >= LINES_TOGETHER ? LINES_TOGETHER : 1;
        if (operation == op_max_by) {
            for (int64_t i = 0; i < n; i++)
                if (value[i] > to[number[i]]) to[number[i]] = value[i];
            together = 1;
        } else if (together == 1) {
            sum_lines_by(to, value, number, n, groups, 1);
        } else {
            sum_lines_by(to, value, number, n, groups, LINES_TOGETHER);
        }
        line += together;
    }
    return COLUMNS_OK;
}

/* How many places each group has, or how far its last place is from its first one. */
static int run_places_by_group(int operation, Column *out, const Column *group) {
    int64_t groups = count_groups(group), n = group->length;
    const int64_t *number = group->data;
    if (groups < 0) return COLUMNS_PLACE;
    if (make_room(out, INT, 1, groups)) return COLUMNS_MEMORY;
    int64_t *span = out->data;
    memset(span, 0, (size_t) groups * 8);
    if (operation == op_count_by) {
        for (int64_t i = 0; i < n; i++) span[number[i]]++;
        return COLUMNS_OK;
    }
    for (int64_t i = n - 1; i >= 0; i--) span[number[i]] = i;
    int64_t *last = calloc((size_t) groups + 1, sizeof(int64_t));
    if (last == NULL) return COLUMNS_MEMORY;
    for (int64_t i = 0; i < n; i++) last[number[i]] = i;
    for (int64_t i = 0; i < groups; i++) span[i] = last[i] - span[i];
    free(last);
    return COLUMNS_OK;
}

/* -- trees ------------------------------------------------------------------------------------- */

CLONED static int run_above(int operation, Column *out, const Column *a, const Column *parents) {
    int64_t n = a->length;
    const int64_t *parent = parents->data;
    if (parents->length != n || (a->kind == MASK) != (operation == op_nearest)) return COLUMNS_SHAPE;
    if (make_room(out, INT, 1, n)) return COLUMNS_MEMORY;
    int64_t *to = out->data;
    for (int64_t i = 0; i < n; i++)
        if (parent[i] >= i || parent[i] < -1) return COLUMNS_PLACE;
    if (operation == op_nearest) {
        const uint8_t *marked = a->data;
        for (int64_t i = 0; i < n; i++)
            to[i] = marked[i] ? i : parent[i] < 0 ? -1 : to[parent[i]];
    } else if (operation == op_or_above) {
        const int64_t *bits = a->data;
        for (int64_t i = 0; i < n; i++) to[i] = bits[i] | (parent[i] < 0 ? 0 : to[parent[i]]);
    } else {
        const int64_t *value = a->data;
        for (int64_t i = 0; i < n; i++) {
            int64_t above = parent[i] < 0 ? 0 : to[parent[i]];
            to[i] = value[i] > above ? value[i] : above;
        }
    }
    return COLUMNS_OK;
}

enum { SUMMED_LINES = 3 }; /* lines that are summed together, as an addition takes some time */

/* Sums of several lines; what ends at a place stands side by side. */
static inline void sum_lines_above(double *to, const double *from, const int64_t *end,
                                   double *ended, int64_t n, int lines) {
    double sum[SUMMED_LINES];
    for (int64_t i = 0; i < n; i++)
        for (int line = 0; line < lines; line++)
            ended[end[i] * lines + line] += from[line * n + i];
    for (int64_t i = 0; i < n; i++)
        for (int line = 0; line < lines; line++) {
            double own = from[line * n + i] - ended[i * lines + line];
            sum[line] = i ? sum[line] + own : own;
            to[line * n + i] = sum[line];
        }
}

CLONED static int run_sum_above(Column *out, const Column *a, const Column *ends) {
    int64_t n = a->length;
    const int64_t *end = ends->data;
    if (ends->length != n || a->kind != REAL) return COLUMNS_SHAPE;
    for (int64_t i = 0; i < n; i++)
        if (end[i] < 0 || end[i] > n) return COLUMNS_PLACE;
    if (make_room(out, REAL, a->lines, n)) return COLUMNS_MEMORY;
    double *ended = malloc(((size_t) n + 1) * SUMMED_LINES * sizeof(double));
    if (ended == NULL) return COLUMNS_MEMORY;
    for (int64_t line = 0; line < a->lines;) {
        const double *from = (const double *) a->data + line * n;
        double *to = (double *) out->data + line * n;
        int together = a->lines - line >= SUMMED_LINES ? SUMMED_LINES : 1;
        memset(ended, 0, ((size_t) n + 1) * SUMMED_LINES * sizeof(double));
        if (together == 1) sum_lines_above(to, from, end, ended, n, 1);
        else sum_lines_above(to, from, end, ended, n, SUMMED_LINES);
        line += together;
    }
    free(ended);
    return COLUMNS_OK;
}

static int run_or_by_part(Column *out, const Column *a, const Column *firsts) {
    int64_t parts = firsts->length, n = a->length;
    const int64_t *first = firsts->data, *bits = a->data;
    if (a->kind != INT) return COLUMNS_SHAPE;
    if (make_room(out, INT, 1, parts)) return COLUMNS_MEMORY;
    for (int64_t part = 0; part < parts; part++) {
        int64_t last = part + 1 < parts ? first[part + 1] : n, joined = 0;
        if (first[part] < 0 || first[part] >= last || last > n) return COLUMNS_PLACE;
        for (int64_t i = first[part]; i < last; i++) joined |= bits[i];
        ((int64_t *) out->data)[part] = joined;
    }
    return COLUMNS_OK;
}

/* -- programs ---------------------------------------------------------------------------------- */

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
