import type { RefObject } from "react";
import type { Session } from "../../../../contract/turn.ts";
import { rpc } from "../../../base/client/rpc.ts";
import { chooseSession } from "../../../store/chosen-session.ts";
import { useMirror } from "../../../store/mirror.ts";
import { useKeyActions } from "../../keys/public.ts";

interface ViewKeys {
  agentId: string;
  sessionId: string | null;
  running: boolean;
  startNew(): Promise<void>;
  stop(): Promise<void>;
}

/** What keys do with the conversation that is shown. */
export function useViewKeys({ agentId, sessionId, running, startNew, stop }: ViewKeys): void {
  const go = (step: 1 | -1) => () => {
    const all = [...useMirror.getState().sessions.values()].filter((one) => one.agentId === agentId);
    const next = besides(all, sessionId, step);
    if (next === undefined) return false;
    chooseSession(agentId, next);
    return true;
  };
  useKeyActions({
    newConversation: () => void startNew(),
    nextConversation: go(1),
    previousConversation: go(-1),
    closeConversation: () => {
      if (sessionId === null) return false;
      void rpc.sessions.close({ agentId, sessionId }).then(startNew, () => {});
      return true;
    },
    stop: () => {
      if (!running) return false;
      void stop();
      return true;
    },
  });
}

/** The conversation after (1) or before (-1) the open one, in the order in which they were begun, round and round. */
function besides(all: readonly Session[], openId: string | null, step: 1 | -1): string | undefined {
  const sorted = all.toSorted((a, b) => a.createdAt.localeCompare(b.createdAt) || a.id.localeCompare(b.id));
  const at = sorted.findIndex(({ id }) => id === openId);
  if (sorted.length < 2 && at !== -1) return undefined;
  return sorted.at(at === -1 ? 0 : (at + step) % sorted.length)?.id;
}

/** What keys do with the list of what was said. @param toTop goes to the first of it, which may not be drawn yet */
export function useTranscriptKeys(scroller: RefObject<HTMLElement | null>, toTop: () => void): void {
  const scroll = (to: (box: HTMLElement) => number) => () => {
    const box = scroller.current;
    if (!box) return false;
    box.scrollTop = to(box);
    return true;
  };
  useKeyActions({
    pageUp: scroll((box) => box.scrollTop - box.clientHeight * 0.9),
    pageDown: scroll((box) => box.scrollTop + box.clientHeight * 0.9),
    toTop,
    toBottom: scroll((box) => box.scrollHeight),
    expand: () => {
      const folded = [...(scroller.current?.querySelectorAll<HTMLElement>("summary, [aria-expanded]") ?? [])];
      const closed = folded.filter(isClosed);
      // Opens what is folded, or folds everything when nothing is.
      for (const one of closed.length > 0 ? closed : folded) one.click();
      return folded.length > 0;
    },
  });
}

function isClosed(control: HTMLElement): boolean {
  const parent = control.parentElement;
  if (control.tagName === "SUMMARY") return parent instanceof HTMLDetailsElement && !parent.open;
  return control.getAttribute("aria-expanded") === "false";
}
