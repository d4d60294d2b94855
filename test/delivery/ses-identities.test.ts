// Sender domains where mail leaves through Amazon SES: SES gets each, and decides too; a fake SES answers.
import { expect, test } from "bun:test";
import { cliBeside } from "../support/cli.ts";
import type { Json, Posthorn } from "../support/posthorn.ts";
import { error, StandIn, type Identity } from "../support/ses-stand-in.ts";
import { TableResolver, type Zone } from "../support/resolver.ts";
import { ask } from "../support/scenario.ts";
import { addWorkspace } from "../support/workspaces.ts";
import { workspace } from "../support/workspace.ts";

type House = {
  readonly ses: StandIn;
  readonly posthorn: Posthorn;
  readonly zones: Record<string, Zone>;
  readonly domain: Json;
  readonly verify: () => Promise<Json>;
};

/** A server that sends through SES, with the domain shop.example, whose DKIM record is published. */
async function withSes(work: (house: House) => Promise<void>): Promise<void> {
  const ses = new StandIn();
  const zones: Record<string, Zone> = {};
  const credentials = { accessKeyId: "AKIAEXAMPLE", secretAccessKey: "secret" };
  const config = {
    delivery: { transport: "ses" as const },
    ses: { region: "eu-west-1", endpoint: ses.endpoint, ...credentials },
  };
  await using posthorn = await workspace({ config, resolver: new TableResolver(zones) });
  const domain = (await ask(posthorn, "POST /domains", { body: { domain: "shop.example" } })).body;
  publish(zones, domain.records[0]);
  const verify = async () => (await ask(posthorn, `POST /domains/${domain.id}/verify`)).body;
  await work({ ses, posthorn, zones, domain, verify });
  await ses.stop();
}

function publish(zones: Record<string, Zone>, record: Json): void {
  zones[record.name] = { TXT: [record.value] };
}

const verified = (selector: string, origin: Identity["origin"] = "EXTERNAL"): Identity => {
  return { origin, selector, status: "SUCCESS", verified: true };
};

test("SES gets a domain and its key; the domain is verified once SES says so as well", () =>
  withSes(async ({ ses, domain, verify }) => {
    expect(domain.service).toMatchObject({ name: "Amazon SES", state: "UNKNOWN", problem: null });
    expect(domain.records.find(({ purpose }: Json) => purpose === "SPF").value).toContain("include:amazonses.com");
    const told = await verify();
    expect(told).toMatchObject({
      verified: false,
      service: { state: "MISSING", problem: expect.stringContaining("SES"), problemCode: "ses_added" },
    });
    expect(told.records[0].state).toBe("OK");
    expect(ses.calls.map(({ what }) => what)).toEqual([
      "GET /v2/email/identities/shop.example",
      "POST /v2/email/identities",
    ]);
    expect(ses.calls[1]?.body).toEqual({
      EmailIdentity: "shop.example",
      DkimSigningAttributes: {
        DomainSigningSelector: "posthorn2603",
        DomainSigningPrivateKey: expect.stringMatching(/^[A-Za-z0-9+/]{1600,}={0,2}$/),
      },
    });
    expect(await verify()).toMatchObject({ verified: false, service: { state: "MISSING" } });
    ses.identity = verified("posthorn2603");
    expect(await verify()).toMatchObject({ verified: true, service: { state: "OK", problem: null } });
    expect(ses.calls).toHaveLength(4);
  }));

