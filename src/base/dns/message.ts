// DNS messages (RFC 1035 §4): the question that is sent, and the answer read from the reply.
import { decode, encode, RECURSION_DESIRED, type Answer, type DecodedPacket, type OptAnswer } from "dns-packet";

export type RecordType = "A" | "AAAA" | "CNAME" | "MX" | "NS" | "PTR" | "SOA" | "TLSA" | "TXT";

export type DnsQuestion = {
  readonly id: number;
  readonly name: string;
  readonly type: RecordType;
  /** Without the offer of larger packets, for servers that do not know it. */
  readonly isPlain?: boolean;
};

/** The server cannot read the question; it may not know the offer in it (RFC 6891 §7). */
export const FORMAT_ERROR = 1;

export type DnsReply = {
  /** 0 = answered, 3 = there is no such name; all others are refusals (RFC 6895 §2.3). */
  readonly code: number;
  /** The records did not all fit into the packet. */
  readonly truncated: boolean;
  /**
   * The records of the type in question: each TXT record with its strings joined (RFC 7208 §3.3, RFC 6376 §3.6.2.2), of
   * CNAME, MX, NS, PTR and SOA the host (`.` in the null MX of RFC 7505), of A and AAAA the address, of TLSA its
   * numbers.
   */
  readonly records: readonly string[];
  /** How long the answer may be kept, also an empty one (RFC 2308 §5); 0 = not at all. */
  readonly ttlSeconds: number;
};

/** The size of a packet that passes every path (RFC 9715 §3.1); offered to the server by RFC 6891. */
const PACKET_BYTES = 1232;
const OFFER: OptAnswer = {
  type: "OPT",
  name: ".",
  udpPayloadSize: PACKET_BYTES,
  extendedRcode: 0,
  ednsVersion: 0,
  flags: 0,
  flag_do: false,
  options: [],
};

/** The question as bytes, for a recursive server. @throws if `name` is not a name */
export function encodeQuestion({ id, name, type, isPlain = false }: DnsQuestion): Buffer {
  const labels = name.replace(/\.$/, "").split(".");
  if (name.length > 253 || labels.some((label) => label === "" || label.length > 63))
    throw new RangeError(`${name} is no name`);
  return encode({
    type: "query",
    id,
    flags: RECURSION_DESIRED,
    questions: [{ type, name: labels.join(".") }],
    additionals: isPlain ? [] : [OFFER],
  });
}

/** The reply to `asked`, or null if these bytes are something else. */
export function readReply(bytes: Buffer, asked: DnsQuestion): DnsReply | null {
  try {
    const packet = decode(bytes);
    return isReplyTo(packet, bytes, asked) ? replyOf(packet, bytes, asked.type) : null;
  } catch {
    // The packet ends in the middle of a record, or points outside of itself.
    return null;
  }
}

/**
 * Packets can be forged: our id and the question itself must come back. A server that could not read the question may
 * leave it out.
 */
function isReplyTo(packet: DecodedPacket, bytes: Buffer, asked: DnsQuestion): boolean {
  const [question, ...others] = packet.questions ?? [];
  if (packet.type !== "response" || packet.id !== asked.id || others.length > 0) return false;
  if (!question) return codeIn(bytes) === FORMAT_ERROR;
  return question.type === asked.type && question.name.toLowerCase() === asked.name.replace(/\.$/, "").toLowerCase();
}

function replyOf(packet: DecodedPacket, bytes: Buffer, type: RecordType): DnsReply {
  const answers = packet.answers ?? [];
  const records = answers.flatMap((answer) => (answer.type === type ? [recordText(answer)] : []));
  const validSeconds = answers.map((answer) => ("ttl" in answer ? seconds(answer.ttl) : 0));
  if (records.length === 0) validSeconds.push(nothingForSeconds(packet));
  return { code: codeIn(bytes), truncated: packet.flag_tc, records, ttlSeconds: Math.min(...validSeconds) };
}

function codeIn(bytes: Buffer): number {
  return bytes.readUInt16BE(2) & 0xf;
}

function recordText(answer: Answer): string {
  if (answer.type === "TXT") return [answer.data].flat().map(String).join("");
  if (answer.type === "MX") return answer.data.exchange || ".";
  if (answer.type === "TLSA") {
    const { usage, selector, matchingType, certificate } = answer.data;
    return `${usage} ${selector} ${matchingType} ${certificate.toString("hex")}`;
  }
  if (answer.type === "SOA") return answer.data.mname;
  return answer.type === "OPT" ? "" : String(answer.data);
}

/** The lifetime of a negative answer, by the SOA record of its zone (RFC 2308 §5). */
function nothingForSeconds({ authorities = [] }: DecodedPacket): number {
  const soa = authorities.find((record) => record.type === "SOA");
  return soa ? Math.min(seconds(soa.ttl), seconds(soa.data.minimum)) : 0;
}

/** A TTL that looks negative counts as zero (RFC 2181 §8). */
function seconds(ttl = 0): number {
  return ttl > 0x7fffffff ? 0 : ttl;
}
