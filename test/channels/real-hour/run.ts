/**
 * `npm run hour`: an hour of cuts and kills by the clock, with 200 conversations on each of several real servers at the
 * same time. Ends with 1 when something was lost, came twice more often than promised, or came in a wrong order.
 */
import { existsSync } from "node:fs";
import { parseArgs } from "node:util";
import type { Crowd } from "../crowd.ts";
import { Inspircd } from "../irc/inspircd.ts";
import { IrcCrowd } from "../irc/irc-crowd.ts";
import { Ngircd } from "../irc/ngircd.ts";
import { XmppCrowd } from "../xmpp/xmpp-crowd.ts";
import { type HourResult, realHour } from "./real-hour.ts";

const servers: Record<string, (people: number) => Promise<Crowd>> = {
  ngircd: async (people) => IrcCrowd.open(people, await Ngircd.open("", true)),
  inspircd: async (people) => IrcCrowd.open(people, await Inspircd.open()),
  prosody: (people) => XmppCrowd.open({ server: "prosody", people }),
  ejabberd: (people) => XmppCrowd.open({ server: "ejabberd", people }),
  "prosody-without-archive": (people) => XmppCrowd.open({ server: "prosody", people, archive: false }),
};

const { values } = parseArgs({
  options: {
    minutes: { type: "string", default: "60" },
    conversations: { type: "string", default: "200" },
    /** Seconds between two messages of a conversation. */
    every: { type: "string", default: "60" },
    on: { type: "string", default: "ngircd,inspircd,prosody,ejabberd" },
  },
});
const chosen = values.on.split(",");
const unknown = chosen.filter((name) => servers[name] === undefined);
if (unknown.length > 0 || !existsSync("out/plugins/xmpp")) {
  console.error(
    unknown.length > 0
      ? `There is no ${unknown.join(", ")}; there are ${Object.keys(servers).join(", ")}.`
      : "Run npm run build first.",
  );
  process.exit(2);
}

const results = await Promise.all(
  chosen.map(async (name): Promise<[string, HourResult | Error]> => {
    const tell = (line: string) => console.log(`${new Date().toISOString().slice(11, 19)} ${name}: ${line}`);
    try {
      const crowd = await (servers[name] as (people: number) => Promise<Crowd>)(Number(values.conversations));
      tell(`${crowd.size} conversations.`);
      const options = { minutes: Number(values.minutes), every: Number(values.every), tell };
      return [name, await realHour(crowd, options)];
    } catch (error) {
      return [name, error instanceof Error ? error : new Error(String(error))];
    }
  }),
);

console.table(
  Object.fromEntries(
    results.map(([name, result]) => [
      name,
      result instanceof Error
        ? { failed: result.message.slice(0, 200) }
        : {
            said: result.said,
            lost: result.lost.length,
            "came again": result.repeated,
            "more often than promised": result.tooOften.length,
            "in a wrong order": result.outOfOrder.length,
            incidents: result.incidents,
            "median ms": result.times.median,
            "95% ms": result.times.late,
            "longest ms": result.times.longest,
          },
    ]),
  ),
);
for (const [name, result] of results) {
  if (result instanceof Error) console.error(`${name}: ${result.stack}`);
  else if (isBad(result)) {
    const { lost, tooOften, outOfOrder } = result;
    console.error(name, JSON.stringify({ lost: lost.slice(0, 20), tooOften, outOfOrder }));
  }
}
const failed = results.filter(([, result]) => result instanceof Error || isBad(result)).length;
console.log(`${results.length - failed} passed, ${failed} failed`);
process.exit(failed === 0 ? 0 : 1);

function isBad({ lost, tooOften, outOfOrder }: HourResult): boolean {
  return lost.length + tooOften.length + outOfOrder.length > 0;
}
