// checkpoint.h5: the complete state of a run, from which it goes on bit for bit.
//
// HDF5, any tool reads it: bodies/*, contacts/*, motions/*, walls/*, ledger/*, sources/*, sinks/*, time, step, ...,
// scene (the text of the scene) and extra (JSON of the caller). Two generations are kept, each written whole or not at
// all, and each sealed with a checksum (seal.hpp). What the scene fixes is not stored: loadCheckpoint() wants a world
// made from the scene.
#pragma once

#include <filesystem>
#include <string>

#include "model/world.hpp"

namespace talus {

struct CheckpointExtra {
    std::string scene;         // the text of the scene, from which the world is built again
    std::string extra = "{}";  // JSON text: what the caller wants to find again
};

// Writes `path`; the file that was there becomes NAME.previous.h5. RunError if the disk refuses or if the state has
// non-finite numbers (it could not be loaded again); the older files are untouched then.
void saveCheckpoint(const std::filesystem::path& path, const WorldState& world, const CheckpointExtra& extra);

// Replaces the changing part of `world`, which was built from the checkpoint's own scene. InputError with the reason
// if the file is damaged, cut short, of another format or does not fit the scene; the world is unchanged then.
CheckpointExtra loadCheckpoint(const std::filesystem::path& path, WorldState& world);

struct FoundCheckpoint {
    std::filesystem::path file;
    CheckpointExtra extra;
    double time = 0;  // s
    std::uint64_t step = 0;
    std::string warning;  // for the user: why an older checkpoint was taken; else empty
};

// What a checkpoint says of itself, its state unread. InputError if it is damaged or none.
FoundCheckpoint inspectCheckpoint(const std::filesystem::path& path);

// The newest undamaged checkpoint of a run's folder: checkpoint.h5, else checkpoint.previous.h5. InputError if there
// is none.
FoundCheckpoint latestCheckpoint(const std::filesystem::path& folder);

// checkpoint.h5 -> checkpoint.previous.h5
std::filesystem::path previousGeneration(const std::filesystem::path& path);

}  // namespace talus
