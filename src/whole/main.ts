// The command line: all its verbs.
import { ALERTS_TEST } from "./cli/alerts.ts";
import { BACKUP, BACKUPS, RESTORE } from "./cli/backup.ts";
import { CLOCK_ACCEPT } from "./cli/clock.ts";
import { CHECK_CONFIG } from "./cli/check-config.ts";
import { CONSENT_VERIFY } from "./cli/consent.ts";
import { COMPACT } from "./cli/compact.ts";
import { DOCTOR } from "./cli/doctor.ts";
import { DOMAIN_VERBS } from "./cli/domain.ts";
import { VERSION } from "./cli/help.ts";
import { RELEASE } from "./cli/hold.ts";
import { INSTALL_SERVICE } from "./cli/install.ts";
import { KEY_VERBS } from "./cli/key.ts";
import { LICENSES } from "./cli/licenses.ts";
import { MIGRATE, MIGRATE_STORE } from "./cli/migrate.ts";
import { QUEUE_VERBS } from "./cli/queue.ts";
import { BRAKE_VERBS } from "./cli/queue-brakes.ts";
import { READY } from "./cli/ready.ts";
import { RESET } from "./cli/reset.ts";
import { PRUNE } from "./cli/prune.ts";
import { ROLLBACK } from "./cli/rollback.ts";
import { endWith, runOneOf } from "./cli/run.ts";
import { REMOTE_VERBS } from "./cli/remote.ts";
import { SENDMAIL } from "./cli/sendmail.ts";
import { SERVE } from "./cli/serve.ts";
import { STATUS } from "./cli/status.ts";
import { TAIL } from "./cli/tail.ts";
import { USER_VERBS } from "./cli/user.ts";
import { PROMOTE, STANDBY } from "./cli/standby.ts";
import type { Io, Verb } from "./cli/verb.ts";
import { WAY_VERBS } from "./cli/way.ts";
import { WORKSPACE_VERBS } from "./cli/workspace.ts";

/** In the order of the help. */
export const VERBS: readonly Verb[] = [
  SERVE,
  READY,
  STATUS,
  DOCTOR,
  ALERTS_TEST,
  TAIL,
  ...QUEUE_VERBS,
  ...BRAKE_VERBS,
  ...WAY_VERBS,
  ...WORKSPACE_VERBS,
  RESET,
  ...KEY_VERBS,
  ...DOMAIN_VERBS,
  ...USER_VERBS,
  ...REMOTE_VERBS,
  SENDMAIL,
  BACKUP,
  BACKUPS,
  RESTORE,
  CONSENT_VERIFY,
  STANDBY,
  PROMOTE,
  RELEASE,
  CLOCK_ACCEPT,
  PRUNE,
  COMPACT,
  MIGRATE,
  ROLLBACK,
  MIGRATE_STORE,
  INSTALL_SERVICE,
  CHECK_CONFIG,
  VERSION,
  LICENSES,
];

/** Answers the exit code, as runOneOf. */
export function run(argv: readonly string[], io: Io): Promise<number> {
  return runOneOf(VERBS, argv, io);
}

/** Ends the process. */
export function main(): Promise<never> {
  return endWith(VERBS);
}

if (import.meta.main) await main();
