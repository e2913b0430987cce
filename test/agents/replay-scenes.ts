import { mkdir } from "node:fs/promises";
import { join } from "node:path";
import type { Effect } from "../../src/contract/index.ts";
import type { CallScope } from "../../src/main/runtimes/plugin-call.ts";
import { modelServer, openaiStream } from "./model-server.ts";
import { message, type Workbench } from "./workbench.ts";

/** Turns that are recorded to be replayed: what the agent has, and what is done with it. */
export interface Scene {
  name: string;
  agent?: Partial<Workbench["agent"]>;
  play(bench: Workbench): Promise<unknown>;
}

const allowed = [{ tool: "p__*", effect: "allow" as const }];
const asks = { say: "Let me.", call: { tool: "p__do", input: { words: "hello" } } };
const done = { say: "All done." };
const forever = () => new Promise<never>(() => {});
const png =
  "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==";

/** Decides each question as it comes. */
function decide(bench: Workbench, answer: Parameters<Workbench["agents"]["approvals"]["decide"]>[1]): void {
  bench.agents.approvals.changes.on("approval", ({ id, status }) => {
    if (status === "waiting") void bench.agents.approvals.decide(id, answer);
  });
}

/** Runs a prompt and stops it at the first event of that type. */
async function stopAt(bench: Workbench, type: string): Promise<void> {
  const { id } = await bench.agents.createSession("a");
  let stopping: Promise<void> | undefined;
  for await (const event of bench.agents.prompt("a", {
    text: "hi",
    sessionId: id,
    caller: { kind: "owner" },
  }))
    if (event.type === type) stopping ??= bench.agents.abort("a", id);
  await stopping;
}

/** A tool, and hooks that do something to everything. */
export function busy({ pool }: Workbench, say = { bye: "Goodbye.", loud: "" }): void {
  pool.tool("p", "p__do", (input) => `did ${JSON.stringify(input)}`);
  pool.on("warden", "session.message.received@v1", ({ text }: { text: string }) => ({
    text: `${text} please`,
  }));
  pool.on("warden", "prompt.assemble@v1", ({ sections }: { sections: object[] }) => ({
    sections: [...sections, { key: "warden", content: "Be polite." }],
  }));
  pool.on("first", "tool.before@v1", () => ({ allow: true }), { priority: 1 });
  pool.on("warden", "tool.before@v1", ({ args }: { args: { words?: string } }) =>
    args.words
      ? { allow: true, payload: { args: { words: args.words.toUpperCase() + say.loud } } }
      : { allow: true },
  );
  pool.on("warden", "tool.result@v1", ({ content }: { content: { text: string }[] }) => ({
    content: [{ type: "text", text: `${content[0]?.text}, and noted` }],
  }));
  pool.on("warden", "message.final@v1", ({ text }: { text: string }) => ({ text: `${text} ${say.bye}` }));
  pool.on("watch", "tool.after@v1", () => undefined);
  pool.on("watch", "model.before@v1", (_payload, scope) => pool.log("watch", "looking", scope));
  pool.on("watch", "turn.end@v1", () => {
    throw new Error("tired");
  });
}

