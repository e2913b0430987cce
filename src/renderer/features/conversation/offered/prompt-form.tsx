import { type SyntheticEvent, useId, useState } from "react";
import { useTranslation } from "react-i18next";
import type { CommandInfo } from "../../../../contract/agent-plugin.ts";
import { argumentsIn, promptLine } from "../../../../contract/conversation/prompt-line.ts";
import { useDisplayName } from "../../../model/rows.ts";
import { Button } from "../../../ui/controls/button.tsx";
import { Dialog } from "../../../ui/dialog.tsx";
import { SuggestField } from "./suggest-field.tsx";

interface PromptFormProps {
  agentId: string;
  command: CommandInfo;
  /** What is typed behind the command already. */
  typed: string;
  /** Takes the whole line of the command. */
  onSend(line: string): void;
  onClose(): void;
}

/** What a prompt wants to know, a field for each of its arguments. */
export function PromptForm({ agentId, command, typed, onSend, onClose }: PromptFormProps) {
  const { t } = useTranslation();
  const id = useId();
  const owner = useDisplayName(command.owner);
  const { name, arguments: asked } = command.prompt ?? { name: "", arguments: [] };
  const [values, setValues] = useState<Readonly<Record<string, string>>>(
    () => argumentsIn(typed, asked).args,
  );
  const [isTried, setTried] = useState(false);
  const textOf = (field: string) => (Object.hasOwn(values, field) ? (values[field] ?? "") : "");
  const missing = asked.filter((one) => one.required && textOf(one.name).trim() === "");
  const first = asked.find((one) => textOf(one.name) === "")?.name;
  const [focused] = useState(first);

  const send = (event: SyntheticEvent) => {
    event.preventDefault();
    // The form lies in the composer's tree, whose own form it is not.
    event.stopPropagation();
    setTried(true);
    if (missing.length > 0) return;
    const given = asked.flatMap((one): [string, string][] =>
      textOf(one.name) === "" ? [] : [[one.name, textOf(one.name)]],
    );
    onSend(promptLine(command.name, new Map(given)));
  };

  return (
    <Dialog
      open
      onClose={onClose}
      title={`/${command.name}`}
      description={command.description}
      footer={
        <>
          <p className="mr-auto text-xs text-mute">
            {t("attachable.from", { plugin: owner ?? command.owner })}
          </p>
          <Button look="quiet" onClick={onClose}>
            {t("common.cancel")}
          </Button>
          <Button type="submit" look="accent" form={id}>
            {t("conversation.send")}
          </Button>
        </>
      }
    >
      <form id={id} onSubmit={send} noValidate className="grid gap-4">
        {asked.map((one) => (
          <SuggestField
            key={one.name}
            agentId={agentId}
            label={one.title ?? one.name}
            help={one.description || undefined}
            error={isTried && missing.includes(one) ? t("attachable.required") : undefined}
            optional={!one.required}
            value={textOf(one.name)}
            onChange={(value) => setValues({ ...values, [one.name]: value })}
            focused={one.name === focused}
            of={{
              owner: command.owner ?? "",
              of: { prompt: name },
              field: one.name,
              others: withoutEmpty(values, one.name),
            }}
          />
        ))}
      </form>
    </Dialog>
  );
}

/** What the other fields say. */
export function withoutEmpty(
  values: Readonly<Record<string, string>>,
  except: string,
): Record<string, string> {
  return Object.fromEntries(
    Object.entries(values).filter(([name, value]) => name !== except && value !== ""),
  );
}
