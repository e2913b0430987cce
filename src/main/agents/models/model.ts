import type { StreamFn } from "@earendil-works/pi-agent-core";
import type { Api, AssistantMessage, Model } from "@earendil-works/pi-ai";
import type { Agent, Problem } from "../../../contract/index.ts";

/** A model ready to be asked, with its key resolved. Lives for one turn. */
export interface ReadyModel {
  model: Model<Api>;
  stream: StreamFn;
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
      return model.model;
    case "anthropic":
    case "openai-compatible":
      return model.via === undefined ? model.model : `${model.via}/${model.model}`;
  }
}
