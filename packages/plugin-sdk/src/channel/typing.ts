import type { ChannelClock } from "./clock.ts";
import type { ChannelTransport } from "./transport.ts";

/** Shows "is typing" until the returned function is called. Failures do no harm and are ignored. */
export function keepTyping(
  { transport, clock }: { transport: ChannelTransport; clock: ChannelClock },
  conversation: string,
): () => void {
  const everyMs = transport.limits.typingEveryMs;
  if (!transport.typing || everyMs === undefined) return () => {};
  let callOff = () => {};
  const say = (on: boolean) => void transport.typing?.(conversation, on).catch(() => {});
  const next = () => {
    say(true);
    callOff = clock.after(everyMs, next);
  };
  next();
  return () => {
    callOff();
    say(false);
  };
}
