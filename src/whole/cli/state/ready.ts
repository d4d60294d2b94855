// `posthorn ready`: whether the server on this machine can do its work, for health checks of containers and for
// scripts.
import { printOne } from "../print.ts";
import { askServer } from "../server-answer.ts";
import { JSON_OPTION, type VerbCall, type Verb } from "../verb.ts";

export const READY: Verb = {
  name: "ready",
  summary: "Asks the running server whether it is ready; exit code 0 if it is, else 1 and the reason",
  notes: ["It asks GET /ready at the address of the configuration, for five seconds at most."],
  options: JSON_OPTION,
  run: ready,
};

async function ready(call: VerbCall): Promise<number> {
  const { answer, body } = await askServer(call);
  if (answer.ready) printOne(call, { ready: true, ...body }, () => "ready");
  else if (call.flag("json"))
    call.io.out(JSON.stringify({ ready: false, message: answer.problem, errors: body.error?.errors ?? [] }));
  else call.io.err(`not ready: ${answer.problem}`);
  return answer.ready ? 0 : 1;
}
