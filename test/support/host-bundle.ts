import { existsSync } from "node:fs";
import { join, resolve } from "node:path";

/** The folder of the built plugin host and of the SDK that it gives to plugins: what the app itself starts. */
export function hostBundle(): string {
  const built = resolve(import.meta.dirname, "../../out/main");
  if (!existsSync(join(built, "host.js"))) throw new Error("There is no build: run `npm run build` first.");
  return built;
}

export function fixturePlugin(name: string): string {
  return resolve(import.meta.dirname, "../fixtures/plugins", name);
}
