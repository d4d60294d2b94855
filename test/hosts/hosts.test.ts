// A host of its own: a workspace's links name it once it leads here, and nothing of another workspace is there.
import { describe, expect, test } from "bun:test";
import { connect } from "node:net";
import { DAY_MS, HOUR_MS, MINUTE_MS } from "../../src/base/clock.ts";
import { DEFAULTS } from "../../src/base/config.ts";
import { linksFor } from "../../src/content/rendering/links.ts";
import { clickToken, trackingMarks } from "../../src/sending/carrier/tracking/links.ts";
import { leftovers } from "../support/leftovers.ts";
import { somebody } from "../support/people.ts";
import { startPosthorn, type Json, type Posthorn, type StartOptions } from "../support/posthorn.ts";
import { TableResolver, type Zone } from "../support/resolver.ts";
import { ask, type Key } from "../support/scenario.ts";
import { addWorkspace } from "../support/workspaces.ts";

const { folder } = leftovers();
const HOST = "links.example.test";
const PATH = "/workspace/link-host";

type Scene = { readonly posthorn: Posthorn; readonly zones: Record<string, Zone> };

/** A server whose own address is 127.0.0.1, to which the host leads. */
async function started(options: StartOptions = {}): Promise<Scene> {
  const zones: Record<string, Zone> = { [HOST]: { A: ["127.0.0.1"] } };
  return { zones, posthorn: await startPosthorn({ resolver: new TableResolver(zones), ...options }) };
}

async function set(posthorn: Posthorn, host = HOST): Promise<Json> {
  expect((await ask(posthorn, `PUT ${PATH}`, { body: { host } })).status).toBe(200);
  return (await ask(posthorn, `POST ${PATH}/verify`)).body;
}

/** As a browser does that has looked the host up. */
function at(posthorn: Posthorn, host: string, path: string, init: RequestInit = {}): Promise<Response> {
  const headers = { ...(init.headers as Record<string, string>), host };
  return fetch(posthorn.server.url + path, { redirect: "manual", ...init, headers });
}

/** As the configuration says, whatever the port is here. */
const OWN = DEFAULTS.http.baseUrl;
const base = (host = HOST) => OWN.replace("127.0.0.1", host);

const letter = {
  to: "ada@example.com",
  from: "shop@example.test",
  subject: "Hello",
  body: "<p>Hi <a href='https://shop.example/'>there</a></p>",
};

