// One page of three files with fixed names, which the program carries.
import {defineConfig} from "vite";

export default defineConfig({
    root: "page",
    base: "./",
    logLevel: "warn",
    build: {
        outDir: "../dist",
        emptyOutDir: true,
        target: "es2022",
        cssCodeSplit: false,
        modulePreload: false,
        chunkSizeWarningLimit: 2000,
        rollupOptions: {
            output: {
                entryFileNames: "viewer.js",
                assetFileNames: (asset) => (asset.names.some((name) => name.endsWith(".css")) ? "viewer.css" : "[name][extname]"),
            },
        },
    },
});
