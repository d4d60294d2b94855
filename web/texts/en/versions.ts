// Versions of what is written, in English.

export const versions = {
  title: "Versions",
  count: (count: number) => (count === 1 ? "1 version" : `${count} versions`),
  now: "Now",
  program: "a program",
  against: "What is compared",
  changed: "What it changed",
  toNow: "What changed since",
  same: "Both say the same.",
  restore: "Restore this version",
  isNow: "This is what it says now.",
  restored: "Restored. What it said before is kept as a version, too.",
};
