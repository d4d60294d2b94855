// A running Posthorn: its rooms from lower to higher, their loops, the ports, its start and its end.
import "./tables.ts";
import type { AnyElysia } from "elysia";
import { tryingAlerts } from "../operator/alerts/try-alerts.ts";
import { alertLoops } from "../operator/alerts/alerts.ts";
import { activityRoutes } from "../audience/activity/routes.ts";
import { openBackup } from "../operator/backup/room.ts";
import { openCampaigns } from "../programs/campaigns/room.ts";
import { speaksTls, type Config } from "../base/config.ts";
import { Renewal } from "../base/certificates/acme/renewal.ts";
import { openConsent } from "../audience/consent/room.ts";
import { openContacts } from "../audience/contacts/room.ts";
import { compatRoutes, DIALECTS, ownHostsIn } from "../programs/compat/dialects.ts";
import { OwnCalls, type OwnRoute } from "../programs/compat/own-calls.ts";
import { servicesFor } from "../sending/open-ways/sender-checks.ts";
import { openDelivery } from "../sending/delivery/room.ts";
import type { Transport } from "../sending/carrier/transport/transport.ts";
import { askToConfirm, refuseToAsk } from "../mail/emails/send/confirmation.ts";
import { openEmails } from "../mail/emails/room.ts";
import { openEvents } from "../tenant/events/room.ts";
import { openFace } from "../desk/face/room.ts";
import { fileRoutes } from "../desk/files/routes.ts";
import { moveRoutes } from "../desk/moving/routes.ts";
import { PROOF_BITS } from "../programs/forms/robots.ts";
import { openForms } from "../programs/forms/room.ts";
import { leavingRoutes } from "../programs/preferences/leaving-routes.ts";
import { preferenceRoutes } from "../programs/preferences/routes.ts";
import { openGround, type Ground, type GroundSwaps, type Room } from "../ground/ground.ts";
import { documentRoutes } from "../http/docs/routes.ts";
import type { Route } from "../http/answers.ts";
import { frame } from "../http/frame.ts";
import { HttpListener, certificateOf, hostCertificatesOf, withPort } from "../http/listener.ts";
import { proofAt } from "../operator/hosts/proof.ts";
import { openHosts } from "../operator/hosts/room.ts";
import { openHttp } from "../http/room.ts";
import { openImages } from "../content/images/room.ts";
import type { FetchText } from "../http/fetch-text.ts";
import { openInstallation } from "../operator/installation/room.ts";
import { stayingCaptured } from "../operator/installation/try-settings.ts";
import { openInbound } from "../mail/inbound/room.ts";
import { finished } from "../base/jobs/ending.ts";
import type { StillClock } from "../base/clock.ts";
import { Loops } from "../base/jobs/loops.ts";
import { TestTime } from "../base/jobs/test-time.ts";
import { openReports } from "../mail/reports/room.ts";
import { openLeaving } from "../operator/leaving/room.ts";
import { openRetention } from "../operator/retention/room.ts";
import { openSuppressions } from "../audience/suppressions/room.ts";
import { openStatistics } from "../mail/statistics/room.ts";
import { openProviders } from "../mail/providers/room.ts";
import { searchRoutes } from "../desk/search/routes.ts";
import { segmentMembership } from "../audience/segments/membership/membership.ts";
import { openSegments } from "../audience/segments/room.ts";
import { setTestClock } from "../operator/operation/test-clock.ts";
import { openOperation } from "../operator/operation/room.ts";
import { openWarmup } from "../sending/warmup/room.ts";
import { openSubmission } from "../mail/smtp/room.ts";
import { openBulk } from "../desk/bulk/room.ts";
import { openPeople } from "../desk/people/room.ts";
import { openOverview } from "../desk/overview/room.ts";
import { SETTINGS_FOLLOWED } from "../ground/settings/settings.ts";
import { Ports } from "../ground/smtp-listener/ports.ts";
import { ClockWatch } from "../store/clock-watch.ts";
import type { Store } from "../store/store.ts";
import { TeamDoor } from "../operator/team/door.ts";
import { mailingDevelopers } from "../operator/team/notices/webhook-off.ts";
import { openTeam } from "../operator/team/room.ts";
import { blockRoutes } from "../content/templates/blocks/routes.ts";
import { brandRoutes } from "../content/templates/brand/routes.ts";
import { templateRoutes } from "../content/templates/routes.ts";
import { isProviders } from "../mail/verify/lists.ts";
import { openVerify } from "../mail/verify/room.ts";
import { topicRoutes } from "../audience/topics/routes.ts";
import { viewRoutes } from "../desk/views/routes.ts";
import { workflowConsumer } from "../programs/workflows/execution/consumer.ts";
import { openWorkflows } from "../programs/workflows/room.ts";
import { afterWebhook } from "../programs/workflows/execution/retry/webhook-step.ts";
import { stepSender } from "../programs/workflows/webhook/sender.ts";
import { endpointConsumer } from "../programs/webhooks/endpoints/consumer.ts";
import { openWebhooks } from "../programs/webhooks/room.ts";
import type { LookUp } from "../programs/webhooks/sending/target.ts";
import type { AskForCertificate } from "../operator/watch/certificates.ts";
import { watchLoops } from "../operator/watch/loop.ts";
import { openAccess } from "../tenant/access/room.ts";
import { openDomains } from "../tenant/domains/room.ts";
import { WAYS_CHANGED, type Ways } from "../ground/ways/list.ts";
import { workspaceRoutes } from "../tenant/workspaces/routes.ts";

