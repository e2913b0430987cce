import { createServer, type Server } from "node:net";
import { afterAll, beforeAll, expect, test } from "vitest";
import type { NetworkJudge } from "../../src/main/platform/walls/wall.ts";
import { ProgramsWorld } from "./programs-world.ts";

/** The HTTP proxy of programs: its servers may be hostile, too, and what it is asked is a stranger's. */
let world: ProgramsWorld;
let server: Server;
let port: number;
/** What the server says to whoever connects, as raw bytes. */
let answer = "";
let heard: string[] = [];

beforeAll(async () => {
  world = await ProgramsWorld.open();
  server = createServer((socket) => {
    socket.on("error", () => {});
    socket.on("data", (chunk) => {
      heard.push(chunk.toString("latin1"));
      socket.end(Buffer.from(answer, "latin1"));
    });
  });
  await new Promise<void>((done) => server.listen(0, "127.0.0.1", done));
  port = (server.address() as { port: number }).port;
});
afterAll(async () => {
  server.close();
  await world[Symbol.asyncDispose]();
});

const anyone: NetworkJudge = { decide: async () => ({ allowed: true }) };

test.each([
  ["a status of two digits", "HTTP/1.1 042 Hi\r\ncontent-length: 2\r\n\r\nhi"],
  ["a status that is none", "HTTP/1.1 000 Hi\r\ncontent-length: 2\r\n\r\nhi"],
  ["a status of 999", "HTTP/1.1 999 Hi\r\ncontent-length: 2\r\n\r\nhi"],
  ["controls in the words of its status", "HTTP/1.1 200 a\u0001b\u007f\r\ncontent-length: 2\r\n\r\nhi"],
  [
    "letters beyond ASCII in the words of its status",
    "HTTP/1.1 200 \u00e9\u00ff\r\ncontent-length: 2\r\n\r\nhi",
  ],
  ["two lengths", "HTTP/1.1 200 OK\r\ncontent-length: 2\r\ncontent-length: 3\r\n\r\nhi"],
  [
    "a length and pieces",
    "HTTP/1.1 200 OK\r\ncontent-length: 2\r\ntransfer-encoding: chunked\r\n\r\n2\r\nhi\r\n0\r\n\r\n",
  ],
  ["another protocol", "HTTP/1.1 101 Switching\r\nconnection: upgrade\r\nupgrade: x\r\n\r\nhi"],
  [
    "a hundred early answers",
    `${"HTTP/1.1 103 Early\r\nlink: x\r\n\r\n".repeat(100)}HTTP/1.1 200 OK\r\ncontent-length: 2\r\n\r\nhi`,
  ],
  ["pieces that are none", "HTTP/1.1 200 OK\r\ntransfer-encoding: chunked\r\n\r\nZZ\r\nhi"],
  [
    "a name of a field that is none",
    "HTTP/1.1 200 OK\r\n__proto__: x\r\nconstructor: y\r\ncontent-length: 2\r\n\r\nhi",
  ],
  [
    "trailers and a dead connection",
    "HTTP/1.1 200 OK\r\ntransfer-encoding: chunked\r\ntrailer: x\r\n\r\n2\r\nhi\r\n0\r\nx: y\r\n",
  ],
  ["nothing at all", ""],
  ["no HTTP", "SSH-2.0-x\r\n"],
])("a server that answers with %s does not take Patchbay down", async (_what, raw) => {
  answer = raw;
  const asked = await world.run(`curl -s -m 2 http://127.0.0.1:${port}/ -o /dev/null -w '%{http_code}'`, {
    judge: anyone,
  });
  expect(asked.text).toMatch(/^(000|200|999)$/);
  // The proxy lives in this process: an error that nobody catches fails the file, as it would end Patchbay.
  answer = "HTTP/1.1 200 OK\r\ncontent-length: 2\r\n\r\nhi";
  expect((await world.run(`curl -s -m 5 http://127.0.0.1:${port}/`, { judge: anyone })).text).toBe("hi");
});

