// The picture: bodies, walls, arrows and force chains of one frame, seen through a camera that the user moves.
import * as three from "three";
import {OrbitControls} from "three/examples/jsm/controls/OrbitControls.js";
import {groupTexels, mapTexels} from "./colours";
import {count, type Frame} from "./frame";
import {sphereFragment, sphereVertex, stickFragment, stickVertex, surfaceFragment, surfaceVertex} from "./shaders";
import {Hidden} from "./hidden";
import {Solids} from "./solids";

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
    joints: boolean;
    clip: Clip | null;
}

export const views: Record<string, [number, number, number]> = {
    "+x": [1, 0, 0], "-x": [-1, 0, 0], "+y": [0, 1, 0], "-y": [0, -1, 0], "+z": [0, 0, 1], "-z": [0, 0, -1],
    corner: [0.55, -0.75, 0.38],
};

const mostArrows = 200_000;

const mostOwnSticks = 30_000; // that have vertices of their own where instances are slow

// A stick with eight sides, from 0 to 1 along z.
function stickTriangles(): Float32Array {
    const sides = 8, points: number[] = [];
    for (let k = 0; k < sides; ++k) {
        const at = (n: number, z: number) => [Math.cos((2 * Math.PI * n) / sides), Math.sin((2 * Math.PI * n) / sides), z];
        points.push(...at(k, 0), ...at(k + 1, 0), ...at(k + 1, 1), ...at(k, 0), ...at(k + 1, 1), ...at(k, 1));
    }
    return new Float32Array(points);
}

function tiled(pattern: Float32Array, times: number): Float32Array {
    const all = new Float32Array(pattern.length * times);
    for (let k = 0; k < times; ++k) all.set(pattern, k * pattern.length);
    return all;
}

// Each record so many times.
function repeated(records: Float32Array, size: number, times: number): Float32Array {
    const all = new Float32Array(records.length * times);
    for (let k = 0; k < records.length / size; ++k)
        for (let n = 0; n < times; ++n) all.set(records.subarray(size * k, size * (k + 1)), size * (k * times + n));
    return all;
}

// True where no graphics card draws, but the processor.
function isSoftware(): boolean {
    const gl = document.createElement("canvas").getContext("webgl2");
    const facts = gl?.getExtension("WEBGL_debug_renderer_info");
    const name = gl && facts ? String(gl.getParameter(facts.UNMASKED_RENDERER_WEBGL)) : "";
    gl?.getExtension("WEBGL_lose_context")?.loseContext();
    return /swiftshader|llvmpipe|softpipe|software|basic render/i.test(name);
}

function rawMaterial(vertexShader: string, fragmentShader: string, uniforms: Record<string, three.IUniform>): three.RawShaderMaterial {
    return new three.RawShaderMaterial({glslVersion: three.GLSL3, vertexShader, fragmentShader, uniforms});
}

export class Picture {
    readonly canvas: HTMLCanvasElement;
    readonly controls: OrbitControls;
    onMoved: () => void = () => {};
    frame: Frame | null = null;
    look: Look = {bodies: true, bodyScale: 1, walls: 0.15, arrows: false, arrowScale: 1, chains: false, chainWidth: 1,
                  chainThreshold: 1, joints: true, clip: null};
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
    private readonly sphereUniforms = {scale: {value: 1}, selected: {value: -1}, verticesEach: {value: 0}};
    private readonly surfaceUniforms = {selectedBody: {value: -1}};
    private readonly spheres: three.Mesh<three.BufferGeometry>;
    readonly solids: Solids;
    private readonly arrows: three.Mesh<three.BufferGeometry>;
    private readonly chains: three.Mesh<three.BufferGeometry>;
    private readonly joints: three.Mesh<three.BufferGeometry>;
    private readonly wallFaces: three.Mesh<three.BufferGeometry, three.MeshBasicMaterial>;
    private readonly wallEdges: three.LineSegments<three.BufferGeometry, three.LineBasicMaterial>;
    private readonly ruler: three.Line;
    private up: Vector = new three.Vector3(0, 0, 1);
    private isPlanar = false;
    private wanted = false;
    // On the processor hidden spheres cost as much as others, and each instance as much as a drawing of its own: there
    // spheres that can be seen are gathered, and have vertices of their own.
    leavesOutHidden = isSoftware();
    private readonly hidden = new Hidden();
    private hiddenFor = ""; // what the hidden ones were found for
    private frameNumber = 0;
    private readonly stickPattern = stickTriangles();
    private wallPoints = new Float32Array();
    private wallsShown = "";
    // Where the origin of frames is in the coordinates of the picture, so that the camera keeps its place.
    private base: [number, number, number] | null = null;

