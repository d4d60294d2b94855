// The calls of SendGrid's API about suppressions: each needs what its call of ours needs (docs/compat/sendgrid.md).
import type { routes } from "../../../tenant/access/route-table.ts";
import type { CompatCall, CompatRequest } from "../own-calls.ts";
import { takeOff, takeOffEach, unsubscribe } from "./changes.ts";
import { SENDGRID } from "./refusals.ts";
import {
  blocked,
  blockedAt,
  RETURNED,
  suppressed,
  suppressedAt,
  unsubscribed,
  unsubscribedOne,
} from "./suppressions.ts";
import type { Deps } from "./suppressions.ts";

const CREATED = 201;
const GLOBAL = "/v3/asm/suppressions/global";

export function suppressionRoutes(deps: Deps): Parameters<typeof routes>[1] {
  return deps.ours.routes(SENDGRID, calls(deps));
}

function calls(deps: Deps): readonly CompatCall[] {
  return [
    ...RETURNED.flatMap((kind): CompatCall[] => [
      { method: "GET", path: `/v3/suppression/${kind}`, own: READ, work: (asked) => suppressed(deps, asked, kind) },
      {
        method: "GET",
        path: `/v3/suppression/${kind}/:email`,
        own: READ,
        work: (asked) => suppressedAt(deps, asked, kind),
      },
      {
        method: "DELETE",
        path: `/v3/suppression/${kind}`,
        own: LIFT,
        work: silent((asked) => takeOffEach(deps, asked, kind)),
      },
      {
        method: "DELETE",
        path: `/v3/suppression/${kind}/:email`,
        own: LIFT,
        work: silent((asked) => takeOff(deps, asked, kind)),
      },
    ]),
    { method: "GET", path: "/v3/suppression/blocks", own: READ, work: (asked) => blocked(deps, asked) },
    { method: "GET", path: "/v3/suppression/blocks/:email", own: READ, work: (asked) => blockedAt(deps, asked) },
    // An invalid address is refused when it is sent to.
    { method: "GET", path: "/v3/suppression/invalid_emails", own: READ, work: async () => [] },
    { method: "GET", path: "/v3/suppression/invalid_emails/:email", own: READ, work: async () => [] },
    { method: "GET", path: "/v3/suppression/unsubscribes", own: READ, work: (asked) => unsubscribed(deps, asked) },
    { method: "GET", path: `${GLOBAL}/:email`, own: READ, work: (asked) => unsubscribedOne(deps, asked) },
    {
      method: "POST",
      path: GLOBAL,
      own: "addSuppression",
      work: async (asked) => {
        const added = await unsubscribe(deps, asked);
        asked.set.status = CREATED;
        return added;
      },
    },
    {
      method: "DELETE",
      path: `${GLOBAL}/:email`,
      own: LIFT,
      work: silent((asked) => takeOff(deps, asked, "unsubscribes")),
    },
  ];
}

const READ = "listSuppressions";
const LIFT = "liftSuppression";
const NO_CONTENT = 204;

function silent(work: (asked: CompatRequest) => Promise<void>) {
  return async (asked: CompatRequest) => {
    await work(asked);
    return new Response(null, { status: NO_CONTENT });
  };
}
