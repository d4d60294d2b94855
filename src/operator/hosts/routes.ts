// /workspace/link-host: the host that a workspace has to itself; and where hosts show that they lead here.
import { Elysia, t } from "elysia";
import { iso } from "../../base/clock.ts";
import { content } from "../../http/answers.ts";
import { HOST_PROOF } from "../../base/link-bases.ts";
import type { Secrets } from "../../base/secrets.ts";
import type { Reader } from "../../store/store.ts";
import type { Access } from "../../tenant/access/auth.ts";
import { ifUpdatedAtShape } from "../../tenant/access/saving-shape.ts";
import { get, put, remove, route, routes } from "../../tenant/access/route-table.ts";
import { conclude, hostFinding, type HostContext } from "./check.ts";
import { removeHost, setHost } from "./host.ts";
import { proofAt } from "./proof.ts";
import { hostsOf } from "./queries.ts";
import { hostsRecord, hostsShape } from "./record.ts";
import { linkHostSetAt } from "../../tenant/workspaces/queries.ts";

const PATH = "/workspace/link-host";

export function hostRoutes(access: Access, context: HostContext) {
  const { store, config, bases } = context;
  const hostRecords = async (reader: Reader, workspace: number) =>
    hostsRecord(bases, await hostsOf(reader, workspace), await linkHostSetAt(reader, workspace));
  return routes(access, [
    get(
      PATH,
      {
        name: "getLinkHost",
        summary: "Get the host that links of this workspace name",
        answers: { 200: hostsShape },
        permission: "read",
        managers: true,
      },
      (reader, { caller: { workspace } }) => hostRecords(reader, workspace),
    ),
    put(
      PATH,
      {
        name: "updateLinkHost",
        summary: "Set the host that links of this workspace name",
        answers: { 200: hostsShape },
        permission: "workspace",
        managers: true,
        body: t.Object(
          { host: t.String({ minLength: 1, maxLength: 300 }), ifUpdatedAt: ifUpdatedAtShape },
          { examples: [{ host: "links.shop.example" }] },
        ),
        refuses: ["CONFLICT"],
        description:
          "Links of new emails name it once it leads to this server and has a certificate, and the host of the server while it does not. Links that were sent work at both.",
      },
      async (tx, { body, caller: { workspace } }) => {
        await setHost(tx, config, workspace, body);
        return hostRecords(tx, workspace);
      },
    ),
    route(
      "POST",
      `${PATH}/verify`,
      {
        name: "verifyLinkHost",
        summary: "Check the host that links of this workspace name",
        answers: { 200: hostsShape },
        permission: "workspace",
        managers: true,
        harmless: true,
        description: "A host is checked once a day, and hourly while it is new or fails.",
      },
      async ({ caller: { workspace } }) => {
        const hosts = await store.read((reader) => hostsOf(reader, workspace));
        const current = hosts.find(({ isCurrent }) => isCurrent);
        const begunAt = iso(store.clock.nowMs());
        if (current) {
          const found = await hostFinding(context, current);
          await store.write((tx) => conclude(tx, context, { seq: current.seq, begunAt, found }));
        }
        return store.read((reader) => hostRecords(reader, workspace));
      },
    ),
    remove(
      PATH,
      {
        name: "deleteLinkHost",
        summary: "Let links of this workspace name the host of the server",
        answers: { 200: hostsShape },
        permission: "workspace",
        managers: true,
        description: "Links that were sent work as long as the host leads here.",
      },
      async (tx, { caller: { workspace } }) => {
        await removeHost(tx, workspace);
        return hostRecords(tx, workspace);
      },
    ),
  ]);
}

const PROVEN = {
  detail: {
    name: "proveLinkHost",
    summary: "Show that a host leads to this server",
    answers: { 200: content("text/plain"), 404: content("text/plain") },
    key: "none",
    description: "For the check of hosts. `nonce`: 32 hexadecimal digits.",
  },
};

export function proofRoutes(secrets: Secrets) {
  return new Elysia().get(
    `${HOST_PROOF}:nonce`,
    ({ params: { nonce } }: { readonly params: { readonly nonce: string } }) => {
      const proof = proofAt(secrets, HOST_PROOF + nonce);
      const headers = { "content-type": "text/plain; charset=utf-8", "cache-control": "no-store" };
      return new Response(`${proof ?? "No such proof."}\n`, { status: proof === null ? 404 : 200, headers });
    },
    PROVEN,
  );
}
