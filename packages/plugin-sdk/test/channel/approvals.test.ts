import { describe, expect, it } from "vitest";
import { approval, settled, started } from "./support.ts";

describe("an approval", () => {
  it("is asked in the owner's own conversation, with buttons, and decided by the owner alone", async () => {
    const bench = await started();
    await bench.say("hello");
    await bench.clock.pass(10);
    bench.agent.listener?.asked(approval());
    await bench.clock.pass(10);
    const asked = bench.transport.sent.at(-1);
    expect(asked?.text).toContain('wants to use shell (request 7).\n{"command":"ls"}');
    const [allow] = asked?.piece.buttons ?? [];
    const press = (userId: string) =>
      bench.transport.port?.press({ conversation: "dm", userId, data: allow?.data ?? "" });
    expect(await press("uma")).toBe("Only the owner may decide this.");
    expect(bench.agent.reviews).toEqual([]);
    expect(await press("olga")).toBe("Request 7 (shell): allowed.");
    expect(bench.agent.reviews).toMatchObject([{ request: "7", decision: "allow", userId: "olga" }]);
    bench.agent.listener?.settled("r-1", "allowed");
    await bench.clock.pass(10);
    expect(bench.transport.edits.at(-1)).toMatchObject({
      text: "Request 7 (shell): allowed.",
      piece: { buttons: [] },
    });
  });

  it("is decided by a typed command while the turn that needs it holds the conversation", async () => {
    const bench = await started((b) => {
      b.transport.limits = { piece: 500, unit: "chars" };
    });
    let finish = (_: { text: string }) => {};
    bench.agent.answer = () =>
      new Promise((resolve) => {
        finish = resolve;
      });
    await bench.say("do it");
    await bench.clock.pass(10);
    bench.agent.listener?.asked(approval());
    await bench.clock.pass(10);
    expect(bench.transport.texts("dm").at(-1)).toContain("Answer approve 7 or refuse 7.");
    await bench.say("/refuse 7");
    await bench.clock.pass(10);
    expect(bench.agent.reviews).toMatchObject([{ decision: "refuse" }]);
    finish({ text: "Then not." });
    await bench.clock.pass(10);
    expect(bench.transport.texts("dm").slice(1)).toEqual(["Request 7 (shell): refused.", "Then not."]);
  });

  it.each([
    ["approve 7", "allow"],
    ["Yes 7.", "allow"],
    ["yes, 7", "allow"],
    ["!approve #7", "allow"],
    ["no 7", "refuse"],
    ["refuse 7", "refuse"],
    ["!refuse 7", "refuse"],
  ])("is decided by an owner's %s", async (text, decision) => {
    const bench = await started();
    await bench.say("hello");
    await bench.clock.pass(10);
    bench.agent.listener?.asked(approval());
    await bench.clock.pass(10);
    await bench.say(text);
    await bench.clock.pass(10);
    expect(bench.agent.reviews).toMatchObject([{ request: "7", decision }]);
    expect(bench.agent.prompts.map((prompt) => prompt.text)).toEqual(["hello"]);
  });

  it("is not what a plain sentence means when no such request waits, or when somebody else says it", async () => {
    const bench = await started();
    await bench.say("yes 7");
    bench.agent.listener?.asked(approval());
    await bench.clock.pass(10);
    await bench.say("no 70");
    await bench.say("yes 7", { conversation: "uma", from: { id: "uma" } });
    await bench.clock.pass(10);
    bench.agent.listener?.settled("r-1", "allowed");
    await bench.say("yes 7");
    await bench.clock.pass(60_000);
    expect(bench.agent.reviews).toEqual([]);
    expect(bench.agent.prompts.map((prompt) => prompt.text)).toEqual(["yes 7", "no 70", "yes 7", "yes 7"]);
  });

  it("that is settled while it is being sent is corrected once it is there", async () => {
    const bench = await started();
    await bench.say("hello");
    await bench.clock.pass(10);
    const send = bench.transport.send.bind(bench.transport);
    let arrive = () => {};
    bench.transport.send = async (conversation, piece) => {
      await new Promise<void>((resolve) => {
        arrive = resolve;
      });
      return send(conversation, piece);
    };
    bench.agent.listener?.asked(approval());
    await settled();
    bench.agent.listener?.settled("r-1", "expired");
    await settled();
    arrive();
    await settled();
    expect(bench.transport.texts("dm").slice(1)).toEqual(["Request 7 (shell): expired, so it was refused."]);
  });

  it("that was asked before a restart is not asked again", async () => {
    const bench = await started();
    await bench.say("hello");
    await bench.clock.pass(10);
    for (let start = 0; start < 2; start += 1) {
      bench.agent.listener?.asked(approval());
      await bench.clock.pass(10);
      await bench.restart();
    }
    expect(bench.transport.texts("dm").filter((text) => text.includes("wants to use"))).toHaveLength(1);
  });
});

it.each([
  ["en", "Only an owner may decide this, and there is none here yet. It is decided in Patchbay."],
  [
    "de",
    "Das darf nur ein Besitzer entscheiden, und hier gibt es noch keinen. Entschieden wird in Patchbay.",
  ],
])(
  "without any owner nobody is asked, and whoever wants to decide is told where that is done (%s)",
  async (language, said) => {
    const bench = await started((b) => {
      b.agent.language = language;
      b.transport.limits = { piece: 500, unit: "chars" };
      b.options = { access: { owners: [], users: ["uma"], everyone: false, strangers: "pair", groups: [] } };
    });
    const uma = { conversation: "uma", from: { id: "uma" } };
    await bench.say("hello", uma);
    await bench.clock.pass(10);
    bench.agent.listener?.asked(approval());
    await bench.clock.pass(10);
    expect(bench.transport.texts("uma")).toEqual(["re: hello"]);
    await bench.say("/approve 7", uma);
    await bench.clock.pass(10);
    expect(bench.transport.texts("uma").at(-1)).toBe(said);
    expect(bench.agent.reviews).toEqual([]);
  },
);
