import { Table } from '../../design/table.js';
import { pathIn } from '../layout.js';
import { referenceContent, type Frame } from './frame.js';
import { messagesOf } from './messages.js';
import { search, type Entry } from './search-index.js';

/** What the search finds, and the form to search again. */
export function searchPage(frame: Frame, entries: readonly Entry[], asked: string) {
  const { locale } = frame;
  const text = messagesOf(locale);
  const found = search(entries, asked);
  return referenceContent(frame, {
    title: text.search,
    english: false,
    searched: asked,
    body: (
      <>
        <div className="head">
          <h1>{text.search}</h1>
        </div>
        <form className="filter" method="get" action={pathIn(locale, '/docs/search')} aria-label={text.search}>
          <label className="grow">
            {text.searchHint}
            <input name="q" type="search" maxLength={100} defaultValue={asked} />
          </label>
          <button type="submit">{text.search}</button>
        </form>
        {asked === '' ? (
          <p className="empty">{text.searchStart}</p>
        ) : (
          <>
            <p className="muted small">{text.found(found.entries.length, found.total)}</p>
            <Table
              caption={text.search}
              rows={found.entries}
              keyOf={({ kind, title, href }) => `${kind} ${title} ${href}`}
              empty={text.searchEmpty}
              columns={[
                {
                  label: text.table.name,
                  kind: 'wide',
                  cell: ({ href, title, about }) => (
                    <>
                      <a href={pathIn(locale, href)}>{title}</a>
                      <span className="sub">{about}</span>
                    </>
                  ),
                },
                { label: text.table.type, cell: ({ kind }) => text.kinds[kind] },
              ]}
            />
          </>
        )}
      </>
    ),
  });
}
