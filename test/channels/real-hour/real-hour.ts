import { setTimeout as wait } from "node:timers/promises";
import type { Crowd } from "../crowd.ts";
import { type Incident, incidentsOf } from "../incidents.ts";
import { ChannelWorld } from "../world.ts";

export interface HourOptions {
  minutes: number;
  /** Seconds from one message of a conversation to the next, on average. */
  every: number;
  /** Called once a minute, and at each incident, with a line about how it goes. */
  tell(line: string): void;
}

export interface HourResult {
  said: number;
  lost: string[];
  /** Answers that came again. */
  repeated: number;
  /** Conversations in which more came again than is allowed. */
  tooOften: string[];
  outOfOrder: string[];
  /** Milliseconds from a message to its answer: in the middle, of one in twenty, and the longest. */
  times: { median: number; late: number; longest: number };
  incidents: number;
}

interface Said {
  person: number;
  text: string;
  at: number;
  answeredAt: number | null;
}

/** Longest time, in milliseconds, until everything is answered when nobody says anything any more. */
const PATIENCE_MS = 5 * 60_000;
/** How often it is looked what was heard, in milliseconds; times are as exact as that. */
const LOOK_MS = 50;

/**
 * Minutes of real time with many conversations at once, in which connections are cut, processes killed and servers started
 * anew. Nothing waits for anything: where the platform keeps what is said, people go on talking meanwhile.
 */
export async function realHour(crowd: Crowd, options: HourOptions): Promise<HourResult> {
  const world = await ChannelWorld.open(crowd);
  world.patienceMs = PATIENCE_MS;
  try {
    return await new RealHour(world, crowd, options).run();
  } finally {
    await world.close();
  }
}

class RealHour {
  readonly #world: ChannelWorld;
  readonly #crowd: Crowd;
  readonly #options: HourOptions;
  readonly #said: Said[] = [];
  /** What each conversation waits to hear, by text. */
  readonly #waiting = new Map<string, Said>();
  /** How much of what each person heard was looked at. */
  readonly #looked: number[];
  readonly #over = new AbortController();
  /** While somebody holds it, people say nothing. */
  #quiet: Promise<void> | null = null;
  #speaking = 0;
  #incidents = 0;

  constructor(world: ChannelWorld, crowd: Crowd, options: HourOptions) {
    this.#world = world;
    this.#crowd = crowd;
    this.#options = options;
    this.#looked = Array.from({ length: crowd.size }, () => 0);
  }