test("a request hidden in the body of another one reaches no host that is not allowed", async () => {
  heard = [];
  answer = "HTTP/1.1 200 OK\r\ncontent-length: 2\r\n\r\nhi";
  const judge: NetworkJudge = {
    decide: async ({ host }) =>
      host === "127.0.0.1" ? { allowed: true } : { allowed: false, why: "Nobody allowed it." },
  };
  const hidden = `GET http://localhost:${port}/hidden HTTP/1.1\r\nHost: localhost\r\n\r\n`;
  const heads = [
    "Content-Length: 4\r\nTransfer-Encoding: chunked",
    "Transfer-Encoding: chunked\r\nTransfer-Encoding: identity",
    "Transfer-Encoding: xchunked",
    "Content-Length: 0\r\nContent-Length: 5",
    "Content-Length: 0",
    "Connection: Upgrade\r\nUpgrade: h2c",
    "Host: localhost\r\nHost: localhost",
    "X: y\nContent-Length: 0",
  ];
  const asks = heads.map((head) =>
    Buffer.from(
      `POST http://127.0.0.1:${port}/open HTTP/1.1\r\nHost: localhost\r\n${head}\r\n\r\n0\r\n\r\n${hidden}`,
    ).toString("base64"),
  );
  const plain = Buffer.from(`GET http://127.0.0.1:${port}/ HTTP/1.1\r\nHost: x\r\n\r\n${hidden}`);
  const script = `
import socket, base64
for ask in ${JSON.stringify([...asks, plain.toString("base64")])}:
    s = socket.create_connection(("127.0.0.1", 3128)); s.settimeout(1)
    s.sendall(base64.b64decode(ask))
    try:
        while s.recv(4096): pass
    except Exception: pass
    s.close()
`;
  const { text, refused } = await world.run(`python3 - <<'PY'\n${script}\nPY`, { judge });
  expect(text).toBe("");
  // What it heard is what was asked of 127.0.0.1, under that name; the hidden request was judged, or never sent.
  expect(heard.join("\n")).not.toMatch(/^GET \/hidden/m);
  expect(heard.join("\n")).not.toMatch(/^host: localhost/im);
  expect(refused).toEqual(
    expect.arrayContaining([{ wall: "network", target: `localhost:${port}`, seenBy: "wall" }]),
  );
});

const spellings = () => [
  "127.0.0.1",
  "[::ffff:127.0.0.1]",
  "[::ffff:7f00:1]",
  "[0:0:0:0:0:ffff:127.0.0.1]",
  "0.0.0.0",
  "[::]",
  "[::1]",
  "[::ffff:0.0.0.0]",
  "2130706433",
  "0x7f000001",
  "0x7f.1",
  "0177.0.0.1",
  "017700000001",
  "127.1",
  "127.0.1",
  "127.0.0.1.",
  "localhost",
  "localhost.",
  "LOCALHOST",
  "ip6-localhost",
  "patchbay.localhost",
  "127.0.0.1%00.example.com",
  "%31%32%37.0.0.1",
  "\uff11\uff12\uff17.0.0.1",
  "\u24db\u24de\u24d2\u24d0\u24db\u24d7\u24de\u24e2\u24e3",
  "example.com@127.0.0.1",
  "127.0.0.1#example.com",
  "127.0.0.1?example.com",
  "[64:ff9b::127.0.0.1]",
  "[::127.0.0.1]",
  "[2002:7f00:1::]",
  "127.127.127.127",
];
test("no spelling of this computer leads a program to it, by a tunnel or a request", async () => {
  heard = [];
  answer = "HTTP/1.1 200 OK\r\ncontent-length: 6\r\n\r\ncaught";
  const script = `
import socket, sys
for name in ${JSON.stringify(spellings())}:
    for ask in ["CONNECT %s:${port} HTTP/1.1\\r\\nHost: example.com\\r\\n\\r\\nGET / HTTP/1.1\\r\\n\\r\\n", "GET http://%s:${port}/ HTTP/1.1\\r\\nHost: example.com\\r\\n\\r\\n"]:
        s = socket.create_connection(("127.0.0.1", 3128)); s.settimeout(2)
        s.sendall((ask % name).encode("utf8"))
        try: got = s.recv(400)
        except Exception as e: got = str(e).encode()
        if b"caught" in got or b" 200 " in got: print("REACHED")
        s.close()
`;
  const { text, refused } = await world.run(`python3 - <<'PY'\n${script}\nPY`);
  expect(text).toBe("");
  expect(heard).toEqual([]);
  const targets = refused.map(({ target }) => target);
  for (const place of ["127.0.0.1", "0.0.0.0", "::ffff:7f00:1", "2130706433", "0x7f.1", "localhost"])
    expect(targets).toContain(`${place}:${port}`);
});
