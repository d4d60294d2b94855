// Images: taken apart and written anew, public under the address that their bytes give them, and there as long as
// anything names them.
import { describe, expect, test } from "bun:test";
import fc from "fast-check";
import { deflateSync } from "node:zlib";
import { MAX_PIXELS } from "../../src/content/images/prepare.ts";
import { cliBeside } from "../support/cli.ts";
import { somebody } from "../support/people.ts";
import type { Json, Posthorn } from "../support/posthorn.ts";
import { ask, countOf, everything } from "../support/scenario.ts";
import { sharedPosthorn } from "../support/shared.ts";
import { addWorkspace } from "../support/workspaces.ts";
import { workspace } from "../support/workspace.ts";

const PIXEL = Buffer.from(
  "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==",
  "base64",
);
const GIF = Buffer.from("R0lGODlhAQABAIAAAAAAAP///yH5BAEAAAAALAAAAAABAAEAAAIBRAA7", "base64");
/** Of this size, in one colour. */
const drawn = (width: number, height: number) => new Bun.Image(PIXEL).resize(width, height);

const upload = (posthorn: Posthorn, bytes: Uint8Array, more: object = {}, key = {}) =>
  ask(posthorn, "POST /images", {
    body: { name: "a picture", content: Buffer.from(bytes).toString("base64"), ...more },
    ...key,
  });

async function served(posthorn: Posthorn, url: string, headers: Record<string, string> = {}): Promise<Response> {
  const { pathname } = new URL(url);
  return fetch(posthorn.server.url + pathname, { headers });
}
const measured = async (reply: Response) => new Bun.Image(await reply.bytes()).metadata();

/** A PNG whose head claims this size, with hardly anything behind it. */
function claiming(width: number, height: number): Buffer {
  const chunk = (type: string, data: Buffer) => {
    const named = Buffer.concat([Buffer.from(type), data]);
    const sum = Buffer.alloc(4);
    sum.writeUInt32BE(Bun.hash.crc32(named));
    const size = Buffer.alloc(4);
    size.writeUInt32BE(data.length);
    return Buffer.concat([size, named, sum]);
  };
  const head = Buffer.alloc(13);
  head.writeUInt32BE(width, 0);
  head.writeUInt32BE(height, 4);
  head.set([8, 6, 0, 0, 0], 8);
  const body = deflateSync(Buffer.alloc(1_000_000));
  return Buffer.concat([
    PIXEL.subarray(0, 8),
    chunk("IHDR", head),
    chunk("IDAT", body),
    chunk("IEND", Buffer.alloc(0)),
  ]);
}

/** A GIF of so many frames. */
function animated(frames: number, width = 2, height = 2): Buffer {
  const head = Buffer.from(GIF.subarray(0, 19));
  head.writeUInt16LE(width, 6);
  head.writeUInt16LE(height, 8);
  const loop = Buffer.from("\x21\xff\x0bNETSCAPE2.0\x03\x01\x00\x00\x00", "latin1");
  const comment = Buffer.from("\x21\xfe\x05hello\x00", "latin1");
  const frame = GIF.subarray(19, GIF.length - 1);
  return Buffer.concat([head, loop, comment, ...Array(frames).fill(frame), Buffer.of(0x3b), Buffer.from("<script>")]);
}

/** A GIF of 2 by 2 whose frame claims this size. */
function withFrameOf(width: number, height: number): Buffer {
  const gif = animated(1);
  const at = gif.indexOf(0x2c, 13);
  gif.writeUInt16LE(width, at + 5);
  gif.writeUInt16LE(height, at + 7);
  return gif;
}

