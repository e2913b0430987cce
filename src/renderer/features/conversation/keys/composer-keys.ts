import { type RefObject, useRef } from "react";
import { useKeyActions } from "../../keys/public.ts";
import { type CaretMove, killedTo, moved } from "./caret.ts";

/** What was taken away with a key and can be put back, the last first; the same for all fields. */
const killed: string[] = [];
const MOST_KILLED = 20;

interface ComposerKeys {
  field: RefObject<HTMLTextAreaElement | null>;
  /** What the person wrote in this conversation, the oldest first. */
  written: readonly string[];
  edit(text: string): void;
  send(): void;
}

/** What keys do in the field for messages. */
export function useComposerKeys({ field, written, edit, send }: ComposerKeys): void {
  /** Where the person is in what they wrote, and what they were writing before. */
  const past = useRef<{ back: number; draft: string; shown: string } | null>(null);
  /** What the last key put back, while nothing was done since. */
  const put = useRef<{ from: number; to: number; which: number; text: string } | null>(null);

  const inField = (work: (input: HTMLTextAreaElement) => void) => () => {
    const input = field.current;
    if (!input || document.activeElement !== input) return false;
    work(input);
    return true;
  };
  const move = (where: CaretMove) =>
    inField((input) => {
      const to = moved({ text: input.value, at: caretOf(input) }, where);
      input.setSelectionRange(to, to);
    });
  const take = (where: CaretMove, keep: boolean) =>
    inField((input) => {
      const isSelected = input.selectionStart !== input.selectionEnd;
      const from = isSelected ? input.selectionStart : caretOf(input);
      const to = isSelected ? input.selectionEnd : killedTo({ text: input.value, at: from }, where);
      if (from === to) return;
      if (keep) {
        killed.unshift(input.value.slice(Math.min(from, to), Math.max(from, to)));
        killed.splice(MOST_KILLED);
      }
      input.setSelectionRange(Math.min(from, to), Math.max(from, to));
      document.execCommand("delete");
    });
  const putBack = (which: number, from: number, to: number, input: HTMLTextAreaElement) => {
    const text = killed[which];
    if (text === undefined) return;
    input.setSelectionRange(from, to);
    document.execCommand("insertText", false, text);
    put.current = { from, to: from + text.length, which, text: input.value };
  };
  const leaf = (step: 1 | -1) =>
    inField((input) => {
      const known = past.current?.shown === input.value ? past.current : null;
      const { back, draft } = known ?? { back: 0, draft: input.value };
      const next = Math.min(written.length, Math.max(0, back + step));
      if (next === back) return;
      const shown = next === 0 ? draft : (written.at(-next) ?? "");
      past.current = { back: next, draft, shown };
      edit(shown);
    });

  useKeyActions({
    send: inField(send),
    newLine: inField(() => void document.execCommand("insertText", false, "\n")),
    historyPrevious: leaf(1),
    historyNext: leaf(-1),
    left: move("left"),
    right: move("right"),
    wordLeft: move("wordLeft"),
    wordRight: move("wordRight"),
    lineStart: move("lineStart"),
    lineEnd: move("lineEnd"),
    lineUp: move("lineUp"),
    lineDown: move("lineDown"),
    deleteBack: take("left", false),
    deleteForward: take("right", false),
    deleteWordBack: take("wordLeft", false),
    deleteWordForward: take("wordRight", false),
    killToLineEnd: take("lineEnd", true),
    killToLineStart: take("lineStart", true),
    killWordBack: take("wordLeft", true),
    yank: inField((input) => putBack(0, input.selectionStart, input.selectionEnd, input)),
    yankPop: inField((input) => {
      const last = put.current;
      if (last === null || last.text !== input.value || caretOf(input) !== last.to) return;
      putBack((last.which + 1) % killed.length, last.from, last.to, input);
    }),
    undo: inField(() => void document.execCommand("undo")),
  });
}

function caretOf(input: HTMLTextAreaElement): number {
  return input.selectionDirection === "backward" ? input.selectionStart : input.selectionEnd;
}
