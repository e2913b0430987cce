import {
  type Approval,
  type ApprovalDecision,
  type Dialog,
  type DialogAnswer,
  PatchbayError,
  problemFromWire,
} from "../contract/index.ts";
import { readUntil } from "../main/base/read-until.ts";
import { whereIs } from "../main/store/address.ts";
import type { CliContext, Client, Connection } from "./context.ts";
import { askApproval, callWords } from "./waiting/call-words.ts";
import { aboutInShort, answerText, askDialog, defaultOf } from "./waiting/dialog-answers.ts";
import { unansweredHelp, waitingNote } from "./waiting/dialog-words.ts";
import { isGone, isTaken, untilTaken } from "./waiting/until-taken.ts";

export interface AttendOptions {
  agentId: string;
  /** The person allowed everything in advance, and leaves the questions of plugins to their defaults. */
  yes: boolean;
  /** Where nobody is here but another Patchbay runs, the questions of plugins wait there. */
  wait: boolean;
}

/** A plugin's question that got its default, because nobody was asked. */
interface AnsweredByDefault {
  pluginKey: string;
  question: string;
  /** In words: the texts of the options, yes or no. */
  answer: string;
}

/**
 * Answers the agent's questions while `work` runs. At a terminal the person is asked. With `--yes` calls are allowed. Where
 * nobody is asked, plugins' questions get their defaults, and one without a default goes unanswered. When another
 * Patchbay runs, calls to allow and hosts to reach are left to its screens, with `--wait` the questions of plugins too, and
 * the person is told where they wait.
 *
 * @returns what `work` resolves with; the command's document gets `answeredByDefault`, the questions that got their defaults
 * @throws PatchbayError what `work` throws; TOOL_FAILED when it failed and a question went unanswered
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
  } catch (error) {
    throw await attendant.explained(error);
  } finally {
    over.abort();
    await watching;
  }
}

const never = new Promise<never>(() => {});

class Attendant {
  private readonly answeredByDefault: AnsweredByDefault[] = [];
  private readonly context: CliContext;
  private readonly client: Client;
  private readonly connection: Connection;
  private readonly options: AttendOptions;
  private readonly signal: AbortSignal;
  /** The questions that were seen, each with what takes it back from the terminal. */
  private readonly seen = new Map<string, AbortController>();
  private unanswered: Dialog | undefined;
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
        if (change.type === "drop" && change.collection === "dialogs") this.seen.get(change.id)?.abort();
        if (change.type !== "put") continue;
        if (change.collection === "approvals") this.approval(change.item);
        if (change.collection === "dialogs")
          this.once(change.item, (signal) => this.answer(change.item, signal));
      }
    }
  }

  /** Says of a failure that it comes from a question that nobody answered, if so. */
  async explained(error: unknown): Promise<unknown> {
    if (!this.unanswered || this.context.signal.aborted) return error;
    const { pluginKey, agentId, question } = this.unanswered;
    const { code, details } = problemFromWire(error);
    const row = await this.client.agentPlugins.get({ agentId, key: pluginKey }).catch(() => null);
    return new PatchbayError(
      code === "ABORTED" ? "TOOL_FAILED" : code,
      `${pluginKey} asked “${question.message}”, which has no default, and nobody is here to answer.`,
      {
        help: unansweredHelp({ agentId, pluginKey, runtime: row?.plugin?.runtime }),
        cause: error,
        ...(details && { details }),
      },
    );
  }

  private approval(approval: Approval): void {
    if (approval.status === "waiting") this.once(approval, (signal) => this.decide(approval, signal));
    else this.seen.get(approval.id)?.abort();
  }

  /** Handles each question of this agent once, and one after the other. */
  private once(
    { id, agentId }: { id: string; agentId: string },
    put: (signal: AbortSignal) => Promise<void>,
  ): void {
    if (agentId !== this.options.agentId || this.seen.has(id)) return;
    const closed = new AbortController();
    this.seen.set(id, closed);
    const signal = AbortSignal.any([this.signal, closed.signal]);
    this.queue = this.queue
      .then(() => (signal.aborted ? undefined : put(signal)))
      .catch((error: unknown) => {
        // The work is over, or the person has stopped it.
        if (this.signal.aborted) return;
        const { code, message } = problemFromWire(error);
        const gone = closed.signal.aborted || isGone(code);
        this.context.output.note(gone ? "That question is no longer open." : `▲ ${message}`);
      });
  }

  private async decide(approval: Approval, signal: AbortSignal): Promise<void> {
    const { id, title } = approval;
    const decide = (answer: ApprovalDecision) => this.client.approvals.decide({ id, answer });
    if (this.options.yes) {
      await decide({ decision: "allow", scope: "once" });
      return;
    }
    if (!this.canAsk) {
      if (this.connection.alone) {
        const reason = "Nobody could be asked. Run it again at a terminal, or with --yes.";
        await decide({ decision: "deny", reason });
      } else this.waitsElsewhere(title, `patchbay approval review ${id} --allow`);
      return;
    }
    const { output, terminal } = this.context;
    const changed = approval.changedBy.length > 0 ? ` (changed by ${approval.changedBy.join(", ")})` : "";
    output.note(`\n▲ ${title} wants to run${changed}:\n${callWords(approval)}`);
    await untilTaken(output, signal, () => askApproval(terminal, approval, signal), decide);
  }

  private async answer(dialog: Dialog, signal: AbortSignal): Promise<void> {
    const { id, pluginKey, about, question } = dialog;
    const answer = (given: DialogAnswer) => this.client.dialogs.answer({ id, answer: given });
    // With `--yes` a plugin's questions get their defaults; whether it may reach a host is never agreed to in advance.
    if (this.canAsk && (about || !this.options.yes)) {
      try {
        await untilTaken(
          this.context.output,
          signal,
          (again) => askDialog(this.context, dialog, signal, again),
          answer,
        );
      } catch (error) {
        // Whoever stops the command has cancelled the question.
        if (this.context.signal.aborted) await answer(null);
        throw error;
      }
      return;
    }
    if (!this.connection.alone && (about || (this.options.wait && !this.options.yes))) {
      const asks = about ? aboutInShort(about, "it") : question.message;
      this.waitsElsewhere(`${pluginKey} asks “${asks}” and`, `patchbay dialog answer ${id} <answer>`);
      return;
    }
    const fallback = defaultOf(dialog);
    if (fallback !== undefined && (await isTaken(answer(fallback)))) {
      const shown = answerText(question, fallback);
      this.answeredByDefault.push({ pluginKey, question: question.message, answer: shown });
      this.context.output.add({ answeredByDefault: this.answeredByDefault });
      this.context.output.note(
        `▲ ${pluginKey} asked “${question.message}”; nobody is here, so it got its default: ${shown}`,
      );
      return;
    }
    if (!about) this.unanswered = dialog;
    await answer(null);
  }

  private waitsElsewhere(what: string, command: string): void {
    this.context.output.note(waitingNote(what, whereIs(this.context.store)?.url, command));
  }

  private get canAsk(): boolean {
    return this.context.terminal.interactive && !this.context.output.json;
  }
}
