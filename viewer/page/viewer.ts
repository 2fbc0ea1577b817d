// The viewer: a picture of one moment of a run, with what steers it. Data come from a source, so that the same viewer
// stands in the page of a server and in a report.
import {css, groupColour, mapColour, mapNames} from "./colours";
import {button, check, choice, download, make, section, slider} from "./dom";
import {bytesOf, count, type Frame} from "./frame";
import {number, quantity} from "./numbers";
import {forceStatistics, Picture, views} from "./picture";
import {Plots} from "./plots";
import {Series} from "./series";
import type {Body, Field, FrameNumber, Info, Source, State, Wanted} from "./source";

const cacheBytes = 400e6;
const mostSorted = 100_000; // values that a percentile is taken of
const skewed = ["speed", "force", "pressure", "spin"]; // a few high values would hide the others

const help: [string, string][] = [
    ["drag, right drag, wheel", "turn, move, zoom"], ["click", "select a body"], ["Space", "play or stop"],
    ["← →, Home, End", "frame by frame, first, last"], ["F", "fit everything in"],
    ["1 to 6, 0", "views along +x −x +y −y +z −z, corner"], ["O", "with or without perspective"],
    ["C", "next field to colour by"], ["V", "velocity arrows"], ["N", "force chains"], ["W", "walls"], ["J", "joints"],
    ["X", "clip: off, x, y, z"], ["G", "follow the selected body"], ["M", "measure: click two points"],
    ["L", "the latest state of a live run"], ["P", "pause or go on with a live run"], ["S", "screenshot"],
    ["R", "record a movie"], ["D", "light or dark"], ["H", "hide or show the panel"], ["Esc", "select nothing"], ["?", "this help"],
];

interface Range {
    low: number;
    high: number;
}

export class Viewer {
    readonly series = new Series();
    readonly picture: Picture;
    info!: Info;
    times: number[] = [];
    frame: Frame | null = null;
    shown: FrameNumber = 0;
    selected: Body | undefined;
    state: State | null = null;
    plots: Plots | null = null;

    private field = "speed";
    private map = "viridis";
    private rangeKind: "frame" | "seen" | "fixed" = "frame";
    private range: Range = {low: 0, high: 1};
    private seen: Range | null = null;
    private isPlaying = false;
    private isLatest = false; // shows what comes, as it comes
    private pace = 12;        // frames a second
    private lines = 0;
    private asked = 0;        // number of the last request for a frame: older answers are dropped
    private readonly cache = new Map<string, Frame>();
    private rulerEnds: [number, number, number][] | null = null;
    private recorder: MediaRecorder | null = null;

    // Elements.
    private readonly stage = make("div", {class: "stage"});
    private readonly sight = make("div", {class: "sight"});
    private readonly legend = make("div", {class: "legend"});
    private readonly axes = make("canvas", {class: "axes", width: 160, height: 160});
    private readonly scaleBar = make("div", {class: "scalebar"});
    private readonly message = make("div", {class: "message", hidden: true});
    private readonly status = make("span", {class: "status"});
    private readonly liveButtons = make("span", {class: "live", hidden: true});
    private readonly timeText = make("span", {class: "time"});
    private readonly scrubber = make("input", {type: "range", min: "0", max: "0", step: "1", value: "0", title: "time", "aria-label": "time"});
    private readonly play = button("▶", "play or stop (Space)", () => this.togglePlay());
    private readonly latest = button("latest", "show what comes, as it comes (L)", () => this.setLatest(!this.isLatest));
    private readonly panel = make("aside", {class: "panel"});
    private readonly selection = make("div", {class: "selection"}, "Click on a body.");
    private readonly logList = make("ul", {class: "log"});
    private readonly helpBox = make("div", {class: "help", hidden: true});
    private readonly facts = make("div", {class: "facts"});
    private controls!: ReturnType<Viewer["makeControls"]>;

    constructor(readonly root: HTMLElement, readonly source: Source) {
        root.classList.add("viewer");
        root.append(this.stage, this.panel);
        this.picture = new Picture(this.sight);
        this.stage.append(this.sight);
        this.sight.append(this.legend, this.axes, this.scaleBar, this.message, this.helpBox);
        this.picture.onMoved = () => this.drawAxes();
    }

    async start(): Promise<void> {
        this.info = await this.source.info();
        if (this.info.fields.length && !this.info.fields.some((field) => field.name === this.field)) this.field = this.info.fields[0].name;
        this.readWorld();
        this.controls = this.makeControls();
        this.build();
        await this.poll();
        await this.show(this.source.isReport || this.info.kind === "scene" ? 0 : this.info.live ? "now" : 0);
        if (this.info.live) this.setLatest(true);
        this.picture.canvas.dataset.ready = "yes";
        if (!this.source.isReport) this.keepPolling();
    }

