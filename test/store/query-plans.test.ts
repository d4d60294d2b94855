// Every list and every claim is served by an index: SQLite says so itself.
import { failedAtStep, waitingAtStep } from "../../src/emails/list/step-queries.ts";
import { workflowsAsking } from "../../src/segments/use-queries.ts";
import { stepsSending } from "../../src/templates/use-queries.ts";
import { lockStopped } from "../../src/workflows/execution/retry-queries.ts";
import {
  contentToRepeat,
  deleteUnusedContents,
  attachedTo,
  attachmentAt,
  attachmentsOf,
  messagesToForget,
  rawOf,
} from "../../src/emails/content/queries.ts";
import { reuseShared } from "../../src/emails/content/reuse-queries.ts";
import { answersAbout, answerUnder, deleteAnswersOf, forgetAnswersBefore } from "../../src/http/queries.ts";
import {
  callNext,
  countUnfinished,
  deleteBatches,
  deleteBatchesOf,
  errorsOf,
  endStaging,
  jobById,
  lockDueJob,
  nextJobDue,
  operationsAhead,
  takeBatch,
} from "../../src/contacts/jobs/queries.ts";
import { deleteErrorsAbout, erasedSince, takeSuppressions } from "../../src/contacts/suppression-queries.ts";
import { Database } from "bun:sqlite";
import { beforeAll, expect, test } from "bun:test";
import {
  contactsByEmail,
  contactsFound,
  contactsNear,
  contactsPage,
  countFound,
  extent,
  lastBefore as lastContactBefore,
  type ContactList,
} from "../../src/contacts/list/queries.ts";
import { contactByEmail, contactById, deleteContactsOf, lockContactsByEmail } from "../../src/contacts/queries.ts";
import { keptCount } from "../../src/contacts/count-queries.ts";
import {
  contactsInOrder,
  lastContact,
  lockContactsById,
  lockMatching,
  nthContact,
} from "../../src/contacts/selection-queries.ts";
import {
  campaignById,
  campaignsNumbered,
  campaignsPage,
  deleteCampaignsOf,
  dueCampaign,
  dueCampaigns,
  nextCampaignDue,
  titlesBefore,
} from "../../src/campaigns/queries.ts";
import * as account from "../../src/campaigns/account/queries.ts";
import { hasMoreClicked, linksOf } from "../../src/campaigns/account/link-queries.ts";
import { countHappenings, mailsLookedAt } from "../../src/campaigns/account/series-queries.ts";
import { DAY_MS } from "../../src/clock.ts";
import { QUARTER_MS } from "../../src/statistics/periods.ts";
import { contactsNumbered, countReached, reachedIn, peopleIn } from "../../src/campaigns/audience-queries.ts";
import {
  candidatesAmong,
  countAfter,
  countRecipients,
  countSkipped,
  deleteRecipients,
  deleteRecipientsOf,
  hasPieces,
  nextRecipients,
  takePiece,
  recipientsNumbered,
  recipientsPage,
  setReason,
} from "../../src/campaigns/recipient-queries.ts";
import { lockBucket } from "../../src/delivery/queries.ts";
import { branchesOf } from "../../src/emails/list/branches.ts";
import type { MailFilter } from "../../src/emails/list/filter.ts";
import { attemptsOf, recordedOf, repeatsOf } from "../../src/emails/past-queries.ts";
import * as images from "../../src/images/queries.ts";
import * as blocks from "../../src/templates/blocks/queries.ts";
import * as versions from "../../src/templates/versions/queries.ts";
import * as views from "../../src/views/queries.ts";
import * as retries from "../../src/emails/retry/queries.ts";
import * as mailList from "../../src/emails/list/queries.ts";
import * as states from "../../src/overview/state-queries.ts";
import { mailById, mailsNumbered, mailsPage, renewLeases, setEachSent } from "../../src/emails/queries.ts";
import { mailBySeq } from "../../src/emails/sending-queries.ts";
import { mailQueue, nextMailTurns, parkQueue } from "../../src/emails/queue-queries.ts";
import {
  countOutcome,
  countSettled,
  cancelQueuedOf,
  detachSettled,
  hasHeld,
  hasReady,
  holdQueued,
  isInFlight,
  releaseHeld,
} from "../../src/emails/campaign-queries.ts";
import {
  deleteMailsOfContact,
  detachCampaignMails,
  takeErasure,
  contentsOfContacts,
  deleteContentsOf,
  deleteMailsOf,
  expiredSignUps,
} from "../../src/emails/erasure/queries.ts";
import { namesOfSent, sliceOfContent } from "../../src/emails/received-queries.ts";
import { countMachineVisits, lockVisited } from "../../src/emails/visit-queries.ts";
import { idByRemoteId } from "../../src/emails/feedback-queries.ts";
import { countBounced, countComplaints, countSent, troubledWorkspaces } from "../../src/emails/health/queries.ts";
import { isWanted, listenersTo } from "../../src/events/interests.ts";
import { eventsNumbered, hasUndispatched, OUTBOX } from "../../src/events/outbox.ts";
import {
  deleteEventsOf,
  deleteEventsOfContact,
  eventNames,
  lastOfName,
  eventsNamed,
  eventsOfEmail,
  loggedEvents,
  idAtOrAfter,
  seqsOfEvents,
} from "../../src/events/queries.ts";
import type { Condition } from "../../src/segments/condition/check.ts";
import { conditionSql } from "../../src/segments/condition/condition.ts";
import { fallingOf } from "../../src/segments/condition/falling.ts";
import { lastEvent, verdictsOn } from "../../src/segments/explain-queries.ts";
import { tally } from "../../src/segments/preview-queries.ts";
import {
  deleteSizesBefore,
  hasToCount,
  insertSizes,
  setCounted,
  sizesSince,
  takeToCount,
} from "../../src/segments/size-queries.ts";
import { campaignsUsing, workflowsNumbered, workflowsStarting } from "../../src/segments/use-queries.ts";
import {
  contactsBetween,
  countMatching,
  deleteMembers,
  deleteMemberships,
  deleteSomeMembers,
  differing,
  insertMembers,
  matchesAmong,
  matchingPage,
  membershipsAmong,
  membersPage,
} from "../../src/segments/membership/queries.ts";
import {
  advanceSweep,
  beginSweep,
  isAnyAtWork,
  segmentById,
  segmentsNumbered,
  segmentsOf,
  segmentWithSlug,
  sweepQueue,
} from "../../src/segments/queries.ts";
import {
  endMessageLeases,
  filesOfContent,
  forgetNoticesBefore,
  lockClaimed,
  messageQueue,
  noticeTaken,
  renewMessages,
  sliceOfMessage,
} from "../../src/inbound/queries.ts";
import {
  attemptsAfterMail,
  countGivenUp,
  endOfScan,
  latestAttempts,
} from "../../src/workflows/webhook/attempt-queries.ts";
import {
  countToUndo,
  deleteImported,
  deleteImportedOf,
  forgetImported,
  importedAmong,
  setUndone,
  toUndoAfter,
} from "../../src/contacts/imported-queries.ts";
import { deleteFormerOf, formerStarting } from "../../src/contacts/former-queries.ts";
import { failingDomains, hasSeenDomain, hasSent } from "../../src/overview/queries.ts";
import { contactsStarting as startingWith, domainNames, mailsOfContact, namesOf } from "../../src/search/queries.ts";
import { migrateSqlite } from "../../src/store/migrations.ts";
import { preparable } from "../../src/store/sqlite-statements.ts";
import { flatten, sql, Sql, type Bindable, type Value } from "../../src/store/sql.ts";
import { SQLITE } from "../../src/store/sqlite-connection.ts";
import type { Tx } from "../../src/store/store.ts";
import { campaignsUnderWay, countDue, countHeld, countLater, countToQueue } from "../../src/delivery/queue/queries.ts";
import {
  addPiece,
  countsOf,
  endOfPiece,
  endsOfLogs,
  hasUncounted,
  isBehind,
  lockMark,
  takeUncounted,
} from "../../src/statistics/queries.ts";
import { idleAmong, passTurns, workspacesInTurn, type Queue } from "../../src/store/turns.ts";
import { templateById, templatesNumbered, templatesPage } from "../../src/templates/queries.ts";
import { countKeySets, keyHolder, keySetById, keySetsPage } from "../../src/workspaces/key-queries.ts";
import { lockWorkspace } from "../../src/workspaces/queries.ts";
import {
  countDomains,
  domainById,
  domainBySeq,
  domainsNamed,
  domainsPage,
  demoDomains,
  domainToSendAs,
  keysOfDomains,
  nextCheckAt,
  selectorsOf,
  senderDomain,
  takeDueDomains,
  verifierOf,
} from "../../src/workspaces/domains/queries.ts";
import {
  isRunning,
  workflowsAmong,
  versionOfRevision,
  versionsInUse,
  workflowById,
  workflowsPage,
} from "../../src/workflows/definition/queries.ts";
import { stepById, stepsOf, transitionsOf } from "../../src/workflows/definition/step-queries.ts";
import { executionById, executionsPage, traceOf } from "../../src/workflows/execution/trace-queries.ts";
import {
  EXECUTIONS,
  activeExecutions,
  contactsInContext,
  executionsAwaiting,
  executionsBehind,
  setExecutionStates,
} from "../../src/workflows/execution/queries.ts";
import {
  countStarts,
  insideAmong,
  startedAmong,
  startsSince,
  wasStarted,
} from "../../src/workflows/execution/start-queries.ts";
import {
  countUnstarted,
  deleteUnstartedBefore,
  unstartedPage,
} from "../../src/workflows/execution/unstarted-queries.ts";
import {
  deleteExecutionSteps,
  deleteExecutionsOf,
  deleteSuperseded,
  deletedWorkflow,
  endedBefore,
} from "../../src/workflows/execution/forgetting-queries.ts";
import { attemptsOf as attemptsOfCalls } from "../../src/workflows/webhook/attempt-queries.ts";
import {
  callsInHand,
  callsOfDisabled,
  cancelCalls,
  claimCalls,
  dueCalls,
  dueCallsAt,
  endCallLeases,
  FIRST_CALL_DUE,
  originsDue,
  release,
} from "../../src/workflows/webhook/queries.ts";
import { givenUpAt } from "../../src/workflows/webhook/repeat-queries.ts";
import {
  executionsFound,
  notBegun,
  recordsAt,
  recordsByBranch,
  stoppedIn,
  talliesOf,
  type PeopleFilter,
} from "../../src/workflows/execution/count-queries.ts";
import { membersAfter, nextFiring, takeFiring } from "../../src/workflows/execution/schedule-queries.ts";