describe("a host that leads here", () => {
  test("is named by the links of new mails, and links that were sent work at both", async () => {
    const { posthorn } = await started({ tracking: true });
    await using _ = posthorn;
    const before = await mail(posthorn);
    expect(before).toContain(`${OWN}/c/`);
    const { host, base: used } = await set(posthorn);
    expect([host.state, used, host.problem]).toEqual(["USED", base(), null]);
    await posthorn.settle();
    const after = await mail(posthorn);
    expect(after).not.toContain(OWN);
    for (const path of ["c", "o", "unsubscribe"]) expect(after).toContain(`${base()}/${path}/`);
    const header = /^List-Unsubscribe: <([^>]+)>/m.exec(after)?.[1] ?? "";
    expect(header).toStartWith(`${base()}/unsubscribe/`);
    const { pathname } = new URL(header);
    for (const named of [HOST, `${HOST}.:80`, HOST.toUpperCase(), new URL(posthorn.server.url).host])
      expect([named, (await at(posthorn, named, pathname)).status]).toEqual([named, 200]);
    for (const text of [before, after]) {
      const click = /\/c\/[\w-]+/.exec(text)?.[0] ?? "";
      for (const named of [HOST, "127.0.0.1"]) {
        const { status, headers } = await at(posthorn, named, click);
        expect([status, headers.get("location")]).toEqual([302, "https://shop.example/"]);
      }
    }
  });

  test("has what recipients reach and nothing else", async () => {
    const { posthorn } = await started();
    await using _ = posthorn;
    await set(posthorn);
    await posthorn.settle();
    const auth = { authorization: `Bearer ${posthorn.keys.secret}` };
    for (const path of [
      "/",
      "/app",
      "/app/mail",
      "/docs",
      "/openapi.json",
      "/health",
      "/ready",
      "/contacts",
      "/v1/send",
    ]) {
      expect([path, (await at(posthorn, HOST, path, { headers: auth })).status]).toEqual([path, 404]);
      expect([path, (await at(posthorn, HOST, path, { method: "POST", headers: auth })).status]).toEqual([path, 404]);
    }
    for (const path of ["//app", "/unsubscribe/../app", "/%61pp", "/i/../openapi.json"])
      expect([path, (await at(posthorn, HOST, path)).status]).toEqual([path, 404]);
    const raw = ["/unsubscribe/../app", "/i/..%2fapp", "/f/..;/app", "//app", "/o/../../openapi.json"];
    for (const path of [...raw, `${posthorn.server.url}/health`])
      expect([path, await rawStatus(posthorn, path)]).toEqual([path, expect.stringMatching(/ 40[04] /)]);
    expect((await at(posthorn, "unknown.example", "/health")).status).toBe(200);
    expect((await at(posthorn, `x${HOST}`, "/health")).status).toBe(200);
    const nonce = "0123456789abcdef0123456789abcdef";
    const proof = await (await at(posthorn, HOST, `/.well-known/posthorn-host/${nonce}`)).text();
    expect(proof).toMatch(/^[\w-]{32}\n$/);
    expect((await posthorn.call(`GET /.well-known/posthorn-host/${nonce}`)).body).toBe(proof);
    expect((await posthorn.call("GET /.well-known/posthorn-host/x")).status).toBe(404);
  });

  test("has nothing of another workspace", async () => {
    const { posthorn } = await started();
    await using _ = posthorn;
    await set(posthorn);
    await posthorn.settle();
    const other = await addWorkspace(posthorn, { name: "other", domain: "other.test" });
    const { body: contact } = await ask(posthorn, "POST /contacts", {
      body: { email: "bob@example.com" },
      key: { bearer: other.secret },
    });
    const id = "0199a3b4-0000-7000-8000-00000000abcd";
    const { manageUrl } = linksFor(posthorn.secrets, "", { contactId: contact.id, emailId: id });
    const { body: image } = await upload(posthorn, { bearer: other.secret });
    const { body: made } = await ask(posthorn, "POST /forms", {
      ...{ body: { name: "News", consent: { wording: { en: "Yes." } } }, key: { bearer: other.secret } },
    });
    const marks = trackingMarks(posthorn.secrets, { base: "", boundTo: null }, id);
    const click = `/c/${clickToken(marks, "https://evil.example/")}`;
    const paths = [manageUrl, new URL(image.url).pathname, new URL(made.url).pathname, click, `/o/${marks.openToken}`];
    for (const path of paths) {
      const here = (await at(posthorn, "127.0.0.1", path)).status;
      expect([path, here < 400, (await at(posthorn, HOST, path)).status]).toEqual([path, true, 404]);
    }
    const left = await at(posthorn, HOST, manageUrl.replace("manage", "unsubscribe"), { method: "POST" });
    expect(left.status).toBe(404);
    expect(
      (await ask(posthorn, `GET /contacts/${contact.id}`, { key: { bearer: other.secret } })).body.subscribed,
    ).toBe(true);
    expect(
      (
        await at(posthorn, HOST, new URL(made.url).pathname, {
          method: "POST",
          body: new URLSearchParams({ email: "a@b.example" }),
        })
      ).status,
    ).toBe(404);
  });

  test("shows the pictures, forms and previews of its workspace", async () => {
    const { posthorn } = await started();
    await using _ = posthorn;
    await set(posthorn);
    await posthorn.settle();
    const { body: image } = await upload(posthorn, "secret");
    expect((await at(posthorn, HOST, new URL(image.url).pathname)).status).toBe(200);
    const text = await mail(posthorn, { ...letter, body: `<p><img src="${image.url}" alt=""></p>` });
    expect(text).toContain(image.url.replace(OWN, base()));
    const { body: made } = await ask(posthorn, "POST /forms", {
      body: { name: "News", consent: { wording: { en: "Yes." } } },
    });
    expect(made.url).toStartWith(`${base()}/f/`);
    expect((await at(posthorn, HOST, new URL(made.url).pathname)).status).toBe(200);
    const html = (await ask(posthorn, `GET /forms/${made.id}/html`)).body;
    expect(html).toContain(`action="${base()}/f/`);
    expect(html).not.toContain(OWN);
    expect((await ask(posthorn, "PUT /workspace/brand", { body: { logoUrl: image.url } })).status).toBe(200);
    const pages = [/\/manage\/[\w-]+/.exec(await mail(posthorn, { ...letter, body: "{{ manageUrl }}" }))?.[0] ?? ""];
    for (const path of [...pages, new URL(made.url).pathname]) {
      const page = await at(posthorn, HOST, path);
      const [text, policy] = [await page.text(), page.headers.get("content-security-policy") ?? ""];
      expect([path, page.status, text.includes(`src="${base()}/i/`), text.includes(OWN)]).toEqual([
        path,
        200,
        true,
        false,
      ]);
      expect([policy.includes(base()), policy.includes(OWN)]).toEqual([true, false]);
    }
    const preview = { kind: "MARKETING", subject: "Hi", body: "<p>{{ unsubscribeUrl }}</p>" };
    expect((await ask(posthorn, "POST /preview", { body: preview })).body.html).toContain(`${base()}/unsubscribe/`);
  });
});

