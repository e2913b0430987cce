import type { ReactNode, SyntheticEvent } from "react";
import { useTranslation } from "react-i18next";
import type { SettingsPatch } from "../../../../contract/settings.ts";
import { useKept } from "../../../store/kept.ts";
import { saveSettings } from "../../../store/save-settings.ts";
import { useAction } from "../../../ui/action.ts";
import { Button } from "../../../ui/controls/button.tsx";
import { Field } from "../../../ui/controls/field.tsx";
import { ProblemNote } from "../../../ui/problem-note.tsx";
import { Block } from "../../../ui/well.tsx";

/** A setting that is an address, or nothing. */
interface AddressSetting {
  /** Names it for what is typed and not saved, which outlives a look elsewhere. */
  id: string;
  stored: string | null;
  isRight(address: string): boolean;
  patch(address: string | null): SettingsPatch;
}

/** The setting while it is edited. */
export function useAddress({ id, stored, isRight, patch }: AddressSetting) {
  const [value, setValue, forget] = useKept(`${id} ${stored}`, () => stored ?? "");
  const save = useAction(saveSettings);
  const address = value.trim();
  const isBad = address !== "" && !isRight(address);
  return {
    value,
    setValue,
    address,
    isBad,
    hasChanged: address !== (stored ?? ""),
    busy: save.busy,
    problem: save.problem,
    /** @param given what is saved instead of what is typed */
    save: async (given = address) => {
      if (given === address && isBad) return;
      if (await save.act(patch(given === "" ? null : given))) forget();
    },
  };
}

interface AddressFormProps {
  title: string;
  label: string;
  help: string;
  /** What is said of an address that is not right. */
  fault: string;
  placeholder?: string;
  edited: ReturnType<typeof useAddress>;
  /** Before the button that saves. */
  beside?: ReactNode;
  /** Stands where the button that saves does, while there is nothing to save. */
  unchanged?: ReactNode;
  /** Below the field. */
  children?: ReactNode;
}

/** A block with the field for an address. */
export function AddressForm(props: AddressFormProps) {
  const { title, label, help, fault, placeholder, edited, beside, unchanged, children } = props;
  const { t } = useTranslation();
  const { hasChanged } = edited;
  const submit = (event: SyntheticEvent) => {
    event.preventDefault();
    void edited.save();
  };
  return (
    <Block title={title}>
      <form onSubmit={submit} noValidate>
        <Field label={label} help={help} error={edited.isBad ? fault : undefined}>
          {(field) => (
            <div className="flex gap-2">
              <input
                {...field}
                type="url"
                className="field h-8 min-w-0 flex-1 font-mono text-sm"
                placeholder={placeholder}
                value={edited.value}
                onChange={(event) => edited.setValue(event.target.value)}
              />
              {beside}
              {hasChanged || unchanged === undefined ? (
                <Button
                  look={hasChanged ? "accent" : "plain"}
                  type="submit"
                  disabled={!hasChanged || edited.isBad}
                  busy={edited.busy}
                >
                  {t("prefs.save")}
                </Button>
              ) : (
                unchanged
              )}
            </div>
          )}
        </Field>
        {children}
        {edited.problem && <ProblemNote className="mt-2" problem={edited.problem} />}
      </form>
    </Block>
  );
}
