// /installation/ways: the ways out, for the owners of the installation.
import { t } from "elysia";
import type { SessionUser } from "../../tenant/access/caller.ts";
import { personOnly, type Access } from "../../tenant/access/auth.ts";
import { act, get, page, patch, remove, route, routes } from "../../tenant/access/route-table.ts";
import type { WayStates } from "./open-ways.ts";
import type { Ground } from "../../ground/ground.ts";
import { countShape, nullable, oneOf, pageShapeOf, timeShape } from "../../http/answer-shapes.ts";
import { optional, pageShape } from "../../http/schemas.ts";
import { addWay, changeWay, findWay, pauseWay, removeWay } from "../../ground/ways/keep.ts";
import { beginSignIn, endSignIn } from "../../ground/way-tokens/sign-in.ts";
import { SIGN_IN_PROBLEMS } from "../../ground/way-tokens/sign-in-state.ts";
import { lockWay } from "../../ground/ways/queries.ts";
import { refuseSavedSince } from "../../tenant/access/saving.ts";
import { listedWays, type Way } from "../../ground/ways/list.ts";
import type { Reader } from "../../store/store.ts";
import { refusedDomains as readRefused } from "../../ground/ways/domain-queries.ts";
import {
  MOST_READ,
  newWayShape,
  refusedDomainShape,
  wayChangeShape,
  wayRecord,
  wayShape,
  type WayRecord,
} from "./way-record.ts";

const OWNERS = { key: "person", permission: "installation" } as const;
const CHANGING = { ...OWNERS, proof: true } as const;
const FOUND = ["WAY_NOT_FOUND"] as const;
const PATH = "/installation/ways/:name";

const codeShape = t.Object(
  {
    ...{ url: t.String(), expiresAt: timeShape },
    code: nullable(
      t.String({
        description: "To be entered at `url`; null = the browser comes back from there to `/app/settings/ways`.",
      }),
    ),
    intervalSeconds: nullable({ ...countShape, description: "Null where no code has to be entered." }),
    ticket: t.String({ description: "To ask with whether the person has agreed." }),
  },
  { title: "WaySignIn" },
);
const signedInShape = t.Object(
  {
    state: oneOf("WAITING", "DONE", "FAILED"),
    problem: nullable(t.String({ description: "Why it failed." })),
    problemCode: nullable(oneOf(...SIGN_IN_PROBLEMS)),
  },
  { title: "WaySignInState" },
);
const endingShape = t.Object(
  {
    ticket: t.String({ maxLength: 100_000 }),
    answer: optional(t.String({ maxLength: 10_000 }), "The query with which the browser came back."),
  },
  { examples: [{ ticket: "7kQ…", answer: "?state=…&code=…" }] },
);

const triedShape = t.Object(
  {
    works: t.Boolean(),
    problem: nullable(t.String({ description: "Why it does not work." })),
    refusedDomains: t.Array(refusedDomainShape, { description: "Sender domains that it is known not to take." }),
  },
  { title: "WayTried" },
);

