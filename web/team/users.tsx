// All users of this server, for owners.
import { useTexts } from "../base/language.ts";
import { Button } from "../parts/button.tsx";
import { Code } from "../parts/code.tsx";
import { Dialog } from "../parts/overlays/dialog.tsx";
import { Question } from "../parts/fields/form-dialog.tsx";
import { Skeleton, Panel } from "../parts/layout.tsx";
import { ResourceActions, type ResourceAction } from "../parts/overlays/resource-actions.tsx";
import { Tag } from "../parts/state.tsx";
import { Time } from "../parts/time.tsx";
import { showToast } from "../parts/overlays/toast.tsx";
import { frameTexts, teamTexts } from "../texts/areas.ts";
import { useOwnership, useRemoveUser, useResetTotp, useUserLink, useUsers, type User } from "./data.ts";
import { LastSeen, PeopleHead, Person } from "./person.tsx";

export function Users() {
  const t = useTexts(teamTexts);
  const { all, hasNextPage, ...asked } = useUsers(true);
  const owners = all?.filter(({ owner }) => owner).length ?? 0;
  // Further pages may have more owners; the server decides.
  const isLast = (user: User) => user.owner && owners === 1 && !hasNextPage;
  return (
    <Panel title={t.users.title}>
      {!all ? (
        <Skeleton of={asked} className="people" rows={3} columns={3} />
      ) : (
        <ul className="rows people">
          <PeopleHead second={t.heads.workspaces} />
          {all.map((user) => (
            <UserRow key={user.id} user={user} isLast={isLast(user)} />
          ))}
        </ul>
      )}
    </Panel>
  );
}

type UserRowProps = { readonly user: User; readonly isLast: boolean };

function UserRow({ user, isLast }: UserRowProps) {
  const t = useTexts(teamTexts);
  const { roles } = useTexts(frameTexts);
  const workspaces = user.workspaces.map(({ name, role }) => `${name} (${roles[role]})`).join(", ");
  return (
    <li className="line">
      <Person {...user} />
      <span className="cut" title={workspaces}>
        {user.owner ? <Tag>{roles.OWNER}</Tag> : <span className="dim">{workspaces || t.users.nowhere}</span>}{" "}
        {user.secondFactors.length > 0 && <Tag>{t.users.secondFactor}</Tag>}{" "}
        {user.providers.map((provider) => (
          <Tag key={provider}>{provider}</Tag>
        ))}
      </span>
      <LastSeen at={user.lastSeenAt} />
      <ResourceActions label={t.users.actions(user.name)} actions={useActions(user, isLast)} />
    </li>
  );
}

function useActions(user: User, isLast: boolean): readonly ResourceAction[] {
  const t = useTexts(teamTexts);
  const ownership = useOwnership(({ name, owner }) =>
    showToast(owner ? t.users.isOwner(name) : t.users.isNoOwner(name)),
  );
  const last = isLast ? t.users.last : undefined;
  return [
    {
      id: "owner",
      name: user.owner ? t.users.takeOwner : t.users.makeOwner,
      icon: "key",
      ...(user.owner || user.addressProven ? {} : { note: t.users.unproven }),
      disabledReason: user.ownerFrom === null ? last : t.roleFrom(user.ownerFrom),
      run: () => ownership.mutate({ seen: user, owner: !user.owner }),
    },
    { id: "link", name: t.users.link, icon: "link", dialog: (close) => <NewLink user={user} close={close} /> },
    ...(user.secondFactors.includes("TOTP")
      ? [
          {
            id: "totp",
            name: t.users.resetTotp,
            icon: "phone",
            dialog: (close) => <ResetQuestion user={user} close={close} />,
          } satisfies ResourceAction,
        ]
      : []),
    "line",
    {
      id: "remove",
      name: t.users.remove,
      icon: "trash",
      risk: true,
      disabledReason: last,
      dialog: (close) => <DeleteQuestion user={user} close={close} />,
    },
  ];
}

type AboutProps = { readonly user: User; readonly close: () => void };

function DeleteQuestion({ user, close }: AboutProps) {
  const t = useTexts(teamTexts);
  const removal = useRemoveUser(({ name }) => {
    showToast(t.removed(name));
    close();
  });
  return (
    <Question
      title={t.users.removal.title(user.name)}
      close={close}
      action={t.users.removal.action}
      risk
      busy={removal.isPending}
      run={() => removal.mutate(user)}
      text={t.users.removal.text}
    />
  );
}

function ResetQuestion({ user, close }: AboutProps) {
  const t = useTexts(teamTexts);
  const reset = useResetTotp(({ name }) => {
    showToast(t.users.reset.done(name));
    close();
  });
  return (
    <Question
      title={t.users.reset.title(user.name)}
      text={t.users.reset.text}
      action={t.users.reset.action}
      risk
      busy={reset.isPending}
      run={() => reset.mutate(user)}
      close={close}
    />
  );
}

function NewLink({ user, close }: AboutProps) {
  const t = useTexts(teamTexts);
  const { cancel } = useTexts(frameTexts);
  const link = useUserLink();
  const done = link.data;
  return (
    <Dialog
      title={t.users.newLink.title(user.name)}
      isOpen
      onClose={close}
      actions={
        done ? (
          <Button kind="first" onClick={close}>
            {t.invite.done}
          </Button>
        ) : (
          <>
            <Button onClick={close}>{cancel}</Button>
            <Button kind="first" busy={link.isPending} onClick={() => link.mutate(user)}>
              {t.users.newLink.action}
            </Button>
          </>
        )
      }
    >
      {done ? (
        <div className="stack">
          <Code title={t.invite.link} text={done.link} what={t.invite.link} />
          <p className="dim">
            {t.invite.once} <Time at={done.expiresAt} as="exact" />.
          </p>
        </div>
      ) : (
        <p>{t.users.newLink.text}</p>
      )}
    </Dialog>
  );
}
