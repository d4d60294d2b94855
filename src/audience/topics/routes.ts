// /topics: the subjects that a workspace writes about.
import { t } from "elysia";
import type { Access } from "../../tenant/access/auth.ts";
import { get, patch, post, remove, routes } from "../../tenant/access/route-table.ts";
import { countShape } from "../../http/answer-shapes.ts";
import { topicsOf } from "./queries.ts";
import { changeShape, creationShape, MOST_TOPICS, topicRecord, topicShape } from "./record.ts";
import { changeTopic, createTopic, findTopic, removeTopic } from "./topic.ts";

const found = ["TOPIC_NOT_FOUND"] as const;

export function topicRoutes(access: Access) {
  return routes(access, [
    get(
      "/topics",
      {
        name: "listTopics",
        summary: "List topics, in their order",
        answers: { 200: t.Object({ topics: t.Array(topicShape), count: countShape }, { title: "Topics" }) },
        permission: "read",
      },
      async (reader, { caller }) => {
        const topics = await topicsOf(reader, caller.workspace);
        return { topics: topics.map(topicRecord), count: topics.length };
      },
    ),
    post(
      "/topics",
      {
        name: "createTopic",
        summary: "Create a topic",
        answers: { 201: topicShape },
        permission: "campaigns.write",
        body: creationShape,
        refuses: ["CONFLICT"],
        description: `A workspace has up to ${MOST_TOPICS}. What people said of a deleted topic with the same key counts again.`,
      },
      async (tx, { body, caller }) => topicRecord(await createTopic(tx, caller, body)),
    ),
    get(
      "/topics/:id",
      {
        name: "getTopic",
        summary: "Get a topic",
        answers: { 200: topicShape },
        permission: "read",
        refuses: found,
        description: "By its id or its key, as in the other calls.",
      },
      async (reader, { params, caller }) => topicRecord(await findTopic(reader, caller.workspace, params.id)),
    ),
    patch(
      "/topics/:id",
      {
        name: "updateTopic",
        summary: "Change a topic",
        answers: { 200: topicShape },
        permission: "campaigns.write",
        body: changeShape,
        refuses: [...found, "CONFLICT"],
        description: "The key stays. `name` and `description` replace all languages; `position` moves the topic.",
      },
      async (tx, { params, body, caller }) => topicRecord(await changeTopic(tx, caller, params.id, body)),
    ),
    remove(
      "/topics/:id",
      {
        name: "deleteTopic",
        summary: "Delete a topic",
        answers: { 204: null },
        permission: "campaigns.write",
        refuses: [...found, "CONFLICT"],
        description:
          "Not while a segment, a campaign that is not sent, a template, a workflow or a form uses it (`reason`: `topic_in_use`).",
      },
      (tx, { params, caller }) => removeTopic(tx, caller.workspace, params.id),
    ),
  ]);
}