describe("a host that does not lead here", () => {
  test("is said to, and links name the server's", async () => {
    const { posthorn, zones } = await started();
    await using _ = posthorn;
    zones[HOST] = {};
    expect((await set(posthorn)).host).toMatchObject({ state: "WAITING", problemCode: "no_address" });
    zones[HOST] = { A: ["198.51.100.9"] };
    expect((await ask(posthorn, `POST ${PATH}/verify`)).body.host.problemCode).toBe("not_answering");
    zones[HOST] = "silence";
    expect((await ask(posthorn, `POST ${PATH}/verify`)).body.host.problemCode).toBe("not_answering");
    expect(await mail(posthorn)).not.toContain(HOST);
    zones[HOST] = { A: ["127.0.0.1"] };
    posthorn.clock.advance(HOUR_MS);
    await posthorn.settle();
    expect((await ask(posthorn, `GET ${PATH}`)).body.host.state).toBe("USED");
  });

  test("is not called at an address of the inner network", async () => {
    const zones: Record<string, Zone> = { [HOST]: { A: ["10.0.0.5"] } };
    const lookUp = () => Promise.resolve(["10.0.0.5"]);
    await using posthorn = await startPosthorn({ resolver: new TableResolver(zones), lookUp });
    expect((await set(posthorn)).host.problem).toContain("it is not on the public internet");
  });

  test("any more is not named by new links after two looks, and serves those that were sent", async () => {
    const { posthorn, zones } = await started();
    await using _ = posthorn;
    await set(posthorn);
    await posthorn.settle();
    const sent = /\/unsubscribe\/[\w-]+/.exec(await mail(posthorn))?.[0] ?? "";
    zones[HOST] = {};
    posthorn.clock.advance(DAY_MS);
    await posthorn.settle();
    expect((await ask(posthorn, `GET ${PATH}`)).body.host.state).toBe("USED");
    posthorn.clock.advance(10 * MINUTE_MS);
    await posthorn.settle();
    const { body } = await ask(posthorn, `GET ${PATH}`);
    expect([body.host.state, body.base]).toEqual(["FAILING", OWN]);
    expect(await mail(posthorn)).not.toContain(HOST);
    expect((await at(posthorn, HOST, sent)).status).toBe(200);
    const kinds = (await ask(posthorn, "GET /overview")).body.attention;
    expect(kinds).toContainEqual(expect.objectContaining({ kind: "LINK_HOST_FAILING", host: HOST }));
    zones[HOST] = { A: ["127.0.0.1"] };
    posthorn.clock.advance(HOUR_MS);
    await posthorn.settle();
    expect(await mail(posthorn)).toContain(`${base()}/unsubscribe/`);
  });

  test("that is no business of the workspace needs its proof", async () => {
    const { posthorn, zones } = await started();
    await using _ = posthorn;
    zones["links.agency.example"] = { A: ["127.0.0.1"] };
    const { host } = await set(posthorn, "links.agency.example");
    expect([host.state, host.problemCode]).toEqual(["WAITING", "proof_missing"]);
    const [, proof] = host.records;
    zones[proof.name] = { TXT: [proof.value] };
    expect((await ask(posthorn, `POST ${PATH}/verify`)).body.host.state).toBe("USED");
  });
});

