import { registerHooks } from "node:module";

/** Loaded with `--import` before the main bundle: whoever imports `electron` gets the stand-in. */
const standIn = new URL("./electron.ts", import.meta.url).href;

registerHooks({
  resolve(specifier, context, next) {
    return specifier === "electron" ? { url: standIn, shortCircuit: true } : next(specifier, context);
  },
});
