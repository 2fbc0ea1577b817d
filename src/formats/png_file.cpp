#include "formats/png_file.hpp"

#include <fmt/format.h>
#include <png.h>

#include <cstring>
#include <string>

#include "base/atomic_file.hpp"
#include "base/input_file.hpp"
#include "talus/error.hpp"

namespace talus {
namespace {

constexpr png_uint_32 mostPixelsASide = 16384;
constexpr double mostPixels = 64e6;
constexpr std::size_t mostCompression = 1032;  // bytes from one, of the compression of PNG

// What libpng reads from, and what it complained of.
struct Source {
    const std::string* bytes = nullptr;
    std::size_t position = 0;
    char complaint[200] = "";
};

void readBytes(png_structp png, png_bytep to, png_size_t count) {
    Source& source = *static_cast<Source*>(png_get_io_ptr(png));
    if (count > source.bytes->size() - source.position) png_error(png, "the file ends too early");
    std::memcpy(to, source.bytes->data() + source.position, count);
    source.position += count;
}

void keepComplaint(png_structp png, png_const_charp text) {
    Source& source = *static_cast<Source*>(png_get_error_ptr(png));
    std::strncpy(source.complaint, text, sizeof source.complaint - 1);
    png_longjmp(png, 1);
}

void ignoreWarning(png_structp, png_const_charp) {}

// libpng's reader and its settings. Errors inside libpng jump back to the setjmp of the function that calls it: such
// functions make no objects of their own.
struct Reader {
    png_structp png;
    png_infop info;
    explicit Reader(Source& source)
        : png(png_create_read_struct(PNG_LIBPNG_VER_STRING, &source, keepComplaint, ignoreWarning)),
          info(png != nullptr ? png_create_info_struct(png) : nullptr) {
        if (info == nullptr) throw std::bad_alloc();
        png_set_read_fn(png, &source, readBytes);
    }
    ~Reader() { png_destroy_read_struct(&png, &info, nullptr); }
    Reader(const Reader&) = delete;
    Reader& operator=(const Reader&) = delete;
};

bool readHeader(Reader& reader) {
    if (setjmp(png_jmpbuf(reader.png))) return false;
    png_set_user_limits(reader.png, mostPixelsASide, mostPixelsASide);
    png_read_info(reader.png, reader.info);
    png_set_expand(reader.png);
    png_set_strip_alpha(reader.png);
    const png_uint_16 one = 1;
    if (*reinterpret_cast<const unsigned char*>(&one) == 1) png_set_swap(reader.png);
    png_set_interlace_handling(reader.png);
    png_read_update_info(reader.png, reader.info);
    return true;
}

bool readRows(Reader& reader, png_bytepp rows) {
    if (setjmp(png_jmpbuf(reader.png))) return false;
    png_read_image(reader.png, rows);
    png_read_end(reader.png, nullptr);
    return true;
}

}  // namespace

PngImage readPng(const std::filesystem::path& file) {
    return decodePng(readInput(file, {.name = "an image", .mostMebibytes = 1024}), file.string());
}

PngImage decodePng(const std::string& bytes, const std::string& name) {
    if (bytes.size() < 8 || png_sig_cmp(reinterpret_cast<png_const_bytep>(bytes.data()), 0, 8) != 0) {
        throw InputError(fmt::format("{}: is no PNG image; other formats must be converted first", name));
    }
    Source source{.bytes = &bytes};
    Reader reader(source);
    const auto damaged = [&] {
        return InputError(fmt::format("{}: is damaged, or has more than {} pixels a side: {}", name, mostPixelsASide,
                                      source.complaint));
    };
    if (!readHeader(reader)) throw damaged();

    PngImage image;
    image.width = static_cast<int>(png_get_image_width(reader.png, reader.info));
    image.height = static_cast<int>(png_get_image_height(reader.png, reader.info));
    image.channels = png_get_channels(reader.png, reader.info);
    const bool wide = png_get_bit_depth(reader.png, reader.info) == 16;
    image.largest = wide ? 65535 : 255;
    const std::size_t rowBytes = png_get_rowbytes(reader.png, reader.info);
    if (static_cast<double>(image.width) * image.height > mostPixels) {
        throw InputError(fmt::format("{}: {} x {} pixels are too many; at most {:g} in all", name, image.width,
                                     image.height, mostPixels));
    }
    // A size that so few bytes cannot fill is not believed: no memory is taken for it.
    if (rowBytes * static_cast<std::size_t>(image.height) > mostCompression * bytes.size()) {
        std::strcpy(source.complaint, "the file ends too early");
        throw damaged();
    }
    std::vector<unsigned char> pixels(rowBytes * static_cast<std::size_t>(image.height));
    std::vector<png_bytep> rows;
    for (std::size_t y = 0; y < static_cast<std::size_t>(image.height); ++y) rows.push_back(&pixels[y * rowBytes]);
    if (!readRows(reader, rows.data())) throw damaged();

    image.samples.resize(pixels.size() / (wide ? 2 : 1));
    if (wide) {
        std::memcpy(image.samples.data(), pixels.data(), pixels.size());
    } else {
        image.samples.assign(pixels.begin(), pixels.end());
    }
    return image;
}

void writePng(const std::filesystem::path& file, int width, int height, std::span<const unsigned char> colours) {
    png_image image{};
    image.version = PNG_IMAGE_VERSION;
    image.width = static_cast<png_uint_32>(width);
    image.height = static_cast<png_uint_32>(height);
    const std::size_t pixels = static_cast<std::size_t>(width) * static_cast<std::size_t>(height);
    image.format = colours.size() == 4 * pixels ? PNG_FORMAT_RGBA : PNG_FORMAT_RGB;
    png_alloc_size_t size = PNG_IMAGE_PNG_SIZE_MAX(image);
    std::string encoded(size, '\0');
    if (png_image_write_to_memory(&image, encoded.data(), &size, 0, colours.data(), 0, nullptr) == 0) {
        throw RunError(fmt::format("cannot make the picture {}: {}", file.string(), image.message));
    }
    writeFileAtomically(file, std::string_view(encoded).substr(0, size));
}

}  // namespace talus
