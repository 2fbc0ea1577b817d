#include "io/checkpoint/checkpoint.hpp"

#include <fcntl.h>
#include <fmt/format.h>

#include <cerrno>

#include "base/atomic_file.hpp"
#include "base/file_descriptor.hpp"
#include "formats/foreign_hdf5.hpp"
#include "io/checkpoint/seal.hpp"
#include "io/checkpoint/state_archive.hpp"
#include "io/checkpoint/state_check.hpp"
#include "talus/error.hpp"

namespace talus {
namespace {

namespace fs = std::filesystem;

template <class Archive, class World, class Record>
void archiveState(Archive& archive, World& world, Record& shapes) {
    archiveFields(archive, "", world);
    archiveFields(archive, "shapes/", shapes);
}

// Tries whether the disk has room for a file of this size, by taking the room; HDF5 starts the file anew. HDF5 cannot
// give up a half-written file cleanly, so a full disk must be noticed before, and here the reason is known.
void requireSpace(const fs::path& file, std::uint64_t bytes, const fs::path& shownAs) {
    const FileDescriptor descriptor(file, O_RDWR | O_CREAT, shownAs);
    int error = 0;
    do {
        error = ::posix_fallocate(descriptor.number(), 0, static_cast<off_t>(bytes));
    } while (error == EINTR);
    if (error != 0) throwFileError("write", shownAs, error);
}

std::uint64_t largestFileSize(const WorldState& world, const ShapeRecord& shapes, const CheckpointExtra& extra) {
    constexpr std::uint64_t perDataset = 2048, perFile = 16384;  // generous: HDF5 uses about 600 and 3000 bytes
    SizeCounter counter;
    archiveState(counter, world, shapes);
    return counter.bytes + counter.datasets * perDataset + extra.scene.size() + extra.extra.size() + perFile;
}

void writeHdf5(const fs::path& file, const WorldState& world, const ShapeRecord& shapes, const CheckpointExtra& extra) {
    Hdf5File out = Hdf5File::create(file, sealSize);
    DatasetWriter writer(out);
    archiveState(writer, world, shapes);
    out.writeText("scene", extra.scene);
    out.writeText("extra", extra.extra);
    out.close();
}

// Runs `read` and turns what HDF5 says into the user's language.
template <class Read>
auto reading(const fs::path& path, Read&& read) {
    try {
        return read();
    } catch (const Hdf5Error& error) {
        throw InputError(fmt::format("{}: is not a checkpoint that can be used: {}", path.string(), error.what()));
    } catch (const std::bad_alloc&) {
        throw InputError(fmt::format("{}: is larger than the memory of this machine", path.string()));
    }
}

CheckpointExtra readTexts(const ForeignHdf5& file) { return {file.readText("scene"), file.readText("extra")}; }

// Motions have the laws of the scene; "" unless it has not as many.
std::string findLaws(const std::vector<MotionLaw>& laws, std::vector<Motion>& motions) {
    for (Motion& motion : motions) {
        if (motion.entry >= laws.size()) return "motions/law is not a motion of the scene";
        motion.law = laws[motion.entry];
    }
    return "";
}

}  // namespace

fs::path previousGeneration(const fs::path& path) {
    return path.parent_path() / (path.stem().string() + ".previous" + path.extension().string());
}

void saveCheckpoint(const fs::path& path, const WorldState& world, const CheckpointExtra& extra) {
    if (const std::string fault = findFault(world, world); !fault.empty()) {
        throw RunError(fmt::format("{}: not written, because the state is broken: {}; the last good checkpoint is kept",
                                   path.string(), fault));
    }
    const ShapeRecord shapes = recordOf(world);
    const auto write = [&](const fs::path& temporary) {
        requireSpace(temporary, largestFileSize(world, shapes, extra), path);
        try {
            writeHdf5(temporary, world, shapes, extra);
        } catch (const Hdf5Error& error) {
            throw RunError(fmt::format("cannot write {}: {}; is the disk full? The last good checkpoint is kept",
                                       path.string(), error.what()));
        }
        sealFile(temporary);
    };
    replaceFileAtomically(path, write, previousGeneration(path));
}

CheckpointExtra loadCheckpoint(const fs::path& path, WorldState& world) {
    checkSeal(path);
    return reading(path, [&] {
        const ForeignHdf5 file(path);
        WorldState loaded;
        ShapeRecord shapes;
        DatasetReader reader{file};
        archiveState(reader, loaded, shapes);
        std::string fault = shapeFault(shapes, world);
        if (fault.empty()) fault = findLaws(world.motionLaws, loaded.motions);
        if (fault.empty()) fault = findFault(world, loaded);
        if (!fault.empty()) throw Hdf5Error(fault);
        CheckpointExtra extra = readTexts(file);
        std::vector<Motion> motions = std::move(loaded.motions);  // with their laws
        takeFields(world, std::move(loaded));
        world.motions = std::move(motions);
        return extra;
    });
}

FoundCheckpoint inspectCheckpoint(const fs::path& path) {
    checkSeal(path);
    return reading(path, [&] {
        const ForeignHdf5 file(path);
        FoundCheckpoint found{.file = path, .extra = readTexts(file)};
        DatasetReader reader{file};
        reader.number("time", found.time);
        reader.number("step", found.step);
        return found;
    });
}

FoundCheckpoint latestCheckpoint(const fs::path& folder) {
    const fs::path newest = folder / "checkpoint.h5", older = previousGeneration(newest);
    if (!fs::exists(newest) && !fs::exists(older)) {
        throw InputError(
            fmt::format("{}: no checkpoint.h5 here; give the output folder of a run that wrote one", folder.string()));
    }
    std::string fault;
    try {
        return inspectCheckpoint(newest);
    } catch (const InputError& error) {
        fault = error.what();
    }
    if (!fs::exists(older)) throw InputError(fault + "; there is no older checkpoint");
    FoundCheckpoint found = inspectCheckpoint(older);
    found.warning =
        fmt::format("{}; going on from the one before it, {}, at {:.6g} s", fault, older.string(), found.time);
    return found;
}

}  // namespace talus