import * as past from "../../src/people/past-queries.ts";
import * as standing from "../../src/people/standing-queries.ts";

const NOW = "2026-03-01T09:00:00.000Z";
const COUNTED = { workspace: 1, since: { at: NOW, from: 1, sure: 2 }, most: 9 };
const database = new Database(":memory:", { strict: true });
let plan: string[] = [];
/** What SQLite makes of the statement for the values that are bound, and for others. */
let programs: unknown[] = [];

/** Takes statements as a transaction does, and asks for their plans instead of running them. */
const explaining: Tx = {
  dialect: SQLITE,
  now: NOW,
  nowMs: Date.parse(NOW),
  all: async (strings, ...values) => explain(strings, values, []),
  get: async (strings, ...values) => explain(strings, values, null),
  run: async (strings, ...values) => explain(strings, values, 0),
  runEach: async ({ sqlite }, [row]) => (row ? explainText(sqlite(1), row, []) : []),
  keyedHash: (text) => text,
  deferred: () => {},
  afterCommit: () => {},
  signal: () => {},
  tally: () => {},
};

function explain<Answer>(strings: TemplateStringsArray, values: Bindable[], answer: Answer): Answer {
  const { text, values: bound } = flatten(new Sql(strings, values), () => "?");
  return explainText(text, bound, answer);
}

function explainText<Answer>(text: string, bound: readonly Value[], answer: Answer): Answer {
  const prepared = preparable(text);
  const rows = database.query(`explain query plan ${prepared}`).all(...(bound as string[])) as { detail: string }[];
  plan = rows.map((row) => row.detail);
  programs = [bound, bound.map(other)].map((some) =>
    database.prepare(`explain ${prepared}`).all(...(some as string[])),
  );
  return answer;
}

function other(value: Value): Value {
  return typeof value === "string" ? `${value}x` : typeof value === "number" ? value + 1 : value;
}

beforeAll(() => migrateSqlite(database, NOW));

/** A filter of each kind that looks something up. */
const LOOKING: Condition = {
  logic: "AND",
  groups: [
    {
      filters: [
        { field: "plan", operator: "equals", value: "pro" },
        { field: "event.signup", operator: "triggered" },
        { field: "email.opened", operator: "notTriggeredWithin", value: 7, unit: "days" },
        { field: "segment.x", operator: "notMemberOf" },
      ],
    },
  ],
};
const CONDITION = conditionSql(LOOKING, { dialect: SQLITE, nowMs: 0 });
const JUDGED = { ...fallingOf(LOOKING, { dialect: SQLITE, nowMs: 0 }), lacking: [] };
const MATCHING = [
  "events_of_contact (contact=? AND name=?)",
  "sqlite_autoindex_segments_1",
  "SEARCH m USING PRIMARY KEY",
];

/** Asked as it is when a workspace's turn is over. */
function firstDue(tx: Tx, { firstDue: expression }: Pick<Queue<unknown>, "firstDue">) {
  return tx.get`select ${expression} as due_at from turns where workspace = 1 and queue = 'x'`;
}

type Question = readonly [what: string, ask: (tx: Tx) => Promise<unknown>, indexes: readonly string[]];

const ALL = { workspace: 1, contact: null };
const ONE = { workspace: 1, contact: 1 };
const EVERYBODY = { filter: { subscribed: true }, inSegment: null };

const AT_STEP: PeopleFilter = {
  ...{ workflow: 1, step: { id: "x", isTrigger: false } },
  ...{ state: "passed", branch: "yes", status: null, contact: null },
};
const PIECE = { contact: 1, before: 9, limit: 10 };

