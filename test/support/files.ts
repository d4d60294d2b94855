// Files of contacts, sent as a browser's form sends them.
import type { Json, Posthorn, Reply } from "./posthorn.ts";
import { ask, type Question } from "./scenario.ts";

const BOUNDARY = "----form-7d82";

export const FORM = { "content-type": `multipart/form-data; boundary=${BOUNDARY}` };

/** The body of a form with one file; `before`: other fields, in front of it. */
export function formWith(
  csv: string | Uint8Array,
  field = "file",
  before: Readonly<Record<string, string>> = {},
  name = "contacts.csv",
): Uint8Array<ArrayBuffer> {
  const others = Object.entries(before).map(
    ([name, text]) => `--${BOUNDARY}\r\nContent-Disposition: form-data; name="${name}"\r\n\r\n${text}\r\n`,
  );
  const head = `${others.join("")}--${BOUNDARY}\r\nContent-Disposition: form-data; name="${field}"; filename="${name}"\r\nContent-Type: text/csv\r\n\r\n`;
  return new Uint8Array(Buffer.concat([Buffer.from(head), Buffer.from(csv), Buffer.from(`\r\n--${BOUNDARY}--\r\n`)]));
}

/** `query`: behind the path. `fields`: of the form, beside the file. `name`: of the file. */
type Upload = Question & {
  readonly query?: string;
  readonly fields?: Readonly<Record<string, string>>;
  readonly name?: string;
};

/** Uploads a file; the answer to that. */
export function upload(posthorn: Posthorn, csv: string | Uint8Array, upload: Upload = {}): Promise<Reply> {
  const { query = "", fields = {}, name, ...question } = upload;
  const headers = { ...FORM, ...question.headers };
  const body = formWith(csv, "file", fields, name);
  return ask(posthorn, `POST /contacts/import${query}`, { ...question, headers, body });
}

/** Uploads a file of suppressions. */
export function uploadSuppressions(posthorn: Posthorn, csv: string | Uint8Array, upload: Upload = {}): Promise<Reply> {
  const { fields = {}, ...question } = upload;
  const headers = { ...FORM, ...question.headers };
  return ask(posthorn, "POST /suppressions/imports", { ...question, headers, body: formWith(csv, "file", fields) });
}

/** A dry run of the same. */
export async function checked(posthorn: Posthorn, csv: string | Uint8Array, upload: Upload = {}): Promise<Json> {
  const { query = "", fields = {}, name, ...question } = upload;
  const headers = { ...FORM, ...question.headers };
  const body = formWith(csv, "file", fields, name);
  return (await ask(posthorn, `POST /contacts/import/check${query}`, { ...question, headers, body })).body;
}

/** Imports a file to the end; the job's record. */
export async function imported(posthorn: Posthorn, csv: string | Uint8Array, question: Upload = {}): Promise<Json> {
  const { status, body } = await upload(posthorn, csv, question);
  if (status !== 202) throw new Error(`The upload was answered ${status}: ${JSON.stringify(body)}`);
  await posthorn.settle();
  const { query: _query, fields: _fields, name: _name, ...asker } = question;
  return (await ask(posthorn, `GET /contacts/import/${body.jobId}`, asker)).body;
}

export async function exportedFrom(posthorn: Posthorn, query = ""): Promise<string> {
  return (await ask(posthorn, `GET /contacts/export${query}`)).body;
}
