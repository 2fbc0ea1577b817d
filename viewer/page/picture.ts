// The picture: bodies, walls, arrows and force chains of one frame, seen through a camera that the user moves.
import * as three from "three";
import {OrbitControls} from "three/examples/jsm/controls/OrbitControls.js";
import {groupTexels, mapTexels} from "./colours";
import {count, type Frame} from "./frame";
import {sphereFragment, sphereVertex, stickFragment, stickVertex, surfaceFragment, surfaceVertex} from "./shaders";
import {smoothNormals} from "./normals";

type Vector = three.Vector3;

export interface Clip {
    axis: 0 | 1 | 2;
    low: number; // m, of the world
    high: number;
}

export interface Look {
    bodies: boolean;
    bodyScale: number;
    walls: number;    // opacity
    arrows: boolean;
    arrowScale: number;
    chains: boolean;
    chainWidth: number;
    chainThreshold: number; // times the mean force
    clip: Clip | null;
}

export const views: Record<string, [number, number, number]> = {
    "+x": [1, 0, 0], "-x": [-1, 0, 0], "+y": [0, 1, 0], "-y": [0, -1, 0], "+z": [0, 0, 1], "-z": [0, 0, -1],
    corner: [0.55, -0.75, 0.38],
};

const mostArrows = 200_000;

function rawMaterial(vertexShader: string, fragmentShader: string, uniforms: Record<string, three.IUniform>): three.RawShaderMaterial {
    return new three.RawShaderMaterial({glslVersion: three.GLSL3, vertexShader, fragmentShader, uniforms});
}

export class Picture {
    readonly canvas: HTMLCanvasElement;
    readonly controls: OrbitControls;
    onMoved: () => void = () => {};
    frame: Frame | null = null;
    look: Look = {bodies: true, bodyScale: 1, walls: 0.15, arrows: false, arrowScale: 1, chains: false, chainWidth: 1,
                  chainThreshold: 1, clip: null};
    selected = -1;
    isFollowing = false;

    private readonly renderer: three.WebGLRenderer;
    private readonly scene = new three.Scene();
    private readonly perspective = new three.PerspectiveCamera(35, 1, 0.01, 1000);
    private readonly orthographic = new three.OrthographicCamera(-1, 1, 1, -1, -100, 100);
    private camera: three.PerspectiveCamera | three.OrthographicCamera = this.perspective;

    private readonly shared = {
        colourMap: {value: null as three.Texture | null},
        range: {value: new three.Vector2(0, 1)},
        isCategory: {value: 0},
        skyInEye: {value: new three.Vector3(0, 1, 0)},
        clip: {value: new three.Vector4(0, 0, 0, 0)},
        clipTop: {value: 0},
        isFlat: {value: 0},
    };
    private readonly sphereUniforms = {scale: {value: 1}, selected: {value: -1}};
    private readonly surfaceUniforms = {selectedBody: {value: -1}};
    private readonly spheres: three.Mesh<three.InstancedBufferGeometry>;
    private readonly surfaces: three.Mesh<three.BufferGeometry>;
    private readonly arrows: three.Mesh<three.InstancedBufferGeometry>;
    private readonly chains: three.Mesh<three.InstancedBufferGeometry>;
    private readonly wallFaces: three.Mesh<three.BufferGeometry, three.MeshBasicMaterial>;
    private readonly wallEdges: three.LineSegments<three.BufferGeometry, three.LineBasicMaterial>;
    private readonly ruler: three.Line;
    private up: Vector = new three.Vector3(0, 0, 1);
    private isPlanar = false;
    private wanted = false;
    private wallsShown: number[] = [];
    private heldTriangles: number[] = [];
    // Where the origin of frames is in the coordinates of the picture, so that the camera keeps its place.
    private base: [number, number, number] | null = null;