/** The parts that tests replace; the rest is the real thing. */
export type Swaps = GroundSwaps & {
  /** By the names of ways out. */
  readonly transports?: Readonly<Record<string, Transport>>;
  readonly lookUp?: LookUp;
  readonly fetchText?: FetchText;
  readonly certificates?: AskForCertificate;
  /** Fewer than browsers have to work for. */
  readonly proofBits?: number;
  /** Loops run only in `settle()`. */
  readonly loops?: "settled by hand";
  /** Routes that no other server has. */
  readonly more?: (ground: Ground) => Room;
  /** A hook by which each request comes before its caller is looked up. */
  readonly door?: (routes: () => readonly Route[]) => (context: object) => void;
};

export type Server = AsyncDisposable & {
  readonly url: string;
  readonly store: Store;
  readonly ways: Ways;
  /** As it counts now. */
  readonly config: Config;
  /** Answers a request as over the network, but without one. */
  answer(request: Request): Promise<Response>;
  readonly routes: readonly { readonly method: string; readonly path: string }[];
  /** The addresses that accept mail by SMTP, in words. */
  readonly smtpPorts: readonly string[];
  /** Runs every loop until nothing is due. */
  settle(): Promise<void>;
  /** Reads the TLS certificates again. */
  reload(): void;
};

/** Starts Posthorn. @throws as openGround, or if its ports cannot be listened on */
export async function startServer(given: Config, swaps: Swaps = {}): Promise<Server> {
  const ground = await openGround(withPort(given), swaps);
  try {
    return await serve(ground, swaps, await setTestClock(ground, swaps));
  } catch (error) {
    await ground.store.close();
    throw error;
  }
}

