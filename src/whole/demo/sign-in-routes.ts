// GET /demo/{role}: signs a visitor in as a member of the team, any number of times.
import { Elysia } from "elysia";
import { AppError } from "../../base/errors.ts";
import type { Ground, Room } from "../../ground/ground.ts";
import { sessionCookie } from "../../operator/team/session/cookie.ts";
import { sessionOf } from "./calls.ts";
import { TEAM, type TeamRole } from "./people.ts";

export function linkOf(baseUrl: string, role: TeamRole): string {
  return `${baseUrl}/demo/${role}`;
}

export function signInRoutes({ store, config }: Ground): Room {
  const cookie = sessionCookie(config.http);
  const routes = new Elysia().get("/demo/:role", async ({ params: { role }, request, set }) => {
    if (!isRole(role)) throw new AppError("ROUTE_NOT_FOUND", `Nobody here is called ${role}.`);
    const token = await sessionOf({ store }, role, request.headers.get("user-agent"));
    set.headers["set-cookie"] = cookie.set(token);
    set.headers["location"] = TEAM[role].opens;
    set.headers["cache-control"] = "no-store";
    set.status = 303;
    return "";
  });
  return { routes: [routes] };
}

function isRole(role: string): role is TeamRole {
  return Object.hasOwn(TEAM, role);
}