const QUESTIONS: readonly Question[] = [
  ["a person's mails", (tx) => past.mailsBefore(tx, PIECE), ["emails_of_contact (contact=?"]],
  ["a person's events", (tx) => past.eventsBefore(tx, PIECE), ["events_of_contact_in_order (contact=? AND seq<?)"]],
  ["events as a person's timeline tells them", (tx) => past.eventsTold(tx, [1, 2]), ["e USING INTEGER PRIMARY KEY"]],
  [
    "a person's workflows",
    (tx) => past.executionsBefore(tx, PIECE),
    ["executions_of_contact_in_order (contact=? AND seq<?)"],
  ],
  ["what was done to a person", (tx) => past.notedAt(tx, "x", [NOW]), ["audit_by_time (at=?)"]],
  [
    "who of the team started jobs",
    (tx) => past.startersOf(tx, 1, ["x", "y"]),
    ["audit_of_target (workspace=? AND target=?)"],
  ],
  ["campaigns that are scheduled", (tx) => standing.plannedCampaigns(tx, 1, 10), ["campaigns_due"]],
  [
    "a workspace's mails that are due",
    (tx) => mailQueue(0, NOW).take(tx, 1, 10),
    ["emails_due (lane=? AND workspace=? AND due_at>? AND due_at<?)"],
  ],
  [
    "when a workspace's next mail is due",
    (tx) => firstDue(tx, mailQueue(0, NOW)),
    ["emails_due (lane=? AND workspace=?"],
  ],
  ["when the next mail is due", (tx) => nextMailTurns(tx, 0, 10), ["COVERING INDEX turns_due (queue=? AND due_at>?)"]],
  [
    "whose turn it is",
    (tx) => workspacesInTurn(tx, "outbox", 10, []),
    ["turns_due (queue=? AND due_at>? AND due_at<?)"],
  ],
  [
    "whose turn it is but for some",
    (tx) => workspacesInTurn(tx, "outbox", 10, [1]),
    ["turns_due (queue=? AND due_at>?"],
  ],
  [
    "whose turn is over",
    (tx) => passTurns(tx, "outbox", [1, 2]),
    ["turns USING PRIMARY KEY (workspace=? AND queue=?)"],
  ],
  [
    "who has nothing more that is due",
    (tx) => idleAmong(tx, OUTBOX, [1, 2]),
    ["turns USING PRIMARY KEY", "outbox_due"],
  ],
  [
    "the leases of what is in hand",
    (tx) =>
      renewLeases(
        tx,
        [
          { seq: 1, attempts: 1 },
          { seq: 2, attempts: 1 },
        ],
        NOW,
      ),
    ["INTEGER PRIMARY KEY"],
  ],
  [
    "a mail that was sent",
    (tx) => setEachSent(tx, [{ seq: 1, subject: null, remoteId: null, reply: "", tookMs: 1, hop: null }]),
    ["INTEGER PRIMARY KEY"],
  ],
  ["the queue of a workspace", (tx) => parkQueue(tx, 1), ["emails_due (lane=? AND workspace=?"]],
  [
    "a page of mails",
    (tx) => mailsPage(tx, { workspace: 1, status: null }, 20, 0),
    ["emails_in_order", "INTEGER PRIMARY KEY"],
  ],
  [
    "the failed mails of a campaign",
    (tx) => mailList.settledOf(tx, 1, ["FAILED", "BOUNCED"], 9),
    ["COVERING INDEX emails_of_campaign (campaign=? AND status=?)"],
  ],
  ["the queue of a campaign", (tx) => mailList.waitingOf(tx, 1, 9), ["COVERING INDEX emails_in_flight (campaign=?)"]],
  [
    "how many mails there are",
    (tx) => states.countMails(tx, COUNTED),
    ["COVERING INDEX emails_in_order (workspace=? AND seq>?)"],
  ],
  [
    "how many mails are in a state",
    (tx) => states.countSettledIn(tx, "SENT", COUNTED),
    ["emails_settled (workspace=? AND status=? AND seq>?)"],
  ],
  [
    "how many mails wait in a lane",
    (tx) => states.countWaitingIn(tx, 0, COUNTED),
    ["emails_waiting (workspace=? AND lane=? AND seq>?)"],
  ],
  ["a retry by its id", (tx) => retries.retryById(tx, 1, "x"), ["sqlite_autoindex_retries_1"]],
  ["the retry that is due", (tx) => retries.lockDueRetry(tx), ["retries_due (due_at>? AND due_at<?)"]],
  ["when a retry is due", (tx) => retries.nextRetryDue(tx), ["retries_due (due_at>?)"]],
  ["the mails of a retry", (tx) => retries.lockMails(tx, 1, [1, 2]), ["INTEGER PRIMARY KEY"]],
  ["the errors of a retry", (tx) => retries.retryErrors(tx, 1), ["sqlite_autoindex_retry_errors_1"]],
  ["retries that were over long ago", (tx) => retries.deleteRetriesBefore(tx, NOW, 9), ["retries_over"]],
  ["the mails of a page", (tx) => mailsNumbered(tx, [1, 2]), ["INTEGER PRIMARY KEY"]],
  [
    "versions of a template",
    (tx) => versions.versionsOf(tx, { template: 1 }, 50),
    ["versions_of_template (template=?)"],
  ],
  [
    "versions of a campaign",
    (tx) => versions.versionsOf(tx, { campaign: 1 }, 50),
    ["versions_of_campaign (campaign=?)"],
  ],
  ["a version", (tx) => versions.versionById(tx, { template: 1 }, "x"), ["versions_of_template (template=?)"]],
  [
    "the version before",
    (tx) => versions.versionBefore(tx, { campaign: 1 }, 9),
    ["versions_of_campaign (campaign=? AND seq<?)"],
  ],
  [
    "versions that are too many",
    (tx) => versions.deleteOldVersions(tx, { template: 1 }, 50),
    ["versions_of_template (template=?", "versions_of_template (template=?"],
  ],
  [
    "images of a workspace",
    (tx) => images.imagesPage(tx, 1, 20, 0),
    ["images_in_order (workspace=?)", "image_uses_of_image (image=?)"],
  ],
  ["an image by its address", (tx) => images.bytesOf(tx, "x", "png"), ["sqlite_autoindex_images_2 (hash=?)"]],
  ["the room that images take", (tx) => images.stockOf(tx, 1), ["images_in_order (workspace=?)"]],
  ...(["template", "campaign", "version", "content", "block", "brand"] as const).map((kind): Question => [
    `what a ${kind} names`,
    (tx) => images.deleteUses(tx, { kind, seq: 1 }),
    [`image_uses_of_${kind} (${kind}=?)`],
  ]),
  ["blocks of a workspace", (tx) => blocks.blocksPage(tx, 1, 20, 0), ["blocks_in_order (workspace=?)"]],
  ["the first and last event", (tx) => seqsOfEvents(tx, 1), ["events_in_order", "events_in_order"]],
  ["the event at a place", (tx) => idAtOrAfter(tx, 1, 5), ["events_in_order (workspace=? AND seq>?)"]],
  [
    "views of mails",
    (tx) => views.viewsFor(tx, { workspace: 1, person: 1, list: "mails" }),
    ["saved_views_in_order (workspace=?"],
  ],
  [
    "a view of mails",
    (tx) => views.viewById(tx, { workspace: 1, person: 1 }, "x"),
    ["sqlite_autoindex_saved_views_1 (id=?)"],
  ],
  ["a view that is removed", (tx) => views.deleteView(tx, "x"), ["sqlite_autoindex_saved_views_1 (id=?)"]],
  ["views that name somebody", (tx) => views.deleteViewsNaming(tx, 1, "x"), ["saved_views_in_order (workspace=?)"]],
  ["what was said of refused mails", (tx) => mailList.refusalsAmong(tx, [1, 2]), ["INTEGER PRIMARY KEY"]],
  ["the contact of a filter", (tx) => mailList.seqOf(tx, 1, "contact", "x"), ["sqlite_autoindex_contacts_1"]],
  ["the campaign of a filter", (tx) => mailList.seqOf(tx, 1, "campaign", "x"), ["sqlite_autoindex_campaigns_1"]],
  ["the first mail of a day", (tx) => mailList.firstFrom(tx, "x"), ["sqlite_autoindex_emails_1 (id>?)"]],
  ["the last contact before a day", (tx) => lastContactBefore(tx, "x"), ["sqlite_autoindex_contacts_1 (id<?)"]],
  ["the last mail before a day", (tx) => mailList.lastBefore(tx, "x"), ["sqlite_autoindex_emails_1 (id<?)"]],
  [
    "how often a template was used",
    (tx) => mailList.countContentsOf(tx, { workspace: 1, template: "x" }, 9),
    ["contents_of_template"],
  ],
  ["contacts by the beginning of an address", (tx) => mailList.contactsStarting(tx, 1, "a", 9), ["contacts_by_email"]],
  [
    "contacts by the beginning of an address that they had",
    (tx) => formerStarting(tx, 1, "a", 9),
    ["f USING PRIMARY KEY (workspace=? AND address>? AND address<?)"],
  ],
  ["the former addresses of a contact", (tx) => deleteFormerOf(tx, 1), ["former_addresses_of_contact"]],
  ["a mail by its id", (tx) => mailById(tx, 1, "x"), ["sqlite_autoindex_emails_1"]],
  ["a mail by its place", (tx) => mailBySeq(tx, 1), ["INTEGER PRIMARY KEY"]],
  ["the past of a mail", (tx) => recordedOf(tx, 1), ["INTEGER PRIMARY KEY"]],
  ["the mails that repeat one", (tx) => repeatsOf(tx, 1), ["emails_resent (resent_from=?)"]],
  [
    "whether a content may be sent again",
    (tx) => contentToRepeat(tx, 1),
    ["INTEGER PRIMARY KEY", "SEARCH raw_messages", "SEARCH messages_to_forget"],
  ],
  ["the attempts of a mail", (tx) => attemptsOf(tx, 1), ["sqlite_autoindex_attempts_1"]],
  ["the events of a mail", (tx) => eventsOfEmail(tx, 1), ["events_of_email"]],
  [
    "events of a name",
    (tx) => eventsNamed(tx, { contact: 1, name: "x", after: 0 }, 1),
    ["events_of_contact (contact=? AND name=? AND seq>?)"],
  ],
  ["the log of a workspace", (tx) => loggedEvents(tx, { ...ALL, name: null }, 7, 100), ["events_in_order"]],
  ["the events of a name", (tx) => loggedEvents(tx, { ...ALL, name: "x" }, 7, 100), ["events_by_name"]],
  ["what a contact did", (tx) => loggedEvents(tx, { ...ONE, name: null }, null, 100), ["events_of_contact_in_order"]],
  [
    "what a contact did before",
    (tx) => loggedEvents(tx, { ...ONE, name: null }, 7, 100),
    ["events_of_contact_in_order"],
  ],
  ["how often a contact did a thing", (tx) => loggedEvents(tx, { ...ONE, name: "x" }, 7, 100), ["events_of_contact "]],
  ["how often events of a name came", (tx) => lastOfName(tx, { workspace: 1, name: "x" }, 9), ["events_by_name"]],
  ["the names of events", (tx) => eventNames(tx, 1, 100), ["events_by_name"]],
  ["mails that are visited", (tx) => lockVisited(tx, ["x", "y"]), ["sqlite_autoindex_emails_1", "INTEGER PRIMARY KEY"]],
  ["visits by machines", (tx) => countMachineVisits(tx, [1, 2]), ["sqlite_autoindex_machine_visits_1 (email=?)"]],
  ["messages that were claimed", (tx) => lockClaimed(tx, [{ seq: 1, attempts: 1 }]), ["INTEGER PRIMARY KEY"]],
  [
    "whether mails are ours",
    (tx) => namesOfSent(tx, [{ workspace: 1, name: "x" }]),
    ["sqlite_autoindex_emails_1", "emails_by_remote_id"],
  ],
  ["the files of a content", (tx) => attachmentsOf(tx, 1), ["sqlite_autoindex_attachments_1"]],
  ["the names of the files of a content", (tx) => attachedTo(tx, 1), ["sqlite_autoindex_attachments_1"]],
  ["one file of a content", (tx) => attachmentAt(tx, 1, 0), ["sqlite_autoindex_attachments_1"]],
  [
    "contents that nobody uses",
    (tx) => deleteUnusedContents(tx, [1, 2]),
    ["INTEGER PRIMARY KEY", "emails_of_content", "campaigns_of_content"],
  ],
  ["a contact's mails, to be erased", (tx) => deleteMailsOfContact(tx, 1, 10), ["emails_of_contact"]],
  ["a contact's mails of campaigns, to be erased", (tx) => detachCampaignMails(tx, 1, 10), ["emails_of_contact"]],
  ["a contact's events, to be erased", (tx) => deleteEventsOfContact(tx, 1, 10), ["events_of_contact"]],
  ["the next history to erase", (tx) => takeErasure(tx, 0), ["rowid>?"]],
  ["messages that are to go", (tx) => messagesToForget(tx, 5), ["rowid>?", "emails_of_content"]],
  ["the submitted message of a content", (tx) => rawOf(tx, 1), ["USING INTEGER PRIMARY KEY (rowid=?)"]],
  ["a contact by address", (tx) => contactByEmail(tx, 1, "a@b.c"), ["contacts_by_email"]],
  ["contacts by their addresses", (tx) => contactsByEmail(tx, 1, ["a@b.c", "d@e.f"]), ["contacts_by_email"]],
  ["the ends of a workspace's contacts", (tx) => extent(tx, 1), ["contacts_in_order"]],
  ["how many contacts there are", (tx) => keptCount(tx, 1, true), ["sqlite_autoindex_contact_counts_1"]],
  ["sign-ups that nobody confirmed", (tx) => expiredSignUps(tx, 10), ["contacts_pending", "emails_of_contact"]],
  ["the contents of some contacts' mails", (tx) => contentsOfContacts(tx, [1, 2]), ["emails_of_contact"]],
  ["a contact by id", (tx) => contactById(tx, 1, "x"), ["sqlite_autoindex_contacts_1"]],
  [
    "a page of templates",
    (tx) => templatesPage(tx, { workspace: 1, type: null, search: null }, 20, 0),
    ["templates_in_order"],
  ],
  ["the templates of a page", (tx) => templatesNumbered(tx, [1, 2]), ["INTEGER PRIMARY KEY"]],
  ["a template by id", (tx) => templateById(tx, 1, "x"), ["sqlite_autoindex_templates_1"]],
  ["who has a secret key", (tx) => keyHolder(tx, "secret", "x"), ["sqlite_autoindex_key_sets_3"]],
  ["who has a public key", (tx) => keyHolder(tx, "public", "x"), ["sqlite_autoindex_key_sets_2"]],
  ["a workspace by its place", (tx) => lockWorkspace(tx, 1), ["INTEGER PRIMARY KEY"]],
  ["a page of key sets", (tx) => keySetsPage(tx, 1, 20, 0), ["key_sets_of_workspace"]],
  ["how many key sets there are", (tx) => countKeySets(tx, 1), ["key_sets_of_workspace"]],
  ["a key set by its id", (tx) => keySetById(tx, 1, "x"), ["sqlite_autoindex_key_sets_1"]],
  ["a sender domain", (tx) => senderDomain(tx, 1, "a.b"), ["domains_in_workspace"]],
  ["a page of sender domains", (tx) => domainsPage(tx, 1, 20, 0), ["domains_in_order"]],
  ["a domain to send from", (tx) => domainToSendAs(tx, 1), ["domains_in_order"]],
  ["the demo domain", (tx) => demoDomains(tx), ["domains_demo"]],
  ["how many sender domains there are", (tx) => countDomains(tx, 1), ["domains_in"]],
  ["a sender domain by its id", (tx) => domainById(tx, 1, "x"), ["sqlite_autoindex_domains_1"]],
  ["a sender domain by its place", (tx) => domainBySeq(tx, 1), ["INTEGER PRIMARY KEY"]],
  ["the keys of sender domains", (tx) => keysOfDomains(tx, [1, 2]), ["domain_keys_by_"]],
  [
    "the selectors of a sender domain",
    (tx) => selectorsOf(tx, "a.b"),
    ["domain_keys_by_name", "PRIMARY KEY (domain_name=?)"],
  ],
  ["the domains of a name", (tx) => domainsNamed(tx, "a.b", null), ["domains_by_name"]],
  ["sender domains to look at", (tx) => takeDueDomains(tx, 5, NOW), ["domains_to_check"]],
  ["when a sender domain is to be looked at", (tx) => nextCheckAt(tx), ["domains_to_check"]],
  ["who has verified a domain", (tx) => verifierOf(tx, "a.b"), ["domains_verified (domain=?)"]],
  [
    "an answer under a key",
    (tx) => answerUnder(tx, { workspace: 1, route: "r", key: "k" }),
    ["sqlite_autoindex_idempotency_keys_1"],
  ],
  ["keys that are old", (tx) => forgetAnswersBefore(tx, NOW, 10), ["idempotency_keys_by_age"]],
  ["whether anybody wants to know", (tx) => isWanted(tx, 1, ["a", "b"]), ["sqlite_autoindex_interests_1"]],
  ["who wants to know", (tx) => listenersTo(tx, 1, "segment", ["a", "b"]), ["sqlite_autoindex_interests_1"]],
  ["what is to be dispatched", (tx) => OUTBOX.take(tx, 1, 10), ["outbox_due (workspace=? AND due_at>? AND due_at<?)"]],
  ["when there is something to dispatch", (tx) => firstDue(tx, OUTBOX), ["outbox_due (workspace=?"]],
  ["whether a workspace has something to dispatch", (tx) => hasUndispatched(tx, 1, NOW), ["outbox_due (workspace=?"]],
  ["the events that are dispatched", (tx) => eventsNumbered(tx, [1, 2]), ["INTEGER PRIMARY KEY"]],
  ["a workspace's events, to be deleted", (tx) => deleteEventsOf(tx, 1, 10), ["events_in_order"]],
  ["a workspace's mails, to be deleted", (tx) => deleteMailsOf(tx, 1, 10), ["emails_in_order"]],
  ["a workspace's contents, to be deleted", (tx) => deleteContentsOf(tx, 1, 10), ["contents_by_request (workspace=?)"]],
  ["a workspace's contacts, to be deleted", (tx) => deleteContactsOf(tx, 1, 10), ["contacts_in_order"]],
  ["a workspace's answers, to be deleted", (tx) => deleteAnswersOf(tx, 1, 10), ["sqlite_autoindex_idempotency_keys_1"]],
  [
    "a page of workflows",
    (tx) => workflowsPage(tx, { workspace: 1, search: "", status: null }, 20, 0),
    ["workflows_in_order"],
  ],
  ["a workflow by id", (tx) => workflowById(tx, 1, "x"), ["sqlite_autoindex_workflows_1"]],
  ["the steps of a workflow", (tx) => stepsOf(tx, 1), ["workflow_steps_in_order"]],
  ["a step by id", (tx) => stepById(tx, 1, "x"), ["sqlite_autoindex_workflow_steps_1"]],
  ["the transitions of a workflow", (tx) => transitionsOf(tx, 1), ["workflow_transitions_in_order"]],
  ["contacts by their addresses", (tx) => lockContactsByEmail(tx, 1, ["a@b.c", "d@e.f"]), ["contacts_by_email"]],
  ["contacts by their ids", (tx) => lockContactsById(tx, 1, ["x", "y"]), ["sqlite_autoindex_contacts_1"]],
  ["the last contact", (tx) => lastContact(tx, 1), ["contacts_in_order"]],
  [
    "where a stretch of contacts ends",
    (tx) => nthContact(tx, 1, { after: 1, upTo: 9 }, 5),
    ["contacts_in_order (workspace=? AND seq>? AND seq<?)"],
  ],
  ["the contacts of a window", (tx) => lockMatching(tx, 1, { after: 0, upTo: 9, ...EVERYBODY }, 10), ["contacts_"]],
  ["a piece of an export", (tx) => contactsInOrder(tx, 1, { after: 0, upTo: 9, ...EVERYBODY }, 10), ["contacts_"]],
  [
    "the job that is due",
    (tx) => lockDueJob(tx),
    ["contact_jobs_due", "contact_jobs_in_turn (workspace=? AND turn<?)"],
  ],
  ["when a job is due", (tx) => nextJobDue(tx), ["contact_jobs_due", "contact_jobs_in_turn (workspace=? AND turn<?)"]],
  ["the next job of a workspace", (tx) => callNext(tx, 1), ["contact_jobs_in_turn (workspace=?)"]],
  ["the jobs before one", (tx) => operationsAhead(tx, 1), ["contact_jobs_of_workspace"]],
  [
    "the turn of an import",
    (tx) => endStaging(tx, 1, 1, { total: 1, terms: {} as never }),
    ["contact_jobs_in_turn (workspace=?)"],
  ],
  ["a job by its id", (tx) => jobById(tx, 1, "x"), ["sqlite_autoindex_contact_jobs_1"]],
  ["jobs that are not finished", (tx) => countUnfinished(tx, 1), ["contact_jobs_of_workspace"]],
  ["the next batch of an import", (tx) => takeBatch(tx, 1), ["sqlite_autoindex_contact_job_batches_1"]],
  ["what is left of an import", (tx) => deleteBatches(tx, 1, 20), ["sqlite_autoindex_contact_job_batches_1"]],
  ["whom an import touched before", (tx) => importedAmong(tx, 1, [2, 3]), ["PRIMARY KEY (job=? AND contact=?)"]],
  ["whom an undo has before it", (tx) => toUndoAfter(tx, 1, 2, 9), ["PRIMARY KEY (job=? AND contact>?)"]],
  ["how many it has before it", (tx) => countToUndo(tx, 1), ["PRIMARY KEY (job=?)"]],
  ["whom an import restored", (tx) => setUndone(tx, 1, 2), ["PRIMARY KEY (job=? AND contact=?)"]],
  [
    "what imports keep of a contact",
    (tx) => forgetImported(tx, 1, 2),
    ["PRIMARY KEY (job=? AND contact=?)", "contact_jobs_of_workspace"],
  ],
  ["what an import keeps, to be deleted", (tx) => deleteImported(tx, 1, 9), ["PRIMARY KEY (job=?)"]],
  ["what a workspace's imports keep, to be deleted", (tx) => deleteImportedOf(tx, 1, 9), ["contact_jobs_of_workspace"]],
  [
    "whether a person has a past",
    (tx) => past.hasPast(tx, 1),
    ["emails_of_contact", "executions_of_contact", "recipients_left_out"],
  ],
  ["a workspace's batches, to be deleted", (tx) => deleteBatchesOf(tx, 1, 10), ["contact_jobs_of_workspace"]],
  ["the errors of a job", (tx) => errorsOf(tx, 1), ["sqlite_autoindex_contact_job_errors_1"]],
  ["a segment by id", (tx) => segmentById(tx, 1, "x"), ["sqlite_autoindex_segments_1"]],
  ["a segment by slug", (tx) => segmentWithSlug(tx, 1, "x"), ["segments_by_slug"]],
  ["the segments of a workspace", (tx) => segmentsOf(tx, 1), ["segments_in_order"]],
  [
    "whether workflows that listen are at work",
    (tx) => isAnyAtWork(tx, [1, 2]),
    ["INTEGER PRIMARY KEY", "executions_"],
  ],
  ["segments by number", (tx) => segmentsNumbered(tx, [1, 2, 3]), ["INTEGER PRIMARY KEY"]],
  [
    "the sweep that is due",
    (tx) => sweepQueue(NOW).take(tx, 1, 1),
    ["segments_to_sweep (workspace=? AND sweep_due_at>?"],
  ],
  ["when a sweep is due", (tx) => firstDue(tx, sweepQueue(NOW)), ["segments_to_sweep (workspace=?"]],
  ["where a sweep ends", (tx) => beginSweep(tx, { seq: 1, workspace: 1, state: "NEW" }, NOW), ["contacts_in_order"]],
  ["a sweep under way", (tx) => advanceSweep(tx, 1, 7), ["INTEGER PRIMARY KEY"]],
  ["who of some contacts matches", (tx) => matchesAmong(tx, [{ segment: 1, condition: CONDITION }], [1, 2]), MATCHING],
  ["where some contacts are in", (tx) => membershipsAmong(tx, [1, 2], [1, 2]), ["segment_members"]],
  ["contacts that enter", (tx) => insertMembers(tx, 1, [1, 2]), ["INTEGER PRIMARY KEY"]],
  ["contacts that leave", (tx) => deleteMembers(tx, 1, [1, 2]), ["PRIMARY KEY (segment=? AND contact=?)"]],
  ["contacts that leave everything", (tx) => deleteMemberships(tx, [1, 2]), ["segments_of_contact"]],
  [
    "members of a segment that is gone",
    (tx) => deleteSomeMembers(tx, 1, 10),
    ["PRIMARY KEY (segment=? AND contact=?)", "PRIMARY KEY (segment=?)"],
  ],
  [
    "contacts of a range",
    (tx) => contactsBetween(tx, 1, { after: 1, end: 9 }),
    ["contacts_in_order (workspace=? AND seq>? AND seq<?)"],
  ],
  [
    "who differs in a slice",
    (tx) => differing(tx, 1, { segment: 1, condition: CONDITION }, { after: 1, end: 9, limit: 5 }),
    [...MATCHING, "contacts_in_order (workspace=? AND seq>? AND seq<?)"],
  ],
  ["a page of members", (tx) => membersPage(tx, 1, { limit: 20, offset: 0 }), ["PRIMARY KEY (segment=?)"]],
  ["a page of matches", (tx) => matchingPage(tx, 1, CONDITION, { limit: 20, offset: 0 }), ["contacts_in_order"]],
  ["how many match", (tx) => countMatching(tx, 1, CONDITION), ["contacts_in_order (workspace=? AND seq>?)"]],
  [
    "how many a condition finds",
    (tx) => tally(tx, { workspace: 1, every: 1 }, JUDGED),
    ["contacts_in_order (workspace=? AND seq>?)"],
  ],
  [
    "how many a condition finds in a sample",
    (tx) => tally(tx, { workspace: 1, every: 7 }, JUDGED),
    ["contacts_in_order (workspace=?)"],
  ],
  ["segments to note the size of", (tx) => hasToCount(tx, "2026-03-01"), ["segments_to_count (counted_on<?)"]],
  ["some of them", (tx) => takeToCount(tx, "2026-03-01", 5), ["segments_to_count (counted_on<?)"]],
  ["noting their sizes", (tx) => insertSizes(tx, [1], "2026-03-01"), ["USING INTEGER PRIMARY KEY (rowid=?)"]],
  [
    "what is older than they are kept",
    (tx) => deleteSizesBefore(tx, [1], "2026-03-01"),
    ["PRIMARY KEY (segment=? AND day<?)"],
  ],
  ["that they are noted", (tx) => setCounted(tx, [1], "2026-03-01"), ["USING INTEGER PRIMARY KEY (rowid=?)"]],
  ["the sizes of a segment", (tx) => sizesSince(tx, 1, "2026-03-01"), ["PRIMARY KEY (segment=? AND day>?)"]],
  ["campaigns that use a segment", (tx) => campaignsUsing(tx, 1, 5), ["campaigns_of_segment (segment=?)"]],
  ["workflows that start its members", (tx) => workflowsStarting(tx, 1, 5), ["workflows_of_segment (segment=?)"]],
  ["these workflows", (tx) => workflowsNumbered(tx, [1]), ["USING INTEGER PRIMARY KEY (rowid=?)"]],
  [
    "which filters hold for one contact",
    (tx) => verdictsOn(tx, 1, JUDGED.verdicts, JUDGED.matches),
    ["USING INTEGER PRIMARY KEY (rowid=?)", ...MATCHING],
  ],
  [
    "the last event that a filter saw",
    (tx) => lastEvent(tx, 1, "signup"),
    ["events_of_contact (contact=? AND name=?)"],
  ],
  [
    "how many of a stretch of contacts a campaign would reach",
    (tx) => countReached(tx, { workspace: 1, condition: CONDITION }, { after: 1, upTo: 9 }),
    ["(workspace=? AND subscribed=? AND seq>? AND seq<?)"],
  ],
  [
    "who of a stretch of contacts is left out of an audience",
    (tx) => peopleIn(tx, { workspace: 1, condition: CONDITION, part: "pending" }, { after: 1, upTo: 9 }, 20),
    ["contacts_to_confirm (workspace=? AND seq>? AND seq<?)"],
  ],
  ["the people of an audience", (tx) => contactsNumbered(tx, [1, 2]), ["INTEGER PRIMARY KEY"]],
  [
    "campaigns to be looked through",
    (tx) => titlesBefore(tx, { workspace: 1, status: null }, 9, 20),
    ["campaigns_in_order (workspace=? AND seq<?)"],
  ],
  [
    "the end of a stretch of recipients",
    (tx) => account.endOfStretch(tx, 1, 5, 20),
    ["PRIMARY KEY (campaign=? AND contact>?)"],
  ],
  [
    "the recipients of a stretch in a state",
    (tx) => account.passing(tx, 1, { checks: [sql`e.status = 'SENT'`], after: 5, most: 20 }, 99),
    ["PRIMARY KEY (campaign=? AND contact>? AND contact<?)", "SEARCH e USING INTEGER PRIMARY KEY"],
  ],
  [
    "few recipients",
    (tx) => account.passingAmong(tx, 1, { checks: [], after: 5, most: 20 }, [1, 2]),
    ["PRIMARY KEY (campaign=? AND contact=?)"],
  ],
  ["recipients by number", (tx) => recipientsNumbered(tx, 1, [1, 2]), ["PRIMARY KEY (campaign=? AND contact=?)"]],
  [
    "to whom the failed mails of a campaign went",
    (tx) => account.contactsInStates(tx, 1, ["FAILED"], 9),
    ["emails_of_campaign (campaign=? AND status=?)"],
  ],
  ["whether mails of a campaign were pruned", (tx) => account.hasPruned(tx, 1), ["PRIMARY KEY (campaign=?)"]],
  ["whether more have clicked", (tx) => hasMoreClicked(tx, 1, 9), ["emails_of_campaign (campaign=?)"]],
  ["campaigns that are due", (tx) => dueCampaigns(tx, NOW, 10), ["campaigns_due"]],
  ["a campaign that is due", (tx) => dueCampaign(tx, 1, NOW), ["INTEGER PRIMARY KEY"]],
  ["when the next campaign is due", (tx) => nextCampaignDue(tx, NOW), ["campaigns_due"]],
  ["a campaign by its id", (tx) => campaignById(tx, 1, "x"), ["sqlite_autoindex_campaigns_1"]],
  ["the campaigns of a page", (tx) => campaignsNumbered(tx, [1, 2]), ["INTEGER PRIMARY KEY"]],
  ["a page of campaigns", (tx) => campaignsPage(tx, { workspace: 1, status: "SENT" }, 20, 0), ["campaigns_in_order"]],
  [
    "who is in a stretch of contacts",
    (tx) => reachedIn(tx, { workspace: 1, condition: sql`1 = 1` }, { after: 1, upTo: 9 }),
    ["contacts_by_flag (workspace=? AND subscribed=? AND seq>? AND seq<?)"],
  ],
  ["whether people are to be made recipients", (tx) => hasPieces(tx, 1), ["PRIMARY KEY (campaign=?)"]],
  ["the next people to be made recipients", (tx) => takePiece(tx, 1), ["PRIMARY KEY (campaign=?"]],
  [
    "the next recipients",
    (tx) => nextRecipients(tx, { seq: 1, queuedTo: 0 }, 10),
    ["PRIMARY KEY (campaign=? AND contact>?)"],
  ],
  ["what is known of recipients", (tx) => candidatesAmong(tx, [1, 2]), ["SEARCH c USING INTEGER PRIMARY KEY"]],
  [
    "recipients that are skipped",
    (tx) => setReason(tx, 1, [1, 2], "erased"),
    ["PRIMARY KEY (campaign=? AND contact=?)"],
  ],
  ["a page of recipients", (tx) => recipientsPage(tx, 1, 20, 0), ["PRIMARY KEY (campaign=? AND contact=?)"]],
  ["how many recipients there are", (tx) => countRecipients(tx, [1, 2]), ["PRIMARY KEY (campaign=?)"]],
  ["how many recipients wait", (tx) => countAfter(tx, 1, 5), ["PRIMARY KEY (campaign=? AND contact>?)"]],
  ["how many were skipped", (tx) => countSkipped(tx, 1), ["recipients_skipped"]],
  ["recipients, to be deleted", (tx) => deleteRecipients(tx, 1, 10), ["PRIMARY KEY (campaign=?"]],
  ["a workspace's recipients, to be deleted", (tx) => deleteRecipientsOf(tx, 1, 10), ["campaigns_in_order"]],
  ["a workspace's campaigns, to be deleted", (tx) => deleteCampaignsOf(tx, 1, 10), ["campaigns_in_order"]],
  ["what became of campaigns", (tx) => countSettled(tx, [1, 2]), ["COVERING INDEX emails_of_campaign"]],
  [
    "what became of a campaign, at one moment",
    (tx) => countOutcome(tx, 1),
    [
      "COVERING INDEX emails_of_campaign",
      "COVERING INDEX emails_in_flight",
      "emails_of_campaign (campaign=? AND status=?)",
      "emails_of_campaign (campaign=? AND status=?)",
      "emails_unsubscribed",
    ],
  ],
  [
    "how many mails are ready",
    (tx) => hasReady(tx, 1, NOW, 10),
    ["emails_in_flight (campaign=? AND lane=? AND due_at>? AND due_at<?)"],
  ],
  ["whether mails are held", (tx) => hasHeld(tx, 1), ["emails_in_flight (campaign=? AND lane=?"]],
  ["whether mails are in flight", (tx) => isInFlight(tx, 1), ["emails_in_flight"]],
  ["mails to hold", (tx) => holdQueued(tx, 1, 10), ["emails_in_flight (campaign=? AND lane=?"]],
  ["mails to release", (tx) => releaseHeld(tx, 1, 10), ["emails_in_flight (campaign=? AND lane=?"]],
  ["mails to cancel", (tx) => cancelQueuedOf(tx, 1, 10), ["emails_in_flight (campaign=?"]],
  ["mails to detach", (tx) => detachSettled(tx, 1, 10), ["emails_of_campaign (campaign=?"]],
  ["executions that are due", (tx) => EXECUTIONS.take(tx, 1, 10), ["executions_due (workspace=? AND due_at>?"]],
  ["when the next execution is due", (tx) => firstDue(tx, EXECUTIONS), ["executions_due (workspace=?"]],
  ["what waits for an event", (tx) => executionsAwaiting(tx, [1, 2], "x"), ["executions_awaiting"]],
  [
    "who is in a workflow",
    (tx) => insideAmong(tx, 1, [1, 2], "=x"),
    ["executions_active (workflow=? AND contact=? AND entry=?)"],
  ],
  [
    "events that started nothing",
    (tx) => unstartedPage(tx, { workflow: 1, contact: null, reason: "x" }, { before: 9, limit: 9 }),
    ["unstarted_in_order (workflow=? AND seq<?)"],
  ],
  ["how many started nothing", (tx) => countUnstarted(tx, 1, 9), ["unstarted_in_order (workflow=?)"]],
  ["old ones of these", (tx) => deleteUnstartedBefore(tx, NOW, 9), ["unstarted_by_time (created_at<?)"]],
  [
    "who is still on the way when an event comes",
    (tx) =>
      executionsBehind(
        tx,
        [
          { contact: 1, at: NOW },
          { contact: 2, at: NOW },
        ],
        [1, 2],
      ),
    ["executions_active"],
  ],
  ["whether a contact was in a workflow", (tx) => wasStarted(tx, 1, 1), ["executions_of_contact"]],
  ["who was in a workflow", (tx) => startedAmong(tx, 1, [1, 2]), ["executions_of_contact (contact=? AND workflow=?)"]],
  [
    "how often contacts were started",
    (tx) => countStarts(tx, 1, [1, 2], NOW),
    ["executions_of_contact (contact=? AND workflow=? AND started_at>?)"],
  ],
  [
    "how often a contact was started",
    (tx) => startsSince(tx, 1, 1, { since: NOW, most: 20 }),
    ["executions_of_contact"],
  ],
  [
    "where an execution stands",
    (tx) =>
      setExecutionStates(tx, [
        { seq: 1, status: "RUNNING", step: "x", branch: null, dueAt: null, awaits: null, reason: null },
      ]),
    ["INTEGER PRIMARY KEY"],
  ],
  ["an execution by id", (tx) => executionById(tx, 1, "x"), ["sqlite_autoindex_executions_1"]],
  [
    "a page of executions",
    (tx) => executionsPage(tx, { workflow: 1, status: null }, 20, 0),
    ["executions_in_order", "INTEGER PRIMARY KEY"],
  ],
  [
    "a page of executions of one state",
    (tx) => executionsPage(tx, { workflow: 1, status: "FAILED" }, 20, 0),
    ["executions_by_status"],
  ],
  [
    "how many executions are in which state",
    (tx) => talliesOf(tx, [1, 2], 9),
    ["executions_bare (workflow=? AND status=?"],
  ],
  [
    "how many are at a step",
    (tx) => recordsAt(tx, "x", 9),
    ["COVERING INDEX execution_steps_at (step=? AND status=?)"],
  ],
  [
    "how many have left a step by which branch",
    (tx) => recordsByBranch(tx, "x", 9),
    ["COVERING INDEX execution_steps_at (step=? AND status=?)"],
  ],
  [
    "mails that wait at a step",
    (tx) => waitingAtStep(tx, { step: "x", lanes: [0, 1] }, 9),
    ["COVERING INDEX emails_at_step (step_id=? AND lane=?)"],
  ],
  ["mails that failed at a step", (tx) => failedAtStep(tx, "x", 9), ["INDEX emails_failed_at_step (step_id=?)"]],
  [
    "those to be tried again",
    (tx) => lockStopped(tx, { workflow: 1, step: "x" }, { before: 9, limit: 9 }),
    ["executions_stopped (workflow=? AND step=? AND seq<?)", "executions_active (workflow=? AND contact=?)"],
  ],
  ["workflows that ask for a segment", (tx) => workflowsAsking(tx, 1, 9), ["steps_of_segment (segment=?)"]],
  ["steps that send a template", (tx) => stepsSending(tx, 1, 9), ["workflow_steps_of_template (template=?)"]],
  ["how many stopped", (tx) => stoppedIn(tx, 1), ["COVERING INDEX executions_stopped (workflow=?)"]],
  ["how many have not begun", (tx) => notBegun(tx, 1, "x", 9), ["executions_by_status (workflow=? AND status=?)"]],
  [
    "who has passed a step",
    (tx) => executionsFound(tx, AT_STEP, { before: 9, limit: 9 }),
    ["COVERING INDEX execution_steps_at (step=? AND status=? AND execution<?)", "e USING INTEGER PRIMARY KEY"],
  ],
  [
    "who has stopped at a step",
    (tx) => executionsFound(tx, { ...AT_STEP, state: "stopped" }, { before: 9, limit: 9 }),
    ["executions_stopped (workflow=? AND step=? AND seq<?)"],
  ],
  [
    "one person at a step",
    (tx) => executionsFound(tx, { ...AT_STEP, contact: 1 }, { before: null, limit: 9 }),
    [
      "execution_steps_at (step=? AND status=? AND execution=? AND branch=?)",
      "executions_of_contact (contact=? AND workflow=?)",
    ],
  ],
  [
    "who has come to a trigger",
    (tx) => executionsFound(tx, { ...AT_STEP, step: { id: "x", isTrigger: true } }, { before: 9, limit: 9 }),
    ["executions_in_order (workflow=? AND seq<?)"],
  ],
  [
    "webhooks of a step that were given up",
    (tx) => givenUpAt(tx, "x", { before: 9, limit: 9, maxAttempts: 9 }),
    ["execution_steps_at (step=? AND status=? AND execution<?)", "d USING INTEGER PRIMARY KEY"],
  ],
  ["workflows by id", (tx) => workflowsAmong(tx, 1, ["x", "y"]), ["sqlite_autoindex_workflows_1"]],
  ["the trace of an execution", (tx) => traceOf(tx, 1), ["execution_steps_once"]],
  ["whether anything runs", (tx) => isRunning(tx, 1), ["executions_by_status"]],
  ["what runs", (tx) => activeExecutions(tx, 1, 10), ["executions_by_status"]],
  ["a contact by its place", (tx) => contactsInContext(tx, [1, 2]), ["INTEGER PRIMARY KEY"]],
  ["executions that ended long ago", (tx) => endedBefore(tx, NOW, 10), ["executions_ended"]],
  ["what they did", (tx) => deleteExecutionSteps(tx, [1, 2]), ["execution_steps_once"]],
  ["which of them others have followed", (tx) => deleteSuperseded(tx, [1, 2]), ["executions_of_contact"]],
  [
    "a version of a workflow",
    (tx) => versionOfRevision(tx, { workflow: 1, revision: 1 }),
    ["workflow_versions_by_revision"],
  ],
  ["versions in use", (tx) => versionsInUse(tx, 1), ["workflow_versions_by_revision", "executions_of_version"]],
  ["a deleted workflow", (tx) => deletedWorkflow(tx), ["workflows_deleted"]],
  ["what it has left behind", (tx) => deleteExecutionsOf(tx, 1, 10), ["executions_in_order"]],
  ["webhooks that are due", (tx) => dueCalls(tx, 1, NOW, 10), ["webhook_deliveries_due (workspace=? AND due_at>?"]],
  [
    "when the next webhook is due",
    (tx) => firstDue(tx, { firstDue: FIRST_CALL_DUE }),
    ["webhook_deliveries_due (workspace=?"],
  ],
  [
    "webhooks that are due at some places",
    (tx) =>
      dueCallsAt(
        tx,
        1,
        [
          { origin: "x", limit: 2 },
          { origin: "y", limit: 50 },
        ],
        NOW,
      ),
    ["webhook_deliveries_by_origin"],
  ],
  [
    "where webhooks are due",
    (tx) => originsDue(tx, 1, ["x"], { now: NOW, most: 10 }),
    ["webhook_deliveries_by_origin (workspace=?"],
  ],
  ["webhooks to be called", (tx) => claimCalls(tx, [1, 2], NOW), ["INTEGER PRIMARY KEY"]],
  ["webhooks of disabled workflows", (tx) => callsOfDisabled(tx, [1, 2]), ["INTEGER PRIMARY KEY"]],
  ["webhooks that wait for a workflow", (tx) => release(tx, [1, 2], 9), ["webhook_deliveries_held (held=?)"]],
  ["webhooks in hand", (tx) => callsInHand(tx, [1, 2]), ["INTEGER PRIMARY KEY"]],
  ["webhooks of a process that is gone", (tx) => endCallLeases(tx), ["webhook_deliveries_due"]],
  ["webhooks of executions", (tx) => cancelCalls(tx, [1]), ["execution_steps_once"]],
  ["attempts at webhooks", (tx) => attemptsOfCalls(tx, [1, 2]), ["sqlite_autoindex_webhook_attempts_1"]],
  ["the schedule whose time has come", (tx) => takeFiring(tx), ["workflows_firing"]],
  ["when the next schedule fires", (tx) => nextFiring(tx), ["workflows_firing"]],
  ["some members of a segment", (tx) => membersAfter(tx, 1, 0, 10), ["PRIMARY KEY"]],
  ["a content that requests have in common", (tx) => reuseShared(tx, 1, "x"), ["sqlite_autoindex_shared_contents_1"]],
  ["a mail by what SES calls it", (tx) => idByRemoteId(tx, "x"), ["emails_by_remote_id"]],
  ["whether a notice was taken", (tx) => noticeTaken(tx, "x"), ["sqlite_autoindex_notices_1"]],
  ["notices that are old", (tx) => forgetNoticesBefore(tx, NOW, 10), ["notices_by_age"]],
  ["what was sent lately", (tx) => countSent(tx, 1, NOW, 10), ["events_by_name"]],
  ["what bounced lately", (tx) => countBounced(tx, 1, NOW, 10), ["emails_bounced"]],
  ["what was complained of lately", (tx) => countComplaints(tx, 1, NOW, 10), ["emails_complained"]],
  [
    "messages that wait",
    (tx) => messageQueue(NOW).take(tx, 1, 5),
    ["messages_due (<expr>=? AND due_at>? AND due_at<?)"],
  ],
  ["the next message", (tx) => firstDue(tx, messageQueue(NOW)), ["messages_due (<expr>=?"]],
  ["messages in hand", (tx) => renewMessages(tx, [1, 2], NOW), ["INTEGER PRIMARY KEY"]],
  ["leases of messages", (tx) => endMessageLeases(tx), ["messages_due"]],
  ["a slice of a message", (tx) => sliceOfMessage(tx, 1, 0), ["(message=? AND number=?)"]],
  ["a slice of a content", (tx) => sliceOfContent(tx, 1, 0), ["messages_of_content (content=?)"]],
  ["the files of a content", (tx) => filesOfContent(tx, 1), ["messages_of_content (content=?)"]],
  [
    "contacts by the beginning of an address",
    (tx) => startingWith(tx, 1, "ada", 5),
    ["contacts_by_email (workspace=? AND email>? AND email<?)"],
  ],
  ["the newest mails of a contact", (tx) => mailsOfContact(tx, 1, 5), ["emails_of_contact (contact=?"]],
  ["the names of campaigns", (tx) => namesOf(tx, "campaigns", 1, 5), ["campaigns_in_order"]],
  ["the names of templates", (tx) => namesOf(tx, "templates", 1, 5), ["templates_in_order"]],
  ["the names of segments", (tx) => namesOf(tx, "segments", 1, 5), ["segments_in_order"]],
  ["the names of workflows", (tx) => namesOf(tx, "workflows", 1, 5), ["workflows_in_order"]],
  ["the names of keys", (tx) => namesOf(tx, "keys", 1, 5), ["key_sets_of_workspace"]],
  ["the names of domains", (tx) => domainNames(tx, 1, 5), ["domains_in_order"]],
  ["domains that fail", (tx) => failingDomains(tx, 1, 5), ["domains_in_order"]],
  ["whether a domain was seen", (tx) => hasSeenDomain(tx, 1), ["domains_in"]],
  ["whether anything was sent", (tx) => hasSent(tx, 1), ["events_by_name (workspace=? AND name=?)"]],
  [
    "the latest attempts at webhooks",
    (tx) => latestAttempts(tx, { workspace: 1, failed: false }, { at: NOW, step: 1, number: 1 }, 9),
    ["webhook_attempts_in_order (workspace=?", "sqlite_autoindex_workflow_steps_1"],
  ],
  [
    "the latest attempts at webhooks of one step",
    (tx) => latestAttempts(tx, { workspace: 1, failed: false, step: "x" }, null, 9),
    ["webhook_attempts_in_order (workspace=?", "sqlite_autoindex_workflow_steps_1"],
  ],
  [
    "where they end",
    (tx) => endOfScan(tx, { workspace: 1, failed: true, step: "x" }, { at: NOW, step: 1, number: 1 }),
    ["webhook_attempts_failed (workspace=?"],
  ],
  [
    "webhooks that were given up",
    (tx) => latestAttempts(tx, { workspace: 1, failed: true }, null, 9),
    ["webhook_attempts_failed (workspace=?"],
  ],
  [
    "attempts at webhooks that a mail has caused",
    (tx) => attemptsAfterMail(tx, { id: "x", contact: 1 }, 9),
    [
      "executions_of_contact_in_order (contact=?)",
      "execution_steps_once (execution=?)",
      "sqlite_autoindex_webhook_attempts_1",
    ],
  ],
  [
    "how many webhooks were given up",
    (tx) => countGivenUp(tx, 1, NOW, 9),
    ["webhook_attempts_failed (workspace=? AND at>?)"],
  ],
  [
    "mails that are due, counted",
    (tx) => countDue(tx, { workspace: 1, lane: 0 }, NOW, 9),
    ["COVERING INDEX emails_due (lane=? AND workspace=? AND due_at>? AND due_at<?)"],
  ],
  ["the campaigns under way", (tx) => campaignsUnderWay(tx, 1, 9), ["campaigns_under_way", "domains_in_workspace"]],
  ["mails of a campaign that are held", (tx) => countHeld(tx, 1, 9), ["emails_in_flight (campaign=? AND lane=?"]],
  [
    "recipients without a mail",
    (tx) => countToQueue(tx, { seq: 1, queuedTo: 1 }, 9),
    ["PRIMARY KEY (campaign=? AND contact>?)"],
  ],
  ["a piece of the mails to count", (tx) => endOfPiece(tx, "emails", { low: 1, high: 9 }, 10), ["INTEGER PRIMARY KEY"]],
  ["how far a log is counted", (tx) => lockMark(tx, "emails"), ["sqlite_autoindex_count_marks_1"]],
  ["whether a log is behind", (tx) => isBehind(tx, "events", 9), ["sqlite_autoindex_count_marks_1"]],
  ["facts that wait to be counted", (tx) => takeUncounted(tx, 9), ["INTEGER PRIMARY KEY"]],
  ["the next slot", (tx) => lockBucket(tx), ["sqlite_autoindex_pacers_1"]],
];

