// DNS messages (RFC 1035 §4): the question that is sent, and what is read from the reply.

export const TXT = 16;
const OPT = 41;
const INTERNET = 1;
const HEADER_BYTES = 12;
/** What fits into one packet on every way (RFC 9715 §3.1); offered to the server by RFC 6891. */
const PACKET_BYTES = 1232;

export type Reply = {
  /** 0 = answered, 3 = there is no such name; all others are refusals (RFC 6895 §2.3). */
  readonly code: number;
  /** There is more than fitted into the packet. */
  readonly truncated: boolean;
  /** The data of the records that were asked for. */
  readonly records: readonly Buffer[];
};

/** The question for records of one type, to be answered by a server that looks further itself. @throws if `name` is no name */
export function question(id: number, name: string, type: number): Buffer {
  const recursionDesired = 0x0100;
  const header = numbers(id, recursionDesired, 1, 0, 0, 1);
  const option = Buffer.concat([Buffer.from([0]), numbers(OPT, PACKET_BYTES, 0, 0, 0)]);
  return Buffer.concat([header, encodedName(name), numbers(type, INTERNET), option]);
}

/** The reply to `asked`, or null if these bytes are something else. */
export function readReply(bytes: Buffer, asked: Buffer): Reply | null {
  if (bytes.length < HEADER_BYTES || !repeats(bytes, asked)) return null;
  const flags = bytes.readUInt16BE(2);
  const type = asked.readUInt16BE(questionEnd(asked) - 4);
  try {
    return {
      code: flags & 0xf,
      truncated: (flags & 0x0200) !== 0,
      records: recordsOf(bytes, type, questionEnd(asked)),
    };
  } catch {
    // It ends in the middle of a record, or points outside of itself.
    return null;
  }
}

/** The strings of one TXT record, joined (RFC 7208 §3.3, RFC 6376 §3.6.2.2). */
export function joinedStrings(data: Buffer): string {
  const strings: string[] = [];
  for (let at = 0; at < data.length; at += 1 + (data[at] as number)) {
    strings.push(data.toString("utf8", at + 1, at + 1 + (data[at] as number)));
  }
  return strings.join("");
}

/** True for a reply with the id of our question and the question itself: not every packet is from whom it says. */
function repeats(bytes: Buffer, asked: Buffer): boolean {
  const isReply = ((bytes[2] as number) & 0x80) !== 0;
  const inQuestion = (message: Buffer) => message.toString("latin1", HEADER_BYTES, questionEnd(asked)).toLowerCase();
  return isReply && bytes.readUInt16BE(0) === asked.readUInt16BE(0) && inQuestion(bytes) === inQuestion(asked);
}

function questionEnd(message: Buffer): number {
  return afterName(message, HEADER_BYTES) + 4;
}

function recordsOf(bytes: Buffer, type: number, start: number): Buffer[] {
  const records: Buffer[] = [];
  let at = start;
  for (let left = bytes.readUInt16BE(6); left > 0; left--) {
    const fields = afterName(bytes, at);
    const data = fields + 10;
    at = data + bytes.readUInt16BE(fields + 8);
    if (at > bytes.length) throw new RangeError("a record is cut off");
    if (bytes.readUInt16BE(fields) === type) records.push(bytes.subarray(data, at));
  }
  return records;
}

/** A name ends with an empty label, or with a pointer to the rest of it. */
function afterName(bytes: Buffer, start: number): number {
  let at = start;
  while (bytes.readUInt8(at) !== 0) {
    if (bytes.readUInt8(at) >= 0xc0) return at + 2;
    at += 1 + bytes.readUInt8(at);
  }
  return at + 1;
}

function encodedName(name: string): Buffer {
  const labels = name
    .replace(/\.$/, "")
    .split(".")
    .map((label) => Buffer.from(label, "latin1"));
  const encoded = Buffer.concat([...labels.flatMap((label) => [Buffer.from([label.length]), label]), Buffer.from([0])]);
  if (labels.some((label) => label.length === 0 || label.length > 63) || encoded.length > 255)
    throw new RangeError(`${name} is no name`);
  return encoded;
}

function numbers(...values: readonly number[]): Buffer {
  return Buffer.from(values.flatMap((value) => [value >> 8, value & 0xff]));
}
