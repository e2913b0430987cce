import { useTranslation } from "react-i18next";
import type { RemovedThing } from "../../../../contract/removed/removed.ts";
import { useMirror } from "../../../store/mirror.ts";

/** What a removed thing is called; the core's English name of a conversation in which nothing was said is not shown. */
export function useNameOf(thing: RemovedThing): string {
  const { t } = useTranslation();
  const { kind, name } = thing;
  if (kind === "file") return fileNameOf(thing);
  return kind === "session" && name === "New conversation" ? t("conversation.new") : name;
}

/** The name of a file without the folder that it lies in. */
export function fileNameOf({ name }: RemovedThing): string {
  return name.split("/").at(-1) ?? name;
}

/** What is kept of it, in one line; null when that is nothing besides itself. */
export function useKept(thing: RemovedThing): string | null {
  const { t } = useTranslation();
  const kept = useKeptParts(thing);
  const agent = useAgentName(thing);
  const { kind } = thing;
  if (kind === "session") return t("removed.with", { agent });
  if (kind === "file") return t(thing.agentId === null ? "removed.fileText" : "removed.fileOf", { agent });
  return kept.length > 0 ? t("removed.kept", { what: kept.join(", ") }) : null;
}

/** What goes with it when it is deleted for good, a line each. */
export function useGoes(thing: RemovedThing): string[] {
  const { t } = useTranslation();
  const kept = useKeptParts(thing);
  return [
    t(`removed.goes.${thing.kind}`),
    ...(kept.length > 0 ? [t("removed.goesWith", { what: kept.join(", ") })] : []),
  ];
}

/** Why it cannot be restored now; null when it can. */
export function useBlocked(thing: RemovedThing): string | null {
  const { t } = useTranslation();
  const agent = useAgentName(thing);
  switch (thing.blocked) {
    case "taken":
      return t(thing.kind === "plugin" ? "removed.keyTaken" : "removed.idTaken");
    case "agent":
      return t("removed.agentGone", { agent });
    case "file":
    case null:
      return null;
  }
}

function useKeptParts(thing: RemovedThing): string[] {
  const { t } = useTranslation();
  const settings = useSettings(thing);
  const { secrets, conversations } = thing;
  return [
    ...(settings === null ? [] : [settings]),
    ...(conversations > 0 ? [t("removed.conversations", { count: conversations })] : []),
    ...(secrets > 0 ? [t("removed.secrets", { count: secrets })] : []),
  ];
}

function useSettings({ kind, settingsOf, plugins }: RemovedThing): string | null {
  const { t } = useTranslation();
  const agents = useMirror((state) => state.agents);
  if (kind === "agent") return plugins > 0 ? t("removed.pluginSettings", { count: plugins }) : null;
  const names = settingsOf.map((id) => agents.get(id)?.name ?? id);
  return names.length > 0 ? t("removed.settingsOf", { agents: names.join(", ") }) : null;
}

/** An agent that was removed itself is found among the removed ones. */
function useAgentName({ agentId }: RemovedThing): string {
  const there = useMirror((state) => state.agents.get(agentId ?? "")?.name);
  const gone = useMirror(
    (state) =>
      [...state.removed.values()].find((other) => other.kind === "agent" && other.agentId === agentId)?.name,
  );
  return there ?? gone ?? agentId ?? "";
}
