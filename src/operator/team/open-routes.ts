// Routes for people who are not signed in yet: from pages of this server only, with small bodies.
import type { Config } from "../../base/config.ts";
import { Elysia, type Context, type Static, type TSchema } from "elysia";
import type { Declaration } from "../../http/answers.ts";
import { readJson } from "../../http/body/body.ts";
import { asBody } from "../../http/body/shape.ts";
import type { Access } from "../../tenant/access/auth.ts";
import { refuseCrossSite } from "./session/same-origin.ts";

const BODY_BYTES = 64 * 1024;
const HOLDER = "people who sign in";

type PeerServer = { requestIP(request: Request): { readonly address: string } | null } | null;

export type ResponseHead = { status?: number | string; headers: Context["set"]["headers"] };

export type OpenRequest<Body> = {
  readonly body: Body;
  readonly request: Request;
  readonly set: ResponseHead;
  /** The address of the client; null = cannot be told from others. */
  readonly client: string | null;
};

type OpenAccess = Pick<Access, "bodyMemory" | "clients"> & { readonly http: Pick<Config["http"], "baseUrl"> };

/** A JSON body sent without a session. */
export function jsonBody<Shape extends TSchema>(schema: Shape) {
  return { takes: { type: "application/json", schema } };
}

export function openPost<Shape extends TSchema>(
  { bodyMemory, clients, http }: OpenAccess,
  path: string,
  [declared, schema]: readonly [Declaration, Shape],
  work: (asked: OpenRequest<Static<Shape>>) => Promise<unknown>,
) {
  const check = asBody(schema)["~standard"];
  const room = { limitBytes: BODY_BYTES, memory: bodyMemory, holder: HOLDER };
  const handler = async ({ request, set, server }: { request: Request; set: ResponseHead; server: PeerServer }) => {
    set.headers["cache-control"] = "no-store";
    refuseCrossSite(request, http.baseUrl);
    const body = check.validate(await readJson(request, room)).value as Static<Shape>;
    const client = clients.ofRequest(request, server?.requestIP(request)?.address);
    return work({ body, request, set, client });
  };
  return new Elysia().post(path, handler as never, { detail: declared });
}