export function wayRoutes(access: Access, ground: Ground, outgoing: WayStates) {
  const { config, secrets, store, tokens } = ground;
  const known = { config, secrets };
  const records = async (reader: Reader, ways: readonly Way[]) => {
    const refused = await readRefused(reader, MOST_READ);
    const showing = { secrets, baseUrl: config.http.baseUrl, states: outgoing.states, refused };
    return ways.map((way) => wayRecord(way, showing));
  };
  const oneWayRecord = async (reader: Reader, way: Promise<Way>): Promise<WayRecord> => {
    const [one] = await records(reader, [await way]);
    return one as WayRecord;
  };
  return routes(
    access,
    [
      page(
        "/installation/ways",
        {
          name: "listWays",
          summary: "List the sending routes",
          answers: { 200: pageShapeOf(wayShape) },
          ...OWNERS,
          query: t.Object(pageShape),
          description: "In the order in which they follow each other: those of the configuration, then added ones.",
        },
        async (reader) => {
          const ways = await listedWays(reader, known);
          const items = async (limit: number, offset: number) => records(reader, ways.slice(offset, offset + limit));
          return { total: () => Promise.resolve(ways.length), items };
        },
      ),
      get(
        PATH,
        { name: "getWay", summary: "Get a sending route", answers: { 200: wayShape }, ...OWNERS, refuses: FOUND },
        async (reader, { params }) => oneWayRecord(reader, findWay(reader, known, params.name)),
      ),
      act(
        "/installation/ways",
        {
          name: "createWay",
          summary: "Add a sending route",
          answers: { 201: wayShape },
          ...CHANGING,
          body: newWayShape,
          refuses: ["CONFLICT"],
          description: "Email goes by it once those before it do not work. No restart is needed.",
        },
        async (tx, { body }) => oneWayRecord(tx, addWay(tx, known, body)),
      ),
      patch(
        PATH,
        {
          name: "updateWay",
          summary: "Change a sending route",
          answers: { 200: wayShape },
          ...CHANGING,
          body: wayChangeShape,
          refuses: [...FOUND, "CONFLICT"],
          description:
            "null sets a setting back to its default. What it has in hand is finished as it was. A kept password has to be entered again if it would go to another place.",
        },
        async (tx, { params, body: { ifUpdatedAt, ...change } }) => {
          await lockWay(tx, params.name);
          const { updatedAt } = await findWay(tx, known, params.name);
          if (updatedAt !== null) refuseSavedSince(tx, { updatedAt }, { ifUpdatedAt });
          return oneWayRecord(tx, changeWay(tx, known, params.name, change));
        },
      ),
      remove(
        PATH,
        {
          name: "deleteWay",
          summary: "Remove a sending route",
          answers: { 204: null },
          ...CHANGING,
          refuses: [...FOUND, "CONFLICT"],
          description: "What it has in hand is finished. An email whose fate at it is unknown goes by the default way.",
        },
        (tx, { params }) => removeWay(tx, known, params.name),
      ),
      act(
        `${PATH}/pause`,
        {
          name: "pauseWay",
          summary: "Pause a sending route",
          answers: { 200: wayShape },
          ...CHANGING,
          refuses: FOUND,
          description: "It gets no email until it is resumed; what it has in hand is finished.",
        },
        async (tx, { params }) => oneWayRecord(tx, pauseWay(tx, known, params.name, true)),
      ),
      act(
        `${PATH}/resume`,
        {
          name: "resumeWay",
          summary: "Resume a sending route",
          answers: { 200: wayShape },
          ...CHANGING,
          refuses: FOUND,
        },
        async (tx, { params }) => oneWayRecord(tx, pauseWay(tx, known, params.name, false)),
      ),
      route(
        "POST",
        `${PATH}/try`,
        {
          name: "tryWay",
          summary: "Try a sending route",
          answers: { 200: triedShape },
          ...OWNERS,
          refuses: FOUND,
          harmless: true,
          description: "Connects to it and logs in, without an email. A moment after a change it is tried as changed.",
        },
        async ({ params }) => {
          const way = () => store.read((reader) => oneWayRecord(reader, findWay(reader, known, params.name)));
          const { problem } = await way();
          await tokens.askAgain(params.name);
          const found = problem ?? (await outgoing.look(params.name));
          const { refusedDomains } = await way();
          return { works: found === null, problem: found, refusedDomains };
        },
      ),
      route(
        "POST",
        `${PATH}/sign-in`,
        {
          name: "signInForWay",
          summary: "Begin to sign in for a sending route",
          answers: { 200: codeShape },
          ...CHANGING,
          refuses: [...FOUND, "CONFLICT"],
          description:
            "For ways with auth oauth2: a person opens the URL and agrees, and the way sends by their right. At Microsoft they enter the code, on any device. At Google it is the browser of the owner, which comes back with an answer in its query.",
        },
        async ({ params, caller }) => {
          const way = await store.read((reader) => findWay(reader, known, params.name));
          const { session } = caller.person as SessionUser;
          const address = `${config.http.baseUrl}/app/settings/ways`;
          const begun = await beginSignIn(ground, way, { session, address });
          await store.write(async (tx) => caller.note?.(tx, { name: way.name }));
          return begun;
        },
      ),
      route(
        "POST",
        `${PATH}/sign-in/check`,
        {
          name: "checkSignInForWay",
          summary: "Check a sign-in for a sending route",
          answers: { 200: signedInShape },
          ...OWNERS,
          body: endingShape,
          refuses: FOUND,
          description:
            "DONE: the way has its tokens. Ask again while it is WAITING, no more often than the interval says. Only the session that has begun a sign-in can end it.",
        },
        async ({ params, body: { ticket, answer = null }, caller }) => {
          const { session } = caller.person as SessionUser;
          const way = await store.read((reader) => findWay(reader, known, params.name));
          const found = await endSignIn(ground, way, { session, ticket, answer });
          if (found.state === "DONE") await store.write(async (tx) => caller.note?.(tx, { name: way.name }));
          return found;
        },
      ),
    ],
    personOnly,
  );
}