    private readWorld(): void {
        const scene = this.info.scene ?? {};
        const gravity = Array.isArray(scene.gravity) && scene.gravity.length === 3 ? scene.gravity.map(Number) : [0, 0, -9.81];
        const isPlanar = typeof scene.planar === "string" && scene.planar !== "none";
        this.picture.setWorld(gravity as [number, number, number], isPlanar);
    }

    // --- elements

    private makeControls() {
        const p = this.picture;
        const apply = () => p.applyLook();
        const field = choice("by", this.info.fields.map((f) => [f.name, f.unit ? `${f.label} [${f.unit}]` : f.label]), (value) => this.setField(value));
        const map = choice("map", mapNames.map((name) => [name, name]), (value) => {
            this.map = value;
            this.recolour();
        });
        const low = make("input", {type: "text", class: "bound", title: "value at the low end", "aria-label": "low end"});
        const high = make("input", {type: "text", class: "bound", title: "value at the high end", "aria-label": "high end"});
        for (const input of [low, high]) input.onchange = () => this.fixRange(Number(low.value), Number(high.value));
        const range = choice("range", [["frame", "of this frame"], ["seen", "of all frames seen"], ["fixed", "fixed"]], (value) => {
            this.rangeKind = value as "frame";
            this.recolour();
        });
        const bodies = check("bodies", true, "", (on) => { p.look.bodies = on; apply(); });
        const size = slider("size", {min: 0.1, max: 1, step: 0.05, value: 1}, "of spheres, to look between them", (v) => { p.look.bodyScale = v; apply(); });
        const walls = slider("walls", {min: 0, max: 1, step: 0.05, value: p.look.walls}, "opacity (W)", (v) => { p.look.walls = v; apply(); });
        const arrows = check("velocities", false, "arrows along velocities (V)", (on) => { p.look.arrows = on; void this.again(); });
        const arrowSize = slider("length", {min: 0.2, max: 5, step: 0.1, value: 1}, "of arrows", (v) => { p.look.arrowScale = v; apply(); });
        const chains = check("force chains", false, "contacts as sticks, as wide as their normal force (N)", (on) => { p.look.chains = on; void this.again(); });
        const chainWidth = slider("width", {min: 0.2, max: 4, step: 0.1, value: 1}, "of force chains", (v) => { p.look.chainWidth = v; apply(); });
        const threshold = slider("threshold", {min: 0, max: 5, step: 0.1, value: 1}, "least force shown, as a multiple of the mean", (v) => {
            p.look.chainThreshold = v;
            apply();
            this.tellThreshold();
        });
        const joints = check("joints", true, "what joins bodies, and where (J)", (on) => { p.look.joints = on; apply(); });
        const thresholdText = make("div", {class: "note"});
        const clipAxis = choice("cut across", [["", "nothing"], ["0", "x"], ["1", "y"], ["2", "z"]], () => this.setClip());
        const clipLow = slider("from", {min: 0, max: 1, step: 0.005, value: 0}, "what is lower is cut away", () => this.setClip());
        const clipHigh = slider("to", {min: 0, max: 1, step: 0.005, value: 0.5}, "what is higher is cut away", () => this.setClip());
        const pace = choice("pace", [["4", "4 frames/s"], ["12", "12 frames/s"], ["25", "25 frames/s"], ["60", "60 frames/s"]], (v) => { this.pace = Number(v); });
        pace.input.value = String(this.pace);
        return {field, map, low, high, range, bodies, size, walls, arrows, arrowSize, chains, chainWidth, threshold,
                thresholdText, joints, clipAxis, clipLow, clipHigh, pace};
    }