export const scenes: Scene[] = [
  {
    name: "somebody says hello",
    play: async (bench) => {
      await bench.script([{ say: "Hello." }, { say: "Hello again." }]);
      const { id } = await bench.agents.createSession("a");
      await bench.prompt("hi", { sessionId: id });
      await bench.prompt("once more", { sessionId: id });
    },
  },
  {
    name: "hooks rewrite the message, the prompt, arguments, a result and the answer, and one fails",
    agent: { policy: allowed },
    play: async (bench) => {
      busy(bench);
      await bench.script([{ ...asks, call: [asks.call, asks.call, { tool: "p__missing" }] }, done]);
      await bench.prompt("hi");
    },
  },
  {
    name: "a hook forbids a call",
    agent: { policy: allowed },
    play: async (bench) => {
      bench.pool.tool("p", "p__do", () => "done");
      bench.pool.on("guard", "tool.before@v1", () => ({ allow: false, reason: "not today" }));
      await bench.script([asks, done]);
      await bench.prompt("hi");
    },
  },
  {
    name: "a hook that must not fail fails, and another hangs",
    agent: { policy: allowed },
    play: async (bench) => {
      bench.pool.tool("p", "p__do", () => "done");
      bench.pool.on("slow", "model.before@v1", forever, { timeoutMs: 20 });
      bench.pool.on("guard", "tool.before@v1", () => {
        throw new Error("broken");
      });
      await bench.script([asks, done]);
      await bench.prompt("hi");
    },
  },
  {
    name: "a prompt hook that must not fail ends the turn",
    play: async (bench) => {
      bench.pool.on(
        "guard",
        "prompt.assemble@v1",
        () => {
          throw new Error("broken");
        },
        { failureMode: "fail" },
      );
      await bench.script([done]);
      await bench.prompt("hi");
    },
  },
  {
    name: "a call is allowed once, the next for the conversation",
    play: async (bench) => {
      bench.pool.tool("p", "p__do", () => "done");
      const scopes = ["once", "session"] as const;
      let asked = 0;
      bench.agents.approvals.changes.on("approval", ({ id, status }) => {
        const scope = scopes[asked] ?? "once";
        if (status !== "waiting") return;
        asked += 1;
        void bench.agents.approvals.decide(id, { decision: "allow", scope });
      });
      await bench.script([{ call: [asks.call, asks.call, asks.call] }, done]);
      await bench.prompt("hi");
    },
  },
  {
    name: "a call is always allowed",
    play: async (bench) => {
      bench.pool.tool("p", "p__do", () => "done");
      decide(bench, { decision: "allow", scope: "always" });
      await bench.script([{ call: [asks.call, { tool: "p__do", input: { words: "else" } }] }, done]);
      await bench.prompt("hi");
    },
  },
  {
    name: "a call is denied with a reason",
    play: async (bench) => {
      busy(bench);
      decide(bench, { decision: "deny", reason: "I would rather not." });
      await bench.script([asks, done]);
      await bench.prompt("hi");
    },
  },
  {
    name: "nobody answers a question in time",
    play: async (bench) => {
      bench.limits.approvalMs = 30;
      bench.pool.tool("p", "p__do", () => "done");
      await bench.script([asks, done]);
      await bench.prompt("hi");
    },
  },
  {
    name: "a tool fails, one is too slow, one reports its progress",
    agent: { policy: allowed },
    play: async (bench) => {
      bench.limits.toolMs = 40;
      bench.pool.tool("p", "p__fail", () => {
        throw new Error("out of order");
      });
      bench.pool.tool("p", "p__slow", forever);
      bench.pool.tool("p", "p__do", () => ({
        content: [{ type: "image", data: png, mimeType: "image/png" }],
      }));
      await bench.script([{ call: [{ tool: "p__fail" }, { tool: "p__slow" }, { tool: "p__do" }] }, done]);
      await bench.prompt("hi");
    },
  },
  {
    name: "plugins steer, follow up, leave notices and ask how much is thought",
    agent: { policy: allowed },
    play: async (bench) => {
      const ask =
        (...effects: Effect[]) =>
        (_input: unknown, scope: CallScope) => {
          scope.effects?.(effects);
          return "done";
        };
      bench.pool.tool("p", "p__do", ask({ kind: "steer", text: "look again" }));
      bench.pool.on("q", "turn.start@v1", (_payload, scope) => {
        ask({ kind: "thinkingLevel", level: "low" }, { kind: "notify", text: "it begins", level: "info" })(
          _payload,
          scope,
        );
      });
      bench.pool.on("q", "run.prepare@v1", ({ turnId }: { turnId: string }, scope) => {
        if (followed.has(turnId)) return;
        followed.add(turnId);
        scope.effects?.([{ kind: "followUp", text: "and then?" }]);
      });
      const followed = new Set<string>();
      await bench.script([asks, { say: "one" }, { say: "two" }, { say: "three" }]);
      await bench.prompt("hi");
    },
  },
  {
    name: "messages are dropped and made commands",
    play: async (bench) => {
      bench.pool.command("p", "status", () => "all is well");
      bench.pool.on("p", "session.message.received@v1", ({ text }: { text: string }) =>
        text === "how?" ? { text: "/status" } : { drop: true, reason: "not today" },
      );
      await bench.script([done]);
      const { id } = await bench.agents.createSession("a");
      await bench.prompt("hi", { sessionId: id });
      await bench.prompt("how?", { sessionId: id });
    },
  },
  {
    name: "a conversation goes on after it was compacted",
    play: async (bench) => {
      busy(bench);
      await bench.script([{ say: "One." }, { say: "Two." }]);
      const { id } = await bench.agents.createSession("a");
      await bench.prompt("remember the number seven", { sessionId: id });
      await bench.prompt("/compact", { sessionId: id });
      await bench.prompt("which one?", { sessionId: id });
    },
  },
  {
    name: "a model fails after a call, and the turn is tried again",
    agent: { policy: allowed },
    play: async (bench) => {
      bench.pool.tool("p", "p__do", () => "done");
      await bench.script([asks, { fail: "no more credit" }, done]);
      const { id } = await bench.agents.createSession("a");
      await bench.prompt("hi", { sessionId: id });
      for await (const _event of bench.agents.retry("a", { sessionId: id, caller: { kind: "owner" } }));
    },
  },
  {
    name: "a provider refuses the key after a call",
    agent: { policy: allowed },
    play: async (bench) => {
      const call = { id: "call_1", name: "p__do", arguments: ["{}"] };
      await using server = await modelServer([
        { events: openaiStream({ text: ["Let me see."], calls: [call] }) },
        { status: 401, json: { error: { message: "who are you?" } } },
      ]);
      bench.agent = {
        ...bench.agent,
        model: { kind: "openai-compatible", model: "m", baseUrl: `${server.url}/v1` },
      };
      bench.pool.tool("p", "p__do", () => "done");
      await bench.prompt("hi");
    },
  },
  {
    name: "a turn is stopped while the model speaks",
    play: async (bench) => {
      await bench.script([{ say: "one two three four five six seven eight nine", delayMs: 5_000 }]);
      await stopAt(bench, "text_delta");
    },
  },
  {
    name: "a turn is stopped while a tool runs",
    agent: { policy: allowed },
    play: async (bench) => {
      bench.pool.tool("p", "p__do", forever);
      await bench.script([{ call: [asks.call, asks.call] }]);
      await stopAt(bench, "tool_started");
    },
  },
  {
    name: "a turn is stopped while the person is asked",
    play: async (bench) => {
      bench.pool.tool("p", "p__do", () => "done");
      await bench.script([asks]);
      await stopAt(bench, "approval_requested");
    },
  },
  {
    name: "a turn is stopped during a hook",
    agent: { policy: allowed },
    play: async (bench) => {
      bench.pool.tool("p", "p__do", () => "done");
      const { promise: asking, resolve: asked } = Promise.withResolvers<void>();
      bench.pool.on("guard", "tool.before@v1", () => {
        asked();
        return forever();
      });
      await bench.script([asks]);
      const { id } = await bench.agents.createSession("a");
      const turn = bench.prompt("hi", { sessionId: id });
      await asking;
      await bench.agents.abort("a", id);
      await turn;
    },
  },
  {
    name: "somebody in a chat sends a picture, and what they may not use is refused",
    play: async (bench) => {
      busy(bench);
      bench.agent = { ...bench.agent, workspace: join(bench.home, "work") };
      await mkdir(bench.agent.workspace);
      await bench.script([asks, done, { say: "I saw it." }]);
      const attachments = [{ name: "dot.png", mimeType: "image/png", data: png }];
      const channel = bench.agents.channels.of("a", "telegram");
      await channel.prompt(message("what is this?", { attachments, messageId: "m1" }));
      await channel.prompt(message("and now?", { messageId: "m2" }));
    },
  },
  {
    name: "two conversations go on at the same time",
    agent: { policy: allowed },
    play: async (bench) => {
      busy(bench);
      await bench.script([asks, done]);
      await Promise.all([bench.prompt("hi"), bench.prompt("ho")]);
    },
  },
  {
    name: "what a plugin offers is decided by the rules of then",
    agent: {
      policy: [
        { tool: "p__do", effect: "deny" },
        { tool: "write_file", effect: "allow" },
      ],
    },
    play: async (bench) => {
      bench.pool.tool("p", "p__do", () => "done");
      const write = { tool: "write_file", input: { path: "note.txt", content: "from the turn" } };
      await bench.script([{ call: [asks.call, write, { tool: "list_files" }] }, done]);
      await bench.prompt("hi");
      bench.agent = { ...bench.agent, policy: [{ tool: "*", effect: "ask" }] };
    },
  },
];
