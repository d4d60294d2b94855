// Those who hold connections open, by whatever means: they are so many and no more, harm nobody, and are gone within a
// minute.
import { describe, expect, test } from "bun:test";
import { connect, type Socket } from "node:net";
import { ConnectionSlots } from "../../src/ground/smtp-listener/session-limits.ts";
import { bring, LETTER } from "../support/outside.ts";
import { dialogue } from "../support/smtp-dialogue.ts";
import { freePort } from "../support/free-port.ts";
import { startSubmission, submit } from "../support/submission.ts";

/** What begins a TLS record of a ClientHello, and no more of it. */
const HALF_A_HANDSHAKE = Buffer.from([0x16, 0x03, 0x01, 0x02, 0x00, 0x01, 0x00, 0x01, 0xfc, 0x03, 0x03]);
const HALF_A_MESSAGE = ["MAIL FROM:<a@b.test>\r\n", "RCPT TO:<help@example.test>\r\n", "DATA\r\n", "Subject: "];

test("a thousand who idle, drip, or never end a handshake or a message keep nobody out, and have gone within a minute", async () => {
  const inbound = await freePort();
  const open = await startSubmission({ config: { smtp: { inboundPort: inbound, connectionsPerAddress: 2000 } } });
  const { posthorn, ports } = open;
  await using _ = posthorn;
  const crowd = await Promise.all([
    ...many(150, () => Stranger.at(ports.starttls)),
    ...many(150, () => Stranger.at(inbound)),
    ...many(150, () => Stranger.at(ports.tls)),
    ...many(150, () => Stranger.at(ports.tls, [HALF_A_HANDSHAKE])),
    ...many(150, () => Stranger.at(ports.starttls, ["EHLO x\r\n", "STARTTLS\r\n", HALF_A_HANDSHAKE])),
    ...many(150, () => Stranger.at(inbound, ["EHLO x\r\n", "STARTTLS\r\n", HALF_A_HANDSHAKE])),
    ...many(150, () => Stranger.at(inbound, ["EHLO x\r\n", ...HALF_A_MESSAGE])),
  ]);
  for (let step = 0; step < 11; step++) {
    for (const stranger of crowd) stranger.drip();
    if (step === 5) await othersAreServed();
    posthorn.clock.advance(5_000);
    await posthorn.settle();
  }
  await Promise.all(crowd.map((stranger) => stranger.gone));
  await othersAreServed();

  async function othersAreServed(): Promise<void> {
    expect(await submit(open, "From: Ada <ada@example.test>\nSubject: Hi\n\nHello\n")).toStartWith("250");
    expect(await bring({ port: inbound }, LETTER)).toBe("250 2.6.0 Stored");
    expect((await posthorn.call("GET /health")).status).toBe(200);
  }
});

describe("connections of one client", () => {
  test("are so many and no more while they shake hands, too", async () => {
    const { posthorn, ports } = await startSubmission({ config: { smtp: { connectionsPerAddress: 3 } } });
    await using _ = posthorn;
    const held = await Promise.all(many(3, () => Stranger.at(ports.tls)));
    await (
      await Stranger.at(ports.tls)
    ).gone;
    await expect(dialogue({ port: ports.tls, tls: true }, "S: 220")).rejects.toThrow();
    for (const stranger of held) await stranger.leave();
    await greeted();
    // ConnectionSlots are given back by whom TLS was put over later, as well.
    for (let round = 0; round < 5; round++) {
      await dialogue(
        { port: ports.starttls },
        "S: 220\nC: EHLO x\nS: 250\nC: STARTTLS\nS: 220\nTLS\nC: QUIT\nS: 221\nEND",
      );
      await greeted();
    }

    async function greeted(): Promise<void> {
      const isServed = () =>
        dialogue({ port: ports.tls, tls: true }, "S: 220\nC: QUIT\nS: 221\nEND").then(Boolean, () => false);
      while (!(await isServed()));
    }
  });

  test("are counted by IPv4 address, and by the 64 bits in front of an IPv6 address", () => {
    const slots = new ConnectionSlots(1);
    const first = slots.take("2001:db8:0:1::1");
    expect(first).not.toBeNull();
    expect(slots.take("2001:db8:0:1:ffff::2")).toBeNull();
    expect(slots.take("2001:db8:0:2::1")).not.toBeNull();
    expect(slots.take("192.0.2.1")).not.toBeNull();
    expect(slots.take("::ffff:192.0.2.1")).toBeNull();
    expect(slots.take("fe80::1%eth0")).not.toBeNull();
    expect(slots.take(undefined)).toBeNull();
    first?.release();
    first?.release();
    expect(slots.take("2001:db8:0:1::3")).not.toBeNull();
    expect(slots.take("2001:db8:0:1::4")).toBeNull();
  });
});

class Stranger {
  readonly gone: Promise<void>;

  private constructor(private readonly socket: Socket) {
    this.gone = new Promise((resolve) => socket.on("close", () => resolve()));
    socket.on("error", () => {}).resume();
  }

  /** Says one thing after each reply, and the last without waiting for one. */
  static async at(port: number, words: readonly (string | Buffer)[] = []): Promise<Stranger> {
    const socket = connect({ port });
    await new Promise((resolve, reject) => socket.once("connect", resolve).once("error", reject));
    for (const word of words) {
      if (typeof word === "string") await new Promise((resolve) => socket.once("data", resolve));
      socket.write(word);
    }
    return new Stranger(socket);
  }

  drip(): void {
    if (this.socket.writable) this.socket.write("N");
  }

  leave(): Promise<void> {
    this.socket.destroy();
    return this.gone;
  }
}

function many<T>(count: number, make: () => T): T[] {
  return Array.from({ length: count }, make);
}
