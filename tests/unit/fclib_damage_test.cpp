// Damaged and foreign files: each is refused with its name, the dataset and the value.
#include <gtest/gtest.h>

#include <fstream>

#include "io/fclib/fclib.hpp"
#include "unit/fclib_samples.hpp"
#include "unit/output_samples.hpp"

namespace talus {
namespace {

using namespace fclib_samples;
using output_samples::contentOf;
using output_samples::TemporaryFolder;

class DamagedFclib : public testing::Test {
protected:
    std::string errorAfter(const std::function<void(Hdf5File&)>& damage) {
        Hdf5File file = Hdf5File::openToChange(path);
        damage(file);
        file.close();
        return errorOfReading();
    }
    std::string errorOfReading() {
        return inputErrorOf([&] { readFclib(path); });
    }
    void expectRefused(const std::function<void(Hdf5File&)>& damage, const std::vector<std::string>& words) {
        LocalSample().writeTo(path);
        check(errorAfter(damage), words);
    }
    void expectGlobalRefused(const std::function<void(Hdf5File&)>& damage, const std::vector<std::string>& words) {
        chain(4, 6, 3).writeTo(path);
        check(errorAfter(damage), words);
    }
    void check(const std::string& message, std::vector<std::string> words) {
        words.push_back("p.hdf5");
        for (const std::string& word : words)
            EXPECT_NE(message.find(word), std::string::npos) << word << " in: " << message;
    }

    static void set(Hdf5File& file, const std::string& name, const std::vector<std::int32_t>& values) {
        put(file, name, values);
    }
    static void set(Hdf5File& file, const std::string& name, const VectorXd& values) { put(file, name, values); }

