import type { AssistantMessage, AssistantMessageEventStream, Message } from "@earendil-works/pi-ai";
import type { Caller, PauseEdit } from "../../../contract/index.ts";
import { type PauseDesk, pauseAt } from "../pause/desk.ts";
import type { Span } from "../record/recorder.ts";
import { fromNeutral, plainAssistant, textOf, toNeutral } from "./transcript.ts";

/** A model call that is about to be made. */
interface NextCall {
  agentId: string;
  sessionId: string;
  caller: Caller;
  /** As it is named to plugins. */
  model: string;
  messages: Message[];
  span: Span;
  signal: AbortSignal;
}

/**
 * Stops before the model is asked, after all hooks, if somebody wants that. The result is what it is sent, or what the
 * person said in its place.
 * @throws PatchbayError ABORTED when the person stopped the turn
 */
export async function pauseBeforeModel(
  desk: PauseDesk,
  { messages, model, ...call }: NextCall,
): Promise<Message[] | { given: string }> {
  const subject: PauseEdit & { where: "model" } = {
    where: "model",
    system: systemOf(messages),
    messages: toNeutral(messages),
  };
  const went = await pauseAt(desk, {
    ...call,
    where: "model",
    title: model,
    tool: null,
    plugin: null,
    hook: null,
    canEdit: true,
    canSkip: true,
    facts: () => {
      const { system, messages: told } = subject;
      return { model, system, messages: told, text: told.at(-1)?.text ?? "", caller: call.caller };
    },
    subject: () => subject,
    check: () => {},
  });
  if (!went) return messages;
  if (went.action === "skip") return { given: went.given };
  return went.edit?.where === "model" ? edited(messages, went.edit) : messages;
}

/** What is said in the model's place, as if a provider had said it. `at`: milliseconds since 1970. */
export async function givenAnswer(text: string, at: number): Promise<AssistantMessageEventStream> {
  const { createAssistantMessageEventStream } = await import("@earendil-works/pi-ai");
  const message: AssistantMessage = { ...plainAssistant(text, []), timestamp: at };
  const stream = createAssistantMessageEventStream();
  stream.push({ type: "start", partial: message });
  stream.push({ type: "done", reason: "stop", message });
  stream.end(message);
  return stream;
}

/** The text of the first system message; those after it tell of tools that came and went. */
function systemOf(messages: readonly Message[]): string {
  const system = messages.find(({ role }) => role === "system");
  return system ? textOf(system) : "";
}

function edited(messages: readonly Message[], edit: PauseEdit & { where: "model" }): Message[] {
  const told = fromNeutral(edit.messages, messages);
  if (edit.system === systemOf(messages)) return told;
  const first = told.findIndex(({ role }) => role === "system");
  return told.map((one, index) =>
    index === first && one.role === "system" ? { ...one, content: edit.system } : one,
  );
}
