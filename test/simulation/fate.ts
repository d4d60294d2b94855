// When a process dies: after so many places at which it might. From then on nothing that it does has any effect.

export class Crash extends Error {
  override readonly name = "Crash";
}

export class Fate {
  #isDead = false;
  #placesLeft: number;

  /** `placesLeft`: Infinity = it lives on. */
  constructor(placesLeft: number) {
    this.#placesLeft = placesLeft;
  }

  get isDead(): boolean {
    return this.#isDead;
  }

  /** A place at which the process may die. @throws Crash */
  pass(): void {
    if (!this.#isDead && --this.#placesLeft <= 0) this.#isDead = true;
    this.live();
  }

  /** @throws Crash if the process is dead */
  live(): void {
    if (this.#isDead) throw new Crash("The process is dead.");
  }

  /** It dies after so many more places. */
  doom(placesLeft: number): void {
    this.#placesLeft = placesLeft;
  }

  /** The simulation goes on to its end. */
  spare(): void {
    this.#placesLeft = Infinity;
  }
}
