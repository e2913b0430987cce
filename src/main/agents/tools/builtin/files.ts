import { constants, type Dirent } from "node:fs";
import { readdir, realpath } from "node:fs/promises";
import { join } from "node:path";
import { PatchbayError } from "../../../../contract/index.ts";
import { type InsidePath, insideWorkspace, openInside, pathOf } from "../../../platform/workspace.ts";
import { type BuiltinTool, builtinInfo, textOutput } from "./builtin.ts";
import { ofSkill } from "./skill-files.ts";

/** Bytes that one call reads or writes at most. */
const READ_LIMIT = 256 * 1024;
const WRITE_LIMIT = 4 * 1024 * 1024;
/** Entries of one listing. */
const LIST_LIMIT = 1_000;

const pathProperty = { type: "string", minLength: 1, description: "Path inside the workspace." };

export const readFileTool: BuiltinTool = {
  info: builtinInfo(
    "read_file",
    "Reads a text file of the workspace, or of a skill. Long files are cut; read on with offset.",
    true,
    {
      path: { ...pathProperty, description: "Path inside the workspace, or that of a skill." },
      offset: { type: "integer", minimum: 0, description: "Byte to start at." },
      limit: { type: "integer", minimum: 1, maximum: READ_LIMIT, description: "Bytes to read at most." },
    },
    ["path"],
  ),
  dangerous: false,
  async execute(input, place) {
    const given = String(input.path);
    const path = (await ofSkill(place.skills(), given)) ?? (await insideWorkspace(place, given));
    const offset = typeof input.offset === "number" ? input.offset : 0;
    const limit = typeof input.limit === "number" ? input.limit : READ_LIMIT;
    const file = await openInside(path, constants.O_RDONLY).catch(asSentence(input.path));
    try {
      const info = await file.stat();
      if (!info.isFile()) throw new PatchbayError("TOOL_FAILED", `${input.path} is not a file.`);
      const buffer = Buffer.alloc(Math.min(limit, Math.max(0, info.size - offset)));
      const { bytesRead } = await file.read(buffer, 0, buffer.length, offset);
      const bytes = buffer.subarray(0, bytesRead);
      if (bytes.includes(0)) throw new PatchbayError("TOOL_FAILED", `${input.path} is not a text file.`);
      const rest = info.size - offset - bytesRead;
      const more = rest > 0 ? `\n[${rest} more bytes; go on with offset ${offset + bytesRead}]` : "";
      return textOutput(bytes.toString("utf8") + more, { size: info.size, offset, bytes: bytesRead });
    } finally {
      await file.close();
    }
  },
};

export const listFilesTool: BuiltinTool = {
  info: builtinInfo(
    "list_files",
    "Lists a folder of the workspace; folders end with a slash.",
    true,
    {
      path: { ...pathProperty, description: "Folder inside the workspace; default: the workspace." },
      recursive: { type: "boolean" },
    },
    [],
  ),
  dangerous: false,
  async execute(input, { signal, ...place }) {
    const top = await insideWorkspace(place, typeof input.path === "string" ? input.path : ".");
    const own = await realpath(place.root).catch(() => null);
    const names: string[] = [];
    const folders: string[][] = [[]];
    for (let folder = folders.shift(); folder && names.length < LIST_LIMIT; folder = folders.shift()) {
      signal.throwIfAborted();
      const at = { ...top, parts: [...top.parts, ...folder] };
      if (folder.length > 0 && join(at.top, ...at.parts) === own) continue;
      const entries = await entriesOf(at).catch(asSentence(input.path ?? "."));
      for (const entry of entries.sort((left, right) => (left.name < right.name ? -1 : 1))) {
        names.push([...folder, entry.name].join("/") + (entry.isDirectory() ? "/" : ""));
        if (entry.isDirectory() && input.recursive === true) folders.push([...folder, entry.name]);
      }
    }
    const shown = names.slice(0, LIST_LIMIT);
    const cut = names.length > LIST_LIMIT || folders.length > 0 ? `\n[cut after ${LIST_LIMIT} entries]` : "";
    return textOutput((shown.join("\n") || "[empty]") + cut, { entries: shown.length });
  },
};

export const writeFileTool: BuiltinTool = {
  info: builtinInfo(
    "write_file",
    "Writes a text file of the workspace, replacing what was there; missing folders are made.",
    false,
    { path: pathProperty, content: { type: "string" } },
    ["path", "content"],
  ),
  dangerous: true,
  async execute(input, place) {
    const path = await insideWorkspace(place, String(input.path));
    const content = Buffer.from(String(input.content), "utf8");
    if (content.length > WRITE_LIMIT) {
      throw new PatchbayError("TOOL_FAILED", `The content is larger than ${WRITE_LIMIT / 1024 / 1024} MB.`);
    }
    const { O_WRONLY, O_CREAT, O_EXCL } = constants;
    const make = { make: true };
    const made = await openInside(path, O_WRONLY | O_CREAT | O_EXCL, make).catch(
      (error: NodeJS.ErrnoException) => (error.code === "EEXIST" ? null : asSentence(input.path)(error)),
    );
    const file = made ?? (await openInside(path, O_WRONLY).catch(asSentence(input.path)));
    try {
      if (!(await file.stat()).isFile())
        throw new PatchbayError("TOOL_FAILED", `${input.path} is not a file.`);
      await file.truncate(0);
      await file.writeFile(content);
      const { size } = await file.stat();
      return textOutput(`Wrote ${size} bytes to ${input.path}.`, { bytes: size, created: made !== null });
    } finally {
      await file.close();
    }
  },
};

async function entriesOf(path: InsidePath): Promise<Dirent[]> {
  const folder = await openInside(path, constants.O_RDONLY | (constants.O_DIRECTORY ?? 0));
  try {
    return await readdir(pathOf(folder, path), { withFileTypes: true });
  } finally {
    await folder.close();
  }
}

/** What the system says about a path, as the model reads it. */
export function asSentence(path: unknown): (error: NodeJS.ErrnoException) => never {
  return (error) => {
    switch (error.code) {
      case "ENOENT":
        throw new PatchbayError("TOOL_FAILED", `${path} is not there.`);
      case "EACCES":
      case "EPERM":
        throw new PatchbayError("TOOL_FAILED", `${path} may not be opened.`);
      case "ENXIO":
      case "EISDIR":
        throw new PatchbayError("TOOL_FAILED", `${path} is not a file.`);
      case "ELOOP":
        throw new PatchbayError("TOOL_FAILED", `${path} is a link that leads out of the workspace.`);
      case "ENOTDIR":
        throw new PatchbayError("TOOL_FAILED", `${path} is not of the right kind.`);
      case "ENOSPC":
        throw new PatchbayError("DISK_FULL", `There is no room on the disk for ${path}.`);
      default:
        throw error;
    }
  };
}
