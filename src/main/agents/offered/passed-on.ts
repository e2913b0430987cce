import { isPicture, PatchbayError, type ToolInfo } from "../../../contract/index.ts";
import type {
  CallOf,
  CallScope,
  PromptInfo,
  PromptOutput,
  ResourceContent,
  ResourceOutput,
  ToolOutput,
} from "../../runtimes/plugin-call.ts";
import type { AgentPool, LiveContributions } from "../ports.ts";

/** Most characters of base64 of a file that is passed on; pictures have the limit of all tools. */
const MOST_OF_FILE = 8_000_000;

/**
 * What plugins offer to people, as calls of the tool pipeline: so the rules, guards, approvals and records of tools hold when
 * other programs fetch it. The colon keeps the names apart from those of tools, and from what models may call.
 */
export function passedOn({ prompts = [], resources = [] }: Pick<LiveContributions, "prompts" | "resources">) {
  const withPrompts = new Set(prompts.map(({ owner }) => owner));
  return [
    ...[...withPrompts].map((owner) => infoOf(owner, "prompts", promptInput)),
    ...resources.map((owner) => infoOf(owner, "resources", resourceInput)),
  ];
}

const promptInput = {
  type: "object",
  properties: {
    prompt: { type: "string", minLength: 1, description: "The prompt, as its plugin calls it." },
    arguments: { type: "object", additionalProperties: { type: "string" }, default: {} },
  },
  required: ["prompt"],
  additionalProperties: false,
};
const resourceInput = {
  type: "object",
  properties: { uri: { type: "string", minLength: 1, description: "The address." } },
  required: ["uri"],
  additionalProperties: false,
};

function infoOf(
  owner: string,
  passes: NonNullable<ToolInfo["passes"]>,
  parameters: ToolInfo["parameters"],
): ToolInfo & { owner: string } {
  const description =
    passes === "prompts"
      ? `Fills in a prompt of ${owner} for another program.`
      : `Reads a resource of ${owner} for another program.`;
  return {
    name: `${passes}:${owner}`,
    title: `${owner}.${passes}`,
    description,
    parameters,
    readOnly: true,
    owner,
    passes,
  };
}

/**
 * Asks the plugin. The answer is that of a tool, which hooks and limits can look at; its `details` say of each part what it is:
 * the roles of a prompt's messages, or the addresses and types of what was read.
 *
 * @throws PatchbayError NOT_FOUND for a prompt that is held or not there, PROMPT_INCOMPLETE, PAYLOAD_TOO_LARGE, and what the call
 * fails with
 */
export async function callPassed(
  { agentId, owner, passes }: { agentId: string; owner: string; passes: NonNullable<ToolInfo["passes"]> },
  input: Record<string, unknown>,
  pool: Pick<AgentPool, "live" | "call">,
  scope: CallScope,
): Promise<ToolOutput> {
  if (passes === "resources")
    return readOutput(await pool.call(agentId, owner, { kind: "resource", uri: String(input.uri) }, scope));
  const prompt = promptCall(
    (pool.live(agentId).prompts ?? []).filter((one) => one.owner === owner),
    input,
  );
  return promptOutput(await pool.call(agentId, owner, prompt, scope));
}

function promptCall(prompts: readonly PromptInfo[], input: Record<string, unknown>): CallOf<"prompt"> {
  const name = String(input.prompt);
  const prompt = prompts.find((one) => one.name === name);
  if (!prompt) throw new PatchbayError("NOT_FOUND", `There is no prompt named ${name}.`);
  const args = (input.arguments ?? {}) as Record<string, string>;
  const missing = prompt.arguments.filter(({ name: of, required }) => required && !args[of]?.trim());
  if (missing.length === 0) return { kind: "prompt", name, args };
  const names = missing.map(({ name: of }) => of).join(", ");
  throw new PatchbayError("PROMPT_INCOMPLETE", `${name} lacks ${names}.`, {
    help: "Give it a value for each.",
    details: { command: name, missing: names },
  });
}

function promptOutput({ messages }: PromptOutput): ToolOutput {
  const parts = messages.flatMap(({ role, content }) => content.map((part) => ({ role, part })));
  return { content: parts.map(({ part }) => part), details: { roles: parts.map(({ role }) => role) } };
}

function readOutput({ contents }: ResourceOutput): ToolOutput {
  return { content: contents.map(partOf), details: { contents: contents.map(aboutOf) } };
}

function partOf(content: ResourceContent): ToolOutput["content"][number] {
  if ("text" in content) return { type: "text", text: content.text };
  const { base64, mimeType = "" } = content;
  if (isPicture({ mimeType })) return { type: "image", data: base64, mimeType };
  return { type: "text", text: fileMark(content) };
}

function aboutOf(content: ResourceContent) {
  const { uri, mimeType } = content;
  const about = { uri, ...(mimeType !== undefined && { mimeType }) };
  if ("text" in content || isPicture({ mimeType: mimeType ?? "" })) return about;
  if (content.base64.length > MOST_OF_FILE)
    throw new PatchbayError("PAYLOAD_TOO_LARGE", `${uri} is too large to be passed on.`);
  return { ...about, mark: fileMark(content), base64: content.base64 };
}

/** What stands for a file in the content. As long as hooks leave it, the file goes out. */
function fileMark({ base64, mimeType }: { base64: string; mimeType?: string | undefined }): string {
  return `[${mimeType ?? "a file"}, ${Buffer.byteLength(base64, "base64")} bytes]`;
}
