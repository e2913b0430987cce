import { useTranslation } from "react-i18next";
import type { Consent } from "../../../../contract/job.ts";
import { useMirror } from "../../../store/mirror.ts";
import { cx } from "../../../ui/class-names.ts";
import { InstallCommand, WallLine } from "../../permissions/public.ts";

/** What holds the plugin to what it asks for on this computer, and what that means; where nothing does, the way out. */
export function HeldNote({ consent: { runtime, asks, enforcement } }: { consent: Consent }) {
  const { t } = useTranslation();
  const walls = useMirror((state) => state.walls);
  const unwalled = useMirror((state) => state.settings?.unwalled === true);
  const { enforced } = asks;
  const stands = walls?.stands === true;
  const words = heldWords(runtime, asks);
  return (
    <section
      className={cx(
        "rounded-lg border px-4 py-3 text-sm",
        enforced ? "border-line bg-sunk" : "border-warn/35 bg-warn-wash",
      )}
    >
      <WallLine enforced={enforced} />
      <p className="mt-1 pl-6.5 text-pretty">
        {words ? t(words) : <span lang="en">{enforcement}</span>}{" "}
        {!enforced && !stands && !unwalled && t("consent.held.waits")}
      </p>
      {!enforced && !stands && walls?.command && (
        <div className="mt-2 pl-6.5">
          <InstallCommand command={walls.command} />
        </div>
      )}
    </section>
  );
}

/** Null for plugin systems that the screens do not know: those say themselves what they enforce. */
function heldWords(runtime: Consent["runtime"], { enforced, sandboxed, programs, hosts }: Consent["asks"]) {
  const known = ["native", "fledge", "flowly", "dirge", "mcp"];
  if (!known.includes(runtime)) return null;
  // A server at an address is no program here; it is held by which of its tools an agent may use.
  if (runtime === "mcp" && programs === false) return "consent.held.mcpRemote";
  if (!enforced) return "consent.held.not";
  if (runtime === "native") return "consent.held.native";
  if (runtime === "flowly") return "consent.held.flowly";
  if (runtime === "dirge") return "consent.held.dirge";
  if (runtime === "mcp") return "consent.held.mcp";
  // WebAssembly of fledge is held by its own system, with walls and without; the commands that it asks for are not.
  if (sandboxed) return programs ? "consent.held.selfRuns" : "consent.held.self";
  return hosts === "any" ? "consent.held.fledge" : "consent.held.fledgeAsked";
}
