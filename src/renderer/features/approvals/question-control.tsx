import { useId } from "react";
import type { DialogAnswer, DialogQuestion } from "../../../contract/dialogs/dialog.ts";

interface QuestionControlProps {
  question: Exclude<DialogQuestion, { kind: "form" | "link" }>;
  value: DialogAnswer;
  onChange(value: DialogAnswer): void;
}

/** The control that fits the kind of a question; a yes-or-no question needs none. */
export function QuestionControl({ question, value, onChange }: QuestionControlProps) {
  const name = useId();
  switch (question.kind) {
    case "confirm":
      return null;
    case "text":
      return (
        <input
          className="field"
          aria-label={question.message}
          type={question.secret ? "password" : "text"}
          autoComplete="off"
          placeholder={question.placeholder}
          value={typeof value === "string" ? value : ""}
          onChange={(event) => onChange(event.target.value)}
        />
      );
    case "select":
      return (
        <fieldset className="space-y-1">
          <legend className="sr-only">{question.message}</legend>
          {question.options.map((option) => (
            <label
              key={option.value}
              className="flex items-center gap-2.5 rounded-md px-2 py-1 text-sm hover:bg-sunk"
            >
              <input
                type="radio"
                name={name}
                className="size-4 accent-[var(--accent)]"
                checked={value === option.value}
                onChange={() => onChange(option.value)}
              />
              {option.label}
            </label>
          ))}
        </fieldset>
      );
    case "multi_select": {
      const chosen = Array.isArray(value) ? value : [];
      return (
        <fieldset className="space-y-1">
          <legend className="sr-only">{question.message}</legend>
          {question.options.map((option) => (
            <label
              key={option.value}
              className="flex items-center gap-2.5 rounded-md px-2 py-1 text-sm hover:bg-sunk"
            >
              <input
                type="checkbox"
                className="size-4 accent-[var(--accent)]"
                checked={chosen.includes(option.value)}
                onChange={(event) =>
                  onChange(
                    event.target.checked
                      ? [...chosen, option.value]
                      : chosen.filter((other) => other !== option.value),
                  )
                }
              />
              {option.label}
            </label>
          ))}
        </fieldset>
      );
    }
  }
}
