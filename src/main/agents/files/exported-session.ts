import {
  pathOf,
  type Session,
  type SessionEntry,
  type StoredAttachment,
  withoutAttachments,
} from "../../../contract/index.ts";
import type { SecretLookup } from "../ports.ts";
import { redactDeep } from "../redact.ts";
import type { LiveSession } from "../sessions/session.ts";
import { safeName } from "./attachments.ts";

/** Version of the exported JSON. */
const version = 1;

export interface ExportedSession {
  fileName: string;
  mimeType: string;
  text: string;
}

/**
 * A conversation as a file: Markdown of what stands in it now, or JSON with every line of it. Secrets that are stored now are taken out,
 * also those that were not stored yet when they were said.
 */
export function exportedSession(
  session: Pick<LiveSession, "view" | "entries">,
  format: "markdown" | "json",
  secrets: Pick<SecretLookup, "redact" | "hasNone">,
): ExportedSession {
  const view = redactDeep(session.view, secrets);
  const entries = redactDeep([...session.entries], secrets);
  const name = safeName(view.title).replace(/\s+/g, " ").slice(0, 60).trim() || "conversation";
  if (format === "json") {
    const text = `${JSON.stringify({ version, session: view, entries }, null, 2)}\n`;
    return { fileName: `${name}.json`, mimeType: "application/json", text };
  }
  return { fileName: `${name}.md`, mimeType: "text/markdown", text: markdownOf(view, entries) };
}

function markdownOf({ title, createdAt, updatedAt }: Session, entries: readonly SessionEntry[]): string {
  const parts = pathOf(entries).flatMap((entry) => partOf(entry) ?? []);
  const head = `# ${oneLine(title)}\n\nBegun ${minute(createdAt)}, last change ${minute(updatedAt)} (UTC).`;
  return `${[head, ...parts].join("\n\n")}\n`;
}

/** What the export says of a line; null for lines that say nothing to a reader. */
function partOf(entry: SessionEntry): string | null {
  switch (entry.type) {
    case "user":
    case "heard": {
      const { text, attachments, at, caller } = entry;
      const by = entry.type === "user" ? entry.by : undefined;
      const who = by ?? (caller.kind === "channel" ? oneLine(caller.userId) : "You");
      return said(who, at, withoutAttachments(text, attachments), attachments);
    }
    case "assistant":
      return entry.text === "" ? callsOf(entry) : said("Agent", entry.at, entry.text) + after(callsOf(entry));
    case "tool_result": {
      const texts = entry.content.map((part) =>
        part.type === "text" ? part.text : `(picture, ${part.mimeType})`,
      );
      return `**${entry.tool}** ${outcomes[entry.outcome]}:\n\n${fenced(texts.join("\n"))}`;
    }
    case "command":
      return `## Command · ${minute(entry.at)}\n\n${fenced([entry.text, entry.output].filter(Boolean).join("\n"))}`;
    case "steer":
      return said(entry.owner, entry.at, entry.text);
    case "sent":
      return said("Sent", entry.at, entry.text);
    case "compaction":
      return `## Earlier messages, summed up\n\n${entry.summary}`;
    case "turn_end":
      if (entry.outcome === "done") return null;
      return entry.outcome === "aborted"
        ? "*Stopped.*"
        : `*Failed: ${oneLine(entry.problem?.message ?? "")}*`;
    case "session":
    case "answer":
    case "plugin":
    case "title":
    case "branch":
    case "label":
    case "pin":
    case "about":
    case "closed":
      return null;
  }
}

const outcomes = {
  executed: "answered",
  failed: "failed",
  vetoed: "was blocked by a plugin",
  denied: "was forbidden by a rule",
  rejected: "was not allowed",
  timed_out: "took too long",
};

function said(who: string, at: string, text: string, attachments: readonly StoredAttachment[] = []): string {
  const files = attachments.map(({ name, mimeType }) => `- Attached: ${oneLine(name)} (${mimeType})`);
  return [`## ${who} · ${minute(at)}`, text, files.join("\n")].filter((part) => part !== "").join("\n\n");
}

function callsOf({ toolCalls }: Extract<SessionEntry, { type: "assistant" }>): string | null {
  if (toolCalls.length === 0) return null;
  return toolCalls
    .map(
      ({ name, arguments: input }) =>
        `**${name}** was called with:\n\n${fenced(JSON.stringify(input, null, 2), "json")}`,
    )
    .join("\n\n");
}

function after(text: string | null): string {
  return text === null ? "" : `\n\n${text}`;
}

/** Text in a fence that is longer than any fence within. */
function fenced(text: string, language = ""): string {
  const longest = Math.max(2, ...[...text.matchAll(/`{3,}/g)].map(([fence]) => fence.length));
  const fence = "`".repeat(longest + 1);
  return `${fence}${language}\n${text}\n${fence}`;
}

function minute(at: string): string {
  return at.slice(0, 16).replace("T", " ");
}

function oneLine(text: string): string {
  return text.replaceAll(/\s+/g, " ").trim();
}
