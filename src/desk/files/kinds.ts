// The table of kinds that files keep: the fields of each, and the verbs of its room that read and write it, so that the
// rules are those of its door.
import { AppError } from "../../base/errors.ts";
import { creationShape as topicShape, topicRecord } from "../../audience/topics/record.ts";
import { changeTopic, createTopic, findTopic, removeTopic } from "../../audience/topics/topic.ts";
import { creation as segmentShape } from "../../audience/segments/routes.ts";
import { changeSegment, createSegment, findSegment, removeSegment } from "../../audience/segments/segment.ts";
import { creation as blockShape } from "../../content/templates/blocks/routes.ts";
import { changeBlock, createBlock, findBlock, removeBlock } from "../../content/templates/blocks/block.ts";
import { findBrand, NO_BRAND, replaceBrand } from "../../content/templates/brand/brand.ts";
import { brandInputShape } from "../../content/templates/brand/shape.ts";
import { creation as templateShape } from "../../content/templates/input-shape.ts";
import { templateRecord } from "../../content/templates/record.ts";
import { changeTemplate, createTemplate, findTemplate, removeTemplate } from "../../content/templates/template.ts";
import { changeForm, createForm, findForm, removeForm } from "../../programs/forms/form.ts";
import { creationShape as formShape, formRecord } from "../../programs/forms/record.ts";
import { formWithKey } from "../../programs/forms/queries.ts";
import {
  changeEndpoint,
  createEndpoint,
  findEndpoint,
  removeEndpoint,
} from "../../programs/webhooks/endpoints/endpoint.ts";
import { endpointInputShape } from "../../programs/webhooks/endpoints/record.ts";
import { maskedHeaders } from "../../programs/webhooks/sending/url.ts";
import type { Fields, KeptKind } from "./kind.ts";
import { inCondition } from "./names.ts";
import type { FileKind } from "./record.ts";
import { WORKFLOWS } from "./workflows.ts";

const NO_FIELDS = { name: undefined, description: null };

const TOPICS: KeptKind = {
  permission: "campaigns.write",
  fields: { name: undefined, description: {}, default: "in", visible: true, position: undefined },
  shape: topicShape,
  read: async (reader, workspace, id) => topicRecord(await findTopic(reader, workspace, id)),
  create: async (tx, { caller }, key, input) => (await createTopic(tx, caller, { ...input, key } as never)).id,
  change: (tx, { caller }, id, input) => changeTopic(tx, caller, id, input),
  remove: (tx, { caller }, id) => removeTopic(tx, caller.workspace, id),
};

const SEGMENTS: KeptKind = {
  permission: "campaigns.write",
  fields: { ...NO_FIELDS, type: "DYNAMIC", condition: null, trackMembership: false },
  shape: segmentShape,
  read: (reader, workspace, id) => findSegment(reader, workspace, id),
  create: async (tx, { caller }, _, input) =>
    (await createSegment(tx, caller.workspace, { ...input, by: caller.by })).id,
  // Null would leave the condition unchanged; an empty one is refused.
  change: (tx, { caller }, id, { condition, ...input }) =>
    changeSegment(tx, caller, id, { ...input, condition: condition ?? {}, by: caller.by }),
  remove: (tx, { caller }, id) => removeSegment(tx, caller.workspace, id),
  withNames: ({ condition, ...fields }, names) => ({
    ...fields,
    condition: inCondition(condition, (id) => names.nameOf("segments", id)),
  }),
  withIds: ({ condition, ...fields }, names) => ({
    ...fields,
    condition: inCondition(condition, (name) => names.idOf("segments", name)),
  }),
};

const TEMPLATES: KeptKind = {
  permission: "templates.write",
  fields: {
    ...NO_FIELDS,
    type: "TRANSACTIONAL",
    subject: undefined,
    preheader: null,
    from: null,
    fromName: null,
    replyTo: null,
    topic: null,
    tags: [],
    metadata: {},
    publishManually: false,
    body: undefined,
    text: null,
    design: null,
  },
  shape: templateShape,
  read: async (reader, workspace, id) => templateRecord(await findTemplate(reader, workspace, id), ""),
  create: async (tx, { caller }, alias, input) => (await createTemplate(tx, caller, { ...input, alias })).id,
  change: (tx, { caller }, id, input) => changeTemplate(tx, caller, id, input),
  remove: (tx, { caller }, id) => removeTemplate(tx, caller, id),
};

