#include "geometry/solids/hull_triangles.hpp"

extern "C" {
#include <libqhull_r/qhull_ra.h>
}

#include <cstdio>
#include <memory>

#include "base/check.hpp"

namespace talus {
namespace {

// The state of one run of qhull; freed whichever way the run ends.
class Qhull {
public:
    Qhull() : nowhere_(std::fopen("/dev/null", "w")) {
        ENGINE_CHECK(nowhere_ != nullptr);
        qh_zero(&state_, nowhere_);
    }
    ~Qhull() {
        qh_freeqhull(&state_, !qh_ALL);
        int blocks = 0, bytes = 0;
        qh_memfreeshort(&state_, &blocks, &bytes);
        std::fclose(nowhere_);
    }
    Qhull(const Qhull&) = delete;
    Qhull& operator=(const Qhull&) = delete;

    bool run(std::vector<double>& coordinates) {
        char command[] = "qhull";
        const int count = static_cast<int>(coordinates.size() / 3);
        return qh_new_qhull(&state_, 3, count, coordinates.data(), False, command, nullptr, nowhere_) == 0;
    }

    // Corners of each face, which qhull gives with the clock, as a fan of triangles.
    void appendTriangles(std::vector<CornerTriple>& triangles) {
        std::vector<std::uint32_t> loop;
        qhT* const qh = &state_;
        facetT* facet;
        vertexT *vertex, **vertexp;
        FORALLfacets {
            loop.clear();
            setT* const vertices = qh_facet3vertex(qh, facet);
            FOREACHvertex_(vertices) loop.push_back(static_cast<std::uint32_t>(qh_pointid(qh, vertex->point)));
            qh_settempfree(qh, const_cast<setT**>(&vertices));
            for (std::size_t k = 2; k < loop.size(); ++k) triangles.push_back({loop[0], loop[k], loop[k - 1]});
        }
    }

private:
    std::FILE* nowhere_;
    qhT state_{};
};

}  // namespace

std::vector<CornerTriple> hullTriangles(const std::vector<Vec3>& points) {
    std::vector<double> coordinates;
    coordinates.reserve(3 * points.size());
    for (const Vec3& p : points) coordinates.insert(coordinates.end(), {p.x, p.y, p.z});
    const auto qhull = std::make_unique<Qhull>();
    std::vector<CornerTriple> triangles;
    if (qhull->run(coordinates)) qhull->appendTriangles(triangles);
    return triangles;
}

}  // namespace talus