    constructor(private readonly place: HTMLElement) {
        this.renderer = new three.WebGLRenderer({antialias: !this.leavesOutHidden, alpha: true});
        this.canvas = this.renderer.domElement;
        place.append(this.canvas);
        this.perspective.up.copy(this.up);
        this.orthographic.up.copy(this.up);
        this.controls = new OrbitControls(this.camera, this.canvas);
        this.controls.zoomToCursor = true;
        this.controls.addEventListener("change", () => this.redraw());

        const corners = new three.BufferAttribute(new Float32Array([-1, -1, 0, 1, -1, 0, 1, 1, 0, -1, 1, 0]), 3);
        const sphereShape = new three.InstancedBufferGeometry();
        sphereShape.setAttribute("position", corners);
        sphereShape.setIndex([0, 1, 2, 0, 2, 3]);
        this.spheres = new three.Mesh(sphereShape, rawMaterial(sphereVertex, sphereFragment, {...this.shared, ...this.sphereUniforms}));
        const surface = rawMaterial(surfaceVertex, surfaceFragment, {...this.shared, ...this.surfaceUniforms});
        surface.side = three.DoubleSide;
        this.solids = new Solids(surface);
        this.arrows = this.makeSticks(0, [0.95, 0.35, 0.1], [0.95, 0.35, 0.1]);
        this.chains = this.makeSticks(1, [0.93, 0.63, 0.25], [0.65, 0.0, 0.15]);
        this.joints = this.makeSticks(1, [0.85, 0.1, 0.45], [0.85, 0.1, 0.45]);
        this.wallFaces = new three.Mesh(new three.BufferGeometry(),
            new three.MeshBasicMaterial({color: 0x8899aa, transparent: true, side: three.DoubleSide, depthWrite: false}));
        this.wallEdges = new three.LineSegments(new three.BufferGeometry(), new three.LineBasicMaterial({color: 0x8899aa}));
        this.ruler = new three.Line(new three.BufferGeometry(), new three.LineBasicMaterial({color: 0xff1a73, depthTest: false}));
        for (const one of [this.spheres, this.solids.group, this.arrows, this.chains, this.joints, this.wallEdges, this.wallFaces, this.ruler]) {
            one.frustumCulled = false;
            one.visible = false;
            this.scene.add(one);
        }
        this.wallFaces.renderOrder = 1;
        this.setMap("viridis", false);
        new ResizeObserver(() => this.resize()).observe(place);
        this.resize();
    }

    private makeSticks(tip: number, low: number[], high: number[]): three.Mesh<three.BufferGeometry> {
        const uniforms = {...this.shared, tip: {value: tip}, widthScale: {value: 1},
                          low: {value: new three.Vector3(...low)}, high: {value: new three.Vector3(...high)}};
        const material = rawMaterial(stickVertex, stickFragment, uniforms);
        material.side = three.DoubleSide;
        return new three.Mesh(new three.BufferGeometry(), material);
    }

    private setSticks(mesh: three.Mesh<three.BufferGeometry>, sticks: Float32Array): void {
        const old = mesh.geometry, total = sticks.length / 8, hasOwn = this.leavesOutHidden && total <= mostOwnSticks;
        const pattern = this.stickPattern, shape = hasOwn ? new three.BufferGeometry() : new three.InstancedBufferGeometry();
        const buffer = hasOwn ? new three.InterleavedBuffer(repeated(sticks, 8, pattern.length / 3), 8) : new three.InstancedInterleavedBuffer(sticks, 8);
        shape.setAttribute("position", new three.BufferAttribute(hasOwn ? tiled(pattern, total) : pattern, 3));
        for (const [name, size, offset] of [["from", 3, 0], ["to", 3, 3], ["width", 1, 6], ["share", 1, 7]] as const)
            shape.setAttribute(name, new three.InterleavedBufferAttribute(buffer, size, offset));
        if (shape instanceof three.InstancedBufferGeometry) shape.instanceCount = total;
        mesh.geometry = shape;
        mesh.visible &&= total > 0;
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

        this.showSpheres(frame);
        this.solids.add(frame.meshes);
        this.solids.show(frame);
        this.showWalls(frame);
        this.applyLook();
        if (isFirst) this.setView("corner");
        if (this.isFollowing) this.follow();
        this.redraw();
    }