describe("a picture", () => {
  test("is written anew, at most 1600 wide, and served to anybody, forever (slow)", async () => {
    await using posthorn = await workspace();
    const photo = await drawn(3_000, 2_000).jpeg().bytes();
    const { status, body } = await upload(posthorn, photo, { name: "beach.jpg" });
    expect(status).toBe(201);
    expect(body).toMatchObject({ name: "beach.jpg", type: "jpg", width: 1600, height: 1066, isUsed: false });
    expect(body.url).toMatch(/^http:\/\/127\.0\.0\.1:8484\/i\/[0-9a-f]{40}\.jpg$/);
    expect((await ask(posthorn, `GET /images/${body.id}`)).body).toEqual(body);
    const reply = await served(posthorn, body.url);
    expect(Object.fromEntries(reply.headers)).toMatchObject({
      "content-type": "image/jpeg",
      "cache-control": "public, max-age=31536000, immutable",
      "cross-origin-resource-policy": "cross-origin",
      "x-content-type-options": "nosniff",
    });
    expect(reply.headers.has("set-cookie")).toBe(false);
    const etag = reply.headers.get("etag") ?? "";
    expect(await measured(reply)).toEqual({ width: 1600, height: 1066, format: "jpeg" });
    expect((await served(posthorn, body.url, { "if-none-match": etag })).status).toBe(304);
    expect((await ask(posthorn, `GET ${new URL(body.url).pathname}`, { key: "none" })).status).toBe(200);
    const again = await upload(posthorn, photo, { name: "other.jpg" });
    expect(again.body).toEqual(body);
    expect((await ask(posthorn, "GET /images")).body).toMatchObject({ total: 1, data: [body] });
    const small = (await upload(posthorn, photo, { maxWidth: 300 })).body;
    expect([small.width, small.height]).toEqual([300, 200]);
    for (const other of ["png", "webp"]) {
      const wrong = body.url.replace(".jpg", `.${other}`);
      expect((await served(posthorn, wrong)).status).toBe(404);
    }
    expect((await served(posthorn, "http://x/i/..%2f..%2fetc")).status).toBe(404);
  });

  test("stays as small as it is, and is told by its bytes, not by its name (slow)", async () => {
    await using posthorn = await workspace();
    for (const [bytes, type] of [
      [await drawn(40, 30).png().bytes(), "png"],
      [await drawn(40, 30).webp().bytes(), "webp"],
      [await drawn(40, 30).jpeg().bytes(), "jpg"],
    ] as const) {
      const { body } = await upload(posthorn, bytes, { name: "evil.svg" });
      expect([body.type, body.width, body.height]).toEqual([type, 40, 30]);
    }
  });

  test("says nothing of where it was taken, and carries nothing behind its end", async () => {
    await using posthorn = await workspace();
    const plain = Buffer.from(await drawn(20, 20).jpeg().bytes());
    const place = Buffer.from("Exif\0\0GPS 52.5200 N 13.4050 E");
    const marker = Buffer.concat([Buffer.from([0xff, 0xe1, 0, place.length + 2]), place]);
    const photo = Buffer.concat([
      plain.subarray(0, 2),
      marker,
      plain.subarray(2),
      Buffer.from("<script>alert(1)</script>"),
    ]);
    const { body } = await upload(posthorn, photo);
    const kept = Buffer.from(await (await served(posthorn, body.url)).bytes()).toString("latin1");
    expect([kept.includes("GPS"), kept.includes("script")]).toEqual([false, false]);
    const png = Buffer.concat([PIXEL, Buffer.from("<script>")]);
    const { url } = (await upload(posthorn, png)).body;
    expect(Buffer.from(await (await served(posthorn, url)).bytes()).toString("latin1")).not.toContain("script");
  });

  test("that moves keeps its frames, and loses its comments", async () => {
    await using posthorn = await workspace();
    const { body } = await upload(posthorn, animated(3));
    expect([body.type, body.width, body.height]).toEqual(["gif", 2, 2]);
    const kept = Buffer.from(await (await served(posthorn, body.url)).bytes()).toString("latin1");
    expect(kept.split("\x21\xf9").length - 1).toBe(3);
    expect([kept.includes("NETSCAPE2.0"), kept.includes("hello"), kept.endsWith("\x3b")]).toEqual([true, false, true]);
    const wide = (await upload(posthorn, GIF)).body;
    expect([wide.type, wide.width]).toEqual(["gif", 1]);
    const many = await upload(posthorn, animated(400, 1_000, 1_000));
    expect(many.body.error.errors[0]).toMatchObject({ field: "content", code: "too_big" });
  });

  const shared = sharedPosthorn();

  test.each<[name: string, bytes: Uint8Array, code: string]>([
    ["a drawing in XML", Buffer.from("<svg xmlns='http://www.w3.org/2000/svg'><script/></svg>"), "invalid_image"],
    ["a page", Buffer.from("<html>"), "invalid_image"],
    ["a BMP", Buffer.from("BM" + "\0".repeat(60)), "invalid_image"],
    ["half a PNG", PIXEL.subarray(0, 50), "invalid_image"],
    ["the beginning of a GIF", GIF.subarray(0, 20), "invalid_image"],
    ["a GIF without a picture", Buffer.concat([GIF.subarray(0, 19), Buffer.of(0x3b)]), "invalid_image"],
    ["a bomb", claiming(60_000, 60_000), "too_big"],
    ["a head that promises more than there is", claiming(4_000, 4_000), "invalid_image"],
    ["a long line", claiming(16_385, 1), "too_big"],
    ["a high line", claiming(1, 16_385), "too_big"],
    ["an animation that is long", animated(2, 20_000, 2), "too_big"],
    ["a frame that is longer than its animation", withFrameOf(40_000, 1), "too_big"],
    ["more than 5 MB", Buffer.concat([PIXEL, Buffer.alloc(5 * 1024 * 1024)]), "too_big"],
  ])("is refused if it is %s, and nothing changes", async (_, bytes, code) => {
    const posthorn = shared();
    const before = await everything(posthorn);
    const { status, body } = await upload(posthorn, bytes);
    expect([status, body.error.errors?.[0]]).toEqual([422, expect.objectContaining({ field: "content", code })]);
    expect(await everything(posthorn)).toEqual(before);
  });

  test("is refused if it is no base64, has no name or asks to be wider than it may", async () => {
    await using posthorn = await workspace();
    const refused = async (more: object) =>
      (await upload(posthorn, PIXEL, more)).body.error.errors.map(({ field }: Json) => field);
    expect(await refused({ content: "<>" })).toEqual(["content"]);
    expect(await refused({ name: "" })).toEqual(["name"]);
    expect(await refused({ maxWidth: 5_000 })).toEqual(["maxWidth"]);
  });

  test("of hostile bytes is refused or served, and never fails (slow)", async () => {
    await using posthorn = await workspace();
    const seeds = [
      PIXEL,
      GIF,
      animated(2),
      Buffer.from(await drawn(9, 9).jpeg().bytes()),
      Buffer.from(await drawn(9, 9).webp().bytes()),
    ];
    const damaged = fc
      .tuple(
        fc.constantFrom(...seeds),
        fc.array(fc.tuple(fc.nat(), fc.nat(255)), { maxLength: 6 }),
        fc.nat(),
        fc.uint8Array({ maxLength: 20 }),
      )
      .map(([seed, changes, cut, tail]) => {
        const bytes = Buffer.from(seed);
        for (const [at, value] of changes) bytes[12 + (at % (bytes.length - 12))] = value;
        return Buffer.concat([cut % 3 === 0 ? bytes.subarray(0, 12 + (cut % bytes.length)) : bytes, tail]);
      });
    await fc.assert(
      fc.asyncProperty(damaged, async (bytes) => {
        const { status, body } = await upload(posthorn, bytes);
        expect([201, 422]).toContain(status);
        if (status === 201 && body.type !== "gif") {
          const { width, height } = await measured(await served(posthorn, body.url));
          expect([width, height, width * height <= MAX_PIXELS]).toEqual([body.width, body.height, true]);
        }
      }),
      { numRuns: 150 },
    );
  });
});