    private build(): void {
        const c = this.controls, p = this.picture, isReport = this.source.isReport;
        const viewButtons = make("div", {class: "row"}, button("fit", "everything in the picture (F)", () => p.fit()),
            ...Object.keys(views).map((name) => button(name, `view ${name}`, () => p.setView(name))),
            button("ortho", "with or without perspective (O)", () => p.toggleOrthographic()));
        const bar = make("div", {class: "timeline"}, button("|◀", "first frame (Home)", () => void this.show(0)),
            button("◀|", "one frame back (←)", () => this.step(-1)), this.play, button("▶|", "one frame on (→)", () => this.step(1)),
            this.scrubber, this.timeText, c.pace.input, this.latest);
        this.latest.hidden = isReport;
        this.scrubber.oninput = () => {
            this.stop();
            this.setLatest(false);
            void this.show(Number(this.scrubber.value));
        };
        this.stage.append(bar);
        this.watchDrags();
        this.picture.canvas.addEventListener("click", (event) => this.clicked(event));
        this.picture.canvas.tabIndex = 0;
        this.helpBox.append(make("h2", {}, "Keys"), make("dl", {}, ...help.flatMap(([key, text]) => [make("dt", {}, key), make("dd", {}, text)])));
        const host: HTMLElement | Document = isReport ? this.root : document;
        host.addEventListener("keydown", (event) => this.key(event as KeyboardEvent));

        const title = make("header", {}, make("h1", {title: this.info.name}, this.info.name), this.status, this.liveButtons,
            make("div", {class: "row"}, button("screenshot", "PNG of the picture (S)", () => void this.screenshot()),
                button("movie", "WebM from here to the last frame (R)", () => void this.record()),
                button("light/dark", "(D)", () => this.toggleDark()), button("?", "keys (?)", () => this.toggleHelp())));
        this.liveButtons.append(button("pause", "pause or go on (P)", () => this.togglePause()),
            button("checkpoint", "write a checkpoint now", () => this.wish("checkpoint")),
            button("stop", "end the run; talus resume goes on with it", () => this.wish("stop")));
        const colour = section("Colour", true, c.field.row, c.map.row, c.range.row, make("div", {class: "row"}, c.low, "to", c.high));
        const show = section("Show", true, viewButtons, make("div", {class: "row"}, c.bodies.row, c.size.row), c.walls.row,
            make("div", {class: "row"}, c.arrows.row, c.arrowSize.row), make("div", {class: "row"}, c.chains.row, c.chainWidth.row),
            c.threshold.row, c.thresholdText, c.joints.row);
        c.joints.row.hidden = !this.hasJoints();
        if (isReport) c.arrows.row.hidden = c.arrowSize.row.hidden = true; // it has no velocities
        const clip = section("Cut", false, c.clipAxis.row, c.clipLow.row, c.clipHigh.row);
        const plots = section("Plots", true);
        if (isReport) {
            this.panel.append(colour, show, clip);
            return;
        }
        this.plots = new Plots(plots, this.series);
        this.plots.onSeek = (time) => this.seek(time);
        this.panel.append(title, colour, show, section("Selected body", true, this.selection), plots, clip,
            section("Log", true, this.logList), section("About this run", false, this.facts));
        this.fillFacts();
    }

    private hasJoints(): boolean {
        return Array.isArray(this.info.scene?.joints) && this.info.scene!.joints.length > 0;
    }

    private factsTold = "";
    private fillFacts(): void {
        const {info} = this, rows: [string, string][] = [];
        const add = (name: string, value: unknown) => value !== undefined && value !== null && value !== "" && rows.push([name, String(value)]);
        const results = this.state?.summary?.results ?? {}, scene = info.scene ?? {};
        add("scene", scene.name || info.name);
        add("method", scene.method);
        add("step", info.stepReason ?? results.step_reason);
        add("solver", results.solver?.name);
        add("state hash", this.state?.summary?.state_hash);
        add("threads", info.run?.threads);
        add("processor", info.run?.machine?.cpu);
        add("talus", info.run?.version ?? info.version);
        // Only what is new, so that what was opened stays open.
        const told = JSON.stringify([rows, info.sceneText]);
        if (told === this.factsTold) return;
        this.factsTold = told;
        this.facts.replaceChildren(make("p", {}, scene.description ?? ""), make("dl", {}, ...rows.flatMap(([k, v]) => [make("dt", {}, k), make("dd", {}, v)])),
            section("Scene", false, make("pre", {}, info.sceneText)));
    }

    // --- what changes meanwhile

    private keepPolling(): void {
        let isLost = false;
        const again = async () => {
            try {
                await this.poll();
                if (isLost) this.setMessage("");
                isLost = false;
            } catch (error) {
                isLost = true;
                this.setMessage(`${(error as Error).message === "Failed to fetch" ? "the server is gone: talus view has ended" : (error as Error).message}`);
            }
            setTimeout(again, this.state?.live ? 500 : 1000);
        };
        setTimeout(again, 500);
        const refresh = async () => {
            if (this.isLatest && !document.hidden) await this.showLatest();
            setTimeout(refresh, 60);
        };
        void refresh();
    }

