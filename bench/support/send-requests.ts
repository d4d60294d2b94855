// POST /v1/send as text, with a number for each recipient that is written anew in each request.
import { HTML, SENDER, SUBJECT } from "./letter.ts";
import { NUMBER } from "./numbered-requests.ts";

export type SendTerms = {
  readonly url: string;
  readonly key: string;
  /** Tells the recipients of one run from those of another. */
  readonly run: string;
  readonly recipients: number;
  /** Null = at once. */
  readonly sendAt: string | null;
};

export function sendRequestText({ url, key, run, recipients, sendAt }: SendTerms): string {
  const to = Array<string>(recipients).fill(`${NUMBER}.${run}@example.com`);
  const body = JSON.stringify({
    to: recipients === 1 ? to[0] : to,
    from: SENDER,
    subject: SUBJECT,
    body: HTML,
    ...(sendAt === null ? {} : { sendAt }),
  });
  return requestText(`${url}/v1/send`, `Bearer ${key}`, body);
}

/** A request of HTTP/1.1 as text. */
export function requestText(url: string, authorization: string, body: string): string {
  const { pathname, host } = new URL(url);
  const head = [
    `POST ${pathname} HTTP/1.1`,
    `Host: ${host}`,
    `Authorization: ${authorization}`,
    "Content-Type: application/json",
    `Content-Length: ${Buffer.byteLength(body)}`,
  ];
  return `${head.join("\r\n")}\r\n\r\n${body}`;
}
