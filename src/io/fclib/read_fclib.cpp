#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>

#include "io/fclib/block_assembly.hpp"
#include "io/fclib/fclib.hpp"
#include "io/fclib/fclib_hdf5.hpp"
#include "talus/error.hpp"

namespace talus {
namespace {

namespace fs = std::filesystem;

constexpr const char* rollingGroup = "/fclib_global_rolling";
constexpr std::size_t mostRows = std::numeric_limits<std::int32_t>::max();

std::vector<double> readFriction(const ForeignHdf5& file, const std::string& name) {
    std::vector<double> mu = readNumbers(file, name);
    for (std::size_t i = 0; i < mu.size(); ++i) {
        if (mu[i] < 0) throw Hdf5Error(fmt::format("{}[{}] must be >= 0, got {}", name, i, mu[i]));
    }
    return mu;
}

int readDimension(const ForeignHdf5& file, const std::string& name) {
    const int dimension = readInteger(file, name);
    if (dimension != 2 && dimension != 3) throw Hdf5Error(fmt::format("{} must be 2 or 3, got {}", name, dimension));
    return dimension;
}

// Dimension, contacts and friction, common to both forms.
void startFile(const ForeignHdf5& file, const std::string& group, FclibFile& result) {
    result.info = readInfo(file, group + "/info");
    result.layout.dimension = readDimension(file, group + "/spacedim");
    const std::vector<double> mu = readFriction(file, group + "/vectors/mu");
    result.layout.contacts = mu.size();
    for (const double friction : mu) result.problem.sets.push_back(ReactionSet::coulomb(friction));
}

void finishFile(const std::vector<double>& offset, FclibFile& result) {
    if (result.layout.rows() > mostRows) throw Hdf5Error("it has too many rows");
    result.problem.sets.resize(result.layout.blocks(), ReactionSet::free());
    result.problem.offset = result.layout.toBlocks(offset);
}

LocalMatrices readLocalMatrices(const ForeignHdf5& file, const std::string& group, std::size_t rows) {
    LocalMatrices m;
    m.contactOffset = readNumbers(file, group + "/vectors/q", rows);
    const bool hasV = file.has(group + "/V"), hasR = file.has(group + "/R");
    if (hasV != hasR) throw Hdf5Error(fmt::format("{0}/V and {0}/R must be there both or not at all", group));
    if (hasR) {
        m.bilateralOffset = readNumbers(file, group + "/vectors/s");
        const std::size_t bilateralRows = m.bilateralOffset.size();
        m.coupling = readMatrix(file, group + "/V", rows, bilateralRows);
        m.bilateral = readMatrix(file, group + "/R", bilateralRows, bilateralRows);
    }
    m.contacts = readMatrix(file, group + "/W", rows, rows);
    return m;
}

// [W V; V^T R]
SparseMatrix joined(const LocalMatrices& m) {
    SparseMatrix all = m.contacts;
    const std::size_t shift = all.rows;
    for (const SparseEntry& e : m.coupling.entries) {
        const auto row = static_cast<std::size_t>(e.row), column = shift + static_cast<std::size_t>(e.column);
        all.add(row, column, e.value);
        all.add(column, row, e.value);
    }
    for (const SparseEntry& e : m.bilateral.entries) {
        all.add(shift + static_cast<std::size_t>(e.row), shift + static_cast<std::size_t>(e.column), e.value);
    }
    all.rows = all.columns = shift + m.bilateralOffset.size();
    return all;
}

void readLocal(const ForeignHdf5& file, FclibFile& result) {
    startFile(file, localGroup, result);
    LocalMatrices matrices = readLocalMatrices(file, localGroup, result.layout.contactRows());
    std::vector<double> offset = matrices.contactOffset;
    offset.insert(offset.end(), matrices.bilateralOffset.begin(), matrices.bilateralOffset.end());
    result.layout.bilateralRows = matrices.bilateralOffset.size();
    finishFile(offset, result);
    result.problem.contacts = assembleBlocks(joined(matrices), result.layout);
    result.local = std::make_shared<LocalMatrices>(std::move(matrices));
}

GlobalMatrices readGlobalMatrices(const ForeignHdf5& file, const std::string& group, const FclibLayout& layout) {
    GlobalMatrices m;
    m.force = readNumbers(file, group + "/vectors/f");
    m.contactOffset = readNumbers(file, group + "/vectors/w", layout.contactRows());
    m.mass = readMatrix(file, group + "/M", m.force.size(), m.force.size());
    m.contacts = readMatrix(file, group + "/H", m.force.size(), layout.contactRows());
    m.bilateral.rows = m.force.size();
    if (file.has(group + "/G")) {
        m.bilateralOffset = readNumbers(file, group + "/vectors/b");
        m.bilateral = readMatrix(file, group + "/G", m.force.size(), m.bilateralOffset.size());
    }
    return m;
}

// A second tangent that is regular although no body moves along it.
std::vector<Mat3> fillUpTangents(const BodyContacts& contacts) {
    std::vector<Mat3> compliance(contacts.contactCount());
    for (std::size_t i = 0; i < compliance.size(); ++i) {
        const Mat3 w = contacts.diagonal(i);
        compliance[i](2, 2) = 0.5 * (w(0, 0) + w(1, 1));
    }
    return compliance;
}

void readGlobal(const ForeignHdf5& file, FclibFile& result) {
    result.form = FclibForm::global;
    startFile(file, globalGroup, result);
    GlobalMatrices matrices = readGlobalMatrices(file, globalGroup, result.layout);
    result.layout.bilateralRows = matrices.bilateralOffset.size();
    try {
        result.bodies = std::make_shared<GlobalSystem>(std::move(matrices));
    } catch (const InputError& error) {
        throw Hdf5Error(fmt::format("{}/M: {}", globalGroup, error.what()));
    }
    finishFile(result.bodies->offset(), result);
    if (auto bodies = result.bodies->asBodies(result.layout)) {
        if (result.layout.dimension == 2) result.problem.compliance = fillUpTangents(*bodies);
        result.problem.contacts = std::move(*bodies);
    } else {
        result.problem.contacts = assembleBlocks(result.bodies->delassus(), result.layout);
    }
}

// r and l of a guess or solution; u and v follow from them. Some programs make the datasets but write nothing into
// them.
Reactions readReactions(const ForeignHdf5& file, const std::string& group, const FclibLayout& layout) {
    if (!file.isWritten(group + "/r")) return Reactions(layout.blocks());
    std::vector<double> rows = readNumbers(file, group + "/r", layout.contactRows());
    if (layout.bilateralRows > 0 && file.has(group + "/l")) {
        const std::vector<double> multipliers = readNumbers(file, group + "/l", layout.bilateralRows);
        rows.insert(rows.end(), multipliers.begin(), multipliers.end());
    }
    return layout.toBlocks(rows);
}

void readAnswers(const ForeignHdf5& file, FclibFile& result) {
    if (file.has("/guesses/number_of_guesses")) {
        const int count = readInteger(file, "/guesses/number_of_guesses");
        for (int k = 1; k <= count; ++k) {
            result.guesses.push_back(readReactions(file, fmt::format("/guesses/{}", k), result.layout));
        }
    }
    if (!file.has("/solution")) return;
    Reactions solution = readReactions(file, "/solution", result.layout);
    const bool any = std::any_of(solution.begin(), solution.end(), [](const Vec3& g) { return g != Vec3{}; });
    if (any) result.solution = std::move(solution);
}

FclibFile readContent(const ForeignHdf5& file) {
    FclibFile result;
    if (file.has(localGroup)) {
        readLocal(file, result);
    } else if (file.has(globalGroup)) {
        readGlobal(file, result);
    } else if (file.has(rollingGroup)) {
        throw Hdf5Error(fmt::format("{}: problems with rolling friction are not supported", rollingGroup));
    } else {
        throw Hdf5Error(fmt::format("it has neither {} nor {}: not an FCLIB file", localGroup, globalGroup));
    }
    readAnswers(file, result);
    validate(result.problem);
    return result;
}

}  // namespace

FclibFile readFclib(const fs::path& path) {
    std::error_code error;
    if (!fs::exists(path, error)) throw InputError(fmt::format("{}: there is no such file", path.string()));
    if (!fs::is_regular_file(path, error)) throw InputError(fmt::format("{}: is not a file", path.string()));
    try {
        return readContent(ForeignHdf5(path));
    } catch (const Hdf5Error& fault) {
        throw InputError(fmt::format("{}: {}", path.string(), fault.what()));
    } catch (const InputError& fault) {
        throw InputError(fmt::format("{}: {}", path.string(), fault.what()));
    }
}

}  // namespace talus
