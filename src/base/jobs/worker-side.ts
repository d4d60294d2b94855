// The other end of a WorkerThread, on the thread itself: carries out requests and answers them.
import type { MessageFromThread, MessageToThread } from "./worker-thread.ts";

declare const self: Worker;

let outbox: MessageFromThread[] = [];
let lastQuestion = 0;
const questions = new Map<number, (answer: never) => void>();

/** `isGathered`: answers of one turn of the event loop cross over in one message. */
export function carryOutWhatIsAsked<Request>(carryOut: (request: Request) => unknown, isGathered = false): void {
  const reply = isGathered ? gather : post;
  self.onmessage = ({ data }: MessageEvent<MessageToThread[]>) => {
    for (const message of data) {
      if ("question" in message) heard(message.question, message.answer);
      else void answer(message.id, () => carryOut(message.request as Request), reply);
    }
  };
}

/** Asks the thread that started this one. */
export function askBack<Answer>(asked: unknown): Promise<Answer> {
  const question = ++lastQuestion;
  post({ question, asked });
  return new Promise<Answer>((resolve) => questions.set(question, resolve));
}

function heard(question: number, answer: unknown): void {
  questions.get(question)?.(answer as never);
  questions.delete(question);
}

async function answer(id: number, work: () => unknown, reply: (message: MessageFromThread) => void): Promise<void> {
  try {
    const result = work();
    // Results that are ready cross over before the next piece of work, which may take long.
    reply({ id, result: result instanceof Promise ? await result : result });
  } catch (error) {
    const {
      message = String(error),
      code,
      path,
    } = (error ?? {}) as { message?: string; code?: unknown; path?: unknown };
    const place = typeof path === "string" ? { path } : {};
    reply({ id, error: message, ...(typeof code === "string" && { code }), ...place });
  }
}

function post(message: MessageFromThread): void {
  self.postMessage([message]);
}

function gather(message: MessageFromThread): void {
  if (outbox.push(message) > 1) return;
  setImmediate(() => {
    self.postMessage(outbox);
    outbox = [];
  });
}
