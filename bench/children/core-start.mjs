import { pathToFileURL } from "node:url";

/** Opens the core in a home, prints how many milliseconds it took until its gateway answered, and closes it. */
const [bundle = "", home = ""] = process.argv.slice(2);
const begin = performance.now();
const before = process.cpuUsage();
const { createApp, nodePlatform, openGateway, rendererFolder, storeAt } = await import(
  pathToFileURL(bundle).href
);
const loaded = performance.now();
const app = await createApp(nodePlatform({ shell: "browser", store: storeAt(home) }));
const gateway = await openGateway(app, { rendererDir: rendererFolder() });
const headers = { authorization: `Bearer ${gateway.token}` };
const answer = await fetch(`${gateway.url}/api/app`, { headers });
if (!answer.ok) throw new Error(`The gateway answered ${answer.status}.`);
await answer.arrayBuffer();
const ready = performance.now();
const { user, system } = process.cpuUsage(before);
process.send?.({ startMs: ready - begin, loadMs: loaded - begin, cpuMs: (user + system) / 1000 });
await gateway.close();
await app.close();
process.disconnect();
