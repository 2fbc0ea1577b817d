// Files in FCLIB's format made by hand, with matrices that a test knows, for the tests of reading and writing them.
#pragma once

#include <Eigen/Dense>
#include <filesystem>
#include <functional>
#include <limits>
#include <string>
#include <vector>

#include "base/random.hpp"
#include "formats/hdf5_file.hpp"
#include "talus/error.hpp"

namespace talus::fclib_samples {

using Eigen::MatrixXd;
using Eigen::VectorXd;

enum class Form { triplets = 0, columns = -1, rows = -2 };

inline void put(Hdf5File& file, const std::string& name, std::vector<std::int32_t> values) {
    file.remove(name);
    file.writeDataset(name, H5T_NATIVE_INT32, {values.size(), 1}, values.data());
}

inline void put(Hdf5File& file, const std::string& name, const VectorXd& values) {
    file.remove(name);
    file.writeDataset(name, H5T_NATIVE_DOUBLE, {static_cast<std::uint64_t>(values.size()), 1}, values.data());
}

inline void take(const Hdf5File& file, const std::string& name, VectorXd& values) {
    file.readDataset(name, H5T_NATIVE_DOUBLE,
                     std::as_writable_bytes(std::span(values.data(), static_cast<std::size_t>(values.size()))));
}

inline void putLines(Hdf5File& file, const std::string& group, const MatrixXd& a, bool byRow) {
    std::vector<std::int32_t> start{0}, index;
    std::vector<double> value;
    for (int line = 0; line < (byRow ? a.rows() : a.cols()); ++line) {
        for (int k = 0; k < (byRow ? a.cols() : a.rows()); ++k) {
            const double x = byRow ? a(line, k) : a(k, line);
            if (x == 0) continue;
            index.push_back(k);
            value.push_back(x);
        }
        start.push_back(static_cast<std::int32_t>(index.size()));
    }
    put(file, group + "/nz", {byRow ? -2 : -1});
    put(file, group + "/p", start);
    put(file, group + "/i", index);
    put(file, group + "/x", Eigen::Map<VectorXd>(value.data(), static_cast<Eigen::Index>(value.size())));
}

// Each entry in two halves, and three more behind the end that nobody should look at.
inline void putTriplets(Hdf5File& file, const std::string& group, const MatrixXd& a) {
    std::vector<std::int32_t> row, column;
    std::vector<double> value;
    for (int half = 0; half < 2; ++half) {
        for (int k = 0; k < a.size(); ++k) {
            const int i = k / static_cast<int>(a.cols()), j = k % static_cast<int>(a.cols());
            if (a(i, j) == 0) continue;
            row.push_back(i);
            column.push_back(j);
            value.push_back(0.5 * a(i, j));
        }
    }
    put(file, group + "/nz", {static_cast<std::int32_t>(value.size())});
    for (int k = 0; k < 3; ++k) {
        row.push_back(-7);
        column.push_back(1'000'000);
        value.push_back(std::numeric_limits<double>::quiet_NaN());
    }
    put(file, group + "/p", column);
    put(file, group + "/i", row);
    put(file, group + "/x", Eigen::Map<VectorXd>(value.data(), static_cast<Eigen::Index>(value.size())));
}

inline void put(Hdf5File& file, const std::string& group, const MatrixXd& a, Form form) {
    put(file, group + "/m", {static_cast<std::int32_t>(a.rows())});
    put(file, group + "/n", {static_cast<std::int32_t>(a.cols())});
    put(file, group + "/nzmax", {static_cast<std::int32_t>(3 * a.size())});
    if (form == Form::triplets) return putTriplets(file, group, a);
    putLines(file, group, a, form == Form::rows);
}

inline MatrixXd randomMatrix(Eigen::Index rows, Eigen::Index columns, std::uint64_t stream) {
    Random random(11, stream);
    MatrixXd a(rows, columns);
    for (double& x : a.reshaped()) x = 2 * random.uniform() - 1;
    return a;
}

inline VectorXd randomVector(Eigen::Index size, std::uint64_t stream) { return randomMatrix(size, 1, stream); }

inline MatrixXd randomSymmetric(Eigen::Index size, std::uint64_t stream) {
    const MatrixXd a = randomMatrix(size, size, stream);
    return a * a.transpose() + MatrixXd::Identity(size, size);
}

struct LocalSample {
    int dimension = 3;
    MatrixXd w = randomSymmetric(9, 1), v, r;
    VectorXd q = randomVector(9, 2), mu = VectorXd::Constant(3, 0.4), s;

