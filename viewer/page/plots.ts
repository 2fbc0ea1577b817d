// Plots of the series beside the picture.
import uPlot from "uplot";
import "uplot/dist/uPlot.min.css";
import {css, groupColour} from "./colours";
import {number} from "./numbers";
import {isAllZero, type PlotGroup, plotGroups, type Series} from "./series";

const shownFirst = ["energy", "contacts", "max_overlap", "residual", "solver_residual", "coordination", "kinetic_ratio"];
const mostShownFirst = 3;

function widthOf(cell: HTMLElement): number {
    return Math.max(120, cell.clientWidth);
}

export class Plots {
    onSeek: (time: number) => void = () => {};
    private readonly chips: HTMLElement;
    private readonly area: HTMLElement;
    private readonly shown = new Set<string>();
    private charts: {plot: uPlot; group: PlotGroup; cell: HTMLElement}[] = [];
    private time = 0;
    private chosen = false;
    private isLog = false;

    constructor(place: HTMLElement, private readonly series: Series, private readonly height = 150) {
        this.chips = document.createElement("div");
        this.chips.className = "chips";
        this.area = document.createElement("div");
        this.area.className = "plots";
        place.append(this.chips, this.area);
        new ResizeObserver(() => this.charts.forEach(({plot, cell}) => plot.setSize({width: widthOf(cell), height: this.height}))).observe(this.area);
    }

    // After rows came, or another series.
    refresh(): void {
        const groups = plotGroups(this.series);
        if (!this.chosen && this.series.rows > 1) {
            this.chosen = true;
            const drawable = groups.filter((group) => !group.columns.every(isAllZero));
            const first = drawable.filter((group) => shownFirst.includes(group.title));
            (first.length ? first : drawable).slice(0, mostShownFirst).forEach((group) => this.shown.add(group.title));
        }
        const wanted = groups.filter((group) => this.shown.has(group.title));
        const isSame = wanted.length === this.charts.length &&
            wanted.every((group, k) => group.title === this.charts[k].group.title);
        if (!isSame) {
            this.draw(groups);
        } else {
            this.charts.forEach((chart, k) => chart.plot.setData(this.dataOf(wanted[k])));
        }
    }

    private draw(groups: PlotGroup[] = plotGroups(this.series)): void {
        this.chips.replaceChildren(...groups.map((group) => this.chip(group)), this.logChip());
        this.charts.forEach(({plot}) => plot.destroy());
        this.area.replaceChildren();
        const cells = groups.filter((group) => this.shown.has(group.title)).map((group) => ({group, cell: document.createElement("div")}));
        this.area.append(...cells.map(({cell}) => cell));
        this.charts = cells.map(({group, cell}) => ({group, cell, plot: this.chart(group, cell)}));
    }

    private chip(group: PlotGroup): HTMLElement {
        const chip = document.createElement("button");
        chip.textContent = group.title;
        chip.className = this.shown.has(group.title) ? "chip on" : "chip";
        if (group.columns.every(isAllZero)) {
            chip.title = "zero so far";
            chip.classList.add("faint");
        }
        chip.onclick = () => {
            if (!this.shown.delete(group.title)) this.shown.add(group.title);
            this.draw();
        };
        return chip;
    }

    private logChip(): HTMLElement {
        const chip = document.createElement("button");
        chip.textContent = "log axis";
        chip.className = this.isLog ? "chip on" : "chip";
        chip.onclick = () => {
            this.isLog = !this.isLog;
            this.draw();
        };
        return chip;
    }

    // Columns that are not zero throughout; what a logarithm cannot show is left out.
    private columnsOf(group: PlotGroup) {
        const columns = group.columns.filter((column) => !isAllZero(column));
        return columns.length ? columns : group.columns;
    }
    private dataOf(group: PlotGroup): uPlot.AlignedData {
        const clean = (value: number) => (Number.isFinite(value) && (!this.isLog || value > 0) ? value : null);
        return [this.series.times, ...this.columnsOf(group).map((column) => column.values.map(clean))] as uPlot.AlignedData;
    }

    private chart(group: PlotGroup, cell: HTMLElement): uPlot {
        const style = getComputedStyle(document.documentElement);
        const ink = style.getPropertyValue("--ink").trim(), faint = style.getPropertyValue("--line").trim();
        const axis = {stroke: ink, grid: {stroke: faint, width: 1}, ticks: {stroke: faint, width: 1, size: 4}, font: "11px system-ui, sans-serif"};
        const label = (name: string) => /_([xyz]{1,2})(?=_|$)/.exec(name)?.[1] ?? name.replace(`${group.title}_`, "");
        const options: uPlot.Options = {
            width: widthOf(cell),
            height: this.height,
            title: group.title + (group.unit ? ` [${group.unit}]` : ""),
            legend: {show: group.columns.length > 1, live: true},
            scales: {x: {time: false}, y: this.isLog ? {distr: 3} : {}},
            cursor: {drag: {x: true, y: false}},
            series: [
                {label: "t", value: (_, value) => (value === null ? "-" : `${number(value)} s`)},
                ...this.columnsOf(group).map((column, k) => ({
                    label: label(column.name), stroke: css(groupColour(k)), width: 1.5, points: {show: false},
                    value: (_: uPlot, value: number | null) => (value === null ? "-" : number(value)),
                })),
            ],
            axes: [{...axis, size: 26}, {...axis, size: 58, values: (_, ticks) => ticks.map((tick) => (tick === null ? "" : number(tick, 4)))}],
            hooks: {
                draw: [(plot) => this.markTime(plot)],
                ready: [(plot) => plot.over.addEventListener("click", () => {
                    if (plot.cursor.left !== undefined && plot.cursor.left >= 0) this.onSeek(plot.posToVal(plot.cursor.left, "x"));
                })],
            },
        };
        return new uPlot(options, this.dataOf(group), cell);
    }

    private markTime(plot: uPlot): void {
        const x = plot.valToPos(this.time, "x", true), {top, height, left, width} = plot.bbox;
        if (x < left || x > left + width) return;
        plot.ctx.save();
        plot.ctx.strokeStyle = "#ff1a73";
        plot.ctx.lineWidth = 1.5 * devicePixelRatio;
        plot.ctx.beginPath();
        plot.ctx.moveTo(x, top);
        plot.ctx.lineTo(x, top + height);
        plot.ctx.stroke();
        plot.ctx.restore();
    }

    // Of the frame in the picture, s.
    setTime(time: number): void {
        this.time = time;
        this.charts.forEach(({plot}) => plot.redraw(false));
    }

    restyle(): void {
        this.draw();
    }
}
