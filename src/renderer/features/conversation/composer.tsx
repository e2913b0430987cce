import { CornerDownLeft, Square } from "lucide-react";
import { type KeyboardEvent, type SyntheticEvent, useEffect, useId, useRef, useState } from "react";
import { useTranslation } from "react-i18next";
import type { CommandInfo } from "../../../contract/agent-plugin.ts";
import { useDisplayName } from "../../model/rows.ts";
import { cx } from "../../ui/class-names.ts";
import { Button, IconButton } from "../../ui/controls/button.tsx";
import { takeFocus } from "../../ui/controls/take-focus.ts";
import { useComposerKeys } from "./keys/composer-keys.ts";
import { useMessageDraft } from "./message-drafts.ts";
import { useCommands } from "./use-commands.ts";

interface ComposerProps {
  /** Whom the draft is for. */
  place: string;
  agentId: string;
  agentName: string;
  running: boolean;
  /** What the person wrote in this conversation, the oldest first. */
  written: readonly string[];
  /** Resolves when the turn has ended; to false when the message did not get through, which is then put back. */
  onSend(text: string): Promise<boolean>;
  onStop(): void;
}

export function Composer({ place, agentId, agentName, running, written, onSend, onStop }: ComposerProps) {
  const { t } = useTranslation();
  const id = useId();
  const input = useRef<HTMLTextAreaElement>(null);
  const [text, setText] = useMessageDraft(place);
  const latest = useRef(text);
  latest.current = text;
  const [chosen, setChosen] = useState(0);
  const [closed, setClosed] = useState(false);
  const matches = useCommands(agentId, text);
  const open = matches.length > 0 && !closed && !running;
  const active = Math.min(chosen, matches.length - 1);

  useEffect(() => takeFocus(input.current), []);

  const edit = (next: string) => {
    setText(next);
    setChosen(0);
    setClosed(false);
  };

  const send = async (message: string) => {
    if (message.trim() === "" || running) return;
    edit("");
    // Now, not when the turn has ended: by then the person may be in a menu or another field.
    input.current?.focus();
    const sent = await onSend(message.trim());
    // What was typed meanwhile stays behind what did not get through.
    if (!sent) setText([message, latest.current].filter(Boolean).join("\n\n"));
  };

  useComposerKeys({ field: input, written, edit, send: () => void send(text) });

  const complete = (command: CommandInfo | undefined) => {
    if (!command) return;
    if (command.argsHint) edit(`/${command.name} `);
    else void send(`/${command.name}`);
    input.current?.focus();
  };

  const press = (event: KeyboardEvent<HTMLTextAreaElement>) => {
    if (event.nativeEvent.isComposing) return;
    if (open && (event.key === "ArrowDown" || event.key === "ArrowUp")) {
      event.preventDefault();
      const step = event.key === "ArrowDown" ? 1 : -1;
      setChosen((active + step + matches.length) % matches.length);
    } else if (open && event.key === "Tab") {
      event.preventDefault();
      edit(`/${matches[active]?.name ?? ""} `);
    } else if (event.key === "Escape") {
      if (open) setClosed(true);
      else if (running) onStop();
    } else if (open && event.key === "Enter" && !event.shiftKey) {
      event.preventDefault();
      complete(matches[active]);
    }
  };

  const submit = (event: SyntheticEvent) => {
    event.preventDefault();
    void send(text);
  };

  return (
    <form onSubmit={submit} className="relative px-5 pb-4">
      {open && (
        <div
          id={`${id}-commands`}
          role="listbox"
          aria-label={t("conversation.commands")}
          className="absolute inset-x-5 bottom-full mb-2 max-h-64 overflow-y-auto rounded-lg border border-line bg-raised p-1.5 shadow-high animate-appear"
        >
          {matches.map((command, index) => (
            <CommandOption
              key={command.name}
              id={`${id}-${index}`}
              command={command}
              active={index === active}
              onChoose={() => complete(command)}
            />
          ))}
        </div>
      )}
      <div className="flex items-end gap-1 rounded-lg border border-line-strong bg-bg pr-1.5 transition-colors focus-within:border-transparent focus-within:outline-2 focus-within:outline-focus">
        <textarea
          ref={input}
          data-composer={open ? "choosing" : "writing"}
          rows={1}
          value={text}
          onChange={(event) => edit(event.target.value)}
          onKeyDown={press}
          placeholder={t("conversation.placeholder", { agent: agentName })}
          aria-label={t("conversation.message", { agent: agentName })}
          aria-controls={open ? `${id}-commands` : undefined}
          aria-activedescendant={open ? `${id}-${active}` : undefined}
          aria-autocomplete="list"
          className="field-sizing-content max-h-40 min-h-10 min-w-0 flex-1 resize-none rounded-lg bg-transparent px-3.5 py-2.5 outline-none placeholder:text-hint"
        />
        {running ? (
          <Button
            size="sm"
            className="mb-1.5"
            onClick={onStop}
            icon={<Square className="size-3 fill-current" aria-hidden="true" />}
          >
            {t("conversation.stop")}
          </Button>
        ) : (
          <IconButton
            type="submit"
            label={t("conversation.send")}
            className="mb-1"
            disabled={text.trim() === ""}
          >
            <CornerDownLeft className="size-4" aria-hidden="true" />
          </IconButton>
        )}
      </div>
    </form>
  );
}

interface CommandOptionProps {
  id: string;
  command: CommandInfo;
  active: boolean;
  onChoose(): void;
}

function CommandOption({ id, command, active, onChoose }: CommandOptionProps) {
  const owner = useDisplayName(command.owner);
  return (
    <div
      id={id}
      role="option"
      aria-selected={active}
      tabIndex={-1}
      onPointerDown={(event) => {
        event.preventDefault();
        onChoose();
      }}
      className={cx(
        "flex cursor-default items-baseline gap-2 rounded-md px-2.5 py-1.5 text-sm",
        active && "bg-sunk",
      )}
    >
      <code className="figure shrink-0 font-semibold">/{command.name}</code>
      {command.argsHint && <code className="figure shrink-0 text-hint">{command.argsHint}</code>}
      <span className="min-w-0 flex-1 text-pretty text-mute">{command.description}</span>
      {owner && <span className="shrink-0 text-xs text-hint">{owner}</span>}
    </div>
  );
}
