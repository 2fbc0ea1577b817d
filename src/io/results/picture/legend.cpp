#include "io/results/picture/legend.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

namespace talus {
namespace {

constexpr std::size_t mostNames = 18;

// Three digits, with a power of ten where they alone would be long: 0, 0.335, 2690, 1.3e6.
std::string numberText(double value) {
    const double size = std::abs(value);
    if (size != 0 && (size < 1e-4 || size >= 1e6)) {
        std::string text = fmt::format("{:.2g}", value);
        for (const char* zeros : {"e+0", "e+", "e-0"}) {
            const std::size_t at = text.find(zeros);
            if (at != std::string::npos) text.replace(at, std::string_view(zeros).size(), zeros[1] == '-' ? "e-" : "e");
        }
        return text;
    }
    const double unit = size == 0 ? 1 : std::pow(10.0, std::floor(std::log10(size)) - 2);
    return fmt::format("{:.6g}", unit * std::round(value / unit));
}

class LegendPen {
public:
    explicit LegendPen(Canvas& canvas) : canvas_(canvas) {
        // A share of the mean edge, so that a picture of a column of text and one of a whole page can both be read.
        const double edge = std::sqrt(static_cast<double>(canvas.width) * static_cast<double>(canvas.height));
        letter_ = std::max(15.0, 0.0145 * edge);
        left_ = 1.5 * letter_;
        y_ = 2.6 * letter_;
    }

    void title(const std::string& text) {
        write(left_, y_, text);
        y_ += 0.9 * letter_;
    }

    void bar(const ColourScale& scale) {
        const double width = std::min(20 * letter_, 0.6 * canvas_.width), height = 1.4 * letter_;
        constexpr int strips = 256;
        for (int k = 0; k < strips; ++k) {
            const double share = (k + 0.5) / strips;
            fillRectangle(canvas_, left_ + width * k / strips, y_, left_ + width * (k + 1) / strips, y_ + height,
                          colourOf(scale, (1 - share) * scale.low + share * scale.high));
        }
        const double foot = y_ + height + 1.6 * letter_;
        for (const double share : {0.0, 0.5, 1.0}) {
            const std::string text = numberText((1 - share) * scale.low + share * scale.high);
            write(left_ + share * (width - widthOf(text, letter_)), foot, text);
        }
    }

    void names(const ColourScale& scale, const std::vector<std::pair<double, std::string>>& names) {
        for (std::size_t k = 0; k < std::min(names.size(), mostNames); ++k) {
            fillRectangle(canvas_, left_, y_, left_ + 1.4 * letter_, y_ + 1.4 * letter_,
                          colourOf(scale, names[k].first));
            write(left_ + 2.2 * letter_, y_ + 1.2 * letter_, names[k].second);
            y_ += 2.1 * letter_;
        }
        if (names.size() > mostNames) write(left_, y_ + 1.2 * letter_, "and others");
    }

    void note(const std::string& text) { write(left_, canvas_.height - 1.6 * letter_, text); }

private:
    void write(double x, double y, const std::string& text) {
        drawText(canvas_, x, y, text, letter_, fromSrgb(40, 46, 56));
    }

    Canvas& canvas_;
    double letter_, left_, y_;  // pixels; height of a capital
};

}  // namespace

void drawLegend(Canvas& canvas, const Legend& legend) {
    LegendPen pen(canvas);
    if (!legend.title.empty()) {
        pen.title(legend.title);
        if (legend.scale.isCategory) {
            pen.names(legend.scale, legend.names);
        } else {
            pen.bar(legend.scale);
        }
    }
    if (!legend.note.empty()) pen.note(legend.note);
}

}  // namespace talus
