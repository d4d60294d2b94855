// /compat/mailgun: Mailgun's messages, events, lists of suppressions, sums and domains (docs/compat/mailgun.md). Its
// clients keep only the origin of an address, so it is served where mailgun_host is set.
import type { Config } from "../../../base/config.ts";
import type { Declaration } from "../../../http/answers.ts";
import { secretKeyAsPassword, type Access } from "../../../tenant/access/auth.ts";
import { get, route, routes } from "../../../tenant/access/route-table.ts";
import type { CompatCall, CompatRequest, OwnCalls } from "../own-calls.ts";
import { LIST_REASONS, type SuppressionListName } from "../suppression-lists.ts";
import { domainMeant } from "./domain.ts";
import { domainList, domainPage } from "./domains.ts";
import { eventsPage } from "./events.ts";
import { MAILGUN } from "./refusals.ts";
import { sendMessage, sendMime } from "./sending.ts";
import { statsPage } from "./stats.ts";
import { added, listed, listedAt, takenOff, type ListDeps } from "./suppressions.ts";

/** Not a call of ours: /openapi.json does not describe it. */
const call = (name: string) =>
  ({ name, summary: name, answers: { 200: null }, permission: "read", dialect: true }) satisfies Declaration;
const sending = (name: string) => ({ ...call(name), permission: "mail.send", forSenders: true }) satisfies Declaration;

type MailgunPlace = Pick<Config, "http" | "compat">;

export function mailgunRoutes(access: Access, ours: OwnCalls, place: MailgunPlace) {
  const { store, clock } = access;
  const addressOf = (request: Request) => addressIn(place, request);
  const events = (path: "/v3/:domain/events" | "/v3/:domain/events/:page", name: string) =>
    get(
      under(path),
      call(name),
      async (reader, { params, caller, request }) => {
        const { seq: domain } = await domainMeant(reader, { params, caller });
        const query = new URL(request.url).searchParams;
        const token = (params as Readonly<Record<string, string>>)["page"] ?? null;
        const address = addressOf(request).replace(/(\/events)\/.*$/, "$1");
        return eventsPage(reader, { workspace: caller.workspace, domain, query, token, address });
      },
      "long",
    );
  return routes(
    access,
    [
      route(
        "POST",
        under("/v3/:domain/messages"),
        sending("mailgunSendMessage"),
        ({ params, body, caller, request, set, server }) =>
          sendMessage(store, { params, body, caller, request, set, server }),
      ),
      route(
        "POST",
        under("/v3/:domain/messages.mime"),
        sending("mailgunSendMime"),
        ({ params, body, caller, request, set, server }) =>
          sendMime(store, { params, body, caller, request, set, server }),
      ),
      events("/v3/:domain/events", "mailgunListEvents"),
      events("/v3/:domain/events/:page", "mailgunListEventsOnward"),
      get(
        under("/v3/:domain/stats/total"),
        call("mailgunCountEmails"),
        async (reader, { params, caller, request }) => {
          const { domain } = await domainMeant(reader, { params, caller });
          return statsPage(reader, { workspace: caller.workspace, domain, request, nowMs: clock.nowMs() });
        },
        "long",
      ),
      ...ours.routes(MAILGUN, [...suppressionCalls({ store, ours, addressOf }), ...domainCalls(access, ours)]),
    ],
    secretKeyAsPassword("api"),
  );
}

function suppressionCalls(deps: ListDeps): readonly CompatCall[] {
  return (Object.keys(LIST_REASONS) as SuppressionListName[]).flatMap((list): CompatCall[] => {
    const path = `/v3/:domain/${list}`;
    const one = `${path}/:address`;
    return [
      { method: "GET", path, own: "listSuppressions", work: (asked) => listed(deps, asked, list) },
      { method: "POST", path, own: "addSuppression", work: (asked) => added(deps, asked, list) },
      { method: "GET", path: one, own: "listSuppressions", work: (asked) => listedAt(deps, asked, list) },
      { method: "DELETE", path: one, own: "liftSuppression", work: (asked) => takenOff(deps, asked, list) },
    ];
  });
}

function domainCalls({ store }: Access, ours: OwnCalls): readonly CompatCall[] {
  const all = (asked: CompatRequest) => store.read((reader) => domainList(reader, asked));
  const one = (asked: CompatRequest) => domainPage(store, ours, asked);
  return ["/v3/domains", "/v4/domains"].flatMap((path): CompatCall[] => [
    { method: "GET", path, own: "listDomains", work: all },
    { method: "GET", path: `${path}/:domain`, own: "getDomain", work: one },
  ]);
}

/** The address of a request as its client sees it, without its query. */
function addressIn({ http, compat }: MailgunPlace, { url, headers }: Request): string {
  const port = /:\d+$/.exec(headers.get("host") ?? "")?.[0] ?? "";
  const { protocol } = new URL(http.baseUrl);
  return `${protocol}//${compat.mailgunHost}${port}${new URL(url).pathname.slice(MAILGUN.at.length)}`;
}

function under<Path extends string>(path: Path): `/compat/mailgun${Path}` {
  return `${MAILGUN.at as "/compat/mailgun"}${path}`;
}
