import type { Approval, Dialog, DialogAnswer, DialogSubject } from "../contract/index.ts";
import { cleanJson } from "../contract/shown/clean-text.ts";
import type { CliContext, Client, Connection } from "./context.ts";
import { readUntil } from "./terminal/read-until.ts";

export interface AttendOptions {
  agentId: string;
  /** The person allowed everything in advance. */
  yes: boolean;
}

/**
 * Answers the agent's questions while `work` runs: with `--yes` by allowing, at a terminal by asking the person. With
 * neither, a question is refused at once when this process holds the core itself, because nobody else could answer;
 * otherwise it is left to the running app's screens.
 */
export async function attended<T>(
  context: CliContext,
  client: Client,
  connection: Connection,
  options: AttendOptions,
  work: (signal: AbortSignal) => Promise<T>,
): Promise<T> {
  // Asked for before the work begins: in the middle of it a call would wait while nobody is told.
  if (options.yes && !connection.alone) await client.access.prepare();
  const over = new AbortController();
  const signal = AbortSignal.any([over.signal, context.signal]);
  const attendant = new Attendant(context, client, connection, options, signal);
  const events = await client.app.events({}, { signal });
  const watching = attendant.watch(events).catch((error: unknown) => {
    if (!signal.aborted) throw error;
  });
  try {
    return await Promise.race([work(context.signal), watching.then(() => never)]);
  } finally {
    over.abort();
    await watching;
  }
}

const never = new Promise<never>(() => {});

const scopes = new Map<string, "once" | "session" | "always">([
  ["y", "once"],
  ["s", "session"],
  ["a", "always"],
]);

class Attendant {
  private readonly context: CliContext;
  private readonly client: Client;
  private readonly connection: Connection;
  private readonly options: AttendOptions;
  private readonly signal: AbortSignal;
  private readonly seen = new Set<string>();
  private queue: Promise<void> = Promise.resolve();

  constructor(
    context: CliContext,
    client: Client,
    connection: Connection,
    options: AttendOptions,
    signal: AbortSignal,
  ) {
    this.context = context;
    this.client = client;
    this.connection = connection;
    this.options = options;
    this.signal = signal;
  }

  async watch(events: Awaited<ReturnType<Client["app"]["events"]>>): Promise<void> {
    for await (const event of readUntil(events, this.signal)) {
      if (event.type !== "changes") continue;
      for (const change of event.changes) {
        if (change.type !== "put") continue;
        if (change.collection === "approvals" && change.item.status === "waiting") this.approval(change.item);
        if (change.collection === "dialogs") this.dialog(change.item);
      }
    }
  }

  private approval(approval: Approval): void {
    this.once(approval, () => this.decide(approval));
  }

  private dialog(dialog: Dialog): void {
    this.once(dialog, () => this.answer(dialog));
  }

  /** Handles each question of this agent once, and one after the other. */
  private once(question: { id: string; agentId: string }, put: () => Promise<void>): void {
    if (question.agentId !== this.options.agentId || this.seen.has(question.id)) return;
    this.seen.add(question.id);
    this.queue = this.queue.then(put).catch(() => {
      // The question was answered elsewhere or timed out, or the work is over: nothing is left to do.
    });
  }

  private async decide(approval: Approval): Promise<void> {
    const { id } = approval;
    if (this.options.yes) {
      await this.client.approvals.decide({ id, answer: { decision: "allow", scope: "once" } });
      return;
    }
    if (!this.canAsk) {
      if (this.connection.alone) {
        const reason = "Nobody could be asked. Run it again at a terminal, or with --yes.";
        await this.client.approvals.decide({ id, answer: { decision: "deny", reason } });
      } else this.context.output.note(`${approval.title} waits for an answer in the running Patchbay.`);
      return;
    }
    const { output, terminal } = this.context;
    const changed = approval.changedBy.length > 0 ? ` (changed by ${approval.changedBy.join(", ")})` : "";
    output.note(
      `\n▲ ${approval.title} wants to run${changed}:\n  ${cleanJson(JSON.stringify(approval.arguments))}`,
    );
    const answer = await terminal.ask("Allow? [y]es, for this [s]ession, [a]lways, [N]o: ", this.signal);
    const scope = scopes.get(answer.charAt(0).toLowerCase());
    await this.client.approvals.decide({
      id,
      answer: scope ? { decision: "allow", scope } : { decision: "deny" },
    });
  }

  private async answer(dialog: Dialog): Promise<void> {
    if (!this.canAsk) {
      if (this.connection.alone) await this.client.dialogs.answer({ id: dialog.id, answer: null });
      else this.context.output.note(`${dialog.pluginKey} waits for an answer in the running Patchbay.`);
      return;
    }
    if (dialog.about) {
      await this.client.dialogs.answer({ id: dialog.id, answer: await this.askAbout(dialog, dialog.about) });
      return;
    }
    this.context.output.note(`\n▲ ${dialog.pluginKey} asks (${dialog.context}):`);
    await this.client.dialogs.answer({ id: dialog.id, answer: await this.askDialog(dialog) });
  }

  /** A question of Patchbay about a plugin. Whoever presses Enter has refused. */
  private async askAbout({ pluginKey }: Dialog, { host, place }: DialogSubject): Promise<DialogAnswer> {
    const { output, terminal } = this.context;
    const where = place === null ? host : `${host}, which is ${place}`;
    output.note(`\n▲ Patchbay asks: may the plugin ${pluginKey} reach ${where}?`);
    output.note("  It was not granted this host. What it sends there, Patchbay does not see.");
    const answer = await terminal.ask("Allow? until it [s]tops, [a]lways, [N]o: ", this.signal);
    const picked = answer.trim().charAt(0).toLowerCase();
    return picked === "s" ? "once" : picked === "a" ? "always" : "no";
  }

  private async askDialog({ question }: Dialog): Promise<DialogAnswer> {
    const { terminal, output } = this.context;
    switch (question.kind) {
      case "confirm":
        return terminal.confirm(question.message, this.signal);
      case "text":
        return question.secret
          ? terminal.secret(`${question.message} `, this.signal)
          : (await terminal.ask(`${question.message} `, this.signal)) || (question.default ?? "");
      case "select":
      case "multi_select": {
        question.options.forEach((option, index) => {
          output.note(`  ${index + 1}  ${option.label}`);
        });
        const picked = (await terminal.ask(`${question.message} `, this.signal))
          .split(/[\s,]+/)
          .map((number) => question.options[Number(number) - 1]?.value)
          .filter((value) => value !== undefined);
        return question.kind === "select" ? (picked[0] ?? null) : picked;
      }
    }
  }

  private get canAsk(): boolean {
    return this.context.terminal.interactive && !this.context.output.json;
  }
}
