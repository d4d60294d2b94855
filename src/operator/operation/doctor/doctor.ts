// All checks of the doctor, in order: dependencies first.
import type { Config, ConfigProblem } from "../../../base/config.ts";
import { CachingResolver } from "../../../base/dns/cache.ts";
import type { Resolver } from "../../../base/dns.ts";
import type { ServerAnswer } from "../status.ts";
import { lookAtCertificates } from "./certificates.ts";
import { ok, wrong, type DoctorFinding } from "./finding.ts";
import {
  lookAtAlerts,
  lookAtConfiguration,
  lookAtDirectories,
  lookAtDisk,
  lookAtKept,
  lookAtPorts,
  lookForFirstKeys,
} from "./machine.ts";
import {
  lookAtBlocklists,
  lookAtDomains,
  lookAtOwnName,
  lookAtRelays,
  lookAtReturnPath,
  lookAtWatch,
  lookAtWaysInStore,
} from "./network.ts";
import { lookAtMailboxes } from "./mailboxes.ts";
import { lookAtSenders } from "./senders.ts";
import { lookAtSigning } from "./signing.ts";
import { lookAtPlainPort } from "./plain-port.ts";
import {
  lookAtBackup,
  lookAtClock,
  lookAtConnections,
  lookAtIntegrity,
  lookAtReports,
  lookAtSessions,
  lookAtStream,
  lookForStuck,
  lookForUnpruned,
  type StoreCheck,
} from "./store.ts";

export type Patient = {
  readonly config: Config;
  /** Settings of owners in the interface that are not used. */
  readonly problems: readonly ConfigProblem[];
  /** Where the configuration comes from. */
  readonly file: string | null;
  readonly server: ServerAnswer;
  readonly resolver: Resolver;
  readonly machineMs: number;
  readonly withBlocklists: boolean;
};

/** The checks that need no store. */
export async function examineMachine(patient: Patient): Promise<DoctorFinding[]> {
  const { config, problems, file, server, machineMs } = patient;
  return [
    ...lookAtConfiguration(config, file),
    ...lookAtKept(problems),
    server.ready
      ? ok("server", `version ${server.version} is ready`)
      : wrong(
          "server",
          `It is not ready: ${server.problem}`,
          server.isThere ? "Mend what it says; its log has more." : "Start it.",
        ),
    ...lookAtDirectories(config),
    ...lookForFirstKeys(config),
    ...lookAtDisk(config),
    ...(await lookAtPorts(config, server.isThere)),
    ...(await lookAtPlainPort(config, server.isThere)),
    ...(await lookAtCertificates(config, machineMs)),
    lookAtAlerts(config),
    lookAtSigning(),
    ...(await examineNetwork(patient)),
  ];
}

async function examineNetwork({ config, resolver, withBlocklists }: Patient): Promise<DoctorFinding[]> {
  return [
    ...(await lookAtRelays(config)),
    ...(await lookAtOwnName(config, resolver)),
    await lookAtReturnPath(config, resolver),
    ...(withBlocklists ? await lookAtBlocklists(config, resolver) : []),
  ];
}

export async function examineStore(
  looked: StoreCheck,
  { config, resolver, server }: Patient,
  full: boolean,
): Promise<DoctorFinding[]> {
  return [
    lookAtIntegrity(config, full),
    await lookAtClock(looked),
    ...(await lookAtConnections(looked)),
    ...(await lookAtWaysInStore(looked)),
    ...(await lookAtMailboxes(looked)),
    ...(await lookAtSenders(looked)),
    ...(await lookAtSessions(looked)),
    ...(await lookForStuck(looked)),
    await lookForUnpruned(looked),
    await lookAtBackup(looked),
    ...(await lookAtReports(looked)),
    ...lookAtStream(config, server),
    ...(await lookAtWatch(looked.store)),
    ...(await lookAtDomains(looked, new CachingResolver(resolver, looked.store.clock))),
  ];
}

/** A store that cannot be opened is the first thing to mend. */
export function storeFault(error: unknown): DoctorFinding {
  return wrong("store", (error as Error).message, "Mend this first.");
}
