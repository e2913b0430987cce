import { constants } from "node:fs";
import { extname } from "node:path";
import { PatchbayError } from "../../../../contract/index.ts";
import { insideWorkspace, openInside } from "../../../platform/workspace.ts";
import { type BuiltinTool, builtinInfo, textOutput } from "./builtin.ts";
import { asSentence } from "./files.ts";

/** Most bytes of one file, and of all files of one answer together. */
export const MOST_SENT = 25 * 1024 * 1024;

/** Offered in chats only: the owner at the desk can open the workspace. */
export const sendFileTool: BuiltinTool = {
  info: builtinInfo(
    "send_file",
    "Sends a file of the workspace to the chat, as it is now, together with your answer.",
    true,
    {
      path: { type: "string", minLength: 1, description: "Path inside the workspace." },
      name: { type: "string", minLength: 1, maxLength: 100, description: "Name that people see." },
    },
    ["path"],
  ),
  dangerous: false,
  inChatsOnly: true,
  async execute(input, { keepForChat, ...place }) {
    if (!keepForChat)
      throw new PatchbayError("TOOL_FAILED", "There is no chat that a file could be sent to.");
    const path = await insideWorkspace(place, String(input.path));
    const file = await openInside(path, constants.O_RDONLY).catch(asSentence(input.path));
    try {
      const info = await file.stat();
      if (!info.isFile()) throw new PatchbayError("TOOL_FAILED", `${input.path} is not a file.`);
      if (info.size === 0) throw new PatchbayError("TOOL_FAILED", `${input.path} is empty.`);
      if (info.size > MOST_SENT)
        throw new PatchbayError("TOOL_FAILED", `${input.path} is larger than 25 MiB.`);
      const name = typeof input.name === "string" ? input.name : (path.parts.at(-1) ?? "");
      const kept = await keepForChat({
        name,
        mimeType: typeOf(path.parts.at(-1) ?? ""),
        bytes: await file.readFile(),
      });
      return textOutput(`${kept.name} goes out with your answer.`, { kept });
    } finally {
      await file.close();
    }
  },
};

function typeOf(path: string): string {
  return types[extname(path).toLowerCase()] ?? "application/octet-stream";
}

const types: Readonly<Record<string, string>> = {
  ".csv": "text/csv",
  ".docx": "application/vnd.openxmlformats-officedocument.wordprocessingml.document",
  ".gif": "image/gif",
  ".html": "text/html",
  ".jpeg": "image/jpeg",
  ".jpg": "image/jpeg",
  ".json": "application/json",
  ".md": "text/markdown",
  ".mp3": "audio/mpeg",
  ".mp4": "video/mp4",
  ".ogg": "audio/ogg",
  ".pdf": "application/pdf",
  ".png": "image/png",
  ".pptx": "application/vnd.openxmlformats-officedocument.presentationml.presentation",
  ".svg": "image/svg+xml",
  ".txt": "text/plain",
  ".wav": "audio/wav",
  ".webp": "image/webp",
  ".xlsx": "application/vnd.openxmlformats-officedocument.spreadsheetml.sheet",
  ".zip": "application/zip",
};