describe("a host", () => {
  test("that another workspace uses is refused without its name; one that nobody has shown to be theirs is anybody's", async () => {
    const { posthorn, zones } = await started();
    await using _ = posthorn;
    const other = await addWorkspace(posthorn, { name: "other", domain: "other.test" });
    zones[HOST] = {};
    const claim = () => ask(posthorn, `PUT ${PATH}`, { body: { host: HOST }, key: { bearer: other.secret } });
    expect((await claim()).body.host.state).toBe("WAITING");
    zones[HOST] = { A: ["127.0.0.1"] };
    expect((await ask(posthorn, `POST ${PATH}/verify`, { key: { bearer: other.secret } })).body.host.problemCode).toBe(
      "proof_missing",
    );
    await set(posthorn);
    expect((await ask(posthorn, `DELETE ${PATH}`, { key: { bearer: other.secret } })).body.host).toBeNull();
    const refused = await claim();
    expect([refused.status, refused.body.error.reason]).toEqual([409, "link_host_taken"]);
    expect(JSON.stringify(refused.body)).not.toContain("default");
  });

  test("whose proof is gone goes to the workspace that proves it now, and nothing before that", async () => {
    const { posthorn, zones } = await started();
    await using _ = posthorn;
    const other = { key: { bearer: (await addWorkspace(posthorn, { name: "other", domain: "other.test" })).secret } };
    const name = "links.agency.example";
    zones[name] = { A: ["127.0.0.1"] };
    const [, mine] = (await set(posthorn, name)).host.records;
    zones[mine.name] = { TXT: [mine.value] };
    expect((await ask(posthorn, `POST ${PATH}/verify`)).body.host.state).toBe("USED");
    zones[mine.name] = { TXT: [] };
    const claim = () => ask(posthorn, `PUT ${PATH}`, { body: { host: name }, ...other });
    await ask(posthorn, `POST ${PATH}/verify`);
    expect((await claim()).status).toBe(409);
    posthorn.clock.advance(MINUTE_MS);
    expect((await ask(posthorn, `POST ${PATH}/verify`)).body.host.state).toBe("FAILING");
    const { body: claimed } = await claim();
    const verify = async () => (await ask(posthorn, `POST ${PATH}/verify`, other)).body.host;
    expect((await verify()).problemCode).toBe("proof_missing");
    expect((await ask(posthorn, `GET ${PATH}`)).body.host.state).toBe("FAILING");
    zones[mine.name] = { TXT: [claimed.host.records[1].value] };
    posthorn.clock.advance(MINUTE_MS);
    expect((await verify()).state).toBe("USED");
    expect((await ask(posthorn, `GET ${PATH}`)).body.host.state).toBe("WAITING");
    zones[mine.name] = { TXT: [mine.value, claimed.host.records[1].value] };
    posthorn.clock.advance(MINUTE_MS);
    expect((await ask(posthorn, `POST ${PATH}/verify`)).body.host.problemCode).toBe("taken");
    expect((await verify()).state).toBe("USED");
  });

  test("that has become the name of the installation is one: the API and the web interface are there", async () => {
    const dataDir = folder();
    const resolver = new TableResolver({ [HOST]: { A: ["127.0.0.1"] } });
    {
      await using posthorn = await startPosthorn({ resolver, dataDir });
      await set(posthorn);
    }
    const http = { ...DEFAULTS.http, baseUrl: base() };
    await using posthorn = await startPosthorn({ resolver, dataDir, config: { http } });
    expect((await at(posthorn, HOST, "/health")).status).toBe(200);
  });

  test("to which an owner moves the installation serves the web interface from that moment", async () => {
    const { posthorn } = await started();
    await using _ = posthorn;
    await set(posthorn);
    await posthorn.settle();
    expect((await at(posthorn, HOST, "/app")).status).toBe(404);
    const owner = await somebody(posthorn, "OWNER");
    const body = { values: { "http.base_url": base() } };
    expect((await owner.ask("PATCH /installation/configuration", { body })).status).toBe(200);
    expect((await at(posthorn, HOST, "/health")).status).toBe(200);
    expect((await at(posthorn, HOST, "/app")).status).not.toBe(404);
  });

  test("of the installation, an address or half a name is refused", async () => {
    const { posthorn } = await started({ config: { smtp: { hostname: "mail.operator.example" } } });
    await using _ = posthorn;
    for (const host of ["mail.operator.example", "127.0.0.1", "localhost", "https://links.example.test", "a b.example"])
      expect([host, (await ask(posthorn, `PUT ${PATH}`, { body: { host } })).status]).toEqual([host, 422]);
  });

  test("that was replaced or removed serves the links that were sent, until it has not led here for a month", async () => {
    const { posthorn, zones } = await started();
    await using _ = posthorn;
    await set(posthorn);
    await posthorn.settle();
    const sent = /\/unsubscribe\/[\w-]+/.exec(await mail(posthorn))?.[0] ?? "";
    zones["news.example.test"] = { A: ["127.0.0.1"] };
    const { host, former } = await set(posthorn, "news.example.test");
    await posthorn.settle();
    expect([host.host, former.map((one: Json) => one.state)]).toEqual(["news.example.test", ["FORMER"]]);
    expect(await mail(posthorn)).toContain("http://news.example.test");
    expect((await at(posthorn, HOST, sent)).status).toBe(200);
    expect((await at(posthorn, HOST, "/health")).status).toBe(404);
    const { body } = await ask(posthorn, `DELETE ${PATH}`);
    expect([body.base, body.host, body.former.length]).toEqual([OWN, null, 2]);
    zones[HOST] = {};
    for (let days = 0; days < 35; days++) {
      posthorn.clock.advance(DAY_MS);
      await posthorn.settle();
    }
    expect((await ask(posthorn, `GET ${PATH}`)).body.former.map((one: Json) => one.host)).toEqual([
      "news.example.test",
    ]);
    expect((await at(posthorn, HOST, "/health")).status).toBe(200);
  });

  test("may be one of five", async () => {
    const { posthorn, zones } = await started();
    await using _ = posthorn;
    for (let n = 0; n < 5; n++) {
      zones[`l${n}.example.test`] = { A: ["127.0.0.1"] };
      await set(posthorn, `l${n}.example.test`);
    }
    const refused = await ask(posthorn, `PUT ${PATH}`, { body: { host: "l6.example.test" } });
    expect(refused.body.error).toMatchObject({ reason: "limit_reached", values: { what: "hosts" } });
    expect((await set(posthorn, "l1.example.test")).host.state).toBe("USED");
  });

  test("is set by who may change the workspace", async () => {
    const { posthorn } = await started();
    await using _ = posthorn;
    const editor = await somebody(posthorn, "EDITOR");
    expect((await editor.ask(`GET ${PATH}`)).status).toBe(200);
    expect((await editor.ask(`PUT ${PATH}`, { body: { host: HOST } })).body.error.code).toBe("FORBIDDEN");
  });

  test("is known again after a restart", async () => {
    const dataDir = folder();
    const zones = { [HOST]: { A: ["127.0.0.1"] } };
    const resolver = new TableResolver(zones);
    {
      await using posthorn = await startPosthorn({ resolver, dataDir });
      await set(posthorn);
    }
    await using posthorn = await startPosthorn({ resolver, dataDir });
    expect((await at(posthorn, HOST, "/health")).status).toBe(404);
  });
});

