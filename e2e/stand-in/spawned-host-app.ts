import { app } from "electron";
import { createElectronPlatform } from "../../src/main/shell/electron-platform.ts";
import { shellWords } from "../../src/main/shell/outside/words.ts";
import { storeAt } from "../../src/main/store/index.ts";

/** The desktop's port to the machine, which starts the program that it is told to and tells of it line by line. */
const [file = "", ...args] = process.argv.slice(2);
const tell = (news: Record<string, unknown>) => process.stdout.write(`${JSON.stringify(news)}\n`);

app.setPath("userData", process.cwd());
const platform = await createElectronPlatform({
  store: storeAt(process.cwd()),
  version: "0.0.0",
  bundleDir: process.cwd(),
  resourcesDir: process.cwd(),
  onRoute() {},
  words: () => shellWords(),
});
const host = platform.spawnHost({
  file,
  args,
  cwd: process.cwd(),
  env: { PATH: process.env.PATH ?? "", GIVEN: "yes" },
  wire: "private",
});
tell({ shell: platform.shell, pid: host.pid });
host.onData((chunk) => tell({ wire: String(chunk) }));
host.onOutput((stream, chunk) => tell({ [stream]: String(chunk) }));
host.onExit((exit) => {
  tell({ exit });
  process.exit(0);
});
process.stdin.on("data", (chunk) => {
  const text = String(chunk);
  if (text === "kill\n") host.kill();
  else if (text === "close\n") host.closeWire();
  else host.write(text);
});
