// The types of the table of needs: its rows, and the facts that they are asked with.
import type { CertificateState } from "../../../base/certificates/state.ts";
import type { Config, ConfigProblem } from "../../../base/config.ts";
import type { HealthLimits } from "../../../mail/emails/health/health.ts";
import type { RelayState } from "../../../sending/open-ways/way-choice.ts";
import type { ClockMark } from "../../../store/clock-queries.ts";
import type { Space } from "../../../store/space.ts";
import type { Reader } from "../../../store/store.ts";
import type { InstallationCondition } from "./condition.ts";
import type { Need, NeedKind } from "./record.ts";

/** Facts about a workspace and this process, known before anything is read. */
export type WorkspaceView = {
  readonly workspace: number;
  readonly nowMs: number;
  readonly relay: RelayState;
  readonly certificates: readonly CertificateState[];
  readonly healthLimits: HealthLimits;
  readonly clock: ClockMark;
  /** Why marketing email is stopped; null = it is not. */
  readonly stopped: string | null;
};

export type ServerView = { readonly config: Config; readonly disk: Space; readonly nowMs: number };

export type NeedFields<Kind extends NeedKind> = Omit<Extract<Need, { readonly kind: Kind }>, "kind">;

/** Facts about the process that the store does not have. */
export type ProcessView = {
  /** Why the server is not ready; null = it is. */
  readonly problem?: string | null;
  readonly relay: string | null;
  /** AWAY: its reply; null = unknown. */
  readonly relayReply?: string | null;
  readonly stream: string | null;
  /** Ways that cannot be used, if there are several; `reply` null = unknown. */
  readonly waysAway: readonly { readonly name: string; readonly reply?: string | null }[];
  /** The age from which waiting mail is late. */
  readonly lateSeconds?: number;
  readonly standbyAway?: { readonly host: string; readonly seenAt: string } | null;
  readonly highRates?: readonly HighRate[];
  /** Settings of owners in the interface that are not used. */
  readonly unusedSettings?: readonly ConfigProblem[];
};

export type HighRate = Pick<NeedFields<"RATE_HIGH">, "what" | "rate"> & {
  readonly workspace: number;
  readonly name: string;
};

/** `key`: the same for as long as it is the same need, even if numbers in the text change. */
export type OperatorNeed = { readonly key: string; readonly text: string };

/** `told`: a key and a text for each. */
type OperatorNeedWriter = (
  seen: InstallationCondition,
  sees: ProcessView,
  nowMs: number,
) => readonly (readonly [key: string, text: string])[];

export type OperatorRow = {
  /** Its place among the lines that operators read. */
  readonly line: number;
  readonly told: OperatorNeedWriter;
  /** It arises with time alone: no process notices its beginning, and writes it to the log. */
  readonly byTime?: true;
};

export type PeopleRow<Fields> = {
  readonly inWorkspace?: (reader: Reader, seen: WorkspaceView) => readonly Fields[] | Promise<readonly Fields[]>;
  /** For owners alone. */
  readonly inServer?: (reader: Reader, seen: ServerView) => readonly Fields[] | Promise<readonly Fields[]>;
};

/** The kinds of which only the operator is told. */
type OperatorKind = "NOT_READY" | "STREAM_FAILING" | "QUEUE_LATE" | "STANDBY_AWAY" | "SETTING_UNUSED";

export type NeedTable = {
  readonly [Kind in NeedKind]: PeopleRow<NeedFields<Kind>> & (OperatorRow | { readonly told?: never });
} & { readonly [Kind in OperatorKind]: OperatorRow & PeopleRow<never> };
