// Eight doubles that are worked on together: one contact per lane.
//
// Functions written for a template parameter Real run on double and on Pack alike, as long as they choose with
// select() instead of branching on data, and test with any(). Written with the compiler's vector types, so every
// machine can run it; on AVX-512 a Pack is one register. Only for inner loops compiled per vector unit.
#pragma once

#include <algorithm>
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

// The first `count` (3 or 4) of the doubles at values[stride * index[lane]] of each lane, which lie side by side: whole
// rows are read and turned into columns, which is cheaper than a gather for each column.
template <int count, int stride>
inline void gatherRows(const double* values, const std::uint32_t* index, Pack* columns) {
#if defined(__AVX512VL__)
    const auto row = [&](int lane) {
        const double* at = values + static_cast<std::size_t>(stride) * index[lane];
        return _mm256_maskz_loadu_pd((1 << count) - 1, at);
    };
    const auto rows = [&](int lane) { return _mm512_insertf64x4(_mm512_castpd256_pd512(row(lane)), row(lane + 4), 1); };
    const __m512d r0 = rows(0), r1 = rows(1), r2 = rows(2), r3 = rows(3);
    const __m512i evenPairs = _mm512_setr_epi64(0, 1, 8, 9, 4, 5, 12, 13);
    const __m512i oddPairs = _mm512_setr_epi64(2, 3, 10, 11, 6, 7, 14, 15);
    const __m512d low01 = _mm512_unpacklo_pd(r0, r1), low23 = _mm512_unpacklo_pd(r2, r3);
    const __m512d high01 = _mm512_unpackhi_pd(r0, r1), high23 = _mm512_unpackhi_pd(r2, r3);
    columns[0] = Pack(reinterpret_cast<Pack::Lanes>(_mm512_permutex2var_pd(low01, evenPairs, low23)));
    columns[1] = Pack(reinterpret_cast<Pack::Lanes>(_mm512_permutex2var_pd(high01, evenPairs, high23)));
    columns[2] = Pack(reinterpret_cast<Pack::Lanes>(_mm512_permutex2var_pd(low01, oddPairs, low23)));
    if constexpr (count == 4) {
        columns[3] = Pack(reinterpret_cast<Pack::Lanes>(_mm512_permutex2var_pd(high01, oddPairs, high23)));
    }
#else
    for (int column = 0; column < count; ++column) columns[column] = gather<stride>(values + column, index);
#endif
}

inline Pack load(const double* values) {
    Pack result;
    __builtin_memcpy(&result.lanes, values, sizeof result.lanes);
    return result;
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

// Columns to rows: the eight numbers of a lane lie side by side then, lane after lane.
inline void storeRows(const Pack (&columns)[8], double* rows) {
#if defined(__AVX512F__)
    const auto column = [&](int c) { return reinterpret_cast<__m512d>(columns[c].lanes); };
    __m512d pairs[8], quads[8];  // of columns, of every second lane; then of every fourth lane
    for (int c = 0; c < 8; c += 2) {
        pairs[c] = _mm512_unpacklo_pd(column(c), column(c + 1));
        pairs[c + 1] = _mm512_unpackhi_pd(column(c), column(c + 1));
    }
    const __m512i even = _mm512_setr_epi64(0, 1, 8, 9, 4, 5, 12, 13);
    const __m512i odd = _mm512_setr_epi64(2, 3, 10, 11, 6, 7, 14, 15);
    for (int half = 0; half < 8; half += 4) {
        for (int c = 0; c < 2; ++c) {
            quads[half + c] = _mm512_permutex2var_pd(pairs[half + c], even, pairs[half + c + 2]);
            quads[half + c + 2] = _mm512_permutex2var_pd(pairs[half + c], odd, pairs[half + c + 2]);
        }
    }
    for (int lane = 0; lane < 4; ++lane) {
        _mm512_storeu_pd(rows + 8 * lane, _mm512_shuffle_f64x2(quads[lane], quads[lane + 4], 0x44));
        _mm512_storeu_pd(rows + 8 * (lane + 4), _mm512_shuffle_f64x2(quads[lane], quads[lane + 4], 0xEE));
    }
#else
    for (int lane = 0; lane < packLanes; ++lane) {
        for (int c = 0; c < 8; ++c) rows[8 * lane + c] = columns[c].lanes[lane];
    }
#endif
}

// Writes the four numbers of each of the first lanes side by side to values[4 * index[lane]]; see gatherRows().
inline void scatterRows(const Pack (&columns)[4], double* values, const std::uint32_t* index, int lanes) {
    const Pack none(0.0);
    alignas(64) double rows[8 * packLanes];
    storeRows({columns[0], columns[1], columns[2], columns[3], none, none, none, none}, rows);
    for (int lane = 0; lane < lanes; ++lane) {
        __builtin_memcpy(values + 4 * static_cast<std::size_t>(index[lane]), rows + 8 * lane, 4 * sizeof(double));
    }
}

}  // namespace talus
