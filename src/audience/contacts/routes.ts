// /contacts and /v1/track.
import { t } from "elysia";
import { readAll } from "../../base/errors.ts";
import { notifyChange } from "../../tenant/events/notify.ts";
import { requiredAddress } from "../../http/body/address-field.ts";
import { idShape, timeShape, wrapped } from "../../http/answer-shapes.ts";
import { type Declaration } from "../../http/answers.ts";
import { idempotent } from "../../http/idempotency.ts";
import { success } from "../../http/replies.ts";
import { addressShape, dataShape, optional, parameter, shownAs, timeInputShape } from "../../http/schemas.ts";
import type { Tx } from "../../store/store.ts";
import { anyKey, type Access } from "../../tenant/access/auth.ts";
import { causeOf, type Caller } from "../../tenant/access/caller.ts";
import { alias, get, patch, route, routes } from "../../tenant/access/route-table.ts";
import { changeContact } from "./change.ts";
import { findContact } from "./contact.ts";
import { evidenceIn, givenConsent } from "../consent/evidence-shape.ts";
import { readData } from "./data.ts";
import { readChoices } from "../topics/choice.ts";
import { choicesInputShape } from "../topics/record.ts";
import { contactRecord, contactShape } from "./record.ts";
import { withinLimits, type SignUpLimits } from "./sign-up/limits.ts";
import { signUp, type ConfirmationMails, type ConfirmationServices, type SignUp } from "./sign-up/sign-up.ts";
import { reportOf, track, type TrackReport } from "./track.ts";
import { voiceOf } from "./voices.ts";

const doubleOptIn = optional(
  t.Boolean(),
  "A new contact is PENDING until the person confirms by email. Always on if the workspace has enabled it.",
);
const topics = optional(
  choicesInputShape,
  "What the person says of topics, by their keys; null takes it back. Topics that are not named stay as they are.",
);
const creation = t.Object(
  {
    email: addressShape,
    subscribed: optional(t.Boolean(), "A new contact is subscribed unless this is `false`."),
    data: optional(dataShape, "Merged into the contact's data; `null` deletes a key."),
    topics,
    doubleOptIn,
    consent: givenConsent,
  },
  { examples: [{ email: "ada@example.com", subscribed: true, data: { name: "Ada", plan: "pro" } }] },
);

const ifUpdatedAtOfContact = optional(
  timeInputShape,
  "The `updatedAt` that you have seen. If the contact has changed since, nothing changes: 409 with the `reason` `saved_since`. Programs, forms and the person change a contact as well, so read it again and look at the fields that you change.",
);

const change = t.Object(
  {
    email: optional(addressShape),
    subscribed: optional(t.Boolean()),
    suppressed: optional(
      // A plain boolean in /openapi.json: client generators fail on a flag with a single value.
      shownAs(t.Literal(false), t.Boolean()),
      "`false` lifts the suppression of its address and leaves `subscribed` as it is. `subscribed: true` lifts it as well, unless a person suppressed the address by hand.",
    ),
    data: optional(dataShape),
    topics,
    pausedUntil: t.Optional(
      t.Union([timeInputShape, t.Null()], {
        description:
          "Marketing email waits until then: a time to come, within 366 days, of a subscribed contact. `null` ends the pause; so does to unsubscribe.",
      }),
    ),
    ifUpdatedAt: ifUpdatedAtOfContact,
  },
  { examples: [{ email: "ada@example.org", data: { plan: "team" } }] },
);

export const upsertedContactShape = t.Object({
  ...contactShape.properties,
  _meta: t.Object({ isNew: t.Boolean(), isUpdate: t.Boolean() }),
});

const inBeacon = "A public key, where no header can be set (`navigator.sendBeacon`). Secret keys are refused here.";
const tracking = t.Object(
  {
    email: addressShape,
    event: t.String({ minLength: 1, maxLength: 255 }),
    subscribed: optional(
      t.Boolean(),
      "A new contact is subscribed unless this is `false`. In a workspace with double opt-in a public key cannot subscribe a contact again: the person is asked by email. Changes that the workspace's `publicKeys` does not allow are ignored.",
    ),
    data: optional(
      dataShape,
      "The event's data, stored with the contact too. `{ value, persistent: false }` and reserved keys are for the event only.",
    ),
    topics: optional(
      choicesInputShape,
      "As of `POST /contacts`. For a contact that exists a public key may say what the workspace's `publicKeys` lets it: `out` is as to unsubscribe, `in` as to subscribe.",
    ),
    doubleOptIn,
    consent: givenConsent,
    key: optional(t.String({ maxLength: 200 }), inBeacon),
  },
  { examples: [{ email: "ada@example.com", event: "order.placed", data: { plan: "pro", total: 42 } }] },
);

