// Bodies that are no spheres: each shape is one mesh on the graphics card, drawn in as many places as bodies have it.
import * as three from "three";
import type {Frame, Mesh} from "./frame";
import {smoothNormals} from "./normals";

type Instanced = three.Mesh<three.InstancedBufferGeometry>;

interface Shape {
    mesh: Mesh;
    corners: Float32Array; // of the triangles, one after the other
    drawn: Instanced;
}

// Where the bodies of one shape are.
interface Places {
    place: Float32Array; // x, y, z, scale
    turn: Float32Array;
    value: Float32Array;
    body: Float32Array;
}

const parts = [["place", 4], ["turn", 4], ["value", 1], ["body", 1]] as const;

function cornersOf(mesh: Mesh): Float32Array {
    const corners = new Float32Array(3 * mesh.triangles.length);
    mesh.triangles.forEach((point, k) => corners.set(mesh.points.subarray(3 * point, 3 * point + 3), 3 * k));
    return corners;
}

export class Solids {
    readonly group = new three.Group();
    private readonly shapes = new Map<number, Shape>();
    private frame: Frame | null = null;

    constructor(private readonly material: three.Material) {}

    known(): number[] {
        return [...this.shapes.keys()];
    }

    // Of another run: its shapes have the same numbers.
    forget(): void {
        for (const shape of this.shapes.values()) {
            this.group.remove(shape.drawn);
            shape.drawn.geometry.dispose();
        }
        this.shapes.clear();
    }

    add(meshes: Mesh[]): void {
        for (const mesh of meshes) {
            if (this.shapes.has(mesh.shape)) continue;
            const geometry = new three.InstancedBufferGeometry(), corners = cornersOf(mesh);
            geometry.setAttribute("position", new three.BufferAttribute(corners, 3));
            geometry.setAttribute("normal", new three.BufferAttribute(smoothNormals(mesh.points, mesh.triangles), 3));
            const drawn: Instanced = new three.Mesh(geometry, this.material as three.RawShaderMaterial);
            drawn.frustumCulled = false;
            this.group.add(drawn);
            this.shapes.set(mesh.shape, {mesh, corners, drawn});
        }
    }

    // Those that nothing holds in place; the others are walls.
    show(frame: Frame): void {
        this.frame = frame;
        const lists = new Map<number, number[]>();
        frame.solidShape?.forEach((shape, k) => {
            if (Number.isNaN(frame.value[frame.solidBody![k]])) return;
            if (!lists.has(shape)) lists.set(shape, []);
            lists.get(shape)!.push(k);
        });
        for (const [number, shape] of this.shapes) this.place(shape, this.placesOf(frame, lists.get(number) ?? []));
    }

    private placesOf(frame: Frame, list: number[]): Places {
        const n = list.length;
        const places = {place: new Float32Array(4 * n), turn: new Float32Array(4 * n), value: new Float32Array(n), body: new Float32Array(n)};
        list.forEach((solid, k) => {
            const body = frame.solidBody![solid];
            places.place.set(frame.spheres.subarray(4 * body, 4 * body + 3), 4 * k);
            places.place[4 * k + 3] = frame.solidScale![solid];
            places.turn.set(frame.solidTurn!.subarray(4 * solid, 4 * solid + 4), 4 * k);
            places.value[k] = frame.value[body];
            places.body[k] = body;
        });
        return places;
    }

    // Into the memory that is there, where it is of the same size.
    private place(shape: Shape, places: Places): void {
        const geometry = shape.drawn.geometry, n = places.value.length;
        shape.drawn.visible = n > 0;
        if (n === 0) return;
        if (geometry.instanceCount !== n || !geometry.hasAttribute("place")) {
            const fresh = new three.InstancedBufferGeometry();
            fresh.setAttribute("position", geometry.getAttribute("position"));
            fresh.setAttribute("normal", geometry.getAttribute("normal"));
            for (const [name, size] of parts) fresh.setAttribute(name, new three.InstancedBufferAttribute(places[name], size));
            fresh.instanceCount = n;
            geometry.dispose();
            shape.drawn.geometry = fresh;
            return;
        }
        for (const [name] of parts) {
            const attribute = geometry.getAttribute(name) as three.InstancedBufferAttribute;
            attribute.array = places[name];
            attribute.needsUpdate = true;
        }
    }

    // Corners of the triangles of a body, in the coordinates of the frame.
    private triangles(solid: number): Float32Array {
        const frame = this.frame!, shape = this.shapes.get(frame.solidShape![solid]);
        if (!shape) return new Float32Array();
        const body = frame.solidBody![solid], scale = frame.solidScale![solid], p = new three.Vector3();
        const turn = new three.Quaternion(...(frame.solidTurn!.subarray(4 * solid, 4 * solid + 4) as unknown as [number, number, number, number]));
        const centre = new three.Vector3(...frame.spheres.subarray(4 * body, 4 * body + 3)), placed = new Float32Array(shape.corners.length);
        for (let k = 0; k < placed.length; k += 3)
            p.fromArray(shape.corners, k).multiplyScalar(scale).applyQuaternion(turn).add(centre).toArray(placed, k);
        return placed;
    }

    // Of those that are held in place.
    heldTriangles(): Float32Array[] {
        const frame = this.frame, held: Float32Array[] = [];
        frame?.solidBody?.forEach((body, k) => { if (Number.isNaN(frame.value[body])) held.push(this.triangles(k)); });
        return held;
    }
    // Says the same as long as they stand still.
    heldPlaces(): string {
        const frame = this.frame, held: number[] = [];
        frame?.solidBody?.forEach((body, k) => {
            if (!Number.isNaN(frame.value[body])) return;
            held.push(frame.solidShape![k], frame.solidScale![k], ...frame.solidTurn!.subarray(4 * k, 4 * k + 4),
                      ...Array.from(frame.spheres.subarray(4 * body, 4 * body + 3), (x, c) => x + frame.origin[c]));
        });
        return held.join(" ");
    }

    // The nearest one that a ray in the coordinates of the frame meets where nothing is cut away.
    pick(ray: three.Ray, isCut: (p: three.Vector3) => boolean): {body: number; distance: number} | null {
        const frame = this.frame;
        if (!frame?.solidBody) return null;
        let best: {body: number; distance: number} | null = null;
        const [a, b, c, hit] = [0, 1, 2, 3].map(() => new three.Vector3()), ball = new three.Sphere();
        frame.solidBody.forEach((body, solid) => {
            if (Number.isNaN(frame.value[body])) return;
            ball.set(a.fromArray(frame.spheres, 4 * body), 1.001 * frame.solidScale![solid]);
            if (!ray.intersectsSphere(ball)) return;
            const corners = this.triangles(solid);
            for (let k = 0; k < corners.length; k += 9) {
                if (!ray.intersectTriangle(a.fromArray(corners, k), b.fromArray(corners, k + 3), c.fromArray(corners, k + 6), false, hit) || isCut(hit)) continue;
                const distance = hit.distanceTo(ray.origin);
                if (!best || distance < best.distance) best = {body, distance};
            }
        });
        return best;
    }
}
