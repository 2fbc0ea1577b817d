// The page in a real browser: Debian's chromium, driven by playwright-core, with WebGL in software.
//
//     TALUS=talus CHROMIUM=/usr/bin/chromium PLAYWRIGHT=.../node_modules node tests.mjs NAME
//
// Each test is a function below; CTest runs them one by one. What is drawn is counted by reading pixels of the canvas.
import assert from "node:assert/strict";
import {execFileSync, spawn} from "node:child_process";
import {existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync} from "node:fs";
import {createRequire} from "node:module";
import {tmpdir} from "node:os";
import {join} from "node:path";

const talus = process.env.TALUS, folder = mkdtempSync(join(tmpdir(), "talus-browser-"));
if (!existsSync(join(process.env.PLAYWRIGHT, "playwright-core"))) {
    console.log("skipped: the program was built without its page");
    process.exit(77);
}
const {chromium} = createRequire(join(process.env.PLAYWRIGHT, "x.js"))("playwright-core");
const flags = ["--no-sandbox", "--disable-gpu", "--disable-quic", "--no-first-run", "--disable-background-networking",
    "--disable-component-update", "--disable-sync", "--use-gl=angle", "--use-angle=swiftshader", "--enable-unsafe-swiftshader"];
const running = [];

const balls = `
materials: {glass: {density: 2500, youngs_modulus: 2 MPa, friction: 0.4, restitution: 0.3}}
bodies:
  - {shape: plane, point: [0, 0, 0], normal: [0, 0, 1], group: floor}
  - {shape: sphere, radius: 5 mm, position: [-20 mm, 0, 4.99 mm], group: low}
  - {shape: sphere, radius: 5 mm, position: [0, 0, 5 mm], velocity: [0, 0, 0.5], group: high}
  - {shape: box, size: [8 mm, 8 mm, 8 mm], position: [20 mm, 0, 4 mm], group: stone}
run: {time: 40 ms}
output: {frames: 2 ms, series: 1 ms, plots: false}
`;

function run(text, out, ...more) {
    writeFileSync(join(folder, "scene.yaml"), text);
    execFileSync(talus, ["run", join(folder, "scene.yaml"), "-o", out, "--threads", "1", ...more], {stdio: "pipe"});
    return out;
}

function start(...command) {
    const process = spawn(talus, command);
    running.push(process);
    return new Promise((resolve) => {
        const read = (data) => { const url = /http:\S+/.exec(String(data)); if (url) resolve({process, url: url[0]}); };
        process.stdout.on("data", read);
        process.stderr.on("data", read);
    });
}

async function open(url, options = {}) {
    const profile = mkdtempSync(join(folder, "profile-"));
    const context = await chromium.launchPersistentContext(profile, {executablePath: process.env.CHROMIUM, headless: true,
        viewport: {width: 1000, height: 700}, args: flags, acceptDownloads: true, ...options});
    running.push({kill: () => context.close()});
    const page = context.pages()[0] ?? (await context.newPage()), problems = [];
    page.on("pageerror", (error) => problems.push(error.message));
    page.on("console", (message) => { if (message.type() === "error") problems.push(message.text()); });
    page.on("request", (request) => { if (!/^(file:|data:|blob:|http:\/\/127\.0\.0\.1)/.test(request.url())) problems.push(`asked for ${request.url()}`); });
    page.problems = problems;
    await page.goto(url);
    await page.waitForSelector("canvas[data-ready]", {timeout: 60000});
    return page;
}

const viewer = (page, code) => page.evaluate(`(async () => { const v = window.talus; return ${code}; })()`);

async function until(what, check) {
    for (const limit = Date.now() + 40000; Date.now() < limit; ) {
        if (await check()) return;
        await new Promise((resolve) => setTimeout(resolve, 50));
    }
    assert.fail(`not within 40 s: ${what}`);
}

// Pixels of the picture, without walls, whose colour is about this one.
async function pixels(page, test) {
    return page.evaluate(`(() => {
        const v = window.talus, from = v.picture.canvas, to = document.createElement("canvas");
        v.picture.look.walls = 0;
        v.picture.applyLook();
        v.picture.drawNow();
        to.width = from.width; to.height = from.height;
        const pen = to.getContext("2d");
        pen.drawImage(from, 0, 0);
        const data = pen.getImageData(0, 0, to.width, to.height).data;
        let count = 0;
        for (let k = 0; k < data.length; k += 4) { const [r, g, b, a] = data.subarray(k, k + 4); if (${test}) ++count; }
        return count;
    })()`);
}

// Where a point of the world is on the page.
async function placeOf(page, index) {
    return page.evaluate(`(() => {
        const v = window.talus, p = v.picture, area = p.canvas.getBoundingClientRect();
        for (let y = area.top + 2; y < area.bottom; y += 3)
            for (let x = area.left + 2; x < area.right; x += 3) if (p.pick(x, y)?.body === ${index}) return [x + 4, y + 4];
        return null;
    })()`);
}