export function contactRoutes(access: Access, confirming: ConfirmationServices) {
  return routes(access, [
    route(
      "POST",
      "/contacts", // CONFLICT: the workspace may have no verified domain to send the confirmation mail from.
      {
        name: "upsertContact",
        summary: "Create or update a contact",
        answers: { 200: upsertedContactShape, 201: upsertedContactShape },
        permission: "people.write",
        body: creation,
        refuses: ["CONFLICT"],
      },
      ({ body, caller, request, set }) =>
        answerUpserted(
          access.store,
          { body, caller, request, set, about: ({ id }) => [id] },
          upsertingOf(caller, body, confirming),
        ),
    ),
    get(
      "/contacts/:id",
      {
        name: "getContact",
        summary: "Get a contact",
        answers: { 200: contactShape },
        permission: "read",
        refuses: ["CONTACT_NOT_FOUND"],
      },
      async (reader, { params, caller }) =>
        contactRecord(await findContact(reader, caller.workspace, params.id), caller),
    ),
    patch(
      "/contacts/:id",
      {
        name: "updateContact",
        summary: "Update a contact",
        answers: { 200: contactShape },
        permission: "people.write",
        body: change,
        refuses: ["CONTACT_NOT_FOUND", "CONFLICT"],
        description:
          "`data` is merged into the contact's data; `null` deletes a key. Emails accepted before still go to the old address. " +
          "A PENDING contact must confirm at its new address.",
      },
      async (tx, { params, body, caller }) => {
        const target = { workspace: caller.workspace, id: params.id, cause: causeOf(caller) };
        const change = { ...body, topics: readChoices(body.topics, caller.topics) };
        return contactRecord(await changeContact(tx, target, change, confirming.ask), caller);
      },
    ),
  ]);
}

export function trackRoutes(access: Access, confirming: ConfirmationServices, limits: SignUpLimits) {
  const trackOne = route(
    "POST",
    "/v1/track",
    {
      name: "trackEvent",
      summary: "Record an event of a contact",
      answers: { 200: wrapped(t.Object({ contact: idShape, event: idShape, timestamp: timeShape })) },
      permission: "people.write",
      forSenders: true,
      body: tracking,
      query: t.Object({ key: parameter(t.String({ maxLength: 200 }), inBeacon) }),
      key: "any",
      refuses: ["CONFLICT"],
      description:
        "Creates the contact if it is unknown, and starts the workflows that listen to the event. A public key records the events that the workspace's `publicKeys.events` names: others are FORBIDDEN.",
    },
    ({ body, caller, request, set, server }) => {
      const recordEvent = (mails: ConfirmationMails) =>
        answerTracked(
          access.store,
          { body, caller, request, set, about: ({ data }) => [data.contact] },
          reportOf(caller, body, mails, () => access.clients.whereabouts({ request, server })),
        );
      if (caller.kind !== "public") return recordEvent(confirming);
      const client = limits.clientOf(request, server);
      return withinLimits(limits, { client, isAskedFor: body.subscribed === true, confirming }, recordEvent);
    },
  );
  const forPrograms = alias(trackOne, "POST", "/events/track", "trackEventAlias");
  // Public keys are only for /v1/track.
  const { key: _, ...secretly } = forPrograms.declared;
  return routes(access, [trackOne], anyKey).use(
    routes(access, [{ ...forPrograms, declared: secretly as Declaration }]),
  );
}

const answerUpserted = idempotent(upsert, ({ _meta }) => (_meta.isNew ? 201 : 200));
const answerTracked = idempotent(record, 200);

type UpsertServices = SignUp & Pick<Caller, "workspaceId" | "topics">;

/** @throws AppError VALIDATION_ERROR for an invalid address, or too much data */
function upsertingOf(caller: Caller, body: typeof creation.static, mails: ConfirmationServices): UpsertServices {
  const { email, data, topics, evidence } = readAll({
    email: () => requiredAddress("email", body.email),
    data: () => readData(body.data ?? {}),
    topics: () => readChoices(body.topics, caller.topics),
    evidence: () => evidenceIn(body.consent, caller),
  });
  const input = {
    voice: voiceOf(caller, body.doubleOptIn === true),
    email,
    evidence,
    subscribed: body.subscribed ?? undefined,
    subscribedIfNew: true,
    data: data.stored,
    topics,
    cause: causeOf(caller),
  };
  return { workspace: caller.workspace, workspaceId: caller.workspaceId, topics: caller.topics, input, mails };
}

async function upsert(tx: Tx, upserting: UpsertServices) {
  const { contact, isNew } = await signUp(tx, upserting);
  notifyChange(tx, "contacts", upserting.workspace);
  return { ...contactRecord(contact, upserting), _meta: { isNew, isUpdate: !isNew } };
}

async function record(tx: Tx, report: TrackReport) {
  return success({ ...(await track(tx, report)), timestamp: tx.now });
}
