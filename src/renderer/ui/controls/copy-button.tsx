import { Check, Copy } from "lucide-react";
import { useEffect, useState } from "react";
import { useTranslation } from "react-i18next";
import { cx } from "../class-names.ts";
import { Button, IconButton } from "./button.tsx";

const shownMs = 1_600;

interface CopyButtonProps {
  text(): string;
  label?: string;
  /** The sign alone; the label is read out and shown as a hint. */
  bare?: boolean;
  className?: string;
}

export function CopyButton({ text, label, bare, className }: CopyButtonProps) {
  const { t } = useTranslation();
  const [state, setState] = useState<"idle" | "copied" | "failed">("idle");

  useEffect(() => {
    if (state === "idle") return;
    const timer = setTimeout(() => setState("idle"), shownMs);
    return () => clearTimeout(timer);
  }, [state]);

  const copy = () =>
    navigator.clipboard.writeText(text()).then(
      () => setState("copied"),
      () => setState("failed"),
    );

  const words = {
    idle: label ?? t("common.copy"),
    copied: t("common.copied"),
    failed: t("common.copyFailed"),
  };
  const icon =
    state === "copied" ? (
      <Check className="size-3.5" aria-hidden="true" />
    ) : (
      <Copy className="size-3.5" aria-hidden="true" />
    );
  if (bare)
    return (
      <IconButton label={words[state]} className={cx("size-7", className)} onClick={copy}>
        {icon}
        <span className="sr-only" aria-live="polite">
          {state === "idle" ? "" : words[state]}
        </span>
      </IconButton>
    );
  return (
    <Button look="quiet" size="sm" className={className} onClick={copy} icon={icon}>
      <span aria-live="polite">{words[state]}</span>
    </Button>
  );
}
