import { Plus, X } from "lucide-react";
import { type SyntheticEvent, useId, useState } from "react";
import { useTranslation } from "react-i18next";
import { Button } from "../../../ui/controls/button.tsx";
import { FieldError } from "../../../ui/controls/field.tsx";

interface NameListProps {
  title: string;
  names: readonly string[];
  /** The label of the field that adds one, and an example in it. */
  add: string;
  example: string;
  /** What is shown while the list is empty. */
  empty?: string;
  /** The text in the form that is kept; null when it cannot stand in the list. */
  accept(text: string): string | null;
  wrong?: string;
  onChange(names: string[]): void;
}

/** Names that can be added and removed. */
export function NameList(props: NameListProps) {
  const { title, names, add, example, empty, accept, wrong, onChange } = props;
  const { t } = useTranslation();
  const id = useId();
  const [typed, setTyped] = useState("");
  const [refused, setRefused] = useState(false);
  const submit = (event: SyntheticEvent) => {
    event.preventDefault();
    const name = accept(typed);
    if (name === null) return setRefused(true);
    onChange([...new Set([...names, name])]);
    setTyped("");
  };
  return (
    <section aria-label={title}>
      <h3 className="mb-1.5 text-xs font-medium text-mute">{title}</h3>
      {names.length === 0 && empty && <p className="mb-1.5 text-sm text-hint">{empty}</p>}
      {names.length > 0 && (
        <ul className="mb-2 flex flex-wrap gap-1.5">
          {names.map((name) => (
            <li
              key={name}
              className="inline-flex max-w-full items-center gap-1 rounded-md border border-line bg-sunk pl-2"
            >
              <bdi className="figure min-w-0 truncate" title={name}>
                {name}
              </bdi>
              <button
                type="button"
                aria-label={t("permissions.remove", { name })}
                onClick={() => onChange(names.filter((each) => each !== name))}
                className="grid size-7 shrink-0 place-items-center rounded-md text-mute hover:text-bad"
              >
                <X className="size-3.5" aria-hidden="true" />
              </button>
            </li>
          ))}
        </ul>
      )}
      <form onSubmit={submit} className="flex max-w-md gap-2">
        <input
          className="field h-8 min-w-0 flex-1"
          aria-label={add}
          aria-invalid={refused || undefined}
          aria-describedby={refused ? id : undefined}
          placeholder={example}
          autoComplete="off"
          autoCapitalize="off"
          spellCheck={false}
          value={typed}
          onChange={(event) => {
            setTyped(event.target.value);
            setRefused(false);
          }}
        />
        <Button
          type="submit"
          icon={<Plus className="size-4" aria-hidden="true" />}
          disabled={typed.trim() === ""}
        >
          {t("permissions.add")}
        </Button>
      </form>
      {refused && wrong && <FieldError id={id}>{wrong}</FieldError>}
    </section>
  );
}
