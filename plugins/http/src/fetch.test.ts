import { once } from "node:events";
import { createServer, type RequestListener, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { brotliCompressSync, deflateSync, gzipSync } from "node:zlib";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import type { Resolve } from "./addresses.ts";
import { type FetchRules, fetchPage } from "./fetch.ts";
import { parseHostRule } from "./hosts.ts";

let server: Server;
let port: number;
let answer: RequestListener;
let requests: string[];

beforeEach(async () => {
  requests = [];
  server = createServer((request, response) => {
    requests.push(`${request.method} ${request.headers.host} ${request.url}`);
    answer(request, response);
  });
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  port = (server.address() as AddressInfo).port;
});
afterEach(async () => {
  server.closeAllConnections();
  server.close();
  await once(server, "close");
});

const loopback: Resolve = async () => [{ address: "127.0.0.1", family: 4 }];
const never = new AbortController().signal;

function read(
  url: string,
  rules: Partial<FetchRules> & { hosts?: string[] } = {},
  resolve = loopback,
  signal = never,
) {
  const { hosts = ["site.test", "*.site.test"], ...others } = rules;
  const allowed = hosts.map(parseHostRule);
  const defaults = { allowed, allowPrivate: true, maxBytes: 1024 * 1024, timeoutSeconds: 20 };
  return fetchPage(url, { ...defaults, ...others }, resolve, signal);
}
const site = (path = "/") => `http://site.test:${port}${path}`;
const send = (body: string | Buffer, headers: Record<string, string> = {}, status = 200): RequestListener => {
  return (_request, response) => response.writeHead(status, headers).end(body);
};

describe("reading an address", () => {
  it("returns its text, status and type", async () => {
    answer = send("hello", { "content-type": "text/plain; charset=utf-8" });
    expect(await read(site("/a?b=1#part"))).toEqual({
      url: site("/a?b=1"),
      status: 200,
      statusText: "OK",
      contentType: "text/plain; charset=utf-8",
      text: "hello",
      charset: "utf-8",
      bytes: 5,
      redirects: [],
    });
    expect(requests).toEqual([`GET site.test:${port} /a?b=1`]);
  });

  it("returns an answer that says no, as an answer", async () => {
    answer = send("gone", { "content-type": "text/plain" }, 404);
    expect(await read(site())).toMatchObject({ status: 404, statusText: "Not Found", text: "gone" });
  });

  it.each([
    ["gzip", gzipSync],
    ["br", brotliCompressSync],
    ["deflate", deflateSync],
  ])("takes %s off", async (encoding, compress) => {
    answer = send(compress("compressed text"), {
      "content-type": "text/plain",
      "content-encoding": encoding,
    });
    expect(await read(site())).toMatchObject({ text: "compressed text", bytes: 15 });
  });

  it.each([
    ["text/plain; charset=iso-8859-1", Buffer.from("gr\xfc\xdfe", "latin1"), "grüße"],
    ['text/plain; charset="Shift_JIS"', Buffer.from([0x93, 0xfa, 0x96, 0x7b]), "日本"],
    ["text/plain; charset=no-such", Buffer.from("grüße"), "grüße"],
    [
      "text/html",
      Buffer.from('<meta charset="windows-1252">\x80', "latin1"),
      '<meta charset="windows-1252">€',
    ],
    [
      "text/xml",
      Buffer.from('<?xml version="1.0" encoding="iso-8859-1"?><a>\xe9</a>', "latin1"),
      '<?xml version="1.0" encoding="iso-8859-1"?><a>é</a>',
    ],
    ["text/plain; charset=iso-8859-1", Buffer.from("\ufeffgrüße"), "grüße"],
    ["application/json", Buffer.from('{"a":"é"}'), '{"a":"é"}'],
    ["application/vnd.api+json", Buffer.from("{}"), "{}"],
    ["image/svg+xml", Buffer.from("<svg/>"), "<svg/>"],
    ["application/octet-stream", Buffer.from("plain after all"), "plain after all"],
  ])("decodes %s", async (type, body, text) => {
    answer = send(body, { "content-type": type });
    expect((await read(site())).text).toBe(text);
  });

  it("looks at the bytes when the server names no type", async () => {
    answer = send("just text");
    expect((await read(site())).text).toBe("just text");
    answer = send(Buffer.from([1, 0, 2, 3]));
    expect(await read(site())).toMatchObject({ text: null, bytes: 4, contentType: null });
  });

  it("does not show what is not text, and does not download it", async () => {
    answer = (_request, response) => {
      response.writeHead(200, { "content-type": "image/png", "content-length": "99999999" });
      response.write("x");
    };
    expect(await read(site())).toMatchObject({ text: null, bytes: 99999999, contentType: "image/png" });
  });
});

describe("what is not read", () => {
  it("is anything while no host is allowed", async () => {
    await expect(read(site(), { hosts: [] })).rejects.toThrow(
      'No host is allowed yet, so site.test was not read. Add site.test to "Allowed hosts" in the settings of HTTP.',
    );
  });

  it("is a host that is not allowed", async () => {
    await expect(read("http://other.test/")).rejects.toThrow(/^other\.test is not among the allowed hosts\./);
    await expect(read(site(), { hosts: [`site.test:${port + 1}`] })).rejects.toThrow(/is not among/);
    expect(requests).toEqual([]);
  });

  it.each(["file:///etc/passwd", "ftp://site.test/", "data:text/plain,x", "javascript:1"])(
    "is %s",
    async (url) => {
      await expect(read(url)).rejects.toThrow(/^Only http and https addresses are read/);
    },
  );

  it("is what is no address, or carries a password", async () => {
    await expect(read("site.test")).rejects.toThrow('The address "site.test" is not a web address.');
    await expect(read(`http://me:secret@site.test:${port}/`)).rejects.toThrow(
      "The address of site.test carries a user name or password; leave them out.",
    );
  });

  it.each([
    ["127.0.0.1", 4, "this computer itself"],
    ["::ffff:127.0.0.1", 6, "this computer itself"],
    ["192.168.0.1", 4, "a private network"],
    ["169.254.169.254", 4, "the local link"],
  ] as const)(
    "is a host that leads to %s, unless private addresses are allowed",
    async (address, family, kind) => {
      await expect(read(site(), { allowPrivate: false }, async () => [{ address, family }])).rejects.toThrow(
        `site.test leads to ${address}, ${kind}, and was not read. ` +
          'Switch on "Allow private addresses" in the settings of HTTP if that is what you want.',
      );
      expect(requests).toEqual([]);
    },
  );

  it("is a host of which only one of several addresses is private", async () => {
    const mixed: Resolve = async () => [
      { address: "93.184.216.34", family: 4 },
      { address: "127.0.0.1", family: 4 },
    ];
    await expect(read(site(), { allowPrivate: false }, mixed)).rejects.toThrow("leads to 127.0.0.1");
  });

  it("is a private address written as a number", async () => {
    const rules = { allowPrivate: false, hosts: ["127.0.0.1", "[::ffff:7f00:1]"] };
    const literal: Resolve = async (host) => [{ address: host, family: host.includes(":") ? 6 : 4 }];
    for (const host of ["127.0.0.1", "2130706433", "0x7f.1", "[::ffff:127.0.0.1]"]) {
      await expect(read(`http://${host}:${port}/`, rules, literal), host).rejects.toThrow(
        "this computer itself",
      );
    }
  });
});

describe("a connection", () => {
  it("goes to the address that was checked; the name is looked up once", async () => {
    answer = send("ok", { "content-type": "text/plain" });
    let lookups = 0;
    const swapping: Resolve = async () => [
      { address: lookups++ === 0 ? "127.0.0.1" : "192.0.2.1", family: 4 },
    ];
    expect((await read(site(), {}, swapping)).text).toBe("ok");
    expect(lookups).toBe(1);
  });

  it("that nobody takes is named", async () => {
    server.closeAllConnections();
    const closed = createServer().listen(0, "127.0.0.1");
    await once(closed, "listening");
    const free = (closed.address() as AddressInfo).port;
    closed.close();
    await once(closed, "close");
    await expect(read(`http://site.test:${free}/`)).rejects.toThrow(
      "site.test refused the connection. Nothing listens at that port.",
    );
  });

  it("to a name that does not exist is named", async () => {
    const missing: Resolve = async () => {
      throw Object.assign(new Error("getaddrinfo ENOTFOUND"), { code: "ENOTFOUND" });
    };
    await expect(read(site(), {}, missing)).rejects.toThrow(
      "The name site.test could not be found (ENOTFOUND).",
    );
  });

  it("that breaks before or within the answer is named", async () => {
    answer = (request) => request.socket.destroy();
    await expect(read(site())).rejects.toThrow("site.test closed the connection before it answered.");
    answer = (_request, response) => {
      response.writeHead(200, { "content-type": "text/plain", "content-length": "100" });
      response.write("half", () => response.destroy());
    };
    await expect(read(site())).rejects.toThrow("The answer of site.test broke off");
  });

  it("to a plain server over https is named", async () => {
    answer = send("x");
    await expect(read(`https://site.test:${port}/`)).rejects.toThrow(
      /^site\.test does not speak https at that port/,
    );
  });
});

describe("redirects", () => {
  it("are followed, relative ones too, each with a look-up of its own", async () => {
    const hosts: string[] = [];
    answer = (request, response) => {
      if (request.url === "/") response.writeHead(302, { location: "/next" }).end();
      else if (request.url === "/next") {
        response.writeHead(307, { location: `http://www.site.test:${port}/end#x` }).end();
      } else response.writeHead(200, { "content-type": "text/plain" }).end("there");
    };
    const page = await read(site(), {}, async (host) => {
      hosts.push(host);
      return [{ address: "127.0.0.1", family: 4 }];
    });
    expect(page).toMatchObject({ url: `http://www.site.test:${port}/end`, text: "there" });
    expect(page.redirects).toEqual([site("/"), site("/next")]);
    expect(hosts).toEqual(["site.test", "site.test", "www.site.test"]);
  });

  it("to a host that is not allowed stop there", async () => {
    answer = send("", { location: "http://evil.test/" }, 301);
    await expect(read(site())).rejects.toThrow(/^evil\.test is not among the allowed hosts\./);
  });

  it("to another scheme stop there", async () => {
    answer = send("", { location: "file:///etc/passwd" }, 301);
    await expect(read(site())).rejects.toThrow(/that site\.test sent the request on to is neither/);
  });

  it("beyond five are given up", async () => {
    answer = (request, response) => {
      response.writeHead(302, { location: `/${Number(request.url?.slice(1) || 0) + 1}` }).end();
    };
    await expect(read(site())).rejects.toThrow(
      "site.test sent the request on more than 5 times; it was given up.",
    );
    expect(requests).toHaveLength(6);
  });
});

describe("limits", () => {
  const sentence =
    'The answer of site.test is larger than 1000 bytes. Raise "Size limit" in the settings of HTTP to read it.';

  it("refuse an answer that says it is too large, without reading it", async () => {
    answer = (_request, response) => {
      response.writeHead(200, { "content-type": "text/plain", "content-length": "5000" });
      response.flushHeaders();
    };
    await expect(read(site(), { maxBytes: 1000 })).rejects.toThrow(sentence);
  });

  it("end an answer that never ends", async () => {
    answer = (_request, response) => {
      response.writeHead(200, { "content-type": "text/plain" });
      const more = () => {
        while (response.write("x".repeat(100))) {
          // Fill the buffer.
        }
      };
      response.on("drain", more);
      more();
    };
    await expect(read(site(), { maxBytes: 1000 })).rejects.toThrow(sentence);
  });

  it("count what a small compressed answer becomes", async () => {
    answer = send(gzipSync(Buffer.alloc(50_000_000, "x")), {
      "content-type": "text/plain",
      "content-encoding": "gzip",
    });
    await expect(read(site(), { maxBytes: 1000 })).rejects.toThrow(sentence);
  });

  it("take exactly the limit", async () => {
    answer = send("x".repeat(1000), { "content-type": "text/plain" });
    expect((await read(site(), { maxBytes: 1000 })).bytes).toBe(1000);
  });

  it("end a server that takes too long, also in the middle of its answer", async () => {
    answer = (_request, response) => {
      response.writeHead(200, { "content-type": "text/plain" });
      response.write("x");
    };
    await expect(read(site(), { timeoutSeconds: 0.1 })).rejects.toThrow(
      "site.test did not answer completely within 0.1 s.",
    );
  });

  it("end a look-up that takes too long", async () => {
    await expect(read(site(), { timeoutSeconds: 0.1 }, () => new Promise(() => {}))).rejects.toThrow(
      "site.test did not answer completely within 0.1 s.",
    );
  });

  it("end at once when the caller stops", async () => {
    const stop = new AbortController();
    const gone = Promise.withResolvers<void>();
    answer = (request) => {
      request.socket.once("close", () => gone.resolve());
      stop.abort(new Error("stopped by the caller"));
    };
    await expect(read(site(), {}, loopback, stop.signal)).rejects.toThrow("stopped by the caller");
    await gone.promise;
  });
});
