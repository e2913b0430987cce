import { lazy, type RefObject, Suspense } from "react";
import { useTranslation } from "react-i18next";
import { isObject } from "../../../../contract/is-object.ts";
import type { ShownProblem } from "../../../base/client/problem.ts";
import { type Config, SchemaForm, useFieldErrors } from "../../../features/settings-form/public.ts";
import { announce } from "../../../ui/announce.tsx";
import { Segments } from "../../../ui/controls/segments.tsx";
import { Spinner } from "../../../ui/spinner.tsx";
import type { Arguments, ArgumentsView } from "./use-arguments.ts";

/** Loaded only when it is opened: the editor is large, and few people use it. */
const JsonText = lazy(async () => ({
  default: (await import("../../../features/settings-form/json/json-text.tsx")).JsonText,
}));

interface ArgumentsFormProps {
  args: Arguments;
  /** What the core said of the last call; what it says of single fields stands at them. */
  problem: ShownProblem | null;
  /** Pressed by whoever wants to send what is typed; `onSend` follows when it fits the schema. */
  submit: RefObject<HTMLButtonElement | null>;
  onSend(input: Config): void;
}

/** The arguments of a tool, drawn from its schema, or as JSON. */
export function ArgumentsForm({ args, problem, submit, onSend }: ArgumentsFormProps) {
  const { t } = useTranslation();
  const errors = useFieldErrors(problem, args.model.prefix);
  const { model, view } = args;
  const check: RefObject<(() => boolean) | null> = { current: null };
  const isEmpty = Object.keys(isObject(model.schema?.properties) ? model.schema.properties : {}).length === 0;
  const options = (["simple", "json"] as const).map((value) => ({
    value,
    label: t(`callTool.view.${value}`),
  }));
  return (
    <div>
      <fieldset className="mb-2 flex items-center justify-between gap-3" disabled={args.isBroken}>
        <legend className="sr-only">{t("callTool.view")}</legend>
        <h3 className="text-sm font-semibold">{t("callTool.arguments")}</h3>
        <Segments<ArgumentsView> size="sm" value={view} options={options} onChange={args.setView} />
      </fieldset>
      {view === "json" ? (
        <Suspense fallback={<Spinner className="m-6 text-mute" />}>
          <JsonText
            text={args.text}
            label={t("callTool.json")}
            schema={model.schema}
            check={check}
            onChange={args.type}
          />
          <button
            ref={submit}
            type="button"
            className="hidden"
            tabIndex={-1}
            aria-hidden="true"
            onClick={() => {
              if (check.current?.()) announce(t("callTool.wrong"));
              else onSend(args.sent());
            }}
          />
        </Suspense>
      ) : (
        <SchemaForm
          className={isEmpty ? "hidden" : "rounded-lg border border-line bg-surface px-4"}
          idPrefix="argument"
          schema={model.schema ?? {}}
          uiSchema={model.uiSchema}
          formData={args.value}
          formContext={{ settings: args.value }}
          extraErrors={errors.schema}
          onChange={({ formData }, id) => {
            // Without an id it is the form that fills in defaults, which are there already.
            if (id !== undefined && isObject(formData)) args.change(formData);
          }}
          onSubmit={() => onSend(args.sent())}
          onError={() => announce(t("callTool.wrong"))}
        >
          <button ref={submit} type="submit" className="hidden" tabIndex={-1} aria-hidden="true" />
        </SchemaForm>
      )}
      {isEmpty && view === "simple" && <p className="text-sm text-mute">{t("tools.givenNothing")}</p>}
    </div>
  );
}
