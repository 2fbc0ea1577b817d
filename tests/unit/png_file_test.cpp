// PNG files: what was written is read, and what is damaged is refused.
#include "formats/png_file.hpp"

#include <gtest/gtest.h>

#include <fstream>

#include "talus/error.hpp"
#include "unit/grain_images.hpp"
#include "unit/output_samples.hpp"

namespace talus {
namespace {

using output_samples::contentOf;
using output_samples::TemporaryFolder;

std::vector<std::uint16_t> ramp(std::size_t count, int step) {
    std::vector<std::uint16_t> samples;
    for (std::size_t k = 0; k < count; ++k)
        samples.push_back(static_cast<std::uint16_t>(k * static_cast<std::size_t>(step)));
    return samples;
}

TEST(PngFile, KeepsSamplesOfEveryKind) {
    const TemporaryFolder folder;
    for (const int channels : {1, 3}) {
        for (const int bits : {8, 16}) {
            const std::vector<std::uint16_t> samples =
                ramp(static_cast<std::size_t>(7 * 5 * channels), bits == 8 ? 2 : 600);
            test::savePng(folder / "a.png", 7, 5, channels, bits, samples);
            const PngImage image = readPng(folder / "a.png");
            EXPECT_EQ(image.width, 7);
            EXPECT_EQ(image.height, 5);
            EXPECT_EQ(image.channels, channels);
            EXPECT_EQ(image.largest, bits == 8 ? 255 : 65535);
            EXPECT_EQ(image.samples, samples);
        }
    }
}

TEST(PngFile, IsReadAsItWasWritten) {
    const TemporaryFolder folder;
    std::vector<unsigned char> colours;
    for (int k = 0; k < 3 * 4 * 6; ++k) colours.push_back(static_cast<unsigned char>(3 * k));
    writePng(folder / "a.png", 4, 6, colours);
    const PngImage image = readPng(folder / "a.png");
    EXPECT_EQ(std::vector<unsigned char>(image.samples.begin(), image.samples.end()), colours);
}

void expectRefused(const std::filesystem::path& file, const std::string& words) {
    try {
        readPng(file);
        ADD_FAILURE() << "not refused: " << words;
    } catch (const InputError& error) {
        EXPECT_NE(std::string(error.what()).find(words), std::string::npos) << error.what();
        EXPECT_NE(std::string(error.what()).find(file.string()), std::string::npos) << error.what();
    }
}

TEST(PngFile, ThatIsNoneIsRefused) {
    const TemporaryFolder folder;
    expectRefused(folder / "none.png", "no such file");
    expectRefused(folder.path(), "is a folder");
    std::ofstream(folder / "text.png") << "not an image at all";
    expectRefused(folder / "text.png", "no PNG image");
    std::ofstream(folder / "empty.png").flush();
    expectRefused(folder / "empty.png", "no PNG image");
}

TEST(PngFile, ThatIsDamagedAnywhereIsRefusedOrReadButNeverCrashes) {
    const TemporaryFolder folder;
    test::savePng(folder / "whole.png", 20, 20, 3, 8, ramp(20 * 20 * 3, 1));
    const std::string whole = contentOf(folder / "whole.png");
    for (std::size_t length = 8; length < whole.size() - 12; length += 7) {
        std::ofstream(folder / "cut.png", std::ios::binary) << whole.substr(0, length);
        expectRefused(folder / "cut.png", "damaged");
    }
    for (std::size_t k = 8; k < whole.size(); k += 3) {
        std::string changed = whole;
        changed[k] = static_cast<char>(changed[k] ^ 0x55);
        std::ofstream(folder / "changed.png", std::ios::binary) << changed;
        try {
            readPng(folder / "changed.png");
        } catch (const InputError&) {
        }
    }
}

}  // namespace
}  // namespace talus
