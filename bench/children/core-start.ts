import { pathToFileURL } from "node:url";
import { coreBundle } from "../core/paths.ts";

/** Opens the core in a home and tells how long it took, from the first line of this file; then closes it. */
const begin = performance.now();
const before = process.cpuUsage();
const entry: typeof import("../core/entry.ts") = await import(pathToFileURL(coreBundle).href);
const loaded = performance.now();
const app = await entry.createApp(entry.nodePlatform({ shell: "browser", home: process.argv[2] ?? "" }));
const gateway = await entry.openGateway(app, { rendererDir: entry.rendererFolder() });
const ready = performance.now();
const { user, system } = process.cpuUsage(before);
process.send?.({ startMs: ready - begin, loadMs: loaded - begin, cpuMs: (user + system) / 1000 });
await gateway.close();
await app.close();
process.disconnect();
