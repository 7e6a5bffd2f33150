import { pathIn } from '../layout.js';
import { referenceContent, type Frame } from './frame.js';
import { guideLink, texts, type Guide } from './guides.js';
import { Markdown } from './markdown.js';
import { messagesOf } from './messages.js';

/** A text of the repository as a page, with its sections listed first. */
export function guidePage(frame: Frame, guide: Guide) {
  const { locale } = frame;
  const text = messagesOf(locale);
  const sections = guide.headings().filter(({ level }) => level === 2);
  const linkOf = (href: string) => {
    const found = guideLink(guide, href);
    return found?.startsWith('/') === true ? pathIn(locale, found) : found;
  };
  return referenceContent(frame, {
    title: guide.title,
    body: (
      <>
        {sections.length < 2 ? null : (
          <nav className="sections" aria-label={text.guides}>
            <ul className="jump">
              {sections.map((one) => (
                <li key={one.id}>
                  <a href={`#${one.id}`}>{one.text}</a>
                </li>
              ))}
            </ul>
          </nav>
        )}
        <div className="prose">
          <Markdown text={withTitles(guide)} linkOf={linkOf} />
        </div>
      </>
    ),
  });
}

/** Returns the text with links to other guides named by their titles instead of their files. */
function withTitles(guide: Guide): string {
  return guide.text().replaceAll(/\[([\w-]+\.md)\]\(([^)\s]+)\)/g, (whole, _name: string, href: string) => {
    const path = guideLink(guide, href)?.split('#')[0];
    const title = texts.find((one) => one.path === path)?.title;
    return title === undefined ? whole : `[${title}](${href})`;
  });
}