    private showSpheres(frame: Frame): void {
        ++this.frameNumber;
        if (this.leavesOutHidden) return; // they are gathered when they are drawn
        const old = this.spheres.geometry, sphere = old.getAttribute("sphere") as three.InstancedBufferAttribute | undefined;
        if (sphere?.count === count(frame)) {
            // Into the memory that is there.
            const value = old.getAttribute("value") as three.InstancedBufferAttribute;
            sphere.array = frame.spheres;
            value.array = frame.value;
            sphere.needsUpdate = value.needsUpdate = true;
            return;
        }
        const shape = new three.InstancedBufferGeometry();
        shape.setAttribute("position", old.getAttribute("position"));
        shape.setIndex(old.getIndex());
        shape.setAttribute("sphere", new three.InstancedBufferAttribute(frame.spheres, 4));
        shape.setAttribute("value", new three.InstancedBufferAttribute(frame.value, 1));
        shape.instanceCount = count(frame);
        old.dispose();
        this.spheres.geometry = shape;
    }

    // Gathers the spheres that can be seen from here, if anything changed since the last time.
    private leaveOutHidden(): void {
        const frame = this.frame, look = this.look;
        if (!this.leavesOutHidden || !frame || !look.bodies) return;
        const toEye = this.camera.matrixWorldInverse.clone().multiply(new three.Matrix4().makeTranslation(this.spheres.position));
        const {width, height} = this.canvas, isFlat = this.camera === this.orthographic;
        const across = isFlat ? this.orthographic.top / this.orthographic.zoom : Math.tan((this.perspective.fov * Math.PI) / 360);
        const clip = this.shared.clip.value, top = this.shared.clipTop.value;
        const now = [this.frameNumber, look.bodyScale, width, height, across, isFlat, this.selected, clip.toArray(), top, toEye.elements].join(" ");
        if (now === this.hiddenFor) return;
        this.hiddenFor = now;
        const isClipped = clip.x + clip.y + clip.z > 0;
        this.hidden.find(frame.spheres, look.bodyScale, {toEye, isFlat, pixelsPerUnit: (0.5 * height) / across, width, height}, (x, y, z) => {
            const along = x * clip.x + y * clip.y + z * clip.z;
            return isClipped && (along < clip.w || along > top);
        });
        this.gather(frame);
    }

    private gather(frame: Frame): void {
        const {list, count: seen} = this.hidden, room = this.spheres.geometry.getAttribute("value")?.count ?? 0;
        if (room < 4 * seen) this.makeRoom(Math.ceil(1.3 * seen));
        const geometry = this.spheres.geometry;
        const sphere = geometry.getAttribute("sphere") as three.BufferAttribute, value = geometry.getAttribute("value") as three.BufferAttribute;
        this.sphereUniforms.selected.value = -1;
        for (let n = 0; n < seen; ++n) {
            const k = list[n];
            if (k === this.selected) this.sphereUniforms.selected.value = n;
            for (let at = 4 * n; at < 4 * n + 4; ++at) {
                for (let c = 0; c < 4; ++c) sphere.array[4 * at + c] = frame.spheres[4 * k + c];
                value.array[at] = frame.value[k];
            }
        }
        for (const attribute of [sphere, value]) {
            attribute.clearUpdateRanges();
            attribute.addUpdateRange(0, 4 * Math.max(1, seen) * attribute.itemSize);
            attribute.needsUpdate = true;
        }
        geometry.setDrawRange(0, 6 * seen);
    }

    // Four corners for each sphere.
    private makeRoom(spheres: number): void {
        const corners = new Float32Array(12 * spheres), index = new Uint32Array(6 * spheres), shape = new three.BufferGeometry();
        for (let n = 0; n < spheres; ++n) {
            corners.set([-1, -1, 0, 1, -1, 0, 1, 1, 0, -1, 1, 0], 12 * n);
            index.set([4 * n, 4 * n + 1, 4 * n + 2, 4 * n, 4 * n + 2, 4 * n + 3], 6 * n);
        }
        shape.setAttribute("position", new three.BufferAttribute(corners, 3));
        shape.setAttribute("sphere", new three.BufferAttribute(new Float32Array(16 * spheres), 4));
        shape.setAttribute("value", new three.BufferAttribute(new Float32Array(4 * spheres), 1));
        shape.setIndex(new three.BufferAttribute(index, 1));
        this.spheres.geometry.dispose();
        this.spheres.geometry = shape;
        this.sphereUniforms.verticesEach.value = 4;
    }

