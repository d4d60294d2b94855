// Resolvers with a limit: on concurrent questions, or on the time that all questions of one purpose may take.
import { FairQueue } from "../brakes/fair-queue.ts";
import { DnsError, type DnsResult, type Resolver } from "../dns.ts";
import type { RecordType } from "./message.ts";

/** Asks at most `maxQuestions` questions at a time. */
export function boundedResolver(resolver: Resolver, maxQuestions: number): Resolver {
  const queue = new FairQueue(maxQuestions);
  return withFind((name, type) => queue.run(() => resolver.find(name, type)));
}

/** Asks nothing twice; a question without an answer after `longestMs`, counted from now, throws DnsError. */
export function deadlineResolver(resolver: Resolver, longestMs: number): Resolver {
  const answers = new Map<string, Promise<DnsResult>>();
  const end = AbortSignal.timeout(longestMs);
  const over = new Promise<never>((_, reject) => {
    end.addEventListener("abort", () => reject(new DnsError("The DNS records could not all be looked up in time.")));
  });
  over.catch(() => undefined);
  const find = (name: string, type: RecordType): Promise<DnsResult> => {
    const key = `${type} ${name}`;
    const answer = answers.get(key) ?? Promise.race([resolver.find(name, type), over]);
    answers.set(key, answer);
    return answer;
  };
  return withFind(find);
}

function withFind(find: Resolver["find"]): Resolver {
  return { find, txt: async (name) => (await find(name, "TXT")).records };
}