const lists: readonly [Partial<ContactList>, string][] = [
  [{}, "contacts_in_order"],
  [{ dir: "asc" }, "contacts_in_order"],
  [{ from: 7 }, "contacts_in_order"],
  [{ subscribed: false }, "contacts_by_flag"],
  [{ subscribed: true, dir: "asc", from: 7 }, "contacts_by_flag"],
  [{ status: "UNSUBSCRIBED" }, "contacts_unsubscribed"],
  [{ status: "PENDING", from: 7 }, "contacts_to_confirm"],
  [{ status: "SUPPRESSED", dir: "asc" }, "contacts_suppressed"],
  [{ since: { at: NOW, first: 3 } }, "contacts_in_order"],
  [{ sort: "email" }, "contacts_by_email"],
  [{ sort: "email", dir: "asc", from: "a@b.c" }, "contacts_by_email"],
  [{ sort: "email", subscribed: true }, "contacts_by_flag_and_email"],
  [{ sort: "email", subscribed: false, dir: "asc", from: "a@b.c" }, "contacts_by_flag_and_email"],
];
const listOf = (part: Partial<ContactList>): ContactList => ({
  ...{ workspace: 1, workspaceId: "x", subscribed: null, sort: "createdAt", dir: "desc", from: null },
  ...{ status: null, since: null, inSegment: null, byImport: null },
  ...part,
});

