// Chooses a free port for the API, if the configuration wants one.
import { ownAddress, type Config } from "../base/config.ts";

/** Port 0 means any free port. It is chosen before anything else, since links contain it. */
export function withPort(config: Config): Config {
  const { http } = config;
  if (http.port !== 0 || http.baseUrl !== ownAddress(http)) return config;
  const probe = Bun.listen({ hostname: http.host, port: 0, socket: { data: () => undefined } });
  const { port } = probe;
  probe.stop(true);
  return { ...config, http: { ...http, port, baseUrl: ownAddress({ ...http, port }) } };
}
