import type { ContentPart } from "../contract/index.ts";
import { readUntil } from "../main/base/read-until.ts";
import type { CliContext, Client } from "./context.ts";

interface AskedCall {
  agentId: string;
  name: string;
  input: Record<string, unknown>;
  sessionId: string | undefined;
  yes: boolean;
  straight: boolean;
}

/**
 * Calls a tool and shows what it says as it comes. At a terminal that is the beginning of the answer, of which then only the
 * rest is printed; elsewhere it goes to stderr, and the answer to stdout, whole.
 */
export async function callTool(
  context: CliContext,
  client: Client,
  asked: AskedCall,
  signal: AbortSignal,
): Promise<undefined> {
  const { output } = context;
  let shown = "";
  for await (const event of readUntil(await client.tools.run(asked, { signal }), signal)) {
    if (event.type === "progress") {
      const text = event.text.endsWith("\n") ? event.text : `${event.text}\n`;
      shown += text;
      if (output.isSeen) output.stream(text);
      else if (!output.json) output.note(text.slice(0, -1));
      continue;
    }
    // Whoever attends the command asks about approvals.
    if (event.type === "approval") continue;
    const { type: _done, ...answer } = event;
    output.result(answer, () => {
      // The end of the line is added where it is printed.
      const text = contentText(answer.content).replace(/\n$/, "");
      return output.isSeen ? restOf(text, shown) : text;
    });
    return;
  }
  signal.throwIfAborted();
}

/** What of the text was not shown yet; all of it when what was shown is not its beginning. */
function restOf(text: string, shown: string): string {
  const seen = shown.trimEnd();
  return seen !== "" && text.startsWith(seen)
    ? text
        .slice(seen.length)
        .replace(/^\s*\n/, "")
        .trimEnd()
    : text;
}

function contentText(content: readonly ContentPart[]): string {
  return content
    .map((part) =>
      part.type === "text" ? part.text : `[${part.mimeType}, ${part.data.length} characters of base64]`,
    )
    .join("\n");
}
