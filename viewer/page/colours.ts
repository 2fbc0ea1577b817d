// Colour maps for quantities and colours for groups, all of which colour-blind people can tell apart.

// Seventeen even steps of the perceptually uniform maps of matplotlib (viridis and inferno by S. van der Walt and
// N. Smith, cividis by J. Nuñez, C. Anderton and R. Renslow), 8 bit, from low to high.
const steps: Record<string, string> = {
    viridis: "440154 48186a 472d7b 424086 3b528b 33638d 2c728e 26828e 21918c 1fa088 28ae80 3fbc73 5ec962 84d44b addc30 d8e219 fde725",
    cividis: "00224e 002e6a 1a386f 32436d 434e6c 535a6d 61656f 6f7073 7d7c78 8c8878 9b9476 aba072 bcae6c cdbb63 dec958 f0d846 fee838",
    inferno: "000004 0b0724 210c4a 3d0965 57106e 71196e 8a226a a32c61 bc3754 d24644 e45a31 f1731d f98e09 fcac11 f9cb35 f2ea69 fcffa4",
    grey: "303030 ffffff",
};

export const mapNames = Object.keys(steps);

export type Rgb = [number, number, number]; // 0 to 255

function parse(hex: string): Rgb {
    return [0, 2, 4].map((k) => parseInt(hex.slice(k, k + 2), 16)) as Rgb;
}

// The colour at a share from 0 to 1 of a map.
export function mapColour(name: string, share: number): Rgb {
    const list = steps[name].split(" ").map(parse);
    const place = Math.min(Math.max(share, 0), 1) * (list.length - 1);
    const k = Math.min(Math.floor(place), list.length - 2);
    return list[k].map((low, c) => low + (place - k) * (list[k + 1][c] - low)) as Rgb;
}

// The colours of M. Okabe and K. Ito, yellow and black left out: as they are, then paler, then darker.
const palette: Rgb[] = [[86, 180, 233], [230, 159, 0], [0, 158, 115], [213, 94, 0], [204, 121, 167], [0, 114, 178]];

export function groupColour(group: number): Rgb {
    const kept = [1, 0.45, 0.5], white = [0, 0.55, 0], round = Math.floor(group / 6) % 3;
    return palette[group % 6].map((c) => kept[round] * c + white[round] * 255) as Rgb;
}

// 256 texels, with their opacity.
export function mapTexels(name: string): Uint8Array {
    const texels = new Uint8Array(4 * 256);
    for (let k = 0; k < 256; ++k) texels.set([...mapColour(name, k / 255), 255], 4 * k);
    return texels;
}

export function groupTexels(): Uint8Array {
    const texels = new Uint8Array(4 * 256);
    for (let k = 0; k < 256; ++k) texels.set([...groupColour(k), 255], 4 * k);
    return texels;
}

export function css(colour: Rgb): string {
    return `rgb(${colour.map(Math.round).join(",")})`;
}
