// Where the records of a domain send the reports on its mail, and what a check says of it.
import { expect, test } from "bun:test";
import { freePort } from "../support/free-port.ts";
import type { Json, Posthorn } from "../support/posthorn.ts";
import { TableResolver, type Zone } from "../support/resolver.ts";
import { ask } from "../support/scenario.ts";
import { workspace } from "../support/workspace.ts";

const HOST = "mx.posthorn.example";
const HERE: Record<string, Zone> = { [HOST]: { A: ["192.0.2.7"] } };

type Records = readonly Json[];

async function checked(
  posthorn: Posthorn,
  table: Record<string, Zone>,
  zones: (records: Records) => Record<string, Zone>,
) {
  const [domain] = (await ask(posthorn, "GET /domains")).body.data;
  Object.assign(table, zones(domain.records));
  const { body } = await ask(posthorn, `POST /domains/${domain.id}/verify`);
  return (purpose: string) => body.records.find((one: Json) => one.purpose === purpose);
}

async function open(returnPathDomain: string | null) {
  const table: Record<string, Zone> = { ...HERE };
  const config = { delivery: { returnPathDomain }, smtp: { hostname: HOST, inboundPort: await freePort() } };
  return { posthorn: await workspace({ config, resolver: new TableResolver(table) }), table };
}

test.each([
  ["b.posthorn.example", "b.posthorn.example"],
  [null, HOST],
] as const)(
  "with the return path %s, the address is at %s, and at the domain once its mail arrives here",
  async (returnPathDomain, home) => {
    const { posthorn, table } = await open(returnPathDomain);
    await using _ = posthorn;
    const before = await checked(posthorn, table, () => ({}));
    expect(before("DMARC").value).toMatch(new RegExp(`^v=DMARC1; p=none; rua=mailto:reports-[a-z0-9]{24}@${home}$`));
    expect(before("REPORT_PERMISSION")).toMatchObject({
      ...{ name: `example.test._report._dmarc.${home}`, value: "v=DMARC1", required: false },
      ...{ state: "MISSING", problemCode: "permission_none" },
    });
    await checked(posthorn, table, () => ({ "example.test": { MX: [HOST] } }));
    const here = await checked(posthorn, table, () => ({}));
    expect(here("DMARC").value).toEndWith("@example.test");
    expect(here("TLS_REPORTS").value).toMatch(/^v=TLSRPTv1; rua=mailto:reports-\w+@example\.test$/);
    expect(here("REPORT_PERMISSION")).toBeUndefined();
  },
);

test("no permission is asked for within one organization", async () => {
  const { posthorn, table } = await open("bounces.example.test");
  await using _ = posthorn;
  const one = await checked(posthorn, table, () => ({}));
  expect(one("REPORT_PERMISSION")).toBeUndefined();
  expect(one("DMARC").value).toEndWith("@bounces.example.test");
});

test("a record without our address is right, and the suggestion adds it", async () => {
  const { posthorn, table } = await open("b.posthorn.example");
  await using _ = posthorn;
  const without = await checked(posthorn, table, () => ({ "_dmarc.example.test": { TXT: ["v=DMARC1; p=reject;"] } }));
  const address = /mailto:(\S+)/.exec(without("DMARC").value)?.[1];
  expect(without("DMARC")).toMatchObject({
    ...{ state: "OK", problemCode: "dmarc_no_reports", suggestion: `v=DMARC1; p=reject; rua=mailto:${address}` },
  });
  const other = await checked(posthorn, table, () => ({
    "_dmarc.example.test": { TXT: ["v=DMARC1; p=none; rua=mailto:a@other.example!10m ; ruf=mailto:a@other.example"] },
    "_smtp._tls.example.test": { TXT: ["v=TLSRPTv1; rua=https://other.example/"] },
  }));
  expect(other("DMARC")).toMatchObject({
    ...{ state: "OK", problemCode: "dmarc_reports_elsewhere" },
    suggestion: `v=DMARC1; p=none; rua=mailto:a@other.example!10m,mailto:${address}; ruf=mailto:a@other.example`,
  });
  expect(other("TLS_REPORTS")).toMatchObject({
    ...{ state: "OK", problemCode: "tls_reports_elsewhere" },
    suggestion: `v=TLSRPTv1; rua=https://other.example/,mailto:${address}`,
  });
  const [{ id }] = (await ask(posthorn, "GET /domains")).body.data;
  const zone = (await ask(posthorn, `GET /domains/${id}/zone`)).body;
  expect(zone).toContain(`_dmarc.example.test. 3600 IN TXT "v=DMARC1; p=none; rua=mailto:a@other.example!10m,mailto:`);
  expect(zone).toContain(`; example.test._report._dmarc.b.posthorn.example. 3600 IN TXT "v=DMARC1"`);
});

test("records as shown are right", async () => {
  const { posthorn, table } = await open("b.posthorn.example");
  await using _ = posthorn;
  const right = await checked(posthorn, table, (records) =>
    Object.fromEntries(records.filter(({ type }) => type === "TXT").map(({ name, value }) => [name, { TXT: [value] }])),
  );
  for (const purpose of ["DMARC", "TLS_REPORTS", "REPORT_PERMISSION"])
    expect(right(purpose)).toMatchObject({ state: "OK", problem: null, suggestion: null });
});

test("several TLS records are wrong, and a domain of the same organization needs no permission", async () => {
  const { posthorn, table } = await open("b.posthorn.example");
  await using _ = posthorn;
  const one = await checked(posthorn, table, () => ({
    "_smtp._tls.example.test": { TXT: ["v=TLSRPTv1; rua=mailto:a@b.test", "v=TLSRPTv1; rua=mailto:c@b.test"] },
    "_dmarc.test": { TXT: ["v=DMARC1; p=none; psd=n"] },
  }));
  expect(one("TLS_REPORTS")).toMatchObject({ state: "WRONG", problemCode: "tls_reports_several" });
});
