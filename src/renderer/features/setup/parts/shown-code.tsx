import { useTranslation } from "react-i18next";
import { cx } from "../../../ui/class-names.ts";
import { CopyButton } from "../../../ui/controls/copy-button.tsx";

/** A code to type elsewhere, large enough to be read off across a desk. */
export function ShownCode({ code, spent }: { code: string; spent: boolean }) {
  const { t } = useTranslation();
  return (
    <div className="flex w-fit max-w-full items-center gap-4 rounded-lg border border-line bg-sunk py-4 pr-3 pl-6">
      <output
        aria-label={t("setup.codeLabel")}
        className={cx(
          "font-mono text-hero font-semibold tracking-[0.08em] break-all select-all",
          spent && "text-hint line-through",
        )}
      >
        {code}
      </output>
      {!spent && <CopyButton text={() => code} label={t("setup.copyCode")} />}
    </div>
  );
}
