// The subjects that are watched from outside, day by day, and the sentence for each fault.

/** The aspects of a subject. */
export const ASPECTS = ["ADDRESS", "REVERSE_NAME", "RETURN_PATH", "CERTIFICATE", "BLOCKLIST", "RELEASE"] as const;
export type Aspect = (typeof ASPECTS)[number];

/** The finding of a look. `UNKNOWN`: no answer came, or no query was made. */
export type WatchObservation = {
  readonly aspect: Aspect;
  /** A name, an address, or the way out that shows a certificate. */
  readonly subject: string;
  /** The name that the address should have, or the queried list; empty for the others. */
  readonly by: string;
  readonly state: "OK" | "WRONG" | "UNKNOWN";
  /** The deviation found, or why no query was made; null = there is nothing to say. */
  readonly detail: string | null;
  /** The sender domain concerned; null = this server. */
  readonly domain: number | null;
};

type ObservationFault = Pick<WatchObservation, "aspect" | "subject" | "by" | "detail">;

export function keyOf({ aspect, subject, by }: ObservationFault): string {
  return `${aspect} ${subject} ${by}`.trim();
}

/** A fault in words, for the operator. */
export function sentenceOf({ aspect, subject, by, detail }: ObservationFault): string {
  switch (aspect) {
    case "ADDRESS":
      return `${subject} has no address in the DNS.`;
    case "REVERSE_NAME":
      return detail === null
        ? `${subject} has no reverse name, and should have ${by}: large receivers refuse email from it.`
        : `The reverse name of ${subject} is ${detail} and should be ${by}: large receivers refuse email from it.`;
    case "RETURN_PATH":
      return detail === null
        ? `${subject} has no MX record, so bounces do not arrive.`
        : `The MX record of ${subject} leads to ${detail}, so bounces do not arrive.`;
    case "CERTIFICATE":
      return `The certificate of ${subject} is a problem: ${detail}`;
    case "BLOCKLIST":
      return `${subject} is on the blocklist ${by} (${detail}).`;
    case "RELEASE":
      return `${subject} ${detail} is out.`;
  }
}
