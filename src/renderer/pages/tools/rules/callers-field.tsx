import { X } from "lucide-react";
import { useState } from "react";
import { useTranslation } from "react-i18next";
import { useRuleWords } from "../../../features/policies/use-rule-words.ts";
import { Button } from "../../../ui/controls/button.tsx";
import { FieldError } from "../../../ui/controls/field.tsx";
import { type ChatCaller, isSameCaller, type Typed } from "./draft.ts";

interface CallersFieldProps {
  typed: Typed;
  /** Keys of the channels of the agent. */
  channels: string[];
  error?: string | undefined;
  onChange(change: Partial<Typed>): void;
}

/** For whom a rule holds: the person, everybody, and people in chats by channel, role or id. */
export function CallersField({ typed, channels, error, onChange }: CallersFieldProps) {
  const { t } = useTranslation();
  const words = useRuleWords();
  return (
    <fieldset>
      <legend className="mb-1 text-sm font-medium">{t("rules.form.callers")}</legend>
      <div className="space-y-1.5">
        <Tick on={typed.owner} onChange={(owner) => onChange({ owner })}>
          {t("rules.form.owner")}
        </Tick>
        <Tick on={typed.anyone} onChange={(anyone) => onChange({ anyone })}>
          {t("rules.form.anyone")}
        </Tick>
      </div>
      <p className="mt-3 mb-1 text-xs font-medium text-mute">{t("rules.form.chats")}</p>
      {typed.chats.length > 0 && (
        <ul className="mb-2 flex flex-wrap gap-1.5">
          {typed.chats.map((one) => (
            <li
              key={JSON.stringify(one)}
              className="inline-flex items-center gap-1 rounded-full border border-line-strong py-0.5 pr-1 pl-2.5 text-xs"
            >
              {words.whom([one])}
              <button
                type="button"
                aria-label={t("rules.form.leaveOut", { who: words.whom([one]) })}
                className="grid size-5 place-items-center rounded-full text-mute hover:bg-sunk hover:text-ink"
                onClick={() => onChange({ chats: typed.chats.filter((other) => other !== one) })}
              >
                <X className="size-3" aria-hidden="true" />
              </button>
            </li>
          ))}
        </ul>
      )}
      {channels.length === 0 ? (
        <p className="text-xs text-mute">{t("rules.form.noChannels")}</p>
      ) : (
        <NewCaller
          channels={channels}
          onAdd={(one) => {
            if (!typed.chats.some((other) => isSameCaller(one, other)))
              onChange({ chats: [...typed.chats, one] });
          }}
        />
      )}
      {error && <FieldError id="rule-callers-error">{error}</FieldError>}
    </fieldset>
  );
}

interface TickProps {
  on: boolean;
  onChange(on: boolean): void;
  children: string;
}

function Tick({ on, onChange, children }: TickProps) {
  return (
    <label className="flex w-fit items-center gap-2.5 text-sm">
      <input
        type="checkbox"
        className="size-4 shrink-0 accent-[var(--accent)]"
        checked={on}
        onChange={(event) => onChange(event.target.checked)}
      />
      {children}
    </label>
  );
}

type Kind = "everybody" | "role" | "person";

function NewCaller({ channels, onAdd }: { channels: string[]; onAdd(caller: ChatCaller): void }) {
  const { t } = useTranslation();
  const words = useRuleWords();
  const [channel, setChannel] = useState(channels[0] ?? "");
  const [kind, setKind] = useState<Kind>("everybody");
  const [name, setName] = useState("");
  const called = name.trim();
  const add = () => {
    if (kind === "everybody") onAdd({ channel });
    else onAdd(kind === "role" ? { channel, role: called } : { channel, userId: called });
    setName("");
  };
  return (
    <div className="flex flex-wrap gap-2">
      <select
        aria-label={t("rules.form.channel")}
        className="field h-8 w-auto py-0 text-sm"
        value={channel}
        onChange={(event) => setChannel(event.target.value)}
      >
        {channels.map((key) => (
          <option key={key} value={key}>
            {words.owner(key)}
          </option>
        ))}
      </select>
      <select
        aria-label={t("rules.form.who")}
        className="field h-8 w-auto py-0 text-sm"
        value={kind}
        onChange={(event) => setKind(event.target.value as Kind)}
      >
        {(["everybody", "role", "person"] as const).map((one) => (
          <option key={one} value={one}>
            {t(`rules.form.${one}`)}
          </option>
        ))}
      </select>
      {kind !== "everybody" && (
        <input
          aria-label={t(kind === "role" ? "rules.form.roleName" : "rules.form.personId")}
          className="field h-8 w-40 text-sm"
          value={name}
          onChange={(event) => setName(event.target.value)}
        />
      )}
      <Button disabled={kind !== "everybody" && called === ""} onClick={add}>
        {t("rules.form.addCaller")}
      </Button>
    </div>
  );
}
