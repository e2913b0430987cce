import { readdir } from "node:fs/promises";
import { join } from "node:path";
import type { Fields } from "../text/fields.ts";
import { isRecord, Fields as Read } from "../text/fields.ts";
import { type AskedThere, type ListedServer, listedIn } from "./listed.ts";
import { type ClientFile, type Elsewhere, settingsFolder, usualFile } from "./place.ts";

const MOST_PROFILES = 50;

/** VS Code and its Insiders build with their profiles, the file of the project, and Copilot's command line. */
export async function vscode(at: Elsewhere): Promise<ClientFile[]> {
  const files = ["Code", "Code - Insiders"].map((name) => join(settingsFolder(at), name, "User"));
  const profiles = await Promise.all(
    files.map(async (folder) => {
      const names = await readdir(join(folder, "profiles")).catch(() => []);
      return names.slice(0, MOST_PROFILES).map((name) => join(folder, "profiles", name));
    }),
  );
  return [
    ...[...files, ...profiles.flat()].map((folder) => own(join(folder, "mcp.json"), "user")),
    own(join(at.cwd, ".vscode", "mcp.json"), "project"),
    usualFile("copilot", join(at.home, ".copilot", "mcp-config.json")),
  ];
}

function own(file: string, place: ClientFile["place"]): ClientFile {
  return { client: "vscode", file, format: "json", place, read: vscodeServers };
}

/** `servers` with the `inputs` that they refer to. */
export function vscodeServers(fields: Fields): ListedServer[] {
  const asks = asksOf(fields.raw("inputs"));
  return listedIn(fields.at("servers"), { asks });
}

/** What its `inputs` ask for, by their ids. */
export function asksOf(inputs: unknown): Map<string, AskedThere> {
  const asks = new Map<string, AskedThere>();
  for (const one of Array.isArray(inputs) ? inputs : []) {
    if (!isRecord(one)) continue;
    const input = new Read(one);
    const id = input.text("id");
    if (id === undefined) continue;
    const [description, given] = [input.text("description"), input.text("default")];
    const choices = (Array.isArray(one.options) ? one.options : []).flatMap((option) =>
      typeof option === "string" ? [option] : (new Read(option).text("value") ?? []),
    );
    asks.set(id, {
      secret: input.flag("password") === true,
      ...(description && { description }),
      ...(given && { default: given }),
      ...(choices.length > 0 && { choices }),
      ...(input.text("type") === "command" && { command: input.text("command") ?? id }),
    });
  }
  return asks;
}
