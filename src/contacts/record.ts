// A contact as the interface shows it (interface.md "Contact").
import type { ContactRow } from "./queries.ts";

export function contactRecord(contact: ContactRow, workspaceId: string) {
  return {
    id: contact.id,
    email: contact.email,
    subscribed: contact.subscribed === 1,
    data: JSON.parse(contact.data) as Record<string, unknown>,
    status: contact.status,
    expiresAt: contact.expires_at,
    projectId: workspaceId,
    createdAt: contact.created_at,
    updatedAt: contact.updated_at,
  };
}
