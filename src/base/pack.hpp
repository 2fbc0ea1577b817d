// Eight doubles that are worked on together: one contact per lane.
//
// Functions written for a template parameter Real run on double and on Pack alike, as long as they choose with
// select() instead of branching on data, and test with any(). Written with the compiler's vector types, so every
// machine can run it; on AVX-512 a Pack is one register. Only for inner loops compiled per vector unit.
#pragma once

#include <algorithm>
#include <bit>
#include <cmath>
#include <cstdint>
#if defined(__x86_64__)
#include <immintrin.h>
#endif

namespace talus {

inline constexpr int packLanes = 8;

struct Mask {
    using Lanes = long long __attribute__((vector_size(64)));
    Lanes lanes;  // 0 or -1
};

struct Pack {
    using Lanes = double __attribute__((vector_size(64)));
    Lanes lanes;

    Pack() : lanes{} {}
    Pack(double value) : lanes{value, value, value, value, value, value, value, value} {}
    Pack(Lanes values) : lanes(values) {}

    double operator[](int lane) const { return lanes[lane]; }
    Pack& operator+=(const Pack& b) { return lanes += b.lanes, *this; }
    Pack& operator-=(const Pack& b) { return lanes -= b.lanes, *this; }
    Pack& operator*=(const Pack& b) { return lanes *= b.lanes, *this; }

