// Settings of the run, of what it measures and of what it writes.
#pragma once

#include "io/scene/fields/space_fields.hpp"

namespace talus {

// --- run, measurements, output -------------------------------------------------------------------------------------

template <class V>
void fields(V& v, RunSettings& r) {
    v({"time", "How long to simulate; needed without stages. With stages: at most; all that they take if not given.",
       unit::time, bounds::positive},
      r.time);
    v({"step",
       "Time step; auto takes step_fraction of the shortest of the Rayleigh, contact and damping times; in contact "
       "dynamics what speeds, sizes and gravity allow; in quasi-static runs what moving walls allow.",
       unit::time, bounds::positive},
      r.step);
    v({"step_fraction",
       "With step: auto, method: penalty. Smaller is more accurate, larger is faster.",
       unit::number,
       {.low = 0, .high = 1, .openLow = true}},
      r.stepFraction);
    v({"skin", "How far neighbour lists look beyond contact. Changes the speed only.", unit::length, bounds::positive},
      r.skin);
    v({"threads",
       "Threads to use; 0 means one per core. Changes the speed only.",
       unit::number,
       {.low = 0, .high = 1024}},
      r.threads);
    v({"energy_ledger", "Count dissipated energy by mechanism; off is a little faster."}, r.energyLedger);
    v({"max_overlap",
       "The run stops when an overlap exceeds this share of the smaller radius.",
       unit::number,
       {.low = 0, .high = 1, .openLow = true}},
      r.maxOverlap);
    v({"max_energy_error",
       "The run fails when its energies do not add up to within this share of those turned over; above 0.01 it warns.",
       unit::number, bounds::positive},
      r.maxEnergyError);
    v({"orientation", "Follow the orientation of spheres; forces do not need it."}, r.orientation);
}

template <class V>
void fields(V& v, MeasuredRegion& m) {
    v({"name", "Name in the output.", unit::number, bounds::anyValue, Need::required}, m.name);
    fields(v, m.box);
    v({"between",
       "Groups of planes, containers and plates that cut the box, wherever they are by then; see docs/observables.md."},
      m.between);
}

template <class V>
void fields(V& v, MeasuredPlane& m) {
    v({"name", "Name in the output.", unit::number, bounds::anyValue, Need::required}, m.name);
    v({"point", "Any point of the plane.", unit::length, coordinateRange, Need::required}, m.point);
    v({"normal", "Direction that counts as positive, of any length.", unit::number}, m.normal);
    v({"window", "Two times between which the flow rate is fitted; if not given, where the flow is steady.", unit::time,
       bounds::nonNegative},
      m.window);
}

template <class V>
void fields(V& v, MeasureSettings& m) {
    v({"regions", "Boxes in which packing fraction, coordination number and stress are measured."}, m.regions);
    v({"planes", "Planes through which the flow of grains is measured."}, m.planes);
    v({"walls", "Measure the force on every group of walls and fixed bodies."}, m.walls);
}

template <class V>
void fields(V& v, OutputSettings& o) {
    v({"series", "Time between rows of series.csv; auto is run.time / 200.", unit::time, bounds::positive}, o.series);
    v({"frames", "Time between frames for ParaView; auto is run.time / 50, 0 writes none.", unit::time,
       bounds::nonNegative},
      o.frames);
    v({"contacts", "Write the contacts and their forces with each frame."}, o.contacts);
    v({"problems",
       "Time between contact problems saved for talus solve, in problems/; 0 saves none. Not with method: penalty.",
       unit::time, bounds::nonNegative},
      o.problems);
    v({"checkpoint",
       "Simulated time between checkpoints; auto writes one every 60 s of wall clock and at the end, 0 none.",
       unit::time, bounds::nonNegative},
      o.checkpoint);
    v({"plots", "Draw plots of the series at the end."}, o.plots);
}

}  // namespace talus