    TemporaryFolder folder;
    std::filesystem::path path = folder / "p.hdf5";
    const std::string in = "/fclib_local/";
};

TEST_F(DamagedFclib, NothingThere) {
    check(errorOfReading(), {"no such file"});
    std::filesystem::create_directory(path);
    check(errorOfReading(), {"not a file"});
}

TEST_F(DamagedFclib, NoHdf5) {
    std::ofstream(path) << "a text";
    check(errorOfReading(), {"HDF5"});
    std::ofstream(path, std::ios::trunc) << "";
    check(errorOfReading(), {"HDF5"});
}

TEST_F(DamagedFclib, CutOffAnywhere) {
    LocalSample().writeTo(path);
    const std::string whole = contentOf(path);
    for (std::size_t size = 0; size + 1 < whole.size(); size += 97) {
        std::ofstream(path, std::ios::binary | std::ios::trunc) << whole.substr(0, size);
        check(errorOfReading(), {});
    }
}

TEST_F(DamagedFclib, WithoutAPart) {
    for (const char* name : {"spacedim", "W/m", "W/n", "W/nz", "W/p", "W/i", "W/x", "vectors/q", "vectors/mu"}) {
        expectRefused([&](Hdf5File& f) { f.remove(in + name); }, {in + name, "missing"});
    }
    expectRefused([&](Hdf5File& f) { f.remove("/fclib_local"); }, {"fclib_local", "fclib_global"});
    for (const char* name : {"M/x", "H/p", "vectors/f", "vectors/w", "vectors/mu"}) {
        const std::string full = std::string("/fclib_global/") + name;
        expectGlobalRefused([&](Hdf5File& f) { f.remove(full); }, {full, "missing"});
    }
}

TEST_F(DamagedFclib, RollingFriction) {
    expectRefused(
        [&](Hdf5File& f) {
            f.remove("/fclib_local");
            set(f, "/fclib_global_rolling/spacedim", std::vector<std::int32_t>{5});
        },
        {"fclib_global_rolling", "not supported"});
}

TEST_F(DamagedFclib, WrongSizes) {
    using Integers = std::vector<std::int32_t>;
    expectRefused([&](Hdf5File& f) { set(f, in + "spacedim", Integers{4}); }, {"spacedim", "2 or 3", "4"});
    expectRefused([&](Hdf5File& f) { set(f, in + "spacedim", Integers{3, 3}); }, {"spacedim", "single"});
    expectRefused([&](Hdf5File& f) { set(f, in + "spacedim", Integers{2}); }, {"vectors/q", "9", "6"});
    expectRefused([&](Hdf5File& f) { set(f, in + "W/m", Integers{8}); }, {"W/m", "8", "9"});
    expectRefused([&](Hdf5File& f) { set(f, in + "W/n", Integers{2147483647}); }, {"W/n", "2147483647"});
    expectRefused([&](Hdf5File& f) { set(f, in + "W/m", Integers{-9}); }, {"W/m", "-9"});
    expectRefused([&](Hdf5File& f) { set(f, in + "W/nz", Integers{-3}); }, {"W/nz", "-3"});
    expectRefused([&](Hdf5File& f) { set(f, in + "W/nz", Integers{2147483647}); }, {"W/i", "81", "2147483647"});
    expectRefused([&](Hdf5File& f) { set(f, in + "W/x", VectorXd(VectorXd::Ones(80))); }, {"W/x", "80", "81"});
    expectRefused([&](Hdf5File& f) { set(f, in + "W/p", Integers{0, 1}); }, {"W/p", "2", "10"});
    expectRefused([&](Hdf5File& f) { set(f, in + "vectors/q", VectorXd(VectorXd::Ones(10))); },
                  {"vectors/q", "10", "9"});
    expectRefused([&](Hdf5File& f) { set(f, in + "vectors/mu", VectorXd(VectorXd::Ones(2))); }, {"vectors/q"});
    expectRefused([&](Hdf5File& f) { set(f, "/solution/r", VectorXd(VectorXd::Ones(2))); }, {"/solution/r", "2", "9"});
    expectRefused([&](Hdf5File& f) { set(f, "/guesses/number_of_guesses", Integers{2147483647}); }, {"/guesses/1/r"});
}

TEST_F(DamagedFclib, WrongIndices) {
    using Integers = std::vector<std::int32_t>;
    Integers start(10), index(81);
    for (int k = 0; k < 10; ++k) start[k] = 9 * k;
    for (int k = 0; k < 81; ++k) index[k] = k % 9;
    const auto with = [](Integers values, int place, int value) { return values[place] = value, values; };
    expectRefused([&](Hdf5File& f) { set(f, in + "W/i", with(index, 17, 9)); }, {"W/i[17]", "9"});
    expectRefused([&](Hdf5File& f) { set(f, in + "W/i", with(index, 17, -1)); }, {"W/i[17]", "-1"});
    expectRefused([&](Hdf5File& f) { set(f, in + "W/p", with(start, 0, 1)); }, {"W/p", "1"});
    expectRefused([&](Hdf5File& f) { set(f, in + "W/p", with(start, 4, 50)); }, {"W/p", "falls"});
    expectRefused([&](Hdf5File& f) { set(f, in + "W/p", with(start, 9, 2147483646)); }, {"W/i", "2147483646"});
}

TEST_F(DamagedFclib, WrongNumbers) {
    const double nan = std::numeric_limits<double>::quiet_NaN(), inf = std::numeric_limits<double>::infinity();
    const auto with = [](VectorXd values, int place, double value) { return values[place] = value, values; };
    const VectorXd x = randomSymmetric(9, 1).reshaped(), q = VectorXd::Ones(9), mu = VectorXd::Ones(3);
    expectRefused([&](Hdf5File& f) { set(f, in + "W/x", with(x, 3, nan)); }, {"W/x[3]", "finite"});
    expectRefused([&](Hdf5File& f) { set(f, in + "vectors/q", with(q, 8, inf)); }, {"vectors/q[8]", "finite"});
    expectRefused([&](Hdf5File& f) { set(f, in + "vectors/mu", with(mu, 1, -0.5)); }, {"vectors/mu[1]", "-0.5"});
    expectRefused([&](Hdf5File& f) { set(f, in + "vectors/mu", with(mu, 1, nan)); }, {"vectors/mu[1]", "finite"});
    expectRefused([&](Hdf5File& f) { set(f, in + "W/x", VectorXd(VectorXd::Zero(81))); }, {"contact 0", "diagonal"});
    expectGlobalRefused([&](Hdf5File& f) { set(f, "/fclib_global/M/x", VectorXd(VectorXd::Zero(144))); },
                        {"/M", "definite"});
}

TEST_F(DamagedFclib, WrongKinds) {
    expectRefused([&](Hdf5File& f) { set(f, in + "W/p", VectorXd(VectorXd::Ones(10))); }, {"W/p", "type"});
    expectRefused([&](Hdf5File& f) { set(f, in + "vectors/q", std::vector<std::int32_t>(9)); }, {"vectors/q", "type"});
    expectRefused(
        [&](Hdf5File& f) {
            f.remove(in + "vectors/q");
            set(f, in + "vectors/q/inner", std::vector<std::int32_t>(9));
        },
        {"vectors/q", "not a dataset"});
    expectRefused(
        [&](Hdf5File& f) {
            f.writeDataset(in + "V/m", H5T_NATIVE_INT32, {1, 1}, std::vector<int>{9}.data());
        },
        {"/V", "/R"});
}

}  // namespace
}  // namespace talus
