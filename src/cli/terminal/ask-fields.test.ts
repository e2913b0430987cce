import { expect, test } from "vitest";
import type { SetupField } from "../../contract/index.ts";
import { FieldQuestions } from "./ask-fields.ts";
import { Output } from "./output.ts";

const fields: SetupField[] = [
  { key: "server", label: "Server", type: "text", required: true, placeholder: "irc.example.org" },
  { key: "port", label: "Port", type: "number", placeholder: "6697", help: "6697 on most." },
  { key: "password", label: "Password", type: "password" },
];

/** A terminal at which `answers` are typed, or none. */
function openBench(answers: string[] | null, given: Record<string, string> = {}, picked: string[][] = []) {
  const shown: string[] = [];
  const type = async (question: string) => {
    shown.push(question);
    return answers?.shift() ?? "";
  };
  const context = {
    output: new Output({
      json: false,
      stdout: { write: () => true },
      stderr: { write: (text) => shown.push(String(text).trimEnd()) > 0 },
      env: {},
    }),
    terminal: {
      interactive: answers !== null,
      ask: type,
      secret: type,
      optionalSecret: type,
      close: () => {},
      confirm: async () => false,
      choose: type,
      chooseSome: async (
        question: string,
        _options: unknown,
        _signal: unknown,
        how?: { default?: unknown },
      ) => {
        shown.push(`${question} ${JSON.stringify(how?.default ?? [])}`);
        return picked.shift() ?? [];
      },
    },
    signal: new AbortController().signal,
  };
  return { shown, questions: new FieldQuestions(context, given) };
}

test("what is needed is asked until it is there, and nothing else has to be typed", async () => {
  const { shown, questions } = openBench(["", "chat.example.org", "", ""]);
  expect(await questions.ask(fields, false)).toEqual({ server: "chat.example.org", port: "", password: "" });
  expect(shown).toEqual([
    "Server (such as irc.example.org): ",
    "This is needed.",
    "Server (such as irc.example.org): ",
    "6697 on most.",
    "Port (optional, such as 6697): ",
    "Password (optional): ",
  ]);
});

test("a form that comes back offers what was typed, but no password, and takes nothing back by itself", async () => {
  const { shown, questions } = openBench(["chat.example.org", "1", "secret", "", "-", ""]);
  await questions.ask(fields, false);
  shown.length = 0;
  expect(await questions.ask(fields, true)).toEqual({ server: "chat.example.org", port: "", password: "" });
  expect(shown).toEqual([
    "Server [chat.example.org]: ",
    "6697 on most.",
    "Port [1, - for none]: ",
    "Password (optional): ",
  ]);
});

test("an answer given in advance is not given again once it was refused", async () => {
  const { questions } = openBench(["", "right.example.org", "", ""], {
    server: "wrong.example.org",
    port: "7",
  });
  expect(await questions.ask(fields, false)).toMatchObject({ server: "wrong.example.org", port: "7" });
  expect(await questions.ask(fields, true)).toMatchObject({ server: "right.example.org", port: "7" });
});

test("without a person, only what was given in advance is answered", async () => {
  const { questions } = openBench(null, { server: "chat.example.org" });
  expect(await questions.ask(fields, false)).toEqual({ server: "chat.example.org" });
});

test("what few people need is named and not asked, until the form comes back", async () => {
  const folded: SetupField = { key: "api", label: "Address of the API", type: "text", advanced: true };
  const { shown, questions } = openBench([
    "chat.example.org",
    "",
    "",
    "chat.example.org",
    "",
    "",
    "http://x",
  ]);
  expect(await questions.ask([...fields, folded], false)).not.toHaveProperty("api");
  expect(shown[0]).toBe("Seldom needed, and not asked: --set api=… (Address of the API)");
  expect(await questions.ask([...fields, folded], true)).toHaveProperty("api", "http://x");
});

test("what few people need is taken where it was given, and asked where it is required", async () => {
  const folded: SetupField = { key: "api", label: "Address", type: "text", advanced: true };
  const given = openBench([], { server: "s", port: "1", password: "p", api: "http://x" });
  expect(await given.questions.ask([...fields, folded], false)).toHaveProperty("api", "http://x");
  const required = openBench(["http://y"]);
  expect(await required.questions.ask([{ ...folded, required: true }], false)).toEqual({ api: "http://y" });
});

test("choices are picked from their list; what was picked is offered again, as far as it is still there", async () => {
  const channels = (values: string[]): SetupField[] => [
    {
      key: "channels",
      label: "Channels",
      type: "choices",
      help: "Those it is in.",
      options: values.map((value) => ({
        value,
        label: `#${value}`,
        ...(value === "b" && { help: "private" }),
      })),
    },
  ];
  const { shown, questions } = openBench([], {}, [["a", "b"], []]);
  expect(await questions.ask(channels(["a", "b"]), false)).toEqual({ channels: "a,b" });
  expect(await questions.ask(channels(["b", "c"]), true)).toEqual({ channels: "" });
  expect(await questions.ask(channels([]), false)).toEqual({ channels: "" });
  expect(shown).toEqual([
    "Those it is in.",
    "#b: private",
    "Channels []",
    "Those it is in.",
    "#b: private",
    'Channels ["b"]',
    "Those it is in.",
  ]);
});
