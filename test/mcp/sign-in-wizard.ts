import { expect } from "vitest";
import type { SetupStep } from "../../src/contract/index.ts";
import type { Browser } from "../support/identity-provider.ts";
import type { McpApp } from "./mcp-app.ts";

type Of<Kind extends SetupStep["kind"]> = Extract<SetupStep, { kind: Kind }>;

/** The wizard of one plugin, step by step. */
export class SignInWizard {
  readonly #app: McpApp;
  readonly #place: { agentId: string; key: string };
  #view!: Awaited<ReturnType<McpApp["client"]["setup"]["begin"]>>;

  static async begin(app: McpApp, key: string, reason?: "sign_in_again"): Promise<SignInWizard> {
    const wizard = new SignInWizard(app, key);
    wizard.#view = await app.client.setup.begin({ ...wizard.#place, ...(reason && { reason }) });
    return wizard;
  }

  private constructor(app: McpApp, key: string) {
    this.#app = app;
    this.#place = { agentId: app.agentId, key };
  }

  step<Kind extends SetupStep["kind"]>(kind: Kind): Of<Kind> {
    expect(this.#view.step).toMatchObject({ kind });
    return this.#view.step as Of<Kind>;
  }

  async answer(answer: Parameters<McpApp["client"]["setup"]["submit"]>[0]["answer"]): Promise<this> {
    const { id, step } = this.#view;
    this.#view = await this.#app.client.setup.submit({
      ...this.#place,
      sessionId: id,
      stepId: step.id,
      answer,
    });
    return this;
  }

  /** Signs in at the provider's pages, and waits for what the wizard says then. */
  async signIn(browser: Browser): Promise<SetupStep> {
    await browser.allow(this.step("oauth").url);
    return this.until((step) => step.kind === "done" || step.kind === "error");
  }

  /** Ends it, wherever it stands. */
  async cancel(): Promise<void> {
    await this.#app.client.setup.cancel({ ...this.#place, sessionId: this.#view.id });
  }

  async until(is: (step: SetupStep) => boolean): Promise<SetupStep> {
    return expect
      .poll(async () => {
        this.#view = (await this.#app.client.setup.get(this.#place)) ?? this.#view;
        return is(this.#view.step) ? this.#view.step : null;
      })
      .not.toBeNull()
      .then(() => this.#view.step);
  }
}
