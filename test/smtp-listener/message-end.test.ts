// Where a message ends, and which dots are its own, in whatever pieces it comes.
import { describe, expect, test } from "bun:test";
import { MessageEnd } from "../../src/ground/smtp-listener/message-end.ts";
import { Chance } from "../support/chance.ts";

/** Byte by byte, as the text of RFC 5321 §4.5.2 says it. */
function expected(wire: string): { message: string; rest: string | null } {
  const end = `\r\n${wire}`.indexOf("\r\n.\r\n");
  const whole = end < 0 ? wire : wire.slice(0, end);
  const message = `\r\n${whole}`.replace(/\r\n\./g, "\r\n").slice(2);
  return { message, rest: end < 0 ? null : wire.slice(end + 3) };
}

function taken(pieces: readonly string[]): { message: string; rest: string | null } {
  const end = new MessageEnd();
  let message = "";
  for (const [at, piece] of pieces.entries()) {
    const found = end.take(Buffer.from(piece, "latin1"));
    message += found.message.toString("latin1");
    if (found.rest) return { message, rest: found.rest.toString("latin1") + pieces.slice(at + 1).join("") };
  }
  return { message, rest: null };
}

test.each([
  [".\r\nNEXT", "", "NEXT"],
  ["a\r\n.\r\nNEXT", "a\r\n", "NEXT"],
  ["..\r\n...\r\n..a\r\n.\r\n", ".\r\n..\r\n.a\r\n", ""],
  [".a\r\n.\r\n", "a\r\n", ""],
  ["a\r\n\r\n.\r\nb", "a\r\n\r\n", "b"],
])("%j is the message %j, and then comes %j", (wire, message, rest) => {
  expect(taken([wire])).toEqual({ message, rest });
  expect(taken([...wire])).toEqual({ message, rest });
});

test.each([
  "\n.\n",
  "\n.\r\n",
  "\r\n.\n",
  "\r.\r",
  "\r.\r\n",
  "\r\n.\r",
  "\n.\r",
  "\r.\n",
  "\r\n\0.\r\n",
  "\r\n.\0\r\n",
])("%j is no end", (wire) => {
  expect(taken([`a${wire}b\r\n`]).rest).toBeNull();
  expect(taken([...`a${wire}b\r\n`]).rest).toBeNull();
});

const LENGTHS = [0, 1, 2, 3, 5, 8, 13];

describe("any stream of dots and line ends", () => {
  test.each(Array.from({ length: 20 }, (_, seed) => seed))("in any pieces (seed %d)", (seed) => {
    const chance = new Chance(seed);
    for (let round = 0; round < 500; round++) {
      const wire = Array.from({ length: chance.of(LENGTHS) }, () =>
        chance.of(["\r", "\n", "\r\n", ".", "\r\n.", "x", "\0"]),
      ).join("");
      const pieces: string[] = [];
      for (let rest = wire; rest !== "";) {
        const length = chance.of([1, 2, 3, 6, 30]);
        pieces.push(rest.slice(0, length));
        rest = rest.slice(length);
      }
      const found = taken(pieces);
      const wanted = expected(wire);
      expect(found.rest).toBe(wanted.rest);
      if (wanted.rest !== null) expect(found.message).toBe(wanted.message);
    }
  });
});

test("a message of nothing but dots is done in one go", () => {
  const end = new MessageEnd();
  const wire = Buffer.from("..\r\n".repeat(1_000_000));
  const { message } = end.take(wire);
  expect(message.length).toBe(3_000_000);
  expect(message.buffer).toBe(wire.buffer);
});
