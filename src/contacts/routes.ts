// /contacts and /v1/track (interface.md).
import { Elysia, t } from "elysia";
import { readAll } from "../errors.ts";
import { requiredAddress } from "../http/address-field.ts";
import { idShape, timeShape, wrapped } from "../http/answer-shapes.ts";
import { answers, type Notes } from "../http/answers.ts";
import { answerOnce } from "../http/idempotency.ts";
import { success } from "../http/replies.ts";
import { addressShape, dataShape, idParams, optional } from "../http/schemas.ts";
import { asBody } from "../http/shape.ts";
import type { Tx } from "../store/store.ts";
import { anyKey, secretKey, type Access } from "../workspaces/auth.ts";
import type { Caller } from "../workspaces/key-set.ts";
import { changeContact, readChange } from "./change.ts";
import { findContact } from "./contact.ts";
import { readData } from "./data.ts";
import { contactRecord, contactShape } from "./record.ts";
import { withinLimits, type SignUpGuard, type SignUpLimits } from "./sign-up-limits.ts";
import { signUp, type AskToConfirm } from "./sign-up.ts";
import { track } from "./track.ts";

const doubleOptIn = optional(
  t.Boolean(),
  "A new contact is PENDING until the person confirms by mail. Always so where the workspace has it switched on.",
);
/** There may be nowhere to send the confirmation mail from. */
const ASKING: Notes = { refuses: ["CONFLICT"] };

const creation = t.Object(
  {
    email: addressShape,
    subscribed: optional(t.Boolean(), "A new contact is subscribed unless this says no."),
    data: optional(dataShape, "Merged into what is known; `null` deletes a key."),
    doubleOptIn,
  },
  { examples: [{ email: "ada@example.com", subscribed: true, data: { name: "Ada", plan: "pro" } }] },
);

const change = t.Object(
  { email: optional(addressShape), subscribed: optional(t.Boolean()), data: optional(dataShape) },
  { examples: [{ email: "ada@example.org", data: { plan: "team" } }] },
);

const upserted = t.Object({
  ...contactShape.properties,
  _meta: t.Object({ isNew: t.Boolean(), isUpdate: t.Boolean() }),
});

const tracking = t.Object(
  {
    email: addressShape,
    event: t.String({ minLength: 1, maxLength: 255 }),
    subscribed: optional(
      t.Boolean(),
      "A new contact is subscribed unless this says no. Where the workspace has double opt-in, a public key subscribes nobody again: the person is asked by mail. Changes that `publicKeys` of the workspace does not allow are ignored.",
    ),
    data: optional(
      dataShape,
      "The event's data, kept with the contact too. `{ value, persistent: false }` and reserved keys are for the event only.",
    ),
    doubleOptIn,
  },
  { examples: [{ email: "ada@example.com", event: "order.placed", data: { plan: "pro", total: 42 } }] },
);

const tracked = wrapped(t.Object({ contact: idShape, event: idShape, timestamp: timeShape }));

/** What is above this room knows of the mails that go as well. */
type EraseContact = (tx: Tx, workspace: number, id: string) => Promise<void>;

export function contactRoutes(access: Access, ask: AskToConfirm, erase: EraseContact) {
  const { store } = access;
  return new Elysia({ prefix: "/contacts" })
    .use(secretKey(access))
    .post(
      "",
      ({ body, caller, request, set }) =>
        answerOnce(
          store,
          { body, caller, request, set, about: ({ id }: { readonly id: string }) => [id] },
          (tx) => upsert(tx, caller, body, ask),
          ({ _meta }) => (_meta.isNew ? 201 : 200),
        ),
      {
        body: asBody(creation),
        detail: answers("Create or update a contact", { 200: upserted, 201: upserted }, ASKING),
      },
    )
    .get(
      "/:id",
      async ({ params, caller }) =>
        contactRecord(
          await store.read((reader) => findContact(reader, caller.workspace, params.id)),
          caller.workspaceId,
        ),
      {
        params: idParams,
        detail: answers("Look at a contact", { 200: contactShape }, { refuses: ["CONTACT_NOT_FOUND"] }),
      },
    )
    .patch(
      "/:id",
      async ({ params, body, caller }) => {
        const wish = readChange(body);
        return contactRecord(
          await store.write((tx) => changeContact(tx, { workspace: caller.workspace, id: params.id, ask }, wish)),
          caller.workspaceId,
        );
      },
      {
        params: idParams,
        body: asBody(change),
        detail: answers(
          "Change a contact",
          { 200: contactShape },
          {
            refuses: ["CONTACT_NOT_FOUND", "CONFLICT"],
            description:
              "`data` is merged into what is there; `null` takes a key away. Mails that were accepted go where they were sent. " +
              "A PENDING contact is asked to confirm at its new address.",
          },
        ),
      },
    )
    .delete(
      "/:id",
      async ({ params, caller, set }) => {
        await store.write((tx) => erase(tx, caller.workspace, params.id));
        set.status = 204;
      },
      {
        params: idParams,
        detail: answers(
          "Erase a contact",
          { 204: null },
          {
            refuses: ["CONTACT_NOT_FOUND"],
            description: "Its mails, their contents and its events go too; a long history takes a few seconds more.",
          },
        ),
      },
    );
}

export function trackRoutes(access: Access, ask: AskToConfirm, limits: SignUpLimits) {
  const { store } = access;
  return new Elysia().use(anyKey(access)).post(
    "/v1/track",
    ({ body, caller, request, set, server }) => {
      const record = (guard: SignUpGuard) => {
        const work = async (tx: Tx) => success({ ...(await track(tx, caller, body, guard)), timestamp: tx.now });
        return answerOnce(store, { body, caller, request, set, about: ({ data }) => [data.contact] }, work, 200);
      };
      if (caller.kind === "secret") return record({ ask, admitNew: () => undefined });
      const client = limits.clientOf(request, server?.requestIP(request)?.address);
      return withinLimits(limits, { client, isAskedFor: body.subscribed === true, ask }, record);
    },
    {
      body: asBody(tracking),
      detail: answers("Record an event of a contact", { 200: tracked }, { ...ASKING, key: "any" }),
    },
  );
}

async function upsert(tx: Tx, caller: Caller, body: typeof creation.static, ask: AskToConfirm) {
  const { email, data } = readAll({
    email: () => requiredAddress("email", body.email),
    data: () => readData(body.data ?? {}),
  });
  const wish = {
    email,
    subscribed: body.subscribed ?? undefined,
    subscribedIfNew: true,
    data: data.stored,
    doubleOptIn: caller.doubleOptIn || body.doubleOptIn === true,
  };
  const { contact, isNew } = await signUp(tx, caller.workspace, wish, { ask });
  return { ...contactRecord(contact, caller.workspaceId), _meta: { isNew, isUpdate: !isNew } };
}
