// What work costs, whatever else the machine is doing.

/** Milliseconds that this process has worked so far. */
export function cpuMs(): number {
  const { user, system } = process.cpuUsage();
  return (user + system) / 1000;
}
