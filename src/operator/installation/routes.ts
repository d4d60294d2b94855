// GET /installation
import { personOnly, type Access } from "../../tenant/access/auth.ts";
import { get, routes } from "../../tenant/access/route-table.ts";
import { installationOf, type InstallationOptions } from "./installation.ts";
import { installationShape } from "./record.ts";

export function installationRoutes(access: Access, surroundings: InstallationOptions) {
  return routes(
    access,
    [
      get(
        "/installation",
        {
          name: "getInstallation",
          summary: "See what this server is and how it is doing",
          answers: { 200: installationShape },
          key: "person",
          permission: "installation",
          description:
            "For owners. On several nodes, memory, uptime, ports and relay are those of the node that answers.",
        },
        (reader) => installationOf(reader, surroundings),
        "long",
      ),
    ],
    personOnly,
  );
}
