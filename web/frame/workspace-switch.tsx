// The workspace whose mail is shown; a menu where there are several, and for owners, who make new ones.
import { useRouter } from "@tanstack/react-router";
import { useTexts } from "../language.ts";
import { Horn, Icon } from "../parts/icon.tsx";
import { LazyMenu } from "../parts/lazy-menu.tsx";
import type { MenuEntry } from "../parts/menu.tsx";
import { chooseWorkspace, useMe, useMembership } from "../session.ts";
import { frameTexts } from "../texts/areas.ts";

export function WorkspaceSwitch() {
  const t = useTexts(frameTexts);
  const { workspaces, owner } = useMe();
  const membership = useMembership();
  const router = useRouter();
  const shown = (
    <>
      <Horn />
      <span className="cut">{membership?.name ?? "Posthorn"}</span>
    </>
  );
  if (workspaces.length < 2 && !owner) return <div className="ws">{shown}</div>;
  const choose = async (id: string) => {
    const { mayLeave } = await import("../unsaved.ts");
    if (!(await mayLeave())) return;
    chooseWorkspace(id);
    await router.navigate({ to: "/" });
    await router.invalidate();
  };
  const make = () => void router.navigate({ to: "/set-up/server", search: { new: true } });
  const entries: MenuEntry[] = workspaces.map(({ id, name, role }) => ({
    id,
    name,
    note: t.roles[role],
    chosen: id === membership?.id,
    run: () => void choose(id),
  }));
  if (owner) entries.push("line", { id: "new", name: t.newWorkspace, run: make });
  return (
    <LazyMenu className="ws" label={t.switchWorkspace} entries={entries}>
      {shown}
      <Icon name="updown" />
    </LazyMenu>
  );
}
