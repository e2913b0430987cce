import { RotateCw } from "lucide-react";
import { type ReactNode, type SyntheticEvent, useState } from "react";
import { useTranslation } from "react-i18next";
import type { PythonsView } from "../../../../contract/procedures/app.ts";
import type { Settings } from "../../../../contract/settings.ts";
import { rpc } from "../../../base/client/rpc.ts";
import { ChooseButton } from "../../../features/places/choose-button.tsx";
import { useMirror } from "../../../store/mirror.ts";
import { saveSettings } from "../../../store/save-settings.ts";
import { useAction } from "../../../ui/action.ts";
import { cx } from "../../../ui/class-names.ts";
import { Button } from "../../../ui/controls/button.tsx";
import { CopyButton } from "../../../ui/controls/copy-button.tsx";
import { Field } from "../../../ui/controls/field.tsx";
import { ProblemNote } from "../../../ui/problem-note.tsx";
import { Block } from "../../../ui/well.tsx";
import { usePythons } from "./use-pythons.ts";

const look = () => rpc.pythons.look();

async function choose(path: string | null): Promise<PythonsView> {
  const found = await rpc.pythons.choose({ path });
  useMirror.setState(({ settings }) => ({ settings: settings && { ...settings, python: path } }));
  return found;
}

/** Which Python plugins run with that are written in it. */
export function PythonSection() {
  const settings = useMirror((state) => state.settings);
  const { pythons, problem, setPythons } = usePythons();
  if (!settings) return null;
  return (
    <div className="space-y-4">
      <Found settings={settings} pythons={pythons} onChange={setPythons} />
      {problem && <ProblemNote problem={problem} />}
      <Another chosen={settings.python} />
    </div>
  );
}

interface FoundProps {
  settings: Settings;
  pythons: PythonsView | null;
  onChange(pythons: PythonsView): void;
}

function Found({ settings, pythons, onChange }: FoundProps) {
  const { t } = useTranslation();
  const looking = useAction(look);
  const choosing = useAction(choose);
  const pick = async (path: string | null) => {
    const found = await choosing.act(path);
    if (found) onChange(found);
  };
  const again = async () => {
    const found = await looking.act();
    if (found) onChange(found);
  };
  const used = pythons?.all.find(({ path }) => path === pythons.used);
  return (
    <Block
      title={t("python.found")}
      action={
        <Button
          size="sm"
          busy={looking.busy || pythons === null}
          icon={<RotateCw className="size-3.5" aria-hidden="true" />}
          onClick={() => void again()}
        >
          {t("python.look")}
        </Button>
      }
    >
      {pythons === null ? (
        <p className="text-sm text-mute">{t("python.looking")}</p>
      ) : pythons.all.length === 0 ? (
        <NoPython install={pythons.install} />
      ) : (
        <fieldset disabled={choosing.busy} className="-mx-1 space-y-0.5">
          <legend className="sr-only">{t("python.which")}</legend>
          <Choice checked={settings.python === null} onChoose={() => void pick(null)}>
            <span className="font-medium">{t("python.automatic")}</span>
            <span className="block text-mute">
              {settings.python === null && !used ? t("python.automaticNone") : t("python.automaticText")}
            </span>
          </Choice>
          {pythons.all.map((each) => (
            <Choice
              key={each.path}
              checked={settings.python !== null && each.path === (pythons.used ?? settings.python)}
              disabled={!each.usable}
              onChoose={() => void pick(each.path)}
            >
              <span className="flex flex-wrap items-baseline gap-x-2.5">
                <span className="font-medium">
                  {each.version === "" ? t("python.unknown") : t("python.version", { version: each.version })}
                </span>
                <span className="text-mute">{t(`python.from.${each.from}`)}</span>
                {each.path === pythons.used && <span className="text-xs text-ok">{t("python.used")}</span>}
                {each.why && <span className="text-xs text-warn">{t(`python.why.${each.why}`)}</span>}
              </span>
              <code className="figure block break-all text-mute">{each.path}</code>
            </Choice>
          ))}
        </fieldset>
      )}
      {(choosing.problem ?? looking.problem) && (
        <ProblemNote
          className="mt-3"
          problem={(choosing.problem ?? looking.problem) as NonNullable<typeof looking.problem>}
        />
      )}
    </Block>
  );
}

interface ChoiceProps {
  checked: boolean;
  disabled?: boolean;
  onChoose(): void;
  children: ReactNode;
}

function Choice({ checked, disabled = false, onChoose, children }: ChoiceProps) {
  return (
    <label
      className={cx(
        "flex items-start gap-3 rounded-md px-2 py-1.5 text-sm",
        disabled ? "cursor-not-allowed" : "cursor-pointer hover:bg-sunk",
      )}
    >
      <input
        type="radio"
        name="python"
        className="mt-1 size-3.5 shrink-0 accent-accent"
        checked={checked}
        disabled={disabled}
        onChange={onChoose}
      />
      <span className="min-w-0 flex-1">{children}</span>
    </label>
  );
}

function NoPython({ install }: { install: string | null }) {
  const { t } = useTranslation();
  return (
    <div className="text-sm">
      <p className="font-medium">{t("python.none")}</p>
      <p className="mt-0.5 text-mute">{t("python.noneText")}</p>
      {install !== null && (
        <div className="mt-2 flex items-center gap-2 rounded-md border border-line bg-sunk py-1 pr-1 pl-3">
          <code className="figure min-w-0 flex-1 break-all">{install}</code>
          <CopyButton text={() => install} />
        </div>
      )}
    </div>
  );
}

/** One that was not found by itself, by its path. */
function Another({ chosen }: { chosen: string | null }) {
  const { t } = useTranslation();
  const [path, setPath] = useState("");
  const save = useAction(saveSettings);
  const trimmed = path.trim();
  const isPath = /^(?:\/|[A-Za-z]:[\\/])/.test(trimmed);
  const submit = async (event: SyntheticEvent) => {
    event.preventDefault();
    if (isPath && (await save.act({ python: trimmed }))) setPath("");
  };
  return (
    <Block title={t("python.another")}>
      <form onSubmit={submit} noValidate>
        <Field
          label={t("python.path")}
          help={t("python.pathHelp")}
          error={trimmed !== "" && !isPath ? t("python.notPath") : undefined}
        >
          {(props) => (
            <div className="flex flex-wrap items-center gap-2">
              <input
                {...props}
                className="field h-8 min-w-40 flex-1 font-mono text-sm"
                autoComplete="off"
                spellCheck={false}
                value={path}
                onChange={(event) => setPath(event.target.value)}
              />
              <ChooseButton kind="file" onChosen={setPath} />
              <Button type="submit" disabled={!isPath || trimmed === chosen} busy={save.busy}>
                {t("python.use")}
              </Button>
            </div>
          )}
        </Field>
        {save.problem && <ProblemNote className="mt-2" problem={save.problem} />}
      </form>
    </Block>
  );
}
