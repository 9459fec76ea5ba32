/* Sums and extremes of columns: along a line, by group, and in trees.
 *
 * Sums are added up in the order of places, as numpy adds them up, so that both engines of column
 * programs give the same bits. */

#include "column_values.h"

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
    if (group->kind != INT) return COLUMNS_SHAPE;
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
    if (group->kind != INT) return COLUMNS_SHAPE;
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
    if (parents->length != n || parents->kind != INT) return COLUMNS_SHAPE;
    if ((a->kind == MASK) != (operation == op_nearest)) return COLUMNS_SHAPE;
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
    if (ends->length != n || ends->kind != INT || a->kind != REAL) return COLUMNS_SHAPE;
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
    if (a->kind != INT || firsts->kind != INT) return COLUMNS_SHAPE;
    if (make_room(out, INT, 1, parts)) return COLUMNS_MEMORY;
    for (int64_t part = 0; part < parts; part++) {
        int64_t last = part + 1 < parts ? first[part + 1] : n, joined = 0;
        if (first[part] < 0 || first[part] >= last || last > n) return COLUMNS_PLACE;
        for (int64_t i = first[part]; i < last; i++) joined |= bits[i];
        ((int64_t *) out->data)[part] = joined;
    }
    return COLUMNS_OK;
}
