// What each role may do; the reader's own stands out.
import { useTexts } from "../language.ts";
import { StatusIcon } from "../parts/icon.tsx";
import { Panel } from "../parts/layout.tsx";
import { useMembership, type Permission, type Role } from "../session.ts";
import { frameTexts, teamTexts } from "../texts/areas.ts";
import { MAY, PERMISSIONS, ROLES } from "./roles.ts";

const ALLOWED: Readonly<Record<Permission, readonly Role[]>> = MAY;

export function RoleTable() {
  const t = useTexts(teamTexts);
  const { roles } = useTexts(frameTexts);
  const own = useMembership()?.role;
  return (
    <Panel title={t.table.title}>
      <div className="role-table" tabIndex={0} role="region" aria-label={t.table.title}>
        <table>
          <thead>
            <tr>
              <td />
              {ROLES.map((role) => (
                <th key={role} scope="col" className={role === own ? "own" : undefined}>
                  {roles[role]}
                  {role === own && <span className="hidden-text"> {t.table.own}</span>}
                </th>
              ))}
            </tr>
          </thead>
          <tbody>
            {PERMISSIONS.map((permission) => (
              <Line key={permission} permission={permission} own={own} />
            ))}
          </tbody>
        </table>
      </div>
    </Panel>
  );
}

function Line({ permission, own }: { readonly permission: Permission; readonly own: Role | undefined }) {
  const t = useTexts(teamTexts);
  return (
    <tr>
      <th scope="row">{t.may[permission]}</th>
      {ROLES.map((role) => {
        const may = ALLOWED[permission].includes(role);
        return (
          <td key={role} className={role === own ? "own" : undefined}>
            {may && <StatusIcon name="check" />}
            <span className="hidden-text">{may ? t.table.yes : t.table.no}</span>
          </td>
        );
      })}
    </tr>
  );
}
