// The library's server with our connections: a client with too many is refused before any handshake, and handshakes
// have a time limit.
import type { Socket } from "node:net";
import { SMTPServer, type SMTPServerOptions, type SMTPServerSession } from "smtp-server";
import { ListenerConnection } from "./connection.ts";
import { ConnectionSlots, SessionLimits, type ConnectionSlot } from "./session-limits.ts";

type PortServerOptions = SMTPServerOptions & {
  readonly perClient: number;
  /** True for clients that log in: many of them open a connection for each mail. */
  readonly mustLogIn: boolean;
  readonly monotonicMs: () => number;
};

const TO_SHAKE_HANDS_MS = 55_000;

type ConnectionArrival = { readonly slot: ConnectionSlot; readonly atMs: number; hasSession: boolean };

export class PortServer extends SMTPServer {
  readonly #slots: ConnectionSlots;
  /** By the sockets of the system, and the TLS sockets over them. */
  readonly #arrivals = new WeakMap<Socket, ConnectionArrival>();
  readonly #connections = new WeakMap<SMTPServerSession, ListenerConnection>();
  readonly #mustLogIn: boolean;
  readonly #monotonicMs: () => number;

  constructor({ perClient, mustLogIn, monotonicMs, ...options }: PortServerOptions) {
    super(options);
    this.#slots = new ConnectionSlots(perClient);
    this.#mustLogIn = mustLogIn;
    this.#monotonicMs = monotonicMs;
  }

  /** Works even after the client has left. */
  connectionOf(session: SMTPServerSession): ListenerConnection {
    return this.#connections.get(session) as ListenerConnection;
  }

  get all(): readonly ListenerConnection[] {
    return [...this.connections] as ListenerConnection[];
  }

  /** Ends connections that have not reached a session yet. */
  endHandshakes(nowMs: number): void {
    for (const [socket, top] of this._pendingSockets) {
      const arrivedMs = this.#arrivals.get(socket)?.atMs ?? nowMs;
      if (nowMs - arrivedMs >= TO_SHAKE_HANDS_MS) top.destroy();
    }
  }

  override connect(...[socket, options]: Parameters<SMTPServer["connect"]>): void {
    const arrival = this.#arrivals.get(socket);
    const limits = new SessionLimits(arrival?.atMs ?? this.#monotonicMs(), this.#mustLogIn);
    const connection = new ListenerConnection([this, socket, options], limits, arrival?.slot);
    if (arrival) arrival.hasSession = true;
    this.connections.add(connection);
    this.#connections.set(connection.session, connection);
    connection.on("error", (error) => this.emit("error", error));
    connection.init();
    if (this.#mustLogIn) connection.greetAtOnce();
  }

  override _acceptSocket(socket: Socket, handshake: boolean): ReturnType<SMTPServer["_acceptSocket"]> {
    const slot = this.#slots.take(socket.remoteAddress);
    if (!slot) return turnAway(socket, handshake);
    const arrival = { slot, atMs: this.#monotonicMs(), hasSession: false };
    this.#arrivals.set(socket, arrival);
    socket.once("close", () => {
      if (!arrival.hasSession) slot.release();
    });
    return super._acceptSocket(socket, handshake);
  }

  override _upgrade(...[socket, done]: Parameters<SMTPServer["_upgrade"]>): void {
    super._upgrade(socket, (error, secured) => {
      const arrival = this.#arrivals.get(socket);
      if (secured && arrival) this.#arrivals.set(secured, arrival);
      done(error, secured);
    });
  }
}

function turnAway(socket: Socket, handshake: boolean): false {
  socket.on("error", () => false);
  if (handshake) socket.destroy();
  else socket.end("421 4.7.0 Too many connections from your address\r\n", () => socket.destroy());
  return false;
}
