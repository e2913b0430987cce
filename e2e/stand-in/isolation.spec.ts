import { expect } from "@playwright/test";
import { expectScreen, test } from "./desktop.ts";

test.describe("the page of the desktop app", () => {
  test("has neither Node nor Electron, only the mark of the desktop shell", async ({ desktop }) => {
    const found = await desktop.page.evaluate(() =>
      Object.getOwnPropertyNames(window).filter((name) =>
        /^(require|process|module|exports|Buffer|global|__dirname|__filename)$|electron|ipc|patchbay|standin/i.test(
          name,
        ),
      ),
    );
    expect(found).toEqual(["patchbayDesktop"]);
  });

  test("cannot change that mark", async ({ desktop }) => {
    const mark = await desktop.page.evaluate(() => {
      Reflect.set(window, "patchbayDesktop", "changed");
      Reflect.deleteProperty(window, "patchbayDesktop");
      return Reflect.get(window, "patchbayDesktop");
    });
    expect(mark).toBe(true);
  });

  test("runs no inline script, no inline handler and no text as code", async ({ desktop }) => {
    const ran = await desktop.page.evaluate(async () => {
      const script = document.createElement("script");
      script.textContent = "window.inlineRan = true";
      document.body.append(script);
      const button = document.createElement("button");
      button.setAttribute("onclick", "window.handlerRan = true");
      document.body.append(button);
      button.click();
      // What DevTools evaluates may use eval; what the page runs by itself later may not.
      const evaluated = await new Promise((resolve) =>
        setTimeout(() => {
          try {
            resolve(new Function("return true")());
          } catch (error) {
            resolve(error instanceof EvalError ? "refused" : String(error));
          }
        }),
      );
      return {
        inline: Reflect.get(window, "inlineRan"),
        handler: Reflect.get(window, "handlerRan"),
        evaluated,
      };
    });
    expect(ran).toEqual({ inline: undefined, handler: undefined, evaluated: "refused" });
  });

  test("loads nothing from elsewhere", async ({ desktop }) => {
    const blocked = await desktop.page.evaluate(async () => {
      const seen = new Set<string>();
      const { promise: four, resolve } = Promise.withResolvers<void>();
      document.addEventListener("securitypolicyviolation", (event) => {
        if (seen.add(event.effectiveDirective).size === 4) resolve();
      });
      const elsewhere = "https://example.com/";
      document.body.append(
        Object.assign(document.createElement("img"), { src: elsewhere }),
        Object.assign(document.createElement("script"), { src: elsewhere }),
        Object.assign(document.createElement("iframe"), { src: elsewhere }),
      );
      const fetched = await fetch(elsewhere).then(
        () => "fetched",
        () => "refused",
      );
      await four;
      return [...seen, fetched].sort();
    });
    expect(blocked).toEqual(["connect-src", "frame-src", "img-src", "refused", "script-src-elem"]);
  });

  test("shows its screens without breaking the policy itself", async ({ desktop }) => {
    const violations: string[] = [];
    desktop.page.on("console", (message) => {
      if (/Content Security Policy/i.test(message.text())) violations.push(message.text());
    });
    await desktop.page.reload();
    await expectScreen(desktop.page);
    // A dialog brings styles of its own.
    await desktop.page.getByRole("link", { name: "Discover", exact: true }).click();
    await desktop.page.getByRole("button", { name: "Add by name or address" }).click();
    await expect(desktop.page.getByRole("dialog")).toBeVisible();
    await desktop.page.keyboard.press("Escape");
    await expect(desktop.page.getByRole("dialog")).toBeHidden();
    expect(violations).toEqual([]);
  });

  test("is denied what pages may ask a browser for, except copying text", async ({ desktop }) => {
    const states = await desktop.page.evaluate(async () => {
      const state = async (name: string) =>
        (await navigator.permissions.query({ name: name as PermissionName })).state;
      return {
        geolocation: await state("geolocation"),
        camera: await state("camera"),
        clipboardRead: await state("clipboard-read"),
        clipboardWrite: await state("clipboard-write"),
        notifications: Notification.permission,
      };
    });
    expect(states).toEqual({
      geolocation: "denied",
      camera: "denied",
      clipboardRead: "denied",
      clipboardWrite: "granted",
      notifications: "denied",
    });
  });

  test("gets one port each time it asks, and its older port is closed then", async ({ desktop }) => {
    const { counts, firstClosed } = await desktop.page.evaluate(async () => {
      const given: MessagePort[][] = [];
      const { promise: enough, resolve } = Promise.withResolvers<void>();
      const { promise: firstClosed, resolve: closed } = Promise.withResolvers<boolean>();
      window.addEventListener("message", ({ data, ports }) => {
        if (data !== "patchbay:port") return;
        given.push([...ports]);
        if (given.length === 1) {
          ports[0]?.addEventListener("close", () => closed(true));
          ports[0]?.start();
          window.postMessage("patchbay:ready", location.origin);
        } else resolve();
      });
      window.postMessage("patchbay:ready", location.origin);
      await enough;
      return { counts: given.slice(0, 2).map((ports) => ports.length), firstClosed: await firstClosed };
    });
    expect(counts).toEqual([1, 1]);
    expect(firstClosed).toBe(true);
  });

  test("works again after it was loaded again", async ({ desktop }) => {
    for (let load = 0; load < 3; load++) {
      await desktop.page.reload();
      await expectScreen(desktop.page);
    }
  });
});