/** Opens the rooms from lower to higher. A lower room gets its calls into a higher one here and nowhere else. */
async function openRooms(
  ground: Ground,
  { transports, lookUp, fetchText, certificates, loops, more, proofBits = PROOF_BITS }: Swaps,
  renewal: Renewal,
) {
  // Loops that run only in `settle()` do not wait.
  const isCrowded = () => loops === undefined && ground.store.isCrowded;
  const rooms: Room[] = [];
  const add = <Opened extends Room>(room: Opened): Opened => {
    rooms.push(room);
    return room;
  };
  add(openHttp(ground));
  const { stream } = add(await openBackup(ground));
  const { catchUp } = add(
    openEvents(ground, { inside: [segmentMembership, workflowConsumer], endpoints: endpointConsumer, isCrowded }),
  );
  const people = new TeamDoor(ground);
  const { access } = add(openAccess(ground, people));
  add(openDomains(ground, access, { ...servicesFor(ground, transports), fetchText, isProviders }));
  add(openReports(ground, access));
  add({ routes: [workspaceRoutes(access, ground.secrets, ground.config.retention)] });
  add(openVerify(ground, access));
  add(openImages(ground, access));
  add(openConsent(ground));
  add({ routes: [viewRoutes, topicRoutes, templateRoutes, blockRoutes, brandRoutes].map((made) => made(access)) });
  add(openSuppressions(ground, access));
  const { limits } = add(openContacts(ground, access, { ask: askToConfirm, refuseToAsk }));
  add({ routes: [...activityRoutes(access), searchRoutes(access), fileRoutes(ground, access, catchUp)] });
  add(openStatistics(ground, access));
  add(openSegments(ground, access, catchUp));
  const { renderer } = add(openEmails(ground, access));
  add(openWarmup(ground, access));
  const delivery = add(await openDelivery(ground, access, transports));
  const { isGettingThrough, mailboxOf, limitsOn, relay, compose, mailOfPixel, sendNow, outgoing } = delivery;
  add(openCampaigns(ground, access, { catchUp, isGettingThrough, mailboxOf, limitsOn }));
  const steps = stepSender({ store: ground.store, renderer, onSettled: afterWebhook });
  const onSwitchedOff = mailingDevelopers(ground.config);
  add(await openWebhooks(ground, access, { steps, lookUp, isCrowded, onSwitchedOff }));
  add(openWorkflows(ground, access, renderer));
  add(openForms(ground, access, { limits, proofBits }));
  add({ routes: [preferenceRoutes(access, { ...ground, clients: access.clients, limits }), leavingRoutes(access)] });
  add(openSubmission(ground, access));
  add(openTeam(ground, access, people));
  const { letterOf, contentOf } = add(await openInbound(ground, access, { compose, fetchText, mailOfPixel }));
  add(openProviders(ground, access));
  add(await openHosts(ground, access, { lookUp, obtain: (files, name) => renewal.obtainFor(files, name) }));
  add({ loops: watchLoops(ground, certificates) });
  add(openFace(ground, access, letterOf));
  add(openOverview(ground, access, relay));
  add(openPeople(ground, access, { contentOf, catchUp }));
  add(await openBulk(ground, access, catchUp));
  const ours = new OwnCalls(rooms.flatMap((room) => room.routes ?? []).flatMap((app) => app.routes as OwnRoute[]));
  add({ routes: compatRoutes({ ...access, ours, catchUp }, ground.config) });
  add(openRetention(ground));
  add(openLeaving(ground, access));
  if (more) add(more(ground));
  return { rooms, access, relay, stream, sendNow, outgoing };
}

