// The search parameters of the screens of segments.
export type SegmentsSearch = { readonly search?: string };
export const TABS = ["builder", "people", "history"] as const;
export type SegmentTab = (typeof TABS)[number];
/** `why`: the address of the person to check. */
export type SegmentSearch = { readonly tab?: SegmentTab | undefined; readonly why?: string };
/** `event`: starts with people who have this event. */
export type NewSegmentSearch = { readonly event?: string };