  async run(): Promise<HourResult> {
    const { minutes, tell } = this.#options;
    const start = Date.now();
    const end = start + minutes * 60_000;
    // Many things are heard at once.
    const looking = setInterval(() => this.#look(), LOOK_MS);
    const telling = setInterval(() => tell(this.#progress(start)), 60_000);
    const talking = Array.from({ length: this.#crowd.size }, (_, person) => this.#talk(person, end));
    try {
      await this.#befall(start);
      await Promise.all(talking);
      tell(`Everything is said. ${this.#progress(start)}`);
      await this.#world
        .until(
          () =>
            `${this.#waiting.size} messages are answered, such as ${[...this.#waiting.keys()].slice(0, 3)}`,
          () => this.#allAnswered(),
        )
        .catch((error: Error) => tell(error.message.split("\n")[0] ?? ""));
      await this.#world.settled().catch((error: Error) => tell(error.message.split("\n")[0] ?? ""));
    } finally {
      this.#over.abort();
      clearInterval(telling);
      clearInterval(looking);
    }
    return this.#judge();
  }

  /** One person: says something, waits, and goes on whether it was answered or not. */
  async #talk(person: number, end: number): Promise<void> {
    const everyMs = this.#options.every * 1_000;
    for (let number = 0; ; number += 1) {
      const pause = number === 0 ? Math.random() * everyMs : everyMs * (0.5 + Math.random());
      await wait(pause, undefined, { signal: this.#over.signal }).catch(() => {});
      while (this.#quiet) await this.#quiet;
      if (Date.now() > end || this.#over.signal.aborted) return;
      const text = `p${person} says ${number}`;
      const said: Said = { person, text, at: Date.now(), answeredAt: null };
      this.#speaking += 1;
      try {
        // Their own connection may go with the server: then it counts as not said.
        await this.#crowd.sayAs(person, text);
        this.#said.push(said);
        if (!this.#crowd.heardBy(person).includes(`re: ${text}`)) this.#waiting.set(text, said);
        else said.answeredAt = Date.now();
      } catch {
        this.#options.tell(`"${text}" could not be said.`);
      } finally {
        this.#speaking -= 1;
      }
    }
  }

  async #befall(start: number): Promise<void> {
    const { minutes, tell } = this.#options;
    for (const incident of incidentsOf(this.#world)) {
      await wait(Math.max(0, start + (incident.minute / 60) * minutes * 60_000 - Date.now()));
      const begun = Date.now();
      await this.#during(incident);
      this.#incidents += 1;
      tell(`${incident.name}: connected again after ${Math.round((Date.now() - begun) / 1_000)} s.`);
    }
  }

  /**
   * People of a platform that keeps nothing wait until the bot is back, and what they said before has reached the agent:
   * what is on its way to a process that dies is lost there. A server that ends takes its people with it.
   */
  async #during(incident: Incident): Promise<void> {
    const restart = incident.name === "restart of the server";
    if (this.#crowd.keepsMessages && !restart) {
      await incident.happen();
      await this.#world.connected();
      return;
    }
    const quiet = Promise.withResolvers<void>();
    this.#quiet = quiet.promise;
    try {
      await this.#world.until(
        "everything that was said has arrived",
        () =>
          this.#speaking === 0 &&
          [...this.#waiting.keys()].every((text) => this.#world.model.turns(text) > 0),
      );
      // Nobody hears what is said to them while they are thrown out.
      if (restart) await this.#world.until("everything is answered", () => this.#allAnswered());
      await incident.happen();
      await this.#crowd.connected();
      await this.#world.connected();
    } finally {
      this.#quiet = null;
      quiet.resolve();
    }
  }

  /** Looks by itself: what was heard just now may be the last change for a long time. */
  #allAnswered(): boolean {
    this.#look();
    return this.#waiting.size === 0;
  }

  #look(): void {
    for (let person = 0; person < this.#crowd.size; person += 1) {
      const heard = this.#crowd.heardBy(person);
      for (const text of heard.slice(this.#looked[person])) this.#answered(text.replace(/^re: /, ""));
      this.#looked[person] = heard.length;
    }
  }

  #answered(text: string): void {
    const said = this.#waiting.get(text);
    if (!said) return;
    said.answeredAt = Date.now();
    this.#waiting.delete(text);
  }

  #progress(start: number): string {
    const minute = Math.round((Date.now() - start) / 60_000);
    const newest = this.#said.slice(-this.#crowd.size);
    const { median, longest } = timesOf(newest);
    return `minute ${minute}: ${this.#said.length} said, ${this.#waiting.size} unanswered, ${this.#incidents} incidents; of the last ${newest.length} the median answer took ${median} ms, the longest ${longest} ms.`;
  }

  #judge(): HourResult {
    const most = this.#crowd.repeats * this.#incidents;
    const tooOften: string[] = [];
    const outOfOrder: string[] = [];
    let repeated = 0;
    const mine = Map.groupBy(this.#said, ({ person }) => person);
    for (let person = 0; person < this.#crowd.size; person += 1) {
      const answers = this.#crowd.heardBy(person).filter((text) => text.startsWith("re: "));
      const once = [...new Set(answers)];
      const again = answers.length - once.length;
      repeated += again;
      if (again > most) tooOften.push(`p${person}: ${again}`);
      const expected = (mine.get(person) ?? []).map(({ text }) => `re: ${text}`);
      const order = once.filter((text) => expected.includes(text));
      if (order.join("\n") !== expected.filter((text) => once.includes(text)).join("\n"))
        outOfOrder.push(`p${person}`);
    }
    const lost = this.#said.filter(({ answeredAt }) => answeredAt === null).map(({ text }) => text);
    const { length: said } = this.#said;
    return {
      said,
      lost,
      repeated,
      tooOften,
      outOfOrder,
      times: timesOf(this.#said),
      incidents: this.#incidents,
    };
  }
}

function timesOf(said: readonly Said[]): HourResult["times"] {
  const took = said
    .flatMap(({ at, answeredAt }) => (answeredAt === null ? [] : [answeredAt - at]))
    .sort((a, b) => a - b);
  const at = (share: number) => took[Math.min(took.length - 1, Math.floor(took.length * share))] ?? 0;
  return { median: at(0.5), late: at(0.95), longest: at(1) };
}
