// A receiver of webhooks in a process of its own: one port that answers at once, one that never does.
import { answerTasks } from "./child.ts";

export type ReceiverTask = { readonly kind: "open" } | { readonly kind: "count" };
export type ReceiverPorts = { readonly quick: number; readonly hanging: number };

let answered = 0;

function receive(task: ReceiverTask): ReceiverPorts | number {
  if (task.kind === "count") return answered;
  const listen = (fetch: (request: Request) => Promise<Response>) =>
    Bun.serve({ port: 0, hostname: "127.0.0.1", idleTimeout: 255, fetch }).port ?? 0;
  const quick = listen(async (request) => {
    await request.arrayBuffer();
    answered++;
    return new Response("ok");
  });
  const hanging = listen(() => new Promise<Response>(() => undefined));
  return { quick, hanging };
}

answerTasks(receive);
