// Uploads a large file with progress, which `fetch` cannot report.
import { answerOf, named } from "./api.ts";
import { requestOf, type Input } from "./request.ts";
import type { AnswerOf, InputOf, Route } from "./routes.ts";

type Watch = {
  /** Receives the share of the file that has been sent, from 0 to 1. */
  readonly onSent: (part: number) => void;
  readonly signal: AbortSignal;
};

/** Like `call`, but the caller gets a missing proof first: a retry would send the file twice. @throws Fault */
export async function upload<R extends Route>(
  route: R,
  { body, ...parameters }: InputOf<R> & { readonly body: FormData },
  watch: Watch,
): Promise<AnswerOf<R>> {
  const request = named(requestOf(route, parameters as Input));
  return (await answerOf(sent(request, body, watch))) as AnswerOf<R>;
}

function sent(request: Request, body: FormData, { onSent, signal }: Watch): Promise<Response> {
  const { promise, resolve, reject } = Promise.withResolvers<Response>();
  const sending = new XMLHttpRequest();
  sending.open(request.method, request.url);
  for (const [name, value] of request.headers) sending.setRequestHeader(name, value);
  sending.upload.onprogress = ({ loaded, total }) => onSent(loaded / total);
  sending.onload = () => {
    const { responseText, status, statusText } = sending;
    resolve(new Response(responseText, { status, statusText }));
  };
  sending.onerror = sending.onabort = () => reject(new TypeError("No answer came."));
  signal.addEventListener("abort", () => sending.abort());
  sending.send(body);
  return promise;
}
