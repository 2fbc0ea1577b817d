// The page of a report: one run, told from the summary to how it is run again, with everything in the file.
import {make, section} from "./dom";
import {duration, number, quantity} from "./numbers";
import {Plots} from "./plots";
import {ReportSource} from "./source";
import {Viewer} from "./viewer";

type Row = [string, string];

function table(rows: Row[]): HTMLElement {
    return make("table", {class: "wide"}, ...rows.map(([name, value]) => make("tr", {}, make("th", {}, name), make("td", {}, value))));
}

function summaryRows(data: any): Row[] {
    const s = data.summary, rows: Row[] = [];
    const add = (name: string, value: unknown) => value !== undefined && value !== null && value !== "" && rows.push([name, String(value)]);
    if (!s) return [["status", "there is no summary: the run goes on, or was killed"]];
    add("status", s.status);
    add("message", s.message);
    add("simulated time", quantity(s.time, "s"));
    add("steps", `${s.steps} (${s.results?.step_reason ?? ""})`);
    add("wall-clock time", `${duration(s.wall_seconds)} on ${s.threads} threads`);
    add("bodies, contacts", `${s.bodies}, ${s.contacts}`);
    add("largest overlap", `${number(100 * s.max_overlap, 3)} % of the smaller radius`);
    if (s.results?.solver) add("solver", `${s.results.solver.name}, ${s.unconverged_steps} steps did not converge`);
    add("state hash", s.state_hash);
    return rows;
}

function machineRows(data: any): Row[] {
    const run = data.run ?? {}, machine = run.machine ?? {}, rows: Row[] = [];
    const add = (name: string, value: unknown) => value && rows.push([name, String(value)]);
    add("Talus", run.version ?? data.version);
    add("processor", machine.cpu);
    add("system", machine.system);
    add("compiler", machine.compiler);
    return rows;
}

export async function showReport(root: HTMLElement, data: any): Promise<Viewer> {
    const source = new ReportSource(data), scene = data.scene ?? {};
    const warnings: string[] = data.summary?.results?.warnings ?? [];
    const box = make("div", {class: "boxed"}), plots = make("div");
    const shown = data.picture.times.length, all = source.allFrames;
    const note = shown === 0 ? "The run left no frames." : shown < all ? `${shown} of ${all} frames, to keep this file small.` : `All ${all} frames of the run.`;
    root.classList.add("report");
    root.append(
        make("h1", {}, data.name), make("p", {}, scene.description ?? ""),
        make("h2", {}, "Summary"), table(summaryRows(data)),
        make("h2", {}, warnings.length ? "Warnings" : "No warnings"), make("ul", {class: "warnings"}, ...warnings.map((text) => make("li", {}, text))),
        make("h2", {}, "The run"), box, make("p", {class: "note"}, note, " Drag to turn, wheel to zoom, Space to play, ? for all keys."),
        make("h2", {}, "Series"), plots,
        make("h2", {}, "Scene"), section("The scene with all defaults", false, make("pre", {}, data.sceneText)),
        make("h2", {}, "Run it again"),
        make("pre", {}, `# save the scene above as ${data.name}.yaml\ntalus run ${data.name}.yaml --threads ${data.run?.threads ?? 1}\n# the same state hash means the same bits: ${data.summary?.state_hash ?? "-"}`),
        table(machineRows(data)),
        make("h2", {}, "Cite"),
        make("p", {}, `The Talus developers. Talus: granular matter and many-contact rigid-body dynamics, version ${data.run?.version ?? data.version}.`));
    const viewer = new Viewer(box, source);
    if (shown === 0) box.hidden = true;
    else await viewer.start();
    if (shown === 0) viewer.series.append((await source.series()).text);
    viewer.plots = new Plots(plots, viewer.series, 220);
    viewer.plots.onSeek = (time) => viewer.seek(time);
    viewer.plots.refresh();
    return viewer;
}
