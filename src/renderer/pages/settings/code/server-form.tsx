import { type ReactNode, type SyntheticEvent, useState } from "react";
import { useTranslation } from "react-i18next";
import { Button } from "../../../ui/controls/button.tsx";
import { Field } from "../../../ui/controls/field.tsx";
import { takeFocus } from "../../../ui/controls/take-focus.ts";
import {
  commandMistake,
  commandText,
  endsMistake,
  isSame,
  type OwnServer,
  readServer,
  type TypingMistake,
} from "./server-words.ts";

interface ServerFormProps {
  /** The one that is changed; absent: one is added. */
  server?: OwnServer;
  /** Those that are there already. */
  others: readonly OwnServer[];
  busy: boolean;
  /** @returns whether it was saved */
  onSave(server: OwnServer): Promise<boolean>;
  onCancel?(): void;
  icon?: ReactNode;
}

/** Command and ends of files of a language server. */
export function ServerForm({ server, others, busy, onSave, onCancel, icon }: ServerFormProps) {
  const { t } = useTranslation();
  const [command, setCommand] = useState(server ? commandText(server.command) : "");
  const [ends, setEnds] = useState(server ? server.files.join(" ") : "");
  const [tried, setTried] = useState(false);
  const read = readServer(command, ends);
  const isKnown = read !== null && others.some((other) => isSame(other, read));
  const words = (mistake: TypingMistake | null) =>
    tried && mistake ? t(`code.mistake.${mistake.why}`, { part: mistake.part }) : undefined;
  const submit = async (event: SyntheticEvent) => {
    event.preventDefault();
    setTried(true);
    if (!read || isKnown || !(await onSave(read)) || server) return;
    setCommand("");
    setEnds("");
    setTried(false);
  };
  return (
    <form onSubmit={submit} noValidate>
      <div className="grid gap-x-4 gap-y-3 @2xl:grid-cols-[minmax(0,3fr)_minmax(0,2fr)]">
        <Field
          label={t("code.command")}
          help={t("code.commandHelp")}
          error={words(commandMistake(command) ?? (isKnown ? { why: "known", part: "" } : null))}
        >
          {(props) => (
            <input
              {...props}
              ref={server ? takeFocus : undefined}
              className="field h-8 w-full font-mono text-sm"
              autoComplete="off"
              spellCheck={false}
              value={command}
              onChange={(event) => setCommand(event.target.value)}
            />
          )}
        </Field>
        <Field label={t("code.ends")} help={t("code.endsHelp")} error={words(endsMistake(ends))}>
          {(props) => (
            <input
              {...props}
              className="field h-8 w-full font-mono text-sm"
              autoComplete="off"
              spellCheck={false}
              value={ends}
              onChange={(event) => setEnds(event.target.value)}
            />
          )}
        </Field>
      </div>
      <div className="mt-3 flex gap-2">
        <Button type="submit" busy={busy} icon={icon}>
          {t(server ? "prefs.save" : "code.add")}
        </Button>
        {onCancel && <Button onClick={onCancel}>{t("code.cancel")}</Button>}
      </div>
    </form>
  );
}