    constructor(private readonly place: HTMLElement) {
        this.renderer = new three.WebGLRenderer({antialias: true, alpha: true});
        this.canvas = this.renderer.domElement;
        place.append(this.canvas);
        this.perspective.up.copy(this.up);
        this.orthographic.up.copy(this.up);
        this.controls = new OrbitControls(this.camera, this.canvas);
        this.controls.zoomToCursor = true;
        this.controls.addEventListener("change", () => this.redraw());

        const corners = new three.BufferAttribute(new Float32Array([-1, -1, 0, 1, -1, 0, 1, 1, 0, -1, -1, 0, 1, 1, 0, -1, 1, 0]), 3);
        const sphereShape = new three.InstancedBufferGeometry();
        sphereShape.setAttribute("position", corners);
        this.spheres = new three.Mesh(sphereShape, rawMaterial(sphereVertex, sphereFragment, {...this.shared, ...this.sphereUniforms}));
        const surface = rawMaterial(surfaceVertex, surfaceFragment, {...this.shared, ...this.surfaceUniforms});
        surface.side = three.DoubleSide;
        this.surfaces = new three.Mesh(new three.BufferGeometry(), surface);
        this.arrows = this.makeSticks(0, [0.95, 0.35, 0.1], [0.95, 0.35, 0.1]);
        this.chains = this.makeSticks(1, [0.93, 0.63, 0.25], [0.65, 0.0, 0.15]);
        this.wallFaces = new three.Mesh(new three.BufferGeometry(),
            new three.MeshBasicMaterial({color: 0x8899aa, transparent: true, side: three.DoubleSide, depthWrite: false}));
        this.wallEdges = new three.LineSegments(new three.BufferGeometry(), new three.LineBasicMaterial({color: 0x8899aa}));
        this.ruler = new three.Line(new three.BufferGeometry(), new three.LineBasicMaterial({color: 0xff1a73, depthTest: false}));
        for (const one of [this.spheres, this.surfaces, this.arrows, this.chains, this.wallEdges, this.wallFaces, this.ruler]) {
            one.frustumCulled = false;
            one.visible = false;
            this.scene.add(one);
        }
        this.wallFaces.renderOrder = 1;
        this.setMap("viridis", false);
        new ResizeObserver(() => this.resize()).observe(place);
        this.resize();
    }

    // A stick with six sides, from 0 to 1 along z.
    private makeSticks(tip: number, low: number[], high: number[]): three.Mesh<three.InstancedBufferGeometry> {
        const sides = 8, shape = new three.InstancedBufferGeometry(), points: number[] = [];
        for (let k = 0; k < sides; ++k) {
            const at = (n: number, z: number) => [Math.cos((2 * Math.PI * n) / sides), Math.sin((2 * Math.PI * n) / sides), z];
            points.push(...at(k, 0), ...at(k + 1, 0), ...at(k + 1, 1), ...at(k, 0), ...at(k + 1, 1), ...at(k, 1));
        }
        shape.setAttribute("position", new three.BufferAttribute(new Float32Array(points), 3));
        const uniforms = {...this.shared, tip: {value: tip}, widthScale: {value: 1},
                          low: {value: new three.Vector3(...low)}, high: {value: new three.Vector3(...high)}};
        const material = rawMaterial(stickVertex, stickFragment, uniforms);
        material.side = three.DoubleSide;
        return new three.Mesh(shape, material);
    }

    private setSticks(mesh: three.Mesh<three.InstancedBufferGeometry>, sticks: Float32Array): void {
        const old = mesh.geometry, shape = new three.InstancedBufferGeometry();
        shape.setAttribute("position", old.getAttribute("position"));
        const buffer = new three.InstancedInterleavedBuffer(sticks, 8);
        shape.setAttribute("from", new three.InterleavedBufferAttribute(buffer, 3, 0));
        shape.setAttribute("to", new three.InterleavedBufferAttribute(buffer, 3, 3));
        shape.setAttribute("width", new three.InterleavedBufferAttribute(buffer, 1, 6));
        shape.setAttribute("share", new three.InterleavedBufferAttribute(buffer, 1, 7));
        shape.instanceCount = sticks.length / 8;
        mesh.geometry = shape;
        old.dispose();
    }