    async poll(): Promise<void> {
        let state = await this.source.state(this.times.length, this.lines);
        if (state.generation !== this.info.generation || state.frames < this.times.length) {
            const wasLive = this.info.live;
            this.info = await this.source.info();
            this.readWorld();
            this.cache.clear();
            this.picture.solids.forget();
            this.times = [];
            this.series.clear();
            state = await this.source.state(0, this.lines);
            if (this.info.live && !wasLive) this.setLatest(true);
        }
        this.state = state;
        this.times.push(...state.times);
        this.scrubber.max = String(Math.max(0, this.times.length - 1));
        this.lines = state.lines;
        for (const line of state.log) this.log(line);
        await this.readSeries();
        this.tellStatus();
        this.fillFacts();
        if (!state.live && this.isLatest && this.shown !== this.times.length - 1 && this.times.length) await this.show(this.times.length - 1);
    }

    private async readSeries(): Promise<void> {
        if (this.info.kind === "scene") return;
        try {
            const {text, anew} = await this.source.series();
            if (anew) this.series.clear();
            if (this.series.append(text)) this.plots?.refresh();
        } catch {
            // none yet
        }
    }

    private warned = new Set<string>();
    private log(line: string): void {
        if (/^https?:/.test(line)) return;
        const kind = /^(warning|error|note)/.exec(line)?.[1] ?? "plain";
        this.logList.prepend(make("li", {class: kind}, line));
    }

    private tellStatus(): void {
        const {state} = this;
        if (!state) return;
        const progress = state.progress, summary = state.summary;
        this.liveButtons.hidden = !state.live;
        if (state.live && progress) {
            const share = progress.endTime > 0 ? Math.min(1, progress.time / progress.endTime) : 0;
            const kind = progress.stopping ? "stopping" : progress.paused ? "paused" : "running";
            this.status.textContent = `${kind} · ${Math.floor(100 * share)}% · ${quantity(progress.time, "s")} · step ${progress.steps}`;
            (this.liveButtons.firstChild as HTMLButtonElement).textContent = progress.paused ? "go on" : "pause";
        } else if (this.info.kind === "scene") {
            this.status.textContent = "not run yet";
        } else if (summary) {
            this.status.textContent = `${summary.status} · ${quantity(summary.time, "s")} · ${summary.steps} steps`;
            for (const text of [summary.message, ...(summary.results?.warnings ?? [])]) {
                if (!text || this.warned.has(text)) continue;
                this.warned.add(text);
                this.log(text === summary.message ? text : `warning: ${text}`);
            }
        } else {
            this.status.textContent = "no summary yet: it runs elsewhere, or was killed";
        }
        this.status.dataset.kind = state.live ? "running" : String(summary?.status ?? "none");
        if (!this.logList.childElementCount) this.logList.append(make("li", {class: "plain"}, "No warnings."));
    }

    private setMessage(text: string): void {
        this.message.textContent = text;
        this.message.hidden = text === "";
    }

    private wish(wish: "pause" | "go-on" | "checkpoint" | "stop"): void {
        this.source.wish(wish).then(() => this.log(`asked to ${wish.replace("-", " ")}`), (error) => this.setMessage(error.message));
    }
    private togglePause(): void {
        if (this.state?.progress) this.wish(this.state.progress.paused ? "go-on" : "pause");
    }

    // --- frames

    private wanted(): Wanted {
        return {field: this.field, velocity: this.picture.look.arrows, contacts: this.picture.look.chains, shapes: this.picture.solids.known()};
    }

    private async load(frame: FrameNumber): Promise<Frame> {
        const wanted = this.wanted(), key = JSON.stringify([frame, wanted.field, wanted.velocity, wanted.contacts]);
        const known = this.cache.get(key);
        if (known) return known;
        const loaded = await this.source.frame(frame, wanted);
        this.picture.solids.add(loaded.meshes);
        loaded.meshes = [];
        if (frame !== "now") {
            this.cache.set(key, loaded);
            let bytes = 0;
            for (const one of this.cache.values()) bytes += bytesOf(one);
            for (const old of this.cache.keys()) {
                if (bytes <= cacheBytes || this.cache.size <= 2) break;
                bytes -= bytesOf(this.cache.get(old)!);
                this.cache.delete(old);
            }
        }
        return loaded;
    }

    // False if it could not be shown, or another was asked for meanwhile.
    async show(which: FrameNumber): Promise<boolean> {
        if (which !== "now" && this.times.length === 0 && this.info.kind === "run") {
            this.setMessage("no frames yet");
            return false;
        }
        const number = which === "now" ? which : Math.min(Math.max(which, 0), Math.max(0, this.times.length - 1));
        const ticket = ++this.asked;
        let frame: Frame;
        try {
            frame = await this.load(number);
        } catch (error) {
            this.setMessage((error as Error).message);
            return false;
        }
        if (ticket !== this.asked) return false;
        const isOther = number !== this.shown || number === "now";
        this.frame = frame;
        this.shown = number;
        if (number !== "now") this.scrubber.value = String(number);
        await this.keepSelection(isOther);
        this.picture.show(frame);
        this.recolour();
        this.tellThreshold();
        this.tellTime();
        this.plots?.setTime(frame.time);
        this.setMessage(count(frame) === 0 ? "no bodies at this time" : "");
        return true;
    }

