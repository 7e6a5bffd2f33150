import type { ReactNode } from 'react';
import { pathIn } from '../layout.js';
import type { Locale } from '../locale.js';
import type { Content } from '../page.js';
import type { LinkItem } from '../../design/basics.js';
import { changelogGuide, guides, socketGuide } from './guides.js';
import { messagesOf } from './messages.js';
import { tagSlug, type OpenApi } from './open-api.js';

/** What every page of the reference needs. */
export interface Frame {
  readonly locale: Locale;
  readonly openApi: OpenApi;
  readonly publishesSchema: boolean;
  /** Path of the page below the language’s prefix. */
  readonly path: string;
}

export interface ReferencePage {
  readonly title: string;
  readonly description?: string;
  /** Whether its own text is in English whatever the language of the interface is. */
  readonly english?: boolean;
  readonly body: ReactNode;
  /** The entry of the contents that the page belongs to, and the pages that stand below it. */
  readonly within?: { readonly href: string; readonly items: readonly LinkItem[] };
  /** What the reader searched for. */
  readonly searched?: string;
}

/** Returns a page of the reference in its frame: the contents beside it, and the search above them. */
export function referenceContent(frame: Frame, page: ReferencePage): Content {
  const text = messagesOf(frame.locale);
  const { title, description = text.description, body, english = true, searched = '' } = page;
  return {
    title,
    description,
    path: frame.path,
    area: 'reference',
    body: (
      <div className="reference">
        <p className="to-contents">
          <a href="#contents">{text.toContents}</a>
        </p>
        <article {...(english && frame.locale.code !== 'en' ? { lang: 'en' } : {})}>{body}</article>
        <aside>
          <form className="find" method="get" action={pathIn(frame.locale, '/docs/search')} role="search">
            <label>
              <span className="hidden">{text.searchLabel}</span>
              <input name="q" type="search" maxLength={100} defaultValue={searched} placeholder={text.search} />
            </label>
            <button type="submit">{text.search}</button>
          </form>
          <Contents frame={frame} within={page.within} />
        </aside>
      </div>
    ),
  };
}

function Contents({ frame, within }: Pick<GroupProps, 'frame' | 'within'>) {
  const { locale, openApi, publishesSchema } = frame;
  const text = messagesOf(locale);
  const rest = openApi.tags.map(({ name }) => ({ href: `/docs/rest/tags/${tagSlug(name)}`, text: name }));
  return (
    <nav id="contents" aria-label={text.contents}>
      <Group frame={frame} within={within} items={[{ href: '/docs', text: text.overview }]} />
      <Group
        frame={frame}
        within={within}
        title={text.rest}
        items={[{ href: '/docs/rest', text: text.operations }, ...rest, { href: '/docs/errors', text: text.errors }]}
      />
      <Group
        frame={frame}
        within={within}
        title={text.guides}
        items={guides.map(({ path, title }) => ({ href: path, text: title }))}
      />
      <Group
        frame={frame}
        within={within}
        title={text.more}
        items={[
          { href: '/docs/webhooks', text: text.webhooks },
          { href: socketGuide.path, text: text.socket },
          ...(publishesSchema ? [{ href: '/docs/graphql', text: text.graphql }] : []),
          { href: changelogGuide.path, text: text.changelog },
        ]}
      />
      <ul>
        <li>
          <a href="/docs/swagger">{text.swagger}</a>
        </li>
        <li>
          <a href="/openapi.json">{text.openApi}</a>
        </li>
        {publishesSchema ? (
          <li>
            <a href="/schema.graphql">{text.sdl}</a>
          </li>
        ) : null}
      </ul>
    </nav>
  );
}

interface GroupProps {
  readonly frame: Frame;
  readonly title?: string;
  readonly items: readonly LinkItem[];
  readonly within: ReferencePage['within'] | undefined;
}

function Group({ frame: { locale, path }, title, items, within }: GroupProps) {
  const link = ({ href, text }: LinkItem) => (
    <a href={pathIn(locale, href)} {...(href === path ? { 'aria-current': 'page' as const } : {})}>
      {text}
    </a>
  );
  return (
    <>
      {title === undefined ? null : <h2>{title}</h2>}
      <ul>
        {items.map((item) => (
          <li key={item.href}>
            {link(item)}
            {within?.href !== item.href || within.items.length === 0 ? null : (
              <ul>
                {within.items.map((one) => (
                  <li key={one.href}>{link(one)}</li>
                ))}
              </ul>
            )}
          </li>
        ))}
      </ul>
    </>
  );
}