    void writeTo(const std::filesystem::path& path, Form form = Form::rows) const {
        Hdf5File file = Hdf5File::create(path, 0);
        put(file, "/fclib_local/spacedim", std::vector<std::int32_t>{dimension});
        put(file, "/fclib_local/W", w, form);
        put(file, "/fclib_local/vectors/q", q);
        put(file, "/fclib_local/vectors/mu", mu);
        if (r.size() > 0) {
            put(file, "/fclib_local/V", v, form);
            put(file, "/fclib_local/R", r, form);
            put(file, "/fclib_local/vectors/s", s);
        }
        file.close();
    }
};

struct GlobalSample {
    int dimension = 3;
    MatrixXd m, h, g;
    VectorXd f, w, mu, b;

    void writeTo(const std::filesystem::path& path, Form form = Form::rows) const {
        Hdf5File file = Hdf5File::create(path, 0);
        put(file, "/fclib_global/spacedim", std::vector<std::int32_t>{dimension});
        put(file, "/fclib_global/M", m, form);
        put(file, "/fclib_global/H", h, form);
        put(file, "/fclib_global/vectors/f", f);
        put(file, "/fclib_global/vectors/w", w);
        put(file, "/fclib_global/vectors/mu", mu);
        if (g.size() > 0) {
            put(file, "/fclib_global/G", g, form);
            put(file, "/fclib_global/vectors/b", b);
        }
        file.close();
    }

    MatrixXd both() const {
        MatrixXd result(h.rows(), h.cols() + g.cols());
        result.leftCols(h.cols()) = h;
        if (g.size() > 0) result.rightCols(g.cols()) = g;
        return result;
    }
    MatrixXd delassus() const { return both().transpose() * m.inverse() * both(); }
    VectorXd offset() const {
        VectorXd tail(w.size() + b.size());
        tail << w, b;
        return both().transpose() * m.inverse() * f + tail;
    }
};

// Bodies with full mass blocks; contact k touches bodies k and k + 1.
inline GlobalSample chain(Eigen::Index bodies, Eigen::Index freedoms, int dimension) {
    GlobalSample s{.dimension = dimension};
    const Eigen::Index contacts = bodies - 1;
    s.m = MatrixXd::Zero(bodies * freedoms, bodies * freedoms);
    for (Eigen::Index i = 0; i < bodies; ++i) {
        s.m.block(i * freedoms, i * freedoms, freedoms, freedoms) =
            randomSymmetric(freedoms, static_cast<std::uint64_t>(i));
    }
    s.h = MatrixXd::Zero(bodies * freedoms, contacts * dimension);
    for (Eigen::Index k = 0; k < contacts; ++k) {
        s.h.block(k * freedoms, k * dimension, 2 * freedoms, dimension) =
            randomMatrix(2 * freedoms, dimension, static_cast<std::uint64_t>(50 + k));
    }
    s.f = randomVector(bodies * freedoms, 3);
    s.w = randomVector(contacts * dimension, 4);
    s.mu = VectorXd::Constant(contacts, 0.3);
    return s;
}

inline std::string inputErrorOf(const std::function<void()>& action) {
    try {
        action();
    } catch (const InputError& error) {
        return error.what();
    }
    return "";
}

}  // namespace talus::fclib_samples
