import { scopeOutsideTurns } from "../runtimes/plugin-call.ts";
import { chatWords, englishOnly } from "./chat-words.ts";
import type { DialogStep, Dialogs } from "./dialogs.ts";
import type { AgentPool, ChatLanguages, LimitSource } from "./ports.ts";
import type { Sessions } from "./sessions/sessions.ts";

/** Most questions of which it is remembered that their chats were told. */
const MOST_TOLD = 1_000;

interface ChatQuestionsOptions {
  dialogs: Pick<Dialogs, "changes">;
  sessions: Pick<Sessions, "open">;
  pool: Pick<AgentPool, "call">;
  settings: LimitSource;
  languages?: ChatLanguages | undefined;
}

/**
 * Questions of plugins in turns that answer to a chat: forms, pages to open, and all others. Whoever writes there is not
 * proved to be the owner, and what a plugin says is no text for a chat. So the chat is told that a question waits, whose it is,
 * and where it is answered: once for a plugin in a turn.
 */
export function tellChatsOfQuestions(options: ChatQuestionsOptions): void {
  const told = new Set<string>();
  // A chat that cannot be told now goes without: the question stands in Patchbay all the same.
  options.dialogs.changes.on("step", (step) => void tell(step, told, options).catch(() => {}));
}

async function tell(
  { dialog, during: { turnId }, over }: DialogStep,
  told: Set<string>,
  { sessions, pool, settings, languages = englishOnly }: ChatQuestionsOptions,
): Promise<void> {
  const { agentId, pluginKey, sessionId, createdAt, expiresAt } = dialog;
  const once = `${turnId} ${pluginKey}`;
  if (over || turnId === null || sessionId === undefined || told.has(once)) return;
  told.add(once);
  const [oldest] = told;
  if (told.size > MOST_TOLD && oldest !== undefined) told.delete(oldest);
  const { source } = (await sessions.open(agentId, sessionId)).view;
  if (source.kind !== "channel" || source.channel === undefined || source.conversation === undefined) return;
  const minutes = Math.max(1, Math.round((Date.parse(expiresAt) - Date.parse(createdAt)) / 60_000));
  const text = chatWords(languages.of(agentId)).asksElsewhere(pluginKey, minutes);
  const scope = scopeOutsideTurns(new AbortController().signal, settings.get().limits.toolMs);
  const message = { sessionId, to: source.conversation, text };
  await pool.call(agentId, source.channel, { kind: "send", message }, scope);
}
