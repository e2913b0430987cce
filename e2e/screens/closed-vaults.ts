import { mkdir, readdir, readFile, rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { ask, ServedCore } from "../support/core.ts";
import type { InEveryWindow } from "./studio.ts";

/** The screens before the screens: secrets that wait for their passphrase, and secrets whose file was cut in half. */
export async function takeClosedVaults(home: string, inEveryWindow: InEveryWindow): Promise<void> {
  await mkdir(home, { recursive: true });
  let core = await ServedCore.start(home);
  try {
    await ask(home, "PATCH", "/settings", { welcomeClosed: true });
    await ask(home, "PUT", "/secrets/WEATHER_API_KEY", { value: "only for the picture" });
    const passphrase = "four little words here";
    await ask(home, "POST", "/secrets/passphrase", { passphrase, askAtStart: true });
    await core.stop();
    core = await ServedCore.start(home);
    await inEveryWindow(core, async (page, shoot) => {
      await page.getByRole("heading", { name: "Your secrets are locked" }).waitFor();
      await shoot("locked");
    });
    await core.stop();
    const file = join(home, "vault.json");
    const half = (await readFile(file, "utf8")).slice(0, 200);
    for (const name of await readdir(home)) if (name.startsWith("vault.json.")) await rm(join(home, name));
    await writeFile(file, half);
    core = await ServedCore.start(home);
    await inEveryWindow(core, async (page, shoot) => {
      await page.getByRole("heading", { name: "The stored secrets cannot be opened" }).waitFor();
      await shoot("vault-closed");
    });
  } finally {
    await core.stop();
    await rm(home, { recursive: true, force: true });
  }
}
