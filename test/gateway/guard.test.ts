import { createHash, createHmac } from "node:crypto";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { proofText, rpcProtocols } from "../../src/contract/index.ts";
import { type RunningApp, startApp } from "../support/running-app.ts";
import { ask, openScreen, openSocket } from "./support.ts";

describe("the gateway", () => {
  let home: string;
  let app: RunningApp;
  const bearer = () => ({ authorization: `Bearer ${app.token}` });

  beforeAll(async () => {
    home = await mkdtemp(join(tmpdir(), "patchbay-gateway-"));
    app = await startApp(home);
  });
  afterAll(async () => {
    await app.close();
    await rm(home, { recursive: true, force: true });
  });

  describe("asks for the token", () => {
    it.each([
      ["none", {}],
      ["a wrong one", { authorization: "Bearer wrong" }],
      ["another scheme", { authorization: "Basic wrong" }],
    ])("and answers %s with 401", async (_what, headers) => {
      for (const path of ["/api/app", "/api/openapi.json", "/rpc/app/info", "/api/nope"]) {
        const answer = await ask(`${app.url}${path}`, { headers });
        expect(answer.status).toBe(401);
        expect(answer.json()).toMatchObject({
          code: "UNAUTHORIZED",
          message: expect.any(String),
          help: expect.any(String),
        });
      }
    });

    it("and takes none from the address", async () => {
      expect((await ask(`${app.url}/api/app?token=${app.token}`)).status).toBe(401);
    });

    it("and lets the right one in", async () => {
      const answer = await ask(`${app.url}/api/app`, { headers: bearer() });
      expect(answer.status).toBe(200);
      expect(answer.json()).toMatchObject({ shell: "browser", folder: home });
    });
  });

  describe("proves to a page that it knows its token", () => {
    const challenge = "c".repeat(43);
    const proofAt = (query: string, headers: Record<string, string> = {}) =>
      ask(`${app.url}/api/proof${query}`, { headers });

    it("for the address under which it was asked, and without telling it", async () => {
      const { host } = new URL(app.url);
      const { id, secret, token } = await openScreen(app);
      const answer = await proofAt(`?challenge=${challenge}&holder=${id}`);
      const key = createHash("sha256").update(secret).digest("base64url");
      const expected = createHmac("sha256", key).update(proofText(host, challenge)).digest("base64url");
      expect(answer.json()).toEqual({ proofs: [expected] });
      expect(answer.text).not.toContain(token);
      const elsewhere = await proofAt(`?challenge=${challenge}&holder=${id}`, {
        host: host.replace("127.0.0.1", "localhost"),
      });
      expect(elsewhere.json()).not.toEqual({ proofs: [expected] });
    });

    it("and to nobody who names a token that it does not know", async () => {
      const [one, other] = await Promise.all([
        proofAt(`?challenge=${challenge}&holder=${"n".repeat(16)}`),
        proofAt(`?challenge=${challenge}`),
      ]);
      expect(one.status).toBe(200);
      expect(one.json()).toEqual(other.json());
    });

    it.each(["", "?challenge=short", `?challenge=${"x".repeat(65)}`, `?challenge=${"%0a".repeat(30)}`])(
      "and not for %j",
      async (query) => {
        const answer = await proofAt(query);
        expect(answer.status).toBe(400);
        expect(answer.json()).toMatchObject({ code: "BAD_INPUT" });
      },
    );

    it("nor to a page of another site", async () => {
      const answer = await proofAt(`?challenge=${challenge}`, { origin: "https://evil.example" });
      expect(answer.status).toBe(403);
    });
  });

  describe("answers under its own name alone", () => {
    it.each(["evil.example", "evil.example:80", "127.0.0.1", "localhost:1"])("not under %j", async (host) => {
      const answer = await ask(`${app.url}/api/app`, { headers: { ...bearer(), host } });
      expect(answer.status).toBe(403);
      expect(answer.json()).toMatchObject({ code: "FORBIDDEN" });
    });

    it("also for the screens, so that no other name can be bound to them", async () => {
      expect((await ask(app.url, { headers: { host: "evil.example" } })).status).toBe(403);
    });

    it("by the names of this machine", async () => {
      const { port } = new URL(app.url);
      for (const name of ["127.0.0.1", "localhost", "LOCALHOST", "[::1]"]) {
        const answer = await ask(`${app.url}/api/app`, { headers: { ...bearer(), host: `${name}:${port}` } });
        expect(answer.status).toBe(200);
      }
    });
  });

  describe("does not talk to pages of others", () => {
    it.each(["https://evil.example", "null", "http://127.0.0.1:1"])("from %s", async (origin) => {
      const answer = await ask(`${app.url}/api/app`, { headers: { ...bearer(), origin } });
      expect(answer.status).toBe(403);
    });

    it("but to its own", async () => {
      const answer = await ask(`${app.url}/api/app`, { headers: { ...bearer(), origin: app.url } });
      expect(answer.status).toBe(200);
      expect(answer.headers["access-control-allow-origin"]).toBeUndefined();
    });
  });

  describe("opens a WebSocket", () => {
    it("to its own page with the token, and never repeats the token", async () => {
      const socket = await openSocket(app.url, rpcProtocols(app.token), { origin: app.url });
      if (typeof socket === "number") throw new Error(`refused with ${socket}`);
      expect(socket.protocol).toBe("patchbay");
      socket.close();
    });

    it.each([
      ["no token", ["patchbay"], {}, 401],
      ["a wrong token", rpcProtocols("wrong"), {}, 401],
    ])("not with %s", async (_what, protocols, headers, status) => {
      expect(await openSocket(app.url, protocols, headers)).toBe(status);
    });

    it("not from another page or under another name", async () => {
      const protocols = rpcProtocols(app.token);
      expect(await openSocket(app.url, protocols, { origin: "https://evil.example" })).toBe(403);
      expect(await openSocket(app.url, protocols, { host: "evil.example" })).toBe(403);
    });
  });

  describe("takes no more than it can hold", () => {
    const large = Buffer.alloc(10 * 1024 * 1024 + 1, 0x20);

    it("when the size is told", async () => {
      const headers = {
        ...bearer(),
        "content-type": "application/json",
        "content-length": String(large.length),
      };
      const answer = await ask(`${app.url}/api/agents`, { method: "POST", headers, body: large });
      expect(answer.status).toBe(413);
      expect(answer.json()).toMatchObject({ code: "PAYLOAD_TOO_LARGE" });
    });

    it("when the size is not told", async () => {
      const headers = { ...bearer(), "content-type": "application/json", "transfer-encoding": "chunked" };
      const answer = await ask(`${app.url}/api/agents`, { method: "POST", headers, body: large });
      expect(answer.status).toBe(413);
      expect(answer.json()).toMatchObject({ code: "PAYLOAD_TOO_LARGE" });
      expect((await ask(`${app.url}/api/app`, { headers: bearer() })).status).toBe(200);
    });
  });

  describe("serves the screens", () => {
    it("without a token and under a strict policy", async () => {
      const answer = await ask(app.url);
      expect(answer.status).toBe(200);
      expect(answer.headers["content-security-policy"]).toContain("default-src 'none'");
      expect(answer.headers["content-security-policy"]).toContain("script-src 'self'");
      expect(answer.headers["content-security-policy"]).not.toContain("unsafe");
      const nonce = /<meta property="csp-nonce" nonce="([^"]{20,})"/.exec(answer.text)?.[1];
      expect(answer.headers["content-security-policy"]).toContain(`style-src 'self' 'nonce-${nonce}';`);
      expect(answer.headers["x-content-type-options"]).toBe("nosniff");
      expect(answer.text).not.toContain(app.token);
    });

    it("at the address of any screen", async () => {
      expect((await ask(`${app.url}/agents/helper/plugins`)).headers["content-type"]).toContain("text/html");
    });

    it.each(["/..%2f..%2fpackage.json", "/%2e%2e/main/cli.js", "/assets/nope.js"])(
      "and nothing else: %s",
      async (path) => {
        expect((await ask(`${app.url}${path}`)).status).toBe(404);
      },
    );
  });
});
