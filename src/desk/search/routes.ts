// GET /search
import { t } from "elysia";
import { invalidParameter } from "../../base/errors.ts";
import type { Access } from "../../tenant/access/auth.ts";
import { get, routes } from "../../tenant/access/route-table.ts";
import { foundShape } from "./record.ts";
import { search } from "./search.ts";

const MIN_CHARS = 2;

const asked = t.Object({
  q: t.String({
    minLength: MIN_CHARS,
    maxLength: 200,
    description:
      "Part of an address or name, the beginning of an address that a contact had before, or an id; of an email also its Message-ID or request id.",
  }),
});

export function searchRoutes(access: Access) {
  return routes(access, [
    get(
      "/search",
      {
        name: "search",
        summary: "Find anything by its name, address or id",
        answers: { 200: foundShape },
        permission: "read",
        query: asked,
        description:
          "At most five of each kind, names among the newest 1,000. Domains are for keys without a scope, and keys for those who may list them.",
      },
      (reader, { query, caller }) => search(reader, caller, textIn(query.q)),
      "long",
    ),
  ]);
}

function textIn(q: string): string {
  const text = q.trim();
  if (text.length < MIN_CHARS) throw invalidParameter("q", `Write at least ${MIN_CHARS} characters.`, "too_small");
  return text;
}
