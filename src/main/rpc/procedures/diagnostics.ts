import type { Diagnostics } from "../../diagnostics/diagnostics.ts";
import type { KeptRows, SetAsideRows } from "../../registry/index.ts";
import type { AuditLog } from "../../store/index.ts";
import { done, procedures } from "../implementer.ts";

export interface DiagnosticsNeeds {
  setAside: Pick<SetAsideRows, "list">;
  kept: Pick<KeptRows, "accept" | "dismiss">;
  /** Starts and stops plugins as their rows say now. */
  settle(): Promise<void>;
  diagnostics: Pick<Diagnostics, "gather" | "text" | "archive" | "save">;
  audit: Pick<AuditLog, "record" | "verify">;
}

export function diagnosticsProcedures({ diagnostics, audit, setAside, kept, settle }: DiagnosticsNeeds) {
  const area = procedures.diagnostics;
  return {
    gather: area.gather.handler(() => diagnostics.gather()),
    text: area.text.handler(({ input: { id, name } }) => ({ text: diagnostics.text(id, name) })),
    archive: area.archive.handler(({ input: { id, leaveOut } }) => {
      const { fileName, bytes } = diagnostics.archive(id, leaveOut);
      audit.record({ kind: "diagnostics.exported", leaveOut });
      return new File([bytes], fileName, { type: "application/zip" });
    }),
    save: area.save.handler(async ({ input: { id, leaveOut } }) => {
      const path = await diagnostics.save(id, leaveOut);
      audit.record({ kind: "diagnostics.exported", leaveOut });
      return { path };
    }),
    verifyAudit: area.verifyAudit.handler(() => audit.verify()),
    setAside: area.setAside.handler(() => setAside.list()),
    acceptSetAside: area.acceptSetAside.handler(async ({ input }) => {
      await kept.accept(input.id);
      await settle();
      return done;
    }),
    dismissSetAside: area.dismissSetAside.handler(async ({ input }) => {
      await kept.dismiss(input.id);
      return done;
    }),
  };
}
