#include "model/kernels/bfloat16_tiles.h"

#include <algorithm>
#include <cstring>
#include <stdexcept>
#include <vector>

#include "model/kernels/bfloat16_sums.h"
#include "model/kernels/cpu_kernels.h"
#include "model/kernels/instruction_set.h"

#ifdef __x86_64__
#include <cpuid.h>
#include <sys/syscall.h>
#include <unistd.h>
#endif

namespace craft {

#ifdef __x86_64__

namespace {

// Linux gives the tiles' registers only to who asks for them, since they make the state of a thread larger.
bool system_gives_tiles() {
    constexpr int kAskForState = 0x1023, kTileData = 18;  // ARCH_REQ_XCOMP_PERM, XFEATURE_XTILEDATA
    return ::syscall(SYS_arch_prctl, kAskForState, kTileData) == 0;
}

bool processor_has_bfloat16_tiles() {
    constexpr unsigned kBfloat16 = 1U << 22, kTiles = 1U << 24;
    unsigned a = 0, b = 0, c = 0, d = 0;
    return __get_cpuid_count(7, 0, &a, &b, &c, &d) != 0 && (d & kBfloat16) != 0 && (d & kTiles) != 0;
}

}  // namespace

bool has_bfloat16_tiles() {
    static const bool has =
        has_bfloat16_products() && forced_cpu_kernels().empty() && processor_has_bfloat16_tiles() && system_gives_tiles();
    return has;
}

CRAFT_INSTRUCTIONS("avx512f,avx512bw,avx512vl,avx512bf16,amx-tile,amx-bf16")

namespace {

constexpr int64_t kTileRows = 16, kStretch = 32;         // of a tile of the left side: rows, elements of bfloat16
constexpr int64_t kTileElements = kTileRows * kStretch;  // 1 KB
// Panels often come from memory when the first rows pass over them: this many elements are asked for ahead.
constexpr int64_t kTilesAhead = 4 * kTileElements;

struct alignas(64) TileShapes {
    uint8_t palette = 1, start_row = 0, reserved[14] = {};
    uint16_t row_bytes[16] = {};
    uint8_t rows[16] = {};
};

// Tiles 0 to 3 are sums [rows][16 columns], two beside two; 4 and 5 the left side's; 6 and 7 the panels' [16 pairs][16][2].
// Fewer rows take less time.
void shape_tiles(int64_t upper_rows, int64_t lower_rows) {
    TileShapes shapes;
    for (const int tile : {0, 1, 4}) shapes.rows[tile] = static_cast<uint8_t>(upper_rows);
    for (const int tile : {2, 3, 5}) shapes.rows[tile] = static_cast<uint8_t>(std::max<int64_t>(lower_rows, 1));
    for (const int tile : {6, 7}) shapes.rows[tile] = kTileRows;
    for (int tile = 0; tile < 8; ++tile) shapes.row_bytes[tile] = 64;
    _tile_loadconfig(&shapes);
}

// Up to 32 rows of the left side. What is after the last whole stretch lies in `tail`, zeros around it.
struct LeftRows {
    const uint16_t* rows = nullptr;
    int64_t stride = 0, upper = 0, lower = 0;
    alignas(64) uint16_t tail[2 * kTileElements];