async function serve(ground: Ground, swaps: Swaps, testClock: StillClock | null): Promise<Server> {
  const { log, store, settings } = ground;
  const renewal = new Renewal(ground, { ...ground, proofAt: (path) => proofAt(ground.secrets, path) });
  const opened = openRooms(ground, swaps, renewal);
  opened.catch(() => renewal.stop());
  const { rooms, access, relay, stream, sendNow, outgoing } = await opened;
  rooms.push({ loops: [{ ...renewal.loop, wokenBy: SETTINGS_FOLLOWED }], stop: () => renewal.stop() });
  const ports = await openPorts(ground, rooms, renewal);
  const httpCertificate = () => listener.certificateFacts;
  const tries = [tryingAlerts({ ...ground, sendNow, lookUp: swaps.lookUp }), ...(testClock ? [stayingCaptured] : [])];
  rooms.push(openInstallation(ground, access, { tries, relay, ports, httpCertificate, stream, outgoing }));
  const operation = openOperation(ground, access, {
    relay,
    stream,
    stuckLoops: () => loops.stuck,
    testTime: () => testTime,
  });
  rooms.push(operation, { loops: alertLoops({ ...ground, relay, stream, sendNow, lookUp: swaps.lookUp }) });
  const answer = (request: Request) => app.handle(request);
  rooms.push({ routes: [moveRoutes(ground, access, { answer, lookUp: swaps.lookUp })] });
  const ownLoops = rooms.flatMap((room) => room.loops ?? []);
  const calendar = new ClockWatch({ ...ground, recalls: rooms.flatMap((room) => room.recall ?? []) });
  const app = appOf(ground, rooms, swaps);
  const listener: HttpListener = await listen(app, ground, { ports, operation, renewal });
  const loops: Loops = new Loops([calendar.loop, ...ownLoops, ports.loop, listener.loop], { ...ground, calendar });
  const testTime = testClock === null ? null : new TestTime(loops, testClock, log);
  await calendar.look();
  settings.onChange = () =>
    testTime ? testTime.wake() : [SETTINGS_FOLLOWED, WAYS_CHANGED].forEach((signal) => loops.wake(signal));
  store.onSignal((signal) => (testTime ? testTime.wake() : loops.wake(signal)));
  if (testTime) testTime.wake();
  else if (swaps.loops !== "settled by hand") loops.start();
  return {
    url: listener.url,
    store,
    ways: ground.ways,
    config: ground.config,
    answer,
    routes: app.routes,
    smtpPorts: ports.words,
    settle: () => loops.settle(),
    reload: () => {
      [ports, listener].forEach((one) => one.readCertificate());
      renewal.tryAgain();
    },
    [Symbol.asyncDispose]: async () => {
      await finished(
        [listener.stop(), ports.stop(), loops.stop(), testTime?.stop(), ...rooms.map((room) => room.stop?.())],
        log,
      );
      rooms.forEach((room) => room.close?.());
      await listener.end();
      await store.close();
    },
  };
}

function appOf({ clock, log, metrics, config, bases }: Ground, rooms: readonly Room[], { door }: Swaps) {
  const app: AnyElysia = frame({
    ...{ clock, log, metrics, bases },
    isHttps: speaksTls(config.http),
    dialects: DIALECTS,
    ownHosts: ownHostsIn(config),
  });
  if (door) app.onTransform(door(() => app.routes));
  for (const routes of rooms.flatMap((room) => room.routes ?? [])) app.use(routes);
  return app.use(documentRoutes(app, config.http));
}

type ServerParts = {
  readonly ports: Ports;
  readonly operation: ReturnType<typeof openOperation>;
  readonly renewal: Renewal;
};

/** @throws as Ports.open; the port of plain HTTP is closed then */
async function openPorts(ground: Ground, rooms: readonly Room[], renewal: Renewal): Promise<Ports> {
  try {
    const wanted = rooms.flatMap((room) => room.ports ?? []);
    return await Ports.open(ground.config, wanted, ground);
  } catch (error) {
    await renewal.stop();
    throw error;
  }
}

/** @throws as HttpListener, or if the port of the figures cannot be listened on; all ports are closed then */
async function listen(
  app: AnyElysia,
  { config, log }: Ground,
  { ports, operation, renewal }: ServerParts,
): Promise<HttpListener> {
  let listener: HttpListener | null = null;
  try {
    listener = HttpListener.open(app, config.http, {
      certificate: certificateOf(config, log),
      hosts: hostCertificatesOf(config),
    });
    operation.listen();
    return listener;
  } catch (error) {
    await Promise.all([listener?.end(), ports.stop(), renewal.stop()]);
    throw error;
  }
}
