// Frames as the server encodes them (server/encode.hpp).

export interface Frame {
    time: number;                 // s
    origin: [number, number, number]; // m, that all points are relative to
    bodies: number;               // in the run
    stride: number;               // of the bodies every how-manieth is here
    spheres: Float32Array;        // x, y, z, radius of each body; radius 0: of another shape
    value: Float32Array;          // the field asked for
    velocity?: Float32Array;
    contacts?: Float32Array;      // two ends and the normal force
    wallPoints?: Float32Array;
    wallCorners?: Uint32Array;
    wallEnds?: Uint32Array;
    solidBody?: Uint32Array;      // of each body that is no sphere: its place among the bodies,
    solidShape?: Uint32Array;     // number of its shape,
    solidTurn?: Float32Array;     // quaternion x, y, z, w,
    solidScale?: Float32Array;    // and radius of its bounding sphere, m
    joints?: Float32Array;        // centre of one body, point of the joint, centre of the other
    meshes: Mesh[];               // of shapes that come for the first time
}

// In units of the radius of the bounding sphere.
export interface Mesh {
    shape: number;
    points: Float32Array;
    triangles: Uint32Array;
}

interface ArrayPlace {
    type: "f32" | "u32";
    components: number;
    count: number;
    offset: number;
}

export function decodeFrame(buffer: ArrayBuffer): Frame {
    const view = new DataView(buffer);
    if (buffer.byteLength < 8 || view.getUint32(0, true) !== 0x31464c54) throw new Error("this is no frame");
    const headLength = view.getUint32(4, true);
    const head = JSON.parse(new TextDecoder().decode(new Uint8Array(buffer, 8, headLength)));
    const frame: Record<string, unknown> = {time: head.time, origin: head.origin, bodies: head.bodies, stride: head.stride};
    for (const [name, place] of Object.entries(head.arrays as Record<string, ArrayPlace>)) {
        const start = 8 + headLength + place.offset, length = place.components * place.count;
        frame[name] = place.type === "f32" ? new Float32Array(buffer, start, length) : new Uint32Array(buffer, start, length);
    }
    frame.meshes = meshesIn(head.meshes ?? [], frame.meshPoints as Float32Array, frame.meshTriangles as Uint32Array);
    delete frame.meshPoints;
    delete frame.meshTriangles;
    return frame as unknown as Frame;
}

function meshesIn(list: {shape: number; points: number; triangles: number}[], points: Float32Array, triangles: Uint32Array): Mesh[] {
    let point = 0, triangle = 0;
    return list.map((mesh) => {
        const [p, t] = [3 * point, 3 * triangle];
        point += mesh.points;
        triangle += mesh.triangles;
        return {shape: mesh.shape, points: points.slice(p, 3 * point), triangles: triangles.slice(t, 3 * triangle)};
    });
}

export function bytesOf(frame: Frame): number {
    return frame.spheres.buffer.byteLength;
}

// How many bodies are in the frame.
export function count(frame: Frame): number {
    return frame.spheres.length / 4;
}