test("the SPF record must include SES", () =>
  withSes(async ({ zones, verify }) => {
    const found = async () => (await verify()).records.find(({ purpose }: Json) => purpose === "SPF");
    zones["shop.example"] = { TXT: ["v=spf1 a include:_spf.relay.example -all"] };
    zones["_spf.relay.example"] = { TXT: ["v=spf1 mx -all"] };
    expect(await found()).toMatchObject({
      state: "WRONG",
      problem: expect.stringMatching(/add include:amazonses\.com/),
    });
    zones["_spf.relay.example"] = { TXT: ["v=spf1 include:amazonses.com -all"] };
    zones["amazonses.com"] = { TXT: ["v=spf1 ip4:192.0.2.0/24 -all"] };
    expect((await found()).state).toBe("OK");
    const terms = Array.from({ length: 10 }, (_, index) => `exists:e${index}.example`);
    zones["shop.example"] = { TXT: [`v=spf1 ${terms.join(" ")} -all`] };
    expect(await found()).toMatchObject({
      state: "WRONG",
      problemCode: "spf_merged_lookups",
      problem: expect.stringContaining("more than 10 DNS lookups"),
      suggestion: `v=spf1 ${terms.join(" ")} include:amazonses.com -all`,
    });
  }));

test("SES is asked and told nothing before the DKIM record is found", () =>
  withSes(async ({ ses, zones, domain, verify }) => {
    delete zones[domain.records[0].name];
    ses.identity = verified("posthorn2603");
    const problem = "Amazon SES is asked once the DKIM record is found.";
    expect(await verify()).toMatchObject({ verified: false, service: { state: "UNKNOWN", problem } });
    expect(ses.calls).toEqual([]);
  }));

test("a domain that is removed and added again has another selector, and SES gets its key", () =>
  withSes(async ({ ses, posthorn, zones, domain, verify }) => {
    ses.identity = verified("posthorn2603");
    await verify();
    await ask(posthorn, `DELETE /domains/${domain.id}`);
    const again = (await ask(posthorn, "POST /domains", { body: { domain: "shop.example" } })).body;
    expect(again.selector).toBe("posthorn2603-2");
    publish(zones, again.records[0]);
    expect((await ask(posthorn, `POST /domains/${again.id}/verify`)).body.verified).toBe(true);
    expect(ses.calls.at(-1)?.body.SigningAttributes.DomainSigningSelector).toBe("posthorn2603-2");
  }));

test("a domain that went with its workspace has another selector in the next one, and SES gets its key", () =>
  withSes(async ({ ses, posthorn, zones, verify }) => {
    ses.identity = verified("posthorn2603");
    await verify();
    expect((await cliBeside(posthorn, ["workspace", "delete", "default", "--yes"])).code).toBe(0);
    const key = { bearer: (await addWorkspace(posthorn, { name: "other", domain: "other.example" })).secret };
    const again = (await ask(posthorn, "POST /domains", { key, body: { domain: "shop.example" } })).body;
    expect(again.selector).toBe("posthorn2603-2");
    publish(zones, again.records[0]);
    expect((await ask(posthorn, `POST /domains/${again.id}/verify`, { key })).body.verified).toBe(true);
    expect(ses.identity.selector).toBe("posthorn2603-2");
  }));

test("of two workspaces with a domain SES hears of the one that has verified it, and of the other when it takes over", () =>
  withSes(async ({ ses, posthorn, zones, domain, verify }) => {
    const key = { bearer: (await addWorkspace(posthorn, { name: "other", domain: "other.example" })).secret };
    const theirs = (await ask(posthorn, "POST /domains", { key, body: { domain: "shop.example" } })).body;
    expect(theirs.selector).toBe("posthorn2603-2");
    const theyVerify = () => ask(posthorn, `POST /domains/${theirs.id}/verify`, { key });
    expect((await theyVerify()).body.verified).toBe(false);
    expect(ses.calls).toEqual([]);
    ses.identity = verified("posthorn2603");
    expect((await verify()).verified).toBe(true);
    publish(zones, theirs.records[0]);
    expect((await theyVerify()).status).toBe(409);
    expect([ses.calls.length, ses.identity.selector]).toEqual([1, "posthorn2603"]);
    await ask(posthorn, `DELETE /domains/${domain.id}`);
    expect((await theyVerify()).body.verified).toBe(true);
    expect(ses.identity.selector).toBe("posthorn2603-2");
  }));