    void take_tail(int64_t whole, int64_t inner) {
        std::memset(tail, 0, sizeof tail);
        for (int64_t i = 0; i < upper + lower; ++i)
            std::memcpy(tail + i * kStretch, rows + i * stride + whole, static_cast<size_t>(inner - whole) * 2);
    }
};

void finish_tile(const Bfloat16Task& task, const float* sums, int64_t row, int64_t rows, int64_t column) {
    for (int64_t i = 0; i < rows; ++i) finish_bfloat16_sums(task, row + i, column, _mm512_load_ps(sums + i * kTileRows));
}

// Rows [row, row + upper + lower) of `task`, whose left side is `left`. ReadsAhead: panels may come from memory.
template <bool Lower, bool ReadsAhead>
void multiply_rows(const Bfloat16Task& task, const LeftRows& left, int64_t row) {
    const int64_t whole = task.inner / kStretch * kStretch, over = task.inner - whole;
    const int64_t panel = 16 * (task.panel_inner == 0 ? task.inner : (task.panel_inner + 1) / 2 * 2);
    const int64_t left_bytes = left.stride * 2;
    const uint16_t *const upper = left.rows, *const lower = left.rows + kTileRows * left.stride;
    alignas(64) float sums[4][kTileRows * kTileRows];
    alignas(64) uint16_t ends[2][kTileElements];
    for (int64_t column = 0; column < task.columns; column += 32) {
        const uint16_t* const first = task.panels + column / 16 * panel;
        const bool two = column + 16 < task.columns;
        const uint16_t* const second = two ? first + panel : first;
        _tile_zero(0);
        _tile_zero(1);
        if (Lower) _tile_zero(2);
        if (Lower) _tile_zero(3);
        const auto step = [&](const uint16_t* a, const uint16_t* b, int64_t bytes, const uint16_t* x, const uint16_t* y) {
            _tile_loadd(4, a, bytes);
            _tile_loadd(6, x, 64);
            _tile_dpbf16ps(0, 4, 6);
            if (two) _tile_loadd(7, y, 64);
            if (two) _tile_dpbf16ps(1, 4, 7);
            if (Lower) _tile_loadd(5, b, bytes);
            if (Lower) _tile_dpbf16ps(2, 5, 6);
            if (Lower && two) _tile_dpbf16ps(3, 5, 7);
        };
        for (int64_t k = 0; k < whole; k += kStretch) {
            const uint16_t *const x = first + k * 16, *const y = second + k * 16;
            if (ReadsAhead)
                for (int64_t line = 0; line < kTileElements; line += 32) {
                    __builtin_prefetch(x + kTilesAhead + line);
                    __builtin_prefetch(y + kTilesAhead + line);
                }
            step(upper + k, lower + k, left_bytes, x, y);
        }
        if (over > 0) {
            std::memset(ends, 0, sizeof ends);
            std::memcpy(ends[0], first + whole * 16, static_cast<size_t>(over) * 32);
            std::memcpy(ends[1], second + whole * 16, static_cast<size_t>(over) * 32);
            step(left.tail, left.tail + kTileElements, 64, ends[0], ends[1]);
        }
        const bool plain = task.c_is_float && !task.add && task.factors == nullptr && column + 32 <= task.columns;
        if (plain) {
            float* const to = static_cast<float*>(task.c) + row * task.c_stride + column;
            const int64_t bytes = task.c_stride * 4;
            _tile_stored(0, to, bytes);
            _tile_stored(1, to + 16, bytes);
            if (Lower) _tile_stored(2, to + kTileRows * task.c_stride, bytes);
            if (Lower) _tile_stored(3, to + kTileRows * task.c_stride + 16, bytes);
            continue;
        }
        _tile_stored(0, sums[0], 64);
        if (two) _tile_stored(1, sums[1], 64);
        if (Lower) _tile_stored(2, sums[2], 64);
        if (Lower && two) _tile_stored(3, sums[3], 64);
        finish_tile(task, sums[0], row, left.upper, column);
        if (two) finish_tile(task, sums[1], row, left.upper, column + 16);
        if (Lower) finish_tile(task, sums[2], row + kTileRows, left.lower, column);
        if (Lower && two) finish_tile(task, sums[3], row + kTileRows, left.lower, column + 16);
    }
}

// Rows [row, row + count) of a left side in pairs as rows of `stride` elements.
void unpair_rows(const Bfloat16Task& task, int64_t row, int64_t count, int64_t stride, uint16_t* to) {
    for (int64_t pair = 0; pair < task.inner / 2; ++pair) {
        const uint16_t* const from = task.a + 2 * (pair * task.a_stride + row);
        for (int64_t i = 0; i < count; ++i) std::memcpy(to + i * stride + 2 * pair, from + 2 * i, 4);
    }
}

}  // namespace

void multiply_by_tiles(const Bfloat16Task& task) {
    const int64_t whole = task.inner / kStretch * kStretch;
    int64_t shaped_upper = 0, shaped_lower = 0;
    std::vector<uint16_t> unpaired;
    if (task.a_paired) unpaired.resize(static_cast<size_t>(2 * kTileRows * task.inner));
    for (int64_t row = 0; row < task.rows; row += 2 * kTileRows) {
        LeftRows left;
        left.upper = std::min(kTileRows, task.rows - row);
        left.lower = std::clamp<int64_t>(task.rows - row - kTileRows, 0, kTileRows);
        left.rows = task.a + row * task.a_stride;
        left.stride = task.a_stride;
        if (task.a_paired) {
            unpair_rows(task, row, left.upper + left.lower, task.inner, unpaired.data());
            left.rows = unpaired.data();
            left.stride = task.inner;
        }
        if (whole < task.inner) left.take_tail(whole, task.inner);
        if (left.upper != shaped_upper || left.lower != shaped_lower) shape_tiles(left.upper, left.lower);
        shaped_upper = left.upper;
        shaped_lower = left.lower;
        const bool ahead = row == 0 && !task.a_paired;
        if (left.lower > 0)
            ahead ? multiply_rows<true, true>(task, left, row) : multiply_rows<true, false>(task, left, row);
        else
            ahead ? multiply_rows<false, true>(task, left, row) : multiply_rows<false, false>(task, left, row);
    }
    _tile_release();
}

CRAFT_INSTRUCTIONS_END

#else

bool has_bfloat16_tiles() {
    return false;
}
void multiply_by_tiles(const Bfloat16Task&) {
    throw std::logic_error("products by tiles without has_bfloat16_tiles()");
}

#endif

}  // namespace craft
