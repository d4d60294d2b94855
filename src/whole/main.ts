// The command line: all its verbs.
import "./tables.ts";
import { ALERTS_TEST } from "./cli/state/alerts.ts";
import { BACKUP, BACKUPS, RESTORE } from "./cli/stores/backup.ts";
import { CLOCK_ACCEPT } from "./cli/state/clock.ts";
import { CHECK_CONFIG } from "./cli/state/check-config.ts";
import { CONSENT_VERIFY } from "./cli/workspaces/consent.ts";
import { COMPACT } from "./cli/stores/compact.ts";
import { DOCTOR } from "./cli/state/doctor.ts";
import { DOMAIN_VERBS } from "./cli/domains/domain.ts";
import { FILE_VERBS } from "./cli/files/verbs.ts";
import { VERSION } from "./cli/help.ts";
import { RELEASE } from "./cli/queue/hold.ts";
import { INSTALL_SERVICE } from "./cli/install.ts";
import { KEY_VERBS } from "./cli/stores/key.ts";
import { LICENSES } from "./cli/licenses.ts";
import { IMPORT_FROM } from "./cli/moving/verb.ts";
import { MIGRATE, MIGRATE_STORE } from "./cli/stores/migrate.ts";
import { QUEUE_VERBS } from "./cli/queue/queue.ts";
import { BRAKE_VERBS } from "./cli/queue/queue-brakes.ts";
import { READY } from "./cli/state/ready.ts";
import { RESET } from "./cli/workspaces/reset.ts";
import { PRUNE } from "./cli/stores/prune.ts";
import { ROLLBACK } from "./cli/stores/rollback.ts";
import { endWith, runOneOf } from "./cli/run.ts";
import { REMOTE_VERBS } from "./cli/remote.ts";
import { SENDMAIL } from "./cli/sendmail/sendmail.ts";
import { DEMO } from "./cli/serve/demo.ts";
import { SERVE } from "./cli/serve/serve.ts";
import { SETTINGS_VERBS } from "./cli/state/settings.ts";
import { STATUS } from "./cli/state/status.ts";
import { TAIL } from "./cli/queue/tail.ts";
import { USER_VERBS } from "./cli/workspaces/user.ts";
import { PROMOTE, STANDBY } from "./cli/stores/standby.ts";
import type { Io, Verb } from "./cli/verb.ts";
import { UPGRADE } from "./cli/upgrade.ts";
import { WAY_VERBS } from "./cli/ways/way.ts";
import { WORKSPACE_VERBS } from "./cli/workspaces/workspace.ts";

/** In the order of the help. */
export const VERBS: readonly Verb[] = [
  SERVE,
  DEMO,
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
  ...FILE_VERBS,
  IMPORT_FROM,
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
  UPGRADE,
  CHECK_CONFIG,
  ...SETTINGS_VERBS,
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
