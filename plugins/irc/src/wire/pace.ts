import type { Pace } from "./flood.ts";

/** What is safe everywhere: the rule of the first servers, one line in two seconds. */
const careful: Pace = { burst: 4, everyMs: 2_000 };

/**
 * What servers take by their own defaults before they hold lines back or end the connection, by the name of their software.
 * Commands that are no lines of text count, too, so each is a little less.
 */
const known: readonly [RegExp, Pace][] = [
  // MaxPenaltyTime; ten commands a second are read.
  [/^ngircd/i, { burst: 8, everyMs: 250 }],
  // <connect:threshold> 10, <connect:commandrate> 1000.
  [/^inspircd/i, { burst: 8, everyMs: 1_000 }],
  // fakelag: five at once, then two in a second.
  [/^(?:ergo|oragono)/i, { burst: 5, everyMs: 600 }],
  // client_flood_burst_max 5, client_flood_message_num 2 a second.
  [/^(?:solanum|charybdis|ircd-seven)/i, { burst: 5, everyMs: 750 }],
  // One command a second, with room for some.
  [/^unreal/i, { burst: 5, everyMs: 1_000 }],
];

/**
 * The pace for a connection: what the settings say, else what suits the server.
 *
 * @param settings 0: as the network likes it
 * @param software as the server names it (004)
 * @param slower how many times slower, because the server complained before
 */
export function paceOf(
  settings: { burst: number; linesPerMinute: number },
  software: string,
  slower: number,
): Pace {
  const usual = known.find(([name]) => name.test(software))?.[1] ?? careful;
  return {
    burst: Math.max(1, Math.floor((settings.burst || usual.burst) / slower)),
    everyMs: (settings.linesPerMinute > 0 ? 60_000 / settings.linesPerMinute : usual.everyMs) * slower,
  };
}
