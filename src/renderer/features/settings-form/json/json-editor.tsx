import { defaultKeymap, history, historyKeymap } from "@codemirror/commands";
import { json } from "@codemirror/lang-json";
import { bracketMatching, HighlightStyle, indentOnInput, syntaxHighlighting } from "@codemirror/language";
import { lintGutter, lintKeymap, setDiagnostics } from "@codemirror/lint";
import { EditorView, highlightActiveLine, keymap, lineNumbers } from "@codemirror/view";
import { tags } from "@lezer/highlight";
import { type RefObject, useEffect, useRef } from "react";
import type { JsonError } from "./json-errors.ts";

export interface JsonEditorHandle {
  goTo(place: number): void;
}

interface JsonEditorProps {
  text: string;
  errors: JsonError[];
  label: string;
  describedBy: string;
  handle: RefObject<JsonEditorHandle | null>;
  onChange(text: string): void;
}

/** A text editor for JSON. Tab leaves it, as it leaves every other control. */
export function JsonEditor({ text, errors, label, describedBy, handle, onChange }: JsonEditorProps) {
  const place = useRef<HTMLDivElement>(null);
  const editor = useRef<EditorView | null>(null);
  const change = useRef(onChange);
  const first = useRef(text);
  change.current = onChange;

  useEffect(() => {
    if (!place.current) return;
    const view = new EditorView({
      parent: place.current,
      doc: first.current,
      extensions: [
        EditorView.cspNonce.of(globalThis.__webpack_nonce__ ?? ""),
        lineNumbers(),
        lintGutter(),
        history(),
        indentOnInput(),
        bracketMatching(),
        highlightActiveLine(),
        EditorView.lineWrapping,
        keymap.of([...defaultKeymap, ...historyKeymap, ...lintKeymap]),
        json(),
        syntaxHighlighting(colours),
        look,
        EditorView.contentAttributes.of({ "aria-label": label, "aria-describedby": describedBy }),
        EditorView.updateListener.of((update) => {
          if (update.docChanged) change.current(update.state.doc.toString());
        }),
      ],
    });
    editor.current = view;
    handle.current = {
      goTo(anchor) {
        view.dispatch({ selection: { anchor }, scrollIntoView: true });
        view.focus();
      },
    };
    return () => {
      editor.current = null;
      handle.current = null;
      view.destroy();
    };
  }, [label, describedBy, handle]);

  useEffect(() => {
    const view = editor.current;
    if (!view || view.state.doc.toString() === text) return;
    view.dispatch({ changes: { from: 0, to: view.state.doc.length, insert: text } });
  }, [text]);

  useEffect(() => {
    const view = editor.current;
    if (!view) return;
    const length = view.state.doc.length;
    const marks = errors.map(({ from, to, message }) => ({
      from: Math.min(from, length),
      to: Math.min(to, length),
      severity: "error" as const,
      message,
    }));
    view.dispatch(setDiagnostics(view.state, marks));
  }, [errors]);

  return <div ref={place} className="overflow-hidden rounded-md border border-line-strong" />;
}

const colours = HighlightStyle.define([
  { tag: tags.propertyName, color: "var(--native-text)" },
  { tag: tags.string, color: "var(--fledge-text)" },
  { tag: [tags.number, tags.bool, tags.null], color: "var(--flowly-text)" },
  { tag: [tags.punctuation, tags.separator, tags.bracket], color: "var(--mute)" },
]);

const look = EditorView.theme({
  "&": { backgroundColor: "var(--surface)", color: "var(--ink)", fontSize: "13px" },
  "&.cm-focused": { outline: "2px solid var(--focus)", outlineOffset: "-2px" },
  ".cm-scroller": { fontFamily: "var(--font-mono, monospace)", lineHeight: "20px" },
  ".cm-content": { minHeight: "160px", padding: "8px 0", caretColor: "var(--ink)" },
  ".cm-gutters": { backgroundColor: "var(--sunk)", color: "var(--mute)", border: "none" },
  ".cm-activeLine": { backgroundColor: "transparent" },
  "&.cm-focused .cm-activeLine": { backgroundColor: "var(--sunk)" },
  ".cm-tooltip": { backgroundColor: "var(--raised)", color: "var(--ink)", border: "1px solid var(--line)" },
});
