import { Link } from '@tanstack/react-router';
import { useContext } from 'react';
import { Badge, Empty, noted, Section, Stats } from '../../design/basics.js';
import { counted } from '../frame/language.js';
import { Loaded, PageHead } from '../frame/parts.js';
import { frameTexts } from '../frame/texts.js';
import { homeTexts } from '../texts.js';
import type { Item, View } from './item.js';
import { WaitingContext } from './waiting.js';

/** The page on which the panel opens: what waits for the reader in each of their roles. */
export function Home() {
  const { found, isLoading, thrown, reload } = useContext(WaitingContext);
  const text = homeTexts.get();
  const { areas } = frameTexts.get();
  if (thrown !== undefined) throw thrown.error;
  return (
    <>
      <PageHead title={text.title} />
      <Loaded
        query={{ data: found.length === 0 && isLoading ? undefined : found, failure: undefined, isLoading, reload }}
      >
        {(parts) =>
          parts.length === 0 ? (
            <Empty>{text.nothing}</Empty>
          ) : (
            parts.map(({ title, view, failure }) => (
              <Loaded key={title(areas)} query={{ data: view, failure, isLoading, reload }}>
                {(read) => <PartOfHome {...read} title={title(areas)} isOnly={parts.length === 1} />}
              </Loaded>
            ))
          )
        }
      </Loaded>
    </>
  );
}

/** Items that are shown; the navigation counts all. */
const mostItems = 6;

/** The only part leads with its figures; of several, each stands in one card. */
function PartOfHome(props: View & { readonly title: string; readonly isOnly: boolean }) {
  const { title, isOnly, figures, items, empty } = props;
  const { nothing, needed } = homeTexts.get();
  const shown = items.length === 0 && empty !== undefined ? [empty] : items.slice(0, mostItems);
  const leading = figures.length === 0 ? null : <Stats items={figures} />;
  return (
    <>
      {isOnly ? leading : null}
      <Section id={title.replaceAll(' ', '-')} title={isOnly ? needed : title}>
        {isOnly ? null : leading}
        {shown.length === 0 ? (
          <Empty>{nothing}</Empty>
        ) : (
          <ul className="plain waits">
            {shown.map((item) => (
              <li key={item.href ?? item.text}>
                {item.count === 0 ? null : <Badge tone={item.tone}>{counted(item.count, item.hasMore)}</Badge>}
                <div>{noted(<ItemLink {...item} />, item.note)}</div>
              </li>
            ))}
          </ul>
        )}
      </Section>
    </>
  );
}

function ItemLink({ text, to, search, href }: Item) {
  if (to === undefined) return <a href={href}>{text}</a>;
  return (
    <Link to={to} search={search ?? {}}>
      {text}
    </Link>
  );
}
