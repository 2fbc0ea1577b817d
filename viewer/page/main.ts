// Where the page begins: a report if it carries one, else the viewer of the server it came from.
import "./style.css";
import {make} from "./dom";
import {showReport} from "./report";
import {ServerSource} from "./source";
import {Viewer} from "./viewer";

declare global {
    // For whoever steers the page from outside: notebooks, tests.
    interface Window { talus?: Viewer }
}

async function begin(): Promise<void> {
    const data = document.getElementById("report"), root = make("main");
    document.body.append(root);
    if (data) {
        window.talus = await showReport(root, JSON.parse(data.textContent!));
        return;
    }
    const query = new URLSearchParams(location.search);
    const viewer = new Viewer(root, new ServerSource(query.get("token") ?? ""));
    window.talus = viewer;
    if (query.has("bare") || window.innerWidth < 700) root.classList.add("bare");
    try {
        await viewer.start();
        document.title = `${viewer.info.name} · Talus`;
    } catch (error) {
        root.replaceChildren(make("p", {class: "failed"}, (error as Error).message));
    }
}

void begin();
