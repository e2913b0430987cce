import { describe, expect, it } from "vitest";
import { started } from "./support.ts";

const note = { name: "v.ogg", mimeType: "audio/ogg", ref: "v", voice: { seconds: 3 } };
const voice = { name: "answer.ogg", mimeType: "audio/ogg", data: "T2dnUw==", voice: { seconds: 2 } };

describe("what was spoken", () => {
  it("is told to the agent: the recording with its length, or that the platform wrote it down", async () => {
    const bench = await started();
    Object.assign(bench.transport, { download: async () => Buffer.from("OggS") });
    await bench.say("", { files: [note] });
    await bench.say("good morning", { spoken: true });
    await bench.say("typed");
    await bench.clock.pass(100);
    const [first, second, third] = bench.agent.prompts;
    expect(first?.attachments).toMatchObject([{ name: "v.ogg", voice: { seconds: 3 } }]);
    expect(second).toMatchObject({ text: "good morning", spoken: true });
    expect(third).not.toHaveProperty("spoken");
  });

  it("makes the whole turn a spoken one when it is joined with what was typed", async () => {
    const bench = await started((one) => Object.assign(one.options, { manners: { joinMs: 1_000 } }));
    await bench.say("look");
    await bench.say("at this", { spoken: true });
    await bench.clock.pass(2_000);
    expect(bench.agent.prompts).toMatchObject([{ text: "look\nat this", spoken: true }]);
  });
});

describe("a spoken answer", () => {
  it("costs no word where there are no files, or where the platform does not take it: its text was sent", async () => {
    const bench = await started();
    bench.agent.answer = async () => ({ text: "Hello.", attachments: [voice] });
    await bench.say("hi");
    await bench.clock.pass(100);
    expect(bench.transport.texts("dm")).toEqual(["Hello."]);
    expect(bench.context.state.queue).toEqual({ in: 0, out: 0 });
  });
});
