import { format } from "node:util";
import type { HostPort } from "../../hosted/node/port.ts";
import { currentCall } from "../../hosted/node/requests.ts";
import { LineSplitter, LogBudget } from "../../hosted/output-lines.ts";

const ways = {
  log: { level: "info", output: "stdout" },
  info: { level: "info", output: "stdout" },
  debug: { level: "info", output: "stdout" },
  warn: { level: "error", output: "stderr" },
  error: { level: "error", output: "stderr" },
} as const;

/** What a line counts beside its text. */
const LINE_COST = 256;

/**
 * From now on, lines that plugin code prints by `console` during a call are sent as log lines with the call's id. They take
 * the same way as the call's answer, so they arrive before it.
 *
 * Printed as always are lines outside of calls, because a process that ends at once still gets them out, and what exceeds
 * 1 MiB a second, because a full pipe slows its writer down, while messages would fill the memory.
 */
export function sendConsoleLines(port: HostPort): void {
  const budget = new LogBudget();
  for (const name of Object.keys(ways) as (keyof typeof ways)[]) {
    const { level, output } = ways[name];
    const print = console[name].bind(console);
    console[name] = (...args: unknown[]) => {
      const during = currentCall.getStore();
      if (during === undefined) return print(...args);
      const text = format(...args);
      if (!budget.take(text.length + LINE_COST)) return print(text);
      const lines = new LineSplitter((line) => port.post({ t: "log", level, text: line, during, output }));
      lines.push(Buffer.from(`${text}\n`));
    };
  }
}