    private again(): Promise<boolean> {
        return this.show(this.shown);
    }

    private async showLatest(): Promise<void> {
        if (this.state?.live) {
            if (this.state.progress?.paused && this.frame?.time === this.state.progress.time && this.shown === "now") return;
            await this.show("now");
        } else if (this.times.length && this.shown !== this.times.length - 1) {
            await this.show(this.times.length - 1);
        }
    }

    private tellTime(): void {
        const {frame} = this;
        if (!frame) return;
        const place = this.shown === "now" ? "now" : `${this.shown + 1}/${Math.max(1, this.times.length)}`;
        const thinned = frame.stride > 1 ? ` · 1 of ${frame.stride} bodies` : "";
        this.timeText.textContent = `${quantity(frame.time, "s")} · ${place}${thinned}`;
    }

    private setLatest(on: boolean): void {
        this.isLatest = on;
        this.latest.classList.toggle("on", on);
        if (on) this.stop();
    }
    private step(by: number): void {
        this.stop();
        this.setLatest(false);
        void this.show((this.shown === "now" ? this.times.length : this.shown) + by);
    }
    seek(time: number): void {
        this.stop();
        this.setLatest(false);
        let best = 0;
        this.times.forEach((t, k) => { if (Math.abs(t - time) < Math.abs(this.times[best] - time)) best = k; });
        void this.show(best);
    }

    private stop(): void {
        this.isPlaying = false;
        this.play.textContent = "▶";
    }
    private togglePlay(): void {
        if (this.isPlaying) return this.stop();
        this.setLatest(false);
        this.isPlaying = true;
        this.play.textContent = "❚❚";
        void this.playOn();
    }
    private async playOn(): Promise<void> {
        if (this.shown === "now" || this.shown >= this.times.length - 1) await this.show(0);
        while (this.isPlaying) {
            const begun = performance.now(), next = (this.shown as number) + 1;
            if (next >= this.times.length) break;
            await this.show(next);
            const rest = 1000 / this.pace - (performance.now() - begun);
            await new Promise((resolve) => (rest > 0 ? setTimeout(resolve, rest) : requestAnimationFrame(resolve)));
        }
        this.stop();
    }

    // --- colours

    private fieldInfo(): Field {
        return this.info.fields.find((field) => field.name === this.field) ?? {name: this.field, label: this.field, unit: "", category: false};
    }

    setField(name: string): void {
        this.field = name;
        this.controls.field.input.value = name;
        this.seen = null;
        if (this.rangeKind === "fixed") this.rangeKind = "frame";
        void this.again();
    }

    private fixRange(low: number, high: number): void {
        if (!Number.isFinite(low) || !Number.isFinite(high)) return;
        this.rangeKind = "fixed";
        this.range = {low, high};
        this.recolour();
    }

    // Quantities that a few bodies have much more of than others end at the 98th percentile.
    private rangeOfFrame(): Range {
        const values = this.frame!.value, step = Math.ceil(values.length / mostSorted);
        const some = new Float32Array(Math.ceil(values.length / Math.max(1, step)));
        let low = Infinity, high = -Infinity, taken = 0;
        for (let k = 0; k < values.length; ++k) {
            const value = values[k];
            if (!Number.isFinite(value)) continue;
            if (value < low) low = value;
            if (value > high) high = value;
            if (k % step === 0) some[taken++] = value;
        }
        if (low > high) return {low: 0, high: 1};
        if (skewed.includes(this.field) && taken > 0) {
            high = some.subarray(0, taken).sort()[Math.floor(0.98 * (taken - 1))];
            low = Math.min(0, low);
        }
        return {low, high};
    }

    private recolour(): void {
        if (!this.frame) return;
        const isCategory = this.fieldInfo().category;
        if (this.rangeKind !== "fixed") {
            const here = this.rangeOfFrame();
            this.seen = this.seen ? {low: Math.min(here.low, this.seen.low), high: Math.max(here.high, this.seen.high)} : here;
            this.range = this.rangeKind === "seen" ? this.seen : here;
        }
        const {low, high} = this.range;
        this.picture.setMap(this.map, isCategory);
        // What is the same everywhere has the colour in the middle.
        const slack = high > low ? 0 : Math.max(Math.abs(low) * 1e-3, 1e-30);
        this.picture.setRange(low - slack, high + slack);
        this.controls.range.input.value = this.rangeKind;
        this.controls.low.value = number(low);
        this.controls.high.value = number(high);
        this.drawLegend();
    }

