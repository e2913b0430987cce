import { kw, panic, sym, toBytes, type Value } from "@patchbay/janet";
import { isObject } from "../../../../../contract/is-object.ts";
import type { Binder, World } from "./api.ts";
import { compressBundle } from "./compress.ts";
import { fromJson, keyed, parsedJson, textAt, wordAt } from "./values.ts";

/** Everything else that needs no more than the host itself. */
export function bindExtras(api: Binder): void {
  api.bind("(harness/get-cwd)", "The agent's workspace folder.", (_args, { workspace }) =>
    toBytes(workspace),
  );
  api.bind("(harness/has-symbol? name)", "Whether the plugin knows a name.", (args, { environment }) => {
    const name = wordAt(args, 0);
    return name !== undefined && environment.get(sym(toBytes(name))) !== null;
  });
  api.bind(
    "(harness/plugin-config)",
    "What the settings say of the plugin that is being loaded; nil later.",
    (_args, { call, autoStart }) =>
      call.doing === "load" ? keyed({ enabled: true, "auto-start": autoStart }) : null,
  );
  api.bind(
    "(harness/json-extract json key)",
    "A text of the object that a JSON text is, by its key; nil where there is none.",
    (args) => {
      const json = parsedJson(textAt(args, 0) ?? "");
      const key = textAt(args, 1);
      const found = isObject(json) && key !== undefined && Object.hasOwn(json, key) ? json[key] : undefined;
      return typeof found === "string" ? toBytes(found) : null;
    },
  );
  api.bind("(harness/json-decode text)", "The value of a JSON text; null is :null.", (args) => {
    const text = wordAt(args, 0);
    const json = text === undefined ? undefined : parsedJson(text);
    return json === undefined ? null : fromJson(json, kw("null"));
  });
  api.bind("(harness/compress-bundle text &opt query)", "A text with less to read.", (args) => {
    const text = textAt(args, 0);
    return text === undefined ? null : toBytes(compressBundle(text, textAt(args, 1)));
  });
  api.bind("(harness/sanitize-hook-err text)", "An error on one line.", ([text = null]) =>
    typeof text === "string" ? text.replaceAll("\t", " ").replaceAll("\n", " | ") : null,
  );
  api.bind(
    "(harness/push-hook-err hook name text)",
    "Writes an error of a hook into the log.",
    (args, world) => {
      const [hook, name, text] = [0, 1, 2].map((at) => wordAt(args, at));
      if (text !== undefined) world.log("warn", `${hook ?? ""} ${name ?? ""}: ${text}`.trim());
      return null;
    },
  );
  api.variable("harness-current-tool-call", "The id of the call of the running tool.");
  api.bindWaiting(
    "(harness/http-post url body &opt headers)",
    "Sends a text; headers is a JSON object.",
    httpPost,
  );
}

async function httpPost(args: readonly Value[], { mayConnect }: World): Promise<Value> {
  const url = URL.parse(textAt(args, 0) ?? "");
  if (url === null || !/^https?:$/.test(url.protocol)) panic("http-post: expected an http or https address");
  const port = url.port || (url.protocol === "https:" ? "443" : "80");
  if (!mayConnect(url.hostname, port)) panic(toBytes(`connecting to ${url.host} is not allowed`));
  const given = parsedJson(textAt(args, 2) ?? "{}");
  const headers = isObject(given)
    ? Object.fromEntries(Object.entries(given).map(([name, value]) => [name, String(value)]))
    : {};
  try {
    const answer = await fetch(url, { method: "POST", body: textAt(args, 1) ?? "", headers });
    return toBytes(await answer.text());
  } catch (error) {
    return panic(toBytes(`http-post: ${error instanceof Error ? error.message : String(error)}`));
  }
}