    // --- what is shown

    setMap(name: string, isCategory: boolean): void {
        this.shared.colourMap.value?.dispose();
        const texture = new three.DataTexture(isCategory ? groupTexels() : mapTexels(name), 256, 1);
        texture.magFilter = texture.minFilter = isCategory ? three.NearestFilter : three.LinearFilter;
        texture.needsUpdate = true;
        this.shared.colourMap.value = texture;
        this.shared.isCategory.value = isCategory ? 1 : 0;
        this.redraw();
    }

    setRange(low: number, high: number): void {
        this.shared.range.value.set(low, high);
        this.redraw();
    }

    setWorld(gravity: [number, number, number], isPlanar: boolean): void {
        this.up = new three.Vector3(...gravity).multiplyScalar(-1);
        if (this.up.length() === 0) this.up.set(0, 0, 1);
        this.up.normalize();
        this.isPlanar = isPlanar;
    }

    show(frame: Frame): void {
        const isFirst = this.frame === null || this.base === null;
        this.frame = frame;
        if (isFirst) this.base = frame.origin;
        const shift = new three.Vector3(...frame.origin.map((x, k) => x - this.base![k]));
        for (const one of this.scene.children) if (one !== this.ruler) one.position.copy(shift);

        const shape = new three.InstancedBufferGeometry();
        shape.setAttribute("position", this.spheres.geometry.getAttribute("position"));
        shape.setAttribute("sphere", new three.InstancedBufferAttribute(frame.spheres, 4));
        shape.setAttribute("value", new three.InstancedBufferAttribute(frame.value, 1));
        shape.instanceCount = count(frame);
        this.spheres.geometry.dispose();
        this.spheres.geometry = shape;
        this.showSurfaces(frame);
        this.showWalls(frame);
        this.applyLook();
        if (isFirst) this.setView("corner");
        if (this.isFollowing) this.follow();
        this.redraw();
    }

    private showSurfaces(frame: Frame): void {
        this.surfaces.geometry.dispose();
        this.surfaces.geometry = new three.BufferGeometry();
        this.surfaces.visible = false;
        this.heldTriangles = [];
        if (!frame.shapePoints || !frame.shapeTriangles || !frame.shapeBody) return;
        const free: number[] = [], held: number[] = [];
        frame.shapeBody.forEach((body, t) => (Number.isNaN(frame.value[body]) ? held : free).push(t));
        this.heldTriangles = held;
        if (free.length === 0) return;
        const triangles = new Uint32Array(3 * free.length), value = new Float32Array(3 * free.length), body = new Float32Array(3 * free.length);
        const position = new Float32Array(9 * free.length);
        free.forEach((t, n) => {
            for (let corner = 0; corner < 3; ++corner) {
                const k = 3 * n + corner, point = frame.shapeTriangles![3 * t + corner];
                triangles[k] = point;
                position.set(frame.shapePoints!.subarray(3 * point, 3 * point + 3), 3 * k);
                body[k] = frame.shapeBody![t];
                value[k] = frame.value[body[k]];
            }
        });
        const shape = this.surfaces.geometry;
        shape.setAttribute("position", new three.BufferAttribute(position, 3));
        shape.setAttribute("normal", new three.BufferAttribute(smoothNormals(frame.shapePoints, triangles), 3));
        shape.setAttribute("value", new three.BufferAttribute(value, 1));
        shape.setAttribute("body", new three.BufferAttribute(body, 1));
        this.surfaces.visible = this.look.bodies;
    }

