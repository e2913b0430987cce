import { Check } from "lucide-react";
import { type SyntheticEvent, useState } from "react";
import { useTranslation } from "react-i18next";
import { rpc } from "../../base/client/rpc.ts";
import { useAction } from "../../ui/action.ts";
import { IconButton } from "../../ui/controls/button.tsx";
import { takeFocus } from "../../ui/controls/take-focus.ts";
import { ProblemNote } from "../../ui/problem-note.tsx";

interface NameFormProps {
  agentId: string;
  sessionId: string;
  entryId: string;
  label: string | null;
  onClose(): void;
}

/** Gives a place of the tree a name; an empty one takes it away. */
export function NameForm({ agentId, sessionId, entryId, label, onClose }: NameFormProps) {
  const { t } = useTranslation();
  const [name, setName] = useState(label ?? "");
  const saving = useAction((wanted: string) =>
    rpc.sessions.label({ agentId, sessionId, entryId, label: wanted === "" ? null : wanted }),
  );
  const submit = async (event: SyntheticEvent) => {
    event.preventDefault();
    const wanted = name.trim();
    if (wanted === (label ?? "")) return onClose();
    if (await saving.act(wanted)) onClose();
  };
  return (
    <form onSubmit={submit} className="py-1 pl-9">
      <div className="flex max-w-sm items-center gap-1">
        <input
          ref={takeFocus}
          className="field h-8 text-sm"
          aria-label={t("debug.nameOf")}
          maxLength={200}
          value={name}
          onChange={(event) => setName(event.target.value)}
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