    // Walls, and solids that are held in place, which act as walls. Made anew if they moved.
    private showWalls(frame: Frame): void {
        const corners = frame.wallCorners ?? new Uint32Array(), own = frame.wallPoints ?? new Float32Array();
        const told = `${own.join(" ")} ${corners.length} ${this.solids.heldPlaces()}`;
        if (told === this.wallsShown) return;
        this.wallsShown = told;
        const held = this.solids.heldTriangles(), triangles: number[] = [];
        let first = 0;
        for (const end of frame.wallEnds ?? []) {
            for (let k = first + 1; k + 1 < end; ++k) triangles.push(corners[first], corners[k], corners[k + 1]);
            first = end;
        }
        const points = new Float32Array(held.reduce((sum, list) => sum + list.length, own.length));
        points.set(own);
        let at = own.length;
        for (const list of held) {
            points.set(list, at);
            for (let k = 0; k < list.length / 3; ++k) triangles.push(at / 3 + k);
            at += list.length;
        }
        this.wallPoints = points;
        this.wallFaces.geometry.dispose();
        this.wallEdges.geometry.dispose();
        this.wallFaces.geometry = new three.BufferGeometry();
        this.wallEdges.geometry = new three.BufferGeometry();
        if (points.length === 0) return;
        const shape = this.wallFaces.geometry;
        shape.setAttribute("position", new three.BufferAttribute(points, 3));
        shape.setIndex(triangles);
        this.wallEdges.geometry = new three.EdgesGeometry(shape, 25);
    }

    // After a change of `look`.
    applyLook(): void {
        const {look, frame} = this;
        this.spheres.visible = look.bodies;
        this.solids.group.visible = look.bodies;
        this.sphereUniforms.scale.value = look.bodyScale;
        if (!this.leavesOutHidden) this.sphereUniforms.selected.value = this.selected;
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
        this.joints.visible = look.joints && frame?.joints !== undefined;
        if (this.joints.visible) this.setSticks(this.joints, this.jointSticks(frame!));
        this.redraw();
    }

    // Thin from the centres of the bodies to the point that they share, and thick about it.
    private jointSticks(frame: Frame): Float32Array {
        const joints = frame.joints!, total = joints.length / 9, sticks = new Float32Array(3 * 8 * total);
        const width = this.jointWidth();
        for (let k = 0; k < total; ++k) {
            const [first, point, second] = [0, 3, 6].map((c) => joints.subarray(9 * k + c, 9 * k + c + 3));
            const knob = [point.map((x, c) => x - (c === 2 ? 2 * width : 0)), point.map((x, c) => x + (c === 2 ? 2 * width : 0))];
            [[first, point, width], [second, point, width], [knob[0], knob[1], 2.5 * width]].forEach(([from, to, wide], n) => {
                const at = 8 * (3 * k + n);
                sticks.set(from as Float32Array, at);
                sticks.set(to as Float32Array, at + 3);
                sticks[at + 6] = wide as number;
            });
        }
        return sticks;
    }
    private jointWidth(): number {
        const lengths: number[] = [], joints = this.frame!.joints!;
        for (let k = 0; k + 9 <= joints.length; k += 9)
            for (const c of [0, 6]) lengths.push(Math.hypot(...[0, 1, 2].map((i) => joints[k + c + i] - joints[k + 3 + i])));
        const longest = Math.max(...lengths);
        return 0.04 * (longest > 0 ? Math.min(longest, this.usualRadius() * 4) : this.usualRadius());
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
        const {low, high} = extent(frame);
        if (low[0] <= high[0]) box.set(new three.Vector3(...low), new three.Vector3(...high));
        const add = (points: ArrayLike<number>, into: three.Box3) => {
            for (let k = 0; k < points.length; k += 3) into.expandByPoint(p.set(points[k], points[k + 1], points[k + 2]));
        };
        const walls = new three.Box3();
        add(this.wallPoints, walls);
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
        const solid = this.solids.pick(ray, (p) => isCut(p.x, p.y, p.z));
        if (solid && solid.distance < nearest) {
            nearest = solid.distance;
            body = solid.body;
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
        this.leaveOutHidden();
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

// Of the bodies, in the coordinates of the frame. A body that is no sphere has its bounding sphere.
function extent(frame: Frame): {low: [number, number, number]; high: [number, number, number]} {
    const low: [number, number, number] = [Infinity, Infinity, Infinity], high: [number, number, number] = [-Infinity, -Infinity, -Infinity];
    const s = frame.spheres;
    const include = (body: number, r: number) => {
        for (let c = 0; c < 3; ++c) {
            const x = s[4 * body + c];
            if (x - r < low[c]) low[c] = x - r;
            if (x + r > high[c]) high[c] = x + r;
        }
    };
    for (let k = 0; k < count(frame); ++k) if (s[4 * k + 3] > 0) include(k, s[4 * k + 3]);
    frame.solidBody?.forEach((body, k) => { if (!Number.isNaN(frame.value[body])) include(body, frame.solidScale![k]); });
    return {low, high};
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
