// `posthorn serve`: start, say what listens where, wait for a signal, stop in order.
import type { Config } from "../config.ts";
import { loadSecrets } from "../secrets.ts";
import { startServer } from "../server.ts";
import type { MintedKeys } from "../workspaces/key-set.ts";
import { prepareFirstStart, TRY_OUT_DOMAIN } from "./first-start.ts";

export async function serve(config: Config): Promise<number> {
  await using server = await startServer(config);
  const keys = await prepareFirstStart(server.store, loadSecrets(config.secrets.key, config.data.dir));
  if (keys) console.log(welcome(keys, server.url));
  console.log(`HTTP API on ${server.url}`);
  console.log(transportLine(config));
  await signal();
  console.log("Stopping: finishing what is in hand.");
  return 0;
}

function signal(): Promise<void> {
  return new Promise((resolve) => {
    process.once("SIGTERM", () => resolve());
    process.once("SIGINT", () => resolve());
  });
}

function transportLine({ delivery, relay, ses }: Config): string {
  const rate = delivery.ratePerSecond === 0 ? "as fast as it goes" : `${delivery.ratePerSecond} mails a second at most`;
  if (delivery.transport === "smtp") return `Transport smtp: mail leaves through ${relay.host}:${relay.port}, ${rate}`;
  if (delivery.transport === "ses") return `Transport ses: mail leaves through Amazon SES in ${ses.region}, ${rate}`;
  return `Transport capture: mail is processed whole and kept, none leaves, ${rate}`;
}

function welcome(keys: MintedKeys, url: string): string {
  return `
Posthorn starts for the first time. It has made the workspace "default" and these keys, shown only now:

  secret  ${keys.secret}
  public  ${keys.public}

Send a first mail:

  curl -X POST ${url}/v1/send -H 'Authorization: Bearer ${keys.secret}' -H 'Content-Type: application/json' -d '{"to":"you@example.com","from":"Posthorn <hello@${TRY_OUT_DOMAIN}>","subject":"It works","body":"<p>Hello from Posthorn.</p>"}'
`;
}
