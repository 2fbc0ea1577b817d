// Where a page has its data from: the server it was loaded from, or itself, if it is a report.
import {decodeFrame, type Frame} from "./frame";

export interface Field {
    name: string;
    label: string;
    unit: string;
    category: boolean;
}

export interface Info {
    kind: "run" | "scene";
    name: string;
    live: boolean;
    generation: number;
    run: Record<string, any> | null;
    scene: Record<string, any> | null;
    sceneText: string;
    groups: string[];
    materials: string[];
    fields: Field[];
    version: string;
    stepLength?: number;
    stepReason?: string;
}

export interface Progress {
    time: number;
    endTime: number;
    steps: number;
    paused: boolean;
    stopping: boolean;
}

export interface State {
    live: boolean;
    generation: number;
    frames: number;
    times: number[]; // those that are new
    lines: number;
    log: string[];
    summary?: Record<string, any> | null;
    progress?: Progress;
}

export interface Body {
    index: number;
    time: number;
    position: [number, number, number];
    group?: string;
    material?: string;
    values: Record<string, number | number[]>;
    contacts: {with: number; point: number[]; normal_force: number; overlap: number}[];
}

export interface Wanted {
    field: string;
    velocity: boolean;
    contacts: boolean;
    shapes: number[]; // whose meshes are here already
}

export type Wish = "pause" | "go-on" | "checkpoint" | "stop";
export type FrameNumber = number | "now";

export interface Source {
    readonly isReport: boolean;
    info(): Promise<Info>;
    state(frames: number, lines: number): Promise<State>;
    // Rows of the series that came since; `anew` if the file is another one by now.
    series(): Promise<{text: string; anew: boolean}>;
    frame(number: FrameNumber, wanted: Wanted): Promise<Frame>;
    body(number: FrameNumber, which: {index: number} | {id: number}): Promise<Body | undefined>;
    wish(wish: Wish): Promise<void>;
}

export class ServerSource implements Source {
    readonly isReport = false;
    private from = 0;
    private file = 0;

    constructor(private readonly token: string) {}

    private async ask(path: string, query: Record<string, string | number>, init: RequestInit = {}): Promise<Response> {
        const text = Object.entries(query).map(([key, value]) => `${key}=${encodeURIComponent(value)}`);
        if (document.hidden) text.push("hidden=1");
        const response = await fetch(`${path}?${text.join("&")}`, {...init, headers: {"X-Talus-Token": this.token}});
        if (!response.ok) throw new Error((await response.text()).trim());
        return response;
    }

    async info(): Promise<Info> {
        return (await this.ask("api/info", {})).json();
    }
    async state(frames: number, lines: number): Promise<State> {
        return (await this.ask("api/state", {frames, lines})).json();
    }
    async series(): Promise<{text: string; anew: boolean}> {
        const part = await (await this.ask("api/series", {from: this.from, file: this.file})).json();
        const anew = part.from !== this.from || (this.file !== 0 && part.file !== this.file);
        this.file = part.file;
        this.from = part.from + new TextEncoder().encode(part.text).length;
        return {text: part.text, anew};
    }
    async frame(number: FrameNumber, wanted: Wanted): Promise<Frame> {
        const query = {k: number, field: wanted.field, velocity: Number(wanted.velocity), contacts: Number(wanted.contacts),
                       shapes: rangesOf(wanted.shapes)};
        return decodeFrame(await (await this.ask("api/frame", query)).arrayBuffer());
    }
    async body(number: FrameNumber, which: {index: number} | {id: number}): Promise<Body | undefined> {
        try {
            return await (await this.ask("api/body", {k: number, ...which})).json();
        } catch {
            return undefined; // it is not in this frame
        }
    }
    async wish(wish: Wish): Promise<void> {
        await this.ask("api/wish", {}, {method: "POST", body: wish});
    }
}

// 1, 2, 3, 7 as "1-3,7-7", which stays short.
function rangesOf(numbers: number[]): string {
    const ranges: [number, number][] = [];
    for (const n of [...numbers].sort((a, b) => a - b)) {
        const last = ranges[ranges.length - 1];
        if (last && n === last[1] + 1) last[1] = n;
        else ranges.push([n, n]);
    }
    return ranges.map(([low, high]) => `${low}-${high}`).join(",");
}

async function inflate(base64: string): Promise<ArrayBuffer> {
    const bytes = Uint8Array.from(atob(base64), (c) => c.charCodeAt(0));
    const stream = new Blob([bytes]).stream().pipeThrough(new DecompressionStream("deflate"));
    return new Response(stream).arrayBuffer();
}

export class ReportSource implements Source {
    readonly isReport = true;
    constructor(private readonly data: any) {}

    get allFrames(): number {
        return this.data.picture.allFrames;
    }
    get summary(): Record<string, any> | null {
        return this.data.summary;
    }
    async info(): Promise<Info> {
        const fields = this.data.fields.filter((field: Field) => field.name === "speed");
        return {...this.data, fields, live: false, generation: 1};
    }
    async state(frames: number): Promise<State> {
        const times: number[] = this.data.picture.times;
        return {live: false, generation: 1, frames: times.length, times: times.slice(frames), lines: 0, log: [],
                summary: this.data.summary};
    }
    async series(): Promise<{text: string; anew: boolean}> {
        const text = this.data.series;
        this.data.series = "";
        return {text, anew: false};
    }
    // Meshes stand in the first frame that has a body of the shape: with the first frame asked for come all of them.
    async frame(number: FrameNumber): Promise<Frame> {
        const frame = decodeFrame(await inflate(this.data.picture.frames[number]));
        const others: number[] = this.data.picture.framesWithMeshes;
        this.data.picture.framesWithMeshes = [];
        for (const other of others) {
            if (other !== number) frame.meshes.push(...decodeFrame(await inflate(this.data.picture.frames[other])).meshes);
        }
        return frame;
    }
    async body(): Promise<undefined> {
        return undefined;
    }
    async wish(): Promise<void> {}
}
