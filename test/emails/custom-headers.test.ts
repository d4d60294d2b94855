// Which header fields a caller may set: src/content/mime/custom-headers.ts.
import { describe, expect, test } from "bun:test";
import { headerProblem } from "../../src/content/mime/custom-headers.ts";

describe("fields that we or the carriers write cannot be set", () => {
  test.each([
    ...["From", "To", "Cc", "Bcc", "Sender", "Subject", "Date", "Message-ID", "MIME-Version", "DKIM-Signature"],
    ...["Return-Path", "Received", "Content-Type", "Content-Transfer-Encoding", "Content-Anything"],
    ...["bcc", "FROM", "message-id", "X-SES-CONFIGURATION-SET"],
  ])("%s", (name) => {
    expect(headerProblem(name, "x")).toBe("is set by the platform");
  });
});

describe("fields that only carriers write cannot be set", () => {
  test.each([
    ...["Resent-From", "Resent-To", "resent-bcc", "RESENT-SENDER", "ARC-Seal", "arc-message-signature"],
    ...["Apparently-To", "Authentication-Results", "ARC-Authentication-Results", "Errors-To"],
  ])("%s", (name) => {
    expect(headerProblem(name, "x")).toBe("may only be set by the servers that carry the email");
  });
});

describe("all others can be", () => {
  test.each([
    ...["X-Campaign", "List-Unsubscribe", "List-Unsubscribe-Post", "List-Id", "Feedback-ID", "Reply-To", "References"],
    ...["In-Reply-To", "Precedence", "Auto-Submitted", "Importance", "X-Entity-Ref-ID", "Fromage", "X_1.2"],
    ...["Disposition-Notification-To", "Resentful", "X-Authentication-Results"],
  ])("%s", (name) => {
    expect(headerProblem(name, "x".repeat(998))).toBeNull();
  });
});

test("what is not the name of a field is refused", () => {
  for (const name of ["", " ", "X Y", "X:", "X\r\nBcc", "X\n", "X\0", "Ünï", "X\t", "(X)", "x".repeat(101)]) {
    expect(headerProblem(name, "x")).toBe("is not the name of a header field");
  }
});

test("values stay on one line and within its length", () => {
  for (const value of ["a\rb", "a\nb", "a\r\n b", "\n", "a\0"]) {
    expect(headerProblem("X-A", value)).toBe("must not contain line breaks or NUL");
  }
  expect(headerProblem("X-A", "x".repeat(999))).toBe("must not be longer than 998 characters");
  expect(headerProblem("X-A", "Grüße\tan alle")).toBeNull();
});