    // Walls, and solids that are held in place, which act as walls.
    private showWalls(frame: Frame): void {
        const points: number[] = [], triangles: number[] = [];
        let first = 0;
        for (const end of frame.wallEnds ?? []) {
            const corners = frame.wallCorners!;
            for (let k = first + 1; k + 1 < end; ++k) triangles.push(corners[first], corners[k], corners[k + 1]);
            first = end;
        }
        for (const x of frame.wallPoints ?? []) points.push(x);
        for (const t of this.heldTriangles) {
            for (let corner = 0; corner < 3; ++corner) {
                triangles.push(points.length / 3);
                points.push(...frame.shapePoints!.subarray(3 * frame.shapeTriangles![3 * t + corner], 3 * frame.shapeTriangles![3 * t + corner] + 3));
            }
        }
        const isSame = points.length === this.wallsShown.length && points.every((x, k) => x === this.wallsShown[k]);
        if (isSame) return;
        this.wallsShown = points;
        this.wallFaces.geometry.dispose();
        this.wallEdges.geometry.dispose();
        this.wallFaces.geometry = new three.BufferGeometry();
        this.wallEdges.geometry = new three.BufferGeometry();
        if (points.length === 0) return;
        const shape = this.wallFaces.geometry;
        shape.setAttribute("position", new three.BufferAttribute(new Float32Array(points), 3));
        shape.setIndex(triangles);
        this.wallEdges.geometry = new three.EdgesGeometry(shape, 25);
    }

    // After a change of `look`.
    applyLook(): void {
        const {look, frame} = this;
        this.spheres.visible = look.bodies;
        this.surfaces.visible = look.bodies && this.surfaces.geometry.hasAttribute("position");
        this.sphereUniforms.scale.value = look.bodyScale;
        this.sphereUniforms.selected.value = this.selected;
        this.surfaceUniforms.selectedBody.value = this.selected;
        this.wallFaces.visible = look.walls > 0 && this.wallFaces.geometry.hasAttribute("position");
        this.wallEdges.visible = this.wallEdges.geometry.hasAttribute("position") && look.walls > 0;
        this.wallFaces.material.opacity = look.walls;
        this.wallEdges.material.transparent = true;
        this.wallEdges.material.opacity = Math.min(1, 0.4 + look.walls);
        if (frame && look.clip) {
            const normal = [0, 0, 0];
            normal[look.clip.axis] = 1;
            const origin = frame.origin[look.clip.axis];
            this.shared.clip.value.set(normal[0], normal[1], normal[2], look.clip.low - origin);
            this.shared.clipTop.value = look.clip.high - origin;
        } else {
            this.shared.clip.value.set(0, 0, 0, 0);
        }
        this.arrows.visible = look.arrows && frame?.velocity !== undefined;
        if (this.arrows.visible) this.setSticks(this.arrows, this.arrowSticks(frame!));
        this.chains.visible = look.chains && frame?.contacts !== undefined;
        if (this.chains.visible) this.setSticks(this.chains, this.chainSticks(frame!));
        this.redraw();
    }

    // The fastest are as long as four usual radii.
    private arrowSticks(frame: Frame): Float32Array {
        const bodies = Math.min(count(frame), mostArrows), speeds: number[] = [];
        for (let k = 0; k < bodies; ++k) speeds.push(Math.hypot(...frame.velocity!.subarray(3 * k, 3 * k + 3)));
        const top = [...speeds].sort((a, b) => a - b)[Math.floor(0.98 * (bodies - 1))] || 1;
        const radius = this.usualRadius(), sticks = new Float32Array(8 * bodies);
        for (let k = 0; k < bodies; ++k) {
            const scale = (4 * radius * this.look.arrowScale) / top;
            for (let c = 0; c < 3; ++c) {
                sticks[8 * k + c] = frame.spheres[4 * k + c];
                sticks[8 * k + 3 + c] = frame.spheres[4 * k + c] + scale * frame.velocity![3 * k + c];
            }
            sticks[8 * k + 6] = Math.min(0.35 * radius, 0.2 * scale * speeds[k]);
        }
        return sticks;
    }

    // Those above the threshold, as wide as their force: a usual radius for the largest.
    private chainSticks(frame: Frame): Float32Array {
        const contacts = frame.contacts!, total = contacts.length / 7;
        const {mean, top} = forceStatistics(frame);
        const threshold = this.look.chainThreshold * mean, list: number[] = [];
        const radius = this.usualRadius() * this.look.chainWidth;
        for (let k = 0; k < total; ++k) {
            const force = contacts[7 * k + 6];
            if (!(force >= threshold) || force <= 0) continue;
            const share = Math.min(1, force / top);
            for (let c = 0; c < 6; ++c) list.push(contacts[7 * k + c]);
            list.push(0.6 * radius * Math.max(share, 0.03), share);
        }
        return new Float32Array(list);
    }