const PIXEL = Buffer.from(
  "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==",
  "base64",
);

const upload = (posthorn: Posthorn, key: Key) =>
  ask(posthorn, "POST /images", { body: { name: "dot", content: PIXEL.toString("base64") }, key });

/** The first line of an answer; the path goes out as it is written here. */
function rawStatus(posthorn: Posthorn, path: string): Promise<string> {
  return new Promise((resolve, reject) => {
    const socket = connect({ host: "127.0.0.1", port: Number(new URL(posthorn.server.url).port) }, () =>
      socket.write(`GET ${path} HTTP/1.1\r\nHost: ${HOST}\r\nConnection: close\r\n\r\n`),
    );
    socket.once("data", (bytes: Buffer) => {
      socket.destroy();
      resolve(String(bytes).split("\r\n")[0] ?? "");
    });
    socket.once("error", reject);
  });
}

/** The last mail as it left, without the folds and codes of its parts. */
async function mail(posthorn: Posthorn, what: Json = letter): Promise<string> {
  const contact = { email: what.to, subscribed: true };
  await ask(posthorn, "POST /contacts", { body: contact });
  const { body: made } = await ask(posthorn, "POST /templates", {
    body: { name: `T ${Math.random()}`, type: "MARKETING", subject: what.subject, body: what.body, from: what.from },
  });
  await ask(posthorn, "POST /v1/send", { body: { to: what.to, template: made.id } });
  await posthorn.settle();
  const raw = String(posthorn.transport.sent.at(-1)?.raw);
  return raw
    .replace(/=\r\n/g, "")
    .replace(/=3D/g, "=")
    .replace(/\r\n[ \t]+/g, " ");
}
