import type {
  Api,
  AssistantMessage,
  AssistantMessageEventStream,
  Model,
  SimpleStreamOptions,
  TranscriptContext,
} from "@earendil-works/pi-ai";
import type { Agent, ModelThinking, Problem } from "../../../contract/index.ts";
import type { Heard } from "./asked-again.ts";

/** `reasoning`: how much it is to think; absent: what its provider does by itself. */
export type AskOptions = Omit<SimpleStreamOptions, "reasoning"> & { reasoning?: ModelThinking };

/** A model ready to be asked, with its key resolved. Lives for one turn. */
export interface ReadyModel {
  model: Model<Api>;
  /** Asks it once; with `heard` again where that may help, and says so there. */
  stream(
    model: Model<Api>,
    context: TranscriptContext,
    options?: AskOptions,
    heard?: Heard,
  ): AssistantMessageEventStream | Promise<AssistantMessageEventStream>;
  /** Why the last call failed, in the person's words. */
  problemOf(message: AssistantMessage): Problem;
  /** A real model can write a summary; a script cannot. */
  canSummarise: boolean;
}

/** How a model is named to plugins; empty when there is none. */
export function modelName(model: Agent["model"]): string {
  return model.kind === "none" ? "" : modelLabel(model);
}

/** How a model is named on the screen. */
export function modelLabel(model: Agent["model"]): string {
  switch (model.kind) {
    case "none":
      return "No model";
    case "scripted":
      return model.file.split(/[\\/]/).at(-1) ?? model.file;
    case "openai":
    case "provider":
      return model.model;
    case "anthropic":
    case "openai-compatible":
      return model.via === undefined ? model.model : `${model.via}/${model.model}`;
  }
}
