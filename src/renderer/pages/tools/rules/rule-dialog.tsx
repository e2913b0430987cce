import { type SyntheticEvent, useState } from "react";
import { useTranslation } from "react-i18next";
import type { PolicyOverview, RuleDraft } from "../../../../contract/permissions/explanation.ts";
import type { ToolRight } from "../../../../contract/permissions/tool-rights.ts";
import { rpc } from "../../../base/client/rpc.ts";
import { useAction } from "../../../ui/action.ts";
import { Button } from "../../../ui/controls/button.tsx";
import { Field } from "../../../ui/controls/field.tsx";
import { Segments } from "../../../ui/controls/segments.tsx";
import { Dialog } from "../../../ui/dialog.tsx";
import { ProblemNote } from "../../../ui/problem-note.tsx";
import { CallersField } from "./callers-field.tsx";
import { ChangesList } from "./changes-list.tsx";
import { ruleOf, type Typed, typedOf } from "./draft.ts";
import { ToolSelect } from "./tool-select.tsx";
import { usePreview } from "./use-preview.ts";

interface RuleDialogProps {
  agentId: string;
  tools: readonly ToolRight[];
  channels: string[];
  /** The rule that is changed; null: a new one. */
  rule: RuleDraft | null;
  onClose(): void;
  onSaved(policies: PolicyOverview): void;
}

/** A rule, written or changed, with what it will change before it is saved. */
export function RuleDialog({ agentId, tools, channels, rule, onClose, onSaved }: RuleDialogProps) {
  const { t } = useTranslation();
  const [typed, setTyped] = useState(() => typedOf(rule, tools[0]?.name ?? ""));
  const change = (part: Partial<Typed>) => setTyped({ ...typed, ...part });
  const draft = ruleOf(typed);
  const preview = usePreview(agentId, draft, draft && rule);
  const save = useAction(rpc.policies.set);
  const submit = async (event: SyntheticEvent) => {
    event.preventDefault();
    if (!draft) return;
    const after = await save.act({ agentId, rule: draft, replaces: rule });
    if (!after) return;
    onSaved(after);
    onClose();
  };
  return (
    <Dialog
      open
      onClose={onClose}
      title={t(rule ? "rules.form.edit" : "rules.form.add")}
      notice={save.problem && <ProblemNote problem={save.problem} />}
      footer={
        <>
          <Button onClick={onClose}>{t("common.cancel")}</Button>
          <Button look="accent" ahead type="submit" form="rule-form" disabled={!draft} busy={save.busy}>
            {t("rules.form.save")}
          </Button>
        </>
      }
    >
      <form id="rule-form" noValidate onSubmit={submit} className="space-y-5">
        <div className="space-y-2.5">
          <fieldset>
            <legend className="mb-1 text-sm font-medium">{t("rules.form.which")}</legend>
            <Segments<Typed["which"]>
              value={typed.which}
              options={[
                { value: "one", label: t("rules.form.one") },
                { value: "several", label: t("rules.form.several") },
              ]}
              onChange={(which) => change({ which })}
            />
          </fieldset>
          {typed.which === "one" ? (
            <ToolSelect tools={tools} value={typed.tool} onChange={(tool) => change({ tool })} />
          ) : (
            <Beginning tools={tools} value={typed.begins} onChange={(begins) => change({ begins })} />
          )}
        </div>
        <fieldset>
          <legend className="mb-1 text-sm font-medium">{t("rules.form.effect")}</legend>
          <Segments<Typed["effect"]>
            value={typed.effect}
            options={[
              { value: "allow", label: t("tools.effect.allow") },
              { value: "ask", label: t("tools.effect.ask") },
              { value: "deny", label: t("rules.form.never") },
            ]}
            onChange={(effect) => change({ effect })}
          />
        </fieldset>
        <CallersField
          typed={typed}
          channels={channels}
          error={
            !typed.owner && !typed.anyone && typed.chats.length === 0 ? t("rules.form.nobody") : undefined
          }
          onChange={change}
        />
        <section aria-labelledby="rule-changes" aria-live="polite">
          <h3 id="rule-changes" className="mb-1 text-sm font-medium">
            {t("rules.changes.title")}
          </h3>
          {draft && <ChangesList preview={preview} />}
        </section>
      </form>
    </Dialog>
  );
}

/** Names that are shown of the tools that a beginning fits. */
const most = 6;

interface BeginningProps {
  tools: readonly ToolRight[];
  value: string;
  onChange(value: string): void;
}

function Beginning({ tools, value, onChange }: BeginningProps) {
  const { t } = useTranslation();
  const begins = value.trim().replace(/\*+$/, "");
  const fitting = tools.filter(({ name }) => name.startsWith(begins));
  const names = fitting
    .slice(0, most)
    .map(({ title }) => title)
    .join(", ");
  const count = fitting.length;
  return (
    <Field label={t("rules.form.begins")} help={t("rules.form.beginsHelp")}>
      {(props) => (
        <>
          <input
            {...props}
            className="field h-8 font-mono text-sm"
            spellCheck={false}
            autoComplete="off"
            value={value}
            onChange={(event) => onChange(event.target.value)}
          />
          <output className="mt-1 block text-xs wrap-anywhere">
            {count === 0
              ? t("rules.form.matchesNone")
              : count > most
                ? t("rules.form.matchesMore", { count, names, more: count - most })
                : t("rules.form.matches", { count, names })}
          </output>
        </>
      )}
    </Field>
  );
}
