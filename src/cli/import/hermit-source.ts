import { readdir, readFile, stat } from "node:fs/promises";
import { homedir } from "node:os";
import { join } from "node:path";
import { PatchbayError } from "../../contract/index.ts";
import { isObject } from "../../contract/is-object.ts";
import type { CliContext } from "../context.ts";
import { run } from "./global-packages.ts";

/** Where the list of packages was read, and its names, each once. */
export interface HermitPackages {
  /** A file, `hermit`, or `--packages`. */
  from: string;
  names: string[];
}

const MOST_BYTES = 4 * 1024 * 1024;
const MOST_NAMES = 200;
/** npm's own rule for names, without a version or an address. */
const bareName = /^(?:@[a-z0-9~][\w.~-]*\/)?[a-z0-9~][\w.~-]*$/i;

/** @throws PatchbayError SOURCE_MISSING, BAD_INPUT with a sentence about what is wrong where */
export async function readHermitPackages(
  context: CliContext,
  given: { packages?: string[] | undefined; from?: string | undefined },
): Promise<HermitPackages> {
  if (given.packages) return { from: "--packages", names: namesIn(given.packages, "--packages") };
  if (given.from !== undefined) return fromPlace(given.from);
  return fromCommand(context);
}

async function fromPlace(place: string): Promise<HermitPackages> {
  const found = await stat(place).catch(() => null);
  if (!found) throw new PatchbayError("SOURCE_MISSING", `There is nothing at ${place}.`, { help: whereItIs });
  if (!found.isDirectory()) return { from: place, names: listIn(await readJson(place), place) };
  for (const file of [...(await jsonIn(place)), ...(await jsonIn(join(place, "gateway")))]) {
    const value = await readJson(file).catch(() => null);
    if (isObject(value) && value.channelPackages !== undefined)
      return { from: file, names: listIn(value, file) };
  }
  throw new PatchbayError("SOURCE_MISSING", `No file in ${place} has channelPackages.`, { help: whereItIs });
}

/**
 * The files of a folder that may be a gateway's configuration; none where there is no folder. A gateway that has taken its
 * file over renames it; one that has not is the newer truth.
 */
async function jsonIn(folder: string): Promise<string[]> {
  const names = await readdir(folder).catch(() => []);
  const files = names.filter((name) => /\.json(?:\.imported)?$/.test(name)).sort();
  const isNew = (name: string) => name.endsWith(".json");
  return [...files.filter(isNew), ...files.filter((name) => !isNew(name))].map((name) => join(folder, name));
}

async function fromCommand(context: CliContext): Promise<HermitPackages> {
  const printed = await run(context, "hermit", ["gateway", "config", "get", "channelPackages"]);
  if (printed.kind === "missing") {
    const home = hermitHome(context);
    if (await stat(home).catch(() => null)) return fromPlace(home);
    throw new PatchbayError("SOURCE_MISSING", "There is no hermit command here to ask for the packages.", {
      help: whereItIs,
    });
  }
  if (printed.kind === "failed") {
    throw new PatchbayError("SOURCE_MISSING", `hermit does not tell its packages: ${printed.why}`, {
      help: whereItIs,
    });
  }
  const text = printed.text.trim();
  if (text === "" || text === "undefined" || text === "null") return { from: "hermit", names: [] };
  let value: unknown;
  try {
    // Other lines may stand before and after the value.
    value = JSON.parse(/\[[\s\S]*\]/.exec(text)?.[0] ?? text);
  } catch (error) {
    throw new PatchbayError("BAD_INPUT", "What hermit prints as channelPackages is no JSON.", {
      help: whereItIs,
      cause: error,
    });
  }
  return { from: "hermit", names: listIn(value, "What hermit prints") };
}

/** Where OpenHermit keeps what is its own, as its own commands find it. */
export function hermitHome({ env }: Pick<CliContext, "env">): string {
  return env.OPENHERMIT_HOME || join(env.HOME ?? env.USERPROFILE ?? homedir(), ".openhermit");
}

/** Reads a JSON file. @throws PatchbayError SOURCE_MISSING, BAD_INPUT */
export async function readJson(file: string): Promise<unknown> {
  let text: string;
  try {
    if ((await stat(file)).size > MOST_BYTES) throw new PatchbayError("BAD_INPUT", `${file} is too large.`);
    text = await readFile(file, "utf8");
  } catch (error) {
    if (error instanceof PatchbayError) throw error;
    throw new PatchbayError("SOURCE_MISSING", `${file} cannot be read.`, { help: whereItIs, cause: error });
  }
  try {
    return JSON.parse(text.replace(/^\uFEFF/, ""));
  } catch (error) {
    throw new PatchbayError("BAD_INPUT", `${file} is not valid JSON.`, { help: whereItIs, cause: error });
  }
}

function listIn(value: unknown, where: string): string[] {
  const list = isObject(value) ? value.channelPackages : value;
  if (list === undefined)
    throw new PatchbayError("BAD_INPUT", `${where} has no channelPackages.`, { help: whereItIs });
  return namesIn(list, where);
}

function namesIn(list: unknown, where: string): string[] {
  if (!Array.isArray(list) || !list.every((name): name is string => typeof name === "string")) {
    throw new PatchbayError("BAD_INPUT", `The channelPackages of ${where} are no list of names.`);
  }
  if (list.length > MOST_NAMES)
    throw new PatchbayError("BAD_INPUT", `The channelPackages of ${where} are more than ${MOST_NAMES}.`);
  const names = list.map((name) => name.trim()).filter((name) => name !== "");
  const wrong = names.find((name) => !bareName.test(name) || name.length > 214);
  if (wrong !== undefined) {
    throw new PatchbayError(
      "BAD_INPUT",
      `“${wrong.slice(0, 100)}” in ${where} is not the name of an npm package.`,
      {
        help: "OpenHermit lists bare names, as @openhermit/channel-lark. Install anything else with `patchbay plugin install`.",
      },
    );
  }
  return [...new Set(names)];
}

const whereItIs =
  "Name the gateway's configuration with --from, or the packages with --packages. On the machine of the gateway, `hermit gateway config get channelPackages` prints them.";