    usualRadius(): number {
        if (!this.frame) return 1;
        const radii: number[] = [], bodies = count(this.frame), step = Math.max(1, Math.floor(bodies / 1000));
        for (let k = 0; k < bodies; k += step) if (this.frame.spheres[4 * k + 3] > 0) radii.push(this.frame.spheres[4 * k + 3]);
        if (radii.length === 0) return 0.05 * this.bounds().getBoundingSphere(new three.Sphere()).radius;
        return radii.sort((a, b) => a - b)[Math.floor(radii.length / 2)];
    }

    // --- where from

    // Of the bodies, and of the walls unless they are much larger.
    bounds(): three.Box3 {
        const box = new three.Box3(), frame = this.frame, shift = this.spheres.position, p = new three.Vector3();
        if (!frame) return box.set(new three.Vector3(-1, -1, -1), new three.Vector3(1, 1, 1));
        for (let k = 0; k < count(frame); ++k) {
            const [x, y, z, r] = frame.spheres.subarray(4 * k, 4 * k + 4);
            if (!Number.isFinite(x + y + z) || r <= 0) continue;
            box.expandByPoint(p.set(x - r, y - r, z - r)).expandByPoint(p.set(x + r, y + r, z + r));
        }
        const add = (points: ArrayLike<number>, into: three.Box3) => {
            for (let k = 0; k < points.length; k += 3) into.expandByPoint(p.set(points[k], points[k + 1], points[k + 2]));
        };
        if (this.surfaces.geometry.hasAttribute("position")) add(this.surfaces.geometry.getAttribute("position").array, box);
        const walls = new three.Box3();
        add(this.wallsShown, walls);
        const size = (b: three.Box3) => b.getSize(new three.Vector3()).length();
        if (box.isEmpty() || (!walls.isEmpty() && size(walls) < 3 * size(box))) box.union(walls);
        if (box.isEmpty()) box.set(new three.Vector3(-1, -1, -1), new three.Vector3(1, 1, 1));
        return box.translate(shift);
    }

    // What to add to coordinates of the picture for those of the world, m.
    worldShift(): [number, number, number] {
        return this.base ?? [0, 0, 0];
    }

    setView(name: keyof typeof views): void {
        const direction = new three.Vector3(...views[name]);
        if (name === "corner" && this.isPlanar) direction.set(0, 0, 1);
        // Standard views are along the axes of the world; the corner is one for an upward z, turned to where up is.
        if (name === "corner" && !this.isPlanar)
            direction.applyQuaternion(new three.Quaternion().setFromUnitVectors(new three.Vector3(0, 0, 1), this.up));
        const alongUp = Math.abs(direction.clone().normalize().dot(this.up)) > 0.999;
        const up = alongUp ? new three.Vector3(0, 1, 0) : this.up.clone();
        if (alongUp && Math.abs(this.up.y) > 0.9) up.set(0, 0, -1);
        this.fit(direction.normalize(), up);
    }

    // Everything in the picture, from this direction or the present one.
    fit(direction?: Vector, up?: Vector): void {
        const box = this.bounds(), sphere = box.getBoundingSphere(new three.Sphere());
        const from = direction ?? this.camera.position.clone().sub(this.controls.target).normalize();
        const radius = Math.max(sphere.radius, 1e-9), aspect = this.aspect();
        const half = (this.perspective.fov * Math.PI) / 360, distance = (1.02 * radius) / Math.sin(Math.min(half, Math.atan(Math.tan(half) * aspect)));
        // OrbitControls reads the up of its camera when it is made.
        if (up && !up.equals(this.camera.up)) {
            this.perspective.up.copy(up);
            this.orthographic.up.copy(up);
            (this.controls as any)._quat.setFromUnitVectors(up, new three.Vector3(0, 1, 0));
            (this.controls as any)._quatInverse.copy((this.controls as any)._quat).invert();
        }
        for (const camera of [this.perspective, this.orthographic]) {
            camera.position.copy(sphere.center).addScaledVector(from, distance);
            camera.near = camera === this.perspective ? distance / 500 : -10 * distance;
            camera.far = 20 * distance;
        }
        const height = 1.05 * radius * Math.max(1, 1 / aspect);
        this.orthographic.zoom = 1;
        this.orthographic.top = height;
        this.orthographic.bottom = -height;
        this.controls.target.copy(sphere.center);
        this.resize();
        this.controls.update();
        this.redraw();
    }

