#include "base/utf8.hpp"

#include <gtest/gtest.h>

#include <nlohmann/json.hpp>
#include <random>

#include "run/run_memory.hpp"

namespace talus {
namespace {

TEST(EscapedBytes, LeaveTextAsItIs) {
    for (const char* text : {"", "out/settle", "Körner/\xE2\x88\x82x \xF0\x9F\x8F\x94"}) {
        EXPECT_EQ(escapeBytes(text), text);
        EXPECT_EQ(unescapeBytes(text), text);
    }
    EXPECT_EQ(escapeBytes("a\xFF/b"), "a\\xff/b");
    EXPECT_EQ(escapeBytes("a\\xff"), "a\\\\xff");
}

// nlohmann's JSON, which throws at whatever is no UTF-8, is the judge.
TEST(EscapedBytes, AreUtf8WhateverTheBytesAndComeBack) {
    std::mt19937 random(7);
    const std::string likely("\x00\x7F\x80\xBF\xC0\xC2\xE0\xED\xA0\x9F\xF0\x8F\x90\xF4\xF5\xFF\\\\x4a", 20);
    for (int k = 0; k < 20000; ++k) {
        std::string bytes;
        for (std::size_t size = random() % 12; bytes.size() < size;) bytes += likely[random() % likely.size()];
        const std::string text = escapeBytes(bytes);
        ASSERT_NO_THROW(nlohmann::json(text).dump()) << text;
        ASSERT_EQ(unescapeBytes(text), bytes) << text;
    }
}

TEST(RunMemory, KeepsFoldersWhoseNamesAreNoText) {
    RunMemory memory;
    memory.course.dt = 1;
    memory.course.ended = "not \xFF text";
    memory.sceneFolder = "/data/K\xF6rner\\2";
    EXPECT_EQ(readMemory(writeMemory(memory)).sceneFolder, memory.sceneFolder);
}

}  // namespace
}  // namespace talus
