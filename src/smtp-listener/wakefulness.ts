// A client on this machine answers a reply within some 30 µs. To fall asleep in between and wake up takes the event loop longer than
// that, four times a mail: it stays awake for those who answer at once.
import { systemClock } from "../clock.ts";

/** Who answers within that is close by. */
const PROMPT_MS = 0.2;
/** How long what such a client says next is waited for awake. */
const AWAKE_MS = 0.1;

type Time = {
  /** Always the machine's own: the loop that is kept awake is the machine's, too. */
  readonly nowMs: () => number;
  /** Calls back in the next turn of the event loop, which then does not sleep before it. */
  readonly inNextTurn: (callback: () => void) => void;
};

const TIME: Time = {
  nowMs: () => systemClock.monotonicMs(),
  inNextTurn: (callback) => void setImmediate(callback),
};

/** One for all connections: the event loop is one. */
export class Wakefulness {
  #untilMs = 0;
  #isAwake = false;

  constructor(private readonly time: Time = TIME) {}

  newConversation(): Conversation {
    return new Conversation(this.time, (untilMs) => this.#stayAwake(untilMs));
  }

  #stayAwake(untilMs: number): void {
    this.#untilMs = untilMs;
    if (this.#isAwake) return;
    this.#isAwake = true;
    this.time.inNextTurn(this.#turn);
  }

  readonly #turn = (): void => {
    this.#isAwake = this.time.nowMs() < this.#untilMs;
    if (this.#isAwake) this.time.inNextTurn(this.#turn);
  };
}

/** What is said on one connection, in turns. */
export class Conversation {
  #repliedMs = -Infinity;
  #isPrompt = false;

  constructor(
    private readonly time: Time,
    private readonly stayAwake: (untilMs: number) => void,
  ) {}

  /** The client has said something. */
  heard(): void {
    this.#isPrompt = this.time.nowMs() - this.#repliedMs < PROMPT_MS;
  }

  /** It has got its reply. */
  replied(): void {
    this.#repliedMs = this.time.nowMs();
    if (this.#isPrompt) this.stayAwake(this.#repliedMs + AWAKE_MS);
  }
}
