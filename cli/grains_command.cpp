// talus grains: outlines of grains from an image, or made at random.
#include <memory>
#include <optional>

#include "command.hpp"
#include "talus/error.hpp"
#include "talus/tools/grains.hpp"

namespace talus::cli {
namespace {

struct GrainArguments {
    std::string image, output, picture;
    GrainImageOptions fromImage;
    GrainGeneratorOptions generator;
    double threshold = 0.5;
    bool json = false;
};

GrainSet findGrains(const GrainArguments& a) {
    const ImageGrains found = grainsFromImage(a.image, a.fromImage);
    for (const std::string& note : found.notes) say("note: " + note);
    return found.set;
}

void draw(const GrainArguments& a, const GrainSet& set) {
    if (a.image.empty()) {
        drawGrains(a.picture, set);
    } else {
        drawGrainsOverImage(a.picture, set, a.image, a.fromImage.scale);
    }
    say(fmt::format("picture in {}", a.picture));
}

int makeGrains(const GrainArguments& a, bool generate) {
    if (generate == !a.image.empty()) {
        throw InputError("grains: give either an image or --generate N");
    }
    const GrainSet set = generate ? generateGrains(a.generator) : findGrains(a);
    print("{}", a.json ? grainsAsJson(set) : grainsAsTable(set));
    if (!a.output.empty()) {
        writeGrains(a.output, set);
        say(fmt::format("{} grains in {}", set.grains.size(), a.output));
    }
    if (!a.picture.empty()) draw(a, set);
    return 0;
}

void addImageOptions(CLI::App* sub, GrainImageOptions& o) {
    sub->add_option("--scale", o.scale, "metres per pixel; default: 1")->type_name("M");
    sub->add_option("--kind", o.kind,
                    "grey: split at a threshold; labels: one grain per value or colour; auto: colours are labels")
        ->check(CLI::IsMember({"auto", "grey", "labels"}))
        ->capture_default_str();
    sub->add_option("--grains", o.grains, "bright or dark; auto: what most of the border is not")
        ->check(CLI::IsMember({"auto", "bright", "dark"}))
        ->capture_default_str();
    sub->add_option("--smooth", o.smoothing, "width of a Gaussian in pixels that takes noise away first; default: 0");
    sub->add_option("--tolerance", o.tolerance,
                    "largest distance of the outline from its curve, in pixels; default: 0.5");
    sub->add_option("--min-area", o.smallestArea, "in pixels; what is smaller is noise; default: 30");
    sub->add_option("--corner-angle", o.cornerAngle, "in degrees; sharper turns stay corners; default: 40");
    sub->add_option("--touching", o.touching, "at necks split grains, keep them as one, or refuse the image")
        ->check(CLI::IsMember({"split", "keep", "refuse"}))
        ->capture_default_str();
    sub->add_option("--neck", o.neck,
                    "width of a neck, of that of the smaller grain, below which two touch; default: 0.6");
    sub->add_option("--holes", o.holes, "fill holes of grains, or refuse the image")
        ->check(CLI::IsMember({"fill", "refuse"}))
        ->capture_default_str();
    sub->add_option("--border", o.border, "drop grains that the border cuts, keep them, or refuse the image")
        ->check(CLI::IsMember({"drop", "keep", "refuse"}))
        ->capture_default_str();
}

void addGeneratorOptions(CLI::App* sub, GrainGeneratorOptions& o) {
    sub->add_option("--sphericity", o.sphericity,
                    "of generated grains, inscribed over circumscribed radius; default: 0.7");
    sub->add_option("--angularity", o.angularity, "of generated grains, 1 - roundness of their corners; default: 0.6");
    sub->add_flag("--convex", o.convex, "generate convex grains; default: none of them is");
    sub->add_option("--diameter", o.diameter,
                    "of the disc of the same area as generated grains, in metres; default: 1");
    sub->add_option("--seed", o.seed, "of generated grains: the same seed, the same grains; default: 1")
        ->check([](const std::string& seed) { return seed.starts_with('-') ? "must be 0 or more" : ""; }, "N");
}

}  // namespace

void addGrainsCommand(CLI::App& app, int& status) {
    const auto a = std::make_shared<GrainArguments>();
    const auto generate = std::make_shared<CLI::Option*>(nullptr);
    const auto threshold = std::make_shared<CLI::Option*>(nullptr);
    CLI::App* sub = command(app, "grains", "find the outlines of grains in an image, or generate grains", status,
                            [a, generate, threshold] {
                                if ((*threshold)->count() > 0) a->fromImage.threshold = a->threshold;
                                return makeGrains(*a, (*generate)->count() > 0);
                            });
    sub->add_option("IMAGE", a->image, "PNG image, grey or with a colour per grain");
    sub->add_option("-o,--output", a->output, "file for the grains (JSON)")->type_name("FILE");
    sub->add_option("--picture", a->picture, "picture of the curves over the image, or of generated grains (PNG)")
        ->type_name("FILE");
    sub->add_flag("--json", a->json, "print JSON, the same as the file");
    *threshold =
        sub->add_option("--threshold", a->threshold,
                        "brightness from 0 to 1 that splits grains from the rest; default: found from the image");
    addImageOptions(sub, a->fromImage);
    *generate = sub->add_option("--generate", a->generator.count, "make this many grains at random")->type_name("N");
    addGeneratorOptions(sub, a->generator);
}

}  // namespace talus::cli