test.each(lists)("a page of contacts %j: read off the index %s", async (part, index) => {
  await contactsPage(explaining, listOf(part), 20);
  const search = expect.stringMatching(new RegExp(`^SEARCH contacts USING (COVERING )?INDEX ${index} \\(`));
  expect(plan).toEqual(["CO-ROUTINE page", search, "SCAN page"]);
  expect(programs[1]).toEqual(programs[0]);
});

test.each(lists)("the first of a search of contacts %j: read off the index %s", async (part, index) => {
  await contactsNear(explaining, listOf(part), "x", 20);
  expect(plan.join("\n")).toMatch(new RegExp(`SEARCH contacts USING (COVERING )?INDEX ${index} \\(`));
});

test.each(lists)("a search of contacts %j: goes through addresses alone", async (part) => {
  const list = { ...listOf(part), status: null, since: null };
  const index = list.subscribed === null ? "contacts_by_email" : "contacts_by_flag_and_email";
  await contactsFound(explaining, list, "x", 20);
  expect(plan.join("\n")).toContain(`SEARCH contacts USING COVERING INDEX ${index} (`);
  await countFound(explaining, list, "x");
  expect(plan.join("\n")).toContain(`SEARCH contacts USING COVERING INDEX ${index} (`);
});

const SPAN = { from: 1, before: 9 };
const FILTER: MailFilter = {
  ...{ workspace: 1, statuses: null, held: null, source: null, contact: null, campaign: null, workflow: null },
  ...{ step: null, retrying: null },
  ...{ template: null, domain: null, provider: null, reason: null, failedSince: null, happened: null },
  ...{ since: null, until: null },
};
const filters: readonly [Partial<MailFilter>, indexes: string][] = [
  [{}, "emails_in_order (workspace=? AND seq>? AND seq<?)"],
  [{ statuses: ["FAILED"] }, "emails_settled (workspace=? AND status=? AND seq>? AND seq<?)"],
  [{ statuses: ["FAILED"], failedSince: NOW }, "emails_settled (workspace=? AND status=? AND seq>? AND seq<?)"],
  [{ statuses: ["SENT", "BOUNCED", "RECEIVED"] }, "emails_settled (workspace=? AND status=? AND seq>? AND seq<?)"],
  [{ statuses: ["QUEUED"] }, "emails_waiting (workspace=? AND lane=? AND seq>? AND seq<?)"],
  [{ statuses: ["SENDING"] }, "emails_waiting (workspace=? AND lane=? AND seq>? AND seq<?)"],
  [{ held: true }, "emails_waiting (workspace=? AND lane=? AND seq>? AND seq<?)"],
  [{ source: "WORKFLOW" }, "emails_by_source (workspace=? AND source_type=? AND seq>? AND seq<?)"],
  [{ source: "TRANSACTIONAL" }, "emails_in_order (workspace=? AND seq>? AND seq<?)"],
  [{ contact: 1 }, "emails_of_contact (contact=? AND rowid>? AND rowid<?)"],
  [{ campaign: 1 }, "emails_in_campaign (campaign=? AND seq>? AND seq<?)"],
  [{ workflow: "x" }, "emails_of_workflow (workspace=? AND workflow_id=? AND seq>? AND seq<?)"],
  [{ template: "x" }, "emails_in_order (workspace=? AND seq>? AND seq<?)"],
  [{ domain: "x.y" }, "emails_in_order (workspace=? AND seq>? AND seq<?)"],
  [{ since: NOW, until: NOW }, "emails_in_order (workspace=? AND seq>? AND seq<?)"],
  [{ statuses: ["FAILED"], since: NOW }, "emails_settled (workspace=? AND status=? AND seq>? AND seq<?)"],
  [{ happened: { what: "opened", since: null, until: null } }, "emails_opened (workspace=? AND seq>? AND seq<?)"],
  [{ happened: { what: "clicked", since: NOW, until: NOW } }, "emails_clicked (workspace=? AND seq>? AND seq<?)"],
  [{ happened: { what: "unsubscribed", since: NOW, until: null } }, "emails_left (workspace=? AND seq>? AND seq<?)"],
  [{ statuses: ["FAILED"], source: "WORKFLOW" }, "emails_settled (workspace=? AND status=? AND seq>? AND seq<?)"],
  [{ statuses: ["FAILED"], campaign: 1 }, "emails_in_campaign (campaign=? AND seq>? AND seq<?)"],
  [{ statuses: ["SENT"], campaign: 1 }, "emails_in_campaign (campaign=? AND seq>? AND seq<?)"],
  [{ statuses: ["SENT"], contact: 1 }, "emails_of_contact (contact=? AND rowid>? AND rowid<?)"],
  [{ campaign: 1, held: true }, "emails_in_campaign (campaign=? AND seq>? AND seq<?)"],
  [{ template: "x", since: NOW }, "emails_in_order (workspace=? AND seq>? AND seq<?)"],
  [{ workflow: "x", step: "x", held: true }, "emails_at_step (step_id=? AND lane=? AND seq>? AND seq<?)"],
  [
    { workflow: "x", step: "x", held: false, statuses: ["QUEUED"], retrying: true },
    "emails_at_step (step_id=? AND lane=? AND seq>? AND seq<?)",
  ],
  [{ workflow: "x", step: "x", statuses: ["FAILED"] }, "emails_failed_at_step (step_id=? AND seq>? AND seq<?)"],
  [{ workflow: "x", step: "x" }, "emails_of_workflow (workspace=? AND workflow_id=? AND seq>? AND seq<?)"],
  [{ workflow: "x", statuses: ["FAILED"] }, "emails_of_workflow (workspace=? AND workflow_id=? AND seq>? AND seq<?)"],
];