const BLOCKS: KeptKind = {
  permission: "templates.write",
  fields: { name: undefined, body: "", design: null },
  shape: blockShape,
  read: (reader, workspace, id) => findBlock(reader, workspace, id),
  create: async (tx, { caller }, _, input) => (await createBlock(tx, caller, input)).id,
  change: (tx, { caller }, id, input) => changeBlock(tx, caller, id, input),
  remove: (tx, { caller }, id) => removeBlock(tx, caller.workspace, id),
};

const BRAND: KeptKind = {
  permission: "templates.write",
  fields: NO_BRAND,
  shape: brandInputShape,
  read: async (reader, workspace) => (await findBrand(reader, workspace)).brand,
  create: async (tx, { caller }, name, input) => {
    if (name !== "brand") throw new AppError("CONFLICT", "A workspace has one brand: its files are called brand.");
    await replaceBrand(tx, caller, input);
    return name;
  },
  change: (tx, { caller }, _, input) => replaceBrand(tx, caller, input),
  remove: (tx, { caller }) => replaceBrand(tx, caller, {}),
};

const FORMS: KeptKind = {
  permission: "campaigns.write",
  fields: {
    name: undefined,
    enabled: true,
    title: {},
    intro: {},
    button: {},
    fields: [],
    consent: null,
    doubleOptIn: true,
    redirectUrl: null,
    confirmedUrl: null,
    sites: [],
    segment: null,
    topics: [],
    besides: {},
    event: null,
    tags: [],
  },
  shape: formShape,
  read: async (reader, workspace, id) => {
    const form = formRecord(await findForm(reader, workspace, id), { workspaceId: "", baseUrl: "" });
    const { consent } = form;
    const fields = form.fields.map(withoutEmpty);
    return { ...form, fields, consent: consent && { wording: consent.wording, checkbox: consent.checkbox } };
  },
  // Keys are used once in the whole installation: where the name is taken, the form makes its own.
  create: async (tx, { caller }, name, input) =>
    (await createForm(tx, caller, { ...input, key: (await formWithKey(tx, name)) ? null : name })).id,
  change: (tx, { caller }, id, input) => changeForm(tx, caller, id, input),
  remove: (tx, { caller }, id) => removeForm(tx, caller.workspace, id),
  withNames: ({ segmentId, ...fields }, names) => ({
    ...fields,
    segment: segmentId ? names.nameOf("segments", String(segmentId)) : null,
  }),
  withIds: ({ segment, ...fields }, names) => ({
    ...fields,
    segmentId: typeof segment === "string" ? names.idOf("segments", segment) : segment,
  }),
  placed: (field) => field.replace(/^segmentId$/, "segment"),
};

const WEBHOOKS: KeptKind = {
  permission: "keys",
  fields: {
    url: undefined,
    events: undefined,
    description: "",
    format: "posthorn",
    tags: [],
    headers: {},
    enabled: true,
  },
  shape: endpointInputShape,
  read: async (reader, workspace, id) => {
    const { description, ...endpoint } = await findEndpoint(reader, workspace, id);
    return { ...endpoint, description: description ?? "" };
  },
  create: async (tx, { caller, secrets, webhookAllow: allow }, _, input) =>
    (await createEndpoint(tx, caller.workspace, input as never, { secrets, allow })).id,
  change: (tx, { caller: { workspace }, webhookAllow }, id, input) =>
    changeEndpoint(tx, { workspace, id }, input, webhookAllow),
  remove: (tx, { caller }, id) => removeEndpoint(tx, caller.workspace, id),
  masked: ({ headers, ...fields }) => ({ ...fields, headers: maskedHeaders(headers as Record<string, string>) }),
};

export const KIND: Readonly<Record<FileKind, KeptKind>> = {
  topics: TOPICS,
  segments: SEGMENTS,
  templates: TEMPLATES,
  blocks: BLOCKS,
  brand: BRAND,
  forms: FORMS,
  workflows: WORKFLOWS,
  webhooks: WEBHOOKS,
};

/** Without empty fields. */
function withoutEmpty(fields: Fields): Fields {
  const says = (value: unknown) => value !== null && value !== false && Object.keys(Object(value)).length > 0;
  return Object.fromEntries(
    Object.entries(fields).filter(([, value]) => (typeof value === "object" || value === false ? says(value) : true)),
  );
}
