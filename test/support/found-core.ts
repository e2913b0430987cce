import { createApp } from "../../src/main/app/create-app.ts";
import { openGateway } from "../../src/main/gateway/server.ts";
import { nodePlatform, rendererFolder } from "../../src/main/platform/node-platform.ts";
import { storeAt } from "../../src/main/store/index.ts";
import { foundRuntime } from "./found-runtime.ts";

/** Runs the app with one more plugin system, of which the second folder is an installation. SIGINT ends it. */
const [, , home = "", elsewhere = ""] = process.argv;
const person = { kind: "terminal" as const, show: (lines: string) => console.error(lines) };
const app = await createApp(nodePlatform({ shell: "browser", store: storeAt(home), person }), {
  runtimes: [foundRuntime(elsewhere)],
});
const gateway = await openGateway(app, { rendererDir: rendererFolder() });
process.once("SIGINT", async () => {
  await gateway.close();
  await app.close();
});
console.log(gateway.link());
