import { PoolWorld, textOf } from "./pool-world.ts";
import { outerPid } from "./processes.ts";

/** An app in a process of its own: starts plugins, prints the ids of their processes, and waits to be killed. */
const [bundleDir = "", mode = ""] = process.argv.slice(2);
const world = await PoolWorld.open({ bundleDir });
await world.agent("ada");
await world.pool.boot();
await world.install("misfit");
const { pid } = await world.enable("ada", "misfit");
const grandchild = await outerPid(pid ?? 0, Number(textOf(await world.call("ada", "misfit__grandchild"))));
if (mode === "blocked") {
  void world.call("ada", "misfit__spin");
  await world.until(() => world.logTexts("ada", "misfit").includes("spinning"));
}
process.send?.({ pid, grandchild, home: world.home });
setInterval(() => {}, 60_000);