    toggleOrthographic(): boolean {
        const old = this.camera;
        this.camera = old === this.perspective ? this.orthographic : this.perspective;
        const distance = old.position.distanceTo(this.controls.target), tangent = Math.tan((this.perspective.fov * Math.PI) / 360);
        this.camera.position.copy(old.position);
        if (this.camera === this.orthographic) {
            this.orthographic.zoom = this.orthographic.top / (distance * tangent);
        } else {
            const back = this.camera.position.clone().sub(this.controls.target).normalize();
            const away = this.orthographic.top / this.orthographic.zoom / tangent;
            this.camera.position.copy(this.controls.target).addScaledVector(back, away);
        }
        this.controls.object = this.camera;
        this.shared.isFlat.value = this.camera === this.orthographic ? 1 : 0;
        this.resize();
        this.controls.update();
        return this.camera === this.orthographic;
    }

    private follow(): void {
        const place = this.placeOf(this.selected);
        if (!place) return;
        const move = place.sub(this.controls.target);
        this.controls.target.add(move);
        this.camera.position.add(move);
        this.controls.update();
    }

    toggleFollow(): boolean {
        this.isFollowing = !this.isFollowing && this.selected >= 0;
        if (this.isFollowing) this.follow();
        return this.isFollowing;
    }

    // Centre of a body, in the coordinates of the picture.
    private placeOf(index: number): Vector | null {
        if (!this.frame || index < 0 || index >= count(this.frame)) return null;
        return new three.Vector3(...this.frame.spheres.subarray(4 * index, 4 * index + 3)).add(this.spheres.position);
    }

    // --- picking

    private rayAt(x: number, y: number): three.Ray {
        const area = this.canvas.getBoundingClientRect(), caster = new three.Raycaster();
        const point = new three.Vector2((2 * (x - area.left)) / area.width - 1, 1 - (2 * (y - area.top)) / area.height);
        caster.setFromCamera(point, this.camera);
        return caster.ray;
    }

    // The body under a point of the window, and the point on it in the world, m.
    pick(x: number, y: number): {body: number; point: [number, number, number]} | null {
        if (!this.frame || !this.look.bodies) return null;
        const ray = this.rayAt(x, y), shift = this.spheres.position, scale = this.look.bodyScale;
        ray.origin.sub(shift);
        let nearest = Infinity, body = -1;
        const {x: ox, y: oy, z: oz} = ray.origin, {x: dx, y: dy, z: dz} = ray.direction, s = this.frame.spheres;
        const clip = this.shared.clip.value, isClipped = clip.x + clip.y + clip.z > 0;
        const isCut = (px: number, py: number, pz: number) => {
            const along = px * clip.x + py * clip.y + pz * clip.z;
            return isClipped && (along < clip.w || along > this.shared.clipTop.value);
        };
        for (let k = 0, n = count(this.frame); k < n; ++k) {
            const px = ox - s[4 * k], py = oy - s[4 * k + 1], pz = oz - s[4 * k + 2], r = s[4 * k + 3] * scale;
            const along = px * dx + py * dy + pz * dz, inside = along * along - (px * px + py * py + pz * pz) + r * r;
            if (r <= 0 || inside < 0) continue;
            const distance = -along - Math.sqrt(inside);
            if (distance > 0 && distance < nearest && !isCut(s[4 * k], s[4 * k + 1], s[4 * k + 2])) {
                nearest = distance;
                body = k;
            }
        }
        const position = this.surfaces.geometry.getAttribute("position"), hit = new three.Vector3();
        const [a, b, c] = [new three.Vector3(), new three.Vector3(), new three.Vector3()];
        for (let k = 0; position && k < position.count; k += 3) {
            a.fromBufferAttribute(position, k);
            b.fromBufferAttribute(position, k + 1);
            c.fromBufferAttribute(position, k + 2);
            if (!ray.intersectTriangle(a, b, c, false, hit) || isCut(hit.x, hit.y, hit.z)) continue;
            const distance = hit.distanceTo(ray.origin);
            if (distance < nearest) {
                nearest = distance;
                body = this.surfaces.geometry.getAttribute("body").getX(k);
            }
        }
        if (body < 0) return null;
        const at = ray.at(nearest, new three.Vector3()), origin = this.frame.origin;
        return {body, point: [at.x + origin[0], at.y + origin[1], at.z + origin[2]]};
    }

