import { Slash } from "lucide-react";
import { useTranslation } from "react-i18next";
import type { CommandInfo } from "../../../../contract/agent-plugin.ts";
import { useDisplayName } from "../../../model/rows.ts";
import { useMirror } from "../../../store/mirror.ts";
import { cx } from "../../../ui/class-names.ts";
import { TextButton } from "../../../ui/controls/button.tsx";
import { Face } from "../../../ui/face.tsx";
import { nameIn } from "./command-words.ts";

interface CommandListProps {
  id: string;
  matches: readonly CommandInfo[];
  /** The one whose name is nearly what was typed, where none begins so. */
  nearest: CommandInfo | undefined;
  typed: string;
  active: number;
  onChoose(command: CommandInfo): void;
}

const look =
  "absolute inset-x-5 bottom-full z-10 mb-2 rounded-lg border border-line bg-raised shadow-high animate-appear";

/** The commands that begin with what is typed; or a word about the one that there is not. */
export function CommandList({ id, matches, nearest, typed, active, onChoose }: CommandListProps) {
  const { t } = useTranslation();
  if (matches.length === 0)
    return (
      <p role="status" className={cx(look, "px-3.5 py-2.5 text-sm text-mute")}>
        {t("conversation.noCommand", { name: nameIn(typed) ?? "" })}{" "}
        {nearest && (
          <TextButton
            onPointerDown={(event) => event.preventDefault()}
            onClick={() => onChoose(nearest)}
            className="figure"
          >
            {t("conversation.nearCommand", { name: nearest.name })}
          </TextButton>
        )}
      </p>
    );
  return (
    <div
      id={id}
      role="listbox"
      aria-label={t("conversation.commands")}
      className={cx(look, "max-h-72 overflow-y-auto p-1.5")}
    >
      {matches.map((command, index) => (
        <CommandOption
          key={`${command.name} ${command.owner}`}
          id={`${id}-${index}`}
          command={command}
          active={index === active}
          onChoose={() => onChoose(command)}
        />
      ))}
    </div>
  );
}

interface CommandOptionProps {
  id: string;
  command: CommandInfo;
  active: boolean;
  onChoose(): void;
}

function CommandOption({ id, command, active, onChoose }: CommandOptionProps) {
  const { t } = useTranslation();
  const owner = useDisplayName(command.owner);
  return (
    <div
      id={id}
      ref={(element) => {
        if (active) element?.scrollIntoView({ block: "nearest" });
      }}
      role="option"
      aria-selected={active}
      tabIndex={-1}
      onPointerDown={(event) => {
        event.preventDefault();
        onChoose();
      }}
      className={cx("flex cursor-default items-center gap-2.5 rounded-md px-2 py-1.5", active && "bg-sunk")}
    >
      <OwnerMark owner={command.owner} name={owner} />
      <span className="min-w-0 flex-1">
        <span className="flex items-baseline gap-1.5">
          <code className="figure shrink-0 font-semibold">/{command.name}</code>
          {command.argsHint && <code className="figure truncate text-hint">{command.argsHint}</code>}
          <span className="ml-auto shrink-0 pl-2 text-xs text-hint">
            {owner ?? t("conversation.ownCommand")}
          </span>
        </span>
        <span className="line-clamp-2 text-xs text-pretty text-mute">{command.description}</span>
      </span>
    </div>
  );
}

function OwnerMark({ owner, name }: { owner: string | null; name: string | null }) {
  const plugin = useMirror((state) => (owner === null ? undefined : state.plugins.get(owner)));
  if (owner === null)
    return (
      <span className="grid size-7 shrink-0 place-items-center rounded-sm border border-line text-mute">
        <Slash className="size-3.5" aria-hidden="true" />
      </span>
    );
  return (
    <Face
      seed={plugin?.manifestKey ?? owner}
      name={name ?? owner}
      icon={plugin?.declaration.icon}
      ours={plugin?.source.kind === "builtin"}
      size="sm"
    />
  );
}
