// What a checkpoint holds: all fields of WorldState and of its parts, each under the path of its names.
//
// archiveFields() goes through the list of a struct (base/fields.hpp) and calls archive.number(name, row) and
// archive.array(name, rows) for what it comes down to: a row is a value, a vector or a struct of numbers without gaps.
// Arrays of other structs are kept column by column. Archives: one that counts, one that writes, one that reads. What
// is fixed by the scene (shapes, materials, laws of motion, the regions of sources and sinks) is not listed: it is
// built anew from the scene's text. Files that the text names may have changed by then, so there is a hash of each
// shape.
#pragma once

#include <array>
#include <vector>

#include "formats/foreign_hdf5.hpp"
#include "model/world.hpp"

namespace talus {

// How a row lies in a dataset: doubles as such, whole numbers as such, all else as bits.
template <Row T>
hid_t rowType() {
    constexpr std::size_t unit = alignof(T);
    if constexpr (isDoubles<T>()) return H5T_NATIVE_DOUBLE;
    if constexpr (unit == 8) return H5T_NATIVE_UINT64;
    if constexpr (unit == 4) return H5T_NATIVE_UINT32;
    if constexpr (unit == 2) return H5T_NATIVE_UINT16;
    return H5T_NATIVE_UINT8;
}
template <Row T>
inline constexpr std::uint64_t rowColumns = sizeof(T) / alignof(T);

// What is kept of shapes, which the scene makes anew: what they were.
struct ShapeRecord {
    std::vector<std::uint64_t> digest;  // of each of WorldState::shapes (geometry/shape_digest.hpp)

    static constexpr auto fields() { return std::tuple{Field{"digest", &ShapeRecord::digest}}; }
};
ShapeRecord recordOf(const WorldState& world);
// What has changed since, or "": the shapes of `world` are those of the scene.
std::string shapeFault(const ShapeRecord& record, const WorldState& world);

template <class Archive, class T>
void archivePart(Archive& archive, const std::string& name, T& part);

template <class Archive, class T>
void archiveFields(Archive& archive, const std::string& path, T& object) {
    visitFields([&](const auto& field, auto& part) { archivePart(archive, path + field.name, part); }, object);
}

// Keeps structs one after the other: a column for each row that part(item) comes down to.
template <class Archive, class Items, class Part>
void archiveColumns(Archive& archive, const std::string& name, Items& items, const Part& part) {
    using T = std::remove_cvref_t<decltype(part(items[0]))>;
    if constexpr (Row<T>) {
        archive.template column<T>(name, items, part);
    } else {
        const auto archiveField = [&](const auto& field) {
            archiveColumns(
                archive, name + "/" + field.name, items, [&](auto& item) -> auto& { return part(item).*field.member; });
        };
        std::apply([&](const auto&... field) { (archiveField(field), ...); }, T::fields());
    }
}

template <class Archive, class T>
void archivePart(Archive& archive, const std::string& name, T& part) {
    using Plain = std::remove_const_t<T>;
    if constexpr (Row<Plain>) {
        archive.number(name, part);
    } else if constexpr (std::is_same_v<Plain, ContactMemory>) {
        std::uint64_t model = part.index();
        archive.number(name + "/model", model);
        archive.choose(part, model);
        std::visit([&](auto& memory) { archiveFields(archive, name + "/", memory); }, part);
    } else if constexpr (isVector<Plain>) {
        if constexpr (Row<typename Plain::value_type>) {
            archive.array(name, part);
        } else {
            archiveColumns(
                archive, name, part, [](auto& item) -> auto& { return item; });
        }
    } else {
        archiveFields(archive, name + "/", part);
    }
}

// An archive that takes what there is.
template <class Archive>
struct Writing {
    // The memory is of its own model.
    void choose(const ContactMemory&, std::uint64_t) {}

    template <class T, class Items, class Part>
    void column(const std::string& name, const Items& items, const Part& part) {
        std::vector<T> values;
        values.reserve(items.size());
        for (const auto& item : items) values.push_back(part(item));
        static_cast<Archive*>(this)->array(name, values);
    }
};

// Counts what a file will hold.
struct SizeCounter : Writing<SizeCounter> {
    std::uint64_t bytes = 0, datasets = 0;

    template <class T>
    void array(const std::string&, const std::vector<T>& values) {
        bytes += values.size() * sizeof(T);
        ++datasets;
    }
    template <class T>
    void number(const std::string&, const T& value) {
        bytes += sizeof value;
        ++datasets;
    }
};

struct DatasetWriter : Writing<DatasetWriter> {
    explicit DatasetWriter(Hdf5File& into) : file(into) {}
    Hdf5File& file;

    template <class T>
    void array(const std::string& name, const std::vector<T>& values) {
        file.writeDataset(name, rowType<T>(), {values.size(), rowColumns<T>}, values.data());
    }
    template <class T>
    void number(const std::string& name, const T& value) {
        file.writeDataset(name, rowType<T>(), {1, rowColumns<T>}, &value);
    }
};

struct DatasetReader {
    const ForeignHdf5& file;
    const void* sized = nullptr;  // the array of structs whose first column told its length

    template <class T>
    void array(const std::string& name, std::vector<T>& values) {
        values.resize(file.rowsOf(name, rowType<T>(), rowColumns<T>));
        if (!values.empty()) file.readDataset(name, rowType<T>(), std::as_writable_bytes(std::span(values)));
    }
    template <class T>
    void number(const std::string& name, T& value) {
        if (file.rowsOf(name, rowType<T>(), rowColumns<T>) != 1) throw Hdf5Error(name + " is not one value");
        file.readDataset(name, rowType<T>(), std::as_writable_bytes(std::span(&value, 1)));
    }
    void number(const std::string& name, bool& value) {
        std::uint8_t byte = 0;
        number(name, byte);
        if (byte > 1) throw Hdf5Error(name + " is neither true nor false");
        value = byte == 1;
    }
    void choose(ContactMemory& memory, std::uint64_t model) {
        if (model >= std::variant_size_v<ContactMemory>) throw Hdf5Error("contacts/memory/model is not known");
        memory = emptyMemory(model);
    }
    template <class T, class Items, class Part>
    void column(const std::string& name, Items& items, const Part& part) {
        std::vector<T> values;
        array(name, values);
        if (sized != &items) items.resize(values.size());
        sized = &items;
        if (values.size() != items.size()) throw Hdf5Error(name + " has not as many entries as the columns beside it");
        for (std::size_t k = 0; k < values.size(); ++k) part(items[k]) = values[k];
    }
};

}  // namespace talus
