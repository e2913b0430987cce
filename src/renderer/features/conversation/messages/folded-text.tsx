import { useState } from "react";
import { useTranslation } from "react-i18next";
import { formatBytes } from "../../../base/i18n/time.ts";

/** Longer texts show this much of themselves first, in characters. */
const shownFirst = 2_000;
/** What is a little longer is not worth a button. */
const longest = 4_000;

/** A message as it was typed. A long paste shows its beginning and says how long it is. */
export function FoldedText({ text }: { text: string }) {
  const { t } = useTranslation();
  const [open, setOpen] = useState(false);
  if (text.length <= longest) return text;
  return (
    <>
      {open ? text : `${text.slice(0, shownFirst).trimEnd()}…`}
      <button
        type="button"
        aria-expanded={open}
        onClick={() => setOpen(!open)}
        className="mt-1.5 block rounded-sm text-sm font-semibold underline underline-offset-3"
      >
        {open
          ? t("conversation.showLess")
          : t("conversation.showAll", { size: formatBytes(new TextEncoder().encode(text).length) })}
      </button>
    </>
  );
}
