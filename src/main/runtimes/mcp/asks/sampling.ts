import { type Client, ProtocolError } from "@modelcontextprotocol/client";
import { z } from "zod";
import { PatchbayError } from "../../../../contract/index.ts";
import type { ModelRequest } from "../../plugin-call.ts";
import type { StartRequest } from "../../runtime.ts";
import type { AskingCall } from "./asking-call.ts";

/** What the protocol says when the person does not agree. */
const REJECTED = -1;
const BAD_PARAMS = -32_602;
const FAILED = -32_603;

const partSchema = z.discriminatedUnion("type", [
  z.looseObject({ type: z.literal("text"), text: z.string() }),
  z.looseObject({ type: z.literal("image"), data: z.string(), mimeType: z.string() }),
]);
/** Which model it would like, and what of other conversations it wants to be told, are not read. */
const paramsSchema = z.looseObject({
  messages: z.array(
    z.looseObject({
      role: z.enum(["user", "assistant"]),
      content: z.union([partSchema, z.array(partSchema)]),
    }),
  ),
  systemPrompt: z.string().default(""),
  maxTokens: z.number(),
});

/** An answer to `sampling/createMessage`, as the protocol has it. */
type Sampled = {
  role: "assistant";
  content: { type: "text"; text: string };
  model: string;
  stopReason: "endTurn" | "maxTokens";
};

/** Puts requests of a server to the agent's model, where the person lets it. */
export class Sampling {
  readonly #request: Pick<StartRequest, "plugin" | "services">;
  readonly #calls: ReadonlySet<AskingCall>;

  /** @param calls those that are under way */
  constructor(request: Pick<StartRequest, "plugin" | "services">, calls: ReadonlySet<AskingCall>) {
    this.#request = request;
    this.#calls = calls;
  }

  get isGranted(): boolean {
    return this.#request.services.askModel !== undefined;
  }

  /** Serves what a server of the older era asks by itself. Which call it belongs to is not said: the last one is taken. */
  serve(client: Client): void {
    if (!this.isGranted) return;
    client.setRequestHandler("sampling/createMessage", async ({ params }, { mcpReq }) => {
      try {
        const sampled = await this.#ask(params, [...this.#calls].at(-1), mcpReq.signal);
        if (sampled) return sampled;
      } catch (error) {
        if (!(error instanceof PatchbayError)) throw error;
        throw new ProtocolError(error.code === "BAD_INPUT" ? BAD_PARAMS : FAILED, error.message);
      }
      throw new ProtocolError(REJECTED, "User rejected sampling request");
    });
  }

  /**
   * Answers what a server of the newer era wants before it goes on. It cannot be told a no: its call ends with that.
   * @throws PatchbayError TOOL_FAILED
   */
  async answer(params: unknown, call: AskingCall): Promise<Sampled> {
    const { displayName } = this.#request.plugin;
    let sampled: Sampled | null;
    try {
      sampled = await this.#ask(params, call);
    } catch (error) {
      if (!(error instanceof PatchbayError) || error.code === "ABORTED") throw error;
      const text = `${displayName} wanted to ask the model, which did not work. ${error.message}`;
      throw new PatchbayError("TOOL_FAILED", text, { cause: error });
    }
    if (sampled) return sampled;
    throw new PatchbayError(
      "TOOL_FAILED",
      `${displayName} wanted to ask the model, and that was not allowed.`,
    );
  }

  async #ask(params: unknown, call: AskingCall | undefined, given?: AbortSignal): Promise<Sampled | null> {
    const { services } = this.#request;
    // Outside of calls nobody could say what it is for.
    if (!call || !services.askModel) return null;
    const gone = new AbortController();
    const unfollow = call.onOver(() => gone.abort());
    try {
      const signal = given ? AbortSignal.any([gone.signal, given]) : gone.signal;
      const reply = await services.askModel(readRequest(params), call.doing, call.scope, signal);
      if (!reply) return null;
      const { text, model, isCut } = reply;
      return {
        role: "assistant",
        content: { type: "text", text },
        model,
        stopReason: isCut ? "maxTokens" : "endTurn",
      };
    } catch (error) {
      if (error instanceof PatchbayError && error.code === "BAD_INPUT")
        services.refused("the model", error.message);
      throw error;
    } finally {
      unfollow();
    }
  }
}

/** @throws PatchbayError BAD_INPUT */
function readRequest(params: unknown): ModelRequest {
  const refused = (why: string) => new PatchbayError("BAD_INPUT", why);
  const read = paramsSchema.safeParse(params);
  if (!read.success) throw refused("It asked the model in a form that cannot be read.");
  const { messages, systemPrompt, maxTokens, tools, toolChoice } = read.data;
  if (tools !== undefined || toolChoice !== undefined)
    throw refused("It wanted the model to have tools, which Patchbay does not give.");
  return {
    system: systemPrompt,
    messages: messages.map(({ role, content }) => {
      const parts = Array.isArray(content) ? content : [content];
      return {
        role,
        text: parts.flatMap((part) => (part.type === "text" ? [part.text] : [])).join("\n"),
        pictures: parts.flatMap((part) =>
          part.type === "image" ? [{ data: part.data, mimeType: part.mimeType }] : [],
        ),
      };
    }),
    maxTokens,
  };
}