    friend Pack operator+(const Pack& a, const Pack& b) { return a.lanes + b.lanes; }
    friend Pack operator-(const Pack& a, const Pack& b) { return a.lanes - b.lanes; }
    friend Pack operator*(const Pack& a, const Pack& b) { return a.lanes * b.lanes; }
    friend Pack operator/(const Pack& a, const Pack& b) { return a.lanes / b.lanes; }
    friend Pack operator-(const Pack& a) { return -a.lanes; }
    friend Mask operator>(const Pack& a, const Pack& b) { return {a.lanes > b.lanes}; }
    friend Mask operator<(const Pack& a, const Pack& b) { return {a.lanes < b.lanes}; }
    friend Mask operator<=(const Pack& a, const Pack& b) { return {a.lanes <= b.lanes}; }
};

inline Mask operator&(const Mask& a, const Mask& b) { return {a.lanes & b.lanes}; }
inline Mask operator|(const Mask& a, const Mask& b) { return {a.lanes | b.lanes}; }

inline bool any(const Mask& m) {
#if defined(__AVX512DQ__)
    return _mm512_movepi64_mask(reinterpret_cast<__m512i>(m.lanes)) != 0;
#else
    long long all = 0;
    for (int lane = 0; lane < packLanes; ++lane) all |= m.lanes[lane];
    return all != 0;
#endif
}
inline bool any(bool condition) { return condition; }

inline Pack select(const Mask& m, const Pack& yes, const Pack& no) { return m.lanes ? yes.lanes : no.lanes; }
inline double select(bool condition, double yes, double no) { return condition ? yes : no; }

inline Pack larger(const Pack& a, const Pack& b) { return select(a > b, a, b); }
inline double larger(double a, double b) { return a > b ? a : b; }
inline Pack smaller(const Pack& a, const Pack& b) { return select(a < b, a, b); }
inline double smaller(double a, double b) { return a < b ? a : b; }

inline Pack sqrt(const Pack& a) {
#if defined(__AVX512F__)
    return Pack(reinterpret_cast<Pack::Lanes>(_mm512_maskz_sqrt_pd(0xFF, reinterpret_cast<__m512d>(a.lanes))));
#else
    Pack result;
    for (int lane = 0; lane < packLanes; ++lane) result.lanes[lane] = __builtin_sqrt(a.lanes[lane]);
    return result;
#endif
}

// Within 4 % of the cube root of a positive normal number.
inline double roughCubeRoot(double a) {
    const auto high = static_cast<std::uint64_t>(std::bit_cast<std::int64_t>(a)) >> 32;
    return std::bit_cast<double>(((high * 0x55555556 >> 32) + 0x2A9F7893) << 32);
}
inline Pack roughCubeRoot(const Pack& a) {
    using Bits = unsigned long long __attribute__((vector_size(64)));
    const Bits high = reinterpret_cast<Bits>(a.lanes) >> 32;
    return Pack(reinterpret_cast<Pack::Lanes>(((high * 0x55555556 >> 32) + 0x2A9F7893) << 32));
}

// values[stride * index[lane]] of each lane; stride * index must stay below 2^31.
template <int stride>
inline Pack gather(const double* values, const std::uint32_t* index) {
#if defined(__AVX512F__)
    const __m256i lanes = _mm256_loadu_si256(reinterpret_cast<const __m256i*>(index));
    const __m256i scaled = _mm256_mullo_epi32(lanes, _mm256_set1_epi32(stride));
    return Pack(reinterpret_cast<Pack::Lanes>(_mm512_mask_i32gather_pd(_mm512_setzero_pd(), 0xFF, scaled, values, 8)));
#else
    alignas(64) double result[packLanes];
    for (int lane = 0; lane < packLanes; ++lane) result[lane] = values[static_cast<std::size_t>(stride) * index[lane]];
    return Pack(*reinterpret_cast<const Pack::Lanes*>(result));
#endif
}

inline Pack load(const double* values) {
    Pack result;
    __builtin_memcpy(&result.lanes, values, sizeof result.lanes);
    return result;
}

#if defined(__AVX512VL__)
// Four numbers of each lane, those of two lanes in a register, and columns of them.
namespace pack_parts {

inline __m512d rowsOfFour(const double* values, const std::uint32_t* index, int lane) {
    const auto row = [&](int l) { return _mm256_loadu_pd(values + std::size_t{4} * index[l]); };
    return _mm512_insertf64x4(_mm512_castpd256_pd512(row(lane)), row(lane + 4), 1);
}

inline void columnsOfFour(const __m512d (&rows)[4], Pack (&columns)[4]) {
    const __m512i evenPairs = _mm512_setr_epi64(0, 1, 8, 9, 4, 5, 12, 13);
    const __m512i oddPairs = _mm512_setr_epi64(2, 3, 10, 11, 6, 7, 14, 15);
    const __m512d low01 = _mm512_unpacklo_pd(rows[0], rows[1]), low23 = _mm512_unpacklo_pd(rows[2], rows[3]);
    const __m512d high01 = _mm512_unpackhi_pd(rows[0], rows[1]), high23 = _mm512_unpackhi_pd(rows[2], rows[3]);
    columns[0] = Pack(reinterpret_cast<Pack::Lanes>(_mm512_permutex2var_pd(low01, evenPairs, low23)));
    columns[1] = Pack(reinterpret_cast<Pack::Lanes>(_mm512_permutex2var_pd(high01, evenPairs, high23)));
    columns[2] = Pack(reinterpret_cast<Pack::Lanes>(_mm512_permutex2var_pd(low01, oddPairs, low23)));
    columns[3] = Pack(reinterpret_cast<Pack::Lanes>(_mm512_permutex2var_pd(high01, oddPairs, high23)));
}

}  // namespace pack_parts
#endif

// The four doubles at values[4 * index[lane]] of each lane, which lie side by side: whole rows are read and turned into
// columns, which is cheaper than a gather for each column.
inline void gatherRows(const double* values, const std::uint32_t* index, Pack (&columns)[4]) {
#if defined(__AVX512VL__)
    __m512d rows[4];
    for (int lane = 0; lane < 4; ++lane) rows[lane] = pack_parts::rowsOfFour(values, index, lane);
    pack_parts::columnsOfFour(rows, columns);
#else
    for (int column = 0; column < 4; ++column) columns[column] = gather<4>(values + column, index);
#endif
}

// The same of the sums values[4 * first[lane]] + sign * values[4 * second[lane]], with a sign for each of the four.
inline void gatherRowSums(const double* values, const std::uint32_t* first, const std::uint32_t* second,
                          const double (&sign)[4], Pack (&columns)[4]) {
#if defined(__AVX512VL__)
    const __m512d signs = _mm512_setr_pd(sign[0], sign[1], sign[2], sign[3], sign[0], sign[1], sign[2], sign[3]);
    __m512d rows[4];
    for (int lane = 0; lane < 4; ++lane) {
        rows[lane] = _mm512_add_pd(pack_parts::rowsOfFour(values, first, lane),
                                   _mm512_mul_pd(signs, pack_parts::rowsOfFour(values, second, lane)));
    }
    pack_parts::columnsOfFour(rows, columns);
#else
    for (int column = 0; column < 4; ++column) {
        columns[column] = gather<4>(values + column, first) + sign[column] * gather<4>(values + column, second);
    }
#endif
}

// One bit per lane.
inline unsigned bits(const Mask& m) {
#if defined(__AVX512DQ__)
    return _mm512_movepi64_mask(reinterpret_cast<__m512i>(m.lanes));
#else
    unsigned result = 0;
    for (int lane = 0; lane < packLanes; ++lane) result |= static_cast<unsigned>(m.lanes[lane] & 1) << lane;
    return result;
#endif
}

// Writes the lanes chosen by `lanes` (bits) one after the other; up to eight values from `to` on may be overwritten.
inline void storeChosen(const Pack& a, unsigned lanes, double* to) {
#if defined(__AVX512F__)
    const __m512d packed = _mm512_maskz_compress_pd(static_cast<__mmask8>(lanes), reinterpret_cast<__m512d>(a.lanes));
    _mm512_storeu_pd(to, packed);
#else
    for (int lane = 0, n = 0; lane < packLanes; ++lane) {
        to[n] = a.lanes[lane];
        n += static_cast<int>(lanes >> lane & 1);
    }
#endif
}
inline void storeChosen(const std::uint32_t* values, unsigned lanes, std::uint32_t* to) {
#if defined(__AVX512VL__)
    const __m256i all = _mm256_loadu_si256(reinterpret_cast<const __m256i*>(values));
    _mm256_storeu_si256(reinterpret_cast<__m256i*>(to), _mm256_maskz_compress_epi32(static_cast<__mmask8>(lanes), all));
#else
    for (int lane = 0, n = 0; lane < packLanes; ++lane) {
        to[n] = values[lane];
        n += static_cast<int>(lanes >> lane & 1);
    }
#endif
}

inline void store(const Pack& a, double* values) { __builtin_memcpy(values, &a.lanes, sizeof a.lanes); }

// Rows become columns, and columns rows.
inline void transpose(Pack (&m)[8]) {
#if defined(__AVX512F__)
    const auto row = [&](int r) { return reinterpret_cast<__m512d>(m[r].lanes); };
    const auto set = [&](int r, __m512d v) { m[r] = Pack(reinterpret_cast<Pack::Lanes>(v)); };
    __m512d pairs[8], quads[8];  // of rows, every second column of them; then every fourth one
    for (int r = 0; r < 8; r += 2) {
        pairs[r] = _mm512_unpacklo_pd(row(r), row(r + 1));
        pairs[r + 1] = _mm512_unpackhi_pd(row(r), row(r + 1));
    }
    const __m512i even = _mm512_setr_epi64(0, 1, 8, 9, 4, 5, 12, 13);
    const __m512i odd = _mm512_setr_epi64(2, 3, 10, 11, 6, 7, 14, 15);
    for (int half = 0; half < 8; half += 4) {
        for (int r = 0; r < 2; ++r) {
            quads[half + r] = _mm512_permutex2var_pd(pairs[half + r], even, pairs[half + r + 2]);
            quads[half + r + 2] = _mm512_permutex2var_pd(pairs[half + r], odd, pairs[half + r + 2]);
        }
    }
    for (int r = 0; r < 4; ++r) {
        set(r, _mm512_shuffle_f64x2(quads[r], quads[r + 4], 0x44));
        set(r + 4, _mm512_shuffle_f64x2(quads[r], quads[r + 4], 0xEE));
    }
#else
    alignas(64) double rows[8 * packLanes];
    for (int r = 0; r < 8; ++r) __builtin_memcpy(rows + 8 * r, &m[r].lanes, sizeof m[r].lanes);
    for (int r = 0; r < 8; ++r) {
        for (int c = 0; c < 8; ++c) m[r].lanes[c] = rows[8 * c + r];
    }
#endif
}

// Columns to rows: the eight numbers of a lane lie side by side then, lane after lane.
inline void storeRows(const Pack (&columns)[8], double* rows) {
    Pack m[8];
    for (int r = 0; r < 8; ++r) m[r] = columns[r];
    transpose(m);
    for (int r = 0; r < 8; ++r) store(m[r], rows + 8 * r);
}

// Writes the four numbers of each of the first lanes side by side to values[4 * index[lane]]; see gatherRows().
inline void scatterRows(const Pack (&columns)[4], double* values, const std::uint32_t* index, int lanes) {
#if defined(__AVX512VL__)
    const auto column = [&](int c) { return reinterpret_cast<__m512d>(columns[c].lanes); };
    const __m512d low01 = _mm512_unpacklo_pd(column(0), column(1)), high01 = _mm512_unpackhi_pd(column(0), column(1));
    const __m512d low23 = _mm512_unpacklo_pd(column(2), column(3)), high23 = _mm512_unpackhi_pd(column(2), column(3));
    const __m512i lower = _mm512_setr_epi64(0, 1, 8, 9, 2, 3, 10, 11),
                  upper = _mm512_setr_epi64(4, 5, 12, 13, 6, 7, 14, 15);
    const __m512d twoLanes[4] = {
        _mm512_permutex2var_pd(low01, lower, low23), _mm512_permutex2var_pd(high01, lower, high23),
        _mm512_permutex2var_pd(low01, upper, low23), _mm512_permutex2var_pd(high01, upper, high23)};
    const auto put = [&](int lane, __m256d row) {
        if (lane < lanes) _mm256_storeu_pd(values + std::size_t{4} * index[lane], row);
    };
    for (int half = 0; half < 8; half += 4) {  // lanes 0 and 2, 1 and 3; then 4 and 6, 5 and 7
        const __m512d even = twoLanes[half / 2], odd = twoLanes[half / 2 + 1];
        put(half, _mm512_castpd512_pd256(even));
        put(half + 1, _mm512_castpd512_pd256(odd));
        put(half + 2, _mm512_extractf64x4_pd(even, 1));
        put(half + 3, _mm512_extractf64x4_pd(odd, 1));
    }
#else
    for (int lane = 0; lane < lanes; ++lane) {
        for (int c = 0; c < 4; ++c)
            values[4 * static_cast<std::size_t>(index[lane]) + static_cast<std::size_t>(c)] = columns[c].lanes[lane];
    }
#endif
}

}  // namespace talus