    private categoryNames(): [number, string][] {
        const names = this.field === "group" ? this.info.groups : this.info.materials;
        const present = [...new Set(this.frame!.value.filter(Number.isFinite))].sort((a, b) => a - b).slice(0, 18);
        return present.map((value) => [value, names[value] ?? `${this.field} ${value}`]);
    }

    private drawLegend(): void {
        const field = this.fieldInfo(), title = make("div", {class: "legend-title"}, field.unit ? `${field.label} [${field.unit}]` : field.label);
        if (field.category) {
            const rows = this.categoryNames().map(([value, name]) => {
                const patch = make("span", {class: "patch"});
                patch.style.background = css(groupColour(value));
                return make("div", {}, patch, name);
            });
            this.legend.replaceChildren(title, ...rows);
            return;
        }
        const bar = make("div", {class: "bar"});
        const stops = Array.from({length: 17}, (_, k) => css(mapColour(this.map, k / 16)));
        bar.style.background = `linear-gradient(to right, ${stops.join(",")})`;
        const {low, high} = this.range;
        const ticks = make("div", {class: "ticks"}, ...[low, (low + high) / 2, high].map((value) => make("span", {}, number(value, 3))));
        this.legend.replaceChildren(title, bar, ticks);
    }

    private tellThreshold(): void {
        if (!this.frame || !this.picture.look.chains) return;
        const {mean} = forceStatistics(this.frame);
        this.controls.thresholdText.textContent = this.frame.contacts === undefined ? "this report has no contacts"
            : `shown from ${quantity(mean * this.picture.look.chainThreshold, "N")}; mean ${quantity(mean, "N")}`;
    }

    private setClip(): void {
        const {clipAxis, clipLow, clipHigh} = this.controls, axis = clipAxis.input.value;
        if (axis === "" || !this.frame) {
            this.picture.look.clip = null;
        } else {
            const box = this.picture.bounds(), k = Number(axis) as 0 | 1 | 2, shift = this.picture.worldShift()[k];
            const low = box.min.getComponent(k) + shift, high = box.max.getComponent(k) + shift, size = high - low;
            this.picture.look.clip = {axis: k, low: low + Number(clipLow.input.value) * size - 1e-6 * size,
                                      high: low + Number(clipHigh.input.value) * size + 1e-6 * size};
        }
        this.picture.applyLook();
    }

    // --- selection and measures

    private clicked(event: MouseEvent): void {
        if (this.wasDragged) return;
        const hit = this.picture.pick(event.clientX, event.clientY);
        if (this.rulerEnds) return this.measure(hit?.point);
        void this.select(hit ? {index: hit.body} : null);
    }

    // A click that ends a drag selects nothing.
    private wasDragged = false;
    private watchDrags(): void {
        let from = [0, 0];
        this.picture.canvas.addEventListener("pointerdown", (e) => {
            from = [e.clientX, e.clientY];
            this.wasDragged = false;
        });
        this.picture.canvas.addEventListener("pointermove", (e) => {
            if (e.buttons && Math.hypot(e.clientX - from[0], e.clientY - from[1]) > 4) this.wasDragged = true;
        });
    }

    async select(which: {index: number} | {id: number} | null): Promise<void> {
        this.selected = which ? await this.source.body(this.shown, this.unthinned(which)) : undefined;
        this.picture.selected = this.selected ? this.selected.index / (this.frame?.stride ?? 1) : -1;
        if (!this.selected) this.picture.isFollowing = false;
        this.picture.applyLook();
        this.tellSelection();
    }
    private unthinned(which: {index: number} | {id: number}): {index: number} | {id: number} {
        return "index" in which ? {index: which.index * (this.frame?.stride ?? 1)} : which;
    }

    // The same body in another frame.
    private async keepSelection(isOther: boolean): Promise<void> {
        if (!this.selected || !isOther) return;
        this.selected = await this.source.body(this.shown, {id: this.selected.values.id as number});
        this.picture.selected = this.selected ? this.selected.index : -1;
        this.tellSelection();
    }

