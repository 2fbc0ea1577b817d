// series.csv as columns, read piece by piece while it grows.

export interface Column {
    name: string;
    unit: string;
    values: number[];
}

function numberOf(text: string): number {
    if (text === "inf" || text === "-inf") return text === "inf" ? Infinity : -Infinity;
    return text === "nan" ? NaN : Number(text);
}

export class Series {
    columns: Column[] = [];

    get rows(): number {
        return this.columns.length ? this.columns[0].values.length : 0;
    }
    get times(): number[] {
        return this.columns.length ? this.columns[0].values : [];
    }
    find(name: string): Column | undefined {
        return this.columns.find((column) => column.name === name);
    }

    // Whole lines, the header first. True if there was a row among them.
    append(text: string): boolean {
        const before = this.rows;
        for (const line of text.split("\n")) {
            if (line === "") continue;
            const cells = line.split(",");
            if (this.columns.length === 0) {
                this.columns = cells.map((cell) => {
                    const parts = /^(.*?)(?: \[(.*)\])?$/.exec(cell)!;
                    return {name: parts[1], unit: parts[2] ?? "", values: []};
                });
            } else if (cells.length === this.columns.length) {
                cells.forEach((cell, k) => this.columns[k].values.push(numberOf(cell)));
            }
        }
        return this.rows > before;
    }

    // Starts anew: the file is another one.
    clear(): void {
        this.columns = [];
    }
}

// Columns that are drawn together: energies share a picture, and so do the components of a vector.
export interface PlotGroup {
    title: string;
    unit: string;
    columns: Column[];
}

export function plotGroups(series: Series): PlotGroup[] {
    const groups = new Map<string, PlotGroup>();
    for (const column of series.columns.slice(1)) {
        const isEnergy = column.name.startsWith("energy_") && column.unit === "J";
        const title = isEnergy ? "energy" : column.name.replace(/_[xyz]{1,2}(?=_|$)/, "");
        const key = `${title} ${column.unit}`;
        if (!groups.has(key)) groups.set(key, {title, unit: column.unit, columns: []});
        groups.get(key)!.columns.push(column);
    }
    return [...groups.values()].sort((a, b) => Number(b.title === "energy") - Number(a.title === "energy"));
}

export function isAllZero(column: Column): boolean {
    return column.values.every((value) => value === 0 || Number.isNaN(value));
}
