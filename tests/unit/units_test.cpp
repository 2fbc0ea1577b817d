// Numbers with units: a table of what must be read, and what must be refused with which words.
#include "base/units.hpp"

#include <fmt/format.h>
#include <gtest/gtest.h>
#include <rapidcheck.h>

#include <numbers>

#include "talus/error.hpp"
#include "talus/suggest.hpp"

namespace talus {
namespace {

struct Good {
    const char* text;
    double value;
    const Unit& unit;
};

TEST(Units, ReadsNumbersWithUnitsIntoSi) {
    const double pi = std::numbers::pi;
    const Good table[] = {
        {"2.5 mm", 0.0025, unit::length},
        {"50 GPa", 50e9, unit::pressure},
        {"2000 kg/m^3", 2000, unit::density},
        {"30 deg", pi / 6, unit::angle},
        {"10 rpm", pi / 3, unit::angularVelocity},
        {"1e-3 s", 1e-3, unit::time},
        {"0.5 J/m^2", 0.5, unit::surfaceEnergy},
        {"3 N", 3, unit::force},
        {"100 1/s", 100, unit::frequency},
        {"9.81 m/s^2", 9.81, unit::acceleration},
        {"4 kN/m", 4000, unit::stiffness},
        {"7 um", 7e-6, unit::length},
        {"7 µm", 7e-6, unit::length},
        {"3 mg", 3e-6, unit::mass},
        {"2 min", 120, unit::time},
        {"50 Hz", 50, unit::frequency},
        {"5 kPa", 5000, unit::pressure},
        {"2 N*m", 2, unit::torque},
        {"2 N m", 2, unit::energy},
        {"1 g/cm^3", 1000, unit::density},
        {"2.65 g/cm3", 2650, unit::density},
        {"1 kg m^-3", 1, unit::density},
        {"6 J/(m^2)", 6, unit::surfaceEnergy},
        {"1.5 m²", 1.5, unit::area},
        {"2 rev/min", pi / 15, unit::angularVelocity},
        {"25 %", 0.25, unit::number},
        {"-3cm", -0.03, unit::length},
        {"+.5 m", 0.5, unit::length},
        {"12", 12, unit::length},
        {"  7 s ", 7, unit::time},
        {"1 L", 1e-3, unit::volume},
        {"90 °", pi / 2, unit::angle},
    };
    for (const Good& row : table) {
        EXPECT_DOUBLE_EQ(parseQuantity(row.text, row.unit), row.value) << row.text;
    }
}

struct Bad {
    const char* text;
    const Unit& unit;
    const char* message;
};

TEST(Units, RefusesWhatIsNotTheQuantityWantedAndSaysWhy) {
    const Bad table[] = {
        {"3 mm", unit::time, "is a length, but a time is wanted (e.g. \"0.5 s\")"},
        {"10 Hz", unit::angularVelocity, "is a frequency, but an angular velocity is wanted (e.g. \"10 rpm\")"},
        {"3 deg", unit::number, "is an angle, but a plain number is wanted (e.g. \"0.5\")"},
        {"1 kg m^2/s", unit::length, "is of dimension kg m^2 s^-1, but a length is wanted (e.g. \"2.5 mm\")"},
        {"2 Mpa", unit::pressure, "has an unknown unit 'Mpa'; did you mean 'MPa'?"},
        {"2 sec", unit::time, "has an unknown unit 'sec'"},
        {"abc", unit::length, "is not a number"},
        {"", unit::length, "is not a number"},
        {"mm", unit::length, "is not a number"},
        {"1 m^", unit::length, "needs a whole number after '^' in its unit"},
        {"1 m/", unit::length, "has an incomplete unit"},
        {"1 (m", unit::length, "lacks a ')' in its unit"},
        {"1 m)", unit::length, "has an unexpected ')' in its unit"},
        {"1 m^99", unit::length, "has a unit with too large powers"},
        {"1e400", unit::length, "is too large"},
        {"1e99999999999", unit::length, "is too large"},
        {".inf", unit::length, "is not finite"},
        {"nan", unit::length, "is not finite"},
        {"0x10", unit::length, "has an unknown unit 'x'"},
    };
    for (const Bad& row : table) {
        try {
            parseQuantity(row.text, row.unit);
            ADD_FAILURE() << "accepted " << row.text;
        } catch (const InputError& error) {
            EXPECT_TRUE(std::string(error.what()).starts_with(row.message)) << row.text << ": " << error.what();
        }
    }
}

TEST(Units, ADecimalPrefixIsTheSameDoubleAsTheShiftedNumber) {
    const bool ok = rc::check("x mm equals xe-3", [] {
        const double x = *rc::gen::arbitrary<double>();
        RC_PRE(std::isfinite(x) && std::abs(x) < 1e200);
        const std::string digits = fmt::format("{:.17e}", x);
        const std::size_t mark = digits.find('e');
        const std::string shifted =
            fmt::format("{}e{}", digits.substr(0, mark), std::stoi(digits.substr(mark + 1)) - 3);
        RC_ASSERT(parseQuantity(digits + " mm", unit::length) == parseQuantity(shifted, unit::length));
        RC_ASSERT(parseQuantity(digits, unit::length) == x);
    });
    EXPECT_TRUE(ok);
}

TEST(Units, AProductOfPowersHasTheSumOfTheirDimensions) {
    const bool ok = rc::check("m^a kg^b / s^c", [] {
        const int a = *rc::gen::inRange(-5, 6), b = *rc::gen::inRange(-5, 6), c = *rc::gen::inRange(-5, 6);
        const Measured measured = parseMeasured(fmt::format("1 m^{} kg^{} / s^{}", a, b, c));
        RC_ASSERT((measured.dimension == Dimension{a, b, -c, 0}));
        RC_ASSERT(measured.value == 1.0);
    });
    EXPECT_TRUE(ok);
}

TEST(Units, AnyTextGivesANumberOrAnInputError) {
    const bool ok = rc::check("no other way out", [](const std::string& text) {
        for (const std::string& candidate : {text, "1 " + text}) {
            try {
                RC_ASSERT(std::isfinite(parseMeasured(candidate).value));
            } catch (const InputError&) {
            }
        }
    });
    EXPECT_TRUE(ok);
}

TEST(Suggest, FindsASlipAndLeavesStrangersAlone) {
    const std::vector<std::string> keys{"radius", "position", "velocity"};
    EXPECT_EQ(nearestWord("radus", keys), "radius");
    EXPECT_EQ(nearestWord("raduis", keys), "radius");
    EXPECT_EQ(nearestWord("Velocity", keys), "velocity");
    EXPECT_EQ(nearestWord("temperature", keys), "");
    EXPECT_DOUBLE_EQ(editDistance("abc", "abc"), 0);
    EXPECT_DOUBLE_EQ(editDistance("abcd", "acbd"), 1);
}

}  // namespace
}  // namespace talus
