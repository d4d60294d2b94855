// Resend's calls about topics, and about a contact's choices of them.
import { topicsOf } from "../../../audience/topics/queries.ts";
import { findTopic } from "../../../audience/topics/topic.ts";
import { objectIn } from "../fields.ts";
import type { CompatCall, CompatRequest } from "../own-calls.ts";
import { deletion, type CallDeps } from "./call.ts";
import { contactNamed } from "./contacts.ts";
import { listOf, pieceIn, pieceOf } from "./lists.ts";
import { choicesFrom, languageIn, newTopicFrom, subscriptionIn, topicFrom, topicSummary } from "./topic-fields.ts";

export function topicCalls(deps: CallDeps): readonly CompatCall[] {
  const { ours, store } = deps;
  const language = ({ caller }: CompatRequest) => store.read((reader) => languageIn(reader, caller.workspace));
  const requestedTopic = ({ caller, params }: CompatRequest) =>
    store.read((reader) => findTopic(reader, caller.workspace, params["id"] ?? ""));
  const all = ({ caller }: CompatRequest) => store.read((reader) => topicsOf(reader, caller.workspace));
  return [
    {
      method: "POST",
      path: "/topics",
      own: "createTopic",
      work: async (asked) => {
        const body = newTopicFrom(asked, await language(asked));
        const { id } = await ours.ask("createTopic", asked, { body });
        return { object: "topic", id };
      },
    },
    {
      method: "GET",
      path: "/topics",
      own: "listTopics",
      work: async (asked) => {
        const [topics, spoken] = [await all(asked), await language(asked)];
        const { items, hasMore } = pieceOf(topics, pieceIn(asked.request, MOST));
        return listOf(
          items.map((topic) => topicSummary(topic, spoken)),
          hasMore,
        );
      },
    },
    {
      method: "GET",
      path: "/topics/:id",
      own: "getTopic",
      work: async (asked) => ({ object: "topic", ...topicSummary(await requestedTopic(asked), await language(asked)) }),
    },
    {
      method: "PATCH",
      path: "/topics/:id",
      own: "updateTopic",
      work: async (asked) => {
        const topic = await requestedTopic(asked);
        const body = topicFrom(asked, await language(asked), topic);
        await ours.ask("updateTopic", asked, { params: { id: topic.id }, body });
        return { object: "topic", id: topic.id };
      },
    },
    deletion(ours, { object: "topic", path: "/topics/:id", own: "deleteTopic" }, requestedTopic),
    {
      method: "GET",
      path: "/contacts/:id/topics",
      own: "getContact",
      work: async (asked) => {
        const contact = await store.read((reader) => contactNamed(reader, asked.caller, asked.params["id"]));
        const [topics, spoken] = [await all(asked), await language(asked)];
        const { items, hasMore } = pieceOf(topics, pieceIn(asked.request, MOST));
        return listOf(
          items.map((topic) => subscriptionIn(contact.topics, topic, spoken)),
          hasMore,
        );
      },
    },
    {
      method: "PATCH",
      path: "/contacts/:id/topics",
      own: "updateContact",
      work: async (asked) => {
        const { id } = await store.read((reader) => contactNamed(reader, asked.caller, asked.params["id"]));
        const given = Array.isArray(asked.body) ? asked.body : objectIn("request", asked.body)["topics"];
        const topics = choicesFrom(given, await all(asked));
        await ours.ask("updateContact", asked, { params: { id }, body: { topics } });
        return { id };
      },
    },
  ];
}

/** Clients fetch all of them without a limit. */
const MOST = 100;
