// Which spheres can be seen at all. In a packing of a million most are hidden by others; leaving them out is what lets
// a computer without a graphics card draw it. Nothing that can be seen is left out.
//
// The screen is cut into cells. A sphere covers the cells that lie within its disc, and there nothing is seen that is
// farther away than its centre. A sphere is hidden if all cells that its own disc may touch are covered by something that
// is nearer than its nearest point.
import type * as three from "three";

export interface Eye {
    toEye: three.Matrix4;    // from the coordinates of the frame
    isFlat: boolean;         // without perspective
    pixelsPerUnit: number;   // of a length at distance 1, or anywhere without perspective
    width: number;           // pixels
    height: number;
}

// The disc of a sphere off the axis of the eye is an ellipse, a little longer than this takes it to be.
const longest = 1.15; // of the radius
const cellsPerRadius = 5;

export class Hidden {
    private depth = new Float32Array();
    private across = new Float32Array(); // of each sphere: x, y, radius on the screen, in cells, and its distance
    list = new Uint32Array();            // those that may be seen
    count = 0;

    // Those for which isLeftOut holds are neither seen nor do they hide others.
    find(spheres: Float32Array, scale: number, eye: Eye, isLeftOut: (x: number, y: number, z: number) => boolean): void {
        const n = spheres.length / 4, cell = this.cellFor(spheres, scale, eye);
        const columns = Math.ceil(eye.width / cell), rows = Math.ceil(eye.height / cell);
        if (this.depth.length !== columns * rows) this.depth = new Float32Array(columns * rows);
        if (this.list.length !== n) {
            this.list = new Uint32Array(n);
            this.across = new Float32Array(4 * n);
        }
        this.depth.fill(Infinity);
        this.project(spheres, scale, eye, cell, isLeftOut);
        this.cover(columns, rows);
        this.collect(spheres, scale, columns, rows);
    }

    // A share of a usual radius on the screen, but no less than a pixel.
    private cellFor(spheres: Float32Array, scale: number, eye: Eye): number {
        const step = 4 * Math.max(1, Math.floor(spheres.length / 4 / 500)), sizes: number[] = [], m = eye.toEye.elements;
        for (let k = 0; k < spheres.length; k += step) {
            const distance = -(m[2] * spheres[k] + m[6] * spheres[k + 1] + m[10] * spheres[k + 2] + m[14]);
            if (spheres[k + 3] > 0 && distance > 0) sizes.push((scale * spheres[k + 3] * eye.pixelsPerUnit) / (eye.isFlat ? 1 : distance));
        }
        sizes.sort((a, b) => a - b);
        return Math.max(1, (sizes[Math.floor(sizes.length / 2)] ?? 1) / cellsPerRadius);
    }

    private project(spheres: Float32Array, scale: number, eye: Eye, cell: number, isLeftOut: (x: number, y: number, z: number) => boolean): void {
        const m = eye.toEye.elements, across = this.across, unit = eye.pixelsPerUnit / cell;
        const halfWidth = (0.5 * eye.width) / cell, halfHeight = (0.5 * eye.height) / cell;
        for (let k = 0; k < spheres.length; k += 4) {
            const x = spheres[k], y = spheres[k + 1], z = spheres[k + 2], r = scale * spheres[k + 3];
            const distance = -(m[2] * x + m[6] * y + m[10] * z + m[14]);
            // What the eye is in, or behind it, is drawn as it is: its place on the screen would be nonsense.
            if (!(r > 0) || isLeftOut(x, y, z)) {
                across[k + 2] = 0;
                continue;
            }
            if (!eye.isFlat && distance < 3 * r) {
                across[k + 2] = distance > -r ? Infinity : 0;
                continue;
            }
            const s = eye.isFlat ? unit : unit / distance;
            across[k] = halfWidth + s * (m[0] * x + m[4] * y + m[8] * z + m[12]);
            across[k + 1] = halfHeight + s * (m[1] * x + m[5] * y + m[9] * z + m[13]);
            across[k + 2] = s * r;
            across[k + 3] = distance;
        }
    }

    private cover(columns: number, rows: number): void {
        const {across, depth} = this;
        for (let k = 0; k < across.length; k += 4) {
            const x = across[k], y = across[k + 1], r = across[k + 2], d = across[k + 3];
            if (!(r > 0.71) || r === Infinity) continue; // no whole cell
            const low = Math.max(0, Math.ceil(y - r)), high = Math.min(rows, Math.floor(y + r));
            for (let row = low; row < high; ++row) {
                const up = Math.max(Math.abs(row - y), Math.abs(row + 1 - y)), half = Math.sqrt(Math.max(0, r * r - up * up));
                const left = Math.max(0, Math.ceil(x - half)), right = Math.min(columns, Math.floor(x + half));
                for (let at = row * columns + left, end = row * columns + right; at < end; ++at) if (d < depth[at]) depth[at] = d;
            }
        }
    }

    private collect(spheres: Float32Array, scale: number, columns: number, rows: number): void {
        const {across, depth, list} = this;
        let count = 0;
        for (let k = 0; k < across.length; k += 4) {
            const reach = longest * across[k + 2];
            if (reach === 0) continue;
            if (reach === Infinity || this.isSeen(across[k], across[k + 1], reach, across[k + 3] - scale * spheres[k + 3], columns, rows, depth)) list[count++] = k / 4;
        }
        this.count = count;
    }

    private isSeen(x: number, y: number, reach: number, nearest: number, columns: number, rows: number, depth: Float32Array): boolean {
        const left = Math.max(0, Math.floor(x - reach)), right = Math.min(columns - 1, Math.floor(x + reach));
        const low = Math.max(0, Math.floor(y - reach)), high = Math.min(rows - 1, Math.floor(y + reach));
        for (let row = low; row <= high; ++row)
            for (let at = row * columns + left, end = row * columns + right; at <= end; ++at) if (depth[at] > nearest) return true;
        return false;
    }
}
