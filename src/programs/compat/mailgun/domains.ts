// Sender domains, as Mailgun shows them.
import { invalidParameter } from "../../../base/errors.ts";
import type { Reader, Store } from "../../../store/store.ts";
import { countDomains, domainsPage, type Domain } from "../../../tenant/domains/queries.ts";
import { refuseFilters } from "../fields.ts";
import type { CompatRequest, OwnCalls } from "../own-calls.ts";
import { domainMeant } from "./domain.ts";

const DEFAULT_PAGE = 100;
const LARGEST_PAGE = 1_000;
/** Records for inbound mail. */
const RECEIVING = new Set(["INBOUND"]);

function domainRecord({ id, domain, verifiedAt, failingSince, createdAt }: Domain) {
  return {
    id,
    name: domain,
    state: verifiedAt === null ? "unverified" : "active",
    type: "custom",
    created_at: new Date(createdAt).toUTCString(),
    is_disabled: false,
    // A failing domain sends until its time of grace is over.
    ...(failingSince === null ? {} : { failing_since: new Date(failingSince).toUTCString() }),
  };
}

export async function domainList(reader: Reader, { caller, request }: CompatRequest) {
  refuseFilters(request, ["limit", "skip"]);
  const query = new URL(request.url).searchParams;
  const [limit, skip] = [Number(query.get("limit") ?? DEFAULT_PAGE), Number(query.get("skip") ?? 0)];
  if (!Number.isInteger(limit) || limit < 1 || limit > LARGEST_PAGE || !Number.isInteger(skip) || skip < 0)
    throw invalidParameter("limit", `A page has 1 to ${LARGEST_PAGE} domains.`);
  const { workspace } = caller;
  const items = (await domainsPage(reader, workspace, limit, skip)).map(domainRecord);
  return { total_count: await countDomains(reader, workspace), items };
}

export async function domainPage(store: Store, ours: OwnCalls, asked: CompatRequest) {
  const found = await store.read((reader) => domainMeant(reader, asked));
  const { records } = await ours.also("getDomain", asked, { params: { id: found.id } });
  const shown = records.map(({ purpose, type, name, value, state }) => ({
    ...{ record_type: type, name, value, priority: type === "MX" ? "10" : undefined },
    ...{ valid: state === "OK" ? "valid" : "unknown", is_active: state === "OK", purpose },
  }));
  const isReceiving = ({ purpose }: { purpose: string }) => RECEIVING.has(purpose);
  return {
    domain: domainRecord(found),
    sending_dns_records: shown.filter((one) => !isReceiving(one)).map(({ purpose: _, ...one }) => one),
    receiving_dns_records: shown.filter(isReceiving).map(({ purpose: _, ...one }) => one),
  };
}
