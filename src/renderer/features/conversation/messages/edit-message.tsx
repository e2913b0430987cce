import { useEffect, useRef, useState } from "react";
import { useTranslation } from "react-i18next";
import type { Attached } from "../../../../contract/conversation/attached.ts";
import { Button } from "../../../ui/controls/button.tsx";
import { MessageFiles } from "../files/message-files.tsx";
import type { UserItem } from "../items.ts";

interface EditMessageProps {
  item: UserItem;
  place: { agentId: string; sessionId: string | null };
  isBusy: boolean;
  onSend(text: string, attachments: readonly Attached[]): void;
  onClose(): void;
}

/** A message of the person's, in place of which another one is written. */
export function EditMessage({ item, place, isBusy, onSend, onClose }: EditMessageProps) {
  const { t } = useTranslation();
  const [text, setText] = useState(item.text);
  const [files, setFiles] = useState(item.attachments ?? []);
  const field = useRef<HTMLTextAreaElement>(null);
  const isEmpty = text.trim() === "" && files.length === 0;
  useEffect(() => {
    field.current?.focus();
    field.current?.setSelectionRange(item.text.length, item.text.length);
  }, [item.text]);
  const send = () => {
    if (!isEmpty && !isBusy)
      onSend(
        text.trim(),
        files.map(({ file }) => ({ kept: file })),
      );
  };
  return (
    <form
      aria-label={t("conversation.editing")}
      onSubmit={(event) => {
        event.preventDefault();
        send();
      }}
      className="ml-8 rounded-lg border border-line-strong bg-bg p-1.5 focus-within:border-transparent focus-within:outline-2 focus-within:outline-focus"
    >
      <div className="px-1.5 pt-1.5 empty:hidden">
        <MessageFiles
          files={files}
          place={place}
          onRemove={(name) => setFiles(files.filter(({ file }) => file !== name))}
        />
      </div>
      <textarea
        ref={field}
        value={text}
        onChange={(event) => setText(event.target.value)}
        onKeyDown={(event) => {
          if (event.nativeEvent.isComposing) return;
          if (event.key === "Escape") {
            event.stopPropagation();
            onClose();
          } else if (event.key === "Enter" && !event.shiftKey) {
            event.preventDefault();
            send();
          }
        }}
        aria-label={t("conversation.editedText")}
        className="block field-sizing-content max-h-80 min-h-9 w-full resize-none bg-transparent px-2 py-1.5 outline-none"
      />
      <div className="flex flex-wrap items-center justify-end gap-1.5">
        <p className="min-w-40 flex-1 pl-2 text-xs text-pretty text-mute">{t("conversation.oldStays")}</p>
        <Button size="sm" look="quiet" onClick={onClose}>
          {t("common.cancel")}
        </Button>
        <Button size="sm" type="submit" look="accent" disabled={isEmpty || isBusy}>
          {t("conversation.send")}
        </Button>
      </div>
    </form>
  );
}
