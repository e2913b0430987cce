import type { PluginSaid, SessionEntry, ThinkingLevel } from "../../../contract/index.ts";

/** How much the model is to think, by the last that a plugin asked for in the conversation; null: nothing was asked. */
export function thinkingAfter(path: readonly SessionEntry[]): ThinkingLevel | null {
  for (let index = path.length - 1; index >= 0; index -= 1) {
    const said = saidAt(path[index]);
    if (said?.kind === "thinkingLevel") return said.level;
  }
  return null;
}

/** The model that a plugin asked for, for the next run of a conversation. */
export interface AskedModel {
  model: string;
  owner: string;
}

/**
 * The model that plugins asked for since the last run began; null when they asked for none.
 *
 * @param turnId of the run that begins
 * @param resumes it goes on with a turn that was cut short, whose message stands there already
 */
export function modelFor(path: readonly SessionEntry[], turnId: string, resumes: boolean): AskedModel | null {
  let asked: AskedModel | null = null;
  for (const entry of path) {
    const isOwn = entry.type === "user" && entry.turnId === turnId;
    if (isOwn && !resumes) break;
    if ((entry.type === "user" && !entry.aside) || (entry.type === "steer" && entry.newRun)) asked = null;
    const said = saidAt(entry);
    if (entry.type === "plugin" && said?.kind === "nextModel")
      asked = { model: said.model, owner: entry.owner };
  }
  return asked;
}

function saidAt(entry: SessionEntry | undefined): PluginSaid | undefined {
  return entry?.type === "plugin" ? entry.said : undefined;
}