test.each(filters)("mails %j: read along the index %s, newest first", async (part, index) => {
  for (const branch of branchesOf({ ...FILTER, ...part }, false)) {
    for (const ask of [mailList.newestOf, mailList.windowOf, mailList.checkedOf]) {
      await ask(explaining, branch, SPAN, 20);
      const steps = plan.filter((step) => !/^(CO-ROUTINE|SCAN|SEARCH c USING INTEGER PRIMARY KEY)/.test(step));
      expect(steps).toHaveLength(1);
      expect(steps[0]).toContain(index);
      expect(programs[1]).toEqual(programs[0]);
    }
  }
});

test("mails with a name, of a seldom template, or to an address are found by index", async () => {
  const names = { ids: ["x"], remoteId: "x", messageId: "x", requestId: "x" };
  const theirs = { index: "emails_of_contact", where: sql`e.contact in (1, 2)`, checks: [] };
  const others = sql`e.workspace = 1 and (e.contact is null or e.source_type = 'INBOUND') and e.to_address <> ''`;
  const started = {
    index: "emails_to_others",
    where: sql`${others} and ${SQLITE.startsWith(sql`e.to_address`, "x")}`,
    checks: [],
  };
  const asked: readonly [() => Promise<unknown>, readonly string[]][] = [
    [
      () => mailList.mailsNamed(explaining, 1, names),
      ["sqlite_autoindex_emails_1", "emails_by_remote_id", "contents_by_message_id", "contents_by_request"],
    ],
    [
      () => mailList.checkedOfTemplate(explaining, { workspace: 1, template: "x" }, { span: SPAN, checks: [] }, 9),
      ["contents_of_template", "emails_of_content"],
    ],
    [() => mailList.checkedOf(explaining, theirs, SPAN, 9), ["emails_of_contact (contact=?"]],
    [() => mailList.checkedOf(explaining, started, SPAN, 9), ["emails_to_others (workspace=? AND to_address>?"]],
    [() => mailList.passingAmong(explaining, [1, 2], [], SPAN), ["INTEGER PRIMARY KEY"]],
  ];
  for (const [ask, indexes] of asked) {
    await ask();
    for (const index of indexes) expect(plan.join("\n")).toContain(index);
    expect(plan.filter((step) => /^SCAN (?!CONSTANT|named|\(subquery)/.test(step))).toEqual([]);
  }
});

test("the kept members of a segment are listed along their own index", async () => {
  for (const dir of ["asc", "desc"] as const) {
    await contactsFound(explaining, listOf({ dir, inSegment: { kept: 7 } }), "", 20);
    expect(plan.join("\n")).toContain("SEARCH m USING PRIMARY KEY (segment=?)");
    expect(plan.join("\n")).not.toContain("TEMP B-TREE FOR ORDER BY\nSCAN page");
  }
  await countFound(explaining, listOf({ inSegment: { kept: 7 } }), "");
  expect(plan[0]).toContain("SEARCH m USING PRIMARY KEY (segment=?)");
});

/** Of one person there are few enough to be sorted. */
const OF_ONE: readonly Question[] = [
  [
    "a person's events of some names",
    (tx) => past.eventsCalled(tx, PIECE, ["email.open", "email.click"]),
    ["events_of_contact (contact=? AND name=? AND seq<?)"],
  ],
  ["by which mail somebody left", (tx) => past.unsubscribedAt(tx, 1, [NOW]), ["emails_of_contact (contact=?)"]],
  ["a person's segments", (tx) => standing.segmentsWith(tx, 1), ["segments_of_contact (contact=?)"]],
  ["a person's mails by state", (tx) => standing.countMailsOf(tx, 1, 10), ["emails_of_contact (contact=?)"]],
  ["a person's former addresses", (tx) => standing.formerOf(tx, 1), ["former_addresses_of_contact (contact=?)"]],
  [
    "campaigns that left a person out",
    (tx) => past.campaignsBefore(tx, { contact: 1, before: [NOW, 3], limit: 10 }),
    ["recipients_left_out (contact=?)"],
  ],
];

test.each(OF_ONE)("%s: found by index", async (_, ask, indexes) => {
  await ask(explaining);
  for (const index of indexes) expect(plan.join("\n")).toContain(index);
});

test.each(QUESTIONS)("%s: planned once, whatever is bound", async (_, ask) => {
  await ask(explaining);
  expect(programs[1]).toEqual(programs[0]);
});

test.each(QUESTIONS)("%s: found by index, not by looking through or sorting", async (_, ask, indexes) => {
  await ask(explaining);
  for (const index of indexes) expect(plan.join("\n")).toContain(index);
  // What is summed by groups was found and bounded before.
  const slow = plan.filter((step) =>
    /^SCAN (?!.*(USING|LIST|CONSTANT ROW)|(names|latest|origins|place|judged|installation)$)|TEMP B-TREE(?! FOR GROUP BY)/.test(
      step,
    ),
  );
  expect(slow).toEqual([]);
});

test("workspaces in trouble: each looked up by index", async () => {
  await troubledWorkspaces(explaining, NOW);
  expect(plan.filter((step) => /\bSCAN (?!w\b)/.test(step))).toEqual([]);
  for (const index of ["emails_bounced", "emails_complained"]) expect(plan.join("\n")).toContain(index);
});

test("what an erasure looks for outside of the contact's own rows is found by index", async () => {
  for (const ask of [
    () => deleteErrorsAbout(explaining, 1, ["a@example.com", "x"]),
    () => answersAbout(explaining, 1, 50),
    () => takeSuppressions(explaining, 1, ["h"]),
    () => erasedSince(explaining, 1, ["h"], NOW),
  ]) {
    await ask();
    expect(plan.filter((step) => step.startsWith("SCAN"))).toEqual([]);
  }
});

test("whatever refers to a row that goes is found by an index", () => {
  const rows = <Row>(text: string) => database.query(text).all() as Row[];
  const tables = rows<{ name: string }>(
    "select name from sqlite_master where type = 'table' and name not like 'sqlite_%'",
  );
  const isSlow = (table: string, columns: readonly string[]) => {
    const where = columns.map((column) => `"${column}" = 1`).join(" and ");
    const steps = rows<{ detail: string }>(`explain query plan select 1 from "${table}" where ${where}`);
    return steps.some(({ detail }) => detail.startsWith("SCAN"));
  };
  const slow = tables.flatMap(({ name }) => {
    const columns = rows<{ id: number; from: string }>(`pragma foreign_key_list("${name}")`);
    const keys = [...Map.groupBy(columns, ({ id }) => id).values()].map((key) => key.map(({ from }) => from));
    return keys.filter((key) => isSlow(name, key)).map((key) => `${name}.${key.join("+")}`);
  });
  // There are few domains.
  expect(slow).toEqual(["domains.workspace"]);
});

test("mails that are due later are read off the index, no more than are counted", async () => {
  await countLater(explaining, { workspace: 1, lane: 1 }, NOW, 9);
  expect(plan.join("\n")).toContain("emails_due (lane=? AND workspace=? AND due_at>?)");
  expect(plan.filter((step) => /^SCAN (?!latest)/.test(step))).toEqual([]);
});

test("what is counted and what is not yet counted is found by index, a piece at a time", async () => {
  const time = { fromMs: Date.parse(NOW), toMs: Date.parse(NOW) + DAY_MS, stepMs: QUARTER_MS } as const;
  const cut = { workspace: 1, ...time, characters: 16, cuts: null, by: null } as const;
  const asked = [
    () => countsOf(explaining, cut),
    () => countsOf(explaining, { ...cut, by: "provider" }),
    () => addPiece(explaining, "emails", { low: 1, high: 9 }),
  ];
  const indexes = [
    [
      "mail_counts USING PRIMARY KEY (workspace=? AND quarter>? AND quarter<?)",
      "emails_in_order",
      "events_in_order (workspace=? AND seq>?)",
      "uncounted_of_workspace",
    ],
    [
      "mail_group_counts USING PRIMARY KEY (workspace=? AND kind=? AND quarter>? AND quarter<?)",
      "emails_in_order",
      "events_in_order (workspace=? AND seq>?)",
    ],
    ["SEARCH l USING INTEGER PRIMARY KEY (rowid>? AND rowid<?)", "SEARCH c USING INTEGER PRIMARY KEY"],
  ];
  for (const [which, ask] of asked.entries()) {
    await ask();
    for (const index of indexes[which] ?? []) expect(plan.join("\n")).toContain(index);
    expect(plan.filter((step) => /^SCAN (?!facts|counts|plain|alike|p$)/.test(step))).toEqual([]);
  }
  await endsOfLogs(explaining);
  expect(plan.filter((step) => step.startsWith("SCAN") && !step.includes("CONSTANT ROW"))).toEqual([]);
  await hasUncounted(explaining);
  expect(plan).toHaveLength(1);
});

/** They sort what they add up: of a bounded piece, found by index. */
const SUMS: readonly Question[] = [
  [
    "the links of a campaign",
    (tx) => linksOf(tx, 1, { mails: 9, clicks: 9, links: 9 }),
    ["emails_of_campaign (campaign=?)", "events_of_email (email=?)"],
  ],
  [
    "the course of a campaign",
    (tx) => countHappenings(tx, { campaign: 1, windows: null }, [1, 2]),
    ["SEARCH e USING INTEGER PRIMARY KEY", "r USING PRIMARY KEY (campaign=?)"],
  ],
  [
    "the recipients of a campaign in some places",
    (tx) => mailsLookedAt(tx, { campaign: 1, windows: { starts: [1, 5], width: 2 } }),
    ["r USING PRIMARY KEY (campaign=? AND contact>? AND contact<?)"],
  ],
];

test.each(SUMS)("%s: what is added up is found by index", async (_, ask, indexes) => {
  await ask(explaining);
  for (const index of indexes) expect(plan.join("\n")).toContain(index);
});
