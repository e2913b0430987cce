import { useEffect, useRef, useState } from "react";
import { useTranslation } from "react-i18next";
import { useNavigate } from "react-router";
import { type BoundKey, pressed } from "../../../contract/keys/key-plan.ts";
import { pressedChords } from "../../../contract/keys/key-press.ts";
import {
  approvalsPath,
  debugPath,
  discoverPath,
  homePath,
  settingsPath,
  toolsPath,
} from "../../base/routes.ts";
import { panels } from "../../store/panels.ts";
import { doKeyCommand, useKeyActions } from "./key-actions.ts";
import { isMac, useKeyLabel } from "./key-words.ts";
import { pressShortcut } from "./press-shortcut.ts";
import { isRecording } from "./recording.ts";
import { ShortcutNote } from "./shortcut-note.tsx";
import { useKeyPlan } from "./use-key-plan.ts";

/** How long a key that begins a longer one waits for the rest, in milliseconds. */
const WAITS_MS = 3_000;

/** Hears every press before the page does, and shows what a longer key has so far. */
export function KeyListener({ agentId }: { agentId: string }) {
  const { t } = useTranslation();
  const navigate = useNavigate();
  const label = useKeyLabel();
  const plan = useKeyPlan(agentId);
  const [begun, setBegun] = useState("");
  const latest = useRef({ plan, begun, agentId });
  latest.current = { plan, begun, agentId };

  const go = (path: string) => () => void navigate(path);
  useKeyActions({
    togglePanel: () => panels.toggleConversation(),
    goPlugins: go(homePath(agentId)),
    goDiscover: go(discoverPath(agentId)),
    goTools: go(toolsPath(agentId)),
    goDebug: go(debugPath(agentId)),
    goApprovals: go(approvalsPath(agentId)),
    goSettings: go(settingsPath(agentId)),
  });

  useEffect(() => {
    const hear = (event: KeyboardEvent) => {
      if (isRecording() || event.isComposing || event.defaultPrevented) return;
      const chords = pressedChords(event, isMac);
      // Esc always closes and stops; here it ends a longer key as well.
      if (chords.length === 0) return;
      if (chords[0] === "esc") return setBegun("");
      const { plan, begun } = latest.current;
      const place = placeOf(event.target);
      if (place === null) return;
      const what = pressed(plan, chords, begun, place);
      if (begun !== "") setBegun("");
      switch (what.kind) {
        case "free":
          return;
        case "begun":
          event.preventDefault();
          event.stopPropagation();
          return setBegun(what.keys);
        case "bound": {
          const done = what.bound.some((one) => does(one, event));
          if (!done) return;
          event.preventDefault();
          event.stopPropagation();
        }
      }
    };
    const does = ({ keys, target }: BoundKey, event: KeyboardEvent): boolean => {
      switch (target.kind) {
        case "command":
          return (!isDialogOpen() || target.command === "palette") && doKeyCommand(target.command);
        case "shortcut":
          if (isDialogOpen()) return false;
          // A key that is held down calls once.
          if (!event.repeat) void pressShortcut(latest.current.agentId, target, keys);
          return true;
        case "nothing":
          return false;
      }
    };
    window.addEventListener("keydown", hear, { capture: true });
    return () => window.removeEventListener("keydown", hear, { capture: true });
  }, []);

  useEffect(() => {
    if (begun === "") return;
    const timer = setTimeout(() => setBegun(""), WAITS_MS);
    return () => clearTimeout(timer);
  }, [begun]);

  return (
    <div
      role="status"
      className="pointer-events-none fixed bottom-4 left-1/2 z-40 grid -translate-x-1/2 justify-items-center gap-2"
    >
      <ShortcutNote />
      {begun !== "" && (
        <p className="rounded-md border border-line bg-raised px-3 py-1.5 text-sm shadow-high">
          {t("keys.begun", { keys: label(begun) })}
        </p>
      )}
    </div>
  );
}

/** Where the person presses; null: in a list that has these keys for itself. */
function placeOf(target: EventTarget | null) {
  if (!(target instanceof HTMLElement)) return { inComposer: false, inText: false };
  if (target.dataset.composer === "choosing") return null;
  const inComposer = target.dataset.composer !== undefined;
  const isField =
    target instanceof HTMLInputElement && !/^(?:checkbox|radio|button|submit|range|color)$/.test(target.type);
  const isControl = target.matches(
    "textarea, select, button, a[href], summary, [role=option], [role=tab], [role=menuitem]",
  );
  return { inComposer, inText: inComposer || isField || isControl || target.isContentEditable };
}

function isDialogOpen(): boolean {
  return (
    document.querySelector("[role=dialog][data-state=open], [role=alertdialog][data-state=open]") !== null
  );
}
