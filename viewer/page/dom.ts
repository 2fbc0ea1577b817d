// Elements made by calls. Texts are texts: nothing here reads HTML, whatever a scene calls its groups.

type Child = Node | string | null | undefined | false;
type Attributes = Record<string, unknown>;

export function make<K extends keyof HTMLElementTagNameMap>(tag: K, attributes: Attributes = {}, ...children: Child[]): HTMLElementTagNameMap[K] {
    const element = document.createElement(tag);
    for (const [name, value] of Object.entries(attributes)) {
        if (name === "class") {
            element.className = String(value);
        } else if (name.startsWith("data-") || name.startsWith("aria-")) {
            element.setAttribute(name, String(value));
        } else {
            (element as any)[name] = value;
        }
    }
    element.append(...children.filter((child): child is Node | string => child !== null && child !== undefined && child !== false));
    return element;
}

export function button(text: string, title: string, onclick: () => void): HTMLButtonElement {
    return make("button", {type: "button", title, onclick}, text);
}

export function check(label: string, checked: boolean, title: string, onchange: (on: boolean) => void): {row: HTMLElement; input: HTMLInputElement} {
    const input = make("input", {type: "checkbox", checked});
    input.onchange = () => onchange(input.checked);
    return {row: make("label", {class: "check", title}, input, label), input};
}

export function slider(label: string, range: {min: number; max: number; step: number; value: number}, title: string,
                       oninput: (value: number) => void): {row: HTMLElement; input: HTMLInputElement} {
    const input = make("input", {type: "range", ...range});
    input.value = String(range.value);
    input.oninput = () => oninput(Number(input.value));
    return {row: make("label", {class: "slider", title}, make("span", {}, label), input), input};
}

export function choice(label: string, options: [string, string][], onchange: (value: string) => void): {row: HTMLElement; input: HTMLSelectElement} {
    const input = make("select", {}, ...options.map(([value, text]) => make("option", {value}, text)));
    input.onchange = () => onchange(input.value);
    return {row: make("label", {class: "choice"}, make("span", {}, label), input), input};
}

export function section(title: string, isOpen: boolean, ...children: Child[]): HTMLDetailsElement {
    return make("details", {open: isOpen}, make("summary", {}, title), ...children);
}

export function download(blob: Blob, name: string): void {
    const link = make("a", {href: URL.createObjectURL(blob), download: name});
    link.click();
    setTimeout(() => URL.revokeObjectURL(link.href), 10_000);
}
