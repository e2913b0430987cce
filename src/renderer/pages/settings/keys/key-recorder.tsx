import { useEffect, useState } from "react";
import { useTranslation } from "react-i18next";
import { readChord } from "../../../../contract/keys/chord.ts";
import type { KeyPlan } from "../../../../contract/keys/key-plan.ts";
import { recordedChord } from "../../../../contract/keys/key-press.ts";
import { isTyped, reservedWhy } from "../../../../contract/keys/reserved.ts";
import { isMac, KeyCap, setRecording, useKeyLabel, useTargetWords } from "../../../features/keys/public.ts";
import { Button } from "../../../ui/controls/button.tsx";
import { takeFocus } from "../../../ui/controls/take-focus.ts";
import { doneBy } from "./key-rows.ts";

interface KeyRecorderProps {
  /** What the key is for, in words. */
  what: string;
  /** It works in the field for messages, where a key may also be one that writes. */
  inComposer: boolean;
  plan: KeyPlan;
  /** Its own keys are no others. */
  present: readonly string[];
  busy: boolean;
  onChoose(keys: string): void;
  onCancel(): void;
}

function focusButton(around: HTMLElement | null): void {
  if (around) takeFocus(around.querySelector("button"));
}

/** Waits for the press by which a person chooses a key, and says what that key does until now. */
export function KeyRecorder({ what, inComposer, plan, present, busy, onChoose, onCancel }: KeyRecorderProps) {
  const { t } = useTranslation();
  const label = useKeyLabel();
  const words = useTargetWords();
  const [keys, setKeys] = useState<string | null>(null);
  const [refused, setRefused] = useState<string | null>(null);
  const waits = keys === null;

  useEffect(() => {
    if (!waits) return;
    setRecording(true);
    const hear = (event: KeyboardEvent) => {
      if (event.repeat) return;
      const pressed = recordedChord(event, isMac);
      const chord = pressed === null ? null : readChord(pressed, true);
      if (pressed === null || chord === null) return;
      // Who wants to get on with Tab gets on.
      if (chord.key === "tab" && !chord.ctrl && !chord.alt && !chord.cmd) return onCancel();
      event.preventDefault();
      event.stopPropagation();
      if (pressed === "esc") return onCancel();
      const why = reservedWhy(chord);
      setRefused(why && t(`keys.refused.${why}`, { keys: label(pressed) }));
      if (why === null) setKeys(pressed);
    };
    window.addEventListener("keydown", hear, { capture: true });
    return () => {
      setRecording(false);
      window.removeEventListener("keydown", hear, { capture: true });
    };
  });

  const other = keys !== null && !present.includes(keys) ? doneBy(plan, keys) : undefined;
  const chord = keys === null ? null : readChord(keys, true);
  return (
    <fieldset
      aria-label={t("keys.press", { what })}
      className="mt-2 rounded-md border border-line bg-sunk px-3 py-2.5"
    >
      <div role="status" className="text-sm">
        {keys === null ? (
          <p>
            <span className="font-medium">{t("keys.press", { what })}</span>{" "}
            <span className="text-mute">{t("keys.pressHint")}</span>
          </p>
        ) : (
          <p className="flex flex-wrap items-center gap-2">
            <KeyCap keys={keys} />
            {other && <span className="text-warn">{t("keys.until", { what: words(other.target) })}</span>}
            {chord && isTyped(chord) && !inComposer && <span className="text-mute">{t("keys.typed")}</span>}
          </p>
        )}
        {refused && <p className="mt-1 text-warn">{refused}</p>}
      </div>
      <div className="mt-2 flex justify-end gap-2">
        <Button size="sm" onClick={onCancel}>
          {t("common.cancel")}
        </Button>
        {keys !== null && (
          <>
            <Button size="sm" onClick={() => setKeys(null)}>
              {t("keys.again")}
            </Button>
            <span ref={focusButton}>
              <Button size="sm" look="accent" ahead busy={busy} onClick={() => onChoose(keys)}>
                {t("keys.use")}
              </Button>
            </span>
          </>
        )}
      </div>
    </fieldset>
  );
}
