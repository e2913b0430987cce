import {
  type Agent,
  type Language,
  PatchbayError,
  type TraceExport,
  type TraceFormat,
} from "../../../../contract/index.ts";
import type { Clock } from "../../../base/clock.ts";
import type { SecretLookup } from "../../ports.ts";
import { redactDeep } from "../../redact.ts";
import type { LiveSession } from "../../sessions/session.ts";
import { readWhole } from "../traces.ts";
import { jsonlOf } from "./jsonl.ts";
import { otlpOf } from "./otlp/otlp.ts";
import { pageOf } from "./page/page.ts";
import type { Exported } from "./whole-turn.ts";

/** Longest text of an export, in characters: what the screens and the command line can take at once. */
const LONGEST = 200_000_000;

export interface ExportServices {
  secrets: Pick<SecretLookup, "redact" | "hasNone">;
  clock: Pick<Clock, "now">;
  /** Of Patchbay. */
  version: string;
}

export interface ExportOrder {
  /** Absent: all turns of the conversation. */
  turnId?: string | undefined;
  as: TraceFormat;
  /** For OpenTelemetry: with what was said, asked and answered. The other formats always have it. */
  contents: boolean;
  /** Of the words on a page. */
  language: Language;
}

const kinds = {
  jsonl: { ending: "jsonl", mimeType: "application/jsonl" },
  otlp: { ending: "otlp.json", mimeType: "application/json" },
  html: { ending: "html", mimeType: "text/html" },
} as const;

/**
 * Recorded turns as a file. Stored secrets are taken out once more: some may have been stored after the record was written.
 * @throws PatchbayError TURN_NOT_FOUND, BAD_INPUT when it would be too long
 */
export async function exportTrace(
  session: Pick<LiveSession, "id" | "view" | "events">,
  agent: Pick<Agent, "id" | "name">,
  order: ExportOrder,
  services: ExportServices,
): Promise<TraceExport> {
  const exported = await exportedOf(session, agent, order.turnId, services);
  const text = textOf(exported, order);
  if (text.length > LONGEST) {
    throw new PatchbayError("BAD_INPUT", "The record of this conversation is too long for one file.", {
      help: "Export its turns one by one.",
    });
  }
  const { ending, mimeType } = kinds[order.as];
  const of = order.turnId ?? session.id;
  return { fileName: `patchbay-trace-${agent.id}-${of.slice(0, 13)}.${ending}`, mimeType, text };
}

/** What is exported of a conversation. @throws PatchbayError TURN_NOT_FOUND */
export async function exportedOf(
  session: Pick<LiveSession, "id" | "view" | "events">,
  agent: Pick<Agent, "id" | "name">,
  turnId: string | undefined,
  { secrets, clock, version }: ExportServices,
): Promise<Exported> {
  const turns = await readWhole(session, turnId);
  return redactDeep(
    {
      agent: { id: agent.id, name: agent.name },
      session: { id: session.id, title: session.view.title },
      turns,
      version,
      at: clock.now(),
    },
    secrets,
  );
}

function textOf(exported: Exported, { as, contents, language }: ExportOrder): string {
  switch (as) {
    case "jsonl":
      return jsonlOf(exported);
    case "otlp":
      return `${JSON.stringify(otlpOf(exported, contents), null, 2)}\n`;
    case "html":
      return pageOf(exported, language);
  }
}
