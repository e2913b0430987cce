import { TriangleAlert } from "lucide-react";
import { useTranslation } from "react-i18next";
import type { Advice } from "../../../contract/found/mcp-list.ts";
import { cx } from "../../ui/class-names.ts";
import { adviceText } from "./advice-words.ts";

/** What a source says against something of it, with what to do. */
export function AdviceNote({ advice, className }: { advice: Advice; className?: string }) {
  const { t } = useTranslation();
  const isBad = advice.status === "withdrawn";
  return (
    <p
      role="note"
      className={cx(
        "flex max-w-[72ch] items-start gap-2.5 rounded-md border px-3.5 py-2.5 text-sm break-words",
        isBad ? "border-bad/35 bg-bad-wash" : "border-warn/35 bg-warn-wash",
        className,
      )}
    >
      <TriangleAlert
        className={cx("mt-0.5 size-4 shrink-0", isBad ? "text-bad" : "text-warn")}
        aria-hidden="true"
      />
      {adviceText(advice, t)}
    </p>
  );
}
