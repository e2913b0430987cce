import { useRef, useState } from "react";
import type { ModelList } from "../../../contract/models/listed.ts";
import { problemOf } from "../../base/client/problem.ts";
import { rpc } from "../../base/client/rpc.ts";
import type { ShownProblem } from "../../base/i18n/problem-words.ts";
import { configOf, type ModelDraft, placeOf } from "./model-draft.ts";

/** What was heard from a provider: its list, or why there is none. */
export type Heard = Extract<ModelList, { ok: true }> | { ok: false; problem: ShownProblem; baseUrl: string };

export interface ModelCheck {
  /** What was heard for the draft as it is now; null: it was not asked yet. */
  heard: Heard | null;
  asking: boolean;
  /** Asks, unless that was done for this very draft, or something that is needed for it is missing. */
  ask(draft: ModelDraft): void;
  /**
   * Whether a draft may be saved: a key that was typed is tried first. False: it was refused just now, which is shown; the
   * person may save it all the same by saying so once more.
   */
  passes(draft: ModelDraft): Promise<boolean>;
}

/**
 * Asks providers for their models, each time for what the form holds, and keeps the answers while the form is open.
 * @param onFound the draft with the address that answered, when that is longer than the one that was typed
 */
export function useModelList(
  agentId: string | undefined,
  draft: ModelDraft,
  onFound: (draft: ModelDraft) => void,
): ModelCheck {
  const [lists, setLists] = useState<ReadonlyMap<string, Heard | "asking">>(new Map());
  const current = useRef({ draft, lists });
  current.current = { draft, lists };
  const known = lists.get(nameOf(draft));
  const remember = (name: string, heard: Heard | "asking") => {
    current.current.lists = new Map(current.current.lists).set(name, heard);
    setLists(current.current.lists);
  };

  const hear = async (asked: ModelDraft): Promise<Heard | null> => {
    const place = placeOf(asked);
    if (!place) return null;
    const name = nameOf(asked);
    const before = current.current.lists.get(name);
    if (before === "asking") return null;
    // A key that was refused stays so; a server that was not there may have come up.
    if (before?.ok || before?.problem.code === "MODEL_KEY_REFUSED") return before;
    remember(name, "asking");
    const heard = await rpc.models
      .list({ ...(agentId !== undefined && { agentId }), place, ...(asked.key && { key: asked.key }) })
      .catch((error: unknown): Heard => ({ ok: false, problem: problemOf(error), baseUrl: "" }));
    remember(name, heard);
    const { draft: now } = current.current;
    const typed = place.kind === "openai-compatible" && place.via === undefined ? place.baseUrl : null;
    if (typed !== null && heard.baseUrl !== "" && heard.baseUrl !== now.baseUrl && nameOf(now) === name) {
      const found = { ...now, baseUrl: heard.baseUrl };
      remember(nameOf(found), heard);
      onFound(found);
    }
    return heard;
  };

  return {
    heard: known === undefined || known === "asking" ? null : known,
    asking: known === "asking",
    ask: (asked) => void hear(asked),
    passes: async (asked) => {
      if (asked.key === "") return true;
      const name = nameOf(asked);
      const before = current.current.lists.get(name);
      // What went wrong is shown already, and the person wants it all the same.
      if (before !== undefined && before !== "asking" && !before.ok) return true;
      const heard = await hear(asked);
      if (!heard?.ok || heard.keySeen || agentId === undefined) return heard === null || heard.ok;
      // The list says nothing of the key: one short question does.
      const { baseUrl } = heard;
      remember(name, "asking");
      const tried = await rpc.models
        .test({ agentId, model: configOf(asked), key: asked.key })
        .catch((error: unknown) => ({ ok: false as const, problem: problemOf(error) }));
      remember(name, tried.ok ? { ...heard, keySeen: true } : { ok: false, problem: tried.problem, baseUrl });
      return tried.ok;
    },
  };
}

function nameOf(draft: ModelDraft): string {
  return JSON.stringify([placeOf(draft), draft.key]);
}
