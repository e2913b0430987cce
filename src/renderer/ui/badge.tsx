import type { ReactNode } from "react";
import { useTranslation } from "react-i18next";
import type { RuntimeId, Trust } from "../../contract/plugin.ts";
import { useRuntimeName } from "../model/runtimes.ts";
import { cx } from "./class-names.ts";

export function Badge({ children, title }: { children: ReactNode; title?: string }) {
  return (
    <span
      title={title}
      className="inline-flex h-5 items-center rounded-sm bg-sunk px-1.5 text-xs whitespace-nowrap text-mute"
    >
      {children}
    </span>
  );
}

const runtimeTones: Record<RuntimeId, string | undefined> = {
  native: "border-native text-[var(--native-text)]",
  fledge: "border-fledge text-[var(--fledge-text)]",
  flowly: "border-flowly text-[var(--flowly-text)]",
  dirge: "border-dirge text-[var(--dirge-text)]",
  mcp: "border-mcp text-[var(--mcp-text)]",
};

export function RuntimeBadge({ runtime }: { runtime: RuntimeId }) {
  const name = useRuntimeName(runtime);
  return (
    <span
      className={cx(
        "inline-flex h-5 items-center rounded-sm border px-1.5 font-mono text-[11px] leading-none",
        runtimeTones[runtime] ?? "border-line-strong text-mute",
      )}
    >
      {name}
    </span>
  );
}

/** The name alone, for a chip that has a frame of its own. */
export function RuntimeName({ runtime }: { runtime: RuntimeId }) {
  return <span className="font-mono text-[11px]">{useRuntimeName(runtime)}</span>;
}

const trustTones: Record<Trust, string> = {
  "built-in": "text-ok border-ok/40",
  official: "text-ok border-ok/40",
  team: "text-[var(--native-text)] border-native/40",
  unverified: "text-warn border-warn/40",
  local: "text-mute border-line-strong",
};

export function TrustBadge({ trust }: { trust: Trust }) {
  const { t } = useTranslation();
  return (
    <span
      title={t(`trust.${trust}.help`)}
      className={cx(
        "inline-flex h-5 items-center rounded-full border px-2 text-xs font-medium whitespace-nowrap",
        trustTones[trust],
      )}
    >
      {t(`trust.${trust}`)}
    </span>
  );
}