test("a domain that SES gave up is looked for again", () =>
  withSes(async ({ ses, verify }) => {
    ses.identity = { origin: "EXTERNAL", selector: "posthorn2603", status: "FAILED", verified: false };
    expect((await verify()).service).toMatchObject({
      state: "WRONG",
      problem: expect.stringMatching(/asked to check again/),
    });
    expect(ses.calls.at(-1)).toMatchObject({
      what: "PUT /v2/email/identities/shop.example/dkim/signing",
      body: { SigningAttributesOrigin: "EXTERNAL", SigningAttributes: { DomainSigningSelector: "posthorn2603" } },
    });
  }));

test("SES gets the next key with the rotation", () =>
  withSes(async ({ ses, posthorn, zones, domain, verify }) => {
    ses.identity = verified("posthorn2603");
    await verify();
    const rotated = (await ask(posthorn, `POST /domains/${domain.id}/rotate`)).body;
    await verify();
    expect(ses.identity?.selector).toBe("posthorn2603");
    publish(
      zones,
      rotated.records.find(({ name }: Json) => name.startsWith(rotated.nextSelector)),
    );
    expect(await verify()).toMatchObject({ verified: true, selector: "posthorn2603-2" });
    expect(ses.identity?.selector).toBe("posthorn2603-2");
  }));

test.each([
  ["EXTERNAL", "elsewhere", true, true, "OK"],
  ["AWS_SES", "abc", true, true, "OK"],
  ["AWS_SES", "abc", false, false, "WRONG"],
] as const)(
  "settings of others in SES (%s %s, verified: %s) are left alone",
  (origin, selector, isVerified, may, state) =>
    withSes(async ({ ses, verify }) => {
      ses.identity = { ...verified(selector, origin), verified: isVerified };
      expect(await verify()).toMatchObject({ verified: may, service: { state } });
      expect(ses.calls.map(({ what }) => what)).toEqual(["GET /v2/email/identities/shop.example"]);
    }),
);

test("a verified domain that SES is still looking for is not failing; one that SES has lost is, and the log says why", () =>
  withSes(async ({ ses, posthorn, verify }) => {
    ses.identity = verified("posthorn2603");
    await verify();
    ses.identity = null;
    expect(await verify()).toMatchObject({ verified: true, failingSince: null, service: { state: "MISSING" } });
    ses.identity = { ...verified("posthorn2603"), status: "PENDING", verified: false };
    expect(await verify()).toMatchObject({ verified: true, failingSince: null, service: { state: "MISSING" } });
    ses.identity = { ...verified("abc", "AWS_SES"), verified: false };
    const failing = await verify();
    expect(failing).toMatchObject({ verified: true, failingSince: "2026-03-01T09:00:00.000Z" });
    const warnings = posthorn.logLines.filter((line) => line.includes(" warn ") && line.includes("shop.example"));
    expect(warnings).toEqual([expect.stringContaining("SES knows the domain with DKIM settings that are not ours")]);
    ses.identity = { ...verified("posthorn2603"), status: "PENDING", verified: false };
    posthorn.clock.advance(4 * 24 * 60 * 60 * 1000);
    expect((await verify()).verified).toBe(false);
  }));

test("SES refusing to tell changes nothing, and is told", () =>
  withSes(async ({ ses, verify }) => {
    ses.refusal = error(403, "AccessDeniedException");
    const unknown = { state: "UNKNOWN", problem: "SES could not be asked: AccessDeniedException: No" };
    expect(await verify()).toMatchObject({ verified: false, service: unknown });
    ses.refusal = null;
    ses.identity = verified("posthorn2603");
    await verify();
    ses.refusal = error(403, "AccessDeniedException");
    expect(await verify()).toMatchObject({ verified: true, failingSince: null, service: unknown });
  }));
