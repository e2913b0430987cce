import { type SyntheticEvent, useState } from "react";
import { useTranslation } from "react-i18next";
import type { FoundResources } from "../../../../contract/conversation/offered.ts";
import { filledIn } from "../../../../contract/conversation/uri-template.ts";
import { Button } from "../../../ui/controls/button.tsx";
import { withoutEmpty } from "./prompt-form.tsx";
import { SuggestField } from "./suggest-field.tsx";

interface TemplateFormProps {
  agentId: string;
  template: FoundResources["templates"][number];
  onAttach(resource: { owner: string; uri: string; name: string }): void;
}

/** The gaps of an address, a field for each. */
export function TemplateForm({ agentId, template, onAttach }: TemplateFormProps) {
  const { t } = useTranslation();
  const { owner, uriTemplate, variables, name } = template;
  const [values, setValues] = useState<Readonly<Record<string, string>>>({});
  const textOf = (field: string) => (Object.hasOwn(values, field) ? (values[field] ?? "") : "");
  const uri = filledIn(uriTemplate, values);
  const isEmpty = variables.every((one) => textOf(one) === "");
  const attach = (event: SyntheticEvent) => {
    event.preventDefault();
    event.stopPropagation();
    if (isEmpty) return;
    const said = variables.map(textOf).filter(Boolean).join(", ");
    onAttach({ owner, uri, name: `${name} (${said})`.slice(0, 300) });
  };
  return (
    <form onSubmit={attach} className="grid gap-3 px-3 pt-1 pb-3">
      {variables.map((variable, index) => (
        <SuggestField
          key={variable}
          agentId={agentId}
          label={variable}
          optional={false}
          value={textOf(variable)}
          onChange={(value) => setValues({ ...values, [variable]: value })}
          focused={index === 0}
          of={{
            owner,
            of: { template: uriTemplate },
            field: variable,
            others: withoutEmpty(values, variable),
          }}
        />
      ))}
      <div className="flex items-center gap-3">
        <code className="figure min-w-0 flex-1 text-xs break-all text-mute">{uri}</code>
        <Button type="submit" size="sm" look="accent" disabled={isEmpty}>
          {t("attachable.attach")}
        </Button>
      </div>
    </form>
  );
}
