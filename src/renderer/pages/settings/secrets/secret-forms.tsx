import { type SyntheticEvent, useState } from "react";
import { useTranslation } from "react-i18next";
import { useShallow } from "zustand/react/shallow";
import type { SecretInfo } from "../../../../contract/vault.ts";
import { rpc } from "../../../base/client/rpc.ts";
import { useKept } from "../../../store/kept.ts";
import { rowId, useMirror } from "../../../store/mirror.ts";
import { useAction } from "../../../ui/action.ts";
import { Button } from "../../../ui/controls/button.tsx";
import { Field } from "../../../ui/controls/field.tsx";
import { FormButtons, focusOnce, HiddenField } from "../../../ui/controls/form-parts.tsx";
import { ProblemNote } from "../../../ui/problem-note.tsx";

const nameForm = /^[A-Za-z_][A-Za-z0-9_]*$/;

async function store(name: string, value: string, agentId: string | null): Promise<true> {
  await rpc.secrets.set({ name, value, agentId });
  return true;
}

interface FormProps {
  onClose(): void;
  onStored(): void;
}

/** Stores a new secret: a name, a value that is typed once and never shown again, and who may use it. */
export function NewSecret({ initialName, onClose, onStored }: FormProps & { initialName: string }) {
  const { t } = useTranslation();
  const agents = useMirror(useShallow((state) => [...state.agents.values()]));
  const [draft, setDraft, forget] = useKept(`new secret ${initialName}`, () => ({
    name: initialName,
    value: "",
    agentId: "",
  }));
  const { name, value, agentId } = draft;
  const [tried, setTried] = useState(false);
  const save = useAction(store);
  const badName = !nameForm.test(name);

  const submit = async (event: SyntheticEvent) => {
    event.preventDefault();
    setTried(true);
    if (badName || value === "") return;
    if (!(await save.act(name, value, agentId || null))) return;
    forget();
    onStored();
  };
  const close = () => {
    forget();
    onClose();
  };
  return (
    <form
      onSubmit={submit}
      noValidate
      aria-label={t("secrets.add")}
      className="space-y-3.5 rounded-lg border border-line bg-surface px-4 py-4 shadow-card"
    >
      <div className="grid gap-3.5 @lg:grid-cols-2">
        <Field
          label={t("secrets.name")}
          help={t("secrets.nameHelp", { reference: `\${${name || "NAME"}}` })}
          error={tried && badName ? t("secrets.badName") : undefined}
        >
          {(props) => (
            <input
              {...props}
              className="field font-mono text-sm"
              autoComplete="off"
              spellCheck={false}
              value={name}
              onChange={(event) => setDraft({ ...draft, name: event.target.value.trim() })}
              ref={initialName === "" ? focusOnce : null}
            />
          )}
        </Field>
        <Field label={t("secrets.owner")}>
          {(props) => (
            <select
              {...props}
              className="field"
              value={agentId}
              onChange={(event) => setDraft({ ...draft, agentId: event.target.value })}
            >
              <option value="">{t("secrets.shared")}</option>
              {agents.map((agent) => (
                <option key={agent.id} value={agent.id}>
                  {t("secrets.only", { agent: agent.name })}
                </option>
              ))}
            </select>
          )}
        </Field>
      </div>
      <HiddenField
        label={t("secrets.value")}
        error={tried && value === "" ? t("field.needed") : undefined}
        value={value}
        first={initialName !== ""}
        onChange={(typed) => setDraft({ ...draft, value: typed })}
      />
      {save.problem && <ProblemNote problem={save.problem} />}
      <FormButtons verb={t("secrets.store")} busy={save.busy} onClose={close} />
    </form>
  );
}

export function ReplaceSecret({ secret, onClose, onStored }: FormProps & { secret: SecretInfo }) {
  const { t } = useTranslation();
  const [value, setValue, forget] = useKept(replacementOf(secret), () => "");
  const restarts = useRestarts(secret);
  const save = useAction(store);
  const submit = async (event: SyntheticEvent) => {
    event.preventDefault();
    if (value === "" || !(await save.act(secret.name, value, secret.agentId))) return;
    forget();
    onStored();
  };
  const close = () => {
    forget();
    onClose();
  };
  return (
    <form onSubmit={submit} className="mt-3 space-y-3">
      <div className="flex gap-2">
        <input
          type="password"
          autoComplete="off"
          className="field h-8 min-w-0 flex-1"
          aria-label={t("secrets.newValue", { name: secret.name })}
          placeholder={t("secret.placeholder")}
          value={value}
          onChange={(event) => setValue(event.target.value)}
          ref={focusOnce}
        />
        <Button onClick={close}>{t("common.cancel")}</Button>
        <Button look="accent" type="submit" busy={save.busy} disabled={value === ""}>
          {t("secrets.replace")}
        </Button>
      </div>
      <p className="text-xs text-mute">
        {restarts.length === 0
          ? t("vault.restartsNothing")
          : t("vault.restarts", { list: restarts.join(", ") })}
      </p>
      {save.problem && <ProblemNote problem={save.problem} />}
    </form>
  );
}

/** The names of the plugins that use the secret and are restarted when it changes. */
function useRestarts({ usedBy }: SecretInfo): string[] {
  const { t } = useTranslation();
  const rows = useMirror((state) => state.agentPlugins);
  const plugins = useMirror((state) => state.plugins);
  const agents = useMirror((state) => state.agents);
  return usedBy.flatMap(({ agentId, pluginKey }) => {
    const row = pluginKey === null ? undefined : rows.get(rowId(agentId, pluginKey));
    if (!row?.enabled || row.instance.state === "stopped") return [];
    const plugin = plugins.get(row.pluginKey)?.displayName ?? row.pluginKey;
    return [t("vault.restartOf", { plugin, agent: agents.get(agentId)?.name ?? agentId })];
  });
}

/** The id under which a new value is kept while it is being typed. */
export function replacementOf({ name, agentId }: Pick<SecretInfo, "name" | "agentId">): string {
  return `secret ${agentId ?? ""}/${name}`;
}
