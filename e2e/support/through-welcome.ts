import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { expect, type Page } from "@playwright/test";
import { ask } from "./core.ts";
import { type FailingModel, failingModel } from "./failing-model.ts";
import type { Pace } from "./pace.ts";

/** A page on loopback for HTTP to read, and a model that runs on this computer, found by `OLLAMA_HOST`. */
export class Surroundings implements AsyncDisposable {
  readonly model: FailingModel;
  /** The host of the page. */
  readonly site: string;
  readonly #close: () => Promise<unknown>;

  private constructor(model: FailingModel, site: string, close: () => Promise<unknown>) {
    this.model = model;
    this.site = site;
    this.#close = close;
  }

  static async open(): Promise<Surroundings> {
    const server = createServer((_request, response) => {
      response.writeHead(200, { "content-type": "text/plain" });
      response.end("The harbour opens at nine.");
    });
    await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
    const site = `127.0.0.1:${(server.address() as AddressInfo).port}`;
    const model = await failingModel();
    model.models = ["qwen3:8b", "nomic-embed-text"];
    model.answers = [
      { kind: "says", text: "ok" },
      { kind: "calls", tool: "http__http_get", input: { url: `http://${site}/` } },
      { kind: "says", text: "The harbour opens at nine, it says." },
    ];
    return new Surroundings(model, site, () => new Promise((resolve) => server.close(resolve)));
  }

  /** What a core is started with to find the model, or to find none. */
  env(withModel: boolean): Record<string, string> {
    return { OLLAMA_HOST: withModel ? new URL(this.model.url).host : "127.0.0.1:1" };
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.model[Symbol.asyncDispose]();
    await this.#close();
  }
}

interface Way {
  page: Page;
  home: string;
  pace: Pace;
  site: string;
  withModel: boolean;
  /** Called at each picture of the way. */
  shoot?(name: string): Promise<unknown>;
}

/** From the first screen to a call that has worked: HTTP, with its first host, and a model of this computer or none. */
export async function throughWelcome({ page, home, pace, site, withModel, shoot }: Way): Promise<void> {
  const button = (name: string | RegExp) => page.getByRole("button", { name, exact: true });
  await expect(page.getByRole("heading", { name: "Welcome to Patchbay" })).toBeVisible();
  if (withModel) await expect(button("Use qwen3:8b")).toBeVisible();
  await shoot?.("model");
  await pace.press(button(withModel ? "Use qwen3:8b" : "Skip for now"));
  await expect(page.getByRole("heading", { name: "Pick a first plugin" })).toBeVisible();
  await expect(button("Install HTTP")).toBeVisible();
  await shoot?.("plugin");
  await pace.press(button("Install HTTP"));
  const asks = page.getByRole("region", { name: "Install HTTP?" });
  await expect(asks.getByText("Cannot reach your files")).toBeVisible();
  await expect(page.getByRole("dialog")).toHaveCount(0);
  await shoot?.("asks");
  await pace.press(asks.getByRole("button", { name: "Install and switch on" }));
  await expect(page.getByRole("heading", { name: "HTTP is patched into Helper" })).toBeVisible();
  // The page that it reads lies on this computer, which HTTP allows only when it is told to.
  await ask(home, "PUT", "/agents/helper/plugins/http", { config: { tools: { allowPrivate: true } } });
  await expect(page.getByText("No host is allowed yet: add one.")).toBeVisible();
  await shoot?.("lacks");
  await pace.type(page.getByRole("textbox", { name: "Allowed hosts" }), site);
  await pace.press(button("Add"));
  await expect(page.getByText("Running", { exact: true })).toBeVisible();
  await shoot?.("runs");
  const trial = page.getByRole("region", { name: "Try it" });
  await pace.press(trial.getByRole("button", { name: withModel ? "Let Helper try it" : "Try it" }));
  await expect(trial.getByText("It works.")).toBeVisible();
  await shoot?.("works");
  await pace.press(button("Start working"));
  await expect(page.getByRole("heading", { name: "Plugins", exact: true })).toBeVisible();
  await shoot?.("home");
}
