import {
  type InputRequiredResult,
  ProtocolError,
  ProtocolErrorCode,
  ResourceNotFoundError,
  type Server,
  type ServerContext,
} from "@modelcontextprotocol/server";
import { mostSuggestions } from "../../contract/index.ts";
import { ofPrompts, ofResources, type Telling } from "./answers.ts";
import { insideUri, outsideUri, type PassedLists } from "./passed-lists.ts";

interface Way {
  /** Looks something up. @throws ProtocolError */
  look<T>(work: (lists: PassedLists) => Promise<T>): Promise<T>;
  /** Calls the pipeline, with all that the person is asked meanwhile. */
  call<T>(
    asked: { name: string; input: Record<string, unknown> },
    ctx: ServerContext,
    telling: Telling<T>,
  ): Promise<T | InputRequiredResult>;
}

/** Answers for prompts, resources and what could stand in their fields. */
export function servePassed(server: Server, { look, call }: Way): void {
  server.setRequestHandler("prompts/list", async () => ({ prompts: await look((lists) => lists.prompts()) }));
  server.setRequestHandler("prompts/get", async ({ params }, ctx) => {
    const found = await look((lists) => lists.promptNamed(params.name));
    if (!found)
      throw new ProtocolError(ProtocolErrorCode.InvalidParams, `There is no prompt named ${params.name}.`);
    const { owner, prompt } = found;
    const input = { prompt: prompt.name, arguments: { ...params.arguments } };
    return call({ name: `prompts:${owner}`, input }, ctx, ofPrompts);
  });
  server.setRequestHandler("resources/list", async ({ params }) => {
    const from = offsetOf(params?.cursor);
    const { resources, next } = await look((lists) => lists.resources(from));
    return { resources, ...(next !== undefined && { nextCursor: String(next) }) };
  });
  server.setRequestHandler("resources/templates/list", async () => ({
    resourceTemplates: await look((lists) => lists.templates()),
  }));
  server.setRequestHandler("resources/read", async ({ params: { uri } }, ctx) => {
    const inside = insideUri(uri);
    if (!inside || !(await look((lists) => lists.hasResources(inside.owner))))
      throw new ResourceNotFoundError(uri);
    const { owner } = inside;
    const telling = ofResources(uri, (own) => outsideUri(owner, own));
    return call({ name: `resources:${owner}`, input: { uri: inside.uri } }, ctx, telling);
  });
  server.setRequestHandler("completion/complete", async ({ params }) => {
    const values = await look((lists) => lists.values(params));
    return { completion: { values: values.slice(0, mostSuggestions) } };
  });
}

function offsetOf(cursor: string | undefined): number {
  if (cursor === undefined) return 0;
  if (/^\d{1,9}$/.test(cursor)) return Number(cursor);
  throw new ProtocolError(ProtocolErrorCode.InvalidParams, "That cursor is none of Patchbay's.");
}
