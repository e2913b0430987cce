import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { numberedLines } from "./echo-model.ts";
import { hour } from "./hour.ts";
import { inOwnRoom, type PlatformAbilities, type PlatformUnderTest } from "./platform.ts";
import { ChannelWorld } from "./world.ts";

/** What every channel must do, whatever its platform: run against the real app, the real host and the bundled plugin. */
export function channelSuite(
  name: string,
  can: PlatformAbilities,
  open: () => Promise<PlatformUnderTest>,
): void {
  describe(`${name}, as every channel,`, () => {
    let world: ChannelWorld;
    let platform: PlatformUnderTest;
    beforeAll(async () => {
      platform = await open();
      world = await ChannelWorld.open(platform);
    });
    afterAll(() => world?.close());

    const answersTo = (text: string, person: "owner" | "user" | "stranger" = "owner") =>
      platform.heard(person).filter((message) => message.includes(`re: ${text}`)).length;

    const newestRequest = () =>
      Array.from(
        platform
          .heard("owner")
          .join("\n")
          .matchAll(/\(request (\w+)\)/g),
      ).at(-1)?.[1] ?? "";

    it("says who it is connected as", async () => {
      const { runtimeState, lastError, instance } = await world.view();
      expect(runtimeState).toMatchObject({ status: "connected", account: expect.stringMatching(/\S/) });
      expect([lastError, instance.state]).toEqual([null, "running"]);
    });

    it("runs a turn for a message and sends the answer back, to each person their own", async () => {
      await platform.say("owner", "hello from the owner");
      await platform.say("user", "hello from a user");
      await world.hears("owner", "re: hello from the owner");
      await world.hears("user", "re: hello from a user");
      expect(platform.heard("owner").join("\n")).not.toContain("a user");
      const times = { lastIn: expect.any(String), lastOut: expect.any(String) };
      await world.until(
        "both times are shown",
        async () => (await world.view()).runtimeState?.lastOut != null,
      );
      expect((await world.view()).runtimeState).toMatchObject(times);
    });

    it("answers one conversation in its order while another goes on", async () => {
      await platform.say("user", "slowly please");
      await world.model.holding();
      for (const word of ["one", "two", "three"]) await platform.say("user", `count ${word}`);
      await platform.say("owner", "not held up");
      await world.hears("owner", "re: not held up");
      expect(answersTo("count one", "user")).toBe(0);
      world.model.release();
      await world.hears("user", "re: count three");
      const said = platform.heard("user").filter((text) => /re: (slowly|count)/.test(text));
      expect(said.map((text) => /re: \w+ (\w+)/.exec(text)?.[1])).toEqual(["please", "one", "two", "three"]);
    });

    it("stops a turn that its person wants stopped, says so, and goes on with the next message", async () => {
      await platform.say("user", "slowly for nothing");
      await world.model.holding();
      await platform.say("user", "not any more either");
      await world.until(
        "the second message waits",
        async () => ((await world.view()).runtimeState?.queue as { in: number } | undefined)?.in === 2,
      );
      await platform.say("user", "stop");
      await world.hears("user", "Stopped, and the message that waited will not be answered.");
      world.model.release();
      await platform.say("user", "after the stop");
      await world.hears("user", "re: after the stop");
      expect([answersTo("slowly for nothing", "user"), world.model.turns("not any more either")]).toEqual([
        0, 0,
      ]);
      await platform.say("user", "/stop");
      await world.hears("user", "Nothing is being answered here.");
    });

    if (can.deliverTwice) {
      it("answers a message once that is delivered twice", async () => {
        await platform.say("owner", "only once");
        await world.hears("owner", "re: only once");
        await platform.sayAgain?.("owner");
        await platform.say("owner", "after the repetition");
        await world.hears("owner", "re: after the repetition");
        expect([answersTo("only once"), world.model.turns("only once")]).toEqual([1, 1]);
      });
    }

    it("sends a long answer in several messages, whole and in order", async () => {
      const before = platform.heard("owner").length;
      await platform.say("owner", `long ${can.longLines}`);
      await world.hears("owner", `${can.longLines}: the quick brown fox`);
      const messages = platform.heard("owner").slice(before);
      expect(messages.length).toBeGreaterThan(1);
      expect(messages.join("\n").split(/\s+/).filter(Boolean)).toEqual(
        numberedLines(can.longLines).join("").split(/\s+/).filter(Boolean),
      );
    });

    it("writes Markdown as the platform shows it, never raw", async () => {
      await platform.say("owner", "marked");
      await world.hears("owner", "the end");
      const shown = platform.heard("owner").join("\n");
      const answer = shown.slice(Math.max(0, shown.lastIndexOf("title") - 10));
      for (const words of ["title", "page", "bold", "gone", "a picture", "done", "left", "two"])
        expect(answer).toContain(words);
      const marks = can.rawMarks ?? ["# ", "**", "~~", "](", "![", "[x]", "|--"];
      expect(marks.filter((mark) => answer.includes(mark))).toEqual([]);
    });

    if (can.groups !== false) {
      it("answers in a room with rules of its own whom these name, when they say so, with what the agent is told there", async () => {
        const place = "own room";
        // Where nobody can be sure who is in a room, its rules let everybody in.
        if (can.openGroups !== true) await platform.say("user", "not named for it", { place });
        await platform.say("owner", "no mention", { place, addressed: false });
        await platform.say("stranger", "am I welcome here", { place });
        await world.hears("stranger", "am I welcome here", place);
        await platform.say("owner", "and not there");
        await world.hears("owner", "re: and not there");
        const toldWith = (text: string) =>
          world.model.asked.flatMap((asked, index) =>
            asked.includes(text) ? [world.model.told[index]] : [],
          );
        expect(toldWith("am I welcome here")).toEqual([expect.stringContaining(inOwnRoom.prompt)]);
        expect(toldWith("and not there")).toEqual([expect.not.stringContaining(inOwnRoom.prompt)]);
        expect([...toldWith("no mention"), ...toldWith("not named for it")]).toEqual([]);
      });
    }

    it("tells somebody who is not on the list one sentence with a code, and answers them when they are let in", async () => {
      if (can.groups !== false && can.openGroups !== true)
        await platform.say("stranger", "let me in here", { place: "group" });
      await platform.say("stranger", "let me in");
      await platform.say("stranger", "hello?");
      await platform.say("owner", "after the stranger");
      await world.hears("owner", "re: after the stranger");
      await world.hears("stranger", can.signsIn === false ? "signed in" : "It holds for an hour");
      expect(platform.heard("stranger")).toHaveLength(1);
      expect(world.model.asked.some((text) => /let me in|hello\?/.test(text))).toBe(false);
      const waiting = (await world.view()).people ?? [];
      if (can.signsIn === false) return expect(waiting).toEqual([]);
      const [code] = /[2-9A-Z]{3}-[2-9A-Z]{3}/.exec(platform.heard("stranger").join()) ?? [];
      expect(waiting).toMatchObject([{ status: "waiting", code }]);
      await platform.say("user", `/pair ${code}`);
      await world.hears("user", "Only an owner may let somebody in");
      await platform.say("owner", `/pair ${code}`);
      await world.hears("owner", "may write now");
      await world.hears("stranger", "You may write to me now");
      await world.hears("stranger", "re: let me in");
      await platform.say("stranger", "thank you");
      await world.hears("stranger", "re: thank you");
      expect(platform.heard("stranger")).toEqual([
        expect.stringContaining("It holds for an hour"),
        expect.stringContaining("You may write to me now"),
        expect.stringContaining("re: let me in"),
        expect.stringContaining("re: thank you"),
      ]);
    });

    if (can.groups !== false) {
      it("answers in the group of the settings when it is addressed, and nowhere else", async () => {
        await platform.say("user", "just talking", { place: "group", addressed: false });
        await platform.say("user", "wrong place", { place: "other group" });
        await platform.say("user", "what is up", { place: "group" });
        await world.until("the group hears it", () =>
          platform.heard("user", "group").some((text) => text.includes("what is up")),
        );
        const asked = world.model.asked.join("\n");
        expect(asked).not.toContain("just talking");
        expect(asked).not.toContain("wrong place");
        expect(platform.heard("user", "other group")).toEqual([]);
      });
    }

    it("passes slash commands on to the agent", async () => {
      const before = platform.heard("owner").length;
      await platform.say("owner", "/help");
      await world.hears("owner", "/new");
      expect(platform.heard("owner").slice(before).join("\n")).toContain("/help");
      expect(world.model.asked.join("\n")).not.toContain("/help");
    });

    it("asks the owner, and does exactly what the owner allowed", async () => {
      await platform.say("owner", 'use shell {"command":"echo allowed-$((40+2))"}');
      await world.hears("owner", "echo allowed-");
      const number = newestRequest();
      await platform.say("user", `/approve ${number}`);
      await world.hears("user", "Only the owner");
      expect(platform.heard("owner").join("\n")).not.toContain("allowed-42");
      if (can.buttons && platform.press) await platform.press("owner", "Allow");
      else await platform.say("owner", `/approve ${number}`);
      await world.hears("owner", "allowed-42");
    });

    it("does not do what the owner refused", async () => {
      await platform.say("owner", 'use shell {"command":"echo refused-$((40+3))"}');
      await world.hears("owner", "echo refused-");
      await platform.say("owner", `/refuse ${newestRequest()}`);
      await world.until(
        "the turn ends",
        () => platform.heard("owner").at(-1)?.includes("tool said") === true,
      );
      expect(platform.heard("owner").join("\n")).not.toContain("refused-43");
    });

    if (can.rateLimit) {
      it("waits when the platform says that it is too much, and then sends it once", async () => {
        platform.limit?.(2, 1_000);
        await platform.say("owner", "be patient");
        await world.hears("owner", "re: be patient");
        await platform.say("owner", "after the limit");
        await world.hears("owner", "re: after the limit");
        expect(answersTo("be patient")).toBe(1);
      });
    }

    it("comes back after its connection was cut", async () => {
      await platform.cut();
      if (can.keepsMessages) await platform.say("owner", "while you were away");
      await world.reached();
      await world.connected();
      await platform.say("owner", "are you back");
      await world.hears("owner", "re: are you back");
      if (can.keepsMessages) expect(answersTo("while you were away")).toBe(1);
    });

    it("comes back after the server was started anew", async () => {
      await platform.restart();
      await world.reached();
      await world.connected();
      await platform.say("owner", "and after the restart");
      await world.hears("owner", "re: and after the restart");
    });

    it(
      "loses nothing and answers nothing twice in an hour of cuts, restarts and kills",
      { timeout: 120_000 },
      () => hour(world, can),
    );

    if (can.refuse) {
      it("asks to sign in again when its credentials are refused, and goes on with new ones", async () => {
        await platform.refuse?.(true);
        await world.until("needs login", async () => (await world.status()) === "needs-login");
        await world.until(
          "the person is asked to sign in",
          async () => (await world.view()).lastError?.code === "CREDENTIALS_REFUSED",
        );
        await platform.refuse?.(false);
        await world.restartPlugin();
        await world.connected();
        await platform.say("owner", "signed in again");
        await world.hears("owner", "re: signed in again");
      });
    }
  });
}
