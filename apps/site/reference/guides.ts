import { readFileSync } from 'node:fs';
import { headingsOf, sectionId } from './markdown.js';
import { once } from './source.js';

/** A text of the repository that integrators read. */
export interface Guide {
  /** Path of its page. */
  readonly path: string;
  /** Path of its file. */
  readonly file: string;
  readonly title: string;
  readonly text: () => string;
  readonly headings: () => ReturnType<typeof headingsOf>;
}

function guide(path: string, file: string, title: string): Guide {
  const text = once(() => readFileSync(new URL(`../../../${file}`, import.meta.url), 'utf8'));
  return { path, file, title, text, headings: once(() => headingsOf(text())) };
}

/** The guides, in the order in which they are listed. `scripts/build.mjs` copies their files. */
export const guides: readonly Guide[] = [
  guide('/docs/guides/first-steps', 'docs/guides/first-steps.md', 'First steps'),
  guide('/docs/guides/graphql', 'docs/guides/graphql.md', 'GraphQL by example'),
  guide('/docs/guides/receive-webhooks', 'docs/guides/webhooks.md', 'Receive webhooks'),
  guide('/docs/guides/assign-credits', 'docs/guides/assign-credits.md', 'Assign credits'),
  guide('/docs/guides/trade', 'docs/guides/trade.md', 'Trade'),
  guide('/docs/guides/agents', 'docs/guides/agents.md', 'AI agents'),
  guide('/docs/guides/common', 'docs/contract/common.md', 'Common rules'),
  guide('/docs/guides/accounts', 'docs/contract/accounts.md', 'Accounts and keys'),
  guide('/docs/guides/browser-sessions', 'docs/contract/browser-sessions.md', 'Browser sessions'),
  guide('/docs/guides/issuances', 'docs/contract/issuances.md', 'Issuances'),
  guide('/docs/guides/tokenization', 'docs/contract/tokenization.md', 'Tokenization'),
  guide('/docs/guides/webhooks', 'docs/contract/webhooks.md', 'Webhooks'),
  guide('/docs/guides/credit-assignment', 'docs/contract/credit-assignment.md', 'Credit assignment'),
  guide('/docs/guides/trading', 'docs/contract/trading.md', 'Trading'),
  guide('/docs/guides/typescript', 'clients/typescript/README.md', 'TypeScript client'),
  guide('/docs/guides/python', 'clients/python/README.md', 'Python client'),
  guide('/docs/guides/glossary', 'docs/glossary.md', 'Glossary'),
];

export const socketGuide = guide('/docs/socket', 'gateway/live/socket/PROTOCOL.md', 'The socket');
export const changelogGuide = guide('/docs/changelog', 'CHANGELOG.md', 'Changelog');

/** Every text that is a page. */
export const texts: readonly Guide[] = [...guides, socketGuide, changelogGuide];

/**
 * Returns the path that a link of a guide leads to: other guides by their file, with `§` and the number of a section or without; undefined for a
 * file that is no page.
 */
export function guideLink(from: Guide, href: string): string | undefined {
  if (href.startsWith('https://') || href.startsWith('#')) return href;
  const [, file = '', mark, number] = /^([^#\s]+)(?: §([\d.]+)|#(.+))?$/.exec(href) ?? [];
  const name = file.slice(file.lastIndexOf('/') + 1);
  const beside = from.file.slice(0, from.file.lastIndexOf('/') + 1);
  const found =
    texts.find((one) => one.file === file || (file === name && one.file === `${beside}${name}`)) ?? upwards(file);
  if (found === undefined) return undefined;
  const hash = mark === undefined ? number : sectionId(mark.replace(/\.$/, ''));
  if (hash === undefined) return found.path;
  return found.headings().some(({ id }) => id === hash) ? `${found.path}#${hash}` : found.path;
}

/** Finds a file that is named by `../`. */
function upwards(file: string): Guide | undefined {
  const [, rest] = /^(?:\.\.\/)+(.+)$/.exec(file) ?? [];
  return rest === undefined ? undefined : texts.find((one) => one.file.endsWith(`/${rest}`));
}
