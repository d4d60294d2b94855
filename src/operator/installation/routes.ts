// GET /installation, /installation/configuration
import { personOnly, type Access } from "../../tenant/access/auth.ts";
import { get, routes } from "../../tenant/access/route-table.ts";
import { installationOf, type InstallationOptions } from "./installation.ts";
import { installationShape, configurationShape } from "./record.ts";
import { settingsOf } from "../../base/config/settings.ts";

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
      get(
        "/installation/configuration",
        {
          name: "getConfiguration",
          summary: "See every setting of this server, and where it is set",
          answers: { 200: configurationShape },
          key: "person",
          permission: "installation",
          description:
            "For owners: the keys of the configuration, and those of each way after them. A changed setting needs a restart. On several nodes, the settings are those of the node that answers.",
        },
        async () => ({ data: [...settingsOf(surroundings.ground.config, surroundings.origins)] }),
      ),
    ],
    personOnly,
  );
}