    // A line between two points of the world; none for null.
    showRuler(ends: [number, number, number][] | null): void {
        this.ruler.visible = ends !== null && ends.length === 2;
        if (ends && this.base) {
            const points = ends.map((end) => new three.Vector3(...end.map((x, k) => x - this.base![k])));
            this.ruler.geometry.dispose();
            this.ruler.geometry = new three.BufferGeometry().setFromPoints(points);
            this.ruler.renderOrder = 2;
        }
        this.redraw();
    }

    // --- drawing

    private aspect(): number {
        return Math.max(this.place.clientWidth, 1) / Math.max(this.place.clientHeight, 1);
    }

    private resize(): void {
        const width = Math.max(this.place.clientWidth, 1), height = Math.max(this.place.clientHeight, 1);
        this.renderer.setPixelRatio(Math.min(window.devicePixelRatio, 2));
        this.renderer.setSize(width, height);
        this.perspective.aspect = width / height;
        this.perspective.updateProjectionMatrix();
        const half = (this.orthographic.top * width) / height;
        this.orthographic.left = -half;
        this.orthographic.right = half;
        this.orthographic.updateProjectionMatrix();
        this.redraw();
    }

    redraw(): void {
        if (this.wanted) return;
        this.wanted = true;
        requestAnimationFrame(() => {
            this.wanted = false;
            this.drawNow();
            this.onMoved();
        });
    }

    drawNow(): void {
        this.camera.updateMatrixWorld();
        this.shared.skyInEye.value.copy(this.up).transformDirection(this.camera.matrixWorldInverse);
        this.renderer.render(this.scene, this.camera);
    }

    // Directions of the axes of the world on the screen, for the little cross.
    axes(): [number, number][] {
        const turn = new three.Matrix3().setFromMatrix4(this.camera.matrixWorldInverse);
        return [[1, 0, 0], [0, 1, 0], [0, 0, 1]].map((axis) => {
            const v = new three.Vector3(...axis).applyMatrix3(turn);
            return [v.x, v.y];
        });
    }

    // Length in metres of a pixel at the target.
    metresPerPixel(): number {
        const height = Math.max(this.place.clientHeight, 1);
        if (this.camera === this.orthographic) return (2 * this.orthographic.top) / this.orthographic.zoom / height;
        const distance = this.camera.position.distanceTo(this.controls.target);
        return (2 * distance * Math.tan((this.perspective.fov * Math.PI) / 360)) / height;
    }
}

export function forceStatistics(frame: Frame): {mean: number; top: number} {
    let sum = 0, pushing = 0, top = 0;
    const contacts = frame.contacts ?? new Float32Array();
    for (let k = 6; k < contacts.length; k += 7) {
        if (!(contacts[k] > 0)) continue;
        sum += contacts[k];
        ++pushing;
        top = Math.max(top, contacts[k]);
    }
    return {mean: pushing ? sum / pushing : 0, top: top || 1};
}
