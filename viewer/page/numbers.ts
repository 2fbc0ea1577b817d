// Numbers and their units as people read them.

export function number(value: number, digits = 5): string {
    if (!Number.isFinite(value)) return String(value);
    const size = Math.abs(value);
    if (size !== 0 && (size >= 1e6 || size < 1e-4)) return value.toExponential(Math.max(0, digits - 3)).replace("e+", "e");
    return String(Number(value.toPrecision(digits)));
}

export function quantity(value: number, unit: string): string {
    return unit ? `${number(value)} ${unit}` : number(value);
}

export function duration(seconds: number): string {
    if (seconds < 120) return `${number(seconds, 3)} s`;
    const minutes = Math.round(seconds / 60);
    return minutes < 120 ? `${minutes} min` : `${Math.floor(minutes / 60)} h ${minutes % 60} min`;
}
