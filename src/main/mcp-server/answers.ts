import {
  type CallToolResult,
  type GetPromptResult,
  ProtocolError,
  ProtocolErrorCode,
  type ReadResourceResult,
} from "@modelcontextprotocol/server";
import { z } from "zod";
import { type ContentPart, type ErrorCode, isObject, problemFromWire } from "../../contract/index.ts";

/** What the pipeline answers. */
export interface Answer {
  content: readonly ContentPart[];
  details?: unknown;
}

/** How the end of a call is told to the client. `failed` throws where the protocol has an error for it. */
export interface Telling<T> {
  done(answer: Answer): T;
  failed(error: unknown): T;
}

export const ofTools: Telling<CallToolResult> = {
  done: ({ content, details }) => ({
    content: content.map(plain),
    // What it says beside its text is structured content, where that is an object.
    ...(isObject(details) && { structuredContent: details }),
  }),
  /** For the model to read, with what to do about it. */
  failed: (error) => ({ isError: true, content: [{ type: "text", text: sentenceOf(error).text }] }),
};

/** A part without what only Patchbay's own screens need. */
function plain(part: ContentPart): ContentPart {
  return part.type === "text" ? { type: "text", text: part.text } : { ...part };
}

const rolesSchema = z.object({ roles: z.array(z.enum(["user", "assistant"])) });
const contentsSchema = z.object({
  contents: z.array(
    z.object({
      uri: z.string(),
      mimeType: z.string().optional(),
      mark: z.string().optional(),
      base64: z.string().optional(),
    }),
  ),
});

export const ofPrompts: Telling<GetPromptResult> = {
  done: ({ content, details }) => {
    const { roles = [] } = rolesSchema.safeParse(details).data ?? {};
    // A guard that took parts away leaves nothing to tell whose the others are.
    const isWhole = roles.length === content.length;
    return {
      messages: content.map((part, at) => ({
        role: (isWhole && roles[at]) || "user",
        content: plain(part),
      })),
    };
  },
  failed,
};

/** @param addressOf the address of a resource of the plugin, for the client */
export function ofResources(asked: string, addressOf: (uri: string) => string): Telling<ReadResourceResult> {
  return {
    done: ({ content, details }) => {
      const { contents = [] } = contentsSchema.safeParse(details).data ?? {};
      const isWhole = contents.length === content.length;
      return {
        contents: content.map((part, at) => {
          const about = isWhole ? contents[at] : undefined;
          const uri = about ? addressOf(about.uri) : asked;
          const type = about?.mimeType !== undefined && { mimeType: about.mimeType };
          if (part.type === "image") return { uri, mimeType: part.mimeType, blob: part.data };
          // What a guard put in the place of a file goes out instead of it.
          if (about?.base64 !== undefined && part.text === about.mark)
            return { uri, ...type, blob: about.base64 };
          return { uri, ...type, text: part.text };
        }),
      };
    },
    failed,
  };
}

function failed(error: unknown): never {
  const { code, text } = sentenceOf(error);
  const isTheirs = wrongAsked.has(code);
  throw new ProtocolError(isTheirs ? ProtocolErrorCode.InvalidParams : ProtocolErrorCode.InternalError, text);
}

const wrongAsked: ReadonlySet<ErrorCode> = new Set(["BAD_INPUT", "NOT_FOUND", "PROMPT_INCOMPLETE"]);

function sentenceOf(error: unknown): { code: ErrorCode; text: string } {
  const { code, message, help } = isLost(error) ? lost : problemFromWire(error);
  return { code, text: help ? `${message} ${help}` : message };
}

const lost = {
  code: "ABORTED",
  message: "Patchbay was closed while the call ran, so whether it was done is not known.",
  help: "Look before it is called again.",
} as const;

/** What `fetch` throws when the running Patchbay is gone. */
function isLost(error: unknown): boolean {
  return error instanceof TypeError && ["fetch failed", "terminated"].includes(error.message);
}
