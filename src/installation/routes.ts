// GET /installation
import { answers } from "../http/answers.ts";
import { personOnly, type Access } from "../access/auth.ts";
import { get, routes } from "../access/route-table.ts";
import { installationOf, type Surroundings } from "./installation.ts";
import { installationShape } from "./record.ts";

const shown = answers(
  "getInstallation",
  "See what this server is and how it is doing",
  { 200: installationShape },
  {
    key: "person",
    permission: "installation",
    description: "For owners. On several nodes, memory, uptime, ports and relay are those of the node that answers.",
  },
);

export function installationRoutes(access: Access, surroundings: Surroundings) {
  return routes(
    access,
    [get("/installation", shown, (reader) => installationOf(reader, surroundings), "long")],
    personOnly,
  );
}
