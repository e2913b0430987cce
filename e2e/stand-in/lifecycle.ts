import { EventEmitter } from "node:events";
import type { Chromium } from "./chromium.ts";

/** The events of Electron's `app`, apart from it so that windows can raise them. */
export const appEvents = new EventEmitter();

const chromium = Promise.withResolvers<Chromium>();

/** The browser behind all windows, once it runs. */
export const chromiumReady: Promise<Chromium> = chromium.promise;
export const resolveChromium = chromium.resolve;
