// Files of contacts, sent as a browser's form sends them.
import type { Json, Posthorn, Reply } from "./posthorn.ts";
import { ask, type Question } from "./scenario.ts";

const BOUNDARY = "----form-7d82";

export const FORM = { "content-type": `multipart/form-data; boundary=${BOUNDARY}` };

/** The body of a form with one file. */
export function formWith(csv: string | Uint8Array, field = "file"): Uint8Array<ArrayBuffer> {
  const head = `--${BOUNDARY}\r\nContent-Disposition: form-data; name="${field}"; filename="contacts.csv"\r\nContent-Type: text/csv\r\n\r\n`;
  return new Uint8Array(Buffer.concat([Buffer.from(head), Buffer.from(csv), Buffer.from(`\r\n--${BOUNDARY}--\r\n`)]));
}

/** Uploads a file; the answer to that. */
export function upload(posthorn: Posthorn, csv: string | Uint8Array, question: Question = {}): Promise<Reply> {
  const headers = { ...FORM, ...question.headers };
  return ask(posthorn, "POST /contacts/import", { ...question, headers, body: formWith(csv) });
}

/** Imports a file to the end; the job's record. */
export async function imported(posthorn: Posthorn, csv: string, question: Question = {}): Promise<Json> {
  const { status, body } = await upload(posthorn, csv, question);
  if (status !== 202) throw new Error(`The upload was answered ${status}: ${JSON.stringify(body)}`);
  await posthorn.settle();
  return (await ask(posthorn, `GET /contacts/import/${body.jobId}`, question)).body;
}

export async function exportedFrom(posthorn: Posthorn, query = ""): Promise<string> {
  return (await ask(posthorn, `GET /contacts/export${query}`)).body;
}
