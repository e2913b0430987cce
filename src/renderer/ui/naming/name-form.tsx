import { Check } from "lucide-react";
import { type SyntheticEvent, useState } from "react";
import { useTranslation } from "react-i18next";
import { useAction } from "../action.ts";
import { IconButton } from "../controls/button.tsx";
import { takeFocus } from "../controls/take-focus.ts";
import { ProblemNote } from "../problem-note.tsx";

interface NameFormProps {
  label: string;
  /** As it stands; empty: there is none. */
  name: string;
  /** An empty name is one, too: it takes the present one away. */
  mayBeEmpty?: boolean;
  /** Resolves to something other than undefined when it is saved. Called for a name that has changed. */
  save(name: string): Promise<unknown>;
  onClose(): void;
  className?: string;
}

/** A name in place of the line that shows it: Enter saves it, Escape leaves it. */
export function NameForm({ label, name, mayBeEmpty = false, save, onClose, className }: NameFormProps) {
  const { t } = useTranslation();
  const [typed, setTyped] = useState(name);
  const saving = useAction(save);
  const submit = async (event: SyntheticEvent) => {
    event.preventDefault();
    const wanted = typed.trim();
    if (wanted === name || (wanted === "" && !mayBeEmpty)) return onClose();
    if (await saving.act(wanted)) onClose();
  };
  return (
    <form onSubmit={submit} className={className}>
      <div className="flex max-w-sm items-center gap-1">
        <input
          ref={takeFocus}
          className="field h-8 text-sm"
          aria-label={label}
          maxLength={200}
          value={typed}
          onChange={(event) => setTyped(event.target.value)}
          onFocus={(event) => event.target.select()}
          onKeyDown={(event) => {
            if (event.key !== "Escape") return;
            event.stopPropagation();
            onClose();
          }}
        />
        <IconButton type="submit" label={t("conversations.saveName")} disabled={saving.busy}>
          <Check className="size-4" aria-hidden="true" />
        </IconButton>
      </div>
      {saving.problem && <ProblemNote className="mt-2" problem={saving.problem} />}
    </form>
  );
}
