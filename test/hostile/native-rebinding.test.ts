import { expect, test } from "vitest";
import { type Grants, tightestGrants } from "../../src/contract/index.ts";
import { type HostAnswer, HostJudge } from "../../src/main/permissions/network-judge.ts";

/** Names whose owner makes them lead elsewhere than to where the person thought. */
function judging(network: Partial<Grants["network"]>, answers: HostAnswer[] = [], named: string[] = []) {
  const asked: string[] = [];
  const kept: string[] = [];
  const judge = new HostJudge({
    grants: () => ({ ...tightestGrants, network: { ...tightestGrants.network, ...network } }),
    named: () => named,
    ownPorts: () => [4_100],
    ask: async (rule, place) => {
      asked.push(place === null ? rule : `${rule} (${place})`);
      return answers.shift() ?? null;
    },
    keep: async (rule) => void kept.push(rule),
    reached: () => {},
  });
  const lookedUp: string[] = [];
  const reach = async (host: string, port: number | null, ...addresses: string[]) => {
    const target = {
      host,
      port,
      addresses: async () => {
        lookedUp.push(host);
        return addresses;
      },
    };
    return (await judge.decide(target, new AbortController().signal)).allowed;
  };
  return { reach, asked, kept, lookedUp };
}

test("a declared name that its owner lets lead to this computer is a question, not a way in", async () => {
  const { reach, asked } = judging({ reach: "hosts", hosts: ["evil.example"] });
  expect(await reach("evil.example", 5432, "203.0.113.9", "127.0.0.1")).toBe(false);
  expect(await reach("evil.example", 80, "192.168.1.1")).toBe(false);
  expect(await reach("evil.example", 80, "::ffff:10.0.0.1")).toBe(false);
  expect(await reach("evil.example", 443, "93.184.215.14")).toBe(true);
  expect(asked).toHaveLength(3);
  expect(asked[1]).toBe("evil.example:80 (your local network)");
});

test("a name that was allowed once for the internet does not lead to this computer later", async () => {
  const { reach, asked } = judging({ reach: "hosts" }, ["once", "no"]);
  expect(await reach("evil.example", 80, "93.184.215.14")).toBe(true);
  expect(await reach("evil.example", 80, "127.0.0.1")).toBe(false);
  expect(asked).toEqual(["evil.example", "evil.example:80 (this computer)"]);
});

test("a port of this computer that was allowed opens no other port", async () => {
  const { reach, asked } = judging({ reach: "any" }, ["once", "no"]);
  expect(await reach("127.0.0.1", 8_080, "127.0.0.1")).toBe(true);
  expect(await reach("127.0.0.1", 22, "127.0.0.1")).toBe(false);
  expect(asked).toEqual(["127.0.0.1:8080 (this computer)", "127.0.0.1:22 (this computer)"]);
});

test("no name leads to Patchbay itself, whatever the person answered or typed", async () => {
  const asking = judging({ reach: "hosts" }, ["always"]);
  expect(await asking.reach("evil.example", 4_100, "127.0.0.1")).toBe(false);
  const declared = judging({ reach: "hosts", hosts: ["evil.example", "127.0.0.1:4100"] });
  expect(await declared.reach("evil.example", 4_100, "127.0.0.1")).toBe(false);
  expect(await declared.reach("127.0.0.1", 4_100, "127.0.0.1")).toBe(false);
  const typed = judging({ reach: "any" }, [], ["evil.example"]);
  expect(await typed.reach("evil.example", 4_100, "127.0.0.1")).toBe(false);
});

test("always for a name inside keeps the address that was shown, so that the name cannot move on", async () => {
  const { reach, kept } = judging({ reach: "any" }, ["always"]);
  expect(await reach("printer.example", 631, "192.168.1.4")).toBe(true);
  expect(kept).toEqual(["192.168.1.4:631"]);
});

test("a name that nobody allowed is not even looked up", async () => {
  const { reach, lookedUp } = judging({ reach: "hosts", hosts: ["api.example"] }, ["no"]);
  expect(await reach("what-i-know.evil.example", null)).toBe(false);
  expect(await reach("what-i-know.evil.example", 443)).toBe(false);
  expect(lookedUp).toEqual([]);
});

test("what the person typed into the settings is reached where it is", async () => {
  const { reach, asked } = judging({ reach: "hosts" }, [], ["home.example", "192.168.1.7:8123"]);
  expect(await reach("home.example", 8_123, "192.168.1.7")).toBe(true);
  expect(await reach("192.168.1.7", 8_123, "192.168.1.7")).toBe(true);
  expect(asked).toEqual([]);
});
