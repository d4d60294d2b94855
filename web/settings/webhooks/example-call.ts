// The call that creates a first webhook: a workflow that reports sign-ups to another server.
export const EXAMPLE_CALL = {
  method: "POST",
  path: "/workflows",
  body: {
    name: "After a sign-up",
    eventName: "signup",
    enabled: true,
    steps: [{ type: "WEBHOOK", name: "Tell the shop", config: { url: "https://shop.example.com/hooks/posthorn" } }],
  },
} as const;