const tests = {
    async a_recorded_run_is_drawn_scrubbed_and_selected() {
        const out = run(balls, join(folder, "balls")), {url} = await start("view", out, "--no-browser"), page = await open(url);
        // Spheres and the box cover what they should: seen from the side without perspective, areas tell.
        await viewer(page, `(v.picture.setView("-y"), v.picture.toggleOrthographic(), v.setField("group"))`);
        await until("coloured by group", () => viewer(page, `v.frame.value[2] !== v.frame.value[0]`));
        const scale = await viewer(page, "v.picture.metresPerPixel()");
        const all = await pixels(page, "a > 200"), expected = (2 * Math.PI * 0.005 ** 2 + 0.008 ** 2) / scale ** 2;
        assert.ok(Math.abs(all - expected) < 0.03 * expected, `${all} pixels, expected ${expected}`);
        // Blue (grains' first colour is not used here), orange and green of the three groups, each as large as it is.
        const groups = await viewer(page, "v.info.groups");
        assert.deepEqual(groups.slice(-3), ["low", "high", "stone"]);

        // To another time: the page shows what the series says.
        const rows = readFileSync(join(out, "series.csv"), "utf8").trim().split("\n").map((line) => line.split(","));
        await page.locator(".scrubber, .timeline input[type=range]").first().fill("10");
        await until("scrubbed", () => viewer(page, "v.shown === 10"));
        assert.ok(Math.abs((await viewer(page, "v.frame.time")) - 0.02) < 1e-4);
        assert.match(await page.textContent(".time"), /11\/21/);
        const kinetic = rows[0].findIndex((cell) => cell.startsWith("energy_kinetic"));
        const shown = await viewer(page, `v.series.find("energy_kinetic").values`);
        assert.deepEqual(shown, rows.slice(1).map((row) => Number(row[kinetic])));

        // A click selects; values agree with free flight.
        const place = await placeOf(page, 1);
        assert.ok(place, "the flying sphere can be picked");
        await page.mouse.click(...place);
        await until("selected", () => viewer(page, "v.selected?.index === 1"));
        const body = await viewer(page, "v.selected"), t = body.time;
        assert.equal(body.group, "high");
        assert.ok(Math.abs(body.position[2] - (0.005 + 0.5 * t - 0.5 * 9.81 * t * t)) < 1e-9);
        assert.match(await page.textContent('[data-value="group"]'), /high/);
        // It stays selected from frame to frame, and a click on nothing ends it.
        await page.keyboard.press("ArrowRight");
        await until("next frame", () => viewer(page, "v.shown === 11 && v.selected?.time > 0.0215"));
        const red = await pixels(page, "r > 150 && g < 90 && b > 60 && b < 160");
        assert.ok(red > 100, `the selected body stands out (${red} pixels)`);
        const box = await page.locator(".sight").boundingBox();
        await page.mouse.click(box.x + box.width - 5, box.y + 5);
        await until("nothing selected", () => viewer(page, "v.selected === undefined"));
        assert.deepEqual(page.problems, []);
    },

    async everything_can_be_done_with_keys() {
        const out = run(balls, join(folder, "balls")), {url} = await start("view", out, "--no-browser"), page = await open(url);
        await page.keyboard.press("End");
        await until("last frame", () => viewer(page, "v.shown === 20"));
        await page.keyboard.press("Home");
        await until("first frame", () => viewer(page, "v.shown === 0"));
        await page.keyboard.press("Space");
        await until("played to the end", () => viewer(page, "v.shown === 20"));
        await page.keyboard.press("n");
        await until("contacts", () => viewer(page, "v.frame.contacts !== undefined && v.picture.look.chains"));
        await page.keyboard.press("v");
        await until("velocities", () => viewer(page, "v.frame.velocity !== undefined && v.picture.look.arrows"));
        await page.keyboard.press("c");
        await until("another field", () => viewer(page, `v.controls.field.input.value === "force"`));
        const before = await viewer(page, "v.picture.axes()");
        await page.keyboard.press("5");
        await until("turned", async () => JSON.stringify(await viewer(page, "v.picture.axes()")) !== JSON.stringify(before));
        await page.keyboard.press("x");
        assert.equal(await viewer(page, "v.picture.look.clip.axis"), 0);
        assert.ok((await pixels(page, "a > 200")) > 0);
        await page.keyboard.press("?");
        assert.ok(await page.isVisible(".help"));
        await page.keyboard.press("Escape");
        assert.ok(!(await page.isVisible(".help")));
        const back = () => page.evaluate("getComputedStyle(document.body).backgroundColor");
        const light = await back();
        await page.keyboard.press("d");
        assert.notEqual(await back(), light);
        const download = page.waitForEvent("download");
        await page.keyboard.press("s");
        const file = await (await download).path();
        assert.equal(readFileSync(file).subarray(1, 4).toString(), "PNG");
        await page.keyboard.press("h");
        assert.ok(!(await page.isVisible(".panel")));
        assert.deepEqual(page.problems, []);
    },

    async a_live_run_is_followed_to_its_end() {
        writeFileSync(join(folder, "live.yaml"), balls.replace("time: 40 ms", "time: 100 s"));
        const {process, url} = await start("run", join(folder, "live.yaml"), "--view", "-o", join(folder, "live"), "--threads", "1",
                                           "--set", "run.time=2 s", "--set", "output.frames=0.1 s");
        const ended = new Promise((resolve) => process.on("exit", resolve)), {origin, searchParams} = new URL(url);
        // It waits for the browser.
        const wish = (body) => fetch(`${origin}/api/wish`, {method: "POST", body, headers: {"X-Talus-Token": searchParams.get("token")}});
        await until("it began", async () => (await wish("pause")).status === 204);
        const page = await open(url);
        await until("paused", async () => /paused/.test(await page.textContent(".status")));
        await until("the paused state is shown", () => viewer(page, `v.shown === "now" && v.frame.time > 0 && v.frame.time === v.state.progress.time`));
        await page.keyboard.press("p");
        await until("finished", async () => /finished/.test(await page.textContent(".status")));
        await until("the last frame", () => viewer(page, "v.shown === v.times.length - 1 && Math.abs(v.frame.time - 2) < 1e-3"));
        assert.deepEqual(page.problems, []);
        await page.context().close();
        assert.equal(await ended, 0);
    },

    async a_report_needs_no_server_and_no_network() {
        const out = run(balls, join(folder, "balls")), file = join(folder, "report.html");
        execFileSync(talus, ["report", out, "-o", file]);
        const page = await open(`file://${file}`, {offline: true});
        assert.match(await page.textContent("main"), /finished[\s\S]*state hash/);
        assert.equal(await viewer(page, "v.times.length"), 21);
        assert.ok((await pixels(page, "a > 200")) > 1000);
        await viewer(page, "v.show(15)");
        assert.ok(Math.abs((await viewer(page, "v.frame.time")) - 0.03) < 1e-4);
        assert.ok((await page.locator(".plots canvas").count()) >= 2);
        assert.deepEqual(page.problems, []);
    },

    async no_bodies_one_body_and_a_wrong_token_are_told() {
        const none = "materials: {glass: {}}\nbodies: [{shape: plane, point: [0, 0, 0], normal: [0, 0, 1]}]\nrun: {time: 1 ms, step: 0.1 ms}\noutput: {plots: false}\n";
        writeFileSync(join(folder, "none.yaml"), none);
        const {url} = await start("view", join(folder, "none.yaml"), "--no-browser"), page = await open(url);
        assert.match(await page.textContent(".message"), /no bodies/);
        assert.match(await page.textContent(".status"), /not run yet/);
        writeFileSync(join(folder, "one.yaml"), none.replace("]\nrun", ", {shape: sphere, radius: 1 mm, position: [0, 0, 1 mm]}]\nrun"));
        const other = await open((await start("view", join(folder, "one.yaml"), "--no-browser")).url);
        assert.ok((await pixels(other, "a > 200")) > 1000);
        await other.goto(url.replace(/token=..../, "token=0000"));
        await until("the token is refused", async () => /token is missing or wrong/.test(await other.textContent("main")));
    },

    // 4096, or SIDE^3. Measured, not held against a limit: GL in software says little about a graphics card.
    async as_many_spheres_as_wanted_are_shown() {
        const side = Number(process.env.SIDE ?? 16);
        const many = `materials: {glass: {density: 2500, youngs_modulus: 2 MPa}}\nbodies:\n  - {generate: lattice, lattice: sc, radius: 1 mm, spacing: 2.1 mm, origin: [0, 0, 0], count: [${side}, ${side}, ${side}]}\nrun: {time: 1 us, step: 1 us}\noutput: {plots: false}\n`;
        writeFileSync(join(folder, "many.yaml"), many);
        const {url} = await start("view", join(folder, "many.yaml"), "--no-browser"), begun = Date.now(), page = await open(url);
        assert.equal(await viewer(page, "v.frame.spheres.length / 4"), side ** 3);
        console.log(`${side ** 3} spheres: loaded in ${(Date.now() - begun) / 1000} s`);
        const drawn = Date.now();
        assert.ok((await pixels(page, "a > 200")) > 10000);
        console.log(`redrawn in ${(Date.now() - drawn) / 1000} s`);
    },
};

const name = process.argv[2];
let status = 0;
try {
    await tests[name]();
} catch (error) {
    console.error(error);
    status = 1;
}
for (const one of running) await Promise.resolve(one.kill()).catch(() => {});
rmSync(folder, {recursive: true, force: true, maxRetries: 5});
process.exit(status);
