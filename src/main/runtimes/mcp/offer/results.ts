import { z } from "zod";
import { type ContentPart, isPicture, resourceLinkSchema } from "../../../../contract/index.ts";
import { cleanLine } from "../../../../contract/shown/clean-text.ts";
import type { PromptOutput, ToolOutput } from "../../plugin-call.ts";

/** Most characters of a text in a result; what is longer goes into a file of the workspace. */
const MOST_TEXT = 100_000;
/** How much of such a text stands in the result. */
const HEAD = 20_000;

const partSchema = z.looseObject({ type: z.string() });
const textSchema = z.object({ type: z.literal("text"), text: z.string() });
const dataSchema = z.object({ type: z.enum(["image", "audio"]), data: z.string(), mimeType: z.string() });
const linkSchema = z.object({
  type: z.literal("resource_link"),
  uri: z.string(),
  name: z.string().optional(),
  title: z.string().optional(),
});
const contentsSchema = z.object({
  uri: z.string(),
  mimeType: z.string().optional(),
  text: z.string().optional(),
  blob: z.string().optional(),
});
const resourceSchema = z.object({ type: z.literal("resource"), resource: contentsSchema });

export const resultSchema = z.looseObject({
  content: z.array(partSchema).catch([]),
  structuredContent: z.unknown().optional(),
  isError: z.boolean().optional().catch(undefined),
});

/** Writes what is no text or picture, or too long, where the agent finds it; resolves with its path. */
export type Keep = (content: string | Buffer, name: string) => Promise<string>;

/** A tool's result as the agent gets it. */
export async function toolOutputOf(
  { content, structuredContent }: z.infer<typeof resultSchema>,
  keep: Keep,
): Promise<ToolOutput> {
  const parts = await Promise.all(content.map((part) => partOf(part, keep)));
  const hasDetails = structuredContent !== undefined;
  if (parts.length === 0 && hasDetails)
    parts.push(await textPart(JSON.stringify(structuredContent, null, 2), "result.json", keep));
  return { content: parts, ...(hasDetails && { details: structuredContent }) };
}

/** The text of a result that says that the tool failed. */
export function failureText({ content }: z.infer<typeof resultSchema>): string {
  const texts = content.flatMap((part) => {
    const text = textSchema.safeParse(part);
    return text.success ? [text.data.text] : [];
  });
  return texts.join("\n").trim().slice(0, MOST_TEXT) || "It failed without a word.";
}

/** Any part of content as text or a picture. Unknown kinds are named. */
async function partOf(part: z.infer<typeof partSchema>, keep: Keep): Promise<ContentPart> {
  const text = textSchema.safeParse(part);
  if (text.success) return textPart(text.data.text, "result.txt", keep);
  const data = dataSchema.safeParse(part);
  if (data.success) {
    const { type, data: base64, mimeType } = data.data;
    if (isPicture({ mimeType })) return { type: "image", data: base64, mimeType };
    return filePart(
      Buffer.from(base64, "base64"),
      `${type === "image" ? "picture" : "sound"}.${endingOf(mimeType)}`,
      mimeType,
      keep,
    );
  }
  const link = linkSchema.safeParse(part);
  if (link.success) {
    const { uri, name, title } = link.data;
    const called = title ?? name ?? "A resource";
    const linked = resourceLinkSchema.safeParse({ uri, name: cleanLine(called).slice(0, 300) });
    return { type: "text", text: `${called}: ${uri}`, ...(linked.success && { link: linked.data }) };
  }
  const resource = resourceSchema.safeParse(part);
  if (resource.success) return contentsPart(resource.data.resource, keep);
  return {
    type: "text",
    text: `[content of the kind “${part.type.slice(0, 40)}”, which Patchbay does not know]`,
  };
}

/** What stands at an address. A picture that models take is shown; any other, drawings with code too, is a file. */
export async function contentsPart(
  { uri, mimeType = "application/octet-stream", text, blob }: z.infer<typeof contentsSchema>,
  keep: Keep,
): Promise<ContentPart> {
  if (text !== undefined) return textPart(text, nameOf(uri), keep);
  if (blob !== undefined && isPicture({ mimeType })) return { type: "image", data: blob, mimeType };
  if (blob !== undefined) return filePart(Buffer.from(blob, "base64"), nameOf(uri), mimeType, keep);
  return { type: "text", text: `${uri} is empty.` };
}

export async function textPart(text: string, name: string, keep: Keep): Promise<ContentPart> {
  if (text.length <= MOST_TEXT) return { type: "text", text };
  const path = await keep(text, name);
  return {
    type: "text",
    text: `${text.slice(0, HEAD)}\n\n[These are the first ${HEAD} of ${text.length} characters; all of them are in ${path}]`,
  };
}

async function filePart(content: Buffer, name: string, mimeType: string, keep: Keep): Promise<ContentPart> {
  const path = await keep(content, name);
  return { type: "text", text: `[${mimeType}, ${content.length} bytes, kept as ${path}]` };
}

function nameOf(uri: string): string {
  const last =
    uri
      .split(/[/\\?#]/)
      .filter(Boolean)
      .at(-1) ?? "";
  return /^[\w.-]{1,80}$/.test(last) && !last.startsWith(".") ? last : "resource";
}

function endingOf(mimeType: string): string {
  return /^[a-z]+\/([a-z0-9]{1,8})/.exec(mimeType)?.[1] ?? "bin";
}

const promptSchema = z.object({
  messages: z.array(z.object({ role: z.enum(["user", "assistant"]), content: partSchema })).max(1_000),
});

/** A filled-in prompt. @throws ZodError when it cannot be read */
export async function promptOutputOf(raw: unknown, keep: Keep): Promise<PromptOutput> {
  const { messages } = promptSchema.parse(raw);
  return {
    messages: await Promise.all(
      messages.map(async ({ role, content }) => {
        const resource = resourceSchema.safeParse(content);
        const from = resource.success ? resource.data.resource.uri : null;
        const part = await partOf(content, keep);
        if (from === null) return { role, content: [part] };
        // The person reads where it is from, and so does the agent.
        return { role, content: [{ type: "text" as const, text: `[From ${cleanLine(from)}]` }, part] };
      }),
    ),
  };
}
