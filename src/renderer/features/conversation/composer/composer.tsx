import { ArrowUp, Paperclip, Square } from "lucide-react";
import { type ReactNode, type SyntheticEvent, useEffect, useId, useRef } from "react";
import { useTranslation } from "react-i18next";
import type { CommandInfo } from "../../../../contract/agent-plugin.ts";
import { IconButton } from "../../../ui/controls/button.tsx";
import { takeFocus } from "../../../ui/controls/take-focus.ts";
import { attach, useAttachedFiles } from "../files/attached-files.ts";
import { useComposerKeys } from "../keys/composer-keys.ts";
import { PromptForm } from "../offered/prompt-form.tsx";
import { ResourceButton } from "../offered/resource-button.tsx";
import { AttachedRow } from "./attached-row.tsx";
import { CommandList } from "./command-list.tsx";
import { filesIn } from "./dropped-files.ts";
import { useMessageDraft } from "./message-drafts.ts";
import { useCompletion } from "./use-completion.ts";
import { usePromptForm } from "./use-prompt-form.ts";

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
  /** Stands in the foot of the field, beside the button for files. */
  foot?: ReactNode;
}

export function Composer({
  place,
  agentId,
  agentName,
  running,
  written,
  onSend,
  onStop,
  foot,
}: ComposerProps) {
  const { t } = useTranslation();
  const id = useId();
  const input = useRef<HTMLTextAreaElement>(null);
  const [text, setText] = useMessageDraft(place);
  const latest = useRef(text);
  latest.current = text;
  const { files, resources } = useAttachedFiles(place);
  const hasFiles = files.length + resources.length > 0;
  const isEmpty = text.trim() === "" && !hasFiles;

  useEffect(() => takeFocus(input.current), []);

  const send = async (message: string) => {
    if (running || (message.trim() === "" && !hasFiles)) return;
    if (form.complete(message.trim())) return;
    edit("");
    // Now, not when the turn has ended: by then the person may be in a menu or another field.
    input.current?.focus();
    const sent = await onSend(message.trim());
    // What was typed meanwhile stays behind what did not get through.
    if (!sent) setText([message, latest.current].filter(Boolean).join("\n\n"));
  };

  const complete = (command: CommandInfo) => {
    if (form.choose(command)) return;
    if (command.argsHint && !command.prompt) edit(`/${command.name} `);
    else void send(`/${command.name}`);
    input.current?.focus();
  };
  const completion = useCompletion({
    agentId,
    text,
    running,
    complete,
    fill: (name) => edit(`/${name} `),
    leave: () => running && onStop(),
  });
  const form = usePromptForm(completion.commands);
  const { matches, active, isOpen, hint } = completion;
  const edit = (next: string) => {
    setText(next);
    completion.begin();
  };

  useComposerKeys({ field: input, written, edit, send: () => void send(text) });

  const submit = (event: SyntheticEvent) => {
    event.preventDefault();
    void send(text);
  };

  return (
    <form onSubmit={submit} className="relative px-5 pb-4">
      {form.open && (
        <PromptForm
          agentId={agentId}
          {...form.open}
          onClose={form.close}
          onSend={(line) => {
            form.close();
            void send(line);
          }}
        />
      )}
      {isOpen && (
        <CommandList
          id={`${id}-commands`}
          matches={matches}
          nearest={completion.nearest}
          typed={text}
          active={active}
          onChoose={complete}
        />
      )}
      <div className="rounded-lg border border-line-strong bg-bg transition-colors focus-within:border-transparent focus-within:outline-2 focus-within:outline-focus">
        <AttachedRow agentId={agentId} place={place} />
        <div className="relative">
          <textarea
            ref={input}
            data-composer={matches.length > 0 && isOpen ? "choosing" : "writing"}
            rows={1}
            value={text}
            onChange={(event) => edit(event.target.value)}
            onKeyDown={completion.press}
            onPaste={(event) => {
              const { files: pasted, folders } = filesIn(event.clipboardData);
              // A table or a page is copied as a picture, too: its text is what was meant.
              if (pasted.length + folders.length === 0 || event.clipboardData.types.includes("text/plain"))
                return;
              event.preventDefault();
              attach(place, pasted, folders);
            }}
            placeholder={t("conversation.placeholder", { agent: agentName })}
            aria-label={t("conversation.message", { agent: agentName })}
            aria-controls={matches.length > 0 && isOpen ? `${id}-commands` : undefined}
            aria-activedescendant={matches.length > 0 && isOpen ? `${id}-commands-${active}` : undefined}
            aria-autocomplete="list"
            aria-describedby={hint === "" ? undefined : `${id}-hint`}
            className="relative block field-sizing-content max-h-40 min-h-10 w-full resize-none rounded-lg bg-transparent px-3.5 pt-2.5 pb-1.5 outline-none placeholder:text-hint"
          />
          {hint !== "" && (
            <div className="pointer-events-none absolute inset-0 overflow-hidden px-3.5 pt-2.5 break-words whitespace-pre-wrap">
              <span aria-hidden="true" className="invisible">
                {text}
              </span>
              <span id={`${id}-hint`} className="text-hint">
                {hint}
              </span>
            </div>
          )}
        </div>
        <div className="flex items-center gap-0.5 px-1.5 pb-1.5">
          <AttachButton onFiles={(chosen) => attach(place, chosen)} />
          <ResourceButton agentId={agentId} place={place} />
          <div className="flex min-w-0 flex-1 items-center gap-0.5">{foot}</div>
          {running ? (
            <IconButton
              label={t("conversation.stop")}
              className="size-7 bg-ink text-bg hover:bg-ink/80 hover:text-bg"
              onClick={onStop}
            >
              <Square className="size-3 fill-current" aria-hidden="true" />
            </IconButton>
          ) : (
            <IconButton
              type="submit"
              label={t("conversation.send")}
              className="size-7 enabled:bg-ink enabled:text-bg enabled:hover:bg-ink/80 enabled:hover:text-bg"
              disabled={isEmpty}
            >
              <ArrowUp className="size-4" aria-hidden="true" />
            </IconButton>
          )}
        </div>
      </div>
    </form>
  );
}

function AttachButton({ onFiles }: { onFiles(files: File[]): void }) {
  const { t } = useTranslation();
  const chooser = useRef<HTMLInputElement>(null);
  return (
    <>
      <input
        ref={chooser}
        type="file"
        multiple
        tabIndex={-1}
        aria-hidden="true"
        className="hidden"
        onChange={({ currentTarget }) => {
          onFiles([...(currentTarget.files ?? [])]);
          // The same file may be chosen again.
          currentTarget.value = "";
        }}
      />
      <IconButton
        label={t("conversation.attach")}
        className="size-7"
        onClick={() => chooser.current?.click()}
      >
        <Paperclip className="size-4" aria-hidden="true" />
      </IconButton>
    </>
  );
}
