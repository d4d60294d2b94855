// The connections to the next hop, and the workspaces that use them. A single workspace leaves one free for the next;
// while several have mail due, each claims its share. A connection that becomes free goes to the workspace that has the
// fewest, however much mail the others have waiting.
import { FairQueue } from "../../../base/brakes/fair-queue.ts";
import type { Shares } from "../../../store/turns.ts";

/** Mails that wait for a connection, of all workspaces together. A fast relay takes this many between two claims. */
const MOST_AHEAD = 200;
/** A workspace's large mails that wait for memory do not count against its other mails, up to this number. */
const MOST_WAITING = 40;
/** The share of the memory for the large mails of one workspace. */
const MOST_MEMORY = 3 / 4;

/** `inHandBytes`: the most bytes of large mails in hand at the same time; a single one may be larger. */
export function memoryOf(inHandBytes: number): FairQueue {
  return new FairQueue(inHandBytes, inHandBytes * MOST_MEMORY);
}

type ConnectionsOptions = {
  /** Connections of this process to the next hop. */
  readonly concurrency: number;
  /** For large mails. */
  readonly memory: FairQueue;
  /** No mail is claimed ahead of a free connection. */
  readonly isStrict: boolean;
};

/** `room`: the number of mails that may be claimed in all. */
type ClaimRoom = Shares & { readonly room: number };

export class Connections {
  readonly #options: ConnectionsOptions;
  readonly #places: FairQueue;
  readonly #memory: FairQueue;
  /** Connections freed since the last claim. */
  #freed = 0;
  /** Mails in hand after the last claim. */
  #window = 0;

  constructor(options: ConnectionsOptions) {
    this.#options = options;
    this.#places = new FairQueue(options.concurrency, this.#mostAlone);
    this.#memory = options.memory;
  }

  /** Runs `work` once there is a connection for the workspace. */
  async run<Result>(workspace: number, work: () => Promise<Result>): Promise<Result> {
    try {
      return await this.#places.run(work, { owner: workspace });
    } finally {
      this.#freed++;
    }
  }

  /** As `run`, with memory for a large mail, which waits for the memory first, without a connection. */
  runLarge<Result>(workspace: number, size: number, work: () => Promise<Result>): Promise<Result> {
    return this.#memory.run(() => this.run(workspace, work), { owner: workspace, size });
  }

  /** The room while these workspaces have mail due. */
  roomFor(due: ReadonlySet<number>): ClaimRoom {
    const ahead = this.#ahead;
    const mostOf = (workspace: number) => Math.max(0, this.#limitOf(workspace, due, ahead) - this.#heldBy(workspace));
    const wanted = due.values().reduce((sum, workspace) => sum + mostOf(workspace), 0);
    const free = this.#options.concurrency + MOST_AHEAD - this.#held;
    const without = [...due].filter((workspace) => mostOf(workspace) === 0);
    return { room: Math.max(0, Math.min(free, wanted)), without, mostOf };
  }

  /** Connections for which no mail waits. */
  get free(): number {
    return Math.max(0, this.#options.concurrency - this.#held);
  }

  /** Half of the mails in hand after the last claim have left: the next claim is worth its statements. */
  get isHalfFree(): boolean {
    return 2 * this.#held <= Math.max(this.#options.concurrency, this.#window);
  }

  /** A claim begins. */
  claiming(): void {
    this.#freed = 0;
  }

  /** `count`: mails that were claimed. */
  claimed(count: number): void {
    this.#window = this.#held + count;
  }

  get #held(): number {
    return this.#places.used + this.#places.waiting;
  }

  get #mostAlone(): number {
    return Math.max(1, this.#options.concurrency - 1);
  }

  #limitOf(workspace: number, due: ReadonlySet<number>, ahead: number): number {
    const others = due.has(workspace) ? due.size - 1 : due.size;
    if (others === 0) return this.#mostAlone + ahead;
    return Math.ceil(this.#options.concurrency / due.size) + Math.ceil(ahead / due.size);
  }

  /**
   * Mails are claimed ahead for the connections that become free until this claim is done and then until the next one:
   * no connection waits for the store.
   */
  get #ahead(): number {
    return this.#options.isStrict ? 0 : 2 * this.#freed;
  }

  #heldBy(workspace: number): number {
    const waitingForMemory = Math.max(0, this.#memory.waitingOf(workspace) - MOST_WAITING);
    return this.#places.usedBy(workspace) + this.#places.waitingOf(workspace) + waitingForMemory;
  }
}
