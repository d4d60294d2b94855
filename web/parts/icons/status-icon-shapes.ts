// The status icons, 14 px. Each has its own outline, so it reads without colour.

export type StatusIconShape = {
  readonly line?: string;
  readonly dashed?: string;
  /** Without an outline. */
  readonly solid?: string;
  readonly filled?: string;
  /** Drawn over the filled part, in the background colour. */
  readonly over?: string;
};

export const STATUS_ICONS = {
  queued: { dashed: "M1.75 7a5.25 5.25 0 1 0 10.5 0a5.25 5.25 0 1 0 -10.5 0Z" },
  sending: {
    line: "M1.75 7a5.25 5.25 0 1 0 10.5 0a5.25 5.25 0 1 0 -10.5 0Z",
    solid: "M7 1.75a5.25 5.25 0 0 1 0 10.5Z",
  },
  sent: { line: "M1.75 7a5.25 5.25 0 1 0 10.5 0a5.25 5.25 0 1 0 -10.5 0ZM4.7 7.2l1.6 1.6 3-3.4" },
  delivered: { filled: "M1.75 7a5.25 5.25 0 1 0 10.5 0a5.25 5.25 0 1 0 -10.5 0Z", over: "M4.7 7.2l1.6 1.6 3-3.4" },
  bounced: { filled: "M7 .9 13.1 7 7 13.1.9 7Z", over: "M9.3 7H4.9M6.5 5.2 4.7 7l1.8 1.8" },
  failed: {
    filled:
      "M4 1.5h6a2.5 2.5 0 0 1 2.5 2.5v6a2.5 2.5 0 0 1 -2.5 2.5h-6a2.5 2.5 0 0 1 -2.5 -2.5v-6a2.5 2.5 0 0 1 2.5 -2.5Z",
    over: "M5 5l4 4M9 5 5 9",
  },
  complained: { filled: "M7 1.5 13 12H1L7 1.5Z", over: "M7 5.4v2.7M7 10.2v.01" },
  warn: { line: "M7 1.75 12.75 12H1.25L7 1.75ZM7 5.75v2.5M7 10.1v.01" },
  skipped: { line: "M1.75 7a5.25 5.25 0 1 0 10.5 0a5.25 5.25 0 1 0 -10.5 0ZM4.75 7h4.5" },
  cancelled: { line: "M1.75 7a5.25 5.25 0 1 0 10.5 0a5.25 5.25 0 1 0 -10.5 0ZM3.3 10.7l7.4-7.4" },
  held: { line: "M1.75 7a5.25 5.25 0 1 0 10.5 0a5.25 5.25 0 1 0 -10.5 0ZM5.6 5v4M8.4 5v4" },
  received: {
    line: "M4.25 1.75h5.5a2.5 2.5 0 0 1 2.5 2.5v5.5a2.5 2.5 0 0 1 -2.5 2.5h-5.5a2.5 2.5 0 0 1 -2.5 -2.5v-5.5a2.5 2.5 0 0 1 2.5 -2.5ZM7 4v5.5M4.9 7.5 7 9.6l2.1-2.1",
  },
  draft: {
    dashed:
      "M4.25 1.75h5.5a2.5 2.5 0 0 1 2.5 2.5v5.5a2.5 2.5 0 0 1 -2.5 2.5h-5.5a2.5 2.5 0 0 1 -2.5 -2.5v-5.5a2.5 2.5 0 0 1 2.5 -2.5Z",
  },
  scheduled: { line: "M1.75 7a5.25 5.25 0 1 0 10.5 0a5.25 5.25 0 1 0 -10.5 0ZM7 4.2V7l1.8 1.2" },
  on: {
    line: "M1.75 7a5.25 5.25 0 1 0 10.5 0a5.25 5.25 0 1 0 -10.5 0Z",
    solid: "M4.75 7a2.25 2.25 0 1 0 4.5 0a2.25 2.25 0 1 0 -4.5 0Z",
  },
  off: { line: "M1.75 7a5.25 5.25 0 1 0 10.5 0a5.25 5.25 0 1 0 -10.5 0Z" },
  opened: {
    line: "M1.25 7S3.25 3.25 7 3.25 12.75 7 12.75 7 10.75 10.75 7 10.75 1.25 7 1.25 7ZM5.5 7a1.5 1.5 0 1 0 3 0a1.5 1.5 0 1 0 -3 0Z",
  },
  clicked: { line: "M4.5 4.5l7.5 3-3.3 1.2L7.5 12l-3-7.5ZM4 1.5v.75M1.5 4h.75M2.2 2.2l.5.5" },
  accepted: { line: "M1.5 7h6M5 4.5 7.5 7 5 9.5M8 1.75h2.75c1 0 1.5.5 1.5 1.5v7.5c0 1-.5 1.5-1.5 1.5H8" },
  waiting: { line: "M4.9 7h.01M7 7h.01M9.1 7h.01", dashed: "M1.75 7a5.25 5.25 0 1 0 10.5 0a5.25 5.25 0 1 0 -10.5 0Z" },
  changed: { line: "M2 7h10M8.5 3.5 12 7l-3.5 3.5" },
  info: { line: "M1.75 7a5.25 5.25 0 1 0 10.5 0a5.25 5.25 0 1 0 -10.5 0ZM7 6.5v3M7 4.4v.01" },
  dot: { solid: "M4.5 7a2.5 2.5 0 1 0 5 0a2.5 2.5 0 1 0 -5 0Z" },
  plus: { line: "M7 2.5v9M2.5 7h9" },
  check: { line: "M2.5 7.3l3 3 6-6.6" },
  cross: { line: "M3.25 3.25l7.5 7.5M10.75 3.25l-7.5 7.5" },
  unsub: { line: "M1.75 7a5.25 5.25 0 1 0 10.5 0a5.25 5.25 0 1 0 -10.5 0ZM5 5l4 4M9 5 5 9" },
  machine: {
    line: "M3.75 4h6.5a1.75 1.75 0 0 1 1.75 1.75v4a1.75 1.75 0 0 1 -1.75 1.75h-6.5a1.75 1.75 0 0 1 -1.75 -1.75v-4a1.75 1.75 0 0 1 1.75 -1.75ZM7 4V1.75M5 7.25v.01M9 7.25v.01",
  },
} as const satisfies Record<string, StatusIconShape>;
