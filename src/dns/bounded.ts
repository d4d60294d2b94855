// Resolvers that ask no more than is fit: so many questions at once, and all of one purpose within a time.
import { DnsError, type Found, type Resolver } from "../dns.ts";
import type { RecordType } from "./message.ts";

/** Asks only `most` questions at once; the others wait for their turn, first come first served. */
export function boundedResolver(resolver: Resolver, most: number): Resolver {
  const waiting: (() => void)[] = [];
  let asking = 0;
  const find = async (name: string, type: RecordType): Promise<Found> => {
    if (asking < most) asking++;
    else await new Promise<void>((resolve) => waiting.push(resolve));
    try {
      return await resolver.find(name, type);
    } finally {
      const next = waiting.shift();
      if (next) next();
      else asking--;
    }
  };
  return withFind(find);
}

/** Asks nothing twice; what has no answer after `longestMs`, counted from now, gets none. */
export function hurriedResolver(resolver: Resolver, longestMs: number): Resolver {
  const answers = new Map<string, Promise<Found>>();
  const end = AbortSignal.timeout(longestMs);
  const over = new Promise<never>((_, reject) => {
    end.addEventListener("abort", () => reject(new DnsError("The DNS records could not all be looked up in time.")));
  });
  over.catch(() => undefined);
  const find = (name: string, type: RecordType): Promise<Found> => {
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