describe("an image", () => {
  const named = (url: string) => `<p><img src="${url}" alt=""></p>`;
  const removal = async (posthorn: Posthorn, id: string) => {
    const { status, body } = await ask(posthorn, `DELETE /images/${id}`);
    return status === 204 ? 204 : [status, body.error.reason];
  };

  test("stays as long as a template, version, campaign or mail names it", async () => {
    await using posthorn = await workspace();
    const { id, url } = (await upload(posthorn, PIXEL)).body;
    const fields = { name: "News", subject: "Hi", from: "news@example.test", body: named(url) };
    const template = (await ask(posthorn, "POST /templates", { body: { ...fields, type: "MARKETING" } })).body;
    const campaign = (await ask(posthorn, "POST /campaigns", { body: { ...fields, audienceType: "ALL" } })).body.data;
    await ask(posthorn, "POST /v1/send", { body: { ...fields, to: "ada@example.com" } });
    const isKept = async () => {
      expect(await removal(posthorn, id)).toEqual([409, "image_in_use"]);
      expect((await ask(posthorn, `GET /images/${id}`)).body.isUsed).toBe(true);
      expect((await served(posthorn, url)).status).toBe(200);
    };
    await isKept();
    posthorn.clock.advance(3_600_000);
    await ask(posthorn, `PATCH /templates/${template.id}`, { body: { body: "<p>None</p>" } });
    await ask(posthorn, `DELETE /campaigns/${campaign.id}`);
    await posthorn.settle();
    await posthorn.store.write((tx) => tx.run`delete from emails`);
    await posthorn.store.write((tx) => tx.run`delete from contents`);
    // The version before still names it.
    await isKept();
    await ask(posthorn, `DELETE /templates/${template.id}`);
    expect(await removal(posthorn, id)).toBe(204);
    expect((await served(posthorn, url)).status).toBe(404);
    expect(await countOf(posthorn, "image_uses")).toBe(0);
  });

  test("is counted in a design as well, and not by a name that it does not have", async () => {
    await using posthorn = await workspace();
    const { id, url } = (await upload(posthorn, PIXEL)).body;
    const stranger = {
      key: { bearer: (await addWorkspace(posthorn, { name: "stranger", domain: "stranger.example" })).secret },
    };
    const theirs = (await upload(posthorn, PIXEL, {}, stranger)).body;
    expect(theirs.url).not.toBe(url);
    const input = { name: "N", subject: "S", type: "MARKETING", body: named(theirs.url) };
    await ask(posthorn, "POST /templates", { body: input });
    expect((await ask(posthorn, `DELETE /images/${theirs.id}`, stranger)).status).toBe(204);
    const design = { kind: "mjml", source: { image: { src: url } } };
    const template = (await ask(posthorn, "POST /templates", { body: { ...input, design } })).body;
    expect(await removal(posthorn, id)).toEqual([409, "image_in_use"]);
    await ask(posthorn, `DELETE /templates/${template.id}`);
    expect(await removal(posthorn, id)).toBe(204);
  });

  test("that is named and deleted at the same moment is named, or was not there", async () => {
    await using posthorn = await workspace();
    for (let n = 0; n < 10; n++) {
      const { id, url } = (
        await upload(
          posthorn,
          await drawn(1 + n, 1)
            .png()
            .bytes(),
        )
      ).body;
      const input = { name: "N", subject: "S", type: "MARKETING", body: named(url) };
      const [made, gone] = await Promise.all([
        ask(posthorn, "POST /templates", { body: input }),
        ask(posthorn, `DELETE /images/${id}`),
      ]);
      expect([made.status, [204, 409].includes(gone.status)]).toEqual([201, true]);
      expect((await served(posthorn, url)).status).toBe(gone.status === 204 ? 404 : 200);
    }
  });

  test("is one, if ten upload it at the same moment, and more than the workspace may have are refused", async () => {
    await using posthorn = await workspace();
    const replies = await Promise.all(Array.from({ length: 10 }, () => upload(posthorn, PIXEL)));
    expect(new Set(replies.map(({ status, body }) => `${status} ${body.id}`)).size).toBe(1);
    await posthorn.store.write((tx) => tx.run`update images set size = ${500 * 1024 * 1024}`);
    const full = await upload(posthorn, GIF);
    expect([full.status, full.body.error.code]).toEqual([409, "CONFLICT"]);
  });

  test("goes with its workspace, whatever names it", async () => {
    await using posthorn = await workspace();
    const stranger = await addWorkspace(posthorn, { name: "stranger", domain: "stranger.example" });
    const key = { key: { bearer: stranger.secret } };
    const { url } = (await upload(posthorn, PIXEL, {}, key)).body;
    const input = { name: "N", subject: "S", type: "MARKETING", body: named(url) };
    await ask(posthorn, "POST /templates", { body: input, ...key });
    await cliBeside(posthorn, ["workspace", "delete", "stranger", "--yes"]);
    expect(await Promise.all(["images", "image_uses", "versions"].map((table) => countOf(posthorn, table)))).toEqual([
      0, 0, 0,
    ]);
  });

  test("needs somebody who writes", async () => {
    await using posthorn = await workspace();
    const [editor, support] = [await somebody(posthorn, "EDITOR"), await somebody(posthorn, "SUPPORT")];
    const body = { name: "a", content: PIXEL.toString("base64") };
    const made = await editor.ask("POST /images", { body });
    expect([made.status, made.body.createdBy.name]).toEqual([201, "EDITOR"]);
    expect((await support.ask("POST /images", { body })).status).toBe(403);
    expect((await support.ask(`DELETE /images/${made.body.id}`)).status).toBe(403);
    expect((await support.ask("GET /images")).body.total).toBe(1);
  });
});