    private tellSelection(): void {
        const body = this.selected;
        if (!body) {
            this.selection.replaceChildren("Click on a body.");
            return;
        }
        const units: Record<string, string> = {radius: "m", velocity: "m/s", spin: "rad/s", mass: "kg", force: "N", stress: "Pa"};
        const rows: [string, string][] = [["position", `${body.position.map((x) => number(x)).join(", ")} m`]];
        if (body.group) rows.push(["group", body.group]);
        if (body.material) rows.push(["material", body.material]);
        for (const [name, value] of Object.entries(body.values)) {
            if ((name === "group" && body.group) || (name === "material" && body.material)) continue;
            const text = Array.isArray(value) ? value.map((x) => number(x, 4)).join(", ") : number(value, 7);
            rows.push([name, `${text} ${units[name] ?? ""}`.trim()]);
        }
        const contacts = body.contacts.map((contact) => {
            const link = button(`body ${contact.with}`, "select it", () => void this.select({id: contact.with}));
            return make("tr", {}, make("td", {}, link), make("td", {}, quantity(contact.normal_force, "N")), make("td", {}, quantity(contact.overlap, "m")));
        });
        const table = make("table", {}, make("tr", {}, make("th", {}, "contact with"), make("th", {}, "normal force"), make("th", {}, "overlap")), ...contacts);
        this.selection.replaceChildren(
            make("div", {class: "row"}, button("follow", "keep it in the middle (G)", () => this.picture.toggleFollow()), button("none", "(Esc)", () => void this.select(null))),
            make("dl", {}, ...rows.flatMap(([k, v]) => [make("dt", {}, k), make("dd", {"data-value": k}, v)])), contacts.length ? table : make("p", {}, "no contacts"));
    }

    private startMeasure(): void {
        this.rulerEnds = this.rulerEnds ? null : [];
        this.picture.showRuler(this.rulerEnds);
        this.setMessage(this.rulerEnds ? "measure: click two points on bodies" : "");
    }
    private measure(point: [number, number, number] | undefined): void {
        if (!point || !this.rulerEnds) return;
        if (this.rulerEnds.length === 2) this.rulerEnds = [];
        this.rulerEnds.push(point);
        this.picture.showRuler(this.rulerEnds);
        if (this.rulerEnds.length === 2) {
            const [a, b] = this.rulerEnds;
            this.setMessage(`distance ${quantity(Math.hypot(...a.map((x, k) => x - b[k])), "m")} (M ends it)`);
        }
    }

    // --- pictures to keep

    // The picture with its legend and time.
    private compose(): HTMLCanvasElement {
        this.picture.drawNow();
        const from = this.picture.canvas, to = make("canvas", {width: from.width, height: from.height}), pen = to.getContext("2d")!;
        const unit = from.width / Math.max(1, from.clientWidth), style = getComputedStyle(document.documentElement);
        pen.fillStyle = style.getPropertyValue("--back");
        pen.fillRect(0, 0, to.width, to.height);
        pen.drawImage(from, 0, 0);
        pen.scale(unit, unit);
        pen.fillStyle = style.getPropertyValue("--ink");
        pen.font = "13px system-ui, sans-serif";
        const field = this.fieldInfo(), label = field.unit ? `${field.label} [${field.unit}]` : field.label;
        pen.fillText(label, 14, 24);
        if (field.category) {
            this.categoryNames().forEach(([value, name], k) => {
                pen.fillStyle = css(groupColour(value));
                pen.fillRect(14, 34 + 20 * k, 12, 12);
                pen.fillStyle = style.getPropertyValue("--ink");
                pen.fillText(name, 34, 45 + 20 * k);
            });
        } else {
            for (let k = 0; k < 180; ++k) {
                pen.fillStyle = css(mapColour(this.map, k / 179));
                pen.fillRect(14 + k, 32, 1.5, 12);
            }
            pen.fillStyle = style.getPropertyValue("--ink");
            pen.fillText(number(this.range.low, 3), 14, 60);
            pen.textAlign = "right";
            pen.fillText(number(this.range.high, 3), 194, 60);
            pen.textAlign = "left";
        }
        pen.fillText(`t = ${quantity(this.frame?.time ?? 0, "s")}`, 14, to.height / unit - 16);
        return to;
    }

    async screenshot(): Promise<void> {
        const blob = await new Promise<Blob | null>((resolve) => this.compose().toBlob(resolve, "image/png"));
        if (blob) download(blob, `${this.info.name}-${this.frame?.time ?? 0}.png`);
    }

