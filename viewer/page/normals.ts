// Normals of surfaces made of triangles: smooth over round parts, sharp at edges.

const smoothCosine = 0.8;

// One per corner of each triangle: the mean of the triangles about the point if this one nearly has it, else its own.
export function smoothNormals(points: Float32Array, triangles: Uint32Array): Float32Array {
    const own = new Float32Array(triangles.length), mean = new Float32Array(points.length);
    for (let t = 0; t < triangles.length; t += 3) {
        const [a, b, c] = [3 * triangles[t], 3 * triangles[t + 1], 3 * triangles[t + 2]];
        const ux = points[b] - points[a], uy = points[b + 1] - points[a + 1], uz = points[b + 2] - points[a + 2];
        const vx = points[c] - points[a], vy = points[c + 1] - points[a + 1], vz = points[c + 2] - points[a + 2];
        own[t] = uy * vz - uz * vy;
        own[t + 1] = uz * vx - ux * vz;
        own[t + 2] = ux * vy - uy * vx;
        for (const p of [a, b, c]) for (let k = 0; k < 3; ++k) mean[p + k] += own[t + k];
    }
    const normals = new Float32Array(3 * triangles.length);
    for (let t = 0; t < triangles.length; t += 3) {
        const length = Math.hypot(own[t], own[t + 1], own[t + 2]) || 1;
        for (let corner = 0; corner < 3; ++corner) {
            const p = 3 * triangles[t + corner], size = Math.hypot(mean[p], mean[p + 1], mean[p + 2]) || 1;
            const cosine = (own[t] * mean[p] + own[t + 1] * mean[p + 1] + own[t + 2] * mean[p + 2]) / (length * size);
            for (let k = 0; k < 3; ++k) normals[3 * (t + corner) + k] = cosine > smoothCosine ? mean[p + k] / size : own[t + k] / length;
        }
    }
    return normals;
}
