// A screen with one list: the head with a filled button, then the list.
import type { ReactNode } from "react";
import { curlOf, type ScreenCall } from "../calls/curl.ts";
import { Bar } from "../parts/bar.tsx";
import { Button } from "../parts/button.tsx";
import { Empty } from "../parts/layout.tsx";
import { HeadActions, type HeadAction } from "./head-actions.tsx";
import { List, type ListProps, type ListTexts } from "./list.tsx";
import { NewButton, type NewButtonProps } from "./new-button.tsx";

type ScreenTexts = ListTexts & {
  readonly title: string;
  readonly make: string;
  readonly find: string;
  readonly empty: { readonly title: string; readonly text: string };
};

type ListScreenProps<Item> = Omit<ListProps<Item>, "name" | "texts" | "search" | "empty"> & {
  readonly texts: ScreenTexts;
  /** The API call behind the screen. */
  readonly call: ScreenCall;
  readonly live?: boolean;
  readonly make: Omit<NewButtonProps, "name">;
  /** An example of the call that creates a record, for an empty list. */
  readonly example: ScreenCall;
  /** The search field; `value`: the words in the URL. */
  readonly search?: Omit<NonNullable<ListProps<Item>["search"]>, "name">;
  /** Further actions on the list. */
  readonly actions?: readonly HeadAction[];
  /** Shown before the actions. */
  readonly tools?: ReactNode;
  /** Another first step, beside the button of an empty list. */
  readonly orElse?: ReactNode;
  readonly children?: ReactNode;
};

export function ListScreen<Item>(props: ListScreenProps<Item>) {
  const { call, live, make, example, search, actions, tools, orElse, isNarrowed, children, ...list } = props;
  const { title, make: name, find, empty } = props.texts;
  return (
    <div className="fill list-screen">
      <Bar
        title={title}
        call={call}
        live={live}
        actions={
          <>
            {tools}
            {actions && <HeadActions actions={actions} />}
            <NewButton {...make} name={name} />
          </>
        }
      />
      <List
        {...list}
        name={title}
        {...(search && { search: { ...search, name: find } })}
        isNarrowed={isNarrowed || search?.value !== undefined}
        empty={
          <Empty title={empty.title} curl={curlOf(example)} action={<Begin {...make} name={name} orElse={orElse} />}>
            {empty.text}
          </Empty>
        }
      />
      {children}
    </div>
  );
}

function Begin({
  name,
  run,
  disabledReason,
  orElse,
}: Omit<NewButtonProps, "id" | "icon"> & { readonly orElse: ReactNode }) {
  return (
    <span className="inline wrap">
      <Button icon="plus" disabledReason={disabledReason} onClick={run}>
        {name}
      </Button>
      {orElse}
    </span>
  );
}