    private async record(): Promise<void> {
        if (this.recorder) return this.recorder.stop();
        const canvas = this.compose(), pen = canvas.getContext("2d")!, pieces: Blob[] = [];
        const recorder = new MediaRecorder(canvas.captureStream(30), {mimeType: "video/webm", videoBitsPerSecond: 12e6});
        this.recorder = recorder;
        recorder.ondataavailable = (event) => pieces.push(event.data);
        recorder.onstop = () => {
            this.recorder = null;
            this.setMessage("");
            download(new Blob(pieces, {type: "video/webm"}), `${this.info.name}.webm`);
        };
        recorder.start();
        this.setMessage("recording; R ends it");
        if (!this.isPlaying) this.togglePlay();
        while (this.recorder) {
            pen.drawImage(this.compose(), 0, 0);
            if (!this.isPlaying) recorder.stop();
            await new Promise((resolve) => setTimeout(resolve, 33));
        }
    }

    // --- the rest

    private drawAxes(): void {
        const pen = this.axes.getContext("2d")!, style = getComputedStyle(document.documentElement);
        pen.setTransform(2, 0, 0, 2, 0, 0);
        pen.clearRect(0, 0, 80, 80);
        pen.font = "11px system-ui, sans-serif";
        pen.lineWidth = 1.5;
        this.picture.axes().forEach(([x, y], k) => {
            pen.strokeStyle = ["#d04437", "#3a9a4a", "#3572c9"][k];
            pen.beginPath();
            pen.moveTo(40, 40);
            pen.lineTo(40 + 28 * x, 40 - 28 * y);
            pen.stroke();
            pen.fillStyle = style.getPropertyValue("--ink");
            pen.fillText("xyz"[k], 37 + 35 * x, 44 - 35 * y);
        });
        // A bar of a round length, some 90 pixels long.
        const metres = 90 * this.picture.metresPerPixel(), power = 10 ** Math.floor(Math.log10(metres));
        const round = [5, 2, 1].map((n) => n * power).find((length) => length <= metres) ?? power;
        this.scaleBar.style.width = `${round / this.picture.metresPerPixel()}px`;
        this.scaleBar.textContent = round >= 1 ? `${number(round)} m` : round >= 1e-3 ? `${number(round * 1e3)} mm` : `${number(round * 1e6)} µm`;
    }

    toggleDark(): void {
        const root = document.documentElement, isDark = getComputedStyle(root).getPropertyValue("--dark").trim() === "1";
        root.dataset.theme = isDark ? "light" : "dark";
        this.plots?.restyle();
        this.drawAxes();
    }
    private toggleHelp(): void {
        this.helpBox.hidden = !this.helpBox.hidden;
    }

    private key(event: KeyboardEvent): void {
        const target = event.target as HTMLElement, isTyping = target instanceof HTMLInputElement && target.type === "text";
        if (event.ctrlKey || event.metaKey || event.altKey || isTyping || target instanceof HTMLSelectElement) return;
        const isSlider = target instanceof HTMLInputElement && target.type === "range";
        if (isSlider && event.key.startsWith("Arrow")) return;
        const c = this.controls, flip = (input: HTMLInputElement) => { input.checked = !input.checked; input.onchange!(new Event("change")); };
        const order = ["+x", "-x", "+y", "-y", "+z", "-z"];
        const actions: Record<string, () => void> = {
            " ": () => this.togglePlay(), arrowleft: () => this.step(-1), arrowright: () => this.step(1), home: () => { this.stop(); void this.show(0); },
            end: () => { this.stop(); void this.show(this.times.length - 1); }, f: () => this.picture.fit(), o: () => this.picture.toggleOrthographic(),
            "0": () => this.picture.setView("corner"), c: () => this.nextField(), v: () => { if (!this.source.isReport) flip(c.arrows.input); }, n: () => flip(c.chains.input), j: () => flip(c.joints.input),
            w: () => { const look = this.picture.look; look.walls = look.walls > 0 ? 0 : 0.15; c.walls.input.value = String(look.walls); this.picture.applyLook(); },
            x: () => { const s = c.clipAxis.input; s.selectedIndex = (s.selectedIndex + 1) % 4; this.setClip(); },
            g: () => this.picture.toggleFollow(), m: () => this.startMeasure(), l: () => this.setLatest(!this.isLatest), p: () => this.togglePause(),
            s: () => void this.screenshot(), r: () => void this.record(), d: () => this.toggleDark(), h: () => this.root.classList.toggle("bare"),
            escape: () => { this.helpBox.hidden = true; if (this.rulerEnds) this.startMeasure(); void this.select(null); }, "?": () => this.toggleHelp(),
        };
        order.forEach((name, k) => (actions[String(k + 1)] = () => this.picture.setView(name)));
        const action = actions[event.key.toLowerCase()];
        if (!action) return;
        event.preventDefault();
        action();
    }
    private nextField(): void {
        const names = this.info.fields.map((field) => field.name);
        this.setField(names[(names.indexOf(this.field) + 1) % names.length]);
    }
}
