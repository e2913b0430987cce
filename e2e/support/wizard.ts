import { createRequire } from "node:module";
import type { Locator } from "@playwright/test";
import type { SetupView } from "../../src/contract/index.ts";
import type { App } from "./app.ts";
import { expect } from "./app.ts";
import { readPng } from "./png.ts";

/**
 * Loaded with `require`, because jsqr is CommonJS, and how its default export is imported differs between the programs
 * that run these specs.
 */
const { default: jsQR } = createRequire(import.meta.url)("jsqr") as typeof import("jsqr");

export type Way = "With my phone" | "With a code" | "On the web" | "With my account";

/** The dialog of a setup, and what a person does in it. */
export class WizardScreen {
  readonly dialog: Locator;
  readonly app: App;

  constructor(app: App) {
    this.app = app;
    this.dialog = app.page.locator("[data-setup]");
  }

  /** Opens the setup of Courier from its card and goes as far as the form. */
  async toForm(way: Way): Promise<void> {
    await this.app.card("Courier").getByRole("switch").click();
    await this.choose(way);
  }

  async choose(way: Way): Promise<void> {
    await this.dialog.getByRole("button", { name: way }).click();
    await expect(this.heading("Find the service")).toBeVisible();
  }

  /** Fills in the form and goes on. */
  async give(service: string, pin = "471100"): Promise<void> {
    await this.dialog.getByLabel("Address").fill(service);
    await this.dialog.getByLabel(/^PIN/).fill(pin);
    await this.dialog.getByRole("button", { name: "Continue" }).click();
  }

  /** Unfolds what few people need. */
  async unfold(): Promise<void> {
    const folded = this.dialog.locator("details:not([open]) > summary", { hasText: "Advanced" });
    if ((await folded.count()) > 0) await folded.click();
  }

  heading(name: string | RegExp): Locator {
    return this.dialog.getByRole("heading", { name });
  }

  button(name: string | RegExp): Locator {
    return this.dialog.getByRole("button", { name });
  }

  /** The kind of step that is shown. */
  async expectStep(kind: string): Promise<void> {
    await expect(this.dialog).toHaveAttribute("data-setup", kind);
  }

  /** The address at which the shown sign-in expects the browser back. */
  async redirect(agent = "helper"): Promise<URL> {
    await this.expectStep("oauth");
    const { step } = await this.app.ask<SetupView>("GET", `/agents/${agent}/plugins/courier/setup`);
    if (step.kind !== "oauth") throw new Error(`No sign-in is waited for: ${step.kind}`);
    return new URL(new URL(step.url).searchParams.get("redirect_uri") ?? "");
  }

  /** What a phone that is held before the dialog reads; null when it finds no code. */
  async scan(): Promise<string | null> {
    const clip = await this.dialog.boundingBox();
    if (!clip) throw new Error("The dialog is not on the screen.");
    const { data, width, height } = readPng(await this.app.page.screenshot({ clip }));
    return jsQR(data, width, height)?.data ?? null;
  }

  /** Closes the setup and confirms the question whether to stop it. */
  async stop(): Promise<void> {
    await this.app.page.keyboard.press("Escape");
    await this.app.page.getByRole("button", { name: "Stop the setup" }).click();
    await expect(this.dialog).toBeHidden();
  }
}
