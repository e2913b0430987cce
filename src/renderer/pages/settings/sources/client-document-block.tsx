import { type SyntheticEvent, useState } from "react";
import { useTranslation } from "react-i18next";
import { saveSettings } from "../../../store/save-settings.ts";
import { useAction } from "../../../ui/action.ts";
import { Button } from "../../../ui/controls/button.tsx";
import { Field } from "../../../ui/controls/field.tsx";
import { ProblemNote } from "../../../ui/problem-note.tsx";
import { Block } from "../../../ui/well.tsx";

/** As what Patchbay is known to those who sign people in for servers. */
export function ClientDocumentBlock({ address: stored }: { address: string | null }) {
  const { t } = useTranslation();
  const [value, setValue] = useState(stored ?? "");
  const save = useAction(saveSettings);
  const address = value.trim();
  const bad = address !== "" && !/^https:\/\/[^/\s]+\/\S+$/.test(address);
  const submit = async (event: SyntheticEvent) => {
    event.preventDefault();
    if (!bad) await save.act({ clientMetadataUrl: address === "" ? null : address });
  };
  return (
    <Block title={t("signIn.document")}>
      <form onSubmit={submit} noValidate>
        <Field
          label={t("signIn.documentAddress")}
          help={t("signIn.documentHelp")}
          error={bad ? t("signIn.documentBad") : undefined}
        >
          {(props) => (
            <div className="flex gap-2">
              <input
                {...props}
                type="url"
                className="field h-8 min-w-0 flex-1 font-mono text-sm"
                value={value}
                onChange={(event) => setValue(event.target.value)}
              />
              {address !== (stored ?? "") && (
                <Button type="submit" disabled={bad} busy={save.busy}>
                  {t("prefs.save")}
                </Button>
              )}
            </div>
          )}
        </Field>
        {save.problem && <ProblemNote className="mt-2" problem={save.problem} />}
      </form>
    </Block>
  );
}
