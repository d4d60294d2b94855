// Settings → Recipient pages: the pages as recipients see them, in each language.
import { getRouteApi, Link } from "@tanstack/react-router";
import { useTexts } from "../base/language.ts";
import { Icon } from "../parts/icons/icon.tsx";
import { ListDetail } from "../settings/list-detail.tsx";
import { SettingsBar } from "../settings/settings-bar.tsx";
import { recipientPagesTexts } from "../texts/areas.ts";
import { PAGES, pageByName } from "./pages.ts";
import { Preview } from "./preview.tsx";
import "./recipient-pages.css";

const route = getRouteApi("/frame/settings/pages");

export function RecipientPages() {
  const t = useTexts(recipientPagesTexts);
  const search = route.useSearch();
  const open = pageByName(search.page);
  return (
    <div className={search.page === undefined ? "whole" : "whole open-second"}>
      <SettingsBar tab="pages" call={{ path: "/workspace" }} />
      <ListDetail
        list={
          <div className="rows">
            {PAGES.map(({ name, icon }) => (
              <Link
                key={name}
                className="line"
                from="/settings/pages"
                search={(before) => ({ ...before, page: name })}
                aria-current={name === open ? "true" : undefined}
              >
                <Icon name={icon} />
                <span>
                  <b className="cut">{t.pages[name].title}</b>
                  <span className="dim small cut">{t.pages[name].brief}</span>
                </span>
              </Link>
            ))}
          </div>
        }
      >
        <Preview page={open} />
      </ListDetail>
    </div>
  );
}
