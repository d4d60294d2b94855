// Every route that the interface has, as the application itself lists them.
import { createApp } from "../../src/app.ts";
import { SignUpLimits } from "../../src/contacts/sign-up-limits.ts";
import { carriersHere } from "../../src/delivery/carriers.ts";
import { ClientAddresses } from "../../src/http/client-address.ts";
import { RequestLimit } from "../../src/http/request-limit.ts";
import { ReadingThread } from "../../src/inbound/reading-thread.ts";
import { SesNotices } from "../../src/inbound/ses/notices.ts";
import { SharedBytes } from "../../src/jobs/shared-bytes.ts";
import { Renderer } from "../../src/emails/rendering/renderer.ts";
import { createLog } from "../../src/log.ts";
import { Callers } from "../../src/workspaces/callers.ts";
import { PublicRequests } from "../../src/workspaces/public-requests.ts";
import type { Posthorn } from "./posthorn.ts";
import { TableResolver } from "./resolver.ts";

const NO_SCANNERS = { rspamdUrl: null, clamdSocket: null, timeoutMs: 0 };

/** Those that can be called without a key. */
const OPEN =
  /^\S+ (\/health|\/webhooks\/ses|\/openapi\.json|\/docs|\/(unsubscribe|subscribe|manage|o|c)\/:token)$|^OPTIONS /;

/** `GET /emails/:id` and the like, in their order. */
export function allRoutes({ store, clock, transport, secrets }: Posthorn): string[] {
  const log = createLog({ level: "error", format: "text", clock, write: () => {} });
  const resolver = new TableResolver();
  const settings = { returnPathDomain: null, envelopeDomain: null, mailHost: null, takesMail: false, spfInclude: null };
  const clients = new ClientAddresses([]);
  const publicRequests = new PublicRequests({ clock, clients, signUpsPerMinute: 0, requestsPerMinute: 0 });
  const app = createApp({
    access: {
      store,
      clock,
      bodyBytes: 0,
      bodyMemory: new SharedBytes(0),
      callers: new Callers(store),
      requestLimit: new RequestLimit(0),
      publicRequests,
    },
    log,
    carriers: carriersHere(transport),
    renderer: new Renderer(clock),
    files: new ReadingThread({
      resolver: new TableResolver(),
      host: "",
      scanners: NO_SCANNERS,
      maxReadMs: 0,
      maxBusyMs: 0,
    }),
    importBytes: 0,
    above: { segmentCondition: () => Promise.reject(), erase: () => Promise.reject(), catchUp: async () => {} },
    catchUp: async () => {},
    mail: { secrets, baseUrl: "", returnPathDomain: null, rewrittenFields: [] },
    healthLimits: { bounceRateWarning: 0, complaintRateWarning: 0, bounceRateStop: 0, complaintRateStop: 0 },
    webhookAllow: [],
    sesNotices: new SesNotices({ store, clock, log, topics: [], fetchText: () => Promise.reject() }),
    resolver,
    signUps: new SignUpLimits({ clock, clients, perMinute: 0 }),
    domains: { store, clock, log, secrets, resolver, settings, graceMs: 0, identities: null, looks: new Map() },
  });
  return app.routes.map(({ method, path }) => `${method} ${path}`);
}

export function routesWithKey(posthorn: Posthorn): string[] {
  return allRoutes(posthorn).filter((route) => !OPEN.test(route));
}
